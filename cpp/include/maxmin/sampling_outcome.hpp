// Outcome-sampling Monte Carlo CFR on decision problems: M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling (NIPS 2009),
// with baselines: M. Schmid et al. (AAAI 2019), T. Davis, M. Schmid, M. Bowling (ICML 2020).
//
// For the side that is updated, the other side's pure plan is drawn, and one of its own; only the beliefs that this
// one comes to are updated. With F the draw's probability of a prescription p and v(c) what child c is worth,
//
//   utility of q  =  sum of baselines of q's children  +  [q = p] * sum over p's children c of (v(c) - baseline) / F(p)
//
// whose mean is the utility of q against the drawn plan, whatever the baselines. What differs from the papers:
//  * an outcome is a pair of plans: as flow is copied to all children, a plan is one draw where a tree has a path, and
//    following all its children costs less than the variance of following one;
//  * payoffs between leaf classes hold chance already, so chance is not drawn, and leaf classes need no baseline;
//  * a baseline belongs to a belief, so that all prescriptions that lead there share it;
//  * regrets of a belief are weighted by one over the probability of the drawn way to it, of which there may be
//    several; their mean is the regret times the number of ways, and regret matching does not see a constant.
#pragma once

#include <array>

#include "maxmin/sampling.hpp"

namespace maxmin {

class OutcomeSampling {
 public:
  // Share of uniform play in the draws of the side that is updated (the paper's epsilon).
  static constexpr double kExploration = 0.6;
  // How far a baseline moves towards what its belief turns out to be worth.
  static constexpr double kBaselineStep = 0.1;

  // `payoffs` is (leaf classes of the first side, of the second), what the first gets; `transposed` the same by the
  // second's rows. Throws TooLarge if a side decides over ten thousand times in a row.
  OutcomeSampling(const MatrixView& payoffs, const MatrixView& transposed, const SampledSide& first,
                  const SampledSide& second);
  // Update the first side against a plan of the second, then the second against one of the first.
  void iterate(double weight, Dice& dice);
  // Edges, prescriptions and payoffs looked at so far.
  std::uint64_t touched() const { return touched_ + plans_[0].touched() + plans_[1].touched(); }

 private:
  // What is known of a belief while plans below it are followed; its numbers are a strategy and utilities.
  struct Frame {
    std::size_t first, n, numbers;
  };
  std::span<double> strategy(const Frame& frame) { return std::span(numbers_).subspan(frame.numbers, frame.n); }
  std::span<double> utility(const Frame& frame) {
    return std::span(numbers_).subspan(frame.numbers + frame.n, frame.n);
  }

  double visit(Index belief, double drawn, double played);
  Frame open(Index belief);
  std::size_t draw(const Frame& frame, double& chance);
  double follow(std::size_t prescription, double drawn, double played);
  double learn(const Frame& frame, double drawn, double played);
  double baseline_of(std::size_t prescription);
  double worth_of(std::size_t leaf_class);

  std::array<MatrixView, 2> payoffs_;
  std::array<SampledSide, 2> sides_;
  std::array<PlanDraw, 2> plans_;
  std::array<std::vector<double>, 2> worth_;               // of leaf classes against the other side's plan
  std::array<std::vector<std::uint64_t>, 2> worth_known_;  // the last plan for which it was found
  std::vector<double> numbers_;                            // of open frames
  std::size_t side_ = 0;                                   // that is updated
  std::uint64_t number_ = 0, touched_ = 0;
  double weight_ = 0;
  Dice* dice_ = nullptr;
};

}  // namespace maxmin
