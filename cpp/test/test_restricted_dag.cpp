#include "check.hpp"
#include "games.hpp"
#include "maxmin/problem.hpp"
#include "maxmin/restricted_dag.hpp"

namespace {

using maxmin::Index;
using maxmin::Observations;
using maxmin::pos;
using maxmin::RestrictedArrays;
using maxmin::RestrictedDag;
using maxmin::SideTree;

constexpr std::size_t kPlenty = 1 << 30;

SideTree team() { return maxmin::merge_side(hide_and_seek().view(), std::vector<std::uint8_t>{0, 1, 1, 0}, true); }

// What each belief is worth to a best response.
std::vector<double> values_of(const RestrictedArrays& arrays, const SideTree& side, const std::vector<double>& worth) {
  const auto& dag = arrays.dag;
  const maxmin::ProblemView view{dag.belief_start, dag.child_start, dag.children, side.n_leaf_classes};
  std::vector<double> values(view.n_values(), 0.0);
  std::copy(worth.begin(), worth.end(), values.begin() + dag.n_beliefs());
  std::vector<Index> choice(view.n_beliefs());
  maxmin::best_response(view, values, choice);
  values.resize(view.n_beliefs());
  return values;
}

}  // namespace

TEST(one_plan_has_one_prescription_at_each_belief_that_it_meets) {
  const SideTree side = team();
  RestrictedDag dag(side, Observations::kConnected, kPlenty);
  const std::vector<double> worth{0.1, 0.2, 0.3, 0.4};  // of both picks: 00, 01, 10, 11
  CHECK(dag.grow(std::vector<Index>{0, 1}, worth, {}, 0) == 2);
  const RestrictedArrays arrays = dag.write();
  CHECK(arrays.dag.n_beliefs() == 2);
  CHECK(arrays.options == (std::vector<Index>{0, 1}));
  CHECK(arrays.prescription_number == (std::vector<Index>{0, 1}));
  CHECK_NEAR(values_of(arrays, side, worth)[0], 0.2, 1e-15);
}

TEST(a_plan_enters_where_it_gains_and_nowhere_else) {
  const SideTree side = team();
  RestrictedDag dag(side, Observations::kConnected, kPlenty);
  const std::vector<double> worth{0.1, 0.2, 0.3, 0.4};
  dag.grow(std::vector<Index>{0, 1}, worth, {}, 0);
  const std::vector<double> values = values_of(dag.write(), side, worth);
  // The second pick of this plan is worse at the belief after the first plan's pick; at its own new belief it is taken.
  CHECK(dag.grow(std::vector<Index>{1, 0}, worth, values, 0) == 2);
  const RestrictedArrays arrays = dag.write();
  CHECK(arrays.dag.n_beliefs() == 3);
  CHECK(arrays.dag.belief_start.back() == 4);
  CHECK_NEAR(values_of(arrays, side, worth)[0], 0.3, 1e-15);
  // Asked again it has nothing to add, and where nothing is gained neither has another plan.
  CHECK(dag.grow(std::vector<Index>{1, 0}, worth, values_of(arrays, side, worth), 0) == 0);
  CHECK(dag.grow(std::vector<Index>{0, 0}, worth, values_of(arrays, side, worth), 0) == 0);
}

TEST(no_room_for_a_restricted_dag) {
  const SideTree side = team();
  CHECK_THROWS(RestrictedDag(side, Observations::kConnected, 10), maxmin::TooLarge);
}
