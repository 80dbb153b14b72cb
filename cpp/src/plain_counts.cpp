#include "maxmin/plain_counts.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "belief_nodes.hpp"
#include "expansion.hpp"
#include "maxmin/public_states.hpp"

namespace maxmin {
namespace {

constexpr double kMostPrescriptions = 1e9;  // of one belief: half a minute
constexpr double kMostWays = 1e300;         // beyond it numbers become infinite, and zero times infinity is no number

class Counter {
 public:
  Counter(const SideTree& layered, const Tokens& tokens, std::size_t most_bytes, const Progress& progress)
      : side_(layered),
        most_bytes_(most_bytes),
        report_([this, &progress](double) { return progress(counted_); }),
        nodes_(layered, tokens, most_bytes),
        expansion_(layered, tokens, nodes_, report_),
        leaves_of_(pos(layered.n_leaf_classes), 0) {
    for (const Index leaf : layered.leaf_class) ++leaves_of_[pos(leaf)];
    counts.vertices = static_cast<double>(layered.leaf_class.size());
    add_paths(nodes_.add_root(), 1);
    for (std::size_t time = 0; time < nodes_.n_times(); ++time) {
      hand_on(time);
      const Pending& pending = nodes_.pending(time);
      for (Index i = 0; i < pending.labels.size(); ++i) count(pending.nodes[pos(i)], pending.labels.row(i));
      nodes_.drop_labels(time);
    }
    hand_on(nodes_.n_times());
  }

  PlainCounts counts;

 private:
  // Paths that lead to bundles lead to all that is in them.
  void hand_on(std::size_t time) {
    for (const Index bundle : nodes_.bundles_at(time)) {
      const double paths = paths_of(bundle);
      for (const Index child : nodes_.bundle_children(bundle)) add_paths(child, paths);
    }
  }

  void count(Index node, Indices label) {
    const double paths = std::min(paths_of(node), kMostWays);
    double n_nodes = 0;
    for (const Index spot : label) n_nodes += side_.spot_nodes[pos(spot)];
    counts.converted_nodes += paths * n_nodes;
    expansion_.open(label);
    check_size();
    expansion_.write(written_);
    const auto n = static_cast<double>(written_.n_children.size());
    counted_ += n;
    counts.vertices += 1 + n;
    counts.edges += n;
    for (const Index child : written_.children) {
      counts.edges += width(child);
      add_paths(child, paths);
    }
    written_ = Prescriptions();
    if (!report_(counted_)) throw Cancelled();
  }

  void check_size() const {
    const double more = expansion_.n_prescriptions();
    const double bytes = static_cast<double>(nodes_.bytes() + paths_.size() * sizeof(double)) +
                         more * static_cast<double>(sizeof(Index) * (expansion_.most_children() + 8));
    if (more > kMostPrescriptions || bytes > static_cast<double>(most_bytes_)) {
      throw TooLarge("over " + std::to_string(nodes_.size()) + " beliefs");
    }
  }

  // How many beliefs, terminal ones included, a child stands for.
  double width(Index node) {
    if (node < 0) return leaves_of_[pos(-1 - node)];
    if (!nodes_.is_bundle(node)) return 1;
    if (width_.size() < nodes_.size()) width_.resize(nodes_.size(), 0);
    double& total = width_[pos(node)];
    if (total == 0) {
      for (const Index child : nodes_.bundle_children(node)) total += child < 0 ? leaves_of_[pos(-1 - child)] : 1;
    }
    return total;
  }

  double paths_of(Index node) const { return pos(node) < paths_.size() ? paths_[pos(node)] : 0; }

  void add_paths(Index node, double paths) {
    if (node < 0) {
      const double more = paths * leaves_of_[pos(-1 - node)];
      counts.converted_leaves += more;
      counts.converted_nodes += more;
      return;
    }
    if (paths_.size() < nodes_.size()) paths_.resize(nodes_.size(), 0);
    paths_[pos(node)] += paths;
  }

  const SideTree& side_;
  const std::size_t most_bytes_;
  double counted_ = 0;  // prescriptions
  const Progress report_;
  BeliefNodes nodes_;
  Expansion expansion_;
  Prescriptions written_;  // of one belief
  std::vector<Index> leaves_of_;
  std::vector<double> paths_, width_;  // by node
};

}  // namespace

double count_unpruned_nodes(const SideTree& layered) {
  std::vector<double> leaves(pos(layered.n_leaf_classes), 0), ways(pos(layered.n_spots()), 1);  // to each spot
  for (const Index leaf : layered.leaf_class) ++leaves[pos(leaf)];
  double nodes = layered.root_leaf >= 0 ? 1 : 0;
  walk_public_states(layered, [&](Indices state, Index) {
    std::set<Index> decisions;
    for (const Index spot : state) decisions.insert(layered.spot_decision[pos(spot)]);
    double prescriptions = 1;
    for (const Index decision : decisions) prescriptions *= layered.decision_options[pos(decision)];
    for (const Index spot : state) {
      nodes += ways[pos(spot)] * layered.spot_nodes[pos(spot)];
      // Those that agree with one option.
      const double options = layered.decision_options[pos(layered.spot_decision[pos(spot)])];
      const double below = std::min(ways[pos(spot)] * prescriptions / options, kMostWays);
      for (Index o = layered.spot_first_option[pos(spot)]; o < layered.spot_first_option[pos(spot) + 1]; ++o) {
        for (Index i = layered.option_start[pos(o)]; i < layered.option_start[pos(o) + 1]; ++i) {
          ways[pos(layered.option_spots[pos(i)])] = below;
        }
        if (const Index leaf = layered.option_leaf[pos(o)]; leaf >= 0) nodes += below * leaves[pos(leaf)];
      }
    }
  });
  return nodes;
}

PlainCounts count_plainly(const SideTree& layered, Observations observations, std::size_t most_bytes,
                          const Progress& progress) {
  const Tokens tokens(layered, observations);
  return Counter(layered, tokens, most_bytes, progress).counts;
}

}  // namespace maxmin
