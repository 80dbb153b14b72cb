// The nodes of a belief DAG while it is built: sets of spots and leaf classes, each found by its hash.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "maxmin/components.hpp"
#include "maxmin/side_tree.hpp"

namespace maxmin {

// Of a set: the sum of a fixed random number for each member, so that unions of disjoint sets are sums too.
struct Hash {
  std::uint64_t low = 0, high = 0;

  friend Hash operator+(const Hash& a, const Hash& b) { return {a.low + b.low, a.high + b.high}; }
  Hash& operator+=(const Hash& other) { return *this = *this + other; }
  bool operator==(const Hash&) const = default;
};

// Open addressing from the hash of a set that is not empty to its node. (The empty set's hash marks free slots.)
class NodeTable {
 public:
  static constexpr Index kNone = std::numeric_limits<Index>::min();

  // The node of this key, kNone if there is none.
  Index find(const Hash& key) const { return slots_[place_of(key)].node; }
  void insert(const Hash& key, Index node);
  // Fetch what `find` will look at; tables are larger than caches.
  void prefetch([[maybe_unused]] const Hash& key) const {
#if defined(__GNUC__)
    __builtin_prefetch(&slots_[key.low & (slots_.size() - 1)]);
#endif
  }
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    Hash key;
    Index node = kNone;
  };

  std::size_t place_of(const Hash& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = key.low & mask;
    while (!(slots_[i].key == key) && !(slots_[i].key == Hash{})) i = (i + 1) & mask;
    return i;
  }
  void grow();

  std::vector<Slot> slots_{1024};
  std::size_t count_ = 0;
};

// Lists of numbers, one after the other.
struct Rows {
  std::vector<Index> start{0}, items;

  Index size() const { return static_cast<Index>(start.size()) - 1; }
  void close() { start.push_back(static_cast<Index>(items.size())); }
  Indices row(Index i) const { return {items.data() + start[pos(i)], pos(start[pos(i) + 1] - start[pos(i)])}; }
};

// Beliefs that act at one time and wait to be expanded.
struct Pending {
  Rows labels;
  std::vector<Index> nodes;
};

// Nodes have provisional numbers: beliefs and bundles from 0 up as they are met, leaf class l is -1 - l.
class BeliefNodes {
 public:
  // Adding a node throws TooLarge if nodes, labels and bundles alone take more than `most_bytes`.
  BeliefNodes(const SideTree& side, const Tokens& tokens, std::size_t most_bytes);

  const Hash& spot_hash(Index spot) const { return spot_hash_[pos(spot)]; }
  const Hash& leaf_hash(Index leaf) const { return leaf_hash_[pos(leaf)]; }

  void prefetch(const Hash& hash) const { table_.prefetch(hash); }
  // The node of a set that was met before; NodeTable::kNone if it was not.
  Index find(const Hash& hash) const { return table_.find(hash); }
  // Add the node of a new set: a belief, or a bundle of the beliefs that it falls into, and leaf classes.
  Index add(const Hash& hash, Indices spots, Indices leaves);

  // The node of what is there before the side has moved.
  Index add_root();

  std::size_t size() const { return home_.size(); }
  std::size_t bytes() const;

  std::size_t n_times() const { return pending_.size(); }
  const Pending& pending(std::size_t time) const { return pending_[time]; }
  // Labels dominate memory: those of a time are dropped once its beliefs are expanded.
  void drop_labels(std::size_t time);

  bool is_bundle(Index node) const { return node >= 0 && home_[pos(node)] < 0; }
  Indices bundle_children(Index bundle) const { return bundles_.row(-1 - home_[pos(bundle)]); }
  std::size_t bundle_entries() const { return bundles_.items.size(); }
  std::size_t n_bundles() const { return bundle_uses_.size(); }
  // Bundles whose earliest belief acts at this time; time n_times(): those of leaf classes only.
  const std::vector<Index>& bundles_at(std::size_t time) const { return bundles_by_time_[time]; }
  void count_use(Index node) {
    if (is_bundle(node)) ++bundle_uses_[pos(-1 - home_[pos(node)])];
  }
  // A bundle pays if writing its children at every use would take more room.
  bool pays(Index bundle) const;

 private:
  // Sorts spots by component, then by number, into parts_.
  void split(Indices spots);
  void split_by_public_state(std::size_t first, std::size_t last);
  Index first_time(std::size_t first, std::size_t last) const;
  Index add_belief(std::size_t first, std::size_t last);
  Index add_bundle(const std::vector<Index>& children, Index time);
  void check_room() const;

  const SideTree& side_;
  const Tokens& tokens_;
  std::size_t most_bytes_;
  Components components_;
  std::vector<Hash> spot_hash_, leaf_hash_;
  NodeTable table_;
  std::vector<Pending> pending_;
  std::size_t label_entries_ = 0;
  // Of each node: a position among the beliefs of its time, or -1 - number of a bundle; when it acts.
  std::vector<Index> home_, time_;
  Rows bundles_;
  std::vector<Index> bundle_uses_;
  std::vector<std::vector<Index>> bundles_by_time_;
  std::vector<std::pair<Index, Index>> parts_;  // scratch: component, spot
};

}  // namespace maxmin
