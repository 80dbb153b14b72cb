#include <algorithm>
#include <unordered_map>

#include "maxmin/belief_dag.hpp"
#include "maxmin/components.hpp"

namespace maxmin {
namespace {

// Walks public states: beliefs in which nothing was ruled out, so there are no prescriptions to enumerate.
class PublicStates {
 public:
  explicit PublicStates(const SideTree& side) : side_(side), components_(side) {}

  SizeEstimate count() {
    split(side_.root_spots);
    while (!states_.empty()) {
      const std::vector<Index> state = std::move(states_.back());
      states_.pop_back();
      visit(state);
    }
    return estimate_;
  }

 private:
  void split(const std::vector<Index>& spots) {
    components_.reset(spots.size());
    for (std::size_t i = 0; i < spots.size(); ++i) components_.add(static_cast<Index>(i), spots[i]);
    std::unordered_map<Index, std::size_t> where;
    for (std::size_t i = 0; i < spots.size(); ++i) {
      const Index head = components_.find(static_cast<Index>(i));
      const auto [entry, is_new] = where.try_emplace(head, states_.size());
      if (is_new) states_.emplace_back();
      states_[entry->second].push_back(spots[i]);
    }
  }

  void visit(const std::vector<Index>& state) {
    Index now = side_.spot_time(state[0]);
    for (const Index spot : state) now = std::min(now, side_.spot_time(spot));
    std::vector<Index> next;
    Index nodes = 0;
    for (const Index spot : state) {
      if (side_.spot_time(spot) != now) {
        next.push_back(spot);
        continue;
      }
      const auto s = pos(spot);
      nodes += side_.spot_nodes[s];
      const auto first = pos(side_.spot_first_option[s]);
      const auto last = pos(side_.spot_first_option[s + 1]);
      next.insert(next.end(), side_.option_spots.begin() + side_.option_start[first],
                  side_.option_spots.begin() + side_.option_start[last]);
    }
    count_state(state, now, nodes);
    split(next);
  }

  // A decision is met or not, depending on what its actor did before; so is each own past of a waiting member.
  void count_state(const std::vector<Index>& state, Index now, Index nodes) {
    std::unordered_map<Index, std::uint64_t> acting;
    std::unordered_map<std::uint64_t, bool> pasts;
    for (const Index spot : state) {
      const auto s = pos(spot);
      if (side_.spot_time(spot) == now) acting[side_.spot_decision[s]] = side_.spot_own_past[s];
      for (std::size_t m = 0; m < side_.n_members; ++m) {
        if (const std::uint64_t past = side_.spot_pasts[s * side_.n_members + m]; past != 0) pasts[past] = false;
      }
    }
    double beliefs = 1, prescriptions = 1;
    for (const auto& [decision, past] : acting) {
      const double optional = past != 0;
      if (past != 0) pasts[past] = true;
      beliefs *= 1 + optional;
      prescriptions *= side_.decision_options[pos(decision)] + optional;
    }
    for (const auto& [past, is_acting] : pasts) {
      if (is_acting) continue;
      beliefs *= 2;
      prescriptions *= 2;
    }
    estimate_.public_states += 1;
    estimate_.beliefs += beliefs;
    estimate_.prescriptions += prescriptions;
    estimate_.largest_public_state = std::max(estimate_.largest_public_state, nodes);
    estimate_.most_infosets = std::max(estimate_.most_infosets, static_cast<Index>(acting.size()));
  }

  const SideTree& side_;
  Components components_;
  std::vector<std::vector<Index>> states_;
  SizeEstimate estimate_;
};

}  // namespace

SizeEstimate estimate_size(const SideTree& side) { return PublicStates(side).count(); }

}  // namespace maxmin
