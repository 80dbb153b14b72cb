#include "maxmin/shot_bound.hpp"

#include <algorithm>

#include "line_search.hpp"

namespace maxmin {

void start_worth(const HitSets& sets, const Worth& worth) {
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const auto of_set = worth.of(set);
    for (std::size_t m = 0; m <= worth.most_misses; ++m) {
      of_set[m] = static_cast<std::int64_t>(worth.most_misses - m) * sets.total_weight(set);
    }
  }
}

std::size_t lower_worth(const HitSets& sets, const Worth& worth, std::size_t first, std::size_t last,
                        std::size_t fewer_boards, std::size_t effort, const Progress& progress) {
  Line line(sets, worth);
  for (std::size_t set = last; set-- > first;) {
    if (sets.is_board(set) || sets.rests(set).size() <= fewer_boards) continue;
    if (!progress(static_cast<double>(last - set))) return set + 1;
    const auto of_set = worth.of(set);
    line.start(set, sets.rests(set), sets.weights(set));
    line.look(0, 0);
    for (std::size_t m = 0; m < worth.most_misses; ++m) of_set[m] = std::min(of_set[m], line.rest(m));
    if (effort <= 1) continue;
    try {
      // No miss comes before the first shot.
      for (std::size_t m = set == 0 ? 1 : worth.most_misses; m-- > 0;) {
        const std::int64_t most = std::min(of_set[m], of_set[m + 1] + sets.total_weight(set));
        of_set[m] = line.search(m, most, effort, progress);
      }
    } catch (const Cancelled&) {
      return set + 1;  // what was lowered so far holds
    }
  }
  return first;
}

}  // namespace maxmin
