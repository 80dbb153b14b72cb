// How arrays cross: NumPy to spans without a copy, vectors to NumPy with their memory.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <chrono>
#include <memory>
#include <vector>

#include "maxmin/core.hpp"

namespace nb = nanobind;

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using MutableArray = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using NumpyArray = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

using IntArray = Array<maxmin::Index>;
using FloatArray = Array<double>;

template <typename T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), array.size()};
}

template <typename T>
std::span<T> span_of(const MutableArray<T>& array) {
  return {array.data(), array.size()};
}

template <typename T>
NumpyArray<T> to_numpy(std::vector<T>&& vector) {
  auto owned = std::make_unique<std::vector<T>>(std::move(vector));
  T* const data = owned->data();
  const std::size_t size = owned->size();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return NumpyArray<T>(data, {size}, owner);
}

// Calls a Python function now and then, no more often than every 50 ms; it returns False to stop the work.
inline maxmin::Progress throttled(const nb::object& callback) {
  if (callback.is_none()) return [](double) { return true; };
  auto last = std::chrono::steady_clock::now();
  return [callback, last](double done) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(50)) return true;
    last = now;
    nb::gil_scoped_acquire gil;
    return nb::cast<bool>(callback(done));
  };
}
