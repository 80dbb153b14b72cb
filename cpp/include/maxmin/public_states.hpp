// The public states of a side: what it would tell apart if nothing were known of its prescriptions.
//
// All spots of a layer, reached or not, fall into components (see components.hpp): the public states of Carminati
// et al. 2022 and Zhang and Sandholm 2022. Spots below one public state are never connected with spots below another
// one, so public states form a tree, and no prescription needs to be tried.
#pragma once

#include <functional>
#include <vector>

#include "maxmin/side_tree.hpp"

namespace maxmin {

// Calls visit(spots, time) for each public state, with the time at which the earliest of its spots act; parents first.
void walk_public_states(const SideTree& side, const std::function<void(Indices spots, Index time)>& visit);

class PublicStates {
 public:
  explicit PublicStates(const SideTree& side);

  Index size() const { return size_; }
  // The public state of a spot at a time that is later than its parent's and not later than its own. (A spot that
  // waits may pass several.)
  const Index& at(Index spot, Index time) const {
    auto i = pos(start_[pos(spot)]);
    while (until_[i] < time) ++i;
    return state_[i];
  }

 private:
  std::vector<Index> start_, until_, state_;  // of each spot: its states, each with the time at which it acts
  Index size_ = 0;
};

}  // namespace maxmin
