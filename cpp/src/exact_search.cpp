#include "maxmin/exact_search.hpp"

#include <algorithm>
#include <string>

#include "line_search.hpp"

namespace maxmin {
namespace {

using Images = std::span<const std::uint8_t>;

constexpr std::size_t fewest_for_lines = 8;  // fewer boards are searched sooner than bounded
constexpr std::size_t boards_per_line = 16;  // effort of a bound

struct Placed {
  StateKey key;
  Images image;  // what brought it there; empty for the identity
};

bool before(const StateKey& a, const StateKey& b) {
  return a.in_all != b.in_all ? a.in_all < b.in_all : a.in_none < b.in_none;
}

Placed representative(const StateKey& key, Images images) {
  Placed best{key, {}};
  for (std::size_t first = 0; first < images.size(); first += most_search_cells) {
    const Images image = images.subspan(first, most_search_cells);
    const CellSet in_all = moved(key.in_all, image);
    if (in_all > best.key.in_all) continue;
    const StateKey other{in_all, moved(key.in_none, image)};
    if (before(other, best.key)) best = {other, image};
  }
  return best;
}

std::size_t after_miss(std::size_t cap) { return cap == no_cap ? no_cap : cap - 1; }

// No cap if no shot that tells these boards apart can be missed more often.
std::size_t reached_cap(const HiddenBoards& boards, const StateKey& key, std::size_t cap) {
  const std::size_t open = n_cells_of(~(key.in_all | key.in_none));
  const std::size_t hits = n_cells_of(boards.front().covered & ~key.in_all);
  return cap + hits >= open || cap == no_cap ? no_cap : cap;
}

// Add the node of a state and all below it; returns its number.
Index add_node(ShotTree& tree, const ExactSearch& search, const HiddenBoards& boards, CellSet hits) {
  if (boards.empty() || hits == boards.front().covered) return -1;
  const CellSet sure = key_of(boards).in_all & ~hits;
  const std::size_t cell = sure != 0 ? first_cell(sure) : search.best_cell(boards);
  const auto node = static_cast<Index>(tree.cell.size());
  tree.cell.push_back(static_cast<std::uint8_t>(cell));
  tree.hit.push_back(-1);
  tree.miss.push_back(-1);
  const Split split(boards, cell);
  const Index hit = add_node(tree, search, split.hit, hits | cell_bit(cell));
  const Index miss = add_node(tree, search, split.missed, hits);
  tree.hit[pos(node)] = hit;
  tree.miss[pos(node)] = miss;
  return node;
}

}  // namespace

Split::Split(const HiddenBoards& boards, std::size_t cell) {
  for (const Hidden& board : boards) {
    const bool is_hit = (board.covered & cell_bit(cell)) != 0;
    (is_hit ? hit : missed).push_back(board);
    if (!is_hit) missed_weight += board.weight;
  }
}

StateKey key_of(const HiddenBoards& boards) {
  CellSet all = ~CellSet{0}, some = 0;
  for (const Hidden& board : boards) all &= board.covered, some |= board.covered;
  return {all, ~some};
}

MissBound::MissBound(const HitSets& sets, const Worth& worth, Images images)
    : sets_(sets), worth_(worth), images_(images) {
  for (std::size_t set = 0; set < sets.size(); ++set) set_of_.emplace(sets.hits(set), set);
}

std::int64_t MissBound::of_weight(CellSet hits, std::int64_t weight, std::size_t cap) const {
  CellSet least = hits;
  for (std::size_t first = 0; first < images_.size(); first += most_search_cells) {
    least = std::min(least, moved(hits, images_.subspan(first, most_search_cells)));
  }
  const auto worth = worth_.of(set_of_.at(least));
  std::int64_t best = 0;
  for (std::size_t m = worth_.most_misses - std::min(cap, worth_.most_misses); m < worth.size(); ++m) {
    best = std::max(best, static_cast<std::int64_t>(worth_.most_misses - m) * weight - worth[m]);
  }
  return best;
}

std::int64_t MissBound::of_boards(const HiddenBoards& boards, CellSet hits, std::size_t cap, std::size_t effort,
                                  const Progress& progress) const {
  const auto [place, image] = representative({hits, 0}, images_);
  std::vector<CellSet> rests;
  std::vector<std::int64_t> weights;
  std::int64_t all = 0;
  for (const Hidden& board : boards) {
    const CellSet rest = board.covered & ~hits;
    rests.push_back(image.empty() ? rest : moved(rest, image));
    weights.push_back(board.weight);
    all += board.weight;
  }
  Line line(sets_, worth_);
  line.start(set_of_.at(place.in_all), rests, weights);
  const std::size_t counted = std::min(cap, worth_.most_misses), slot = worth_.most_misses - counted;
  line.look(0, slot);
  const std::int64_t earned = effort > 1 ? line.search(slot, line.rest(slot), effort, progress) : line.rest(slot);
  return static_cast<std::int64_t>(counted) * all - earned;
}

// The shots that tell boards apart, the most promising first; of those that split the boards alike, one.
std::vector<ExactSearch::Shot> ExactSearch::shots(const HiddenBoards& boards, const StateKey& key,
                                                  std::size_t cap) const {
  std::vector<Shot> found;
  std::vector<StateKey> hit_keys;  // these say which boards are hit
  for_each_cell(~(key.in_all | key.in_none), [&](std::size_t cell) {
    CellSet in_hit = ~CellSet{0}, in_some_hit = 0, in_missed = ~CellSet{0};
    std::int64_t hit = 0, missed = 0;
    for (const Hidden& board : boards) {
      if ((board.covered & cell_bit(cell)) != 0) {
        in_hit &= board.covered;
        in_some_hit |= board.covered;
        hit += board.weight;
      } else {
        in_missed &= board.covered;
        missed += board.weight;
      }
    }
    const StateKey hit_key{in_hit, ~in_some_hit};
    if (std::find(hit_keys.begin(), hit_keys.end(), hit_key) != hit_keys.end()) return;
    hit_keys.push_back(hit_key);
    const std::int64_t missed_bound = bound_.of_weight(in_missed, missed, after_miss(cap));
    const std::int64_t hit_bound = bound_.of_weight(in_hit, hit, cap);
    found.push_back({missed + missed_bound + hit_bound, missed_bound, hit_bound, cell});
  });
  std::stable_sort(found.begin(), found.end(), [](const Shot& a, const Shot& b) { return a.bound < b.bound; });
  return found;
}

std::int64_t ExactSearch::solve(const HiddenBoards& boards, std::int64_t limit, std::size_t most_counted) {
  if (boards.size() <= 1 || most_counted == 0) return 0;
  const StateKey key = key_of(boards);
  const std::size_t cap = reached_cap(boards, key, most_counted);
  const auto [representing, image] = representative(key, images_);
  const Place place{representing, cap};
  if (const auto known = memory_.find(place); known != memory_.end()) {
    if (known->second.exact || known->second.lower > limit) return known->second.lower;
  }
  if (!progress_(static_cast<double>(memory_.size()))) throw Cancelled();
  std::int64_t best = limit, lower = INT64_MAX;
  std::size_t best_cell = most_search_cells;
  for (const Shot& shot : shots(boards, key, cap)) {
    const std::int64_t most = best_cell == most_search_cells ? best : best - 1;
    const std::int64_t value = shot.bound > most ? shot.bound : try_shot(boards, shot, most, cap);
    lower = std::min(lower, value);
    if (value > most) continue;
    best = value;
    best_cell = shot.cell;
  }
  Found& found = remember(place);
  found.exact = best_cell != most_search_cells;
  found.lower = found.exact ? best : std::max(found.lower, lower);
  if (found.exact) found.cell = image.empty() ? static_cast<std::uint8_t>(best_cell) : image[best_cell];
  return found.lower;
}

// What a shot costs if that is at most `limit`, else a lower bound above it.
std::int64_t ExactSearch::try_shot(const HiddenBoards& boards, const Shot& shot, std::int64_t limit,
                                   std::size_t cap) {
  const Split split(boards, shot.cell);
  const std::int64_t here = split.missed_weight;
  const std::size_t less = after_miss(cap);
  const std::int64_t least_missed = std::max(shot.missed_bound, known_lower(split.missed, less));
  if (here + shot.hit_bound + least_missed > limit) return here + shot.hit_bound + least_missed;
  const std::int64_t least_hit = std::max(shot.hit_bound, known_lower(split.hit, cap));
  if (here + least_hit + least_missed > limit) return here + least_hit + least_missed;
  const std::int64_t hit = solve(split.hit, limit - here - least_missed, cap);
  if (here + hit + least_missed > limit) return here + hit + least_missed;
  return here + hit + solve(split.missed, limit - here - hit, less);
}

// What is known of a state without searching it: what the memory says, or a bound, which is then remembered.
std::int64_t ExactSearch::known_lower(const HiddenBoards& boards, std::size_t most_counted) {
  if (boards.size() < fewest_for_lines) return 0;
  const StateKey key = key_of(boards);
  const std::size_t cap = reached_cap(boards, key, most_counted);
  const Place place{representative(key, images_).key, cap};
  if (const auto known = memory_.find(place); known != memory_.end()) return known->second.lower;
  const std::int64_t lower = bound_.of_boards(boards, key.in_all, cap, boards.size() / boards_per_line, progress_);
  return remember(place).lower = lower;
}

ExactSearch::Found& ExactSearch::remember(const Place& place) {
  if (memory_.size() >= most_states_ && !memory_.contains(place)) {
    throw TooLarge("the search has met more than " + std::to_string(most_states_) + " states");
  }
  return memory_[place];
}

std::size_t ExactSearch::best_cell(const HiddenBoards& boards) const {
  const StateKey key = key_of(boards);
  const auto [representing, image] = representative(key, images_);
  const std::size_t cell = memory_.at({representing, no_cap}).cell;
  if (image.empty()) return cell;
  return static_cast<std::size_t>(std::find(image.begin(), image.end(), cell) - image.begin());
}

ShotTree best_tree(const ExactSearch& search, const HiddenBoards& boards) {
  ShotTree tree;
  add_node(tree, search, boards, 0);
  return tree;
}

}  // namespace maxmin
