// Battleship: boards, posteriors.
#include <nanobind/stl/tuple.h>

#include "arrays.hpp"
#include "maxmin/fleet.hpp"
#include "maxmin/fleet_posterior.hpp"
#include "maxmin/posterior.hpp"
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

struct Index {
  WordArray masks;
  FloatArray weights;
  maxmin::ConfigurationIndex index;

  Index(WordArray covered, FloatArray chances, std::size_t n_cells, std::size_t words)
      : masks(covered), weights(chances), index(span_of(masks), span_of(weights), n_cells, words) {}
};

struct FleetIndex {
  Fleet fleet;
  maxmin::FleetPosteriors posteriors;

  FleetIndex(const Fleet& pieces, std::size_t n_cells) : fleet(pieces), posteriors(fleet.view, n_cells) {}
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
        return std::make_tuple(to_numpy(std::move(found.masks)), to_numpy(std::move(found.weights)));
      },
      nb::arg("fleet"), nb::arg("sequential"), nb::arg("limit"), nb::arg("progress") = nb::none(),
      "All ways to lay the pieces: the cells covered, and weights.");

  module.def(
      "draw_configurations",
      [](const Fleet& fleet, bool sequential, std::size_t n, std::uint64_t seed, nb::object progress) {
        const maxmin::Progress report = throttled(progress);
        std::vector<std::uint64_t> masks;
        {
          nb::gil_scoped_release release;
          masks = maxmin::draw_configurations(fleet.view, sequential, n, seed, report);
        }
        return to_numpy(std::move(masks));
      },
      nb::arg("fleet"), nb::arg("sequential"), nb::arg("n"), nb::arg("seed"), nb::arg("progress") = nb::none(),
      "Boards drawn at random: the cells covered.");

  nb::class_<Index>(module, "ConfigurationIndex", "All configurations of a board, by the cells that they cover.")
      .def(nb::init<WordArray, FloatArray, std::size_t, std::size_t>(), nb::arg("masks"), nb::arg("weights"),
           nb::arg("n_cells"), nb::arg("words"))
      .def(
          "posteriors",
          [](const Index& self, WordArray hits, WordArray misses, MutableArray<double> out, MutableArray<double> total,
             nb::object progress) {
            const maxmin::Progress report = throttled(progress);
            nb::gil_scoped_release release;
            self.index.posteriors(span_of(hits), span_of(misses), span_of(out), span_of(total), report);
          },
          nb::arg("hits"), nb::arg("misses"), nb::arg("out"), nb::arg("total"), nb::arg("progress") = nb::none(),
          "Probability of each cell for each state of a batch; total is the weight of what agrees with it.");

  nb::class_<FleetIndex>(module, "FleetPosteriors", "Posteriors from placements, exact or sampled.")
      .def(nb::init<const Fleet&, std::size_t>(), nb::arg("fleet"), nb::arg("n_cells"))
      .def(
          "posterior",
          [](const FleetIndex& self, WordArray hits, WordArray misses, double work, std::size_t samples,
             std::uint64_t seed, nb::object progress) {
            const maxmin::Progress report = throttled(progress);
            maxmin::FleetPosterior found;
            {
              nb::gil_scoped_release release;
              found = self.posteriors.posterior(span_of(hits), span_of(misses), {work, samples, seed}, report);
            }
            return std::make_tuple(to_numpy(std::move(found.probability)), to_numpy(std::move(found.standard_error)),
                                  found.count, found.exact);
          },
          nb::arg("hits"), nb::arg("misses"), nb::arg("work"), nb::arg("samples"), nb::arg("seed"),
          nb::arg("progress") = nb::none(), "Probability and standard error of each cell, count, whether exact.")
      .def(
          "possible",
          [](const FleetIndex& self, WordArray hits, WordArray misses) {
            nb::gil_scoped_release release;
            return self.posteriors.possible(span_of(hits), span_of(misses));
          },
          nb::arg("hits"), nb::arg("misses"),
          "Whether any configuration agrees with a state.");
}
