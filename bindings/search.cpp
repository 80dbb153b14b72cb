// Searching hidden boards: a strategy, the bound, the optimum.
#include <nanobind/stl/tuple.h>

#include "arrays.hpp"
#include "maxmin/board_search.hpp"
#include "maxmin/exact_search.hpp"
#include "maxmin/exact_worth.hpp"
#include "maxmin/shot_bound.hpp"
#include "module.hpp"

namespace {

using CellSets = Array<std::uint64_t>;
using Weights = Array<std::int64_t>;
using Cells = Array<std::uint8_t>;

struct Sets {
  CellSets covered;
  Weights weight;
  Cells images;
  maxmin::HitSets sets;

  Sets(CellSets masks, Weights weights, Cells symmetries, std::size_t most_sets, const nb::object& progress)
      : covered(masks), weight(weights), images(symmetries),
        sets({span_of(covered), span_of(weight)}, span_of(images), most_sets, throttled(progress)) {}
};

// Keeps what the search refers to.
struct Optimum {
  MutableArray<std::int64_t> values;
  maxmin::HiddenBoards boards;
  maxmin::Progress progress;
  maxmin::MissBound bound;
  maxmin::ExactSearch search;

  Optimum(const Sets& sets, MutableArray<std::int64_t> worth, std::size_t most_misses, std::size_t most_states)
      : values(worth), bound(sets.sets, {span_of(values), most_misses}, span_of(sets.images)),
        search(bound, span_of(sets.images), most_states, progress) {
    for (std::size_t b = 0; b < sets.covered.size(); ++b) {
      boards.push_back({span_of(sets.covered)[b], span_of(sets.weight)[b]});
    }
  }
};

struct Search {
  maxmin::BoardSearch search;

  Search(CellSets masks, Weights weights, Cells symmetries, std::size_t depth, std::size_t nesting, std::size_t width,
         std::size_t endgame, std::size_t most_states)
      : search({span_of(masks), span_of(weights)}, span_of(symmetries), {depth, nesting, width, endgame}, most_states) {
  }
};

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<Sets>(module, "HitSets", "The sets of cells that may be hit, up to symmetry, few hits first.")
      .def(nb::init<CellSets, Weights, Cells, std::size_t, const nb::object&>(), nb::arg("covered"), nb::arg("weight"),
           nb::arg("images"), nb::arg("most_sets"), nb::arg("progress") = nb::none())
      .def_prop_ro("size", [](const Sets& self) { return self.sets.size(); })
      .def("n_hits", [](const Sets& self, std::size_t set) { return maxmin::n_cells_of(self.sets.hits(set)); },
           nb::arg("set"), "The number of cells of a set.")
      .def(
          "start_worth",
          [](const Sets& self, MutableArray<std::int64_t> worth, std::size_t most_misses) {
            nb::gil_scoped_release release;
            maxmin::start_worth(self.sets, {span_of(worth), most_misses});
          },
          nb::arg("worth"), nb::arg("most_misses"), "Set the bounds that hold without thought.")
      .def(
          "lower_worth",
          [](const Sets& self, MutableArray<std::int64_t> worth, std::size_t most_misses, std::size_t first,
             std::size_t last, std::size_t fewer_boards, std::size_t effort, nb::object progress) {
            const maxmin::Progress report = throttled(progress);
            nb::gil_scoped_release release;
            return maxmin::lower_worth(self.sets, {span_of(worth), most_misses}, first, last, fewer_boards, effort,
                                       report);
          },
          nb::arg("worth"), nb::arg("most_misses"), nb::arg("first"), nb::arg("last"),
          nb::arg("fewer_boards"), nb::arg("effort"), nb::arg("progress") = nb::none(),
          "Lower the bounds of sets last - 1 .. first; returns where it stopped.")
      .def(
          "find_exact_worth",
          [](const Sets& self, MutableArray<std::int64_t> worth, std::size_t most_misses, std::size_t first,
             std::size_t last, std::size_t fewer_boards, std::size_t most_boards, std::size_t most_states,
             nb::object progress) {
            const maxmin::Progress report = throttled(progress);
            nb::gil_scoped_release release;
            return maxmin::find_exact_worth(self.sets, {span_of(worth), most_misses}, span_of(self.images), first,
                                            last, fewer_boards, most_boards, most_states, report);
          },
          nb::arg("worth"), nb::arg("most_misses"), nb::arg("first"), nb::arg("last"),
          nb::arg("fewer_boards"), nb::arg("most_boards"), nb::arg("most_states"), nb::arg("progress") = nb::none(),
          "Lower the bounds of sets last - 1 .. first to exact earnings; returns where it stopped.");

  nb::class_<Optimum>(module, "ExactSearch", "The least misses over all strategies, with a memory.")
      .def(nb::init<const Sets&, MutableArray<std::int64_t>, std::size_t, std::size_t>(), nb::arg("sets"),
           nb::arg("worth"), nb::arg("most_misses"), nb::arg("most_states"), nb::keep_alive<1, 2>())
      .def(
          "solve",
          [](Optimum& self, std::int64_t limit, nb::object progress) {
            const maxmin::Progress report = throttled(progress);
            self.progress = [&report](double done) { return report(done); };  // keeps no Python object alive
            nb::gil_scoped_release release;
            return self.search.solve(self.boards, limit);
          },
          nb::arg("limit"), nb::arg("progress") = nb::none(),
          "The least total of weight x misses if it is at most the limit, else a lower bound above the limit.")
      .def(
          "tree",
          [](const Optimum& self) {
            maxmin::ShotTree tree;
            {
              nb::gil_scoped_release release;
              tree = maxmin::best_tree(self.search, self.boards);
            }
            return std::make_tuple(to_numpy(std::move(tree.cell)), to_numpy(std::move(tree.hit)),
                                  to_numpy(std::move(tree.miss)));
          },
          "The best strategy, once solve has found the least: cells, nodes after a hit, nodes after a miss.")
      .def_prop_ro("n_states", [](const Optimum& self) { return self.search.n_states(); });

  nb::class_<Search>(module, "BoardSearch", "A strategy that searches; it remembers what it has worked out.")
      .def(nb::init<CellSets, Weights, Cells, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>(),
           nb::arg("covered"), nb::arg("weight"), nb::arg("images"), nb::arg("depth"), nb::arg("nesting"),
           nb::arg("width"), nb::arg("endgame"), nb::arg("most_states"))
      .def(
          "choose",
          [](Search& self, CellSets hits, CellSets misses, MutableArray<std::int64_t> cells, nb::object progress) {
            const maxmin::Progress report = throttled(progress);
            nb::gil_scoped_release release;
            for (std::size_t i = 0; i < cells.size(); ++i) {
              span_of(cells)[i] =
                  static_cast<std::int64_t>(self.search.choose(span_of(hits)[i], span_of(misses)[i], report));
            }
          },
          nb::arg("hits"), nb::arg("misses"), nb::arg("cells"), nb::arg("progress") = nb::none(),
          "Where to shoot in each state of a batch; 64 if no board fits it.");
}
