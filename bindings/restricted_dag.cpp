// Restricted belief DAGs, grown plan by plan.
#include <nanobind/stl/tuple.h>

#include "maxmin/restricted_dag.hpp"

#include "arrays.hpp"
#include "module.hpp"

void bind_restricted_dag(nb::module_& module) {
  using maxmin::RestrictedArrays;
  using maxmin::RestrictedDag;

  module.def(
      "decisions_of",
      [](const maxmin::SideTree& side) {
        std::vector<maxmin::Index> infoset = side.decision_infoset, stage = side.decision_stage,
                                   options = side.decision_options;
        return std::make_tuple(to_numpy(std::move(infoset)), to_numpy(std::move(stage)), to_numpy(std::move(options)));
      },
      nb::arg("side"), "Copy what each decision is: its infoset, its stage, its number of options.");

  nb::class_<RestrictedArrays>(module, "RestrictedArrays", "A restricted belief DAG; each array can be taken once.")
      .def_prop_ro("most_infosets", [](const RestrictedArrays& r) { return r.dag.most_infosets; })
      .def_prop_ro("plain_edges", [](const RestrictedArrays& r) { return r.dag.plain_edges; })
      .def("take_belief_start", [](RestrictedArrays& r) { return to_numpy(std::move(r.dag.belief_start)); })
      .def("take_child_start", [](RestrictedArrays& r) { return to_numpy(std::move(r.dag.child_start)); })
      .def("take_children", [](RestrictedArrays& r) { return to_numpy(std::move(r.dag.children)); })
      .def("take_belief_decision_start",
           [](RestrictedArrays& r) { return to_numpy(std::move(r.dag.belief_decision_start)); })
      .def("take_belief_decisions", [](RestrictedArrays& r) { return to_numpy(std::move(r.dag.belief_decisions)); })
      .def("take_option_start", [](RestrictedArrays& r) { return to_numpy(std::move(r.option_start)); })
      .def("take_options", [](RestrictedArrays& r) { return to_numpy(std::move(r.options)); })
      .def("take_prescription_number",
           [](RestrictedArrays& r) { return to_numpy(std::move(r.prescription_number)); });

  nb::class_<RestrictedDag>(module, "RestrictedDag", "The belief DAG of what some joint pure plans prescribe.")
      .def(
          "__init__",
          [](RestrictedDag* self, const maxmin::SideTree& side, bool public_states, std::size_t most_bytes) {
            using maxmin::Observations;
            const auto observations = public_states ? Observations::kPublic : Observations::kConnected;
            new (self) RestrictedDag(side, observations, most_bytes);
          },
          nb::arg("side"), nb::arg("public_states"), nb::arg("most_bytes"), nb::keep_alive<1, 2>())
      .def(
          "grow",
          [](RestrictedDag& dag, IntArray plan, FloatArray worth, FloatArray values, double margin) {
            nb::gil_scoped_release release;
            return dag.grow(span_of(plan), span_of(worth), span_of(values), margin);
          },
          nb::arg("plan"), nb::arg("worth"), nb::arg("values"), nb::arg("margin"),
          "Allow a plan's prescriptions where they gain more than `values`; returns how many were added.")
      .def(
          "write",
          [](RestrictedDag& dag) {
            nb::gil_scoped_release release;
            return dag.write();
          },
          "The DAG as it is now.");
}
