#include "maxmin/regret.hpp"

#include <algorithm>
#include <limits>

#include "maxmin/crew.hpp"
#include "maxmin/vectorize.hpp"

namespace maxmin {
namespace {

struct Step {
  double positive, negative, predicted, prediction, weight, floor;
};

Step step_of(const Schedule& schedule, std::size_t t) {
  return {schedule.positive[t], schedule.negative[t], schedule.predicted[t],
          schedule.prediction,  schedule.weight[t],   schedule.floor ? 0 : std::numeric_limits<double>::lowest()};
}

// A sum that is split in eight, so that it can be vectorized; always in the same order.
template <typename Term>
inline double sum_of(std::size_t n, Term term) {
  double part[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (std::size_t j = 0; j < 8; ++j) part[j] += term(i + j);
  }
  double sum = ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
  for (; i < n; ++i) sum += term(i);
  return sum;
}

// Observe the utilities of one belief's prescriptions (overwritten) and set its next strategy. Returns what the belief
// was worth under the old one.
inline double update_belief(const Step& step, std::size_t n, double* __restrict utility, double* __restrict regrets,
                            double* __restrict strategy) {
  const double worth = sum_of(n, [&](std::size_t i) { return strategy[i] * utility[i]; });
  for (std::size_t i = 0; i < n; ++i) {
    const double observed = utility[i] - worth;
    const double old = regrets[i];
    const double regret = std::max(old * (old > 0 ? step.positive : step.negative) + observed, step.floor);
    regrets[i] = regret;
    utility[i] = std::max(regret * step.predicted + step.prediction * observed, 0.0);
  }
  const double total = sum_of(n, [&](std::size_t i) { return utility[i]; });
  const double scale = total > 0 ? 1 / total : 0, even = total > 0 ? 0 : 1 / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) strategy[i] = utility[i] * scale + even;
  return worth;
}

// The same for `count` beliefs of N prescriptions each: vectorized over beliefs, which is why nothing here branches.
template <std::size_t N>
inline void update_alike(Step step, std::size_t count, const double* __restrict utility, double* __restrict regrets,
                         double* __restrict strategy, double* __restrict worths) {
  for (std::size_t b = 0; b < count; ++b) {
    double worth = 0, total = 0, next[N];
    for (std::size_t i = 0; i < N; ++i) worth += strategy[b * N + i] * utility[b * N + i];
    for (std::size_t i = 0; i < N; ++i) {
      const double observed = utility[b * N + i] - worth;
      const double old = regrets[b * N + i];
      double regret = old * (old > 0 ? step.positive : step.negative) + observed;
      regret = regret > step.floor ? regret : step.floor;
      regrets[b * N + i] = regret;
      const double wanted = regret * step.predicted + step.prediction * observed;
      next[i] = wanted > 0 ? wanted : 0.0;
      total += next[i];
    }
    const double scale = total > 0 ? 1 / total : 0.0, even = total > 0 ? 0.0 : 1.0 / N;
    for (std::size_t i = 0; i < N; ++i) strategy[b * N + i] = next[i] * scale + even;
    worths[b] = worth;
  }
}

// Backward over some beliefs, none of which is a child of another. Their children's values are there.
MAXMIN_VECTORIZE
void update_regrets(const RegretSide& side, const Step& step, Index from, Index to, double* utility) {
  const Index* const belief_start = side.problem.belief_start.data();
  const Index* const child_start = side.problem.child_start.data();
  const Index* const children = side.problem.children.data();
  double* const values = side.state.values.data();
  const Index first = belief_start[from], last = belief_start[to];
  Index child = child_start[first];
  for (Index p = first; p < last; ++p) {
    const Index stop = child_start[p + 1];
    double sum = 0;
    for (; child < stop; ++child) sum += values[children[child]];
    utility[p - first] = sum;
  }
  for (Index belief = from; belief < to;) {
    const Index start = belief_start[belief], n = belief_start[belief + 1] - start;
    Index end = belief + 1;
    while (end < to && belief_start[end + 1] - belief_start[end] == n) ++end;
    double* const seen = utility + (start - first);
    double* const regrets = side.state.regrets.data() + start;
    double* const strategy = side.state.strategy.data() + start;
    const auto count = pos(end - belief);
    if (n == 1) {
      std::copy(seen, seen + count, values + belief);
    } else if (n == 2) {
      update_alike<2>(step, count, seen, regrets, strategy, values + belief);
    } else if (n == 4) {
      update_alike<4>(step, count, seen, regrets, strategy, values + belief);
    } else {
      for (std::size_t i = 0, j = 0; i < count; ++i, j += pos(n)) {
        values[pos(belief) + i] = update_belief(step, pos(n), seen + j, regrets + j, strategy + j);
      }
    }
    belief = end;
  }
}

// Forward over some beliefs: the new strategy's reach, added to the averages. What is not reached is skipped.
void update_averages(const RegretSide& side, double weight, Index from, Index to) {
  const Index* const belief_start = side.problem.belief_start.data();
  const Index* const child_start = side.problem.child_start.data();
  const Index* const children = side.problem.children.data();
  double* const reach = side.state.reach.data();
  for (Index belief = from; belief < to; ++belief) {
    const double here = reach[belief];
    if (here == 0) continue;
    for (Index p = belief_start[belief]; p < belief_start[belief + 1]; ++p) {
      const double flow = here * side.state.strategy[pos(p)];
      if (flow == 0) continue;
      side.state.flow_sum[pos(p)] += weight * flow;
      for (Index c = child_start[p]; c < child_start[p + 1]; ++c) reach[children[c]] += flow;
    }
  }
}

// An array in slices for several threads.
constexpr std::size_t kSlice = 8192;

template <typename Task>
void share_slices(Crew& crew, std::size_t n, const Task& task) {
  crew.share((n + kSlice - 1) / kSlice, [&](std::size_t slice, std::size_t) {
    task(slice * kSlice, std::min(kSlice, n - slice * kSlice));
  });
}

std::size_t most_in_block(const RegretSide& side) {
  Index most = 0;
  const std::vector<Index>& start = side.sweep.blocks.belief;
  for (std::size_t i = 0; i + 1 < start.size(); ++i) {
    most = std::max(most, side.problem.belief_start[pos(start[i + 1])] - side.problem.belief_start[pos(start[i])]);
  }
  return pos(most);
}

// The passes of one side, shared out among threads.
class Passes {
 public:
  Passes(const RegretSide& side, Crew& crew)
      : side_(side), crew_(crew), n_beliefs_(side.problem.n_beliefs()),
        utility_(crew.size(), std::vector<double>(most_in_block(side))) {}

  // What the leaf classes are worth against the other side's reach.
  void look_at(const RegretSide& other, double sign) {
    const auto theirs = other.state.reach.subspan(other.problem.n_beliefs());
    const auto worth = side_.state.values.subspan(n_beliefs_);
    share_slices(crew_, worth.size(), [&](std::size_t first, std::size_t n) {
      const MatrixView rows{side_.payoffs.start.subspan(first), side_.payoffs.column, side_.payoffs.value};
      multiply(rows, theirs, sign, worth.subspan(first, n));
    });
  }

  void update(const Step& step) {
    share_waves_backward(step);
    share_slices(crew_, side_.state.reach.size(), [&](std::size_t first, std::size_t n) {
      const auto slice = side_.state.reach.subspan(first, n);
      std::fill(slice.begin(), slice.end(), 0.0);
    });
    side_.state.reach[0] = 1;
    share_waves_forward(step.weight);
    const auto leaves = side_.state.reach.subspan(n_beliefs_);
    share_slices(crew_, leaves.size(), [&](std::size_t first, std::size_t n) {
      for (std::size_t leaf = first; leaf < first + n; ++leaf) side_.state.leaf_sum[leaf] += step.weight * leaves[leaf];
    });
  }

 private:
  void share_waves_backward(const Step& step) {
    const Pieces& blocks = side_.sweep.blocks;
    for (std::size_t w = blocks.n_waves(); w-- > 0;) {
      const Index* const start = blocks.belief.data() + blocks.wave[w];
      crew_.share(blocks.wave[w + 1] - blocks.wave[w], [&](std::size_t i, std::size_t member) {
        update_regrets(side_, step, start[i], start[i + 1], utility_[member].data());
      });
    }
  }

  void share_waves_forward(double weight) {
    const Pieces& shares = side_.sweep.shares;
    for (std::size_t w = 0; w < shares.n_waves(); ++w) {
      const Index* const start = shares.belief.data() + shares.wave[w];
      crew_.share(shares.wave[w + 1] - shares.wave[w], [&](std::size_t i, std::size_t) {
        update_averages(side_, weight, start[i], start[i + 1]);
      });
    }
  }

  const RegretSide& side_;
  Crew& crew_;
  std::size_t n_beliefs_;
  std::vector<std::vector<double>> utility_;  // scratch of each member of the crew
};

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

std::size_t iterate(const RegretSide& a, const RegretSide& b, const Schedule& schedule, std::size_t threads,
                    const Progress& progress) {
  const std::size_t useful = std::max(a.sweep.blocks.most_at_once(), b.sweep.blocks.most_at_once());
  Crew crew(std::min(threads, useful));
  Passes passes_a(a, crew), passes_b(b, crew);
  for (std::size_t t = 0; t < schedule.weight.size(); ++t) {
    const Step step = step_of(schedule, t);
    passes_a.look_at(b, 1);
    if (!schedule.alternating) passes_b.look_at(a, -1);
    passes_a.update(step);
    if (schedule.alternating) passes_b.look_at(a, -1);
    passes_b.update(step);
    if (!progress(static_cast<double>(t + 1))) return t + 1;
  }
  return schedule.weight.size();
}

}  // namespace maxmin
