#include "maxmin/problem.hpp"

#include <algorithm>

#include "maxmin/vectorize.hpp"

namespace maxmin {

Matrix payoff_matrix(Indices row_class, Indices column_class, std::span<const double> weight, Index n_rows,
                     Index n_columns) {
  // Two stable counting sorts, by column and then by row, bring equal pairs together.
  const std::size_t n = row_class.size();
  const auto sort_by = [n](Indices key, Index n_keys, const std::vector<Index>& order) {
    std::vector<Index> next(pos(n_keys) + 1, 0), sorted(n);
    for (const Index k : key) ++next[pos(k) + 1];
    for (std::size_t k = 0; k < pos(n_keys); ++k) next[k + 1] += next[k];
    for (const Index i : order) sorted[pos(next[pos(key[pos(i)])]++)] = i;
    return sorted;
  };
  std::vector<Index> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<Index>(i);
  order = sort_by(row_class, n_rows, sort_by(column_class, n_columns, order));

  Matrix matrix;
  matrix.start.assign(1, 0);
  std::size_t i = 0;
  for (Index row = 0; row < n_rows; ++row) {
    while (i < n && row_class[pos(order[i])] == row) {
      const Index column = column_class[pos(order[i])];
      double sum = 0;
      for (; i < n; ++i) {
        const auto leaf = pos(order[i]);
        if (row_class[leaf] != row || column_class[leaf] != column) break;
        sum += weight[leaf];
      }
      if (sum == 0) continue;
      matrix.column.push_back(column);
      matrix.value.push_back(sum);
    }
    matrix.start.push_back(static_cast<Index>(matrix.column.size()));
  }
  return matrix;
}

MAXMIN_VECTORIZE
void multiply(const MatrixView& matrix, std::span<const double> x, double factor, std::span<double> out) {
  for (std::size_t row = 0; row < out.size(); ++row) {
    double sum = 0;
    for (Index i = matrix.start[row]; i < matrix.start[row + 1]; ++i) {
      const auto entry = pos(i);
      sum += matrix.value[entry] * x[pos(matrix.column[entry])];
    }
    out[row] = factor * sum;
  }
}

MAXMIN_VECTORIZE
double best_response(const ProblemView& problem, std::span<double> values, std::span<Index> choice) {
  for (std::size_t belief = problem.n_beliefs(); belief-- > 0;) {
    double best = 0;
    Index best_prescription = -1;
    for (Index p = problem.belief_start[belief]; p < problem.belief_start[belief + 1]; ++p) {
      double sum = 0;
      const auto prescription = pos(p);
      for (Index c = problem.child_start[prescription]; c < problem.child_start[prescription + 1]; ++c) {
        sum += values[pos(problem.children[pos(c)])];
      }
      if (best_prescription < 0 || sum > best) {
        best = sum;
        best_prescription = p;
      }
    }
    values[belief] = best;
    choice[belief] = best_prescription;
  }
  return values[0];
}

void realize(const ProblemView& problem, std::span<const double> strategy, std::span<double> reach) {
  std::fill(reach.begin(), reach.end(), 0.0);
  reach[0] = 1;
  for (std::size_t belief = 0; belief < problem.n_beliefs(); ++belief) {
    if (reach[belief] == 0) continue;
    for (Index p = problem.belief_start[belief]; p < problem.belief_start[belief + 1]; ++p) {
      const auto prescription = pos(p);
      const double flow = reach[belief] * strategy[prescription];
      if (flow == 0) continue;
      for (Index c = problem.child_start[prescription]; c < problem.child_start[prescription + 1]; ++c) {
        reach[pos(problem.children[pos(c)])] += flow;
      }
    }
  }
}

double count_paths(const ProblemView& problem) {
  std::vector<double> paths(problem.n_values(), 1.0);
  for (std::size_t belief = problem.n_beliefs(); belief-- > 0;) {
    double sum = 0;
    const auto first = pos(problem.belief_start[belief]);
    const auto last = pos(problem.belief_start[belief + 1]);
    for (Index c = problem.child_start[first]; c < problem.child_start[last]; ++c) {
      sum += paths[pos(problem.children[pos(c)])];
    }
    paths[belief] = sum;
  }
  return paths[0];
}

namespace {

// Follow the largest flow from the root; returns the smallest flow met, and appends the prescriptions to `plan`.
double follow(const ProblemView& problem, std::span<const double> flow, std::vector<Index>& open,
              std::vector<Index>& plan) {
  double least = 2;
  open.assign(1, 0);
  while (!open.empty()) {
    const auto belief = pos(open.back());
    open.pop_back();
    const auto first = pos(problem.belief_start[belief]);
    const auto last = pos(problem.belief_start[belief + 1]);
    std::size_t best = first;
    for (std::size_t p = first + 1; p < last; ++p) {
      if (flow[p] > flow[best]) best = p;
    }
    least = std::min(least, flow[best]);
    plan.push_back(static_cast<Index>(best));
    for (Index c = problem.child_start[best]; c < problem.child_start[best + 1]; ++c) {
      const Index child = problem.children[pos(c)];
      if (pos(child) < problem.n_beliefs()) open.push_back(child);
    }
  }
  return least;
}

}  // namespace

Plans decompose(const ProblemView& problem, std::span<double> flow, std::size_t most_plans, double rest) {
  Plans plans;
  std::vector<Index> open;
  double left = 1;
  while (left > rest && plans.weight.size() < most_plans) {
    const std::size_t from = plans.prescriptions.size();
    const double weight = follow(problem, flow, open, plans.prescriptions);
    if (weight <= 0) {  // rounding has left a belief without the flow that its parent has
      plans.prescriptions.resize(from);
      break;
    }
    for (std::size_t i = from; i < plans.prescriptions.size(); ++i) {
      flow[pos(plans.prescriptions[i])] -= weight;
    }
    plans.weight.push_back(weight);
    plans.start.push_back(static_cast<Index>(plans.prescriptions.size()));
    left -= weight;
  }
  return plans;
}

}  // namespace maxmin
