// Cells take slots, each at most one: the largest total, for the last slot alone, the last two, the last three, ...
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace maxmin {

// The Hungarian method by rows (Kuhn 1955, Munkres 1957; O(n^3) with potentials), which adds one slot after the
// other and so has the optimum for every number of last slots on the way. Slots may stay empty.
class SlotAssignment {
 public:
  // worth: (n_cells, n_slots), nonnegative. best[s] becomes the largest total of the slots s, s + 1, ..., for each s
  // from first_slot on.
  void solve(std::span<const std::int64_t> worth, std::size_t n_cells, std::size_t n_slots, std::size_t first_slot,
             std::span<std::int64_t> best);

 private:
  void add_row(std::size_t row, std::size_t n_columns);

  std::span<const std::int64_t> worth_;
  std::size_t n_cells_ = 0, n_slots_ = 0;
  std::vector<std::int64_t> row_price_, column_price_, slack_;
  std::vector<std::size_t> row_of_, before_;
  std::vector<char> used_;
};

}  // namespace maxmin
