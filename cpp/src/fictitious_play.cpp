#include "maxmin/fictitious_play.hpp"

#include <algorithm>

namespace maxmin {
namespace {

// Count the other side's play and return the best response to all plays so far.
std::size_t respond(const PlaySide& side, std::size_t play) {
  return add_line_and_find(side.lines, play, side.sign, side.totals).place;
}

// The same, where the play counts twice for the response, though only once for good.
std::size_t respond_optimistically(const PlaySide& side, std::size_t play, std::vector<double>& expected) {
  add_line(side.lines, play, side.sign, side.totals);
  std::copy(side.totals.begin(), side.totals.end(), expected.begin());
  return add_line_and_find(side.lines, play, side.sign, {expected.data(), side.totals.size()}).place;
}

}  // namespace

std::size_t fictitious_play(const PlaySide& rows, const PlaySide& columns, PlayOrder order, Plays& next,
                            std::size_t iterations, const Progress& progress) {
  const std::size_t work = rows.totals.size() + columns.totals.size();
  const std::size_t stride = iterations_between_looks(work);
  std::vector<double> expected(order == PlayOrder::kOptimistic ? work : 0);
  for (std::size_t t = 1; t <= iterations; ++t) {
    const std::size_t row = next.row;
    if (order == PlayOrder::kAlternating) next.column = respond(columns, row);
    const std::size_t column = next.column;
    rows.counts[row] += 1;
    columns.counts[column] += 1;
    if (order == PlayOrder::kOptimistic) {
      next = {respond_optimistically(rows, column, expected), respond_optimistically(columns, row, expected)};
    } else {
      next.row = respond(rows, column);
      if (order == PlayOrder::kSimultaneous) next.column = respond(columns, row);
    }
    if (t % stride == 0 && !progress(static_cast<double>(t))) return t;
  }
  return iterations;
}

}  // namespace maxmin
