// How passes over a decision problem are split among threads, such that the bytes of what they compute do not depend
// on how many there are.
#pragma once

#include "maxmin/problem.hpp"

namespace maxmin {

// Beliefs in pieces: piece i is beliefs belief[i] .. belief[i + 1] - 1, wave w is pieces wave[w] .. wave[w + 1] - 1.
struct Pieces {
  std::vector<std::size_t> wave{0};
  std::vector<Index> belief{0};

  std::size_t n_waves() const { return wave.size() - 1; }
  std::size_t most_at_once() const;
};

// A *wave* is a run of beliefs of which none is a child of another: one time of the side, or less. It is cut twice.
// A backward pass writes only what belongs to a belief, so its blocks are cut by size alone. A forward pass adds to
// children, so its shares have no child in common: each child gets its sum in the order of beliefs.
struct Sweep {
  Pieces blocks, shares;
};

// The end of the wave that begins with belief `first`: the first child of one of its beliefs.
Index end_of_wave(const ProblemView& problem, Index first);

Sweep make_sweep(const ProblemView& problem);

}  // namespace maxmin
