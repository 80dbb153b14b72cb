#include "line_search.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace maxmin {
namespace {

// A line so far: the cells missed, what the boards hit on the way earn, and a bound on all that the line earns.
struct Open {
  std::int64_t bound, earned;
  CellSet missed;
  std::size_t slot;

  bool operator<(const Open& other) const {
    return bound != other.bound ? bound < other.bound : slot < other.slot;
  }
};

}  // namespace

void Line::start(std::size_t set, std::span<const CellSet> rests, std::span<const std::int64_t> weights) {
  cells_ = sets_.next_cell(set);
  next_ = sets_.next_set(set);
  rests_ = rests;
  weights_ = weights;
}

void Line::look(CellSet missed, std::size_t first_slot) {
  left_ = count(missed);
  pay_.clear();
  shots_.clear();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (hit_[cells_[i]] == 0) continue;
    append_pay(next_[i], hit_[cells_[i]]);
    shots_.push_back(cells_[i]);
  }
  assignment_.solve(pay_, shots_.size(), n_slots_, first_slot, std::span(best_).first(n_slots_));
  // A board is paid at most 1 more if the line starts one miss earlier.
  best_[n_slots_] = 0;
  for (std::size_t slot = n_slots_; slot-- > first_slot;) best_[slot] = std::min(best_[slot], best_[slot + 1] + left_);
}

// Add up the weights of the boards without these cells: all of them (returned), and at each cell.
std::int64_t Line::count(CellSet missed) {
  std::fill(hit_, hit_ + most_search_cells, 0);
  std::int64_t all = 0;
  for (std::size_t b = 0; b < rests_.size(); ++b) {
    if ((rests_[b] & missed) != 0) continue;
    all += weights_[b];
    for_each_cell(rests_[b], [&](std::size_t cell) { hit_[cell] += weights_[b]; });
  }
  return all;
}

// What boards of this weight earn at most if the hit that leads to `next` comes in each of the slots.
void Line::append_pay(std::size_t next, std::int64_t weight) {
  const auto worth = worth_.of(next);
  pay_.resize(pay_.size() + n_slots_);
  std::int64_t* const pay = pay_.data() + pay_.size() - n_slots_;
  std::int64_t later = 0;
  for (std::size_t slot = n_slots_; slot-- > 0;) later = pay[slot] = std::min(worth[slot], later + weight);
}

// Best first (A*): the bound of the best open line falls as more are looked at.
std::int64_t Line::search(std::size_t first_slot, std::int64_t bound, std::size_t effort,
                          const Progress& progress) {
  std::priority_queue<Open> open;
  std::unordered_map<CellSet, std::int64_t> earned_at;
  open.push({bound, 0, 0, first_slot});
  for (; effort > 0 && open.top().slot < n_slots_; --effort) {
    const Open top = open.top();
    open.pop();
    const auto [known, is_new] = earned_at.try_emplace(top.missed, top.earned);
    if (!is_new && known->second >= top.earned) {  // the same cells in an order that earned as much
      if (open.empty()) return bound;
      continue;
    }
    known->second = top.earned;
    if (!progress(static_cast<double>(effort))) throw Cancelled();
    look(top.missed, top.slot);
    const std::int64_t tighter = std::min(top.bound, top.earned + rest(top.slot));
    if (left_ == 0) {
      open.push({top.earned, top.earned, top.missed, n_slots_});
      continue;
    }
    for (std::size_t i = 0; i < shots_.size(); ++i) {
      const std::int64_t earned = top.earned + pay_[i * n_slots_ + top.slot];
      const std::int64_t most = std::min(tighter, earned + rest(top.slot + 1));
      open.push({most, earned, top.missed | cell_bit(shots_[i]), top.slot + 1});
    }
  }
  return std::min(bound, open.top().bound);
}

}  // namespace maxmin
