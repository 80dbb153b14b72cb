// Complete inflation of a side's infosets (Dalkey 1953, Kaneko and Kline 1995).
//
// Two nodes of an infoset that no joint pure plan of the side reaches both need not share it: whoever plans knows, where
// the plan has led, which of them it is. So an infoset is split into the components of "some plan reaches both". No
// value changes, as the sets of leaves that plans allow stay the same.
//
// Once is enough: splitting leaves what plans can reach together as it is. A plan reaches both of two nodes unless their
// paths leave some infoset by different actions. Of all such infosets take the one that the first path leaves first:
// some plan reaches both of its nodes, as nothing tells their paths apart before. So it is not split between them.
#pragma once

#include <vector>

#include "maxmin/core.hpp"

namespace maxmin {

struct Inflated {
  std::vector<Index> infoset;  // (n_nodes,) a part keeps the infoset's number, the others come behind all infosets
  std::vector<Index> origin;   // (n_infosets after,) the infoset of the tree that each is a part of
};

// Throws Cancelled; `progress` is told the number of infosets done.
Inflated inflate(const TreeView& tree, std::span<const std::uint8_t> in_side, const Progress& progress);

}  // namespace maxmin
