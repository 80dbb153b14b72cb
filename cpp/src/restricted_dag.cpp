#include "maxmin/restricted_dag.hpp"

#include <algorithm>
#include <string>

#include "belief_nodes.hpp"
#include "expansion.hpp"

namespace maxmin {

class RestrictedDag::Growth {
 public:
  Growth(const SideTree& side, Observations observations, std::size_t most_bytes)
      : side_(side),
        most_bytes_(most_bytes),
        tokens_(side, observations),
        nodes_(side, tokens_, most_bytes),
        expansion_(side, tokens_, nodes_, go_on_),
        root_(nodes_.add_root()) {}

  std::size_t grow(Indices plan, std::span<const double> worth, std::span<const double> values, double margin) {
    follow(plan, worth);
    const std::size_t before = taken_.size();
    for (std::size_t time = 0; time < nodes_.n_times(); ++time) {
      for (std::size_t i = 0; i < nodes_.pending(time).nodes.size(); ++i) {
        const Index node = nodes_.pending(time).nodes[i];
        allowed_.resize(nodes_.size());
        number_.resize(nodes_.size(), -1);
        const Index number = number_[pos(node)];
        const Indices label = nodes_.pending(time).labels.row(static_cast<Index>(i));
        const bool wanted =
            number < 0 ? allowed_[pos(node)].empty() : gain_of(label) > values[pos(number)] + margin;
        if (wanted) allow(node, label, plan);
      }
    }
    return taken_.size() - before;
  }

  RestrictedArrays write();

 private:
  // What following the plan from each spot gains. Spots come after their parents.
  void follow(Indices plan, std::span<const double> worth) {
    gain_.resize(pos(side_.n_spots()));
    for (std::size_t spot = gain_.size(); spot-- > 0;) {
      const Index decision = side_.spot_decision[spot];
      const auto option = pos(side_.spot_first_option[spot] + plan[pos(decision)]);
      const Index leaf = side_.option_leaf[option];
      double sum = leaf < 0 ? 0.0 : worth[pos(leaf)];
      for (Index j = side_.option_start[option]; j < side_.option_start[option + 1]; ++j) {
        sum += gain_[pos(side_.option_spots[pos(j)])];
      }
      gain_[spot] = sum;
    }
  }

  double gain_of(Indices label) const {
    double sum = 0;
    for (const Index spot : label) sum += gain_[pos(spot)];
    return sum;
  }

  // Allow a plan's prescription at a belief, if it is not allowed yet.
  void allow(Index node, Indices label, Indices plan) {
    expansion_.open(label);
    chosen_.clear();
    for (const Index decision : expansion_.decisions()) chosen_.push_back(plan[pos(decision)]);
    for (const Index known : allowed_[pos(node)]) {
      if (std::ranges::equal(options_.row(known), chosen_)) return;
    }
    allowed_[pos(node)].push_back(options_.size());
    taken_.push_back(node);
    options_.items.insert(options_.items.end(), chosen_.begin(), chosen_.end());
    options_.close();
    expansion_.write_chosen(chosen_, children_);
    const std::size_t bytes = nodes_.bytes() + sizeof(Index) * 3 * (options_.items.size() + children_.items.size());
    if (bytes > most_bytes_) {
      throw TooLarge("a restricted belief DAG of over " + std::to_string(taken_.size()) + " prescriptions, " +
                     std::to_string(bytes / 1'000'000) + " MB");
    }
  }

  void put_bundles(std::size_t time, RestrictedArrays& out);
  void put_beliefs(std::size_t time, RestrictedArrays& out);
  void put(Index node, BeliefDag& dag);
  void put_plain(Index node, BeliefDag& dag) {
    dag.children.push_back(node < 0 ? n_beliefs_ - 1 - node : number_[pos(node)]);
  }
  void close_prescription(RestrictedArrays& out, Index number);
  void close_belief(BeliefDag& dag) {
    dag.belief_start.push_back(static_cast<Index>(dag.child_start.size()) - 1);
    dag.belief_decision_start.push_back(static_cast<Index>(dag.belief_decisions.size()));
  }

  const SideTree& side_;
  std::size_t most_bytes_;
  Tokens tokens_;
  BeliefNodes nodes_;
  Progress go_on_ = [](double) { return true; };  // one plan's prescriptions are soon added
  Expansion expansion_;
  Index root_;
  std::vector<double> gain_;                  // (n_spots,)
  std::vector<std::vector<Index>> allowed_;   // the prescriptions of each node
  std::vector<Index> taken_;                  // the node of each prescription
  Rows options_, children_;                   // of each prescription
  std::vector<Index> chosen_;                 // scratch
  std::vector<Index> number_;                 // of each node when last written
  Index n_beliefs_ = 0;
};

RestrictedArrays RestrictedDag::Growth::write() {
  number_.assign(nodes_.size(), -1);
  const bool has_start = root_ < 0 || nodes_.is_bundle(root_);  // as in build_belief_dag
  n_beliefs_ = has_start ? 1 : 0;
  for (std::size_t time = 0; time <= nodes_.n_times(); ++time) {
    for (const Index bundle : nodes_.bundles_at(time)) {
      if (nodes_.pays(bundle)) number_[pos(bundle)] = n_beliefs_++;
    }
    if (time == nodes_.n_times()) break;
    for (const Index belief : nodes_.pending(time).nodes) number_[pos(belief)] = n_beliefs_++;
  }
  RestrictedArrays out;
  out.dag.belief_start.push_back(0);
  out.dag.child_start.push_back(0);
  out.dag.belief_decision_start.push_back(0);
  out.option_start.push_back(0);
  if (has_start) {
    put(root_, out.dag);
    close_prescription(out, -1);
    close_belief(out.dag);
  }
  for (std::size_t time = 0; time < nodes_.n_times(); ++time) {
    put_bundles(time, out);
    put_beliefs(time, out);
  }
  put_bundles(nodes_.n_times(), out);
  return out;
}

void RestrictedDag::Growth::put_bundles(std::size_t time, RestrictedArrays& out) {
  for (const Index bundle : nodes_.bundles_at(time)) {
    if (number_[pos(bundle)] < 0) continue;
    for (const Index child : nodes_.bundle_children(bundle)) put_plain(child, out.dag);
    close_prescription(out, -1);
    close_belief(out.dag);
  }
}

void RestrictedDag::Growth::put_beliefs(std::size_t time, RestrictedArrays& out) {
  const Pending& pending = nodes_.pending(time);
  for (std::size_t i = 0; i < pending.nodes.size(); ++i) {
    expansion_.open(pending.labels.row(static_cast<Index>(i)));
    const Indices decisions = expansion_.decisions();
    out.dag.belief_decisions.insert(out.dag.belief_decisions.end(), decisions.begin(), decisions.end());
    out.dag.most_infosets = std::max(out.dag.most_infosets, static_cast<Index>(decisions.size()));
    for (const Index prescription : allowed_[pos(pending.nodes[i])]) {
      for (const Index child : children_.row(prescription)) put(child, out.dag);
      const Indices options = options_.row(prescription);
      out.options.insert(out.options.end(), options.begin(), options.end());
      close_prescription(out, prescription);
    }
    close_belief(out.dag);
  }
}

void RestrictedDag::Growth::put(Index node, BeliefDag& dag) {
  dag.plain_edges += nodes_.is_bundle(node) ? static_cast<double>(nodes_.bundle_children(node).size()) : 1;
  if (node < 0 || number_[pos(node)] >= 0) {
    put_plain(node, dag);
  } else {
    for (const Index child : nodes_.bundle_children(node)) put_plain(child, dag);
  }
}

void RestrictedDag::Growth::close_prescription(RestrictedArrays& out, Index number) {
  out.dag.child_start.push_back(static_cast<Index>(out.dag.children.size()));
  out.option_start.push_back(static_cast<Index>(out.options.size()));
  out.prescription_number.push_back(number);
}

RestrictedDag::RestrictedDag(const SideTree& side, Observations observations, std::size_t most_bytes)
    : growth_(std::make_unique<Growth>(side, observations, most_bytes)) {}

RestrictedDag::~RestrictedDag() = default;

std::size_t RestrictedDag::grow(Indices plan, std::span<const double> worth, std::span<const double> values,
                                double margin) {
  return growth_->grow(plan, worth, values, margin);
}

RestrictedArrays RestrictedDag::write() { return growth_->write(); }

}  // namespace maxmin
