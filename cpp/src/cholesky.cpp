#include "maxmin/cholesky.hpp"

#include "maxmin/vectorize.hpp"

namespace maxmin {
namespace {

constexpr std::size_t kLanes = 16;  // partial sums side by side, so that they fit into vector registers

MAXMIN_VECTORIZE
double dot(const double* a, const double* b, std::size_t n) {
  double lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += a[i + k] * b[i + k];
  }
  double sum = 0;
  for (; i < n; ++i) sum += a[i] * b[i];
  for (const double lane : lanes) sum += lane;
  return sum;
}

MAXMIN_VECTORIZE
void subtract(const double* a, double factor, double* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) b[i] -= factor * a[i];
}

}  // namespace

void solve_by_cholesky(std::span<const double> factor, std::span<double> b) {
  const std::size_t n = b.size();
  const double* const rows = factor.data();
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = (b[i] - dot(rows + i * n, b.data(), i)) / rows[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {  // L' by rows is L by columns: take what is known out of all others at once
    b[i] /= rows[i * n + i];
    subtract(rows + i * n, b[i], b.data(), i);
  }
}

}  // namespace maxmin
