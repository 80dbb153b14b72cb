#include "maxmin/sampling_outcome.hpp"

#include <algorithm>
#include <string>

namespace maxmin {
namespace {

constexpr Index kDeepest = 10'000;  // beliefs below each other: visits are recursive, and a stack has a few megabytes

// How many beliefs may come one after another. Children come after their parents.
Index depth_of(const ProblemView& problem) {
  std::vector<Index> depth(problem.n_values(), 1);
  Index most = 1;
  for (std::size_t belief = 0; belief < problem.n_beliefs(); ++belief) {
    most = std::max(most, depth[belief]);
    const auto first = pos(problem.child_start[pos(problem.belief_start[belief])]);
    const auto last = pos(problem.child_start[pos(problem.belief_start[belief + 1])]);
    for (const Index child : problem.children.subspan(first, last - first)) {
      depth[pos(child)] = std::max(depth[pos(child)], depth[belief] + 1);
    }
  }
  return most;
}

}  // namespace

OutcomeSampling::OutcomeSampling(const MatrixView& payoffs, const MatrixView& transposed, const SampledSide& first,
                                 const SampledSide& second)
    : payoffs_{payoffs, transposed}, sides_{first, second}, plans_{PlanDraw(first), PlanDraw(second)} {
  for (std::size_t side = 0; side < 2; ++side) {
    if (const Index depth = depth_of(sides_[side].problem); depth > kDeepest) {
      throw TooLarge("outcome sampling cannot follow a side's " + std::to_string(depth) +
                     " decisions in a row: take another method");
    }
    worth_[side].resize(pos(sides_[side].problem.n_leaf_classes));
    worth_known_[side].assign(worth_[side].size(), 0);
  }
}

void OutcomeSampling::iterate(double weight, Dice& dice) {
  weight_ = weight;
  dice_ = &dice;
  for (side_ = 0; side_ < 2; ++side_) {
    ++number_;
    plans_[1 - side_].start(dice, 0);
    visit(0, 1, 1);
  }
}

// Returns an estimate of what the belief is worth. `drawn` and `played` are the probabilities of the way to it under
// the draws and under the current strategy.
double OutcomeSampling::visit(Index belief, double drawn, double played) {
  const Frame frame = open(belief);
  double chance = 1;
  const std::size_t picked = draw(frame, chance);
  const double more = follow(frame.first + picked, drawn * chance, played * strategy(frame)[picked]);
  utility(frame)[picked] += more / chance;
  const double worth = learn(frame, drawn, played);
  numbers_.resize(frame.numbers);
  double& baseline = sides_[side_].baseline[pos(belief)];
  baseline += kBaselineStep * (worth - baseline);
  return worth;
}

OutcomeSampling::Frame OutcomeSampling::open(Index belief) {
  const SampledSide& own = sides_[side_];
  const auto first = pos(own.problem.belief_start[pos(belief)]);
  const auto n = pos(own.problem.belief_start[pos(belief) + 1]) - first;
  const Frame frame{first, n, numbers_.size()};
  numbers_.resize(numbers_.size() + 2 * n);
  match_regrets(own.regrets.subspan(first, n), strategy(frame));
  return frame;
}

// Draws a prescription and says with which chance it was drawn; then utilities are the baselines.
std::size_t OutcomeSampling::draw(const Frame& frame, double& chance) {
  const std::span<double> numbers = utility(frame);
  std::size_t picked = 0;
  if (frame.n > 1) {
    const double even = kExploration / static_cast<double>(frame.n);
    for (std::size_t i = 0; i < frame.n; ++i) numbers[i] = (1 - kExploration) * strategy(frame)[i] + even;
    picked = dice_->pick(numbers);
    chance = numbers[picked];
  }
  for (std::size_t i = 0; i < frame.n; ++i) numbers[i] = baseline_of(frame.first + i);
  return picked;
}

// Visits all children of a prescription; returns what they are worth beyond their baselines.
double OutcomeSampling::follow(std::size_t prescription, double drawn, double played) {
  const SampledSide& own = sides_[side_];
  double more = 0;
  for (Index c = own.problem.child_start[prescription]; c < own.problem.child_start[prescription + 1]; ++c) {
    const Index child = own.problem.children[pos(c)];
    if (pos(child) >= own.problem.n_beliefs()) continue;
    const double before = own.baseline[pos(child)];
    more += visit(child, drawn, played) - before;
  }
  return more;
}

double OutcomeSampling::learn(const Frame& frame, double drawn, double played) {
  const SampledSide& own = sides_[side_];
  const std::span<const double> strategies = strategy(frame), utilities = utility(frame);
  double worth = 0;
  for (std::size_t i = 0; i < frame.n; ++i) worth += strategies[i] * utilities[i];
  if (frame.n == 1) return worth;
  const double weight = weight_ / drawn;
  for (std::size_t i = 0; i < frame.n; ++i) {
    own.regrets[frame.first + i] += weight * (utilities[i] - worth);
    own.flow_sum[frame.first + i] += weight * played * strategies[i];
  }
  touched_ += frame.n;
  return worth;
}

double OutcomeSampling::baseline_of(std::size_t prescription) {
  const SampledSide& own = sides_[side_];
  const Index start = own.problem.child_start[prescription], stop = own.problem.child_start[prescription + 1];
  double sum = 0;
  for (Index c = start; c < stop; ++c) {
    const auto child = pos(own.problem.children[pos(c)]);
    sum += child < own.problem.n_beliefs() ? own.baseline[child] : worth_of(child - own.problem.n_beliefs());
  }
  touched_ += pos(stop - start);
  return sum;
}

double OutcomeSampling::worth_of(std::size_t leaf_class) {
  double& worth = worth_[side_][leaf_class];
  if (worth_known_[side_][leaf_class] == number_) return worth;
  const MatrixView& matrix = payoffs_[side_];
  const Index start = matrix.start[leaf_class], stop = matrix.start[leaf_class + 1];
  double sum = 0;
  for (Index i = start; i < stop; ++i) {
    if (plans_[1 - side_].reaches(matrix.column[pos(i)])) sum += matrix.value[pos(i)];
  }
  touched_ += pos(stop - start);
  worth_known_[side_][leaf_class] = number_;
  return worth = side_ == 0 ? sum : -sum;
}

}  // namespace maxmin
