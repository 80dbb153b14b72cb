// Matrix games: fictitious play, regret matching, the equations of interior point.
#include "maxmin/cholesky.hpp"
#include "maxmin/fictitious_play.hpp"
#include "maxmin/regret_matching.hpp"

#include "arrays.hpp"
#include "module.hpp"

namespace {

// Holds the arrays that the view points into.
struct Lines {
  FloatArray value;
  Array<std::int64_t> start;
  IntArray index;
  maxmin::PayoffLines view;

  Lines(std::size_t length, FloatArray values, Array<std::int64_t> starts, IntArray indices)
      : value(values), start(starts), index(indices), view{length, span_of(value), span_of(start), span_of(index)} {}
};

using Floats = MutableArray<double>;

}  // namespace

void bind_matrix(nb::module_& module) {
  nb::class_<Lines>(module, "PayoffLines", "A matrix by lines: dense if start and index are empty, else sparse.")
      .def(nb::init<std::size_t, FloatArray, Array<std::int64_t>, IntArray>(), nb::arg("length"), nb::arg("value"),
           nb::arg("start"), nb::arg("index"));

  nb::enum_<maxmin::PlayOrder>(module, "PlayOrder", "Who knows what in an iteration of fictitious play.")
      .value("SIMULTANEOUS", maxmin::PlayOrder::kSimultaneous)
      .value("ALTERNATING", maxmin::PlayOrder::kAlternating)
      .value("OPTIMISTIC", maxmin::PlayOrder::kOptimistic);

  nb::class_<maxmin::Plays>(module, "Plays", "The row and the column to be played next.").def(nb::init<>());

  module.def(
      "fictitious_play",
      [](const Lines& of_rows, const Lines& of_columns, Floats row_totals, Floats row_counts, Floats column_totals,
         Floats column_counts, maxmin::PlayOrder order, maxmin::Plays& next, std::size_t iterations,
         nb::object progress) {
        const maxmin::PlaySide rows{of_rows.view, 1, span_of(row_totals), span_of(row_counts)};
        const maxmin::PlaySide columns{of_columns.view, -1, span_of(column_totals), span_of(column_counts)};
        const maxmin::Progress report = throttled(progress);
        nb::gil_scoped_release release;
        return maxmin::fictitious_play(rows, columns, order, next, iterations, report);
      },
      nb::arg("of_rows"), nb::arg("of_columns"), nb::arg("row_totals"), nb::arg("row_counts"),
      nb::arg("column_totals"), nb::arg("column_counts"), nb::arg("order"), nb::arg("next"), nb::arg("iterations"),
      nb::arg("progress") = nb::none(), "Run iterations of fictitious play; returns how many were done.");

  module.def(
      "regret_matching",
      [](const Lines& of_rows, const Lines& of_columns, Floats row_regrets, Floats row_strategy, Floats row_sum,
         Floats row_payoffs, Floats column_regrets, Floats column_strategy, Floats column_sum, Floats column_payoffs,
         std::size_t first, std::size_t iterations, nb::object progress) {
        const maxmin::MatchingSide rows{of_rows.view,          1,
                                        span_of(row_regrets),  span_of(row_strategy),
                                        span_of(row_sum),      span_of(row_payoffs)};
        const maxmin::MatchingSide columns{of_columns.view,         -1,
                                           span_of(column_regrets), span_of(column_strategy),
                                           span_of(column_sum),     span_of(column_payoffs)};
        const maxmin::Progress report = throttled(progress);
        nb::gil_scoped_release release;
        return maxmin::regret_matching(rows, columns, first, iterations, report);
      },
      nb::arg("of_rows"), nb::arg("of_columns"), nb::arg("row_regrets"), nb::arg("row_strategy"), nb::arg("row_sum"),
      nb::arg("row_payoffs"), nb::arg("column_regrets"), nb::arg("column_strategy"), nb::arg("column_sum"),
      nb::arg("column_payoffs"), nb::arg("first"), nb::arg("iterations"), nb::arg("progress") = nb::none(),
      "Run iterations of regret matching+; returns how many were done.");

  module.def(
      "solve_by_cholesky",
      [](FloatArray factor, Floats b) {
        if (factor.size() != b.size() * b.size()) throw nb::value_error("the factor must be square, as long as b");
        nb::gil_scoped_release release;
        maxmin::solve_by_cholesky(span_of(factor), span_of(b));
      },
      nb::arg("factor"), nb::arg("b"), "Solve L L' z = b in place, given L by rows.");
}
