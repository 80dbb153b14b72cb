#include "maxmin/hit_sets.hpp"

#include <numeric>
#include <string>
#include <unordered_map>

namespace maxmin {
namespace {

using Images = std::span<const std::uint8_t>;

struct Representative {
  CellSet set;
  Images image;  // what sends the set there; empty for the identity
};

// The smallest of a set's images stands for all of them.
Representative representative(CellSet set, Images images) {
  Representative best{set, {}};
  for (std::size_t first = 0; first < images.size(); first += most_search_cells) {
    const Images image = images.subspan(first, most_search_cells);
    const CellSet other = moved(set, image);
    if (other < best.set) best = {other, image};
  }
  return best;
}

}  // namespace

HitSets::HitSets(const BoardsView& boards, Images images, std::size_t most_sets, const Progress& progress)
    : hits_{0}, rest_(boards.covered.begin(), boards.covered.end()),
      weight_(boards.weight.begin(), boards.weight.end()), edge_start_{0}, rest_start_{0, boards.covered.size()} {
  total_weight_.push_back(std::accumulate(weight_.begin(), weight_.end(), std::int64_t{0}));
  for (std::size_t first = 0; first < hits_.size();) {
    const std::size_t last = hits_.size();
    add_level(first, last, images, most_sets);
    if (!progress(static_cast<double>(hits_.size()))) throw Cancelled();
    first = last;
  }
}

// Add the sets of one hit more than the sets first .. last - 1 have.
void HitSets::add_level(std::size_t first, std::size_t last, Images images, std::size_t most_sets) {
  std::unordered_map<CellSet, std::uint32_t> known;
  for (std::size_t set = first; set < last; ++set) {
    CellSet open = 0;
    for (const CellSet rest : rests(set)) open |= rest;
    for_each_cell(open, [&](std::size_t cell) {
      const auto [next, image] = representative(hits_[set] | cell_bit(cell), images);
      const auto [found, is_new] = known.try_emplace(next, static_cast<std::uint32_t>(hits_.size()));
      edge_cell_.push_back(static_cast<std::uint8_t>(cell));
      edge_set_.push_back(found->second);
      if (!is_new) return;
      if (hits_.size() >= most_sets) {
        throw TooLarge("there are more than " + std::to_string(most_sets) + " sets of cells that may be the hits");
      }
      hits_.push_back(next);
      std::int64_t total = 0;
      for (std::size_t i = rest_start_[set]; i < rest_start_[set + 1]; ++i) {
        if ((rest_[i] & cell_bit(cell)) == 0) continue;
        const CellSet rest = rest_[i] ^ cell_bit(cell);
        rest_.push_back(image.empty() ? rest : moved(rest, image));
        weight_.push_back(weight_[i]);
        total += weight_[i];
      }
      rest_start_.push_back(rest_.size());
      total_weight_.push_back(total);
    });
    edge_start_.push_back(edge_cell_.size());
  }
}

}  // namespace maxmin
