#include "slot_assignment.hpp"

#include <limits>

namespace maxmin {
namespace {

constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max() / 4;

}  // namespace

// Rows are slots, the last first; columns are cells, then one empty cell for each row. Both count from 1.
void SlotAssignment::solve(std::span<const std::int64_t> worth, std::size_t n_cells, std::size_t n_slots,
                           std::size_t first_slot, std::span<std::int64_t> best) {
  worth_ = worth;
  n_cells_ = n_cells;
  n_slots_ = n_slots;
  const std::size_t n_columns = n_cells + n_slots;
  row_price_.assign(n_slots + 1, 0);
  column_price_.assign(n_columns + 1, 0);
  row_of_.assign(n_columns + 1, 0);
  before_.assign(n_columns + 1, 0);
  slack_.resize(n_columns + 1);
  used_.resize(n_columns + 1);
  for (std::size_t row = 1; row <= n_slots - first_slot; ++row) {
    add_row(row, n_cells + row);
    best[n_slots - row] = column_price_[0];
  }
}

// Find the cheapest augmenting path from a new row, adjust the prices, and flip the path.
void SlotAssignment::add_row(std::size_t row, std::size_t n_columns) {
  for (std::size_t j = 0; j <= n_columns; ++j) slack_[j] = infinite, used_[j] = 0;
  row_of_[0] = row;
  std::size_t at = 0;
  do {
    used_[at] = 1;
    const std::size_t from = row_of_[at];
    const std::int64_t* const worth = worth_.data() + (n_slots_ - from);
    std::int64_t least = infinite;
    std::size_t next = 0;
    for (std::size_t j = 1; j <= n_columns; ++j) {
      if (used_[j]) continue;
      const std::int64_t cost = j <= n_cells_ ? -worth[(j - 1) * n_slots_] : 0;
      const std::int64_t reduced = cost - row_price_[from] - column_price_[j];
      if (reduced < slack_[j]) slack_[j] = reduced, before_[j] = at;
      if (slack_[j] < least) least = slack_[j], next = j;
    }
    for (std::size_t j = 0; j <= n_columns; ++j) {
      if (used_[j]) {
        row_price_[row_of_[j]] += least;
        column_price_[j] -= least;
      } else {
        slack_[j] -= least;
      }
    }
    at = next;
  } while (row_of_[at] != 0);
  for (; at != 0; at = before_[at]) row_of_[at] = row_of_[before_[at]];
}

}  // namespace maxmin
