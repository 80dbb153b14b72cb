#include <algorithm>
#include <atomic>
#include <set>

#include "../src/wave_order.hpp"
#include "check.hpp"
#include "maxmin/crew.hpp"
#include "maxmin/random.hpp"
#include "maxmin/regret.hpp"
#include "maxmin/sweep.hpp"
#include "regret_arrays.hpp"

namespace {

using maxmin::Index;
using maxmin::pos;

// Layers of beliefs with 1 to 5 prescriptions; each prescription leads to 1 to 3 beliefs of the next layer near the
// place of its own belief in its layer, or to leaf classes.
struct Layers {
  std::vector<Index> belief_start{0}, child_start{0}, children;
  Index n_leaves;

  Layers(Index n_layers, Index width, std::uint64_t seed) : n_leaves(width) {
    maxmin::Random random(seed);
    const auto below = [&](Index n) { return static_cast<Index>(random.below(static_cast<std::uint64_t>(n))); };
    for (Index layer = 0; layer <= n_layers; ++layer) {
      for (Index place = 0; place < (layer == 0 ? 1 : width); ++place) {
        for (Index p = below(5); p >= 0; --p) {
          for (Index c = below(3); c >= 0; --c) {
            const Index near = layer == 0 ? below(width) : std::min(width - 1, place / 64 * 64 + below(64));
            children.push_back(1 + layer * width + near);
          }
          child_start.push_back(static_cast<Index>(children.size()));
        }
        belief_start.push_back(static_cast<Index>(child_start.size()) - 1);
      }
    }
  }
  maxmin::ProblemView view() const { return {belief_start, child_start, children, n_leaves}; }
};

// Leaf class i meets leaf classes i and 7 i + 1.
struct Payoffs {
  std::vector<Index> start{0}, column;
  std::vector<double> value;

  explicit Payoffs(Index n) {
    for (Index row = 0; row < n; ++row) {
      for (const Index other : {row, (7 * row + 1) % n}) {
        column.push_back(other);
        value.push_back(static_cast<double>((row * 31 + other * 17) % 13) - 6);
      }
      start.push_back(static_cast<Index>(column.size()));
    }
  }
  maxmin::MatrixView view() const { return {start, column, value}; }
};

// All that a run leaves, one side after the other.
std::vector<double> run(const Layers& rows, const Layers& columns, std::size_t threads, bool alternating) {
  const auto a = rows.view(), b = columns.view();
  const maxmin::Sweep sweep_a = maxmin::make_sweep(a), sweep_b = maxmin::make_sweep(b);
  const Payoffs payoffs(rows.n_leaves);
  const auto matrix = payoffs.view();
  RegretArrays ours(a), theirs(b);
  const auto state_a = ours.view(), state_b = theirs.view();
  const std::vector<double> ones(5, 1.0), zeros(5, 0.0);
  const maxmin::Schedule schedule{ones, zeros, ones, ones, 1.0, true, alternating};
  iterate({a, sweep_a, matrix, state_a}, {b, sweep_b, matrix, state_b}, schedule, threads, [](double) { return true; });
  std::vector<double> all;
  for (const RegretArrays* side : {&ours, &theirs}) {
    for (const auto* part : {&side->regrets, &side->strategy, &side->flow_sum, &side->leaf_sum, &side->reach}) {
      all.insert(all.end(), part->begin(), part->end());
    }
  }
  return all;
}

// Pieces of a wave, as sets of the children of their beliefs.
std::vector<std::set<Index>> children_by_piece(const Layers& dag, const maxmin::Pieces& pieces, std::size_t wave) {
  std::vector<std::set<Index>> found;
  for (std::size_t i = pieces.wave[wave]; i < pieces.wave[wave + 1]; ++i) {
    const auto first = dag.child_start[pos(dag.belief_start[pos(pieces.belief[i])])];
    const auto last = dag.child_start[pos(dag.belief_start[pos(pieces.belief[i + 1])])];
    found.emplace_back(dag.children.begin() + first, dag.children.begin() + last);
  }
  return found;
}

// Layers of 8,000 beliefs in which neighbours share children, each layer then dealt out like cards so that nothing stands
// together. Each belief's decision is its own number, by which it is known again.
maxmin::BeliefDag dealt_out(std::uint64_t seed) {
  const Index width = 8000, hands = 80;
  const Layers layers(3, width, seed);
  maxmin::BeliefDag dag;
  dag.belief_start = dag.child_start = dag.belief_decision_start = {0};
  for (Index belief = 0; belief < static_cast<Index>(layers.view().n_beliefs()); ++belief) {
    const Index place = (belief - 1) % width;
    const Index from = belief == 0 ? 0 : belief - place + place % hands * (width / hands) + place / hands;
    for (Index p = layers.belief_start[pos(from)]; p < layers.belief_start[pos(from) + 1]; ++p) {
      dag.children.insert(dag.children.end(), layers.children.begin() + layers.child_start[pos(p)],
                          layers.children.begin() + layers.child_start[pos(p) + 1]);
      dag.child_start.push_back(static_cast<Index>(dag.children.size()));
    }
    dag.belief_start.push_back(static_cast<Index>(dag.child_start.size()) - 1);
    dag.belief_decisions.push_back(belief);
    dag.belief_decision_start.push_back(belief + 1);
  }
  return dag;
}

// Of each belief, by its name: the names of its children, prescription after prescription, each closed by -1.
std::vector<std::vector<Index>> children_by_name(const maxmin::BeliefDag& dag) {
  std::vector<std::vector<Index>> all(pos(dag.n_beliefs()));
  for (Index belief = 0; belief < dag.n_beliefs(); ++belief) {
    std::vector<Index>& mine = all[pos(dag.belief_decisions[pos(belief)])];
    for (Index p = dag.belief_start[pos(belief)]; p < dag.belief_start[pos(belief) + 1]; ++p) {
      for (Index c = dag.child_start[pos(p)]; c < dag.child_start[pos(p) + 1]; ++c) {
        const Index child = dag.children[pos(c)];
        mine.push_back(child < dag.n_beliefs() ? dag.belief_decisions[pos(child)] : child);
      }
      mine.push_back(-1);
    }
  }
  return all;
}

std::size_t shares_at_once(const maxmin::BeliefDag& dag) {
  const Index last = *std::max_element(dag.children.begin(), dag.children.end());
  return maxmin::make_sweep({dag.belief_start, dag.child_start, dag.children, last + 1 - dag.n_beliefs()})
      .shares.most_at_once();
}

}  // namespace

TEST(a_crew_does_each_piece_once) {
  maxmin::Crew crew(4);
  for (std::size_t n : {0u, 1u, 2u, 3u, 1000u, 5u}) {
    std::vector<std::atomic<int>> times(n);
    std::atomic<bool> known = true;
    crew.share(n, [&](std::size_t piece, std::size_t member) {
      ++times[piece];
      if (member >= crew.size()) known = false;
    });
    CHECK(std::all_of(times.begin(), times.end(), [](const auto& t) { return t == 1; }));
    CHECK(known);
  }
}

TEST(a_crew_that_is_never_used_ends) { CHECK(maxmin::Crew(3).size() == 3); }

TEST(waves_hold_no_belief_and_its_child) {
  const Layers dag(4, 3000, 1);
  const maxmin::Sweep sweep = maxmin::make_sweep(dag.view());
  for (const maxmin::Pieces* pieces : {&sweep.blocks, &sweep.shares}) {
    CHECK(pieces->n_waves() == 5);
    CHECK(pieces->belief.front() == 0);
    CHECK(pieces->belief.back() == static_cast<Index>(dag.view().n_beliefs()));
    CHECK(std::is_sorted(pieces->belief.begin(), pieces->belief.end()));
    for (std::size_t w = 0; w < pieces->n_waves(); ++w) {
      const Index end = pieces->belief[pieces->wave[w + 1]];
      for (const auto& children : children_by_piece(dag, *pieces, w)) CHECK(*children.begin() >= end);
    }
  }
  CHECK(sweep.blocks.most_at_once() >= 4);
}

TEST(shares_of_a_wave_have_no_child_in_common) {
  const Layers dag(4, 3000, 2);
  const maxmin::Pieces shares = maxmin::make_sweep(dag.view()).shares;
  CHECK(shares.most_at_once() >= 3);
  for (std::size_t w = 0; w < shares.n_waves(); ++w) {
    std::set<Index> all;
    std::size_t total = 0;
    for (const auto& children : children_by_piece(dag, shares, w)) {
      total += children.size();
      all.insert(children.begin(), children.end());
    }
    CHECK(all.size() == total);
  }
}

TEST(ordered_waves_are_the_same_dag_in_more_shares) {
  const maxmin::BeliefDag dag = dealt_out(5);
  const maxmin::BeliefDag ordered = maxmin::order_waves(dag, [](double) { return true; });
  CHECK(ordered.n_beliefs() == dag.n_beliefs());
  CHECK(children_by_name(ordered) == children_by_name(dag));
  CHECK(shares_at_once(dag) == 1);
  CHECK(shares_at_once(ordered) > 4);
  CHECK_THROWS(maxmin::order_waves(dag, [](double) { return false; }), maxmin::Cancelled);
}

TEST(any_number_of_threads_gives_the_same_bytes) {
  const Layers rows(3, 2500, 3), columns(2, 2500, 4);
  for (const bool alternating : {true, false}) {
    const std::vector<double> alone = run(rows, columns, 1, alternating);
    for (const std::size_t threads : {2u, 3u, 7u}) CHECK(run(rows, columns, threads, alternating) == alone);
  }
}
