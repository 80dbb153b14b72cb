// Splits a set of spots into public observations: spots that share a token stay together.
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "maxmin/public_states.hpp"
#include "maxmin/side_tree.hpp"

namespace maxmin {

// What keeps spots together: a decision at or below both of them (Zhang et al. 2023), or being in one public state,
// also where all that connects them has been ruled out (the older constructions: the same value, never fewer
// prescriptions where every infoset has a choice).
enum class Observations { kConnected, kPublic };

class Tokens {
 public:
  Tokens(const SideTree& side, Observations observations) : side_(side) {
    if (observations == Observations::kPublic) states_ = std::make_unique<PublicStates>(side);
  }

  bool are_public_states() const { return states_ != nullptr; }
  std::size_t size() const { return pos(states_ ? states_->size() : side_.n_decisions()); }
  // The tokens of a spot at a time later than its parent's.
  Indices of(Index spot, Index time) const {
    if (states_) return {&states_->at(spot, time), 1};
    const auto s = pos(spot);
    return {side_.tokens.data() + side_.token_start[s], pos(side_.token_start[s + 1] - side_.token_start[s])};
  }

 private:
  const SideTree& side_;
  std::unique_ptr<const PublicStates> states_;
};

class Components {
 public:
  explicit Components(const Tokens& tokens) : tokens_(tokens), owner_(tokens.size()), stamp_(owner_.size(), 0) {}

  // Start again with `n` separate groups.
  void reset(std::size_t n) {
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), Index{0});
    ++round_;
  }

  // Put a spot into a group; groups whose spots share a token become one.
  void add(Index group, Index spot, Index time) {
    for (const Index t : tokens_.of(spot, time)) {
      const auto token = pos(t);
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
  const Tokens& tokens_;
  std::vector<Index> parent_, owner_;
  std::vector<std::uint64_t> stamp_;
  std::uint64_t round_ = 0;
};

}  // namespace maxmin
