// A decision problem as the solvers see it, and the payoffs that join two of them; views over caller-owned arrays.
#pragma once

#include "maxmin/core.hpp"

namespace maxmin {

// Arrays as in BeliefDag: beliefs, their prescriptions, their children; a belief comes before its children.
// `values` and `reach` arrays are (n_beliefs + n_leaf_classes,): beliefs first, leaf classes behind them.
struct ProblemView {
  Indices belief_start, child_start, children;
  Index n_leaf_classes;

  std::size_t n_beliefs() const { return belief_start.size() - 1; }
  std::size_t n_prescriptions() const { return child_start.size() - 1; }
  std::size_t n_values() const { return n_beliefs() + pos(n_leaf_classes); }
};

// Compressed rows: row i has entries start[i] .. start[i + 1] - 1.
struct MatrixView {
  Indices start, column;
  std::span<const double> value;
};

struct Matrix {
  std::vector<Index> start, column;
  std::vector<double> value;
};

// Sum `weight` over the leaves of each pair of classes: (n_rows, n_columns), rows compressed, no explicit zeros.
Matrix payoff_matrix(Indices row_class, Indices column_class, std::span<const double> weight, Index n_rows,
                     Index n_columns);

// out = factor * matrix * x.
void multiply(const MatrixView& matrix, std::span<const double> x, double factor, std::span<double> out);

// Backward pass. Leaf values are given at the end of `values`; fills in what each belief is worth to a best response,
// and the prescription that attains it. Returns the worth of the root.
double best_response(const ProblemView& problem, std::span<double> values, std::span<Index> choice);

// Forward pass. `strategy` is (n_prescriptions,), a distribution in each belief; fills in the probability with which
// the side plays towards each belief and leaf class.
void realize(const ProblemView& problem, std::span<const double> strategy, std::span<double> reach);

// The number of paths from the root to leaf classes; one tree node for each if the DAG is unfolded.
double count_paths(const ProblemView& problem);

// Write a flow as weighted pure plans: repeatedly take the plan that follows the largest flow everywhere. `flow` is
// (n_prescriptions,) and is used up. Stops after `most_plans`, or when no more than `rest` of the flow is left.
// A plan is the list of prescriptions it plays, in `prescriptions` from start[i] to start[i + 1] - 1.
struct Plans {
  std::vector<double> weight;
  std::vector<Index> start{0}, prescriptions;
};
Plans decompose(const ProblemView& problem, std::span<double> flow, std::size_t most_plans, double rest);

}  // namespace maxmin
