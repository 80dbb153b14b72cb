#include "maxmin/sampling_external.hpp"

#include <algorithm>
#include <bit>

namespace maxmin {
namespace {

constexpr std::size_t kBits = 64;

std::size_t last_bit(std::uint64_t word) { return kBits - 1 - static_cast<std::size_t>(std::countl_zero(word)); }

}  // namespace

Ascent::Ascent(const SampledSide& side) : side_(side), owner_(owners(side.problem)) {
  const ProblemView& problem = side.problem;
  parent_start_.assign(problem.n_values() + 1, 0);
  for (const Index child : problem.children) ++parent_start_[pos(child) + 1];
  for (std::size_t i = 0; i < problem.n_values(); ++i) parent_start_[i + 1] += parent_start_[i];
  parents_.resize(problem.children.size());
  std::vector<Index> next(parent_start_.begin(), parent_start_.end() - 1);
  for (std::size_t p = 0; p < problem.n_prescriptions(); ++p) {
    for (Index c = problem.child_start[p]; c < problem.child_start[p + 1]; ++c) {
      parents_[pos(next[pos(problem.children[pos(c)])]++)] = static_cast<Index>(p);
    }
  }
  leaf_worth_.assign(pos(problem.n_leaf_classes), 0);
  utility_.assign(problem.n_prescriptions(), 0);
  strategy_.resize(most_prescriptions(problem));
  marked_.assign(problem.n_beliefs() / kBits + 1, 0);
  marked_words_.assign(marked_.size() / kBits + 1, 0);
}

void Ascent::add(Index leaf_class, double worth) {
  if (leaf_worth_[pos(leaf_class)] == 0) leaves_.push_back(leaf_class);
  leaf_worth_[pos(leaf_class)] += worth;
}

void Ascent::update(double weight) {
  for (const Index leaf : leaves_) {
    give_to_parents(side_.problem.n_beliefs() + pos(leaf), leaf_worth_[pos(leaf)]);
    leaf_worth_[pos(leaf)] = 0;
  }
  leaves_.clear();
  std::size_t belief;
  while (take_last(belief)) update_belief(belief, weight);
}

void Ascent::give_to_parents(std::size_t node, double worth) {
  if (worth == 0) return;
  for (Index i = parent_start_[node]; i < parent_start_[node + 1]; ++i) {
    const auto p = pos(parents_[pos(i)]);
    utility_[p] += worth;
    mark(pos(owner_[p]));
  }
  touched_ += pos(parent_start_[node + 1] - parent_start_[node]);
}

// All that lies below the belief is done.
void Ascent::update_belief(std::size_t belief, double weight) {
  const auto first = pos(side_.problem.belief_start[belief]);
  const auto n = pos(side_.problem.belief_start[belief + 1]) - first;
  const std::span<double> utility = std::span(utility_).subspan(first, n);
  double worth = utility[0];
  if (n > 1) {
    const std::span<double> strategy = std::span(strategy_).first(n), regrets = side_.regrets.subspan(first, n);
    match_regrets(regrets, strategy);
    worth = 0;
    for (std::size_t i = 0; i < n; ++i) worth += strategy[i] * utility[i];
    for (std::size_t i = 0; i < n; ++i) regrets[i] += weight * (utility[i] - worth);
    touched_ += n;
  }
  std::fill(utility.begin(), utility.end(), 0.0);
  give_to_parents(belief, worth);
}

void Ascent::mark(std::size_t belief) {
  const std::size_t word = belief / kBits, block = word / kBits;
  marked_[word] |= std::uint64_t{1} << belief % kBits;
  marked_words_[block] |= std::uint64_t{1} << word % kBits;
  last_block_ = std::max(last_block_, block);
}

// Unmarks the last marked belief; false if there is none.
bool Ascent::take_last(std::size_t& belief) {
  while (marked_words_[last_block_] == 0) {
    if (last_block_-- == 0) {
      last_block_ = 0;
      return false;
    }
  }
  const std::size_t word = last_block_ * kBits + last_bit(marked_words_[last_block_]);
  belief = word * kBits + last_bit(marked_[word]);
  marked_[word] &= ~(std::uint64_t{1} << belief % kBits);
  if (marked_[word] == 0) marked_words_[last_block_] &= ~(std::uint64_t{1} << word % kBits);
  return true;
}

ExternalSampling::ExternalSampling(const SampledTree& tree, const SampledSide& first, const SampledSide& second)
    : tree_(tree), sides_{first, second}, plans_{PlanDraw(first), PlanDraw(second)},
      ascents_{Ascent(first), Ascent(second)} {}

void ExternalSampling::iterate(double weight, Dice& dice) {
  update(0, weight, dice);
  update(1, weight, dice);
}

void ExternalSampling::update(std::size_t side, double weight, Dice& dice) {
  PlanDraw& others = plans_[1 - side];
  others.start(dice, weight);
  open_.assign(1, 0);
  while (!open_.empty()) {
    const auto node = pos(open_.back());
    open_.pop_back();
    ++nodes_;
    const Index actor = tree_.actor[node], first = tree_.first_child[node], n = tree_.n_children[node];
    if (actor < 0) {
      const auto leaf = pos(tree_.infoset[node]);
      ascents_[side].add(sides_[side].leaf_class[leaf], side == 0 ? tree_.payoff[leaf] : -tree_.payoff[leaf]);
    } else if (actor == 0) {
      open_.push_back(first + static_cast<Index>(dice.pick(tree_.probability.subspan(pos(first), pos(n)))));
    } else if (pos(actor) == side + 1) {
      for (Index child = first; child < first + n; ++child) open_.push_back(child);
    } else {
      open_.push_back(first + others.action(tree_.infoset[node]));
    }
  }
  ascents_[side].update(weight);
}

std::uint64_t ExternalSampling::touched() const {
  return nodes_ + plans_[0].touched() + plans_[1].touched() + ascents_[0].touched() + ascents_[1].touched();
}

}  // namespace maxmin
