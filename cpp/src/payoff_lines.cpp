#include "maxmin/payoff_lines.hpp"

#include <algorithm>
#include <limits>

#include "maxmin/vectorize.hpp"

namespace maxmin {
namespace {

constexpr std::size_t kLanes = 16;   // running maxima side by side, so that they fit into vector registers
constexpr std::size_t kBlock = 512;  // the place of a maximum is looked for in its block only
constexpr double kLeast = -std::numeric_limits<double>::infinity();

MAXMIN_VECTORIZE
void add_dense(const double* line, double weight, double* payoffs, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) payoffs[i] += weight * line[i];
}

MAXMIN_VECTORIZE
double largest_of(const double* payoffs, std::size_t n) {
  double lanes[kLanes];
  std::fill(lanes, lanes + kLanes, kLeast);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = payoffs[i + k] > lanes[k] ? payoffs[i + k] : lanes[k];
  }
  for (; i < n; ++i) lanes[0] = std::max(lanes[0], payoffs[i]);
  return *std::max_element(lanes, lanes + kLanes);
}

// The first place, given that block's largest payoff.
Largest place_in(std::span<const double> payoffs, std::size_t block, double largest) {
  const auto first = payoffs.begin() + static_cast<std::ptrdiff_t>(block);
  const auto found = std::find(first, payoffs.end(), largest);
  return {static_cast<std::size_t>(found - payoffs.begin()), largest};
}

}  // namespace

void add_line(const PayoffLines& lines, std::size_t k, double weight, std::span<double> payoffs) {
  if (lines.start.empty()) {
    add_dense(lines.value.data() + k * lines.length, weight, payoffs.data(), lines.length);
    return;
  }
  for (std::int64_t e = lines.start[k]; e < lines.start[k + 1]; ++e) {
    const auto entry = static_cast<std::size_t>(e);
    payoffs[pos(lines.index[entry])] += weight * lines.value[entry];
  }
}

Largest find_largest(std::span<const double> payoffs) {
  std::size_t block = 0;
  double largest = kLeast;
  for (std::size_t first = 0; first < payoffs.size(); first += kBlock) {
    const double here = largest_of(payoffs.data() + first, std::min(kBlock, payoffs.size() - first));
    if (here > largest) {
      largest = here;
      block = first;
    }
  }
  return place_in(payoffs, block, largest);
}

Largest add_line_and_find(const PayoffLines& lines, std::size_t k, double weight, std::span<double> payoffs) {
  if (!lines.start.empty()) {
    add_line(lines, k, weight, payoffs);
    return find_largest(payoffs);
  }
  const double* const line = lines.value.data() + k * lines.length;
  std::size_t block = 0;
  double largest = kLeast;
  for (std::size_t first = 0; first < payoffs.size(); first += kBlock) {
    const std::size_t n = std::min(kBlock, payoffs.size() - first);
    add_dense(line + first, weight, payoffs.data() + first, n);
    const double here = largest_of(payoffs.data() + first, n);  // while the block is in the cache
    if (here > largest) {
      largest = here;
      block = first;
    }
  }
  return place_in(payoffs, block, largest);
}

}  // namespace maxmin
