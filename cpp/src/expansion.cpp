#include "expansion.hpp"

#include <algorithm>

namespace maxmin {
namespace {

// How many look-ups in the table of nodes are under way at once.
constexpr std::size_t kAhead = 16;

// Outcomes or prescriptions between two polls: a fraction of a millisecond.
constexpr std::size_t kWork = 1 << 14;

}  // namespace

void Expansion::open(Indices label) {
  split_by_time(label);
  collect_contributions();
  if (!is_single()) group_contributions();
}

double Expansion::n_prescriptions() const {
  double product = 1;
  for (const Index options : options_) product *= options;
  return product;
}

void Expansion::poll(std::size_t work) {
  work_ += work;
  if (work_ < kWork) return;
  work_ = 0;
  if (!progress_(done_)) throw Cancelled();
}

void Expansion::write(Prescriptions& out) {
  done_ = static_cast<double>(out.n_children.size()) + n_prescriptions();
  if (is_single()) {
    write_options(out);
    return;
  }
  steps_.clear();
  places_.clear();
  choices_.clear();
  hashes_.clear();
  for (std::size_t group = 0; group < n_groups_; ++group) {
    add_steps(group);
    add_hashes(group);
  }
  find_outcomes();
  order_steps();
  write_prescriptions(out);
}

void Expansion::split_by_time(Indices label) {
  now_ = std::numeric_limits<Index>::max();
  for (const Index spot : label) now_ = std::min(now_, side_.spot_time(spot));
  acting_.clear();
  passing_.clear();
  waiting_.clear();
  for (const Index spot : label) {
    const Index decision = side_.spot_decision[pos(spot)];
    if (side_.spot_time(spot) != now_) {
      waiting_.push_back(spot);
    } else if (side_.decision_infoset[pos(decision)] < 0) {
      passing_.push_back(spot);
    } else {
      acting_.emplace_back(decision, spot);
    }
  }
  std::sort(acting_.begin(), acting_.end());
}

void Expansion::collect_contributions() {
  contributions_.clear();
  given_spots_.clear();
  given_leaves_.clear();
  decisions_.clear();
  options_.clear();
  for (std::size_t from = 0, to = 0; from < acting_.size(); from = to) {
    const Index decision = acting_[from].first;
    while (to < acting_.size() && acting_[to].first == decision) ++to;
    for (Index option = 0; option < side_.decision_options[pos(decision)]; ++option) {
      open_contribution(static_cast<Index>(decisions_.size()), option);
      for (std::size_t i = from; i < to; ++i) give_option(acting_[i].second, option);
      close_contribution();
    }
    decisions_.push_back(decision);
    options_.push_back(side_.decision_options[pos(decision)]);
  }
  for (const Index spot : passing_) {
    open_contribution(-1, -1);
    give_option(spot, 0);
    close_contribution();
  }
  for (const Index spot : waiting_) {
    open_contribution(-1, -1);
    give_spot(spot);
    close_contribution();
  }
}

void Expansion::open_contribution(Index decision, Index option) {
  contributions_.push_back({decision, option, given_spots_.size(), 0, given_leaves_.size(), 0, {}});
}

void Expansion::close_contribution() {
  contributions_.back().last_spot = given_spots_.size();
  contributions_.back().last_leaf = given_leaves_.size();
}

void Expansion::give_spot(Index spot) {
  given_spots_.push_back(spot);
  contributions_.back().hash += nodes_.spot_hash(spot);
}

void Expansion::give_option(Index spot, Index option) {
  const std::size_t o = pos(side_.spot_first_option[pos(spot)] + option);
  for (Index j = side_.option_start[o]; j < side_.option_start[o + 1]; ++j) give_spot(side_.option_spots[pos(j)]);
  if (const Index leaf = side_.option_leaf[o]; leaf >= 0) {
    given_leaves_.push_back(leaf);
    contributions_.back().hash += nodes_.leaf_hash(leaf);
  }
}

void Expansion::group_contributions() {
  const std::size_t n = contributions_.size();
  components_.reset(n);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t i = contributions_[c].first_spot; i < contributions_[c].last_spot; ++i) {
      components_.add(static_cast<Index>(c), given_spots_[i], now_ + 1);
    }
  }
  n_groups_ = 0;
  group_of_.resize(n);
  for (std::size_t c = 0; c < n; ++c) {
    const std::size_t head = pos(components_.find(static_cast<Index>(c)));
    group_of_[c] = head == c ? open_group() : group_of_[head];
    groups_[group_of_[c]].contributions.push_back(c);
  }
}

std::size_t Expansion::open_group() {
  if (groups_.size() == n_groups_) groups_.emplace_back();
  groups_[n_groups_].contributions.clear();
  return n_groups_++;
}

void Expansion::add_steps(std::size_t group) {
  const std::size_t first_step = groups_[group].first_step = steps_.size();
  for (const std::size_t c : groups_[group].contributions) {
    const Contribution& given = contributions_[c];
    if (given.decision < 0) continue;
    if (steps_.size() == first_step || steps_.back().decision != given.decision) {
      if (steps_.size() > first_step) close_choices();
      steps_.push_back({group, given.decision, places_.size(), choices_.size(), 0, 1});
      places_.insert(places_.end(), pos(options_[pos(given.decision)]), -1);
    }
    const Step& step = steps_.back();
    places_[step.first_place + pos(given.option)] = static_cast<Index>(choices_.size() - step.first_choice);
    choices_.push_back(static_cast<Index>(c));
  }
  if (steps_.size() > first_step) close_choices();
  std::size_t stride = 1;
  for (std::size_t step = steps_.size(); step-- > first_step; stride *= steps_[step].n_choices) {
    steps_[step].stride = stride;
  }
  groups_[group].last_step = steps_.size();
}

// Options of the last decision that lead to other groups share one choice: "nothing here".
void Expansion::close_choices() {
  Step& step = steps_.back();
  const auto nothing = static_cast<Index>(choices_.size() - step.first_choice);
  if (pos(nothing) < places_.size() - step.first_place) {
    choices_.push_back(-1);
    for (std::size_t i = step.first_place; i < places_.size(); ++i) {
      if (places_[i] < 0) places_[i] = nothing;
    }
  }
  step.n_choices = choices_.size() - step.first_choice;
}

// Append the hashes of a group's outcomes, the last decision fastest.
void Expansion::add_hashes(std::size_t group) {
  Hash always;
  for (const std::size_t c : groups_[group].contributions) {
    if (contributions_[c].decision < 0) always += contributions_[c].hash;
  }
  const std::size_t first = groups_[group].first_outcome = hashes_.size();
  hashes_.push_back(always);
  for (std::size_t s = groups_[group].first_step; s < groups_[group].last_step; ++s) {
    grown_.clear();
    for (std::size_t i = first; i < hashes_.size(); ++i) {
      poll(steps_[s].n_choices);
      for (std::size_t j = steps_[s].first_choice; j < steps_[s].first_choice + steps_[s].n_choices; ++j) {
        grown_.push_back(choices_[j] < 0 ? hashes_[i] : hashes_[i] + contributions_[pos(choices_[j])].hash);
      }
    }
    hashes_.resize(first);
    hashes_.insert(hashes_.end(), grown_.begin(), grown_.end());
  }
}

void Expansion::find_outcomes() {
  const std::size_t n = hashes_.size();
  outcomes_.resize(n);
  for (std::size_t i = 0; i < std::min(kAhead, n); ++i) nodes_.prefetch(hashes_[i]);
  std::size_t group = 0;
  for (std::size_t i = 0; i < n; ++i) {
    poll(1);
    if (i + kAhead < n) nodes_.prefetch(hashes_[i + kAhead]);
    while (group + 1 < n_groups_ && groups_[group + 1].first_outcome <= i) ++group;
    outcomes_[i] = nodes_.find(hashes_[i]);
    if (outcomes_[i] == NodeTable::kNone && !(hashes_[i] == Hash{})) {
      outcomes_[i] = add_outcome(groups_[group], i);
    }
  }
}

Index Expansion::add_outcome(const Group& group, std::size_t outcome) {
  spots_.clear();
  leaves_.clear();
  for (const std::size_t c : group.contributions) {
    if (contributions_[c].decision < 0) give_to_outcome(contributions_[c]);
  }
  for (std::size_t s = group.first_step; s < group.last_step; ++s) {
    const std::size_t taken = (outcome - group.first_outcome) / steps_[s].stride % steps_[s].n_choices;
    const Index choice = choices_[steps_[s].first_choice + taken];
    if (choice >= 0) give_to_outcome(contributions_[pos(choice)]);
  }
  return nodes_.add(hashes_[outcome], spots_, leaves_);
}

void Expansion::give_to_outcome(const Contribution& given) {
  for (std::size_t i = given.first_spot; i < given.last_spot; ++i) spots_.push_back(given_spots_[i]);
  for (std::size_t i = given.first_leaf; i < given.last_leaf; ++i) leaves_.push_back(given_leaves_[i]);
}

// One decision and nothing that waits: what follows an option is what it contributes, and nothing else.
void Expansion::write_options(Prescriptions& out) {
  for (const Contribution& given : contributions_) {
    Index node = nodes_.find(given.hash);
    if (node == NodeTable::kNone) {
      spots_.clear();
      leaves_.clear();
      give_to_outcome(given);
      node = nodes_.add(given.hash, spots_, leaves_);
    }
    out.children.push_back(node);
    out.n_children.push_back(1);
    nodes_.count_use(node);
  }
  out.decisions.push_back(decisions_[0]);
  out.n_decisions.push_back(1);
  out.counts.push_back(options_[0]);
}

void Expansion::write_chosen(Indices chosen, Rows& out) {
  if (is_single()) {  // its options were not grouped: only one of them is taken
    n_groups_ = 0;
    auto& all = groups_[open_group()].contributions;
    for (std::size_t c = 0; c < contributions_.size(); ++c) all.push_back(c);
  }
  for (std::size_t group = 0; group < n_groups_; ++group) {
    const Index node = chosen_outcome(groups_[group], chosen);
    if (node == NodeTable::kNone) continue;
    out.items.push_back(node);
    nodes_.count_use(node);
  }
  out.close();
}

// What follows in a group; kNone if nothing does.
Index Expansion::chosen_outcome(const Group& group, Indices chosen) {
  Hash hash;
  spots_.clear();
  leaves_.clear();
  for (const std::size_t c : group.contributions) {
    const Contribution& given = contributions_[c];
    if (given.decision >= 0 && chosen[pos(given.decision)] != given.option) continue;
    hash += given.hash;
    give_to_outcome(given);
  }
  if (hash == Hash{}) return NodeTable::kNone;
  const Index node = nodes_.find(hash);
  return node == NodeTable::kNone ? nodes_.add(hash, spots_, leaves_) : node;
}

void Expansion::order_steps() {
  step_start_.assign(decisions_.size() + 1, 0);
  for (const Step& step : steps_) ++step_start_[pos(step.decision) + 1];
  for (std::size_t d = 0; d < decisions_.size(); ++d) step_start_[d + 1] += step_start_[d];
  step_order_.resize(steps_.size());
  next_step_.assign(step_start_.begin(), step_start_.end());
  for (std::size_t s = 0; s < steps_.size(); ++s) step_order_[next_step_[pos(steps_[s].decision)]++] = s;
}

void Expansion::write_prescriptions(Prescriptions& out) {
  digits_.assign(decisions_.size(), 0);
  index_.resize(n_groups_);
  for (std::size_t group = 0; group < n_groups_; ++group) index_[group] = groups_[group].first_outcome;
  for (const Step& step : steps_) index_[step.group] += step.stride * pos(places_[step.first_place]);
  const std::size_t first = out.n_children.size();
  for (bool more = true; more; more = advance()) {
    const std::size_t before = out.children.size();
    poll(n_groups_);
    for (std::size_t group = 0; group < n_groups_; ++group) {
      const Index node = outcomes_[index_[group]];
      if (node == NodeTable::kNone) continue;
      out.children.push_back(node);
      nodes_.count_use(node);
    }
    out.n_children.push_back(static_cast<Index>(out.children.size() - before));
  }
  out.decisions.insert(out.decisions.end(), decisions_.begin(), decisions_.end());
  out.n_decisions.push_back(static_cast<Index>(decisions_.size()));
  out.counts.push_back(static_cast<Index>(out.n_children.size() - first));
}

// Next prescription; false after the last one.
bool Expansion::advance() {
  for (std::size_t d = decisions_.size(); d-- > 0;) {
    const std::size_t old = pos(digits_[d]);
    const std::size_t next = digits_[d] + 1 == options_[d] ? 0 : old + 1;
    digits_[d] = static_cast<Index>(next);
    for (std::size_t i = step_start_[d]; i < step_start_[d + 1]; ++i) {
      const Step& step = steps_[step_order_[i]];
      index_[step.group] += step.stride * pos(places_[step.first_place + next]);
      index_[step.group] -= step.stride * pos(places_[step.first_place + old]);
    }
    if (next != 0) return true;
  }
  return false;
}

}  // namespace maxmin
