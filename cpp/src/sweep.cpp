#include "maxmin/sweep.hpp"

#include <algorithm>
#include <limits>

namespace maxmin {
namespace {

// A piece has so many prescriptions, or a little more: enough to be worth handing out, few enough for scratch to stay
// in the smallest cache.
constexpr Index kPiece = 2048;

Indices children_of(const ProblemView& problem, Index belief) {
  const auto first = pos(problem.child_start[pos(problem.belief_start[pos(belief)])]);
  const auto last = pos(problem.child_start[pos(problem.belief_start[pos(belief) + 1])]);
  return problem.children.subspan(first, last - first);
}

class SweepMaker {
 public:
  explicit SweepMaker(const ProblemView& problem) : problem_(problem), first_parent_(problem.n_values(), 0) {}

  Sweep make() {
    const auto n = static_cast<Index>(problem_.n_beliefs());
    for (Index first = 0; first < n;) {
      const Index last = end_of_wave(problem_, first);
      find_parents(first, last);
      for (Index belief = first + 1; belief < last; ++belief) {
        close_if_large(sweep_.blocks, belief);
        if (least_parent_[pos(belief - first)] >= belief) close_if_large(sweep_.shares, belief);
      }
      for (Pieces* pieces : {&sweep_.blocks, &sweep_.shares}) {
        pieces->belief.push_back(last);
        pieces->wave.push_back(pieces->belief.size() - 1);
      }
      first = last;
    }
    return std::move(sweep_);
  }

 private:
  // Of each belief of a wave: the first one that has a child in common with it or with any after it.
  void find_parents(Index first, Index last) {
    least_parent_.resize(pos(last - first));
    for (Index belief = first; belief < last; ++belief) {
      Index least = belief;
      for (const Index child : children_of(problem_, belief)) {
        Index& parent = first_parent_[pos(child)];
        if (parent < first) parent = belief;
        least = std::min(least, parent);
      }
      least_parent_[pos(belief - first)] = least;
    }
    for (std::size_t i = least_parent_.size(); i-- > 1;) {
      least_parent_[i - 1] = std::min(least_parent_[i - 1], least_parent_[i]);
    }
  }

  void close_if_large(Pieces& pieces, Index belief) const {
    const Index first = problem_.belief_start[pos(pieces.belief.back())];
    if (problem_.belief_start[pos(belief)] - first >= kPiece) pieces.belief.push_back(belief);
  }

  const ProblemView& problem_;
  std::vector<Index> first_parent_;  // of each belief and leaf class, within the wave that was looked at last
  std::vector<Index> least_parent_;
  Sweep sweep_;
};

}  // namespace

std::size_t Pieces::most_at_once() const {
  std::size_t most = 0;
  for (std::size_t w = 0; w < n_waves(); ++w) most = std::max(most, wave[w + 1] - wave[w]);
  return most;
}

Index end_of_wave(const ProblemView& problem, Index first) {
  auto end = static_cast<Index>(problem.n_beliefs());
  for (Index belief = first; belief < end; ++belief) {
    for (const Index child : children_of(problem, belief)) end = std::min(end, child);
  }
  return end;
}

Sweep make_sweep(const ProblemView& problem) { return SweepMaker(problem).make(); }

}  // namespace maxmin
