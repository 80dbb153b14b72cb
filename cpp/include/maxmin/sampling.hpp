// Monte Carlo counterfactual regret minimization on decision problems: what the samplers share.
//
// A side's plan is drawn top-down from its current strategy (regret matching): one prescription in each belief that
// the plan comes to. Its flow is copied to all its children, so a plan is a part of the DAG, not a path.
#pragma once

#include "maxmin/problem.hpp"
#include "maxmin/random.hpp"

namespace maxmin {

// Where a sampler's draws come from; tests go through all of them.
class Dice {
 public:
  virtual ~Dice() = default;
  // Draws i with probability chance[i].
  virtual std::size_t pick(std::span<const double> chance) = 0;
};

class RandomDice final : public Dice {
 public:
  explicit RandomDice(std::uint64_t state) : random_(state) {}
  std::size_t pick(std::span<const double> chance) override;
  std::uint64_t state() const { return random_.state(); }

 private:
  Random random_;
};

// One side as the samplers see it; views over caller-owned arrays. Decisions are as in BeliefDag and SideTree.
struct SampledSide {
  ProblemView problem;
  Indices belief_decision_start, belief_decisions;
  Indices decision_infoset, decision_stage, decision_options;
  Indices infoset_n_actions;
  Indices leaf_class;          // (n_leaves,)
  std::span<double> regrets;   // (n_prescriptions,) weighted sum of sampled regrets
  std::span<double> flow_sum;  // (n_prescriptions,) weighted sum of the strategies in sampled beliefs
  std::span<double> baseline;  // (n_beliefs,) what they were worth of late; outcome sampling only
};

// The strategy that regrets stand for: proportional to their positive parts, uniform where there are none.
void match_regrets(std::span<const double> regrets, std::span<double> strategy);

// A pure plan of one side, drawn anew for each sample. Where the DAG is a tree and each infoset is met in one belief,
// as with perfect recall, only what is asked for is drawn; else the whole plan.
class PlanDraw {
 public:
  explicit PlanDraw(const SampledSide& side);

  // Forget the last plan. Strategies in the beliefs that are drawn join the averages with this weight.
  void start(Dice& dice, double weight);
  // Whether the plan plays towards a leaf class.
  bool reaches(Index leaf_class);
  // The action in an infoset that the plan comes to.
  Index action(Index infoset);
  // Prescriptions looked at so far, over all plans.
  std::uint64_t touched() const { return touched_; }

 private:
  bool find_beliefs();
  void draw_all();
  void draw(Index belief);
  void choose_actions(std::size_t belief, std::size_t prescription);
  bool comes_to(Index node);

  SampledSide side_;
  bool lazy_;
  std::vector<Index> owner_, parent_;  // lazy: the belief of each prescription, the only parent of each node
  std::vector<Index> belief_of_;       // lazy: per infoset
  std::vector<Index> chosen_, action_;                                   // per belief; per infoset
  std::vector<std::uint64_t> belief_drawn_, action_drawn_, leaf_drawn_;  // the last plan that came there
  std::vector<Index> open_;
  std::vector<double> strategy_;
  std::uint64_t number_ = 0, touched_ = 0;
  Dice* dice_ = nullptr;
  double weight_ = 0;
};

// The belief of each prescription.
std::vector<Index> owners(const ProblemView& problem);

// The most prescriptions that one belief has.
std::size_t most_prescriptions(const ProblemView& problem);

// Run iterations first, first + 1, ..., each weighted by its number, until there are `count`, `edges` have been looked
// at, or progress (told the number of iterations done) says stop. Returns the number of iterations done.
template <typename Sampler>
std::size_t run_sampler(Sampler& sampler, Dice& dice, std::size_t first, std::size_t count, std::uint64_t edges,
                        const Progress& progress) {
  const std::uint64_t before = sampler.touched();
  std::size_t done = 0;
  while (done < count && sampler.touched() - before < edges) {
    sampler.iterate(static_cast<double>(first + done), dice);
    if (!progress(static_cast<double>(++done))) break;
  }
  return done;
}

}  // namespace maxmin
