#include "maxmin/fleet.hpp"

#include <algorithm>
#include <bit>

#include "maxmin/bitboard.hpp"
#include "maxmin/random.hpp"

namespace maxmin {
namespace {

constexpr std::size_t kMostMatrixBytes = std::size_t{1} << 30;
constexpr std::size_t kPollEvery = 4096;
constexpr std::size_t kMostAttempts = 1'000'000;
constexpr std::size_t kStepsEach = 20, kDeadSteps = 5'000'000;

// The placements that are left for the next pieces, one bit set for each depth of the search.
class Search {
 public:
  explicit Search(const FleetView& fleet)
      : fleet_(fleet), compatibility_(fleet), left_((fleet.n_pieces() + 1) * compatibility_.words()) {
    std::fill(left_.begin(), left_.end(), ~std::uint64_t{0});
  }

  std::size_t words() const { return compatibility_.words(); }
  std::uint64_t* left(std::size_t depth) { return left_.data() + depth * words(); }

  void lay(std::size_t depth, std::size_t placement) {
    const Words row = compatibility_.beside(placement);
    const std::uint64_t* const from = left(depth);
    std::uint64_t* const to = left(depth + 1);
    for (std::size_t w = 0; w < words(); ++w) to[w] = from[w] & row[w];
  }

  // The first placement of the piece's kind that a set without order may use: behind its twin before it.
  std::size_t first(std::size_t depth, bool ordered, std::size_t previous) const {
    const bool twin = !ordered && depth > 0 && fleet_.order[depth] == fleet_.order[depth - 1];
    return twin ? previous + 1 : pos(fleet_.kind_start[pos(fleet_.order[depth])]);
  }
  std::size_t last(std::size_t depth) const { return pos(fleet_.kind_start[pos(fleet_.order[depth]) + 1]); }

  std::size_t count(std::size_t depth, std::size_t from, std::size_t to) {
    std::size_t sum = 0;
    for_words(depth, from, to, [&](std::size_t, std::uint64_t bits) {
      sum += static_cast<std::size_t>(std::popcount(bits));
    });
    return sum;
  }

  template <typename F>
  void for_each(std::size_t depth, std::size_t from, std::size_t to, F&& f) {
    for_words(depth, from, to, [&](std::size_t w, std::uint64_t bits) {
      for (; bits != 0; bits &= bits - 1) f(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    });
  }

 private:
  template <typename F>
  void for_words(std::size_t depth, std::size_t from, std::size_t to, F&& f) {
    if (from >= to) return;
    const std::uint64_t* const bits = left(depth);
    const std::size_t first_word = from / 64, last_word = (to - 1) / 64;
    for (std::size_t w = first_word; w <= last_word; ++w) {
      std::uint64_t word = bits[w];
      if (w == first_word) word &= ~std::uint64_t{0} << (from % 64);
      if (w == last_word) word &= ~std::uint64_t{0} >> (63 - (to - 1) % 64);
      f(w, word);
    }
  }

  const FleetView& fleet_;
  Compatibility compatibility_;
  std::vector<std::uint64_t> left_;
};

template <std::size_t W>
class Lister {
 public:
  Lister(const FleetView& fleet, bool sequential, std::size_t limit, const Progress& progress)
      : fleet_(fleet), search_(fleet), sequential_(sequential), limit_(limit), progress_(progress) {}

  Configurations run() {
    lay(0, 0, {}, 1);
    return std::move(found_);
  }

 private:
  void lay(std::size_t depth, std::size_t previous, const Bitboard<W>& covered, double weight) {
    if (++steps_ > kStepsEach * found_.weights.size() + kDeadSteps) {
      throw TooLarge("the patterns are so crowded that listing the ways to lay them takes too long");
    }
    if (steps_ % kPollEvery == 0 && !progress_(static_cast<double>(found_.weights.size()))) throw Cancelled();
    if (depth == fleet_.n_pieces()) return add(covered, weight);
    const std::size_t from = search_.first(depth, sequential_, previous), to = search_.last(depth);
    const double share = sequential_ ? weight / static_cast<double>(search_.count(depth, from, to)) : weight;
    search_.for_each(depth, from, to, [&](std::size_t placement) {
      search_.lay(depth, placement);
      lay(depth + 1, placement, covered | Bitboard<W>::from(fleet_.masks.data() + placement * W), share);
    });
  }

  void add(const Bitboard<W>& covered, double weight) {
    if (found_.weights.size() == limit_) {
      throw TooLarge("there are more than " + std::to_string(limit_) + " ways to lay the patterns");
    }
    found_.masks.insert(found_.masks.end(), covered.words.begin(), covered.words.end());
    found_.weights.push_back(weight);
  }

  const FleetView& fleet_;
  Search search_;
  bool sequential_;
  std::size_t limit_, steps_ = 0;
  const Progress& progress_;
  Configurations found_;
};

// Draws boards; an attempt that leaves no room for a piece is given up as a whole.
template <std::size_t W>
class Drawer {
 public:
  Drawer(const FleetView& fleet, bool sequential, std::uint64_t seed)
      : fleet_(fleet), search_(fleet), sequential_(sequential), random_(seed) {}

  Bitboard<W> draw() {
    for (std::size_t attempt = 0; attempt < kMostAttempts; ++attempt) {
      Bitboard<W> covered;
      if (attempt_all(covered)) return covered;
    }
    throw TooLarge("the patterns are too crowded to draw boards at random");
  }

 private:
  bool attempt_all(Bitboard<W>& covered) {
    for (std::size_t depth = 0; depth < fleet_.n_pieces(); ++depth) {
      std::size_t placement = 0;
      if (!(sequential_ ? pick_left(depth, placement) : pick_any(depth, placement))) return false;
      search_.lay(depth, placement);
      covered = covered | Bitboard<W>::from(fleet_.masks.data() + placement * W);
    }
    return true;
  }

  bool pick_any(std::size_t depth, std::size_t& placement) {
    const std::size_t from = search_.first(depth, true, 0);
    placement = from + random_.below(search_.last(depth) - from);
    return (search_.left(depth)[placement / 64] >> (placement % 64)) & 1;
  }

  bool pick_left(std::size_t depth, std::size_t& placement) {
    const std::size_t from = search_.first(depth, true, 0), to = search_.last(depth);
    const std::size_t n = search_.count(depth, from, to);
    if (n == 0) return false;
    std::size_t skip = random_.below(n);
    search_.for_each(depth, from, to, [&](std::size_t each) {
      if (skip-- == 0) placement = each;
    });
    return true;
  }

  const FleetView& fleet_;
  Search search_;
  bool sequential_;
  Random random_;
};

}  // namespace

Compatibility::Compatibility(const FleetView& fleet) : words_((fleet.n_placements() + 63) / 64) {
  if (fleet.n_placements() * words_ * 8 > kMostMatrixBytes) {
    throw TooLarge(std::to_string(fleet.n_placements()) + " placements are too many to compare with each other");
  }
  const auto board = [&](Words boards, std::size_t p) { return boards.subspan(p * fleet.words, fleet.words); };
  covering_.resize(64 * fleet.words * words_);
  for (std::size_t p = 0; p < fleet.n_placements(); ++p) {
    for_each_bit(board(fleet.masks, p), [&](std::size_t cell) {
      covering_[cell * words_ + p / 64] |= std::uint64_t{1} << (p % 64);
    });
  }
  beside_.assign(fleet.n_placements() * words_, ~std::uint64_t{0});
  for (std::size_t p = 0; p < fleet.n_placements(); ++p) {
    std::uint64_t* const row = beside_.data() + p * words_;
    for_each_bit(board(fleet.blocked, p), [&](std::size_t cell) {
      for (std::size_t w = 0; w < words_; ++w) row[w] &= ~covering_[cell * words_ + w];
    });
  }
}

Configurations enumerate_configurations(const FleetView& fleet, bool sequential, std::size_t limit,
                                        const Progress& progress) {
  return with_width(fleet.words, [&](auto width) { return Lister<width>(fleet, sequential, limit, progress).run(); });
}

std::vector<std::uint64_t> draw_configurations(const FleetView& fleet, bool sequential, std::size_t n,
                                               std::uint64_t seed, const Progress& progress) {
  return with_width(fleet.words, [&](auto width) {
    Drawer<width> drawer(fleet, sequential, seed);
    std::vector<std::uint64_t> masks;
    masks.reserve(n * width);
    for (std::size_t i = 0; i < n; ++i) {
      const auto covered = drawer.draw();
      masks.insert(masks.end(), covered.words.begin(), covered.words.end());
      if (i % kPollEvery == 0 && !progress(static_cast<double>(i))) throw Cancelled();
    }
    return masks;
  });
}

}  // namespace maxmin
