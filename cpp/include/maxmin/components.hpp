// Splits a set of spots into public observations: spots that share a decision at or below stay together.
#pragma once

#include <numeric>
#include <vector>

#include "maxmin/side_tree.hpp"

namespace maxmin {

class Components {
 public:
  explicit Components(const SideTree& side) : side_(side), owner_(pos(side.n_decisions())),
                                              stamp_(owner_.size(), 0) {}

  // Start again with `n` separate groups.
  void reset(std::size_t n) {
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), Index{0});
    ++round_;
  }

  // Put a spot into a group; groups whose spots share a token become one.
  void add(Index group, Index spot) {
    const auto s = pos(spot);
    for (Index t = side_.token_start[s]; t < side_.token_start[s + 1]; ++t) {
      const auto token = pos(side_.tokens[pos(t)]);
      if (stamp_[token] == round_) {
        join(owner_[token], group);
      } else {
        stamp_[token] = round_;
        owner_[token] = group;
      }
    }
  }

  void join(Index a, Index b) {
    a = find(a);
    b = find(b);
    if (a != b) parent_[pos(std::max(a, b))] = std::min(a, b);
  }

  // The smallest group that this one has been joined with.
  Index find(Index group) {
    auto g = pos(group);
    while (parent_[g] != static_cast<Index>(g)) {
      parent_[g] = parent_[pos(parent_[g])];
      g = pos(parent_[g]);
    }
    return static_cast<Index>(g);
  }

 private:
  const SideTree& side_;
  std::vector<Index> parent_, owner_;
  std::vector<std::uint64_t> stamp_;
  std::uint64_t round_ = 0;
};

}  // namespace maxmin
