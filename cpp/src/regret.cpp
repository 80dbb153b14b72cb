#include "maxmin/regret.hpp"

#include <algorithm>

#include "maxmin/vectorize.hpp"

namespace maxmin {
namespace {

struct Step {
  double positive, negative, predicted, prediction, weight;
  bool floor;
};

Step step_of(const Schedule& schedule, std::size_t t) {
  return {schedule.positive[t], schedule.negative[t], schedule.predicted[t],
          schedule.prediction,  schedule.weight[t],   schedule.floor};
}

// Observe the utilities of one belief's prescriptions (in `utility`, overwritten) and set its next strategy.
// Returns what the belief was worth under the old one.
inline double update_belief(const Step& step, std::size_t n, double* utility, double* regrets, double* strategy) {
  double worth = 0;
  for (std::size_t i = 0; i < n; ++i) worth += strategy[i] * utility[i];
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double observed = utility[i] - worth;
    const double old = regrets[i];
    double regret = old * (old > 0 ? step.positive : step.negative) + observed;
    if (step.floor) regret = std::max(regret, 0.0);
    regrets[i] = regret;
    const double next = std::max(regret * step.predicted + step.prediction * observed, 0.0);
    utility[i] = next;
    total += next;
  }
  if (total > 0) {
    const double scale = 1 / total;
    for (std::size_t i = 0; i < n; ++i) strategy[i] = utility[i] * scale;
  } else {
    std::fill(strategy, strategy + n, 1 / static_cast<double>(n));
  }
  return worth;
}

// Backward pass: leaf values are at the end of state.values.
MAXMIN_VECTORIZE
void update_regrets(const ProblemView& problem, const RegretState& state, const Step& step,
                    std::span<double> utility) {
  const Index* const belief_start = problem.belief_start.data();
  const Index* const child_start = problem.child_start.data();
  const Index* const children = problem.children.data();
  double* const values = state.values.data();
  for (std::size_t belief = problem.n_beliefs(); belief-- > 0;) {
    const auto first = pos(belief_start[belief]);
    const auto n = pos(belief_start[belief + 1]) - first;
    Index child = child_start[first];
    for (std::size_t i = 0; i < n; ++i) {
      const Index last = child_start[first + i + 1];
      double sum = 0;
      for (; child < last; ++child) sum += values[children[child]];
      utility[i] = sum;
    }
    values[belief] = n == 1 ? utility[0]
                            : update_belief(step, n, utility.data(), state.regrets.data() + first,
                                            state.strategy.data() + first);
  }
}

// Forward pass: the new strategy's reach, added to the averages. What is not reached is skipped.
MAXMIN_VECTORIZE
void update_averages(const ProblemView& problem, const RegretState& state, double weight) {
  const Index* const child_start = problem.child_start.data();
  const Index* const children = problem.children.data();
  double* const reach = state.reach.data();
  std::fill(state.reach.begin(), state.reach.end(), 0.0);
  reach[0] = 1;
  for (std::size_t belief = 0; belief < problem.n_beliefs(); ++belief) {
    const double here = reach[belief];
    if (here == 0) continue;
    const auto first = pos(problem.belief_start[belief]);
    const auto last = pos(problem.belief_start[belief + 1]);
    for (std::size_t p = first; p < last; ++p) {
      const double flow = here * state.strategy[p];
      if (flow == 0) continue;
      state.flow_sum[p] += weight * flow;
      for (Index c = child_start[p]; c < child_start[p + 1]; ++c) reach[children[c]] += flow;
    }
  }
  const std::span<const double> leaves = state.reach.subspan(problem.n_beliefs());
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) state.leaf_sum[leaf] += weight * leaves[leaf];
}

std::size_t most_prescriptions(const ProblemView& problem) {
  Index most = 1;
  for (std::size_t b = 0; b < problem.n_beliefs(); ++b) {
    most = std::max(most, problem.belief_start[b + 1] - problem.belief_start[b]);
  }
  return pos(most);
}

}  // namespace

void start_regrets(const ProblemView& problem, const RegretState& state) {
  std::fill(state.regrets.begin(), state.regrets.end(), 0.0);
  std::fill(state.flow_sum.begin(), state.flow_sum.end(), 0.0);
  std::fill(state.leaf_sum.begin(), state.leaf_sum.end(), 0.0);
  for (std::size_t belief = 0; belief < problem.n_beliefs(); ++belief) {
    const auto first = pos(problem.belief_start[belief]);
    const auto last = pos(problem.belief_start[belief + 1]);
    std::fill(state.strategy.data() + first, state.strategy.data() + last, 1 / static_cast<double>(last - first));
  }
  realize(problem, state.strategy, state.reach);
}

std::size_t iterate(const ProblemView& a, const ProblemView& b, const MatrixView& payoffs, const MatrixView& transposed,
                    const RegretState& state_a, const RegretState& state_b, const Schedule& schedule,
                    const Progress& progress) {
  std::vector<double> utility(std::max(most_prescriptions(a), most_prescriptions(b)));
  const auto reach_a = state_a.reach.subspan(a.n_beliefs()), reach_b = state_b.reach.subspan(b.n_beliefs());
  const auto leaves_a = state_a.values.subspan(a.n_beliefs()), leaves_b = state_b.values.subspan(b.n_beliefs());
  for (std::size_t t = 0; t < schedule.weight.size(); ++t) {
    const Step step = step_of(schedule, t);
    multiply(payoffs, reach_b, 1, leaves_a);
    if (!schedule.alternating) multiply(transposed, reach_a, -1, leaves_b);
    update_regrets(a, state_a, step, utility);
    update_averages(a, state_a, step.weight);
    if (schedule.alternating) multiply(transposed, reach_a, -1, leaves_b);
    update_regrets(b, state_b, step, utility);
    update_averages(b, state_b, step.weight);
    if (!progress(static_cast<double>(t + 1))) return t + 1;
  }
  return schedule.weight.size();
}

}  // namespace maxmin
