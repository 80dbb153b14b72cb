#include "check.hpp"
#include "games.hpp"
#include "maxmin/belief_dag.hpp"
#include "maxmin/problem.hpp"

namespace {

using maxmin::BeliefDag;
using maxmin::Index;
using maxmin::pos;
using maxmin::SideTree;

constexpr std::size_t kPlenty = 1 << 30;

const maxmin::Progress kGoOn = [](double) { return true; };

SideTree merge(const SmallGame& game, std::vector<std::uint8_t> in_side) {
  return maxmin::merge_side(game.view(), in_side, true);
}

BeliefDag build(const SideTree& side, std::size_t most_bytes = kPlenty, bool public_states = false) {
  const auto observations = public_states ? maxmin::Observations::kPublic : maxmin::Observations::kConnected;
  return maxmin::build_belief_dag(side, observations, most_bytes, kGoOn);
}

double best(const BeliefDag& dag, const SideTree& side, const std::vector<double>& gains) {
  const maxmin::ProblemView view{dag.belief_start, dag.child_start, dag.children, side.n_leaf_classes};
  std::vector<double> values(view.n_values(), 0.0);
  for (std::size_t leaf = 0; leaf < gains.size(); ++leaf) {
    values[view.n_beliefs() + pos(side.leaf_class[leaf])] += gains[leaf];
  }
  std::vector<Index> choice(view.n_beliefs());
  return maxmin::best_response(view, values, choice);
}

}  // namespace

TEST(team_that_cannot_talk_keeps_both_picks_together) {
  const SmallGame game = hide_and_seek();
  const SideTree side = merge(game, {0, 1, 1, 0});
  const BeliefDag dag = build(side);
  // Player 2 does not see player 1's pick: its decision is met in one belief for each pick of player 1.
  CHECK(side.n_leaf_classes == 4);
  CHECK(dag.n_beliefs() == 3);
  CHECK(dag.most_infosets == 1);
  // Against a uniform guess a matching pair wins half of the time; the opponent's reach is 1/2 for each guess.
  std::vector<double> gains = game.payoffs;
  for (double& gain : gains) gain *= 0.5;
  CHECK_NEAR(best(dag, side, gains), 0.5, 1e-15);
}

TEST(opponent_sees_nothing) {
  const SideTree side = merge(hide_and_seek(), {0, 0, 0, 1});
  const BeliefDag dag = build(side);
  CHECK(side.n_leaf_classes == 2);
  CHECK(dag.n_beliefs() == 1);
  CHECK(dag.belief_start.back() == 2);
}

TEST(children_come_after_parents) {
  const SideTree side = merge(hide_and_seek(), {0, 1, 1, 0});
  const BeliefDag dag = build(side);
  for (Index b = 0; b < dag.n_beliefs(); ++b) {
    const auto first = pos(dag.child_start[pos(dag.belief_start[pos(b)])]);
    const auto last = pos(dag.child_start[pos(dag.belief_start[pos(b) + 1])]);
    for (std::size_t c = first; c < last; ++c) CHECK(dag.children[c] > b);
  }
}

TEST(side_that_never_moves_has_one_leaf_class) {
  const SideTree side = merge(one_choice(), {0, 0, 1});
  const BeliefDag dag = build(side);
  CHECK(side.n_leaf_classes == 1);
  CHECK(dag.n_beliefs() == 1);
  CHECK(dag.children.size() == 1);
}

TEST(absent_mindedness_is_refused) {
  CHECK_THROWS(merge(absent_minded(), {0, 1}), maxmin::NotTimeable);
}

TEST(memory_limit_is_kept) {
  const SideTree side = merge(hide_and_seek(), {0, 1, 1, 0});
  CHECK_THROWS(build(side, 10), maxmin::TooLarge);
}

TEST(every_signal_is_met_in_one_belief) {
  const SideTree side = merge(signals(3), {0, 1, 1});
  const BeliefDag dag = build(side);
  // The first member has 2^3 prescriptions; each leads to one belief in which her mate guesses.
  CHECK(dag.most_infosets == 3);
  CHECK(dag.n_beliefs() == 1 + 8);
  CHECK(dag.belief_start.back() == 8 + 8 * 2);
}

TEST(more_prescriptions_than_any_number_are_refused) {
  const SideTree side = merge(signals(2000), {0, 1, 1});
  CHECK_THROWS(build(side), maxmin::TooLarge);
}

TEST(estimate_is_exact_where_pasts_are_independent) {
  const SideTree side = merge(one_choice(), {0, 1});
  const maxmin::SizeEstimate size = maxmin::estimate_size(side);
  CHECK_NEAR(size.prescriptions, 4.0, 0.0);
  CHECK_NEAR(size.beliefs, 1.0, 0.0);
}

TEST(public_states_keep_together_what_was_ruled_out) {
  // The mate's guess has a node below each signal and pick, so that with two signals the state is one anyway.
  const SideTree side = merge(signals(3), {0, 1, 1});
  CHECK(build(side, kPlenty, true).child_start == build(side).child_start);
}

TEST(a_belief_polls_while_it_is_expanded) {
  const SideTree side = merge(signals(20), {0, 1, 1});
  int calls = 0;
  double last = 0;
  const maxmin::Progress stop = [&](double done) {
    last = done;
    return ++calls < 4;
  };
  CHECK_THROWS(maxmin::build_belief_dag(side, maxmin::Observations::kConnected, kPlenty, stop), maxmin::Cancelled);
  CHECK_NEAR(last, 1 << 20, 0);  // the prescriptions of the first belief
}
