// The exact posterior of a board whose configurations are all listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "maxmin/core.hpp"
#include "maxmin/fleet.hpp"

namespace maxmin {

// Configurations by cell: for each cell, one bit for each configuration that covers it.
class ConfigurationIndex {
 public:
  // masks: (n * words,) bitboards; weights: (n,). Both must outlive the index.
  ConfigurationIndex(Words masks, std::span<const double> weights, std::size_t n_cells, std::size_t words);

  // For each state of a batch, the probability that a cell is covered, in out (batch * n_cells,), and the weight of
  // the configurations that agree with the state, in total (batch,); where that is 0, out is 0.
  void posteriors(Words hits, Words misses, std::span<double> out, std::span<double> total,
                  const Progress& progress) const;

 private:
  void agree(Words hits, Words misses, std::span<std::uint64_t> left) const;
  double sum(std::span<const std::uint64_t> left, std::span<double> out) const;

  Words masks_;
  std::span<const double> weights_;
  std::size_t n_cells_, words_, blocks_;
  std::vector<std::uint64_t> covering_;  // (n_cells * blocks,)
};

}  // namespace maxmin
