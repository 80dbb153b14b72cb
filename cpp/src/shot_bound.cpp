#include "maxmin/shot_bound.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "slot_assignment.hpp"

namespace maxmin {
namespace {

// Bounds what follows one set of hits: a line of shots c_0, c_1, ..., of which all miss until one hits.
class Line {
 public:
  Line(const HitSets& sets, const Worth& worth) : sets_(sets), worth_(worth), n_slots_(worth.most_misses) {
    best_.resize(n_slots_ + 1);
  }

  void start(std::size_t set) {
    set_ = set;
    cells_ = sets_.next_cell(set);
    next_ = sets_.next_set(set);
  }

  // Bound the earnings of all last slots, once these cells are known to be missed; see `rest`.
  void look(CellSet missed) {
    left_ = count(missed);
    pay_.clear();
    n_cells_ = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (hit_[cells_[i]] == 0) continue;
      append_pay(next_[i], hit_[cells_[i]]);
      ++n_cells_;
    }
    assignment_.solve(pay_, n_cells_, n_slots_, std::span(best_).first(n_slots_));
    // A board is paid at most 1 more if the line starts one miss earlier.
    best_[n_slots_] = 0;
    for (std::size_t slot = n_slots_; slot-- > 0;) best_[slot] = std::min(best_[slot], best_[slot + 1] + left_);
  }

  // After `look`: at most so much is earned from this slot on.
  std::int64_t rest(std::size_t slot) const { return best_[slot]; }
  bool done() const { return left_ == 0; }

  // After `look`: call visit(cell, earned there) for each cell that may be shot at in a slot.
  template <class Visit>
  void for_each_shot(std::size_t slot, Visit visit) const {
    std::size_t row = 0;
    for (const std::uint8_t cell : cells_) {
      if (hit_[cell] == 0) continue;
      visit(std::size_t{cell}, pay_[row++ * n_slots_ + slot]);
    }
  }

 private:
  // Add up the weights of the boards without these cells: all of them (returned), and at each cell.
  std::int64_t count(CellSet missed) {
    std::fill(hit_, hit_ + most_search_cells, 0);
    std::int64_t all = 0;
    const auto rests = sets_.rests(set_);
    const auto weights = sets_.weights(set_);
    for (std::size_t b = 0; b < rests.size(); ++b) {
      if ((rests[b] & missed) != 0) continue;
      all += weights[b];
      for_each_cell(rests[b], [&](std::size_t cell) { hit_[cell] += weights[b]; });
    }
    return all;
  }

  // What boards of this weight earn at most if the hit that leads to `next` comes in each of the slots.
  void append_pay(std::size_t next, std::int64_t weight) {
    const auto worth = worth_.of(next);
    pay_.resize(pay_.size() + n_slots_);
    std::int64_t* const pay = pay_.data() + pay_.size() - n_slots_;
    std::int64_t later = 0;
    for (std::size_t slot = n_slots_; slot-- > 0;) later = pay[slot] = std::min(worth[slot], later + weight);
  }

  const HitSets& sets_;
  const Worth& worth_;
  const std::size_t n_slots_;
  std::size_t set_ = 0, n_cells_ = 0;
  std::span<const std::uint8_t> cells_;
  std::span<const std::uint32_t> next_;
  std::int64_t left_ = 0;
  std::int64_t hit_[most_search_cells] = {};
  std::vector<std::int64_t> pay_, best_;
  SlotAssignment assignment_;
};

// A line so far: the cells missed, what the boards hit on the way earn, and a bound on all that the line earns.
struct Open {
  std::int64_t bound, earned;
  CellSet missed;
  std::size_t slot;

  bool operator<(const Open& other) const {
    return bound != other.bound ? bound < other.bound : slot < other.slot;
  }
};

// Best first (A*) over the lines from a slot; the bound of the best open line falls as more are looked at.
std::int64_t search_lines(Line& line, std::size_t first_slot, std::int64_t bound, std::size_t n_slots,
                          std::size_t effort) {
  std::priority_queue<Open> open;
  std::unordered_map<CellSet, std::int64_t> earned_at;
  open.push({bound, 0, 0, first_slot});
  for (; effort > 0 && open.top().slot < n_slots; --effort) {
    const Open top = open.top();
    open.pop();
    const auto [known, is_new] = earned_at.try_emplace(top.missed, top.earned);
    if (!is_new && known->second >= top.earned) {  // the same cells in an order that earned as much
      if (open.empty()) return 0;
      continue;
    }
    known->second = top.earned;
    line.look(top.missed);
    const std::int64_t tighter = std::min(top.bound, top.earned + line.rest(top.slot));
    if (line.done()) {
      open.push({top.earned, top.earned, top.missed, n_slots});
      continue;
    }
    line.for_each_shot(top.slot, [&](std::size_t cell, std::int64_t pay) {
      const std::int64_t earned = top.earned + pay;
      const std::int64_t most = std::min(tighter, earned + line.rest(top.slot + 1));
      open.push({most, earned, top.missed | cell_bit(cell), top.slot + 1});
    });
  }
  return std::min(bound, open.top().bound);
}

}  // namespace

void start_worth(const HitSets& sets, const Worth& worth) {
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const auto of_set = worth.of(set);
    for (std::size_t m = 0; m <= worth.most_misses; ++m) {
      of_set[m] = static_cast<std::int64_t>(worth.most_misses - m) * sets.total_weight(set);
    }
  }
}

std::size_t lower_worth(const HitSets& sets, const Worth& worth, std::size_t first, std::size_t last,
                        std::size_t effort, const Progress& progress) {
  Line line(sets, worth);
  for (std::size_t set = last; set-- > first;) {
    if (sets.is_board(set)) continue;
    if (!progress(static_cast<double>(last - set))) return set + 1;
    const auto of_set = worth.of(set);
    line.start(set);
    line.look(0);
    for (std::size_t m = 0; m < worth.most_misses; ++m) of_set[m] = std::min(of_set[m], line.rest(m));
    if (effort <= 1) continue;
    // No miss comes before the first shot.
    for (std::size_t m = set == 0 ? 1 : worth.most_misses; m-- > 0;) {
      const std::int64_t most = std::min(of_set[m], of_set[m + 1] + sets.total_weight(set));
      of_set[m] = search_lines(line, m, most, worth.most_misses, effort);
    }
  }
  return first;
}

}  // namespace maxmin
