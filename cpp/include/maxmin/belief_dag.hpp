// The team belief DAG (Zhang, Farina, Sandholm 2023, section 4) of one side, in compressed rows.
//
// A belief is a set of spots (see side_tree.hpp) that the side must still treat together; a prescription picks one
// option in each decision that it meets; what follows falls into connected components, each a child belief. Equal
// beliefs are one node. What differs from the paper:
//  * moves of chance and of the other side are not layers: a belief goes from one decision of the side to the next;
//  * a belief acts at the earliest time among its decisions, the others wait, so that uneven depths need no padding;
//  * children that always appear together for several prescriptions are shared as a *bundle*: a belief with one
//    empty prescription. Flow is copied to children, so a bundle changes nothing but the number of edges.
// Beliefs are found by a 128-bit hash of their spots; a collision among 10^9 of them has a chance below 10^-20.
#pragma once

#include <vector>

#include "maxmin/components.hpp"
#include "maxmin/side_tree.hpp"

namespace maxmin {

struct BeliefDag {
  // Prescriptions of belief b are belief_start[b] .. belief_start[b + 1] - 1; the root is belief 0, and a child comes
  // after its parents. Children of prescription p are child_start[p] ..; a child c < n_beliefs is a belief, another one
  // is leaf class c - n_beliefs.
  std::vector<Index> belief_start, child_start, children;
  // The decisions that belief b prescribes for; the last one varies fastest over its prescriptions.
  std::vector<Index> belief_decision_start, belief_decisions;
  Index most_infosets = 0;    // k: the largest number of infosets that one belief meets
  double plain_edges = 0;     // edges without bundles: each prescription to each child belief or leaf class

  Index n_beliefs() const { return static_cast<Index>(belief_start.size()) - 1; }
};

// Throws TooLarge as soon as the DAG is known to need more than `most_bytes` (while building), and Cancelled.
// `progress` is told the number of prescriptions so far.
BeliefDag build_belief_dag(const SideTree& side, Observations observations, std::size_t most_bytes,
                           const Progress& progress);

// What the DAG would be if every combination of own pasts occurred in each public state; exact for Kuhn poker.
struct SizeEstimate {
  double beliefs = 0, prescriptions = 0;
  double public_states = 0;
  Index largest_public_state = 0;  // tree nodes of the side that act in it
  Index most_infosets = 0;
};

SizeEstimate estimate_size(const SideTree& side);

}  // namespace maxmin
