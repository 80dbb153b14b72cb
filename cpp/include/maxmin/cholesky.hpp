// Solving equations by a Cholesky factor that is already there (LAPACK's, through NumPy).
#pragma once

#include "maxmin/core.hpp"

namespace maxmin {

// Solve L L' z = b in place: `factor` is L by rows, (n, n), of which only the lower triangle is read; b is (n,).
void solve_by_cholesky(std::span<const double> factor, std::span<double> b);

}  // namespace maxmin
