// The posterior of a board with too many configurations to list, from the placements of its pieces: counted exactly
// where that is little work, else sampled.
//
// Every hit is covered by exactly one piece. So configurations fall apart by which placement covers a hit; that is
// branched on until all hits are covered. The pieces that are then left are free. The last two of them are never laid:
// for each placement of one, the placements of the other that go with it are counted in a bit matrix.
//
// Samples (sequential importance sampling; A. Owen, "Monte Carlo theory, methods and examples", chapter 9) go down the
// same tree at random, count the last two pieces exactly, and weigh each by 1 / its probability. Standard errors are
// those of a ratio, from the spread over batches of samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maxmin/core.hpp"
#include "maxmin/fleet.hpp"

namespace maxmin {

struct FleetPosterior {
  std::vector<double> probability;     // (n_cells,)
  std::vector<double> standard_error;  // (n_cells,); 0 if exact
  double count = 0;                    // configurations that agree, or an estimate; 0 if there is none
  bool exact = false;
};

// How much may be done for one posterior.
struct Effort {
  double work;          // count exactly if that takes no more comparisons of rows of the bit matrix than this
  std::size_t samples;  // else draw so many
  std::uint64_t seed;
};

// What is the same for all states of a board. The fleet's arrays must outlive it.
class FleetPosteriors {
 public:
  FleetPosteriors(const FleetView& fleet, std::size_t n_cells);

  FleetPosterior posterior(Words hits, Words misses, const Effort& effort, const Progress& progress) const;
  bool possible(Words hits, Words misses) const;

 private:
  friend class Walk;

  FleetPosterior count(Words hits, Words misses, const Progress& progress) const;
  FleetPosterior sample(Words hits, Words misses, const Effort& effort, const Progress& progress) const;
  void estimate_errors(const std::vector<double>& cells, const std::vector<double>& totals,
                       FleetPosterior& result) const;
  std::vector<double> by_cell(const std::vector<double>& tally) const;

  FleetView fleet_;
  std::size_t n_cells_;
  Compatibility compatibility_;
  std::vector<std::size_t> kind_of_;  // (n_placements,)
  std::vector<std::size_t> by_size_;  // kinds, largest pieces first
  std::vector<std::size_t> copies_;   // (n_kinds,): pieces of each kind
};

}  // namespace maxmin
