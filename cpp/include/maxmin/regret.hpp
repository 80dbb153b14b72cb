// Counterfactual regret minimization on decision problems: one family of local minimizers, whose members differ in
// numbers only (see src/maxmin/solve/, a file for each paper).
#pragma once

#include "maxmin/problem.hpp"

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

// Run schedule.weight.size() iterations, or fewer if progress (told the number of iterations done) says stop.
// `payoffs` is (leaf classes of a, leaf classes of b), what a gets; `transposed` is the same for b's rows.
// Returns the number of iterations done.
std::size_t iterate(const ProblemView& a, const ProblemView& b, const MatrixView& payoffs, const MatrixView& transposed,
                    const RegretState& state_a, const RegretState& state_b, const Schedule& schedule,
                    const Progress& progress);

}  // namespace maxmin
