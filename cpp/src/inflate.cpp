#include "maxmin/inflate.hpp"

#include <unordered_map>

namespace maxmin {
namespace {

// The side's own moves towards its nodes, as a tree of sequences; 0 is "has not moved".
struct OwnMoves {
  std::vector<Index> before{-1}, infoset{-1}, action{-1};  // per sequence: what it adds to the one before
  std::vector<Index> of_node;                              // the sequence of each node

  Index size() const { return static_cast<Index>(before.size()); }
};

OwnMoves find_own_moves(const TreeView& tree, std::span<const std::uint8_t> in_side) {
  OwnMoves moves;
  std::unordered_map<std::uint64_t, Index> first_move;  // of a sequence and an infoset; others by action follow it
  for (std::size_t v = 0; v < tree.parent.size(); ++v) {
    const Index up = tree.parent[v];
    Index sequence = up < 0 ? 0 : moves.of_node[pos(up)];
    if (up >= 0 && tree.player[pos(up)] > 0 && in_side[pos(tree.player[pos(up)])]) {
      const Index infoset = tree.infoset[pos(up)];
      const auto key = (static_cast<std::uint64_t>(sequence) << 32) | static_cast<std::uint32_t>(infoset);
      const auto [entry, is_new] = first_move.try_emplace(key, moves.size());
      for (Index action = 0; is_new && action < tree.infoset_n_actions[pos(infoset)]; ++action) {
        moves.before.push_back(sequence);
        moves.infoset.push_back(infoset);
        moves.action.push_back(action);
      }
      sequence = entry->second + tree.action[v];
    }
    moves.of_node.push_back(sequence);
  }
  return moves;
}

// Says which sequences no infoset sets against one given sequence.
class Together {
 public:
  Together(const OwnMoves& moves, std::size_t n_infosets) : moves_(moves), action_(n_infosets), stamp_(n_infosets, 0) {}

  void take(Index sequence) {
    ++round_;
    for (; sequence > 0; sequence = moves_.before[pos(sequence)]) {
      const auto infoset = pos(moves_.infoset[pos(sequence)]);
      stamp_[infoset] = round_;
      action_[infoset] = moves_.action[pos(sequence)];
    }
  }

  bool with(Index sequence) const {
    for (; sequence > 0; sequence = moves_.before[pos(sequence)]) {
      const auto infoset = pos(moves_.infoset[pos(sequence)]);
      if (stamp_[infoset] == round_ && action_[infoset] != moves_.action[pos(sequence)]) return false;
    }
    return true;
  }

 private:
  const OwnMoves& moves_;
  std::vector<Index> action_;
  std::vector<std::uint64_t> stamp_;
  std::uint64_t round_ = 0;
};

// The sequences of an infoset, part after part. Each sequence is compared with those that are in no part yet.
class Parts {
 public:
  Parts(const OwnMoves& moves, std::size_t n_infosets) : together_(moves, n_infosets) {}

  // Calls put(sequence, part).
  template <typename Put, typename Poll>
  void split(std::vector<Index> rest, const Put& put, const Poll& poll) {
    for (Index part = 0; !rest.empty(); ++part) {
      open_.assign(1, rest.back());
      rest.pop_back();
      while (!open_.empty()) {
        const Index sequence = open_.back();
        open_.pop_back();
        put(sequence, part);
        together_.take(sequence);
        std::size_t kept = 0;
        for (const Index other : rest) {
          if (together_.with(other)) {
            open_.push_back(other);
          } else {
            rest[kept++] = other;
          }
        }
        rest.resize(kept);
        poll();
      }
    }
  }

 private:
  Together together_;
  std::vector<Index> open_;
};

}  // namespace

Inflated inflate(const TreeView& tree, std::span<const std::uint8_t> in_side, const Progress& progress) {
  const std::size_t n_infosets = tree.infoset_n_actions.size();
  const OwnMoves moves = find_own_moves(tree, in_side);
  std::vector<std::vector<Index>> nodes(n_infosets);  // of the side
  for (std::size_t v = 0; v < tree.parent.size(); ++v) {
    if (tree.player[v] > 0 && in_side[pos(tree.player[v])]) nodes[pos(tree.infoset[v])].push_back(static_cast<Index>(v));
  }
  Inflated inflated{{tree.infoset.begin(), tree.infoset.end()}, {}};
  for (std::size_t i = 0; i < n_infosets; ++i) inflated.origin.push_back(static_cast<Index>(i));
  Parts parts(moves, n_infosets);
  std::unordered_map<Index, Index> number_of;  // by sequence, within one infoset
  for (std::size_t i = 0; i < n_infosets; ++i) {
    number_of.clear();
    std::vector<Index> sequences;
    for (const Index v : nodes[i]) {
      const Index sequence = moves.of_node[pos(v)];
      if (number_of.try_emplace(sequence, -1).second) sequences.push_back(sequence);
    }
    std::vector<Index> numbers{static_cast<Index>(i)};
    const auto put = [&](Index sequence, Index part) {
      if (pos(part) == numbers.size()) {
        numbers.push_back(static_cast<Index>(inflated.origin.size()));
        inflated.origin.push_back(static_cast<Index>(i));
      }
      number_of[sequence] = numbers[pos(part)];
    };
    parts.split({sequences.rbegin(), sequences.rend()}, put, [&] {
      if (!progress(static_cast<double>(i))) throw Cancelled();
    });
    for (const Index v : nodes[i]) inflated.infoset[pos(v)] = number_of[moves.of_node[pos(v)]];
  }
  return inflated;
}

}  // namespace maxmin
