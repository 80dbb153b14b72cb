// The sets of cells that may be the hits of a game, up to the board's symmetries, and how one hit leads to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "maxmin/cell_set.hpp"
#include "maxmin/core.hpp"

namespace maxmin {

// The boards that may be hidden. All cover the same number of cells, all differ.
struct BoardsView {
  std::span<const CellSet> covered;       // (n_boards,)
  std::span<const std::int64_t> weight;   // (n_boards,) positive
};

// The hit sets, those of fewer hits first; set 0 is empty, the last ones are whole boards.
class HitSets {
 public:
  // images: (n_symmetries * 64,), where each symmetry of the boards sends each cell; the identity is not needed.
  // Throws TooLarge if there are more sets than `most_sets`.
  HitSets(const BoardsView& boards, std::span<const std::uint8_t> images, std::size_t most_sets,
          const Progress& progress);

  std::size_t size() const { return hits_.size(); }
  CellSet hits(std::size_t set) const { return hits_[set]; }
  bool is_board(std::size_t set) const { return edge_start_[set] == edge_start_[set + 1]; }
  std::int64_t total_weight(std::size_t set) const { return total_weight_[set]; }

  // One more hit: at which cell, and the set that it makes (its representative).
  std::span<const std::uint8_t> next_cell(std::size_t set) const { return part(edge_cell_, edge_start_, set); }
  std::span<const std::uint32_t> next_set(std::size_t set) const { return part(edge_set_, edge_start_, set); }

  // The boards that contain the set: their other cells, and weights.
  std::span<const CellSet> rests(std::size_t set) const { return part(rest_, rest_start_, set); }
  std::span<const std::int64_t> weights(std::size_t set) const { return part(weight_, rest_start_, set); }

 private:
  template <class T>
  static std::span<const T> part(const std::vector<T>& all, const std::vector<std::size_t>& start, std::size_t i) {
    return std::span<const T>(all).subspan(start[i], start[i + 1] - start[i]);
  }
  void add_level(std::size_t first, std::size_t last, std::span<const std::uint8_t> images, std::size_t most_sets);

  std::vector<CellSet> hits_, rest_;
  std::vector<std::int64_t> weight_, total_weight_;
  std::vector<std::uint8_t> edge_cell_;
  std::vector<std::uint32_t> edge_set_;
  std::vector<std::size_t> edge_start_, rest_start_;
};

}  // namespace maxmin
