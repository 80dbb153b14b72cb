#include <algorithm>

#include "check.hpp"
#include "maxmin/belief_dag.hpp"
#include "maxmin/sampling_external.hpp"
#include "maxmin/sampling_outcome.hpp"

namespace {

using maxmin::Index;
using maxmin::pos;

// Goes through all draws, one after another.
class Script final : public maxmin::Dice {
 public:
  std::size_t pick(std::span<const double> chance) override {
    if (at_ == draws_.size()) draws_.push_back({{chance.begin(), chance.end()}, possible(chance, 0)});
    const Draw& draw = draws_[at_++];
    probability *= draw.chance[draw.picked];
    return draw.picked;
  }

  // Ready for the next sample; false if there is none.
  bool next() {
    at_ = 0;
    probability = 1;
    while (!draws_.empty()) {
      Draw& last = draws_.back();
      last.picked = possible(last.chance, last.picked + 1);
      if (last.picked < last.chance.size()) return true;
      draws_.pop_back();
    }
    return false;
  }

  double probability = 1;

 private:
  struct Draw {
    std::vector<double> chance;
    std::size_t picked;
  };
  static std::size_t possible(std::span<const double> chance, std::size_t from) {
    while (from < chance.size() && chance[from] <= 0) ++from;
    return from;
  }

  std::vector<Draw> draws_;
  std::size_t at_ = 0;
};

// Chance draws one of two cards, which player 1 sees; 1 plays one of two actions, which player 3 sees; 3 plays one of
// two actions, which player 2 sees; 2 plays one of three.
struct CardGame {
  std::vector<Index> parent, player, infoset, action, first_child, n_children, n_actions{2, 2, 2, 2, 3, 3};
  std::vector<double> probability, payoff;

  CardGame() {
    add(-1, 0, -1, -1, 1);
    for (int card = 0; card < 2; ++card) add(0, 1, card, card, card == 0 ? 0.25 : 0.75);
    for (int node = 1; node <= 2; ++node) children(node, 2, 3, [](int a) { return 2 + a; });
    for (int node = 3; node <= 6; ++node) children(node, 2, 2, [](int a) { return 4 + a; });
    for (int node = 7; node <= 14; ++node) children(node, 3, -1, [&](int) { return static_cast<int>(payoff.size()); });
    first_child.resize(parent.size(), 0);
    n_children.resize(parent.size(), 0);
    for (std::size_t v = parent.size(); v-- > 1;) {
      first_child[pos(parent[v])] = static_cast<Index>(v);
      ++n_children[pos(parent[v])];
    }
  }

 private:
  void add(int up, int who, int set, int move, double chance) {
    parent.push_back(up);
    player.push_back(who);
    infoset.push_back(set);
    action.push_back(move);
    probability.push_back(chance);
  }
  template <typename Set>
  void children(int node, int n, int who, Set set) {
    for (int a = 0; a < n; ++a) {
      add(node, who, set(a), a, 1);
      if (who < 0) payoff.push_back(static_cast<double>(payoff.size() * 7 % 11) - 5);
    }
  }
};

// A side's belief DAG, and sums to start from.
struct Side {
  maxmin::SideTree tree;
  maxmin::BeliefDag dag;
  std::vector<Index> n_actions;
  std::vector<double> regrets, flow_sum, baseline;

  Side(const CardGame& game, bool team) : n_actions(game.n_actions) {
    std::vector<Index> infoset = game.infoset;
    for (std::size_t v = 0; v < infoset.size(); ++v) infoset[v] = game.player[v] > 0 ? infoset[v] : -1;
    const std::vector<std::uint8_t> in_side{0, team, team, !team};
    tree = maxmin::merge_side({game.parent, game.player, infoset, game.action, game.n_actions}, in_side, true);
    dag = build_belief_dag(tree, maxmin::Observations::kConnected, 1 << 20, [](double) { return true; });
    maxmin::Random random(3);
    for (Index p = 0; p < dag.belief_start.back(); ++p) regrets.push_back(random.unit() - 0.3);
    for (Index b = 0; b < dag.n_beliefs(); ++b) baseline.push_back(random.unit() - 0.5);
    flow_sum.assign(regrets.size(), 0);
  }
  maxmin::ProblemView problem() const {
    return {dag.belief_start, dag.child_start, dag.children, tree.n_leaf_classes};
  }
  maxmin::SampledSide view() {
    return {problem(),
            dag.belief_decision_start,
            dag.belief_decisions,
            tree.decision_infoset,
            tree.decision_stage,
            tree.decision_options,
            n_actions,
            tree.leaf_class,
            regrets,
            flow_sum,
            baseline};
  }
  std::vector<double> strategy() const {
    std::vector<double> strategy(regrets.size());
    for (std::size_t b = 0; b + 1 < dag.belief_start.size(); ++b) {
      const auto first = pos(dag.belief_start[b]), n = pos(dag.belief_start[b + 1]) - first;
      maxmin::match_regrets(std::span(regrets).subspan(first, n), std::span(strategy).subspan(first, n));
    }
    return strategy;
  }
  std::vector<double> reach() const {
    std::vector<double> reach(problem().n_values());
    maxmin::realize(problem(), strategy(), reach);
    return reach;
  }
};

struct Sampled {
  CardGame game;
  bool team_first;
  Side first, second;
  maxmin::Matrix payoffs, transposed;
  std::vector<Index> actor, number;

  explicit Sampled(bool of_team) : team_first(of_team), first(game, of_team), second(game, !of_team) {
    if (!team_first) {
      for (double& gain : game.payoff) gain = -gain;
    }
    std::vector<double> weight;
    for (std::size_t leaf = 0; leaf < game.payoff.size(); ++leaf) {
      weight.push_back(game.payoff[leaf] * (leaf < game.payoff.size() / 2 ? 0.25 : 0.75));
    }
    const auto &rows = first.tree, &columns = second.tree;
    payoffs = maxmin::payoff_matrix(rows.leaf_class, columns.leaf_class, weight, rows.n_leaf_classes,
                                    columns.n_leaf_classes);
    transposed = maxmin::payoff_matrix(columns.leaf_class, rows.leaf_class, weight, columns.n_leaf_classes,
                                       rows.n_leaf_classes);
    for (std::size_t v = 0; v < game.player.size(); ++v) {
      const Index who = game.player[v];
      actor.push_back(who <= 0 ? who : (who == 3) != team_first ? 1 : 2);
    }
  }
  maxmin::ExternalSampling external() {
    return {{game.first_child, game.n_children, actor, game.infoset, game.probability, game.payoff},
            first.view(),
            second.view()};
  }
  maxmin::OutcomeSampling outcome() {
    return {{payoffs.start, payoffs.column, payoffs.value},
            {transposed.start, transposed.column, transposed.value},
            first.view(),
            second.view()};
  }
};

// The regrets that a full traversal observes, and the number of ways from the root to each belief.
struct Full {
  std::vector<double> regrets, ways;

  explicit Full(const Sampled& sampled) {
    const Side &own = sampled.first, &other = sampled.second;
    const maxmin::ProblemView problem = own.problem();
    std::vector<double> value(problem.n_values()), strategy = own.strategy(), reach = other.reach();
    const maxmin::MatrixView matrix{sampled.payoffs.start, sampled.payoffs.column, sampled.payoffs.value};
    maxmin::multiply(matrix, std::span(reach).subspan(other.problem().n_beliefs()), 1,
                     std::span(value).subspan(problem.n_beliefs()));
    regrets.assign(strategy.size(), 0);
    ways.assign(problem.n_values(), 0);
    ways[0] = 1;
    for (std::size_t b = problem.n_beliefs(); b-- > 0;) {
      for (auto p = pos(problem.belief_start[b]); p < pos(problem.belief_start[b + 1]); ++p) {
        for (Index c = problem.child_start[p]; c < problem.child_start[p + 1]; ++c) {
          regrets[p] += value[pos(problem.children[pos(c)])];
        }
        value[b] += strategy[p] * regrets[p];
      }
      for (auto p = pos(problem.belief_start[b]); p < pos(problem.belief_start[b + 1]); ++p) regrets[p] -= value[b];
    }
    for (std::size_t b = 0; b < problem.n_beliefs(); ++b) {
      for (Index c = problem.child_start[pos(problem.belief_start[b])];
           c < problem.child_start[pos(problem.belief_start[b + 1])]; ++c) {
        ways[pos(problem.children[pos(c)])] += ways[b];
      }
    }
  }
};

// The mean over all samples of what an iteration of weight 2 adds to the first side's regrets and to an average.
struct Mean {
  std::vector<double> regrets, flow;
  double total = 0;
  std::size_t samples = 0;

  template <typename Sampler>
  Mean(Sampler& sampler, Side& first, Side& second, const Side& averaged) {
    const Side first_before = first, second_before = second;
    regrets.assign(first.regrets.size(), 0);
    flow.assign(averaged.regrets.size(), 0);
    Script dice;
    do {
      sampler.iterate(2, dice);
      total += dice.probability;
      ++samples;
      for (std::size_t p = 0; p < regrets.size(); ++p) {
        regrets[p] += dice.probability * (first.regrets[p] - first_before.regrets[p]);
      }
      for (std::size_t p = 0; p < flow.size(); ++p) flow[p] += dice.probability * averaged.flow_sum[p];
      for (auto* side : {&first, &second}) {  // in place, as the sampler looks at these arrays
        const Side& before = side == &first ? first_before : second_before;
        std::copy(before.regrets.begin(), before.regrets.end(), side->regrets.begin());
        std::copy(before.flow_sum.begin(), before.flow_sum.end(), side->flow_sum.begin());
        std::copy(before.baseline.begin(), before.baseline.end(), side->baseline.begin());
      }
    } while (dice.next());
  }
};

void check_flow(const Side& side, const std::vector<double>& flow, double weight) {
  const std::vector<double> strategy = side.strategy(), reach = side.reach();
  for (std::size_t b = 0; b + 1 < side.dag.belief_start.size(); ++b) {
    if (side.dag.belief_start[b + 1] - side.dag.belief_start[b] == 1) continue;
    for (auto p = pos(side.dag.belief_start[b]); p < pos(side.dag.belief_start[b + 1]); ++p) {
      CHECK_NEAR(flow[p], weight * reach[b] * strategy[p], 1e-12);
    }
  }
}

}  // namespace

TEST(external_samples_have_the_full_traversals_regrets_as_their_mean) {
  for (const bool team_first : {true, false}) {
    Sampled sampled(team_first);
    const Full full(sampled);
    maxmin::ExternalSampling sampler = sampled.external();
    const Mean mean(sampler, sampled.first, sampled.second, sampled.second);
    CHECK_NEAR(mean.total, 1.0, 1e-12);
    CHECK(mean.samples > 20);
    for (std::size_t p = 0; p < mean.regrets.size(); ++p) CHECK_NEAR(mean.regrets[p], 2 * full.regrets[p], 1e-12);
    // Of one player with perfect recall only what is met is drawn; here everything that its plan plays is met.
    check_flow(sampled.second, mean.flow, 2);
  }
}

TEST(outcome_samples_have_the_full_traversals_regrets_as_their_mean) {
  for (const bool team_first : {true, false}) {
    Sampled sampled(team_first);
    const Full full(sampled);
    maxmin::OutcomeSampling sampler = sampled.outcome();
    const Mean mean(sampler, sampled.first, sampled.second, sampled.first);
    CHECK_NEAR(mean.total, 1.0, 1e-12);
    CHECK(mean.samples > 1000);
    const maxmin::ProblemView problem = sampled.first.problem();
    for (std::size_t b = 0; b < problem.n_beliefs(); ++b) {
      for (auto p = pos(problem.belief_start[b]); p < pos(problem.belief_start[b + 1]); ++p) {
        CHECK_NEAR(mean.regrets[p], 2 * full.ways[b] * full.regrets[p], 1e-11);
      }
    }
    check_flow(sampled.first, mean.flow, 2);
  }
}

TEST(a_run_can_be_cut_anywhere) {
  Sampled whole(true), cut(true);
  maxmin::RandomDice dice(7);
  auto sampler = whole.outcome();
  const auto go_on = [](double) { return true; };
  CHECK(run_sampler(sampler, dice, 1, 50, ~std::uint64_t{0}, go_on) == 50);
  std::uint64_t state = 7;
  for (std::size_t t = 1; t <= 50;) {
    auto part = cut.outcome();
    maxmin::RandomDice again(state);
    t += t % 2 == 0 ? run_sampler(part, again, t, 51 - t, 100, go_on)
                    : run_sampler(part, again, t, 51 - t, ~std::uint64_t{0}, [](double done) { return done < 3; });
    state = again.state();
  }
  CHECK(whole.first.regrets == cut.first.regrets);
  CHECK(whole.second.flow_sum == cut.second.flow_sum);
  CHECK(state == dice.state());
}

TEST(nothing_impossible_is_drawn) {
  maxmin::RandomDice dice(1);
  const std::vector<double> chance{0, 0.5, 0, 0.25, 0.25, 0};
  std::vector<int> drawn(chance.size(), 0);
  for (int i = 0; i < 4000; ++i) ++drawn[dice.pick(chance)];
  CHECK(drawn[0] + drawn[2] + drawn[5] == 0);
  CHECK_NEAR(drawn[1], 2000.0, 150.0);
  CHECK_NEAR(drawn[3], 1000.0, 150.0);
}
