// Splits a set of spots into public observations: spots that share a decision at or below stay together.
#pragma once

#include <numeric>
#include <vector>

#include "maxmin/side_tree.hpp"

namespace maxmin {

class Components {
 public:
  explicit Components(const SideTree& side) : side_(side), owner_(static_cast<std::size_t>(side.n_decisions())),
                                              stamp_(owner_.size(), 0) {}

  // Start again with `n` separate groups.
  void reset(std::size_t n) {
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), Index{0});
    ++round_;
  }

  // Put a spot into a group; groups whose spots share a token become one.
  void add(Index group, Index spot) {
    const auto s = static_cast<std::size_t>(spot);
    for (Index t = side_.token_start[s]; t < side_.token_start[s + 1]; ++t) {
      const auto token = static_cast<std::size_t>(side_.tokens[static_cast<std::size_t>(t)]);
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
    if (a != b) parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

  // The smallest group that this one has been joined with.
  Index find(Index group) {
    auto g = static_cast<std::size_t>(group);
    while (parent_[g] != static_cast<Index>(g)) {
      parent_[g] = parent_[static_cast<std::size_t>(parent_[g])];
      g = static_cast<std::size_t>(parent_[g]);
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
