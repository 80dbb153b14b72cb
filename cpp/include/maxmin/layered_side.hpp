// The game tree of one side layer by layer, as Zhang, Farina and Sandholm 2023 (section 4) read it.
//
// Moves of chance and of other players are layers too: such a node is a spot with a decision of its own that has one
// option, which leads to all of its children. Dummy spots on edges put every infoset of the side into one layer;
// leaves stay where they are. Nodes that are in the same beliefs, whatever the construction, are one spot: those with
// equal own sequences and parents in one spot that lie above a common infoset of the side. So beliefs are as many as
// with all nodes kept apart. A leaf class is what one option leads to; its leaves count one by one.
#pragma once

#include "maxmin/side_tree.hpp"

namespace maxmin {

// `merged` is the side as `merge_side` sees it: the same decisions become chains. Throws Cancelled; `progress` is told
// the number of nodes done.
SideTree layer_side(const TreeView& tree, std::span<const std::uint8_t> in_side, const SideTree& merged,
                    const Progress& progress);

}  // namespace maxmin
