// Battleship: boards, posteriors.
#include "arrays.hpp"
#include "maxmin/fleet.hpp"
#include "module.hpp"

namespace {

using WordArray = Array<std::uint64_t>;

// Holds the arrays that the view points into.
struct Fleet {
  IntArray kind_start, order;
  WordArray masks, blocked;
  maxmin::FleetView view;

  Fleet(IntArray starts, IntArray kinds, WordArray placed, WordArray near, std::size_t words)
      : kind_start(starts), order(kinds), masks(placed), blocked(near),
        view{span_of(kind_start), span_of(order), span_of(masks), span_of(blocked), words} {}
};

}  // namespace

void bind_battleship(nb::module_& module) {
  nb::class_<Fleet>(module, "Fleet", "Where the pieces of a board may lie.")
      .def(nb::init<IntArray, IntArray, WordArray, WordArray, std::size_t>(), nb::arg("kind_start"), nb::arg("order"),
           nb::arg("masks"), nb::arg("blocked"), nb::arg("words"));

  module.def(
      "enumerate_configurations",
      [](const Fleet& fleet, bool sequential, std::size_t limit, nb::object progress) {
        const maxmin::Progress report = throttled(progress);
        maxmin::Configurations found;
        {
          nb::gil_scoped_release release;
          found = maxmin::enumerate_configurations(fleet.view, sequential, limit, report);
        }
        return nb::make_tuple(to_numpy(std::move(found.masks)), to_numpy(std::move(found.weights)));
      },
      nb::arg("fleet"), nb::arg("sequential"), nb::arg("limit"), nb::arg("progress") = nb::none(),
      "All ways to lay the pieces: the cells covered, and weights.");

  module.def(
      "count_configurations",
      [](const Fleet& fleet, nb::object progress) {
        const maxmin::Progress report = throttled(progress);
        nb::gil_scoped_release release;
        return maxmin::count_configurations(fleet.view, report);
      },
      nb::arg("fleet"), nb::arg("progress") = nb::none(), "The number of ways to lay the pieces.");
}
