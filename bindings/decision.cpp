// Decision problems: merging a tree for a side, estimating, building and counting its belief DAG.
#include <nanobind/stl/tuple.h>

#include "maxmin/belief_dag.hpp"
#include "maxmin/inflate.hpp"
#include "maxmin/layered_side.hpp"
#include "maxmin/plain_counts.hpp"

#include "arrays.hpp"
#include "module.hpp"

namespace {

maxmin::TreeView view(const IntArray& parent, const IntArray& player, const IntArray& infoset, const IntArray& action,
                      const IntArray& infoset_n_actions) {
  return {span_of(parent), span_of(player), span_of(infoset), span_of(action), span_of(infoset_n_actions)};
}

maxmin::Observations observations(bool public_states) {
  return public_states ? maxmin::Observations::kPublic : maxmin::Observations::kConnected;
}

}  // namespace

void bind_decision(nb::module_& module) {
  using maxmin::BeliefDag;
  using maxmin::SideTree;
  using maxmin::SizeEstimate;

  nb::class_<SideTree>(module, "SideTree", "What one side of a game can tell apart; each array can be taken once.")
      .def_ro("n_leaf_classes", &SideTree::n_leaf_classes)
      .def("take_leaf_class", [](SideTree& s) { return to_numpy(std::move(s.leaf_class)); })
      .def("take_decision_infoset", [](SideTree& s) { return to_numpy(std::move(s.decision_infoset)); })
      .def("take_decision_stage", [](SideTree& s) { return to_numpy(std::move(s.decision_stage)); })
      .def("take_decision_options", [](SideTree& s) { return to_numpy(std::move(s.decision_options)); });

  module.def(
      "merge_side",
      [](IntArray parent, IntArray player, IntArray infoset, IntArray action, IntArray infoset_n_actions,
         Array<std::uint8_t> in_side, bool reduce_branching) {
        const maxmin::TreeView tree = view(parent, player, infoset, action, infoset_n_actions);
        const auto side = span_of(in_side);
        nb::gil_scoped_release release;
        return maxmin::merge_side(tree, side, reduce_branching);
      },
      nb::arg("parent"), nb::arg("player"), nb::arg("infoset"), nb::arg("action"), nb::arg("infoset_n_actions"),
      nb::arg("in_side"), nb::arg("reduce_branching"), "Merge what the side's own moves cannot separate.");

  module.def(
      "inflate",
      [](IntArray parent, IntArray player, IntArray infoset, IntArray action, IntArray infoset_n_actions,
         Array<std::uint8_t> in_side, nb::object progress) {
        const maxmin::TreeView tree = view(parent, player, infoset, action, infoset_n_actions);
        const auto side = span_of(in_side);
        const maxmin::Progress report = throttled(progress);
        maxmin::Inflated inflated;
        {
          nb::gil_scoped_release release;
          inflated = maxmin::inflate(tree, side, report);
        }
        return std::make_tuple(to_numpy(std::move(inflated.infoset)), to_numpy(std::move(inflated.origin)));
      },
      nb::arg("parent"), nb::arg("player"), nb::arg("infoset"), nb::arg("action"), nb::arg("infoset_n_actions"),
      nb::arg("in_side"), nb::arg("progress") = nb::none(),
      "Split the side's infosets completely: the infoset of each node, and where each infoset comes from.");

  module.def(
      "layer_side",
      [](IntArray parent, IntArray player, IntArray infoset, IntArray action, IntArray infoset_n_actions,
         Array<std::uint8_t> in_side, const SideTree& merged, nb::object progress) {
        const maxmin::TreeView tree = view(parent, player, infoset, action, infoset_n_actions);
        const auto side = span_of(in_side);
        const maxmin::Progress report = throttled(progress);
        nb::gil_scoped_release release;
        return maxmin::layer_side(tree, side, merged, report);
      },
      nb::arg("parent"), nb::arg("player"), nb::arg("infoset"), nb::arg("action"), nb::arg("infoset_n_actions"),
      nb::arg("in_side"), nb::arg("merged"), nb::arg("progress") = nb::none(),
      "Lay the tree out for a side, layer by layer, as the paper reads it.");

  module.def(
      "count_plainly",
      [](const SideTree& layered, bool public_states, std::size_t most_bytes, nb::object progress) {
        const maxmin::Progress report = throttled(progress);
        nb::gil_scoped_release release;
        return maxmin::count_plainly(layered, observations(public_states), most_bytes, report);
      },
      nb::arg("layered"), nb::arg("public_states"), nb::arg("most_bytes"), nb::arg("progress") = nb::none(),
      "Count vertices and edges of the belief DAG as the paper reads, and nodes of the converted game.");

  module.def(
      "count_unpruned_nodes",
      [](const SideTree& layered) {
        nb::gil_scoped_release release;
        return maxmin::count_unpruned_nodes(layered);
      },
      nb::arg("layered"), "Count nodes of the converted game in which prescriptions cover ruled-out infosets too.");

  nb::class_<maxmin::PlainCounts>(module, "PlainCounts", "How large a belief DAG is as the paper reads.")
      .def_ro("vertices", &maxmin::PlainCounts::vertices)
      .def_ro("edges", &maxmin::PlainCounts::edges)
      .def_ro("converted_nodes", &maxmin::PlainCounts::converted_nodes)
      .def_ro("converted_leaves", &maxmin::PlainCounts::converted_leaves);

  nb::class_<SizeEstimate>(module, "SizeEstimate", "Predicted sizes of a belief DAG.")
      .def_ro("beliefs", &SizeEstimate::beliefs)
      .def_ro("prescriptions", &SizeEstimate::prescriptions)
      .def_ro("public_states", &SizeEstimate::public_states)
      .def_ro("largest_public_state", &SizeEstimate::largest_public_state)
      .def_ro("most_infosets", &SizeEstimate::most_infosets);

  module.def(
      "estimate_size",
      [](const SideTree& side) {
        nb::gil_scoped_release release;
        return maxmin::estimate_size(side);
      },
      nb::arg("side"), "Predict the sizes of the belief DAG without building it.");

  nb::class_<BeliefDag>(module, "BeliefDag", "A belief DAG; each array can be taken once.")
      .def_ro("most_infosets", &BeliefDag::most_infosets)
      .def_ro("plain_edges", &BeliefDag::plain_edges)
      .def("take_belief_start", [](BeliefDag& d) { return to_numpy(std::move(d.belief_start)); })
      .def("take_child_start", [](BeliefDag& d) { return to_numpy(std::move(d.child_start)); })
      .def("take_children", [](BeliefDag& d) { return to_numpy(std::move(d.children)); })
      .def("take_belief_decision_start", [](BeliefDag& d) { return to_numpy(std::move(d.belief_decision_start)); })
      .def("take_belief_decisions", [](BeliefDag& d) { return to_numpy(std::move(d.belief_decisions)); });

  module.def(
      "build_belief_dag",
      [](const SideTree& side, bool public_states, std::size_t most_bytes, nb::object progress) {
        const maxmin::Progress report = throttled(progress);
        nb::gil_scoped_release release;
        return maxmin::build_belief_dag(side, observations(public_states), most_bytes, report);
      },
      nb::arg("side"), nb::arg("public_states"), nb::arg("most_bytes"), nb::arg("progress") = nb::none(),
      "Build the belief DAG; refuse above most_bytes.");
}
