#include <algorithm>

#include "check.hpp"
#include "maxmin/multiset_response.hpp"

namespace {

using maxmin::Index;
using maxmin::pos;

bool always(double) { return true; }

// A grid of m points and moments of a weight that is 1 + 2 i between points i and i + 1.
struct Example {
  std::vector<double> grid, moments;

  Example(std::size_t m, std::size_t n) {
    for (std::size_t i = 0; i < m; ++i) grid.push_back(static_cast<double>(i) / static_cast<double>(m - 1));
    for (std::size_t j = 0; j <= n; ++j) {
      const double e = static_cast<double>(j + 1);
      double sum = 0;
      moments.push_back(0);
      for (std::size_t i = 0; i + 1 < m; ++i) {
        sum += (1 + 2 * static_cast<double>(i)) * (std::pow(grid[i + 1], e) - std::pow(grid[i], e)) / e;
        moments.push_back(sum);
      }
    }
  }
  maxmin::MultisetLoss view(double hold, double drop) const { return {grid, moments, hold, drop}; }
};

double moment(const maxmin::MultisetLoss& loss, std::size_t j, std::size_t at) {
  return loss.moments[j * loss.grid.size() + at];
}

// The loss of a multiset, term by term as the header has it.
double loss_of(const maxmin::MultisetLoss& loss, const std::vector<Index>& thresholds) {
  const std::size_t n = thresholds.size();
  double held = 0, product = 1, won = 0, above = 1;
  for (const Index at : thresholds) held += 1 - loss.grid[pos(at)], product *= loss.grid[pos(at)];
  for (std::size_t j = n + 1; j-- > 0;) {
    const std::size_t high = j < n ? pos(thresholds[j]) : loss.grid.size() - 1;
    if (j < n) above *= loss.grid[high];
    won += above * (moment(loss, j, high) - (j > 0 ? moment(loss, j, pos(thresholds[j - 1])) : 0));
  }
  return loss.hold * held + loss.drop * product + won;
}

// The least loss over all multisets that go on from `chosen`.
double least(const maxmin::MultisetLoss& loss, std::size_t n, std::vector<Index> chosen) {
  if (chosen.size() == n) return loss_of(loss, chosen);
  double best = HUGE_VAL;
  const Index first = chosen.empty() ? 0 : chosen.back();
  for (Index next = first; pos(next) < loss.grid.size(); ++next) {
    chosen.push_back(next);
    best = std::min(best, least(loss, n, chosen));
    chosen.pop_back();
  }
  return best;
}

}  // namespace

TEST(the_search_finds_the_best_of_all_multisets) {
  for (std::size_t n = 1; n <= 4; ++n)
    for (const double hold : {-3.0, 0.0, 2.0, 9.0})
      for (const double drop : {-5.0, 0.0, 1.0, 7.0}) {
        const Example example(9, n);
        const maxmin::MultisetLoss loss = example.view(hold, drop);
        const maxmin::MultisetResponse found = maxmin::best_multiset(loss, n, 1 << 20, always);
        CHECK(found.thresholds.size() == n);
        CHECK_NEAR(found.loss, least(loss, n, {}), 1e-12);
        CHECK_NEAR(found.loss, loss_of(loss, found.thresholds), 1e-12);
      }
}

TEST(two_grid_points_are_a_grid) {
  const Example example(2, 3);
  const maxmin::MultisetResponse found = maxmin::best_multiset(example.view(1, 0), 3, 1 << 20, always);
  CHECK_NEAR(found.loss, least(example.view(1, 0), 3, {}), 1e-15);
}

TEST(a_search_stops_when_told_and_refuses_what_does_not_fit) {
  const Example example(9, 3);
  CHECK_THROWS(maxmin::best_multiset(example.view(1, 1), 3, 1 << 20, [](double) { return false; }), maxmin::Cancelled);
  CHECK_THROWS(maxmin::best_multiset(example.view(1, 1), 3, 8, always), maxmin::TooLarge);
}
