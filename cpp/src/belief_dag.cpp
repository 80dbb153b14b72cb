#include "maxmin/belief_dag.hpp"

#include <algorithm>
#include <compare>
#include <cmath>
#include <iomanip>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>

#include "belief_nodes.hpp"
#include "expansion.hpp"
#include "wave_order.hpp"

namespace maxmin {
namespace {

constexpr double kMostEdges = std::numeric_limits<Index>::max();

// Counts may be beyond any whole number: a belief has as many prescriptions as its options have combinations.
std::string in_words(double count) {
  std::ostringstream text;
  text << std::setprecision(count < 1e9 ? 9 : 3) << std::floor(count);
  return text.str();
}

// The largest beliefs have most children, and their children include those of their subsets: numbered one after the
// other, they lie close together in memory for all that use them. Among beliefs of one size, those of one shape stand
// together, so that the loops of the solvers run alike for a while.
std::vector<Index> in_order(const SideTree& side, const Rows& labels) {
  struct Key {
    std::size_t size;
    Index options, spots;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  for (Index belief = 0; belief < labels.size(); ++belief) {
    const Index spot = labels.row(belief)[0];
    const Index first = side.spot_first_option[pos(spot)], last = side.spot_first_option[pos(spot) + 1];
    keys.push_back({labels.row(belief).size(), last - first, side.option_start[pos(last)] - side.option_start[pos(first)]});
  }
  std::vector<Index> order(keys.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return keys[pos(a)] > keys[pos(b)]; });
  return order;
}

// Makes nodes and prescriptions, time after time.
class Builder {
 public:
  Builder(const SideTree& side, const Tokens& tokens, std::size_t most_bytes, const Progress& progress)
      : nodes(side, tokens, most_bytes),
        most_bytes_(most_bytes),
        progress_(progress),
        expansion_(side, tokens, nodes, progress) {
    root = nodes.add_root();
    for (std::size_t time = 0; time < nodes.n_times(); ++time) {
      order.push_back(in_order(side, nodes.pending(time).labels));
      for (const Index i : order.back()) {
        expansion_.open(nodes.pending(time).labels.row(i));
        check_size();
        expansion_.write(prescriptions);
      }
      nodes.drop_labels(time);
    }
  }

  BeliefNodes nodes;
  Index root = 0;
  std::vector<std::vector<Index>> order;  // of each time's beliefs, as they were expanded
  Prescriptions prescriptions;

 private:
  void check_size() {
    const double more = expansion_.n_prescriptions();
    const double total = static_cast<double>(prescriptions.n_children.size()) + more;
    const double edges = static_cast<double>(prescriptions.children.size()) + 2 * more;
    // Kept twice while the final arrays are written, then used with three numbers per prescription.
    const double bytes = 2 * (4 * edges + 4 * total) + 24 * total + static_cast<double>(nodes.bytes());
    // Bundles add their entries where they pay, and no more than three beyond these where they do not.
    const double most_edges = static_cast<double>(prescriptions.children.size()) +
                              more * static_cast<double>(expansion_.most_children()) +
                              static_cast<double>(nodes.bundle_entries() + 3 * nodes.n_bundles());
    if (bytes > static_cast<double>(most_bytes_) || most_edges > kMostEdges) {
      throw TooLarge("over " + std::to_string(nodes.size()) + " beliefs and " + in_words(total) + " prescriptions, " +
                     in_words(bytes / 1e6) + " MB");
    }
    if (total - reported_ > 20000) {
      reported_ = total;
      if (!progress_(total)) throw Cancelled();
    }
  }

  std::size_t most_bytes_;
  const Progress& progress_;
  double reported_ = 0;
  Expansion expansion_;
};

// Gives nodes their final numbers and writes the arrays: of each time the bundles that pay, then the beliefs.
class Writer {
 public:
  explicit Writer(const Builder& built)
      : nodes_(built.nodes), built_(built), number_(nodes_.size(), -1) {
    // A belief that has one empty prescription stands for a root that falls apart, or that is a leaf.
    has_start_ = built.root < 0 || nodes_.is_bundle(built.root);
    n_beliefs_ = has_start_ ? 1 : 0;
    for (std::size_t time = 0; time <= nodes_.n_times(); ++time) {
      for (const Index bundle : nodes_.bundles_at(time)) {
        if (nodes_.pays(bundle)) number_[pos(bundle)] = n_beliefs_++;
      }
      if (time == nodes_.n_times()) break;
      for (const Index i : built.order[time]) number_[pos(nodes_.pending(time).nodes[pos(i)])] = n_beliefs_++;
    }
  }

  BeliefDag write() {
    const Prescriptions& from = built_.prescriptions;
    dag_.belief_start.push_back(0);
    dag_.child_start.push_back(0);
    dag_.belief_decision_start.push_back(0);
    dag_.children.reserve(from.children.size() + nodes_.bundle_entries());
    dag_.child_start.reserve(from.n_children.size() + nodes_.n_bundles() + 2);
    if (has_start_) {
      put(built_.root);
      close_prescription();
      close_belief();
    }
    for (std::size_t time = 0; time < nodes_.n_times(); ++time) {
      put_bundles(time);
      for (std::size_t i = 0; i < nodes_.pending(time).nodes.size(); ++i) put_next_belief();
    }
    put_bundles(nodes_.n_times());
    dag_.children.shrink_to_fit();
    return std::move(dag_);
  }

 private:
  void put_next_belief() {
    const Prescriptions& from = built_.prescriptions;
    const Index n_decisions = from.n_decisions[belief_];
    for (Index i = 0; i < n_decisions; ++i) dag_.belief_decisions.push_back(from.decisions[decision_++]);
    for (Index p = 0; p < from.counts[belief_]; ++p, ++prescription_) {
      for (Index c = 0; c < from.n_children[prescription_]; ++c) put(from.children[child_++]);
      close_prescription();
    }
    dag_.most_infosets = std::max(dag_.most_infosets, n_decisions);
    ++belief_;
    close_belief();
  }

  void put_bundles(std::size_t time) {
    for (const Index bundle : nodes_.bundles_at(time)) {
      if (number_[pos(bundle)] < 0) continue;
      for (const Index child : nodes_.bundle_children(bundle)) put_plain(child);
      close_prescription();
      close_belief();
    }
  }

  void put(Index node) {
    dag_.plain_edges += nodes_.is_bundle(node) ? static_cast<double>(nodes_.bundle_children(node).size()) : 1;
    if (node < 0 || number_[pos(node)] >= 0) {
      put_plain(node);
    } else {
      for (const Index child : nodes_.bundle_children(node)) put_plain(child);
    }
  }

  void put_plain(Index node) { dag_.children.push_back(node < 0 ? n_beliefs_ - 1 - node : number_[pos(node)]); }
  void close_prescription() { dag_.child_start.push_back(static_cast<Index>(dag_.children.size())); }
  void close_belief() {
    dag_.belief_start.push_back(static_cast<Index>(dag_.child_start.size()) - 1);
    dag_.belief_decision_start.push_back(static_cast<Index>(dag_.belief_decisions.size()));
  }

  const BeliefNodes& nodes_;
  const Builder& built_;
  std::vector<Index> number_;
  Index n_beliefs_ = 0;
  bool has_start_ = false;
  BeliefDag dag_;
  std::size_t belief_ = 0, prescription_ = 0, child_ = 0, decision_ = 0;  // the next ones to be written
};

}  // namespace

BeliefDag build_belief_dag(const SideTree& side, Observations observations, std::size_t most_bytes,
                           const Progress& progress) {
  const Tokens tokens(side, observations);
  BeliefDag dag = Writer(Builder(side, tokens, most_bytes, progress)).write();  // the builder's arrays end here
  return order_waves(std::move(dag), progress);
}

}  // namespace maxmin
