#include "maxmin/exact_worth.hpp"

#include <algorithm>

#include "maxmin/exact_search.hpp"

namespace maxmin {
namespace {

HiddenBoards boards_with(const HitSets& sets, std::size_t set) {
  HiddenBoards boards;
  for (std::size_t b = 0; b < sets.rests(set).size(); ++b) {
    boards.push_back({sets.hits(set) | sets.rests(set)[b], sets.weights(set)[b]});
  }
  return boards;
}

// Earnings with m misses made are the weight times what is left, K - m, less the misses capped at what is left.
void lower_exactly(const HitSets& sets, const Worth& worth, std::size_t set, ExactSearch& search) {
  const HiddenBoards boards = boards_with(sets, set);
  const auto of_set = worth.of(set);
  std::int64_t misses = 0;
  bool rises = true;
  for (std::size_t left = 1; left <= worth.most_misses; ++left) {
    // The least is concave in the cap, as it is for each strategy: once it does not rise it never will.
    const std::int64_t least = rises ? search.solve(boards, INT64_MAX / 4, left) : misses;
    rises = least > misses;
    misses = least;
    std::int64_t& earned = of_set[worth.most_misses - left];
    earned = std::min(earned, static_cast<std::int64_t>(left) * sets.total_weight(set) - misses);
  }
}

}  // namespace

std::size_t find_exact_worth(const HitSets& sets, const Worth& worth, std::span<const std::uint8_t> images,
                             std::size_t first, std::size_t last, std::size_t fewer_boards, std::size_t most_boards,
                             std::size_t most_states, const Progress& progress) {
  const MissBound bound(sets, worth, images);
  ExactSearch search(bound, images, most_states, progress);
  for (std::size_t set = last; set-- > first;) {
    const std::size_t n_boards = sets.rests(set).size();
    if (sets.is_board(set) || n_boards <= fewer_boards || n_boards > most_boards) continue;
    if (!progress(static_cast<double>(last - set))) return set + 1;
    if (search.n_states() > most_states / 2) search.forget();
    try {
      lower_exactly(sets, worth, set, search);
    } catch (const TooLarge&) {
      search.forget();
    } catch (const Cancelled&) {
      return set + 1;  // what was lowered so far holds
    }
  }
  return first;
}

}  // namespace maxmin
