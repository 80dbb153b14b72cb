#include "maxmin/posterior.hpp"

#include <algorithm>
#include <bit>

#include "maxmin/bitboard.hpp"
#include "maxmin/vectorize.hpp"

namespace maxmin {
namespace {

constexpr std::size_t kPollEvery = 256;

MAXMIN_VECTORIZE
void keep(const std::uint64_t* covering, bool covered, std::uint64_t* left, std::size_t n) {
  const std::uint64_t flip = covered ? 0 : ~std::uint64_t{0};
  for (std::size_t i = 0; i < n; ++i) left[i] &= covering[i] ^ flip;
}

template <std::size_t W>
double add_up(Words masks, std::span<const double> weights, std::span<const std::uint64_t> left, double* out) {
  double total = 0;
  for (std::size_t block = 0; block < left.size(); ++block) {
    for (std::uint64_t rest = left[block]; rest != 0; rest &= rest - 1) {
      const std::size_t i = block * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      const double weight = weights[i];
      total += weight;
      for_each_bit(Bitboard<W>::from(masks.data() + i * W).words, [&](std::size_t cell) { out[cell] += weight; });
    }
  }
  return total;
}

}  // namespace

ConfigurationIndex::ConfigurationIndex(Words masks, std::span<const double> weights, std::size_t n_cells,
                                       std::size_t words)
    : masks_(masks), weights_(weights), n_cells_(n_cells), words_(words), blocks_((weights.size() + 63) / 64),
      covering_(n_cells * blocks_) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for_each_bit(masks.subspan(i * words, words), [&](std::size_t cell) {
      covering_[cell * blocks_ + i / 64] |= std::uint64_t{1} << (i % 64);
    });
  }
}

void ConfigurationIndex::posteriors(Words hits, Words misses, std::span<double> out, std::span<double> total,
                                    const Progress& progress) const {
  std::vector<std::uint64_t> left(blocks_);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t state = 0; state < total.size(); ++state) {
    const auto here = out.subspan(state * n_cells_, n_cells_);
    agree(hits.subspan(state * words_, words_), misses.subspan(state * words_, words_), left);
    total[state] = sum(left, here);
    if (total[state] > 0) {
      for (double& each : here) each /= total[state];
    }
    if (state % kPollEvery == 0 && !progress(static_cast<double>(state))) throw Cancelled();
  }
}

void ConfigurationIndex::agree(Words hits, Words misses, std::span<std::uint64_t> left) const {
  std::fill(left.begin(), left.end(), ~std::uint64_t{0});
  if (weights_.size() % 64 != 0) left.back() = (std::uint64_t{1} << (weights_.size() % 64)) - 1;
  for_each_bit(hits, [&](std::size_t cell) { keep(covering_.data() + cell * blocks_, true, left.data(), blocks_); });
  for_each_bit(misses, [&](std::size_t cell) { keep(covering_.data() + cell * blocks_, false, left.data(), blocks_); });
}

double ConfigurationIndex::sum(std::span<const std::uint64_t> left, std::span<double> out) const {
  return with_width(words_, [&](auto width) { return add_up<width>(masks_, weights_, left, out.data()); });
}

}  // namespace maxmin
