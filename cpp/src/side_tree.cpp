#include "maxmin/side_tree.hpp"

#include <algorithm>
#include <unordered_map>

namespace maxmin {
namespace {

// The side's moves before chains: one entry per (own sequence, infoset). Sequence 0 is "has not moved".
struct Merged {
  std::vector<Index> infoset, sequence, first_sequence, n_nodes;  // per class
  std::vector<Index> sequence_parent;                             // class that the sequence ends with, -1 for none
  std::vector<Index> node_sequence;                               // per tree node
  Index n_sequences = 1;

  Index size() const { return static_cast<Index>(infoset.size()); }
};

Merged merge_nodes(const TreeView& tree, std::span<const std::uint8_t> in_side) {
  const std::size_t n = tree.parent.size();
  Merged merged;
  merged.node_sequence.assign(n, 0);
  merged.sequence_parent.assign(1, -1);
  std::vector<Index> node_class(n, -1);
  std::unordered_map<std::uint64_t, Index> class_of;
  for (std::size_t v = 0; v < n; ++v) {
    Index sequence = 0;
    if (tree.parent[v] >= 0) {
      const auto up = pos(tree.parent[v]);
      const Index c = node_class[up];
      sequence = c < 0 ? merged.node_sequence[up]
                       : merged.first_sequence[pos(c)] + tree.action[v];
    }
    merged.node_sequence[v] = sequence;
    if (tree.player[v] <= 0 || !in_side[pos(tree.player[v])]) continue;
    const Index infoset = tree.infoset[v];
    const std::uint64_t key = (static_cast<std::uint64_t>(sequence) << 32) | static_cast<std::uint32_t>(infoset);
    const auto [entry, is_new] = class_of.try_emplace(key, merged.size());
    if (is_new) {
      const Index actions = tree.infoset_n_actions[pos(infoset)];
      merged.infoset.push_back(infoset);
      merged.sequence.push_back(sequence);
      merged.first_sequence.push_back(merged.n_sequences);
      merged.n_nodes.push_back(0);
      merged.sequence_parent.insert(merged.sequence_parent.end(), pos(actions), entry->second);
      merged.n_sequences += actions;
    }
    node_class[v] = entry->second;
    ++merged.n_nodes[pos(entry->second)];
  }
  return merged;
}

// Group items by a key in 0..n_keys-1: items of key k are order[start[k]] .. order[start[k + 1] - 1].
struct Grouped {
  std::vector<Index> start, order;

  std::span<const Index> of(Index key) const {
    const auto k = pos(key);
    return {order.data() + start[k], pos(start[k + 1] - start[k])};
  }
};

Grouped group_by(std::span<const Index> keys, Index n_keys) {
  Grouped grouped;
  grouped.start.assign(pos(n_keys) + 1, 0);
  for (const Index key : keys) ++grouped.start[pos(key) + 1];
  for (std::size_t k = 0; k < pos(n_keys); ++k) grouped.start[k + 1] += grouped.start[k];
  grouped.order.resize(keys.size());
  std::vector<Index> next(grouped.start.begin(), grouped.start.end() - 1);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    grouped.order[pos(next[pos(keys[i])]++)] = static_cast<Index>(i);
  }
  return grouped;
}

std::vector<Index> find_cycle(const std::vector<std::vector<Index>>& after, std::span<const Index> n_before) {
  // Every infoset that was never released has an unreleased one before it; walk back until one repeats.
  const std::size_t n = after.size();
  std::vector<Index> before(n, -1);
  for (std::size_t i = 0; i < n; ++i) {
    if (n_before[i] == 0) continue;
    for (const Index j : after[i]) {
      if (n_before[pos(j)] > 0) before[pos(j)] = static_cast<Index>(i);
    }
  }
  Index at = 0;
  while (n_before[pos(at)] == 0) ++at;
  std::vector<Index> met(n, -1);
  std::vector<Index> walk;
  while (met[pos(at)] < 0) {
    met[pos(at)] = static_cast<Index>(walk.size());
    walk.push_back(at);
    at = before[pos(at)];
  }
  std::vector<Index> cycle(walk.begin() + met[pos(at)], walk.end());
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

// The longest chain of infosets before each one: a time at which all its nodes can act.
std::vector<Index> time_infosets(const Merged& merged, std::size_t n_infosets) {
  std::vector<std::vector<Index>> after(n_infosets);
  for (std::size_t c = 0; c < merged.infoset.size(); ++c) {
    const Index up = merged.sequence_parent[pos(merged.sequence[c])];
    if (up >= 0) after[pos(merged.infoset[pos(up)])].push_back(merged.infoset[c]);
  }
  std::vector<Index> n_before(n_infosets, 0), time(n_infosets, 0), ready;
  for (auto& list : after) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (const Index j : list) ++n_before[pos(j)];
  }
  for (std::size_t i = 0; i < n_infosets; ++i) {
    if (n_before[i] == 0) ready.push_back(static_cast<Index>(i));
  }
  std::size_t released = 0;
  for (; released < ready.size(); ++released) {
    const auto i = pos(ready[released]);
    for (const Index j : after[i]) {
      auto& t = time[pos(j)];
      t = std::max(t, time[i] + 1);
      if (--n_before[pos(j)] == 0) ready.push_back(j);
    }
  }
  if (released < n_infosets) throw NotTimeable(find_cycle(after, n_before));
  return time;
}

// A side of one player with perfect recall never has two spots in one infoset.
bool forgets(const Merged& merged, std::size_t n_infosets) {
  std::vector<bool> met(n_infosets, false);
  for (const Index infoset : merged.infoset) {
    if (met[pos(infoset)]) return true;
    met[pos(infoset)] = true;
  }
  return false;
}

// Infosets with more than two actions below any two of which no infoset of the side lies twice.
std::vector<bool> separating(const TreeView& tree, const Merged& merged) {
  const std::size_t n_infosets = tree.infoset_n_actions.size();
  std::vector<bool> seen_apart(n_infosets);
  for (std::size_t i = 0; i < n_infosets; ++i) seen_apart[i] = tree.infoset_n_actions[i] > 2;
  // For each infoset J and each ancestor infoset I of J: the one action of I that leads to J.
  std::vector<std::unordered_map<Index, Index>> leads(n_infosets);
  for (std::size_t c = 0; c < merged.infoset.size(); ++c) {
    auto& of = leads[pos(merged.infoset[c])];
    Index sequence = merged.sequence[c];
    for (Index up = merged.sequence_parent[pos(sequence)]; up >= 0;
         sequence = merged.sequence[pos(up)],
               up = merged.sequence_parent[pos(sequence)]) {
      const Index infoset = merged.infoset[pos(up)];
      if (!seen_apart[pos(infoset)]) continue;
      const Index action = sequence - merged.first_sequence[pos(up)];
      const auto [entry, is_new] = of.try_emplace(infoset, action);
      if (!is_new && entry->second != action) seen_apart[pos(infoset)] = false;
    }
  }
  return seen_apart;
}

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

void add_leaf_classes(const TreeView& tree, const Merged& merged, SideTree& side, std::vector<Index>& class_of) {
  class_of.assign(pos(merged.n_sequences), -1);
  for (std::size_t v = 0; v < tree.parent.size(); ++v) {
    if (tree.player[v] >= 0) continue;
    auto& leaf = class_of[pos(merged.node_sequence[v])];
    if (leaf < 0) leaf = side.n_leaf_classes++;
    side.leaf_class.push_back(leaf);
  }
}

struct Numbering {
  std::vector<Index> first_decision;  // per infoset
  std::vector<Index> first_spot;      // per class
  std::vector<Index> n_stages;        // per infoset
};

Numbering number_spots(const TreeView& tree, const Merged& merged, const std::vector<bool>& chained,
                       const std::vector<Index>& time, SideTree& side) {
  const std::size_t n_infosets = tree.infoset_n_actions.size();
  Numbering numbering{std::vector<Index>(n_infosets, -1), {}, std::vector<Index>(n_infosets, 1)};
  Index most_stages = 1;
  for (std::size_t i = 0; i < n_infosets; ++i) {
    if (chained[i]) numbering.n_stages[i] = tree.infoset_n_actions[i] - 1;
    most_stages = std::max(most_stages, numbering.n_stages[i]);
  }
  Index spots = 0;
  for (const Index infoset : merged.infoset) {
    const auto i = pos(infoset);
    if (numbering.first_decision[i] < 0) {
      numbering.first_decision[i] = side.n_decisions();
      for (Index stage = 0; stage < numbering.n_stages[i]; ++stage) {
        side.decision_infoset.push_back(infoset);
        side.decision_stage.push_back(stage);
        side.decision_options.push_back(chained[i] ? 2 : tree.infoset_n_actions[i]);
        side.decision_time.push_back(time[i] * most_stages + stage);
      }
    }
    numbering.first_spot.push_back(spots);
    spots += numbering.n_stages[i];
  }
  return numbering;
}

void add_spots(const Merged& merged, const Numbering& numbering, const std::vector<Index>& leaf_of, SideTree& side) {
  const Grouped classes = group_by(merged.sequence, merged.n_sequences);
  const auto add_sequence = [&](Index sequence) {
    for (const Index c : classes.of(sequence)) {
      side.option_spots.push_back(numbering.first_spot[pos(c)]);
    }
    side.option_start.push_back(static_cast<Index>(side.option_spots.size()));
    side.option_leaf.push_back(leaf_of[pos(sequence)]);
  };
  side.option_start.push_back(0);
  side.spot_first_option.push_back(0);
  for (std::size_t c = 0; c < merged.infoset.size(); ++c) {
    const auto i = pos(merged.infoset[c]);
    const Index first = numbering.first_decision[i], stages = numbering.n_stages[i];
    for (Index stage = 0; stage < stages; ++stage) {
      side.spot_decision.push_back(first + stage);
      side.spot_nodes.push_back(merged.n_nodes[c]);
      const Index options = side.decision_options[pos(first + stage)];
      Index sequence = merged.first_sequence[c] + stage;
      add_sequence(sequence++);
      if (stage + 1 < stages) {
        side.option_spots.push_back(numbering.first_spot[c] + stage + 1);
        side.option_start.push_back(static_cast<Index>(side.option_spots.size()));
        side.option_leaf.push_back(-1);
      } else {
        for (Index option = 1; option < options; ++option) add_sequence(sequence++);
      }
      side.spot_first_option.push_back(static_cast<Index>(side.option_leaf.size()));
    }
  }
  for (const Index c : classes.of(0)) side.root_spots.push_back(numbering.first_spot[pos(c)]);
  side.root_leaf = leaf_of[0];
}

// The member (0, 1, ...) that acts in each infoset.
std::vector<Index> members(const TreeView& tree, std::span<const std::uint8_t> in_side, SideTree& side) {
  std::vector<Index> number(in_side.size(), 0);
  for (std::size_t player = 1; player < in_side.size(); ++player) {
    if (in_side[player]) number[player] = static_cast<Index>(side.n_members++);
  }
  std::vector<Index> owner(tree.infoset_n_actions.size(), 0);
  for (std::size_t v = 0; v < tree.parent.size(); ++v) {
    if (tree.infoset[v] >= 0) {
      owner[pos(tree.infoset[v])] = number[pos(tree.player[v])];
    }
  }
  return owner;
}

void add_pasts(const Merged& merged, const Numbering& numbering, const std::vector<Index>& owner, SideTree& side) {
  const auto n_spots = pos(side.n_spots());
  side.spot_own_past.assign(n_spots, 0);
  side.spot_pasts.assign(n_spots * side.n_members, 0);
  std::vector<std::uint64_t> pasts(side.n_members);
  for (std::size_t c = 0; c < merged.infoset.size(); ++c) {
    std::fill(pasts.begin(), pasts.end(), 0);
    for (Index sequence = merged.sequence[c]; sequence > 0;) {
      const auto up = pos(merged.sequence_parent[pos(sequence)]);
      const auto infoset = pos(merged.infoset[up]);
      pasts[pos(owner[infoset])] +=
          mix((infoset << 20) + static_cast<std::uint64_t>(sequence - merged.first_sequence[up]));
      sequence = merged.sequence[up];
    }
    const auto infoset = pos(merged.infoset[c]);
    const auto actor = pos(owner[infoset]);
    const std::uint64_t before = pasts[actor];
    for (Index stage = 0; stage < numbering.n_stages[infoset]; ++stage) {
      const auto spot = pos(numbering.first_spot[c] + stage);
      if (stage > 0) pasts[actor] = before + mix(~static_cast<std::uint64_t>(side.spot_decision[spot]));
      side.spot_own_past[spot] = pasts[actor];
      std::copy(pasts.begin(), pasts.end(),
                side.spot_pasts.begin() + static_cast<std::ptrdiff_t>(spot * side.n_members));
    }
  }
}

}  // namespace

void add_tokens(SideTree& side) {
  using Count = std::pair<Index, Index>;  // decision, how many spots at or below have it
  const auto n = pos(side.n_spots());
  std::vector<Index> total(pos(side.n_decisions()), 0);
  for (const Index decision : side.spot_decision) ++total[pos(decision)];
  std::vector<std::vector<Count>> shared(n);
  for (std::size_t spot = n; spot-- > 0;) {
    std::vector<Count> all{{side.spot_decision[spot], 1}};
    for (Index o = side.spot_first_option[spot]; o < side.spot_first_option[spot + 1]; ++o) {
      for (Index j = side.option_start[pos(o)]; j < side.option_start[pos(o) + 1]; ++j) {
        const auto& below = shared[pos(side.option_spots[pos(j)])];
        all.insert(all.end(), below.begin(), below.end());
      }
    }
    std::sort(all.begin(), all.end());
    auto& kept = shared[spot];
    for (std::size_t i = 0; i < all.size();) {
      Count sum{all[i].first, 0};
      for (; i < all.size() && all[i].first == sum.first; ++i) sum.second += all[i].second;
      if (sum.second < total[pos(sum.first)]) kept.push_back(sum);
    }
    kept.shrink_to_fit();
  }
  side.token_start.push_back(0);
  for (const auto& list : shared) {
    for (const Count& count : list) side.tokens.push_back(count.first);
    side.token_start.push_back(static_cast<Index>(side.tokens.size()));
  }
}

SideTree merge_side(const TreeView& tree, std::span<const std::uint8_t> in_side, bool reduce_branching) {
  const std::size_t n_infosets = tree.infoset_n_actions.size();
  const Merged merged = merge_nodes(tree, in_side);
  const std::vector<Index> time = time_infosets(merged, n_infosets);
  std::vector<bool> chained(n_infosets, false);
  if (reduce_branching && forgets(merged, n_infosets)) chained = separating(tree, merged);
  SideTree side;
  std::vector<Index> leaf_of;
  add_leaf_classes(tree, merged, side, leaf_of);
  const Numbering numbering = number_spots(tree, merged, chained, time, side);
  add_spots(merged, numbering, leaf_of, side);
  add_pasts(merged, numbering, members(tree, in_side, side), side);
  add_tokens(side);
  return side;
}

}  // namespace maxmin
