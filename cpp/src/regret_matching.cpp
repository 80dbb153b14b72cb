#include "maxmin/regret_matching.hpp"

#include <algorithm>

#include "maxmin/vectorize.hpp"

namespace maxmin {
namespace {

// What each plan gets against a mixture; plans that are not played cost nothing.
void find_payoffs(const MatchingSide& side, std::span<const double> opponent) {
  std::fill(side.payoffs.begin(), side.payoffs.end(), 0.0);
  for (std::size_t k = 0; k < opponent.size(); ++k) {
    if (opponent[k] != 0) add_line(side.lines, k, side.sign * opponent[k], side.payoffs);
  }
}

MAXMIN_VECTORIZE
void update_strategy(const MatchingSide& side, double weight) {
  const std::size_t n = side.regrets.size();
  double* const regrets = side.regrets.data();
  double* const strategy = side.strategy.data();
  const double* const payoffs = side.payoffs.data();
  double worth = 0, total = 0;
  for (std::size_t i = 0; i < n; ++i) worth += strategy[i] * payoffs[i];
  for (std::size_t i = 0; i < n; ++i) {
    const double regret = regrets[i] + (payoffs[i] - worth);
    regrets[i] = regret > 0 ? regret : 0;
    total += regrets[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    strategy[i] = total > 0 ? regrets[i] / total : 1 / static_cast<double>(n);
    side.strategy_sum[i] += weight * strategy[i];
  }
}

}  // namespace

std::size_t regret_matching(const MatchingSide& rows, const MatchingSide& columns, std::size_t first,
                            std::size_t iterations, const Progress& progress) {
  const std::size_t stride = iterations_between_looks(rows.lines.value.size());
  for (std::size_t t = 1; t <= iterations; ++t) {
    const auto weight = static_cast<double>(first + t - 1);
    find_payoffs(rows, columns.strategy);
    update_strategy(rows, weight);
    find_payoffs(columns, rows.strategy);
    update_strategy(columns, weight);
    if (t % stride == 0 && !progress(static_cast<double>(t))) return t;
  }
  return iterations;
}

}  // namespace maxmin
