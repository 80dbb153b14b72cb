// Where the pieces of a board may lie, and all ways to lay them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "maxmin/core.hpp"

namespace maxmin {

using Words = std::span<const std::uint64_t>;

// The placements of all kinds of pieces, kind after kind, as bitboards of `words` words each.
struct FleetView {
  Indices kind_start;  // (n_kinds + 1,): placements of kind k are kind_start[k] .. kind_start[k + 1]
  Indices order;       // (n_pieces,): the kind of each piece, in the order in which they are laid
  Words masks;         // (n_placements * words,): the cells of a placement
  Words blocked;       // (n_placements * words,): the cells that no other piece may have beside it
  std::size_t words;   // of a bitboard: 1, 2, 4 or 16

  std::size_t n_placements() const { return masks.size() / words; }
  std::size_t n_pieces() const { return order.size(); }
};

// Which placements may lie beside each other, and which cover a cell: bit matrices with a column a placement.
class Compatibility {
 public:
  explicit Compatibility(const FleetView& fleet);
  Words beside(std::size_t placement) const { return {beside_.data() + placement * words_, words_}; }
  Words covering(std::size_t cell) const { return {covering_.data() + cell * words_, words_}; }
  std::size_t words() const { return words_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> covering_, beside_;
};

struct Configurations {
  std::vector<std::uint64_t> masks;  // (n * words,): the cells covered
  std::vector<double> weights;       // (n,): 1 each, or the probability of being laid in this order
};

// All ways to lay the pieces. Uniform: each set of placements once (equal kinds must be adjacent in `order`), weight
// 1. Sequential: each sequence, weight = product of 1 / (placements that were left). Throws TooLarge beyond `limit`.
Configurations enumerate_configurations(const FleetView& fleet, bool sequential, std::size_t limit,
                                        const Progress& progress);

// n boards drawn at random, as n * words bitboards. Uniform: each set of placements alike, by drawing all pieces
// independently until none conflicts. Sequential: each piece alike over what is left, begun anew if nothing is.
// Throws TooLarge if a board takes more than a million attempts.
std::vector<std::uint64_t> draw_configurations(const FleetView& fleet, bool sequential, std::size_t n,
                                               std::uint64_t seed, const Progress& progress);

}  // namespace maxmin
