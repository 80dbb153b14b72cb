// Bounds what follows a set of hits: a line of shots c_0, c_1, ..., of which all miss until one hits.
#pragma once

#include "maxmin/shot_bound.hpp"
#include "slot_assignment.hpp"

namespace maxmin {

class Line {
 public:
  Line(const HitSets& sets, const Worth& worth)
      : sets_(sets), worth_(worth), n_slots_(worth.most_misses), best_(n_slots_ + 1) {}

  // The boards that are left, without the hits; some of sets.rests(set) or all of them.
  void start(std::size_t set, std::span<const CellSet> rests, std::span<const std::int64_t> weights);

  // Bound the earnings of the last slots, from `first_slot` on, once these cells are known to be missed; see `rest`.
  void look(CellSet missed, std::size_t first_slot);

  // After `look`: at most so much is earned from this slot on, one of those looked at.
  std::int64_t rest(std::size_t slot) const { return best_[slot]; }

  // What is earned from this slot on, bounded by the best first search of at most `effort` lines; `bound` holds before.
  // Throws Cancelled if progress (told the effort that is left) says stop.
  std::int64_t search(std::size_t first_slot, std::int64_t bound, std::size_t effort, const Progress& progress);

 private:
  std::int64_t count(CellSet missed);
  void append_pay(std::size_t next, std::int64_t weight);

  const HitSets& sets_;
  const Worth worth_;
  const std::size_t n_slots_;
  std::span<const std::uint8_t> cells_;
  std::span<const std::uint32_t> next_;
  std::span<const CellSet> rests_;
  std::span<const std::int64_t> weights_;
  std::int64_t left_ = 0;                   // the weight of the boards looked at
  std::int64_t hit_[most_search_cells] = {};  // that of those which cover each cell
  std::vector<std::size_t> shots_;          // the cells that some of them cover
  std::vector<std::int64_t> pay_, best_;    // pay_: (shots, slots)
  SlotAssignment assignment_;
};

}  // namespace maxmin
