// A proven lower bound on the misses of any strategy of battleship; docs/theory/battleship-search.md has the proof.
//
// Let a searcher be paid, for each board, K less the misses until it is done, or nothing if she gives it up. What
// she can earn at most, added over the boards, bounds her misses: misses >= K * boards - earnings. Her earnings from
// a set of hits H with m misses made are bounded from few hits to many by the relaxation in which misses made before
// the last hit are forgotten: `worth[H][m]`. All numbers are integers, so no rounding enters the proof.
#pragma once

#include "maxmin/hit_sets.hpp"

namespace maxmin {

// Upper bounds on earnings, caller-owned: (n_sets * (most_misses + 1),), worth[set * (most_misses + 1) + misses].
struct Worth {
  std::span<std::int64_t> values;
  std::size_t most_misses;  // K

  std::span<std::int64_t> of(std::size_t set) const {
    return values.subspan(set * (most_misses + 1), most_misses + 1);
  }
};

// Set the bounds that hold without thought: every board is done with no further miss.
void start_worth(const HitSets& sets, const Worth& worth);

// Lower the bounds of the sets last - 1, last - 2, ..., first that more than `fewer_boards` boards contain; those of
// more hits have been done before. `effort` is the most lines of misses that are looked at for each number. Returns
// the set at which progress stopped the work (it and those before it remain to be done), or `first`.
std::size_t lower_worth(const HitSets& sets, const Worth& worth, std::size_t first, std::size_t last,
                        std::size_t fewer_boards, std::size_t effort, const Progress& progress);

}  // namespace maxmin
