// What one side carries through regret minimization, for tests.
#pragma once

#include <vector>

#include "maxmin/regret.hpp"

struct RegretArrays {
  std::vector<double> regrets, strategy, flow_sum, leaf_sum, reach, values;

  explicit RegretArrays(const maxmin::ProblemView& problem)
      : regrets(problem.n_prescriptions()), strategy(regrets.size()), flow_sum(regrets.size()),
        leaf_sum(maxmin::pos(problem.n_leaf_classes)), reach(problem.n_values()), values(reach.size()) {
    start_regrets(problem, view());
  }
  maxmin::RegretState view() { return {regrets, strategy, flow_sum, leaf_sum, reach, values}; }
};
