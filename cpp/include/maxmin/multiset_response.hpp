// The best answer of a coalition in guts on a grid: the multiset of thresholds that loses the least, found exactly.
//
// Against any mixture of the other side, thresholds q_1 <= ... <= q_n of one's own side (q_0 = 0, q_{n+1} = 1) lose
//
//   hold * sum_j (1 - q_j)  +  drop * product_j q_j  +  sum_{j=0..n} T_j * (J_j(q_{j+1}) - J_j(q_j)),
//
// T_j = q_{j+1} ... q_n, where J_j(t) is the integral from 0 to t of s^j w(s) ds and w belongs to the mixture.
#pragma once

#include "maxmin/core.hpp"

namespace maxmin {

struct MultisetLoss {
  std::span<const double> grid;     // (m,) thresholds in ascending order; the last is 1
  std::span<const double> moments;  // (n + 1, m) J_j at each threshold, row j after row j - 1
  double hold = 0, drop = 0;
};

struct MultisetResponse {
  double loss = 0;
  std::vector<Index> thresholds;  // (n,) positions on the grid, ascending
};

// Return the multiset of `n` >= 1 thresholds with the least loss. `progress` is told the share of the grid done.
// Throws TooLarge above `most_bytes`, Cancelled if progress says stop.
MultisetResponse best_multiset(const MultisetLoss& loss, std::size_t n, std::size_t most_bytes,
                               const Progress& progress);

}  // namespace maxmin
