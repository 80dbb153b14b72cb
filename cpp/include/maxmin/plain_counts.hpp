// How large a belief DAG is as Zhang, Farina and Sandholm 2023 (section 4) read, and the game that it unfolds to.
//
// Vertices are beliefs, terminal ones (one for each leaf) included, and observation points; edges lead from beliefs to
// observation points and from there to beliefs. An observation point tells its belief and prescription, so there is
// one for each prescription. The DAG is walked, one layer after the other, and not kept.
#pragma once

#include "maxmin/components.hpp"
#include "maxmin/core.hpp"
#include "maxmin/side_tree.hpp"

namespace maxmin {

struct PlainCounts {
  double vertices = 0, edges = 0;
  // Nodes of the converted game of Carminati et al. 2022: a node of the tree for each way in which the coordinator's
  // prescriptions can lead there, counted by paths; its leaves among them.
  double converted_nodes = 0, converted_leaves = 0;
};

// `layered` is made by `layer_side`. Throws TooLarge if walking takes more than `most_bytes`, and Cancelled.
// `progress` is told the number of prescriptions so far.
PlainCounts count_plainly(const SideTree& layered, Observations observations, std::size_t most_bytes,
                          const Progress& progress);

// The same nodes if prescriptions always cover all infosets of a public state, also those that earlier ones have ruled
// out. No prescription is tried, so this can be told of any layered side.
double count_unpruned_nodes(const SideTree& layered);

}  // namespace maxmin
