// Monte Carlo regret minimization: the samplers and the arrays that they work on.
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include "maxmin/sampling_external.hpp"
#include "maxmin/sampling_outcome.hpp"

#include "arrays.hpp"
#include "module.hpp"

namespace {

// Holds the arrays that the view points into.
struct Side {
  std::array<IntArray, 9> indices;
  IntArray infoset_n_actions;
  MutableArray<double> regrets, flow_sum, baseline;
  maxmin::SampledSide view;

  Side(IntArray belief_start, IntArray child_start, IntArray children, maxmin::Index n_leaf_classes,
       IntArray belief_decision_start, IntArray belief_decisions, IntArray decision_infoset, IntArray decision_stage,
       IntArray decision_options, IntArray leaf_class, IntArray n_actions, MutableArray<double> r,
       MutableArray<double> f, MutableArray<double> b)
      : indices{belief_start,     child_start,    children,         belief_decision_start, belief_decisions,
                decision_infoset, decision_stage, decision_options, leaf_class},
        infoset_n_actions(n_actions), regrets(r), flow_sum(f), baseline(b),
        view{{span_of(indices[0]), span_of(indices[1]), span_of(indices[2]), n_leaf_classes},
             span_of(indices[3]), span_of(indices[4]), span_of(indices[5]), span_of(indices[6]), span_of(indices[7]),
             span_of(infoset_n_actions), span_of(indices[8]), span_of(regrets), span_of(flow_sum),
             span_of(baseline)} {}
};

struct External {
  std::array<IntArray, 4> nodes;
  FloatArray probability, payoff;
  Side first, second;
  maxmin::ExternalSampling sampler;

  External(IntArray first_child, IntArray n_children, IntArray actor, IntArray infoset, FloatArray chance,
           FloatArray payoffs, const Side& a, const Side& b)
      : nodes{first_child, n_children, actor, infoset}, probability(chance), payoff(payoffs), first(a), second(b),
        sampler({span_of(nodes[0]), span_of(nodes[1]), span_of(nodes[2]), span_of(nodes[3]), span_of(probability),
                 span_of(payoff)},
                first.view, second.view) {}
};

struct Outcome {
  std::array<IntArray, 4> indices;
  std::array<FloatArray, 2> values;
  Side first, second;
  maxmin::OutcomeSampling sampler;

  Outcome(IntArray start, IntArray column, FloatArray value, IntArray transposed_start, IntArray transposed_column,
          FloatArray transposed_value, const Side& a, const Side& b)
      : indices{start, column, transposed_start, transposed_column}, values{value, transposed_value}, first(a),
        second(b),
        sampler({span_of(indices[0]), span_of(indices[1]), span_of(values[0])},
                {span_of(indices[2]), span_of(indices[3]), span_of(values[1])}, first.view, second.view) {}
};

constexpr const char* kRun = "Run iterations from a random state; returns how many were done, and the new state.";

template <typename Holder>
auto run(Holder& holder, std::uint64_t state, std::size_t first, std::size_t count, std::uint64_t edges,
         nb::object progress) {
  const maxmin::Progress report = throttled(progress);
  nb::gil_scoped_release release;
  maxmin::RandomDice dice(state);
  const std::size_t done = maxmin::run_sampler(holder.sampler, dice, first, count, edges, report);
  return std::make_tuple(done, dice.state());
}

}  // namespace

void bind_sampling(nb::module_& module) {
  nb::class_<Side>(module, "SampledSide", "A decision problem and its sums, as the samplers take them.")
      .def(nb::init<IntArray, IntArray, IntArray, maxmin::Index, IntArray, IntArray, IntArray, IntArray, IntArray,
                    IntArray, IntArray, MutableArray<double>, MutableArray<double>, MutableArray<double>>(),
           nb::arg("belief_start"), nb::arg("child_start"), nb::arg("children"), nb::arg("n_leaf_classes"),
           nb::arg("belief_decision_start"), nb::arg("belief_decisions"), nb::arg("decision_infoset"),
           nb::arg("decision_stage"), nb::arg("decision_options"), nb::arg("leaf_class"),
           nb::arg("infoset_n_actions"), nb::arg("regrets"), nb::arg("flow_sum"), nb::arg("baseline"));
  nb::class_<External>(module, "ExternalSampling", "Draws the other side's plan and chance.")
      .def(nb::init<IntArray, IntArray, IntArray, IntArray, FloatArray, FloatArray, const Side&, const Side&>(),
           nb::arg("first_child"), nb::arg("n_children"), nb::arg("actor"), nb::arg("infoset"),
           nb::arg("probability"), nb::arg("payoff"), nb::arg("first"), nb::arg("second"))
      .def("run", &run<External>, nb::arg("state"), nb::arg("first"), nb::arg("count"), nb::arg("edges"),
           nb::arg("progress") = nb::none(), kRun)
      .def_prop_ro("touched", [](const External& external) { return external.sampler.touched(); });
  nb::class_<Outcome>(module, "OutcomeSampling", "Draws the other side's plan and one's own.")
      .def(nb::init<IntArray, IntArray, FloatArray, IntArray, IntArray, FloatArray, const Side&, const Side&>(),
           nb::arg("start"), nb::arg("column"), nb::arg("value"), nb::arg("transposed_start"),
           nb::arg("transposed_column"), nb::arg("transposed_value"), nb::arg("first"), nb::arg("second"))
      .def("run", &run<Outcome>, nb::arg("state"), nb::arg("first"), nb::arg("count"), nb::arg("edges"),
           nb::arg("progress") = nb::none(), kRun)
      .def_prop_ro("touched", [](const Outcome& outcome) { return outcome.sampler.touched(); });
}
