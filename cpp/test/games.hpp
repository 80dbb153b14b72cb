// Small games by hand, laid out breadth first.
#pragma once

#include <array>
#include <vector>

#include "maxmin/core.hpp"

struct SmallGame {
  std::vector<maxmin::Index> parent, player, infoset, action, infoset_n_actions;
  std::vector<double> payoffs;  // of the side, per leaf

  maxmin::TreeView view() const { return {parent, player, infoset, action, infoset_n_actions}; }
};

// Two members pick a side each, not seeing each other; the opponent (player 3) guesses, seeing nothing. The team wins 1
// if both pick the same and the opponent picks the other one. With correlation it is worth 1/2, without 1/4.
inline SmallGame hide_and_seek() {
  SmallGame game;
  const auto add = [&](int parent, int player, int infoset, int action) {
    game.parent.push_back(parent);
    game.player.push_back(player);
    game.infoset.push_back(infoset);
    game.action.push_back(action);
  };
  add(-1, 1, 0, -1);
  for (int a = 0; a < 2; ++a) add(0, 2, 1, a);
  for (int node = 1; node <= 2; ++node) {
    for (int a = 0; a < 2; ++a) add(node, 3, 2, a);
  }
  for (int node = 3; node <= 6; ++node) {
    for (int a = 0; a < 2; ++a) add(node, -1, -1, a);
  }
  game.infoset_n_actions = {2, 2, 2};
  game.payoffs = {0, 1, 0, 0, 0, 0, 1, 0};  // first, second, guess: 000, 001, 010, ...
  return game;
}

// One infoset twice on a path.
inline SmallGame absent_minded() {
  SmallGame game;
  game.parent = {-1, 0, 0, 1, 1};
  game.player = {1, 1, -1, -1, -1};
  game.infoset = {0, 0, -1, -1, -1};
  game.action = {-1, 0, 1, 0, 1};
  game.infoset_n_actions = {2};
  game.payoffs = {0, 1, 4};
  return game;
}

// A player with one choice among four actions, each a leaf.
inline SmallGame one_choice() {
  SmallGame game;
  game.parent = {-1, 0, 0, 0, 0};
  game.player = {1, -1, -1, -1, -1};
  game.infoset = {0, -1, -1, -1, -1};
  game.action = {-1, 0, 1, 2, 3};
  game.infoset_n_actions = {4};
  game.payoffs = {1, 4, 2, 3};
  return game;
}

// A member is told one of n signals and picks one of two; her mate then guesses, having seen nothing.
inline SmallGame signals(int n) {
  SmallGame game;
  const auto add = [&](int parent, int player, int infoset, int action) {
    game.parent.push_back(parent);
    game.player.push_back(player);
    game.infoset.push_back(infoset);
    game.action.push_back(action);
  };
  add(-1, 0, -1, -1);
  for (int signal = 0; signal < n; ++signal) add(0, 1, signal, signal);
  for (int node = 1; node <= n; ++node) {
    for (int a = 0; a < 2; ++a) add(node, 2, n, a);
  }
  for (int node = n + 1; node <= 3 * n; ++node) {
    for (int a = 0; a < 2; ++a) add(node, -1, -1, a);
  }
  game.infoset_n_actions.assign(static_cast<std::size_t>(n) + 1, 2);
  return game;
}
