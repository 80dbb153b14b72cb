#include "maxmin/belief_dag.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "maxmin/components.hpp"

namespace maxmin {
namespace {

constexpr Index kNothing = std::numeric_limits<Index>::min();

struct Hash {
  std::uint64_t low = 0, high = 0;
  Hash& operator+=(const Hash& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
  bool operator==(const Hash&) const = default;
};

std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// A fixed random number for each spot (and each leaf class); a set's hash is the sum over its members.
Hash hash_of(std::uint64_t item) {
  return {scramble(item * 2 + 0x9e3779b97f4a7c15ULL), scramble(item * 2 + 0xd1b54a32d192ed03ULL)};
}

// Open addressing from a set's hash to its node.
class NodeTable {
 public:
  NodeTable() : slots_(1024) {}

  // The place of this key; its value is kNothing if it is new.
  Index& at(const Hash& key) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = find(key);
    if (slot.value == kNothing && !(slot.key == key)) {
      slot.key = key;
      ++count_;
    }
    return slot.value;
  }

  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    Hash key;
    Index value = kNothing;
  };

  Slot& find(const Hash& key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = key.low & mask;
    while (!(slots_[i].key == key) && !(slots_[i].key == Hash{})) i = (i + 1) & mask;
    return slots_[i];
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!(slot.key == Hash{})) find(slot.key) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

// Lists of lists of spots, appended one after the other.
struct Rows {
  std::vector<Index> start{0}, items;

  Index size() const { return static_cast<Index>(start.size()) - 1; }
  void close() { start.push_back(static_cast<Index>(items.size())); }
  Indices row(Index i) const {
    const auto r = static_cast<std::size_t>(i);
    return {items.data() + start[r], static_cast<std::size_t>(start[r + 1] - start[r])};
  }
};

// A contribution: the spots and leaf classes that one choice (infoset i takes option a) adds to what follows.
struct Contribution {
  Index decision = -1, option = -1;  // position among the acting decisions; -1: always there (a waiting spot)
  Index first_spot = 0, last_spot = 0, first_leaf = 0, last_leaf = 0;
  Hash hash;
};

class Builder {
 public:
  Builder(const SideTree& side, std::size_t most_bytes, const Progress& progress)
      : side_(side), components_(side), most_bytes_(most_bytes), progress_(progress) {
    const Index last = side.decision_time.empty()
                           ? 0
                           : *std::max_element(side.decision_time.begin(), side.decision_time.end());
    pending_.resize(static_cast<std::size_t>(last) + 1);
    bundles_by_time_.resize(pending_.size() + 2);
    for (Index s = 0; s < side.n_spots(); ++s) spot_hash_.push_back(hash_of(static_cast<std::uint64_t>(s)));
    for (Index l = 0; l < side.n_leaf_classes; ++l) {
      leaf_hash_.push_back(hash_of((std::uint64_t{1} << 40) + static_cast<std::uint64_t>(l)));
    }
  }

  BeliefDag build() {
    start_at_root();
    for (std::size_t time = 0; time < pending_.size(); ++time) {
      Pending& pending = pending_[time];
      put_largest_first(pending);
      for (const Index i : pending.order) expand(pending.labels.row(i));
      pending.labels = Rows{};  // labels dominate memory: keep those of later times only
    }
    return finish();
  }

 private:
  struct Pending {
    Rows labels;
    std::vector<Index> nodes;  // provisional numbers
    std::vector<Index> order;  // in which the beliefs are expanded, and numbered in the end
  };
  struct Group {
    std::vector<Index> contributions;
    std::vector<Index> table;  // outcome -> node
  };

  Index time_of(Index spot) const {
    return side_.decision_time[static_cast<std::size_t>(side_.spot_decision[static_cast<std::size_t>(spot)])];
  }

  // The largest beliefs have most children, and their children include those of their subsets: numbered one after the
  // other, they lie close together in memory for all that use them.
  void put_largest_first(Pending& pending) const {
    pending.order.resize(pending.nodes.size());
    std::iota(pending.order.begin(), pending.order.end(), Index{0});
    std::stable_sort(pending.order.begin(), pending.order.end(), [&](Index a, Index b) {
      return pending.labels.row(a).size() > pending.labels.row(b).size();
    });
  }

  void start_at_root() {
    spots_.assign(side_.root_spots.begin(), side_.root_spots.end());
    leaves_.clear();
    if (side_.root_leaf >= 0) leaves_.push_back(side_.root_leaf);
    Hash hash;
    for (const Index s : spots_) hash += spot_hash_[static_cast<std::size_t>(s)];
    for (const Index l : leaves_) hash += leaf_hash_[static_cast<std::size_t>(l)];
    const Index root = intern(hash);
    if (root < 0 || is_bundle(root)) {
      root_children_ = root < 0 ? std::vector<Index>{root}
                                : std::vector<Index>(bundle_children(root).begin(), bundle_children(root).end());
      if (root >= 0) bundle_count_[static_cast<std::size_t>(-1 - home_[static_cast<std::size_t>(root)])] = 0;
    }
  }

  bool is_bundle(Index node) const { return home_[static_cast<std::size_t>(node)] < 0; }
  Indices bundle_children(Index node) const { return bundles_.row(-1 - home_[static_cast<std::size_t>(node)]); }

  // The node for the set now in spots_ and leaves_: a leaf class (as -1 - class), a belief, or a bundle of those.
  Index intern(const Hash& hash) {
    if (spots_.empty() && leaves_.size() == 1) return -1 - leaves_[0];
    Index& known = table_.at(hash);
    if (known != kNothing) return known;
    components_.reset(spots_.size());
    for (std::size_t i = 0; i < spots_.size(); ++i) components_.add(static_cast<Index>(i), spots_[i]);
    parts_.clear();
    for (std::size_t i = 0; i < spots_.size(); ++i) {
      parts_.emplace_back(components_.find(static_cast<Index>(i)), spots_[i]);
    }
    std::sort(parts_.begin(), parts_.end());
    if (leaves_.empty() && parts_.front().first == parts_.back().first) {
      return known = new_belief(0, parts_.size());
    }
    // `known` may move while the table grows, so it is set again at the end.
    std::vector<Index> children;
    Index first_time = std::numeric_limits<Index>::max();
    for (std::size_t i = 0, j = 0; i < parts_.size(); i = j) {
      Hash part;
      for (j = i; j < parts_.size() && parts_[j].first == parts_[i].first; ++j) {
        part += spot_hash_[static_cast<std::size_t>(parts_[j].second)];
      }
      Index& belief = table_.at(part);
      if (belief == kNothing) belief = new_belief(i, j);
      children.push_back(belief);
      first_time = std::min(first_time, node_time_[static_cast<std::size_t>(belief)]);
    }
    for (const Index leaf : leaves_) children.push_back(-1 - leaf);
    return table_.at(hash) = new_bundle(children, first_time);
  }

  Index new_belief(std::size_t first, std::size_t last) {
    Index time = std::numeric_limits<Index>::max();
    for (std::size_t i = first; i < last; ++i) time = std::min(time, time_of(parts_[i].second));
    Pending& pending = pending_[static_cast<std::size_t>(time)];
    for (std::size_t i = first; i < last; ++i) pending.labels.items.push_back(parts_[i].second);
    std::sort(pending.labels.items.end() - static_cast<std::ptrdiff_t>(last - first), pending.labels.items.end());
    pending.labels.close();
    const Index node = static_cast<Index>(home_.size());
    pending.nodes.push_back(node);
    home_.push_back(pending.labels.size() - 1);
    node_time_.push_back(time);
    return node;
  }

  Index new_bundle(const std::vector<Index>& children, Index time) {
    const Index node = static_cast<Index>(home_.size());
    const std::size_t slot = std::min(static_cast<std::size_t>(time), bundles_by_time_.size() - 1);
    bundles_.items.insert(bundles_.items.end(), children.begin(), children.end());
    bundles_.close();
    bundle_count_.push_back(0);
    bundles_by_time_[slot].push_back(node);
    home_.push_back(-bundles_.size());
    node_time_.push_back(time);
    return node;
  }

  // All prescriptions of one belief.
  void expand(Indices label) {
    split_by_time(label);
    collect_contributions();
    check_size();
    group_contributions();
    steps_.clear();
    places_.clear();
    for (std::size_t g = 0; g < n_groups_; ++g) fill_table(g);
    write_prescriptions();
  }

  void split_by_time(Indices label) {
    Index now = std::numeric_limits<Index>::max();
    for (const Index spot : label) now = std::min(now, time_of(spot));
    acting_.clear();
    waiting_.clear();
    for (const Index spot : label) {
      const Index decision = side_.spot_decision[static_cast<std::size_t>(spot)];
      if (time_of(spot) == now) {
        acting_.emplace_back(decision, spot);
      } else {
        waiting_.push_back(spot);
      }
    }
    std::sort(acting_.begin(), acting_.end());
    decisions_.clear();
    for (const auto& [decision, spot] : acting_) {
      if (decisions_.empty() || decisions_.back() != decision) decisions_.push_back(decision);
    }
    dag_.belief_decisions.insert(dag_.belief_decisions.end(), decisions_.begin(), decisions_.end());
    decision_count_.push_back(static_cast<Index>(decisions_.size()));
    dag_.most_infosets = std::max(dag_.most_infosets, static_cast<Index>(decisions_.size()));
  }

  void collect_contributions() {
    contributions_.clear();
    given_spots_.clear();
    given_leaves_.clear();
    options_.clear();
    std::size_t from = 0;
    for (std::size_t d = 0; d < decisions_.size(); ++d) {
      std::size_t to = from;
      while (to < acting_.size() && acting_[to].first == decisions_[d]) ++to;
      options_.push_back(side_.decision_options[static_cast<std::size_t>(decisions_[d])]);
      for (Index option = 0; option < options_.back(); ++option) {
        open_contribution(static_cast<Index>(d), option);
        for (std::size_t i = from; i < to; ++i) give_option(acting_[i].second, option);
        close_contribution();
      }
      from = to;
    }
    for (const Index spot : waiting_) {
      open_contribution(-1, -1);
      give_spot(spot);
      close_contribution();
    }
  }

  void open_contribution(Index decision, Index option) {
    contributions_.push_back({decision, option, static_cast<Index>(given_spots_.size()), 0,
                              static_cast<Index>(given_leaves_.size()), 0, {}});
  }

  void close_contribution() {
    contributions_.back().last_spot = static_cast<Index>(given_spots_.size());
    contributions_.back().last_leaf = static_cast<Index>(given_leaves_.size());
  }

  void give_spot(Index spot) {
    given_spots_.push_back(spot);
    contributions_.back().hash += spot_hash_[static_cast<std::size_t>(spot)];
  }

  void give_option(Index spot, Index option) {
    const auto o = static_cast<std::size_t>(side_.spot_first_option[static_cast<std::size_t>(spot)] + option);
    for (Index j = side_.option_start[o]; j < side_.option_start[o + 1]; ++j) {
      give_spot(side_.option_spots[static_cast<std::size_t>(j)]);
    }
    if (const Index leaf = side_.option_leaf[o]; leaf >= 0) {
      given_leaves_.push_back(leaf);
      contributions_.back().hash += leaf_hash_[static_cast<std::size_t>(leaf)];
    }
  }

  void check_size() {
    double prescriptions = 1;
    for (const Index options : options_) prescriptions *= options;
    const double total = static_cast<double>(n_children_.size()) + prescriptions;
    const double edges = static_cast<double>(edges_.size()) + 2 * prescriptions;
    // Kept twice while the final arrays are written, then used with three numbers per prescription.
    const double bytes = 2 * (4 * edges + 4 * total) + 24 * total + static_cast<double>(table_.bytes()) +
                         8 * static_cast<double>(home_.size());
    if (bytes > static_cast<double>(most_bytes_) || edges > 2.1e9) {
      throw TooLarge("over " + std::to_string(static_cast<long long>(home_.size())) + " beliefs and " +
                     std::to_string(static_cast<long long>(total)) + " prescriptions, " +
                     std::to_string(static_cast<long long>(bytes / 1e6)) + " MB");
    }
    if (total - reported_ > 20000) {
      reported_ = total;
      if (!progress_(total)) throw Cancelled();
    }
  }

  // Contributions that can ever be connected form a group; what follows in one group does not depend on the others.
  void group_contributions() {
    const std::size_t n = contributions_.size();
    components_.reset(n);
    for (std::size_t c = 0; c < n; ++c) {
      for (Index i = contributions_[c].first_spot; i < contributions_[c].last_spot; ++i) {
        components_.add(static_cast<Index>(c), given_spots_[static_cast<std::size_t>(i)]);
      }
    }
    n_groups_ = 0;
    group_of_.resize(n);
    for (std::size_t c = 0; c < n; ++c) {
      const auto head = static_cast<std::size_t>(components_.find(static_cast<Index>(c)));
      group_of_[c] = head == c ? open_group() : group_of_[head];
      groups_[group_of_[c]].contributions.push_back(static_cast<Index>(c));
    }
  }

  std::size_t open_group() {
    if (groups_.size() == n_groups_) groups_.emplace_back();
    groups_[n_groups_].contributions.clear();
    groups_[n_groups_].table.clear();
    return n_groups_++;
  }

  // How one decision moves the place in one group's table: place of option a = stride * places_[first_place + a].
  struct Step {
    std::size_t group;
    Index decision, stride;
    std::size_t first_place;
  };

  // The node for each outcome of a group: for each of its decisions, one of its options in the group, or none.
  void fill_table(std::size_t group) {
    present_.clear();
    choices_.clear();
    choice_start_.clear();
    Hash hash;
    const std::size_t first_step = steps_.size();
    Index decision = -1;
    for (const Index c : groups_[group].contributions) {
      const Contribution& given = contributions_[static_cast<std::size_t>(c)];
      if (given.decision < 0) {
        present_.push_back(c);
        hash += given.hash;
        continue;
      }
      if (given.decision != decision) {
        if (decision >= 0) close_choices(first_step);
        decision = given.decision;
        steps_.push_back({group, decision, 1, places_.size()});
        choice_start_.push_back(choices_.size());
        places_.insert(places_.end(), static_cast<std::size_t>(options_[static_cast<std::size_t>(decision)]), -1);
      }
      places_[steps_.back().first_place + static_cast<std::size_t>(given.option)] =
          static_cast<Index>(choices_.size() - choice_start_.back());
      choices_.push_back(c);
    }
    if (decision >= 0) close_choices(first_step);
    choice_start_.push_back(choices_.size());
    Index stride = 1;
    for (std::size_t step = steps_.size(); step-- > first_step;) {
      steps_[step].stride = stride;
      stride *= static_cast<Index>(choice_start_[step - first_step + 1] - choice_start_[step - first_step]);
    }
    groups_[group].table.reserve(static_cast<std::size_t>(stride));
    enumerate(groups_[group].table, 0, hash);
  }

  // Options of the last decision that lead to other groups share one place: "nothing here".
  void close_choices(std::size_t first_step) {
    const Step& step = steps_.back();
    const std::size_t taken = choices_.size() - choice_start_[steps_.size() - 1 - first_step];
    if (taken == places_.size() - step.first_place) return;
    for (std::size_t i = step.first_place; i < places_.size(); ++i) {
      if (places_[i] < 0) places_[i] = static_cast<Index>(taken);
    }
    choices_.push_back(-1);
  }

  void enumerate(std::vector<Index>& table, std::size_t depth, const Hash& hash) {
    if (depth + 1 == choice_start_.size()) {
      table.push_back(outcome(hash));
      return;
    }
    for (std::size_t i = choice_start_[depth]; i < choice_start_[depth + 1]; ++i) {
      const Index c = choices_[i];
      if (c < 0) {
        enumerate(table, depth + 1, hash);
        continue;
      }
      Hash sum = hash;
      sum += contributions_[static_cast<std::size_t>(c)].hash;
      present_.push_back(c);
      enumerate(table, depth + 1, sum);
      present_.pop_back();
    }
  }

  Index outcome(const Hash& hash) {
    if (present_.empty()) return kNothing;
    if (const Index known = table_.at(hash); known != kNothing) return known;
    spots_.clear();
    leaves_.clear();
    for (const Index c : present_) {
      const Contribution& given = contributions_[static_cast<std::size_t>(c)];
      spots_.insert(spots_.end(), given_spots_.begin() + given.first_spot, given_spots_.begin() + given.last_spot);
      leaves_.insert(leaves_.end(), given_leaves_.begin() + given.first_leaf, given_leaves_.begin() + given.last_leaf);
    }
    return intern(hash);
  }

  void write_prescriptions() {
    order_steps();
    digits_.assign(decisions_.size(), 0);
    index_.assign(n_groups_, 0);
    for (const Step& step : steps_) index_[step.group] += step.stride * places_[step.first_place];
    Index count = 0;
    for (bool more = true; more; more = advance()) {
      const std::size_t before = edges_.size();
      for (std::size_t g = 0; g < n_groups_; ++g) {
        const Index node = groups_[g].table[static_cast<std::size_t>(index_[g])];
        if (node == kNothing) continue;
        edges_.push_back(node);
        if (node >= 0 && is_bundle(node)) {
          ++bundle_count_[static_cast<std::size_t>(-1 - home_[static_cast<std::size_t>(node)])];
        }
      }
      n_children_.push_back(static_cast<Index>(edges_.size() - before));
      ++count;
    }
    prescription_count_.push_back(count);
  }

  void order_steps() {
    step_start_.assign(decisions_.size() + 1, 0);
    for (const Step& step : steps_) ++step_start_[static_cast<std::size_t>(step.decision) + 1];
    for (std::size_t d = 0; d < decisions_.size(); ++d) step_start_[d + 1] += step_start_[d];
    step_order_.resize(steps_.size());
    next_step_.assign(step_start_.begin(), step_start_.end());
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      step_order_[next_step_[static_cast<std::size_t>(steps_[s].decision)]++] = s;
    }
  }

  // Next prescription, last decision fastest; false after the last one.
  bool advance() {
    for (std::size_t d = decisions_.size(); d-- > 0;) {
      const auto old = static_cast<std::size_t>(digits_[d]);
      const std::size_t next = digits_[d] + 1 == options_[d] ? 0 : old + 1;
      digits_[d] = static_cast<Index>(next);
      for (std::size_t i = step_start_[d]; i < step_start_[d + 1]; ++i) {
        const Step& step = steps_[step_order_[i]];
        index_[step.group] += step.stride * (places_[step.first_place + next] - places_[step.first_place + old]);
      }
      if (next != 0) return true;
    }
    return false;
  }

  // A bundle pays if writing its children at every use would take more room.
  bool is_kept(Index bundle) const {
    const auto b = static_cast<std::size_t>(bundle);
    const double uses = bundle_count_[b];
    const double size = bundles_.start[b + 1] - bundles_.start[b];
    return uses * (size - 1) > size + 3;
  }

  BeliefDag finish();

  const SideTree& side_;
  Components components_;
  std::size_t most_bytes_;
  const Progress& progress_;
  double reported_ = 0;

  std::vector<Hash> spot_hash_, leaf_hash_;
  NodeTable table_;
  std::vector<Pending> pending_;
  // Nodes by provisional number: `home` is a position among the beliefs of its time, or -1 - number of a bundle.
  std::vector<Index> home_, node_time_;
  Rows bundles_;
  std::vector<Index> bundle_count_;
  std::vector<std::vector<Index>> bundles_by_time_;
  std::vector<Index> root_children_;

  // Prescriptions of beliefs, in the order in which beliefs are expanded, which is the final one.
  std::vector<Index> prescription_count_, decision_count_, n_children_, edges_;
  BeliefDag dag_;

  // Scratch for one belief.
  std::vector<std::pair<Index, Index>> acting_, parts_;
  std::vector<Index> waiting_, decisions_, options_, spots_, leaves_, given_spots_, given_leaves_;
  std::vector<Contribution> contributions_;
  std::vector<Index> present_, choices_, places_, index_, digits_;
  std::vector<std::size_t> group_of_, choice_start_, step_start_, step_order_, next_step_;
  std::vector<Group> groups_;
  std::vector<Step> steps_;
  std::size_t n_groups_ = 0;
};

BeliefDag Builder::finish() {
  std::vector<Index> number(home_.size(), -1);
  Index n_beliefs = root_children_.empty() ? 0 : 1;
  const auto number_bundles = [&](std::size_t time) {
    for (const Index node : bundles_by_time_[time]) {
      if (is_kept(-1 - home_[static_cast<std::size_t>(node)])) number[static_cast<std::size_t>(node)] = n_beliefs++;
    }
  };
  for (std::size_t time = 0; time < pending_.size(); ++time) {
    number_bundles(time);
    for (const Index i : pending_[time].order) {
      number[static_cast<std::size_t>(pending_[time].nodes[static_cast<std::size_t>(i)])] = n_beliefs++;
    }
  }
  for (std::size_t time = pending_.size(); time < bundles_by_time_.size(); ++time) number_bundles(time);

  std::vector<Index> decisions;
  decisions.swap(dag_.belief_decisions);
  dag_.belief_start.push_back(0);
  dag_.child_start.push_back(0);
  dag_.belief_decision_start.push_back(0);
  dag_.children.reserve(edges_.size() + bundles_.items.size());
  dag_.child_start.reserve(n_children_.size() + static_cast<std::size_t>(bundles_.size()) + 1);
  const auto put_plain = [&](Index node) {
    dag_.children.push_back(node < 0 ? n_beliefs - 1 - node : number[static_cast<std::size_t>(node)]);
  };
  const auto put = [&](Index node) {
    if (node < 0 || number[static_cast<std::size_t>(node)] >= 0) {
      put_plain(node);
      dag_.plain_edges += node >= 0 && is_bundle(node) ? static_cast<double>(bundle_children(node).size()) : 1;
    } else {
      for (const Index child : bundle_children(node)) put_plain(child);
      dag_.plain_edges += static_cast<double>(bundle_children(node).size());
    }
  };
  const auto close_prescription = [&] { dag_.child_start.push_back(static_cast<Index>(dag_.children.size())); };
  const auto close_belief = [&] {
    dag_.belief_start.push_back(static_cast<Index>(dag_.child_start.size()) - 1);
    dag_.belief_decision_start.push_back(static_cast<Index>(dag_.belief_decisions.size()));
  };
  const auto put_bundles = [&](std::size_t time) {
    for (const Index node : bundles_by_time_[time]) {
      if (number[static_cast<std::size_t>(node)] < 0) continue;
      for (const Index child : bundle_children(node)) put_plain(child);
      close_prescription();
      close_belief();
    }
  };
  if (!root_children_.empty()) {
    for (const Index child : root_children_) put(child);
    close_prescription();
    close_belief();
  }
  std::size_t belief = 0, prescription = 0, edge = 0, decision = 0;
  for (std::size_t time = 0; time < pending_.size(); ++time) {
    put_bundles(time);
    for (std::size_t i = 0; i < pending_[time].nodes.size(); ++i, ++belief) {
      for (Index j = 0; j < decision_count_[belief]; ++j) dag_.belief_decisions.push_back(decisions[decision++]);
      for (Index p = 0; p < prescription_count_[belief]; ++p, ++prescription) {
        for (Index e = 0; e < n_children_[prescription]; ++e) put(edges_[edge++]);
        close_prescription();
      }
      close_belief();
    }
  }
  for (std::size_t time = pending_.size(); time < bundles_by_time_.size(); ++time) put_bundles(time);
  dag_.children.shrink_to_fit();
  return std::move(dag_);
}

}  // namespace

BeliefDag build_belief_dag(const SideTree& side, std::size_t most_bytes, const Progress& progress) {
  return Builder(side, most_bytes, progress).build();
}

}  // namespace maxmin
