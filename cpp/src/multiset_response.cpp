// A dynamic program over thresholds in ascending order. When j of them are chosen, the last at grid point a, the loss
// is  fixed + factor * (scaled - J_j(a)) + (terms of the thresholds to come),  where `factor` in [0, 1] is the product
// of those still to come:
//
//   choose b:   scaled <- b * (scaled - J_j(a) + J_j(b)),   fixed <- fixed + hold * (1 - b).
//
// Whatever follows, only the lower convex hull of the points (scaled - J_j(a), fixed), over all a up to b, can be
// best for a factor in [0, 1]; and since thresholds ascend, k more of them from b on have a factor of at least b^k.
// One hull for each j is kept and grows with b, so that all multisets are searched while few are looked at.
#include "maxmin/multiset_response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace maxmin {
namespace {

constexpr Index kNone = -1;

// The last threshold chosen, and the choice before it.
struct Choice {
  Index before, threshold;
};

struct Point {
  double scaled, fixed;
  Index before;          // the choices that lead to it ...
  Index choice = kNone;  // ... and, once it is kept, its own
};

using Hull = std::vector<Point>;  // scaled ascending, fixed descending, convex

// Whether b is not below the line from a to c.
bool above_line(const Point& a, const Point& b, const Point& c) {
  return (b.fixed - a.fixed) * (c.scaled - a.scaled) >= (c.fixed - a.fixed) * (b.scaled - a.scaled);
}

// Add the next point, in ascending order of `scaled`, to the hull of those before it.
void extend(Hull& hull, const Point& point) {
  if (!hull.empty() && point.fixed >= hull.back().fixed) return;  // no better at any factor
  while (!hull.empty() && point.scaled + point.fixed <= hull.back().scaled + hull.back().fixed) hull.pop_back();
  while (hull.size() > 1 && above_line(hull[hull.size() - 2], hull.back(), point)) hull.pop_back();
  hull.push_back(point);
}

// Drop what is best only for factors below the least one that can still come.
void cut(Hull& hull, double least_factor) {
  while (hull.size() > 1) {
    const Point &last = hull.back(), &before = hull[hull.size() - 2];
    if (last.fixed + least_factor * last.scaled < before.fixed + least_factor * before.scaled) return;
    hull.pop_back();
  }
}

class Search {
 public:
  Search(const MultisetLoss& loss, std::size_t n, std::size_t most_bytes)
      : loss_(loss),
        n_(n),
        most_choices_(std::min(most_bytes / sizeof(Choice), pos(std::numeric_limits<Index>::max()))),
        hulls_(n) {
    hulls_[0].push_back({loss.drop, 0.0, kNone, kNone});
    best_.loss = std::numeric_limits<double>::infinity();
  }

  MultisetResponse run(const Progress& progress) {
    const auto m = loss_.grid.size();
    for (std::size_t at = 0; at < m; ++at) {
      if (!progress(static_cast<double>(at) / static_cast<double>(m))) throw Cancelled();
      for (std::size_t j = 0; j + 1 < n_; ++j) choose(j, at);
      choose_last(at);
    }
    return std::move(best_);
  }

 private:
  double moment(std::size_t j, std::size_t at) const { return loss_.moments[j * loss_.grid.size() + at]; }

  // Choose grid point `at` as the threshold number j + 1 after everything in hull j.
  void choose(std::size_t j, std::size_t at) {
    const double b = loss_.grid[at];
    const double fixed = loss_.hold * (1 - b), before = moment(j, at), after = moment(j + 1, at);
    chosen_.clear();
    for (const Point& point : hulls_[j])
      chosen_.push_back({b * (point.scaled + before) - after, point.fixed + fixed, point.choice});
    merge(hulls_[j + 1]);
    cut(hulls_[j + 1], std::pow(b, static_cast<double>(n_ - j - 1)));
    for (Point& point : hulls_[j + 1])
      if (point.choice == kNone) point.choice = keep({point.before, static_cast<Index>(at)});
  }

  // Bring `chosen_` into a hull.
  void merge(Hull& hull) {
    merged_.clear();
    auto old = hull.begin();
    for (const Point& point : chosen_) {
      for (; old != hull.end() && old->scaled <= point.scaled; ++old) extend(merged_, *old);
      extend(merged_, point);
    }
    for (; old != hull.end(); ++old) extend(merged_, *old);
    hull.swap(merged_);
  }

  void choose_last(std::size_t at) {
    const double b = loss_.grid[at], before = moment(n_ - 1, at);
    const double rest = loss_.hold * (1 - b) + moment(n_, loss_.grid.size() - 1) - moment(n_, at);
    for (const Point& point : hulls_[n_ - 1]) {
      const double total = b * (point.scaled + before) + point.fixed + rest;
      if (total < best_.loss) best_ = {total, trace(point.choice, static_cast<Index>(at))};
    }
  }

  Index keep(const Choice& choice) {
    if (choices_.size() >= most_choices_)
      throw TooLarge("the search for the best of all multisets of " + std::to_string(n_) + " thresholds on " +
                     std::to_string(loss_.grid.size()) + " grid points needs more than " +
                     std::to_string(most_choices_ * sizeof(Choice) / 1000000) +
                     " MB; use a coarser grid or fewer players");
    choices_.push_back(choice);
    return static_cast<Index>(choices_.size() - 1);
  }

  std::vector<Index> trace(Index choice, Index last) const {
    std::vector<Index> thresholds(n_, last);
    for (std::size_t j = n_ - 1; j-- > 0; choice = choices_[pos(choice)].before)
      thresholds[j] = choices_[pos(choice)].threshold;
    return thresholds;
  }

  const MultisetLoss& loss_;
  std::size_t n_, most_choices_;
  std::vector<Hull> hulls_;  // (n,) after j choices
  std::vector<Choice> choices_;
  Hull chosen_, merged_;
  MultisetResponse best_;
};

}  // namespace

MultisetResponse best_multiset(const MultisetLoss& loss, std::size_t n, std::size_t most_bytes,
                               const Progress& progress) {
  return Search(loss, n, most_bytes).run(progress);
}

}  // namespace maxmin
