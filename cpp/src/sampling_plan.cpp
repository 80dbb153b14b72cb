#include "maxmin/sampling.hpp"

#include <algorithm>

namespace maxmin {
namespace {

// The only parent, a prescription, of each belief and leaf class; empty if one has two.
std::vector<Index> only_parents(const ProblemView& problem) {
  std::vector<Index> parent(problem.n_values(), -1);
  for (std::size_t p = 0; p < problem.n_prescriptions(); ++p) {
    for (Index c = problem.child_start[p]; c < problem.child_start[p + 1]; ++c) {
      Index& of = parent[pos(problem.children[pos(c)])];
      if (of >= 0) return {};
      of = static_cast<Index>(p);
    }
  }
  return parent;
}

}  // namespace

std::size_t RandomDice::pick(std::span<const double> chance) {
  double left = random_.unit();
  std::size_t last = 0;
  for (std::size_t i = 0; i < chance.size(); ++i) {
    if (chance[i] <= 0) continue;
    last = i;  // rounding may leave something over; what is impossible is never drawn
    left -= chance[i];
    if (left < 0) break;
  }
  return last;
}

void match_regrets(std::span<const double> regrets, std::span<double> strategy) {
  double total = 0;
  for (const double regret : regrets) total += std::max(regret, 0.0);
  if (total > 0) {
    const double scale = 1 / total;
    for (std::size_t i = 0; i < regrets.size(); ++i) strategy[i] = std::max(regrets[i], 0.0) * scale;
  } else {
    std::fill(strategy.begin(), strategy.end(), 1 / static_cast<double>(regrets.size()));
  }
}

std::vector<Index> owners(const ProblemView& problem) {
  std::vector<Index> owner(problem.n_prescriptions());
  for (std::size_t belief = 0; belief < problem.n_beliefs(); ++belief) {
    std::fill(owner.begin() + problem.belief_start[belief], owner.begin() + problem.belief_start[belief + 1],
              static_cast<Index>(belief));
  }
  return owner;
}

std::size_t most_prescriptions(const ProblemView& problem) {
  Index most = 1;
  for (std::size_t b = 0; b < problem.n_beliefs(); ++b) {
    most = std::max(most, problem.belief_start[b + 1] - problem.belief_start[b]);
  }
  return pos(most);
}

PlanDraw::PlanDraw(const SampledSide& side)
    : side_(side), parent_(only_parents(side.problem)), strategy_(most_prescriptions(side.problem)) {
  chosen_.resize(side.problem.n_beliefs());
  belief_drawn_.assign(side.problem.n_beliefs(), 0);
  action_.resize(side.infoset_n_actions.size());
  action_drawn_.assign(side.infoset_n_actions.size(), 0);
  lazy_ = find_beliefs() && !parent_.empty();
  if (lazy_) {
    owner_ = owners(side.problem);
  } else {
    leaf_drawn_.assign(pos(side.problem.n_leaf_classes), 0);
  }
}

// The only belief that prescribes for each infoset; false if there are two.
bool PlanDraw::find_beliefs() {
  belief_of_.assign(side_.infoset_n_actions.size(), -1);
  for (std::size_t belief = 0; belief < side_.problem.n_beliefs(); ++belief) {
    for (Index i = side_.belief_decision_start[belief]; i < side_.belief_decision_start[belief + 1]; ++i) {
      Index& of = belief_of_[pos(side_.decision_infoset[pos(side_.belief_decisions[pos(i)])])];
      if (of >= 0) return false;
      of = static_cast<Index>(belief);
    }
  }
  return true;
}

void PlanDraw::start(Dice& dice, double weight) {
  ++number_;
  dice_ = &dice;
  weight_ = weight;
  if (!lazy_) draw_all();
}

void PlanDraw::draw_all() {
  const ProblemView& problem = side_.problem;
  open_.assign(1, 0);
  while (!open_.empty()) {
    const Index belief = open_.back();
    open_.pop_back();
    draw(belief);
    const auto p = pos(chosen_[pos(belief)]);
    for (Index c = problem.child_start[p]; c < problem.child_start[p + 1]; ++c) {
      const Index child = problem.children[pos(c)];
      if (pos(child) < problem.n_beliefs()) {
        open_.push_back(child);
      } else {
        leaf_drawn_[pos(child) - problem.n_beliefs()] = number_;
      }
    }
  }
}

void PlanDraw::draw(Index belief) {
  const auto b = pos(belief);
  const auto first = pos(side_.problem.belief_start[b]), n = pos(side_.problem.belief_start[b + 1]) - first;
  std::size_t picked = 0;
  if (n > 1) {
    const std::span<double> strategy = std::span(strategy_).first(n);
    match_regrets(side_.regrets.subspan(first, n), strategy);
    picked = dice_->pick(strategy);
    if (weight_ > 0) {
      for (std::size_t i = 0; i < n; ++i) side_.flow_sum[first + i] += weight_ * strategy[i];
    }
    touched_ += n;
  }
  chosen_[b] = static_cast<Index>(first + picked);
  belief_drawn_[b] = number_;
  choose_actions(b, picked);
}

// The last decision varies fastest over a belief's prescriptions. A choice among many actions may be a chain of binary
// ones: option 0 of stage j plays action j, option 1 goes on, at the last stage it plays the last action.
void PlanDraw::choose_actions(std::size_t belief, std::size_t prescription) {
  for (Index i = side_.belief_decision_start[belief + 1]; i-- > side_.belief_decision_start[belief];) {
    const auto decision = pos(side_.belief_decisions[pos(i)]);
    const auto infoset = pos(side_.decision_infoset[decision]);
    const Index options = side_.decision_options[decision], stage = side_.decision_stage[decision];
    const auto option = static_cast<Index>(prescription % pos(options));
    prescription /= pos(options);
    const Index n_actions = side_.infoset_n_actions[infoset];
    if (options < n_actions && option == 1 && stage < n_actions - 2) continue;
    action_[infoset] = stage + option;
    action_drawn_[infoset] = number_;
  }
}

bool PlanDraw::comes_to(Index node) {
  open_.clear();
  for (Index p = parent_[pos(node)]; p >= 0; p = parent_[pos(owner_[pos(p)])]) open_.push_back(p);
  for (; !open_.empty(); open_.pop_back()) {
    const Index belief = owner_[pos(open_.back())];
    if (belief_drawn_[pos(belief)] != number_) draw(belief);
    if (chosen_[pos(belief)] != open_.back()) return false;
  }
  return true;
}

bool PlanDraw::reaches(Index leaf_class) {
  if (!lazy_) return leaf_drawn_[pos(leaf_class)] == number_;
  return comes_to(static_cast<Index>(side_.problem.n_beliefs()) + leaf_class);
}

Index PlanDraw::action(Index infoset) {
  if (action_drawn_[pos(infoset)] != number_) draw(belief_of_[pos(infoset)]);
  return action_[pos(infoset)];
}

}  // namespace maxmin
