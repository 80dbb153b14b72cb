#include "maxmin/board_search.hpp"

#include <algorithm>
#include <string>

namespace maxmin {
namespace {

using Images = std::span<const std::uint8_t>;

constexpr std::size_t most_sets = 10'000'000;
constexpr std::size_t most_misses = 16;  // K of the bound that lookahead and endgames use

HiddenBoards hidden(const BoardsView& view) {
  HiddenBoards boards;
  boards.reserve(view.covered.size());
  for (std::size_t i = 0; i < view.covered.size(); ++i) boards.push_back({view.covered[i], view.weight[i]});
  return boards;
}

std::vector<std::int64_t> quick_worth(const HitSets& sets) {
  std::vector<std::int64_t> values(sets.size() * (most_misses + 1));
  const Worth worth{values, most_misses};
  start_worth(sets, worth);
  lower_worth(sets, worth, 0, sets.size(), 0, 1, [](double) { return true; });
  return values;
}

// The weight of the boards that cover each cell.
std::array<std::int64_t, most_search_cells> hit_weights(const HiddenBoards& boards, CellSet cells) {
  std::array<std::int64_t, most_search_cells> weight{};
  for (const Hidden& board : boards) {
    for_each_cell(board.covered & cells, [&](std::size_t cell) { weight[cell] += board.weight; });
  }
  return weight;
}

std::vector<std::size_t> likeliest(const HiddenBoards& boards, const StateKey& key, std::size_t most) {
  const CellSet open = ~(key.in_all | key.in_none);
  const auto weight = hit_weights(boards, open);
  std::vector<std::size_t> cells;
  for_each_cell(open, [&](std::size_t cell) { cells.push_back(cell); });
  std::stable_sort(cells.begin(), cells.end(), [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });
  if (cells.size() > most) cells.resize(most);
  return cells;
}

}  // namespace

BoardSearch::BoardSearch(const BoardsView& boards, Images images, const SearchOptions& options,
                         std::size_t most_states)
    : boards_(hidden(boards)), images_(images.begin(), images.end()), options_(options), most_states_(most_states),
      sets_(boards, images_, most_sets, [](double) { return true; }), worth_(quick_worth(sets_)),
      bound_(sets_, Worth{worth_, most_misses}, images_),
      endgame_(bound_, {}, most_states, progress_) {}

std::size_t BoardSearch::choose(CellSet hits, CellSet misses, const Progress& progress) {
  progress_ = [&progress](double done) { return progress(done); };
  HiddenBoards left;
  for (const Hidden& board : boards_) {
    if ((board.covered & misses) == 0 && (hits & ~board.covered) == 0) left.push_back(board);
  }
  if (left.empty()) return most_search_cells;
  const CellSet sure = key_of(left).in_all & ~hits;
  if (sure != 0) return first_cell(sure);
  if (left.size() == 1) return most_search_cells;
  if (left.size() <= options_.endgame) return play_exactly(left).cell;
  return options_.depth > 0 ? look_ahead(left, hits, options_.depth).cell : play(left, options_.nesting).cell;
}

// The misses of a policy from here on, and its shot: 0 is greedy, each further one the rollout of the one before.
BoardSearch::Played BoardSearch::play(const HiddenBoards& boards, std::size_t nesting) {
  if (boards.size() <= 1) return {0, most_search_cells};
  if (boards.size() <= options_.endgame) return play_exactly(boards);
  const StateKey key = key_of(boards);
  if (const auto known = memory_[nesting].find(key); known != memory_[nesting].end()) return known->second;
  if (!progress_(static_cast<double>(remembered()))) throw Cancelled();
  if (remembered() >= most_states_) {
    throw TooLarge("the search has met more than " + std::to_string(most_states_) + " states");
  }
  return memory_[nesting][key] = roll_out(boards, key, nesting);
}

BoardSearch::Played BoardSearch::roll_out(const HiddenBoards& boards, const StateKey& key, std::size_t nesting) {
  Played best{INT64_MAX, most_search_cells};
  for (const std::size_t cell : likeliest(boards, key, nesting == 0 ? 1 : options_.width)) {
    const Split split(boards, cell);
    const std::size_t base = nesting == 0 ? 0 : nesting - 1;
    const std::int64_t misses = split.missed_weight + play(split.hit, base).misses + play(split.missed, base).misses;
    if (misses < best.misses) best = {misses, cell};
  }
  if (nesting == 0) return best;
  // The shot was found with what would follow by the simpler policy; what does follow is no worse.
  const Split split(boards, best.cell);
  best.misses = split.missed_weight + play(split.hit, nesting).misses + play(split.missed, nesting).misses;
  return best;
}

BoardSearch::Played BoardSearch::play_exactly(const HiddenBoards& boards) {
  const std::int64_t misses = endgame_.solve(boards, INT64_MAX / 4);
  return {misses, endgame_.best_cell(boards)};
}

BoardSearch::Played BoardSearch::look_ahead(const HiddenBoards& boards, CellSet hits, std::size_t depth) {
  const StateKey key = key_of(boards);
  const CellSet open = ~(key.in_all | key.in_none);
  const auto weight = hit_weights(boards, open);
  std::int64_t all = 0;
  for (const Hidden& board : boards) all += board.weight;
  Played best{INT64_MAX, most_search_cells};
  for_each_cell(open, [&](std::size_t cell) {
    const CellSet with = hits | key.in_all | cell_bit(cell);
    std::int64_t misses = all - weight[cell];
    if (depth == 1) {
      misses += bound_.of_weight(with, weight[cell]) + bound_.of_weight(hits | key.in_all, all - weight[cell]);
    } else {
      if (!progress_(static_cast<double>(depth))) throw Cancelled();
      const Split split(boards, cell);
      misses += estimate(split.hit, with, depth - 1) + estimate(split.missed, hits | key.in_all, depth - 1);
    }
    if (misses < best.misses) best = {misses, cell};
  });
  return best;
}

std::int64_t BoardSearch::estimate(const HiddenBoards& boards, CellSet hits, std::size_t depth) {
  if (boards.size() <= 1) return 0;
  if (boards.size() <= options_.endgame) return play_exactly(boards).misses;
  return look_ahead(boards, hits, depth).misses;
}

std::size_t BoardSearch::remembered() const {
  std::size_t total = 0;
  for (const Memory& memory : memory_) total += memory.size();
  return total;
}

}  // namespace maxmin
