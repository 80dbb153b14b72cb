// A matrix game as iterative methods see it: what each plan of a side gets, a line for each plan of the other side.
#pragma once

#include "maxmin/core.hpp"

namespace maxmin {

// The lines of a matrix, dense (start and index are empty) or sparse (entries of line k: start[k] .. start[k + 1]).
struct PayoffLines {
  std::size_t length = 0;  // entries of a line, zeros included
  std::span<const double> value;
  std::span<const std::int64_t> start;
  Indices index;
};

// The place of the largest of some payoffs, the first of them if there are several.
struct Largest {
  std::size_t place = 0;
  double payoff = 0;
};

// payoffs += weight * line k.
void add_line(const PayoffLines& lines, std::size_t k, double weight, std::span<double> payoffs);

Largest find_largest(std::span<const double> payoffs);

// Both of the above in one pass over dense payoffs.
Largest add_line_and_find(const PayoffLines& lines, std::size_t k, double weight, std::span<double> payoffs);

// How many iterations of so much work, in entries touched, may pass between two looks at the clock.
constexpr std::size_t iterations_between_looks(std::size_t work) { return 1 + (std::size_t{1} << 17) / (work + 1); }

}  // namespace maxmin
