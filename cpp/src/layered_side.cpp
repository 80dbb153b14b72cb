#include "maxmin/layered_side.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace maxmin {
namespace {

// What the side sees of the tree: its own infosets (-1 elsewhere), how many links each has, and when nodes act.
struct Layers {
  std::vector<Index> infoset;  // per node
  std::vector<Index> n_links;  // per infoset; more than 1 for a chain
  std::vector<Index> time;     // per node

  // How many layers below its parent's first link a child hangs that `action` leads to.
  Index step(std::size_t parent, Index action) const {
    return infoset[parent] < 0 ? 1 : std::min(action, n_links[pos(infoset[parent])] - 1) + 1;
  }
};

Layers find_layers(const TreeView& tree, std::span<const std::uint8_t> in_side, const SideTree& merged) {
  const std::size_t n = tree.parent.size();
  Layers layers{std::vector<Index>(n, -1), std::vector<Index>(tree.infoset_n_actions.size(), 1),
                std::vector<Index>(n, 0)};
  for (std::size_t v = 0; v < n; ++v) {
    if (tree.player[v] > 0 && in_side[pos(tree.player[v])]) layers.infoset[v] = tree.infoset[v];
  }
  for (std::size_t d = 0; d < merged.decision_infoset.size(); ++d) {
    auto& links = layers.n_links[pos(merged.decision_infoset[d])];
    links = std::max(links, merged.decision_stage[d] + 1);
  }
  std::vector<Index> latest(layers.n_links.size(), 0);
  for (bool changed = true; changed;) {  // ends: the side is timeable
    changed = false;
    for (std::size_t v = 0; v < n; ++v) {
      Index time = layers.time[v];
      if (tree.parent[v] >= 0) {
        const auto up = pos(tree.parent[v]);
        time = std::max(time, layers.time[up] + layers.step(up, tree.action[v]));
      }
      if (layers.infoset[v] >= 0) {
        auto& last = latest[pos(layers.infoset[v])];
        time = last = std::max(time, last);
      }
      changed |= time != layers.time[v];
      layers.time[v] = time;
    }
  }
  return layers;
}

// Nodes that are always in the same beliefs.
struct Classes {
  std::vector<Index> of_node;                          // -1 for leaves
  std::vector<Index> parent, action, infoset, time, n_nodes;
  Index size() const { return static_cast<Index>(parent.size()); }
};

class Classifier {
 public:
  Classifier(const TreeView& tree, const Layers& layers, const Progress& progress) : tree_(tree), layers_(layers) {
    const std::size_t n = tree.parent.size();
    classes.of_node.assign(n, -1);
    join_.resize(n);
    std::iota(join_.begin(), join_.end(), Index{0});
    top_.resize(n);
    group_of_.assign(n, -1);
    for (std::size_t v = 0; v < n; ++v) {
      if (layers.infoset[v] >= 0) active_.push_back(static_cast<Index>(v));
    }
    std::stable_sort(active_.begin(), active_.end(), [&](Index a, Index b) {
      return layers.infoset[pos(a)] < layers.infoset[pos(b)];
    });
    for (std::size_t first = 0, last = 1; first < n;) {  // one depth after the other
      if (!progress(static_cast<double>(first))) throw Cancelled();
      classify(first, last);
      first = last;
      while (last < n && pos(tree.parent[last]) < first) ++last;
    }
  }

  Classes classes;

 private:
  void classify(std::size_t first, std::size_t last) {
    if (group(first, last)) {
      find_tops(first);
      join_connected(first);
    }
    for (std::size_t v = first; v < last; ++v) {
      if (tree_.player[v] < 0) continue;
      const auto head = pos(find(static_cast<Index>(v)));
      if (head == v) add_class(v);
      ++classes.n_nodes[pos(classes.of_node[v] = classes.of_node[head])];
    }
  }

  // Group nodes that may be one class; join those that are, as they share an infoset. Says whether others are left.
  bool group(std::size_t first, std::size_t last) {
    std::map<std::tuple<Index, Index, Index, Index>, Index> groups;
    group_owner_.clear();
    bool open = false;
    for (std::size_t v = first; v < last; ++v) {
      if (tree_.player[v] < 0) continue;
      const auto [parent, action] = origin(v);
      const auto key = std::tuple{parent, action, layers_.infoset[v], layers_.time[v]};
      const auto [entry, is_new] = groups.try_emplace(key, static_cast<Index>(groups.size()));
      group_of_[v] = entry->second;
      if (is_new) {
        group_owner_.push_back(static_cast<Index>(v));
      } else if (layers_.infoset[v] >= 0) {
        join(group_owner_[pos(entry->second)], static_cast<Index>(v));
      } else {
        open = true;
      }
    }
    return open;
  }

  std::pair<Index, Index> origin(std::size_t v) const {
    if (tree_.parent[v] < 0) return {-1, 0};
    const auto up = pos(tree_.parent[v]);
    return {classes.of_node[up], layers_.infoset[up] < 0 ? 0 : tree_.action[v]};
  }

  // The ancestor, at the depth that begins at `first`, of each node from there on.
  void find_tops(std::size_t first) {
    for (std::size_t v = first; v < top_.size(); ++v) {
      top_[v] = pos(tree_.parent[v]) < first || tree_.parent[v] < 0 ? static_cast<Index>(v) : top_[pos(tree_.parent[v])];
    }
  }

  void join_connected(std::size_t first) {
    std::vector<Index> met(group_owner_.size(), -1), owner(group_owner_.size());
    for (const Index v : active_) {
      if (pos(v) < first) continue;
      const Index infoset = layers_.infoset[pos(v)], top = top_[pos(v)];
      const auto g = pos(group_of_[pos(top)]);
      if (met[g] == infoset) {
        join(owner[g], top);
      } else {
        met[g] = infoset;
        owner[g] = top;
      }
    }
  }

  void add_class(std::size_t v) {
    const auto [parent, action] = origin(v);
    classes.of_node[v] = classes.size();
    classes.parent.push_back(parent);
    classes.action.push_back(action);
    classes.infoset.push_back(layers_.infoset[v]);
    classes.time.push_back(layers_.time[v]);
    classes.n_nodes.push_back(0);
  }

  void join(Index a, Index b) {
    a = find(a);
    b = find(b);
    join_[pos(std::max(a, b))] = std::min(a, b);
  }

  Index find(Index v) {
    while (join_[pos(v)] != v) v = join_[pos(v)] = join_[pos(join_[pos(v)])];
    return v;
  }

  const TreeView& tree_;
  const Layers& layers_;
  std::vector<Index> join_, top_, group_of_, group_owner_, active_;
};

// Turns classes into spots: dummies on the way to a class, then its links.
class Spots {
 public:
  Spots(const TreeView& tree, const Layers& layers, const Classes& classes)
      : tree_(tree), layers_(layers), classes_(classes) {
    add_leaf_classes();
    number();
    side.option_start.push_back(0);
    side.spot_first_option.push_back(0);
    for (Index c = 0; c < classes.size(); ++c) add_class(c);
    if (classes.size() == 0) {
      side.root_leaf = 0;
    } else {
      side.root_spots.push_back(0);
    }
    add_tokens(side);
  }

  SideTree side;

 private:
  using Option = std::pair<Index, Index>;  // class, action

  void add_leaf_classes() {
    for (std::size_t v = 0; v < tree_.parent.size(); ++v) {
      if (tree_.player[v] >= 0) continue;
      const Index up = tree_.parent[v];
      const Option from = up < 0 ? Option{-1, 0}
                                 : Option{classes_.of_node[pos(up)], layers_.infoset[pos(up)] < 0 ? 0 : tree_.action[v]};
      const auto [entry, is_new] = leaf_of_.try_emplace(from, side.n_leaf_classes);
      if (is_new) ++side.n_leaf_classes;
      side.leaf_class.push_back(entry->second);
    }
  }

  Index n_links(Index c) const {
    const Index infoset = classes_.infoset[pos(c)];
    return infoset < 0 ? 1 : layers_.n_links[pos(infoset)];
  }

  void number() {
    Index spots = 0;
    for (Index c = 0; c < classes_.size(); ++c) {
      const Index up = classes_.parent[pos(c)], action = classes_.action[pos(c)];
      Index dummies = 0;
      if (up >= 0) {
        children_[{up, action}].push_back(c);
        const Index step = classes_.infoset[pos(up)] < 0 ? 1 : std::min(action, n_links(up) - 1) + 1;
        dummies = classes_.time[pos(c)] - classes_.time[pos(up)] - step;
      }
      first_spot_.push_back(spots);
      n_dummies_.push_back(dummies);
      spots += dummies + n_links(c);
    }
  }

  void add_class(Index c) {
    const Index infoset = classes_.infoset[pos(c)], time = classes_.time[pos(c)], links = n_links(c);
    for (Index left = n_dummies_[pos(c)]; left > 0; --left) {
      open_spot(add_decision(-1, 0, 1, time - left), 0);
      close_option({side.n_spots()}, -1);
      close_spot();
    }
    const Index n_actions = infoset < 0 ? 1 : tree_.infoset_n_actions[pos(infoset)];
    for (Index link = 0; link < links; ++link) {
      const Index options = links > 1 ? 2 : n_actions;
      open_spot(decision(infoset, link, options, time + link), link == 0 ? classes_.n_nodes[pos(c)] : 0);
      close_action({c, link});
      if (link + 1 < links) {
        close_option({side.n_spots()}, -1);
      } else {
        for (Index action = link + 1; action < link + options; ++action) close_action({c, action});
      }
      close_spot();
    }
  }

  // The decision of a link; each spot without an infoset has its own.
  Index decision(Index infoset, Index link, Index options, Index time) {
    if (infoset < 0) return add_decision(-1, 0, options, time);
    const auto [entry, is_new] = decision_of_.try_emplace({infoset, link}, side.n_decisions());
    return is_new ? add_decision(infoset, link, options, time) : entry->second;
  }

  Index add_decision(Index infoset, Index stage, Index options, Index time) {
    side.decision_infoset.push_back(infoset);
    side.decision_stage.push_back(stage);
    side.decision_options.push_back(options);
    side.decision_time.push_back(time);
    return side.n_decisions() - 1;
  }

  void open_spot(Index decision, Index n_nodes) {
    side.spot_decision.push_back(decision);
    side.spot_nodes.push_back(n_nodes);
  }

  void close_spot() { side.spot_first_option.push_back(static_cast<Index>(side.option_leaf.size())); }

  void close_action(const Option& option) {
    std::vector<Index> spots;
    if (const auto found = children_.find(option); found != children_.end()) {
      for (const Index c : found->second) spots.push_back(first_spot_[pos(c)]);
    }
    const auto leaf = leaf_of_.find(option);
    close_option(spots, leaf == leaf_of_.end() ? -1 : leaf->second);
  }

  void close_option(const std::vector<Index>& spots, Index leaf) {
    side.option_spots.insert(side.option_spots.end(), spots.begin(), spots.end());
    side.option_start.push_back(static_cast<Index>(side.option_spots.size()));
    side.option_leaf.push_back(leaf);
  }

  const TreeView& tree_;
  const Layers& layers_;
  const Classes& classes_;
  std::map<Option, Index> leaf_of_, decision_of_;
  std::map<Option, std::vector<Index>> children_;
  std::vector<Index> first_spot_, n_dummies_;
};

}  // namespace

SideTree layer_side(const TreeView& tree, std::span<const std::uint8_t> in_side, const SideTree& merged,
                    const Progress& progress) {
  const Layers layers = find_layers(tree, in_side, merged);
  const Classifier classifier(tree, layers, progress);
  return Spots(tree, layers, classifier.classes).side;
}

}  // namespace maxmin
