#include "maxmin/public_states.hpp"

#include <algorithm>
#include <unordered_map>

#include "maxmin/components.hpp"

namespace maxmin {
namespace {

class Walk {
 public:
  explicit Walk(const SideTree& side) : side_(side), tokens_(side, Observations::kConnected), components_(tokens_) {}

  void run(const std::function<void(Indices, Index)>& visit) {
    split(side_.root_spots, 0);
    while (!states_.empty()) {
      const std::vector<Index> state = std::move(states_.back());
      states_.pop_back();
      Index now = side_.spot_time(state[0]);
      for (const Index spot : state) now = std::min(now, side_.spot_time(spot));
      visit(state, now);
      split(after(state, now), now + 1);
    }
  }

 private:
  // What can follow, whatever the side does; spots that do not act yet wait.
  std::vector<Index> after(const std::vector<Index>& state, Index now) const {
    std::vector<Index> next;
    for (const Index spot : state) {
      if (side_.spot_time(spot) != now) {
        next.push_back(spot);
        continue;
      }
      const auto first = pos(side_.spot_first_option[pos(spot)]);
      const auto last = pos(side_.spot_first_option[pos(spot) + 1]);
      next.insert(next.end(), side_.option_spots.begin() + side_.option_start[first],
                  side_.option_spots.begin() + side_.option_start[last]);
    }
    return next;
  }

  void split(const std::vector<Index>& spots, Index time) {
    components_.reset(spots.size());
    for (std::size_t i = 0; i < spots.size(); ++i) components_.add(static_cast<Index>(i), spots[i], time);
    std::unordered_map<Index, std::size_t> where;
    for (std::size_t i = 0; i < spots.size(); ++i) {
      const Index head = components_.find(static_cast<Index>(i));
      const auto [entry, is_new] = where.try_emplace(head, states_.size());
      if (is_new) states_.emplace_back();
      states_[entry->second].push_back(spots[i]);
    }
  }

  const SideTree& side_;
  const Tokens tokens_;
  Components components_;
  std::vector<std::vector<Index>> states_;
};

}  // namespace

void walk_public_states(const SideTree& side, const std::function<void(Indices, Index)>& visit) {
  Walk(side).run(visit);
}

PublicStates::PublicStates(const SideTree& side) {
  std::vector<Index> spots, times, first{0};
  walk_public_states(side, [&](Indices state, Index time) {
    spots.insert(spots.end(), state.begin(), state.end());
    times.push_back(time);
    first.push_back(static_cast<Index>(spots.size()));
  });
  size_ = static_cast<Index>(times.size());
  start_.assign(pos(side.n_spots()) + 1, 0);
  for (const Index spot : spots) ++start_[pos(spot) + 1];
  for (std::size_t spot = 0; spot < pos(side.n_spots()); ++spot) start_[spot + 1] += start_[spot];
  until_.resize(spots.size());
  state_.resize(spots.size());
  std::vector<Index> next(start_.begin(), start_.end() - 1);
  for (Index state = 0; state < size_; ++state) {
    for (Index i = first[pos(state)]; i < first[pos(state) + 1]; ++i) {
      const auto place = pos(next[pos(spots[pos(i)])]++);
      until_[place] = times[pos(state)];
      state_[place] = state;
    }
  }
}

}  // namespace maxmin
