// The best strategy of battleship from any state with few enough boards left: depth first, with a memory.
//
// What is still to come depends only on the boards that are left. Cells that all of them cover cost no miss, cells
// that none of them covers are never worth a shot; so "covered by all, covered by none" stands for the boards left,
// and up to the board's symmetries it is the key of the memory. A line is given up as soon as its proven bound
// (shot_bound.hpp) says that it cannot be better than another. Misses may be capped: a board then counts no more of
// them than `cap`, which after a miss is one less; that is part of the key.
#pragma once

#include <unordered_map>
#include <vector>

#include "maxmin/hit_sets.hpp"
#include "maxmin/shot_bound.hpp"

namespace maxmin {

struct Hidden {
  CellSet covered;
  std::int64_t weight;
};
using HiddenBoards = std::vector<Hidden>;

// The boards left once a cell is known.
struct Split {
  Split(const HiddenBoards& boards, std::size_t cell);
  HiddenBoards hit, missed;
  std::int64_t missed_weight = 0;
};

struct StateKey {
  CellSet in_all, in_none;
  bool operator==(const StateKey&) const = default;
};

struct StateKeyHash {
  std::size_t operator()(const StateKey& key) const {
    return (key.in_all * 0x9E3779B97F4A7C15u) ^ (key.in_none * 0xC2B2AE3D27D4EB4Fu >> 7) ^ key.in_none;
  }
};

StateKey key_of(const HiddenBoards& boards);

constexpr std::size_t no_cap = SIZE_MAX;

// Lower bounds on the misses, each board's capped, for sets of boards with known hits.
class MissBound {
 public:
  MissBound(const HitSets& sets, const Worth& worth, std::span<const std::uint8_t> images);

  // For any boards of this total weight, all of which contain `hits`: looked up in `worth`.
  std::int64_t of_weight(CellSet hits, std::int64_t weight, std::size_t cap = no_cap) const;

  // For these boards: no less, and slower. Best first over at most `effort` lines of misses.
  std::int64_t of_boards(const HiddenBoards& boards, CellSet hits, std::size_t cap, std::size_t effort,
                         const Progress& progress) const;

 private:
  const HitSets& sets_;
  const Worth worth_;
  std::span<const std::uint8_t> images_;
  std::unordered_map<CellSet, std::size_t> set_of_;
};

class ExactSearch {
 public:
  ExactSearch(const MissBound& bound, std::span<const std::uint8_t> images, std::size_t most_states,
              const Progress& progress)
      : bound_(bound), images_(images), most_states_(most_states), progress_(progress) {}

  // The least total of weight x capped misses if it is at most `limit`, else a lower bound above `limit`.
  // Throws TooLarge once there are more than most_states in memory, Cancelled if progress says stop.
  std::int64_t solve(const HiddenBoards& boards, std::int64_t limit, std::size_t cap = no_cap);

  void forget() { memory_.clear(); }

  // After `solve` has found the least, not capped: the shot that achieves it. Covered by some boards, not by all.
  std::size_t best_cell(const HiddenBoards& boards) const;

  std::size_t n_states() const { return memory_.size(); }

 private:
  struct Place {
    StateKey boards;
    std::size_t cap;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const {
      return StateKeyHash()(place.boards) + place.cap * 0x9E3779B97F4A7C15u;
    }
  };
  struct Found {
    std::int64_t lower = 0;
    std::uint8_t cell = 0;  // in the representative's place
    bool exact = false;
  };
  struct Shot {
    std::int64_t bound, missed_bound, hit_bound;
    std::size_t cell;
  };
  std::vector<Shot> shots(const HiddenBoards& boards, const StateKey& key, std::size_t cap) const;
  std::int64_t try_shot(const HiddenBoards& boards, const Shot& shot, std::int64_t limit, std::size_t cap);
  std::int64_t known_lower(const HiddenBoards& boards, std::size_t cap);
  Found& remember(const Place& place);

  const MissBound& bound_;
  std::span<const std::uint8_t> images_;
  std::size_t most_states_;
  const Progress& progress_;
  std::unordered_map<Place, Found, PlaceHash> memory_;
};

// A strategy as a tree: where to shoot at each node, and the node after a hit or a miss. -1: cannot be, or all is hit.
struct ShotTree {
  std::vector<std::uint8_t> cell;
  std::vector<Index> hit, miss;
};

// After `search` has found the least from the root: the tree that achieves it. Node 0 is the root.
ShotTree best_tree(const ExactSearch& search, const HiddenBoards& boards);

}  // namespace maxmin
