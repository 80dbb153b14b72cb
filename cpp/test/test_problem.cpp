#include "check.hpp"
#include "maxmin/problem.hpp"
#include "maxmin/regret.hpp"
#include "regret_arrays.hpp"

namespace {

using maxmin::Index;
using maxmin::pos;
using maxmin::ProblemView;

// One belief, n prescriptions, prescription i leads to leaf class i.
struct Choice {
  std::vector<Index> belief_start, child_start, children;

  explicit Choice(Index n) : belief_start{0, n} {
    for (Index i = 0; i <= n; ++i) child_start.push_back(i);
    for (Index i = 0; i < n; ++i) children.push_back(1 + i);
  }
  ProblemView view() const {
    return {belief_start, child_start, children, static_cast<Index>(children.size())};
  }
};

// Two beliefs in a row: the root's first prescription ends in leaf class 0, its second leads to a belief that ends in
// class 1 or 2; both also lead to class 3, as a bundle does.
struct Chain {
  std::vector<Index> belief_start{0, 2, 4}, child_start{0, 2, 4, 5, 6}, children{2, 5, 1, 5, 3, 4};
  ProblemView view() const { return {belief_start, child_start, children, 4}; }
};

// With payoffs that are symmetric, so that they are their own transpose.
std::size_t iterate(const ProblemView& rows, const ProblemView& columns, const maxmin::MatrixView& payoffs, RegretArrays& a,
                    RegretArrays& b, const maxmin::Schedule& schedule, const maxmin::Progress& progress) {
  const maxmin::Sweep sweep_a = maxmin::make_sweep(rows), sweep_b = maxmin::make_sweep(columns);
  const maxmin::RegretState state_a = a.view(), state_b = b.view();
  return maxmin::iterate({rows, sweep_a, payoffs, state_a}, {columns, sweep_b, payoffs, state_b}, schedule, 1, progress);
}

}  // namespace

TEST(best_response_takes_the_best_branch) {
  const Chain chain;
  std::vector<double> values{0, 0, 1, 5, 2, 10};
  std::vector<Index> choice(2);
  CHECK_NEAR(maxmin::best_response(chain.view(), values, choice), 15.0, 0.0);
  CHECK(choice[0] == 1);
  CHECK(choice[1] == 2);
}

TEST(flow_is_copied_to_every_child) {
  const Chain chain;
  const std::vector<double> strategy{0.25, 0.75, 0.5, 0.5};
  std::vector<double> reach(6);
  maxmin::realize(chain.view(), strategy, reach);
  CHECK_NEAR(reach[1], 0.75, 1e-15);
  CHECK_NEAR(reach[2], 0.25, 1e-15);
  CHECK_NEAR(reach[3], 0.375, 1e-15);
  CHECK_NEAR(reach[5], 1.0, 1e-15);
  CHECK_NEAR(maxmin::count_paths(chain.view()), 5.0, 0.0);
}

TEST(plans_add_up_to_the_flow) {
  const Chain chain;
  std::vector<double> flow{0.25, 0.75, 0.5, 0.25};
  const maxmin::Plans plans = maxmin::decompose(chain.view(), flow, 100, 0);
  double total = 0;
  for (const double weight : plans.weight) total += weight;
  CHECK(plans.weight.size() == 3);
  CHECK_NEAR(total, 1.0, 1e-15);
  CHECK_NEAR(plans.weight[0], 0.5, 1e-15);
}

TEST(payoffs_of_one_pair_of_classes_are_summed) {
  const std::vector<Index> rows{1, 0, 1, 1}, columns{0, 1, 0, 1};
  const std::vector<double> weight{1, 2, 4, -1};
  const maxmin::Matrix matrix = maxmin::payoff_matrix(rows, columns, weight, 2, 2);
  CHECK((matrix.start == std::vector<Index>{0, 1, 3}));
  CHECK((matrix.column == std::vector<Index>{1, 0, 1}));
  CHECK((matrix.value == std::vector<double>{2, 5, -1}));
}

TEST(regret_minimization_solves_a_matrix_game) {
  // Rows 0: (2, -1), 1: (-1, 1): value 1/5, the row player plays 2/5, 3/5.
  const Choice rows(2), columns(2);
  const std::vector<Index> start{0, 2, 4}, column{0, 1, 0, 1};
  const std::vector<double> value{2, -1, -1, 1};
  const maxmin::MatrixView payoffs{start, column, value};
  RegretArrays a(rows.view()), b(columns.view());
  const std::size_t n = 2000;
  const std::vector<double> ones(n, 1.0);
  std::vector<double> weight(n);
  double total = 0;
  for (std::size_t t = 0; t < n; ++t) total += weight[t] = static_cast<double>(t + 1);
  const maxmin::Schedule schedule{ones, ones, ones, weight, 1.0, true, true};
  const std::size_t done = iterate(rows.view(), columns.view(), payoffs, a, b, schedule, [](double) { return true; });
  CHECK(done == n);
  CHECK_NEAR(a.leaf_sum[0] / total, 0.4, 1e-3);
  CHECK_NEAR(b.leaf_sum[0] / total, 0.4, 1e-3);
}

TEST(iterations_stop_when_told) {
  const Choice rows(2), columns(2);
  const std::vector<Index> start{0, 1, 2}, column{0, 1};
  const std::vector<double> value{1, 1};
  const maxmin::MatrixView payoffs{start, column, value};
  RegretArrays a(rows.view()), b(columns.view());
  const std::vector<double> ones(10, 1.0);
  const maxmin::Schedule schedule{ones, ones, ones, ones, 0.0, false, false};
  const std::size_t done =
      iterate(rows.view(), columns.view(), payoffs, a, b, schedule, [](double iterations) { return iterations < 3; });
  CHECK(done == 3);
}
