// Guts poker: the best answer of a coalition on a grid of thresholds.
#include <nanobind/stl/tuple.h>

#include "maxmin/multiset_response.hpp"

#include "arrays.hpp"
#include "module.hpp"

void bind_guts(nb::module_& module) {
  module.def(
      "best_multiset",
      [](FloatArray grid, FloatArray moments, std::size_t n, double hold, double drop, std::size_t most_bytes,
         nb::object progress) {
        const maxmin::MultisetLoss loss{span_of(grid), span_of(moments), hold, drop};
        const maxmin::Progress report = throttled(progress);
        maxmin::MultisetResponse response;
        {
          nb::gil_scoped_release release;
          response = maxmin::best_multiset(loss, n, most_bytes, report);
        }
        return std::make_tuple(response.loss, to_numpy(std::move(response.thresholds)));
      },
      nb::arg("grid"), nb::arg("moments"), nb::arg("n"), nb::arg("hold"), nb::arg("drop"), nb::arg("most_bytes"),
      nb::arg("progress") = nb::none(),
      "The least loss of n thresholds on the grid, and where they are on it, in ascending order.");
}
