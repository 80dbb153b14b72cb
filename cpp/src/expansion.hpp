// All prescriptions of one belief, and where each leads.
//
// Each option of each decision *contributes* spots and leaf classes to what follows; a spot that waits contributes
// itself. Contributions that can ever be connected form a group: what follows in one group does not depend on
// choices in the others. So each group has a table from its choices to its outcome (a node), and a prescription's
// children are one entry of each table.
#pragma once

#include <vector>

#include "belief_nodes.hpp"

namespace maxmin {

// Prescriptions of beliefs, in the order in which beliefs are expanded.
struct Prescriptions {
  std::vector<Index> decisions;    // the decisions of belief after belief
  std::vector<Index> n_decisions;  // per belief
  std::vector<Index> counts;       // per belief, how many prescriptions
  std::vector<Index> n_children;   // per prescription
  std::vector<Index> children;     // nodes by provisional number
};

class Expansion {
 public:
  // `progress` is polled; it is told the number of prescriptions so far, those of the belief at hand included.
  Expansion(const SideTree& side, const Tokens& tokens, BeliefNodes& nodes, const Progress& progress)
      : side_(side), nodes_(nodes), components_(tokens), progress_(progress) {}

  // Look at a belief; `label` is used during this call only.
  void open(Indices label);
  // How many prescriptions it has, and how many children each has at most; may be beyond all memory.
  double n_prescriptions() const;
  std::size_t most_children() const { return is_single() ? 1 : n_groups_; }
  // Append its prescriptions, the last decision fastest; new children become nodes. Throws Cancelled.
  void write(Prescriptions& out);
  // The decisions that it prescribes for, ascending.
  Indices decisions() const { return decisions_; }
  // Append the children of one prescription only, given the option of each decision, as one row.
  void write_chosen(Indices chosen, Rows& out);

 private:
  // What one option adds to what follows; decision -1: always there (a spot that waits, or has nothing to decide).
  struct Contribution {
    Index decision, option;  // position among the acting decisions
    std::size_t first_spot, last_spot, first_leaf, last_leaf;
    Hash hash;
  };
  // How one decision chooses in one group: option a takes choice places_[first_place + a], which moves the place in
  // the group's table by `stride`. Choices are contributions, or -1 for options that lead to other groups.
  struct Step {
    std::size_t group;
    Index decision;
    std::size_t first_place, first_choice, n_choices, stride;
  };
  struct Group {
    std::vector<std::size_t> contributions;
    std::size_t first_step, last_step, first_outcome;
  };

  bool is_single() const { return decisions_.size() == 1 && waiting_.empty() && passing_.empty(); }
  void poll(std::size_t work);
  void split_by_time(Indices label);
  void collect_contributions();
  void open_contribution(Index decision, Index option);
  void close_contribution();
  void give_spot(Index spot);
  void give_option(Index spot, Index option);
  void group_contributions();
  std::size_t open_group();

  void add_steps(std::size_t group);
  void close_choices();
  void add_hashes(std::size_t group);
  void find_outcomes();
  Index add_outcome(const Group& group, std::size_t outcome);
  void give_to_outcome(const Contribution& given);
  Index chosen_outcome(const Group& group, Indices chosen);
  void order_steps();
  void write_prescriptions(Prescriptions& out);
  void write_options(Prescriptions& out);
  bool advance();

  const SideTree& side_;
  BeliefNodes& nodes_;
  Components components_;
  const Progress& progress_;
  std::size_t work_ = 0;  // since the last poll
  double done_ = 0;

  Index now_ = 0;
  std::vector<std::pair<Index, Index>> acting_;  // decision, spot
  std::vector<Index> passing_;                   // spots of others' moves (see layered_side.hpp), on their way
  std::vector<Index> waiting_, decisions_, options_;
  std::vector<Contribution> contributions_;
  std::vector<Index> given_spots_, given_leaves_;
  std::vector<Group> groups_;  // only the first n_groups_ are in use
  std::size_t n_groups_ = 0;
  std::vector<std::size_t> group_of_;

  std::vector<Step> steps_;
  std::vector<Index> places_, choices_;
  std::vector<Hash> hashes_;     // of the outcomes of all groups
  std::vector<Index> outcomes_;  // their nodes
  std::vector<Hash> grown_;
  std::vector<Index> spots_, leaves_;

  std::vector<std::size_t> step_start_, step_order_, next_step_;  // steps by decision
  std::vector<Index> digits_;                                     // the option of each decision
  std::vector<std::size_t> index_;                                // the place in outcomes_ of each group
};

}  // namespace maxmin
