// The bound, the exact search and the strategies of battleship on boards small enough for plain recursion.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "check.hpp"
#include "maxmin/board_search.hpp"
#include "maxmin/exact_search.hpp"
#include "maxmin/exact_worth.hpp"
#include "maxmin/shot_bound.hpp"

using namespace maxmin;

namespace {

const Progress go_on = [](double) { return true; };

// All places of two dominoes that do not overlap, on a board of 3 x 3.
struct Dominoes {
  std::vector<CellSet> covered;
  std::vector<std::int64_t> weight;

  Dominoes() {
    std::vector<CellSet> places;
    for (std::size_t cell = 0; cell < 9; ++cell) {
      if (cell % 3 < 2) places.push_back(cell_bit(cell) | cell_bit(cell + 1));
      if (cell < 6) places.push_back(cell_bit(cell) | cell_bit(cell + 3));
    }
    std::map<CellSet, std::int64_t> ways;
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = i + 1; j < places.size(); ++j) {
        if ((places[i] & places[j]) == 0) ++ways[places[i] | places[j]];
      }
    }
    for (const auto& [cells, count] : ways) covered.push_back(cells), weight.push_back(count);
  }

  BoardsView view() const { return {covered, weight}; }
};

// Mirrored left to right.
std::vector<std::uint8_t> mirror() {
  std::vector<std::uint8_t> image;
  for (std::size_t cell = 0; cell < most_search_cells; ++cell) {
    const std::size_t to = cell < 9 ? cell / 3 * 3 + 2 - cell % 3 : cell;
    image.push_back(static_cast<std::uint8_t>(to));
  }
  return image;
}

// The least total of weight x misses, of which a board counts no more than `cap`, by trying everything; boards as
// bits of `left`.
using Tried = std::map<std::tuple<std::uint64_t, CellSet, int>, std::int64_t>;

std::int64_t brute_force(const Dominoes& boards, std::uint64_t left, CellSet shot, int cap, Tried& memory) {
  if ((left & (left - 1)) == 0 || cap == 0) return 0;
  if (const auto known = memory.find({left, shot, cap}); known != memory.end()) return known->second;
  std::int64_t best = INT64_MAX;
  for (std::size_t cell = 0; cell < 9; ++cell) {
    if ((shot & cell_bit(cell)) != 0) continue;
    std::uint64_t hit = 0, missed = 0;
    std::int64_t misses = 0;
    for (std::size_t b = 0; b < boards.covered.size(); ++b) {
      if ((left >> b & 1) == 0) continue;
      const bool is_hit = (boards.covered[b] & cell_bit(cell)) != 0;
      (is_hit ? hit : missed) |= std::uint64_t{1} << b;
      if (!is_hit) misses += boards.weight[b];
    }
    if (hit == 0) continue;
    misses += brute_force(boards, hit, shot | cell_bit(cell), cap, memory);
    misses += brute_force(boards, missed, shot | cell_bit(cell), cap - 1, memory);
    best = std::min(best, misses);
  }
  return memory[{left, shot, cap}] = best;
}

std::int64_t least_misses(const Dominoes& boards) {
  Tried memory;
  return brute_force(boards, (std::uint64_t{1} << boards.covered.size()) - 1, 0, 9, memory);
}

HiddenBoards hidden(const Dominoes& boards) {
  HiddenBoards all;
  for (std::size_t b = 0; b < boards.covered.size(); ++b) all.push_back({boards.covered[b], boards.weight[b]});
  return all;
}

std::int64_t bound_after(const Dominoes& boards, const HitSets& sets, const Worth& worth) {
  std::int64_t all = 0;
  for (const std::int64_t weight : boards.weight) all += weight;
  std::int64_t best = 0;
  for (std::size_t m = 0; m <= worth.most_misses; ++m) {
    best = std::max(best, static_cast<std::int64_t>(worth.most_misses - m) * all - worth.of(0)[m]);
  }
  CHECK(worth.of(0).size() == worth.most_misses + 1 && sets.total_weight(0) == all);
  return best;
}

std::int64_t played(BoardSearch& search, const HiddenBoards& boards, CellSet hits, CellSet misses) {
  if (boards.empty()) return 0;
  const std::size_t cell = search.choose(hits, misses, go_on);
  if (cell == most_search_cells) return 0;
  CHECK(((hits | misses) & cell_bit(cell)) == 0);
  const Split split(boards, cell);
  return split.missed_weight + played(search, split.hit, hits | cell_bit(cell), misses) +
         played(search, split.missed, hits, misses | cell_bit(cell));
}

}  // namespace

TEST(exact_search_finds_what_brute_force_finds) {
  const Dominoes boards;
  const std::int64_t least = least_misses(boards);
  for (const std::vector<std::uint8_t>& images : {std::vector<std::uint8_t>{}, mirror()}) {
    const HitSets sets(boards.view(), images, 100000, go_on);
    std::vector<std::int64_t> values(sets.size() * 6);
    const Worth worth{values, 5};
    start_worth(sets, worth);
    lower_worth(sets, worth, 0, sets.size(), 0, 1, go_on);
    const MissBound bound(sets, worth, images);
    ExactSearch search(bound, images, 100000, go_on);
    CHECK(search.solve(hidden(boards), least - 1) == least);  // refuted: what is returned is a bound above the limit
    CHECK(search.solve(hidden(boards), INT64_MAX / 4) == least);
    const ShotTree tree = best_tree(search, hidden(boards));
    CHECK(tree.cell.size() == tree.hit.size() && tree.cell.size() == tree.miss.size());
  }
}

TEST(bound_never_exceeds_the_optimum_and_rises_with_effort) {
  const Dominoes boards;
  const std::int64_t least = least_misses(boards);
  const HitSets sets(boards.view(), mirror(), 100000, go_on);
  std::vector<std::int64_t> values(sets.size() * 6);
  const Worth worth{values, 5};
  start_worth(sets, worth);
  std::int64_t last = 0;
  for (const std::size_t effort : {1u, 10u, 1000u}) {
    CHECK(lower_worth(sets, worth, 0, sets.size(), 0, effort, go_on) == 0);
    const std::int64_t bound = bound_after(boards, sets, worth);
    CHECK(bound >= last && bound <= least);
    last = bound;
  }
  CHECK(last > 0);
}

TEST(exact_worth_is_what_brute_force_earns) {
  const Dominoes boards;
  const HitSets sets(boards.view(), mirror(), 100000, go_on);
  std::vector<std::int64_t> values(sets.size() * 6);
  const Worth worth{values, 5};
  start_worth(sets, worth);
  lower_worth(sets, worth, 0, sets.size(), 0, 1, go_on);
  const std::vector<std::int64_t> relaxed = values;
  constexpr std::size_t few = 4, many = 20;
  CHECK(find_exact_worth(sets, worth, mirror(), 0, sets.size(), few, many, 100000, go_on) == 0);
  Tried memory;
  std::size_t n_lower = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    std::uint64_t left = 0;
    for (std::size_t b = 0; b < boards.covered.size(); ++b) {
      if ((sets.hits(set) & ~boards.covered[b]) == 0) left |= std::uint64_t{1} << b;
    }
    const std::size_t n_boards = sets.rests(set).size();
    for (int m = 0; m <= 5; ++m) {
      const std::int64_t least = brute_force(boards, left, sets.hits(set), 5 - m, memory);
      const std::int64_t earned = worth.of(set)[pos(m)], before = relaxed[set * 6 + pos(m)];
      const std::int64_t exact = (5 - m) * sets.total_weight(set) - least;
      CHECK(earned == (n_boards > few && n_boards <= many ? exact : before) && before >= exact);
      n_lower += earned < before ? 1 : 0;
    }
  }
  CHECK(n_lower > 0);
  const std::int64_t bound = bound_after(boards, sets, worth);
  CHECK(lower_worth(sets, worth, 0, sets.size(), many, 1000, go_on) == 0);
  CHECK(bound_after(boards, sets, worth) > bound && bound_after(boards, sets, worth) <= least_misses(boards));
}

TEST(exact_worth_keeps_what_it_has_when_memory_or_time_is_up) {
  const Dominoes boards;
  const HitSets sets(boards.view(), mirror(), 100000, go_on);
  std::vector<std::int64_t> values(sets.size() * 6), whole;
  const Worth worth{values, 5};
  start_worth(sets, worth);
  CHECK(find_exact_worth(sets, worth, mirror(), 0, sets.size(), 0, 100, 8, go_on) == 0);
  CHECK(bound_after(boards, sets, worth) <= least_misses(boards));
  int n_asked = 0;
  const Progress stop = [&n_asked](double) { return ++n_asked < 50; };
  const std::size_t rest = find_exact_worth(sets, worth, mirror(), 0, sets.size(), 0, 100, 100000, stop);
  CHECK(rest > 0 && rest < sets.size());
  CHECK(find_exact_worth(sets, worth, mirror(), 0, rest, 0, 100, 100000, go_on) == 0);
  CHECK(bound_after(boards, sets, worth) == least_misses(boards));  // the empty set is one of them
}

TEST(hit_sets_are_all_subsets_of_boards) {
  const Dominoes boards;
  std::set<CellSet> subsets;
  for (const CellSet board : boards.covered) {
    for (CellSet part = board;; part = (part - 1) & board) {
      subsets.insert(part);
      if (part == 0) break;
    }
  }
  const HitSets sets(boards.view(), {}, 100000, go_on);
  CHECK(sets.size() == subsets.size());
  for (std::size_t set = 0; set < sets.size(); ++set) {
    std::int64_t weight = 0;
    for (std::size_t b = 0; b < boards.covered.size(); ++b) {
      if ((sets.hits(set) & ~boards.covered[b]) == 0) weight += boards.weight[b];
    }
    CHECK(subsets.contains(sets.hits(set)) && sets.total_weight(set) == weight);
  }
  CHECK_THROWS(HitSets(boards.view(), {}, 10, go_on), TooLarge);
  CHECK_THROWS(HitSets(boards.view(), {}, 100000, [](double) { return false; }), Cancelled);
}

TEST(searches_play_every_board_to_its_end_and_none_beats_the_optimum) {
  const Dominoes boards;
  const std::int64_t least = least_misses(boards);
  const SearchOptions rollouts[] = {{0, 0, 1, 0}, {0, 1, 5, 0}, {0, 2, 5, 4}};
  std::int64_t last = INT64_MAX;
  for (const SearchOptions& options : rollouts) {
    BoardSearch search(boards.view(), mirror(), options, 100000);
    const std::int64_t misses = played(search, hidden(boards), 0, 0);
    CHECK(misses >= least && misses <= last);
    last = misses;
  }
  BoardSearch ahead(boards.view(), mirror(), {2, 0, 1, 0}, 100000);
  CHECK(played(ahead, hidden(boards), 0, 0) >= least);
  BoardSearch exact(boards.view(), mirror(), {0, 0, 1, 1000}, 100000);
  CHECK(played(exact, hidden(boards), 0, 0) == least);
  CHECK(exact.choose(cell_bit(20), 0, go_on) == most_search_cells);
}
