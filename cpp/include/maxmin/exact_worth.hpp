// What a searcher earns from a set of hits (shot_bound.hpp), exactly: all that happened before the hits is forgotten,
// nothing after them.
#pragma once

#include "maxmin/shot_bound.hpp"

namespace maxmin {

// Lower the bounds of those of the sets last - 1, ..., first that more than `fewer_boards` and at most `most_boards`
// boards contain to what the best strategy earns from these boards; the closer those of more hits are, the sooner.
// At most `most_states` are remembered; a set that needs more keeps what it has. Returns the set at which progress
// stopped the work (it and those before it remain), or `first`.
std::size_t find_exact_worth(const HitSets& sets, const Worth& worth, std::span<const std::uint8_t> images,
                             std::size_t first, std::size_t last, std::size_t fewer_boards, std::size_t most_boards,
                             std::size_t most_states, const Progress& progress);

}  // namespace maxmin
