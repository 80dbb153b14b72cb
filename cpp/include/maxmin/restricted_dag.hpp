// A belief DAG (see belief_dag.hpp) in which each belief allows only prescriptions of some joint pure plans: the
// restricted game of DAG-based column generation (Zhang, An, Zeng, ICML 2024). It grows plan by plan and is never
// larger than what the plans do, however large the whole belief DAG would be.
//
// A plan says an option for every decision of the side, so its prescription is defined at any belief. What following
// it from a belief gains is a sum over the belief's spots, found for all spots in one backward pass; a plan's
// prescription is allowed where that is more than the belief is worth so far. What differs from the paper: there all
// of a plan's own prescriptions are added, and nothing at beliefs that other plans lead to.
#pragma once

#include <memory>

#include "maxmin/belief_dag.hpp"

namespace maxmin {

// The arrays of BeliefDag, but beliefs do not have all their prescriptions: prescription p takes options
// option_start[p] .. option_start[p + 1] - 1, in the order of its belief's decisions.
struct RestrictedArrays {
  BeliefDag dag;
  std::vector<Index> option_start, options;
  // The number that each prescription keeps while the DAG grows; -1 for a bundle's.
  std::vector<Index> prescription_number;
};

class RestrictedDag {
 public:
  // `side` must outlive it. Growing throws TooLarge where more than `most_bytes` would be needed.
  RestrictedDag(const SideTree& side, Observations observations, std::size_t most_bytes);
  ~RestrictedDag();

  // Allow a plan's prescription, `plan` (n_decisions,), at each belief that is worth less than following the plan from
  // there gains, by more than `margin`. `worth` is (n_leaf_classes,); `values` what the beliefs last written are worth
  // under it, (n_beliefs,). Beliefs that are new get the prescription anyhow. Returns how many were added.
  std::size_t grow(Indices plan, std::span<const double> worth, std::span<const double> values, double margin);

  // The DAG as it is now.
  RestrictedArrays write();

 private:
  class Growth;
  std::unique_ptr<Growth> growth_;
};

}  // namespace maxmin
