// Sets of at most 64 cells as the bits of one word: what searching a board to its end needs, and no more.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace maxmin {

using CellSet = std::uint64_t;

constexpr std::size_t most_search_cells = 64;

constexpr CellSet cell_bit(std::size_t cell) { return CellSet{1} << cell; }

constexpr std::size_t first_cell(CellSet set) { return static_cast<std::size_t>(std::countr_zero(set)); }

constexpr std::size_t n_cells_of(CellSet set) { return static_cast<std::size_t>(std::popcount(set)); }

// Call visit(cell) for each cell of a set, lowest first.
template <class Visit>
void for_each_cell(CellSet set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(first_cell(set));
}

// The image of a set; `image` has the new place of every cell.
inline CellSet moved(CellSet set, std::span<const std::uint8_t> image) {
  CellSet result = 0;
  for_each_cell(set, [&](std::size_t cell) { result |= cell_bit(image[cell]); });
  return result;
}

}  // namespace maxmin
