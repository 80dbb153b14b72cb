#include "belief_nodes.hpp"

#include <algorithm>
#include <string>

namespace maxmin {
namespace {

constexpr Index kNever = std::numeric_limits<Index>::max();

std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

Hash hash_of(std::uint64_t item) {
  return {scramble(item * 2 + 0x9e3779b97f4a7c15ULL), scramble(item * 2 + 0xd1b54a32d192ed03ULL)};
}

}  // namespace

void NodeTable::insert(const Hash& key, Index node) {
  if (2 * (count_ + 1) > slots_.size()) grow();
  slots_[place_of(key)] = {key, node};
  ++count_;
}

void NodeTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (!(slot.key == Hash{})) slots_[place_of(slot.key)] = slot;
  }
}

BeliefNodes::BeliefNodes(const SideTree& side, const Tokens& tokens, std::size_t most_bytes)
    : side_(side), tokens_(tokens), most_bytes_(most_bytes), components_(tokens) {
  Index last = 0;
  for (const Index time : side.decision_time) last = std::max(last, time);
  pending_.resize(pos(last) + 1);
  bundles_by_time_.resize(pending_.size() + 1);
  for (Index spot = 0; spot < side.n_spots(); ++spot) spot_hash_.push_back(hash_of(pos(spot)));
  for (Index leaf = 0; leaf < side.n_leaf_classes; ++leaf) {
    leaf_hash_.push_back(hash_of((std::uint64_t{1} << 40) + pos(leaf)));
    table_.insert(leaf_hash_.back(), -1 - leaf);
  }
}

Index BeliefNodes::add(const Hash& hash, Indices spots, Indices leaves) {
  split(spots);
  Index node;
  if (leaves.empty() && parts_.front().first == parts_.back().first) {
    node = add_belief(0, parts_.size());
  } else {
    std::vector<Index> children;
    Index first_time = kNever;
    for (std::size_t i = 0, j = 0; i < parts_.size(); i = j) {
      Hash part;
      for (j = i; j < parts_.size() && parts_[j].first == parts_[i].first; ++j) part += spot_hash(parts_[j].second);
      Index belief = table_.find(part);
      if (belief == NodeTable::kNone) table_.insert(part, belief = add_belief(i, j));
      children.push_back(belief);
      first_time = std::min(first_time, time_[pos(belief)]);
    }
    for (const Index leaf : leaves) children.push_back(-1 - leaf);
    node = add_bundle(children, first_time);
  }
  table_.insert(hash, node);
  check_room();
  return node;
}

Index BeliefNodes::add_root() {
  std::vector<Index> leaves;
  Hash hash;
  for (const Index spot : side_.root_spots) hash += spot_hash(spot);
  if (side_.root_leaf >= 0) {
    leaves.push_back(side_.root_leaf);
    hash += leaf_hash(side_.root_leaf);
  }
  const Index root = find(hash);
  return root == NodeTable::kNone ? add(hash, side_.root_spots, leaves) : root;
}

void BeliefNodes::split(Indices spots) {
  parts_.clear();
  if (tokens_.are_public_states()) {
    for (const Index spot : spots) parts_.emplace_back(0, spot);
    if (!spots.empty()) split_by_public_state(0, parts_.size());
    return;
  }
  components_.reset(spots.size());
  for (std::size_t i = 0; i < spots.size(); ++i) components_.add(static_cast<Index>(i), spots[i], 0);
  for (std::size_t i = 0; i < spots.size(); ++i) {
    parts_.emplace_back(components_.find(static_cast<Index>(i)), spots[i]);
  }
  std::sort(parts_.begin(), parts_.end());
}

// Spots that wait may be told apart before one of them acts: split as they are then, and each part again.
void BeliefNodes::split_by_public_state(std::size_t first, std::size_t last) {
  const Index time = first_time(first, last);
  for (std::size_t i = first; i < last; ++i) {
    parts_[i].first = tokens_.of(parts_[i].second, time)[0];
  }
  const auto at = [&](std::size_t i) { return parts_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::sort(at(first), at(last));
  if (parts_[first].first == parts_[last - 1].first) return;
  for (std::size_t i = first, j = first; i < last; i = j) {
    while (j < last && parts_[j].first == parts_[i].first) ++j;
    split_by_public_state(i, j);
  }
}

Index BeliefNodes::first_time(std::size_t first, std::size_t last) const {
  Index time = kNever;
  for (std::size_t i = first; i < last; ++i) time = std::min(time, side_.spot_time(parts_[i].second));
  return time;
}

Index BeliefNodes::add_belief(std::size_t first, std::size_t last) {
  const Index time = first_time(first, last);
  Pending& pending = pending_[pos(time)];
  const auto node = static_cast<Index>(home_.size());
  home_.push_back(pending.labels.size());
  time_.push_back(time);
  for (std::size_t i = first; i < last; ++i) pending.labels.items.push_back(parts_[i].second);
  pending.labels.close();
  pending.nodes.push_back(node);
  label_entries_ += last - first;
  return node;
}

Index BeliefNodes::add_bundle(const std::vector<Index>& children, Index time) {
  const auto node = static_cast<Index>(home_.size());
  bundles_.items.insert(bundles_.items.end(), children.begin(), children.end());
  bundles_.close();
  bundle_uses_.push_back(0);
  bundles_by_time_[std::min(pos(time), n_times())].push_back(node);
  home_.push_back(-bundles_.size());
  time_.push_back(time);
  return node;
}

std::size_t BeliefNodes::bytes() const {
  return table_.bytes() + sizeof(Index) * (label_entries_ + bundle_entries() + 2 * home_.size());
}

void BeliefNodes::check_room() const {
  if (bytes() <= most_bytes_ && label_entries_ < pos(kNever) && bundle_entries() < pos(kNever)) return;
  throw TooLarge("over " + std::to_string(size()) + " beliefs, whose labels take " +
                 std::to_string(bytes() / 1'000'000) + " MB");
}

void BeliefNodes::drop_labels(std::size_t time) {
  label_entries_ -= pending_[time].labels.items.size();
  pending_[time].labels = Rows{};
}

bool BeliefNodes::pays(Index bundle) const {
  const double uses = bundle_uses_[pos(-1 - home_[pos(bundle)])];
  const auto size = static_cast<double>(bundle_children(bundle).size());
  return uses * (size - 1) > size + 3;
}

}  // namespace maxmin
