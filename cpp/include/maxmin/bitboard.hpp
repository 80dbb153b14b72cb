// A set of cells of a board as W words of 64 bits: cell i is bit i % 64 of word i / 64.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace maxmin {

// Calls f(i) for every bit i that is set, in order.
template <typename F>
void for_each_bit(std::span<const std::uint64_t> words, F&& f) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
      f(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

template <std::size_t W>
struct Bitboard {
  std::array<std::uint64_t, W> words{};

  static Bitboard from(const std::uint64_t* data) {
    Bitboard board;
    for (std::size_t w = 0; w < W; ++w) board.words[w] = data[w];
    return board;
  }

  friend Bitboard operator|(Bitboard a, const Bitboard& b) {
    for (std::size_t w = 0; w < W; ++w) a.words[w] |= b.words[w];
    return a;
  }
};

// Calls f with std::integral_constant<std::size_t, W> for the smallest supported W >= words (at most 16).
template <typename F>
auto with_width(std::size_t words, F&& f) {
  if (words <= 1) return f(std::integral_constant<std::size_t, 1>{});
  if (words <= 2) return f(std::integral_constant<std::size_t, 2>{});
  if (words <= 4) return f(std::integral_constant<std::size_t, 4>{});
  return f(std::integral_constant<std::size_t, 16>{});
}

}  // namespace maxmin
