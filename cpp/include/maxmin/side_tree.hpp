// What one side can tell apart: the game tree with everything merged that the side's own moves cannot separate.
//
// Two nodes with the same own moves on their path are reached by the same plans, so a decision of the side is
// stored once for each pair (own sequence, infoset), and a leaf once for each own sequence. Chance and the other
// side disappear. Where a side has several members or forgets, a decision among b > 2 actions whose results are
// seen apart is a chain of b - 1 binary ones (branching-factor reduction, Zhang et al. 2023, section 5).
#pragma once

#include <vector>

#include "maxmin/core.hpp"

namespace maxmin {

struct SideTree {
  // A decision is an infoset, or one link of its chain (`stage` 0, 1, ...). All (n_decisions,). (In a layered side,
  // see layered_side.hpp, an infoset of -1 stands for somebody else's move.)
  std::vector<Index> decision_infoset, decision_stage, decision_options, decision_time;
  // What the actor, and each member, has done itself before a spot, as a hash (0: nothing); for size estimates.
  std::size_t n_members = 0;
  std::vector<std::uint64_t> spot_own_past;  // (n_spots,)
  std::vector<std::uint64_t> spot_pasts;     // (n_spots, n_members)

  // A spot is a decision after one own sequence. Spots are numbered so that parents come first.
  std::vector<Index> spot_decision;      // (n_spots,)
  std::vector<Index> spot_first_option;  // (n_spots + 1,)
  std::vector<Index> spot_nodes;         // (n_spots,) how many tree nodes were merged
  // What an option leads to: spots met next, and at most one leaf class (-1: none).
  std::vector<Index> option_start;  // (n_options + 1,) into option_spots
  std::vector<Index> option_spots;
  std::vector<Index> option_leaf;  // (n_options,)
  // What is there before the side has moved.
  std::vector<Index> root_spots;
  Index root_leaf = -1;
  // Decisions at or below a spot that also occur elsewhere: two spots that share one must stay together.
  std::vector<Index> token_start;  // (n_spots + 1,)
  std::vector<Index> tokens;

  std::vector<Index> leaf_class;  // (n_leaves,) the class of each leaf of the tree
  Index n_leaf_classes = 0;

  Index n_spots() const { return static_cast<Index>(spot_decision.size()); }
  Index n_decisions() const { return static_cast<Index>(decision_infoset.size()); }
  Index spot_time(Index spot) const { return decision_time[pos(spot_decision[pos(spot)])]; }
};

// Merge a game tree for the players with in_side[player] != 0 (indexed by player number, chance included).
// Throws NotTimeable.
SideTree merge_side(const TreeView& tree, std::span<const std::uint8_t> in_side, bool reduce_branching);

// Fill in `token_start` and `tokens` of a side whose spots are there.
void add_tokens(SideTree& side);

}  // namespace maxmin
