// What all of the core shares: how arrays come in, how work is stopped, and which errors leave it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace maxmin {

using Index = std::int32_t;
using Indices = std::span<const Index>;

// An index as the position that it stands for; it is never negative there.
constexpr std::size_t pos(Index index) { return static_cast<std::size_t>(index); }

// Called now and then with the work done so far (its unit depends on the task); false means stop.
using Progress = std::function<bool(double done)>;

// Work was stopped by the progress callback.
struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("interrupted") {}
};

// The result would not fit; the message has the figures.
struct TooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// No order of play puts each infoset of the side at one time; these infosets come before each other in turn.
struct NotTimeable : std::runtime_error {
  explicit NotTimeable(std::vector<Index> cycle)
      : std::runtime_error("the infosets come before each other in a circle"), infosets(std::move(cycle)) {}
  std::vector<Index> infosets;
};

// A game tree, breadth first: parents before children, player 0 chance and -1 leaf. All (n_nodes,).
struct TreeView {
  Indices parent, player, infoset, action;
  Indices infoset_n_actions;  // (n_infosets,)
};

}  // namespace maxmin
