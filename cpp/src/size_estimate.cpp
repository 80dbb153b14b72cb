#include <algorithm>
#include <unordered_map>

#include "maxmin/belief_dag.hpp"
#include "maxmin/public_states.hpp"

namespace maxmin {
namespace {

class Count {
 public:
  explicit Count(const SideTree& side) : side_(side) {
    walk_public_states(side, [this](Indices state, Index now) { add(state, now); });
  }

  SizeEstimate estimate;

 private:
  // A decision is met or not, depending on what its actor did before; so is each own past of a waiting member.
  void add(Indices state, Index now) {
    std::unordered_map<Index, std::uint64_t> acting;
    std::unordered_map<std::uint64_t, bool> pasts;
    Index nodes = 0;
    for (const Index spot : state) {
      const auto s = pos(spot);
      if (side_.spot_time(spot) == now) {
        acting[side_.spot_decision[s]] = side_.spot_own_past[s];
        nodes += side_.spot_nodes[s];
      }
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
    estimate.public_states += 1;
    estimate.beliefs += beliefs;
    estimate.prescriptions += prescriptions;
    estimate.largest_public_state = std::max(estimate.largest_public_state, nodes);
    estimate.most_infosets = std::max(estimate.most_infosets, static_cast<Index>(acting.size()));
  }

  const SideTree& side_;
};

}  // namespace

SizeEstimate estimate_size(const SideTree& side) { return Count(side).estimate; }

}  // namespace maxmin
