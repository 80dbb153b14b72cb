// Searching a hidden board: greedy, lookahead, rollouts of rollouts, and exact endgames, over all boards at once.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "maxmin/exact_search.hpp"

namespace maxmin {

struct SearchOptions {
  std::size_t depth = 0;    // lookahead: shots that are looked ahead; 0 for rollouts
  std::size_t nesting = 1;  // rollouts: 0 greedy, 1 rollouts of greedy, 2 rollouts of those, ...
  std::size_t width = 5;    // rollouts: the likeliest cells are compared
  std::size_t endgame = 12; // with so few boards left, play on exactly
};

constexpr std::size_t most_nesting = 4;

class BoardSearch {
 public:
  BoardSearch(const BoardsView& boards, std::span<const std::uint8_t> images, const SearchOptions& options,
              std::size_t most_states);

  // Where to shoot; most_search_cells if no board fits what was seen, or there is nothing left to hit.
  // Throws Cancelled if progress (told the states in memory) says stop.
  std::size_t choose(CellSet hits, CellSet misses, const Progress& progress);

 private:
  struct Played {
    std::int64_t misses;
    std::size_t cell;
  };
  using Memory = std::unordered_map<StateKey, Played, StateKeyHash>;

  Played play(const HiddenBoards& boards, std::size_t nesting);
  Played roll_out(const HiddenBoards& boards, const StateKey& key, std::size_t nesting);
  Played play_exactly(const HiddenBoards& boards);
  Played look_ahead(const HiddenBoards& boards, CellSet hits, std::size_t depth);
  std::int64_t estimate(const HiddenBoards& boards, CellSet hits, std::size_t depth);
  std::size_t remembered() const;

  HiddenBoards boards_;
  std::vector<std::uint8_t> images_;
  SearchOptions options_;
  std::size_t most_states_;
  HitSets sets_;
  std::vector<std::int64_t> worth_;
  MissBound bound_;
  Progress progress_;
  ExactSearch endgame_;
  std::array<Memory, most_nesting + 1> memory_;
};

}  // namespace maxmin
