// Regret matching+ on a matrix game: strategies proportional to regrets that never fall below zero.
#pragma once

#include "maxmin/payoff_lines.hpp"

namespace maxmin {

// What one side carries from one iteration to the next, and scratch; caller-owned. All spans (n_plans,).
struct MatchingSide {
  PayoffLines lines;  // line k: what the row player gets with each of this side's plans against plan k
  double sign;        // 1 for the rows, -1 for the columns
  std::span<double> regrets, strategy, strategy_sum, payoffs;
};

// Run iterations first, first + 1, ... in which first the rows and then the columns respond; iteration t enters the
// averages with weight t. Returns how many were done, which is fewer if progress (told the number done) says stop.
std::size_t regret_matching(const MatchingSide& rows, const MatchingSide& columns, std::size_t first,
                            std::size_t iterations, const Progress& progress);

}  // namespace maxmin
