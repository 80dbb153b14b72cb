// Counterfactual regret minimization on decision problems: one family of local minimizers, whose members differ in
// numbers only (see src/maxmin/solve/, a file for each paper).
#pragma once

#include "maxmin/problem.hpp"
#include "maxmin/sweep.hpp"

namespace maxmin {

// What one side carries from one iteration to the next, and scratch; caller-owned.
struct RegretState {
  std::span<double> regrets, strategy, flow_sum;  // (n_prescriptions,)
  std::span<double> leaf_sum;                     // (n_leaf_classes,) weighted sum of realizations
  std::span<double> reach, values;                // (n_beliefs + n_leaf_classes,)
};

// The numbers of iterations first, first + 1, ...; all spans have one entry per iteration.
//   R  <-  discount(R) * R + r       discount: `positive` where R > 0, else `negative`; r: the regrets just observed
//   R  <-  max(R, 0)                 where `floor` is set
//   strategy  proportional to  max(predicted * R + prediction * r, 0),  uniform where that is zero
//   averages get the new strategy with weight `weight`
struct Schedule {
  std::span<const double> positive, negative, predicted, weight;
  double prediction = 0;
  bool floor = false;
  bool alternating = true;
};

// Set the uniform strategy and clear the sums.
void start_regrets(const ProblemView& problem, const RegretState& state);

// What an iteration needs of one side. `payoffs` is (its leaf classes, the other side's leaf classes), what side a gets.
struct RegretSide {
  const ProblemView& problem;
  const Sweep& sweep;
  const MatrixView& payoffs;
  const RegretState& state;
};

// Run schedule.weight.size() iterations, or fewer if progress (told the number of iterations done) says stop; returns
// how many were done. What they compute does not depend on the number of threads.
std::size_t iterate(const RegretSide& a, const RegretSide& b, const Schedule& schedule, std::size_t threads,
                    const Progress& progress);

}  // namespace maxmin
