// A small random generator: the same seed gives the same numbers on every machine.
#pragma once

#include <cstdint>

namespace maxmin {

// SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Uniform on 0 .. n - 1, n < 2^32; numbers that would favour some are drawn anew.
  std::uint64_t below(std::uint64_t n) {
    std::uint64_t product = (next() >> 32) * n;
    while ((product & 0xffffffff) < (std::uint64_t{1} << 32) % n) product = (next() >> 32) * n;
    return product >> 32;
  }

  // Uniform on [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // A generator made with this goes on where this one is.
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace maxmin
