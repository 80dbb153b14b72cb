// External-sampling Monte Carlo CFR on decision problems: M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling (NIPS 2009).
//
// For the side that is updated, the other side's pure plan and one outcome of each move of chance are drawn; a walk
// down the game tree, along all moves of the side itself, finds the leaves that can still be reached. Their worths are taken
// up the DAG, from children to parents, and all prescriptions of the beliefs on the way are updated. The mean of a
// sampled utility is the utility itself. What differs from the paper: a belief has many parents, so the way is up; the
// drawn plan's side averages its strategies in the beliefs that were drawn.
#pragma once

#include <array>

#include "maxmin/sampling.hpp"

namespace maxmin {

// A game tree, breadth first. All (n_nodes,) but for `payoff`.
struct SampledTree {
  Indices first_child, n_children;
  Indices actor;    // 0 chance, 1 the first side, 2 the second, -1 a leaf
  Indices infoset;  // of a leaf: its number among the leaves
  std::span<const double> probability;  // of the move of chance that leads here
  std::span<const double> payoff;       // (n_leaves,) of the first side, not weighted by chance
};

// Takes worths of leaf classes up to all beliefs above them, and updates regrets there.
class Ascent {
 public:
  explicit Ascent(const SampledSide& side);
  void add(Index leaf_class, double worth);
  void update(double weight);
  std::uint64_t touched() const { return touched_; }

 private:
  void give_to_parents(std::size_t node, double worth);
  void update_belief(std::size_t belief, double weight);
  void mark(std::size_t belief);
  bool take_last(std::size_t& belief);

  SampledSide side_;
  std::vector<Index> owner_, parent_start_, parents_;
  std::vector<double> leaf_worth_, utility_, strategy_;
  std::vector<Index> leaves_;
  std::vector<std::uint64_t> marked_, marked_words_;  // bits: beliefs to be updated; words of these that are not 0
  std::size_t last_block_ = 0;                        // no later word of marked_words_ has a bit
  std::uint64_t touched_ = 0;
};

class ExternalSampling {
 public:
  ExternalSampling(const SampledTree& tree, const SampledSide& first, const SampledSide& second);
  // Update the first side against a plan of the second, then the second against one of the first.
  void iterate(double weight, Dice& dice);
  // Edges and prescriptions looked at so far.
  std::uint64_t touched() const;

 private:
  void update(std::size_t side, double weight, Dice& dice);

  SampledTree tree_;
  std::array<SampledSide, 2> sides_;
  std::array<PlanDraw, 2> plans_;
  std::array<Ascent, 2> ascents_;
  std::vector<Index> open_;
  std::uint64_t nodes_ = 0;
};

}  // namespace maxmin
