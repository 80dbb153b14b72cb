// Solvers: payoffs between two decision problems, passes over them, regret minimization.
#include <nanobind/stl/tuple.h>

#include <mutex>

#include "maxmin/problem.hpp"
#include "maxmin/regret.hpp"
#include "maxmin/sweep.hpp"

#include "arrays.hpp"
#include "module.hpp"

namespace {

// Holds the arrays that the views point into.
struct Problem {
  IntArray belief_start, child_start, children;
  maxmin::ProblemView view;

  Problem(IntArray beliefs, IntArray child_starts, IntArray child_nodes, maxmin::Index n_leaf_classes)
      : belief_start(beliefs),
        child_start(child_starts),
        children(child_nodes),
        view{span_of(belief_start), span_of(child_start), span_of(children), n_leaf_classes} {}

  // Made when it is first asked for: only regret minimizers need it.
  const maxmin::Sweep& sweep() const {
    std::call_once(made_, [this] { sweep_ = maxmin::make_sweep(view); });
    return sweep_;
  }

 private:
  mutable std::once_flag made_;
  mutable maxmin::Sweep sweep_;
};

struct Payoffs {
  IntArray start, column;
  FloatArray value;
  maxmin::MatrixView view;

  Payoffs(IntArray starts, IntArray columns, FloatArray values)
      : start(starts), column(columns), value(values), view{span_of(start), span_of(column), span_of(value)} {}
};

struct State {
  MutableArray<double> regrets, strategy, flow_sum, leaf_sum, reach, values;
  maxmin::RegretState view;

  State(MutableArray<double> r, MutableArray<double> s, MutableArray<double> f, MutableArray<double> l,
        MutableArray<double> w, MutableArray<double> v)
      : regrets(r), strategy(s), flow_sum(f), leaf_sum(l), reach(w), values(v),
        view{span_of(regrets), span_of(strategy), span_of(flow_sum),
             span_of(leaf_sum), span_of(reach),   span_of(values)} {}
};

}  // namespace

void bind_solve(nb::module_& module) {
  nb::class_<Problem>(module, "Problem", "A decision problem: beliefs, prescriptions, children.")
      .def(nb::init<IntArray, IntArray, IntArray, maxmin::Index>(), nb::arg("belief_start"), nb::arg("child_start"),
           nb::arg("children"), nb::arg("n_leaf_classes"));
  nb::class_<Payoffs>(module, "Payoffs", "A sparse payoff matrix by rows.")
      .def(nb::init<IntArray, IntArray, FloatArray>(), nb::arg("start"), nb::arg("column"), nb::arg("value"));
  nb::class_<State>(module, "RegretState", "What one side carries between iterations.")
      .def(nb::init<MutableArray<double>, MutableArray<double>, MutableArray<double>, MutableArray<double>,
                    MutableArray<double>, MutableArray<double>>(),
           nb::arg("regrets"), nb::arg("strategy"), nb::arg("flow_sum"), nb::arg("leaf_sum"), nb::arg("reach"),
           nb::arg("values"));

  module.def(
      "payoff_matrix",
      [](IntArray row_class, IntArray column_class, FloatArray weight, maxmin::Index n_rows, maxmin::Index n_columns) {
        maxmin::Matrix matrix;
        {
          nb::gil_scoped_release release;
          matrix = maxmin::payoff_matrix(span_of(row_class), span_of(column_class), span_of(weight), n_rows, n_columns);
        }
        return std::make_tuple(to_numpy(std::move(matrix.start)), to_numpy(std::move(matrix.column)),
                              to_numpy(std::move(matrix.value)));
      },
      nb::arg("row_class"), nb::arg("column_class"), nb::arg("weight"), nb::arg("n_rows"), nb::arg("n_columns"),
      "Sum weights over the leaves of each pair of classes.");

  module.def(
      "multiply",
      [](const Payoffs& payoffs, FloatArray x, double factor, MutableArray<double> out) {
        nb::gil_scoped_release release;
        maxmin::multiply(payoffs.view, span_of(x), factor, span_of(out));
      },
      nb::arg("payoffs"), nb::arg("x"), nb::arg("factor"), nb::arg("out"), "out = factor * payoffs * x.");

  module.def(
      "best_response",
      [](const Problem& problem, MutableArray<double> values, MutableArray<maxmin::Index> choice) {
        nb::gil_scoped_release release;
        return maxmin::best_response(problem.view, span_of(values), span_of(choice));
      },
      nb::arg("problem"), nb::arg("values"), nb::arg("choice"), "The worth of the root to a best response.");

  module.def(
      "realize",
      [](const Problem& problem, FloatArray strategy, MutableArray<double> reach) {
        nb::gil_scoped_release release;
        maxmin::realize(problem.view, span_of(strategy), span_of(reach));
      },
      nb::arg("problem"), nb::arg("strategy"), nb::arg("reach"), "How often each belief and leaf class is reached.");

  module.def(
      "count_paths",
      [](const Problem& problem) {
        nb::gil_scoped_release release;
        return maxmin::count_paths(problem.view);
      },
      nb::arg("problem"), "The number of paths from the root to leaf classes.");

  module.def(
      "decompose",
      [](const Problem& problem, MutableArray<double> flow, std::size_t most_plans, double rest) {
        maxmin::Plans plans;
        {
          nb::gil_scoped_release release;
          plans = maxmin::decompose(problem.view, span_of(flow), most_plans, rest);
        }
        return std::make_tuple(to_numpy(std::move(plans.weight)), to_numpy(std::move(plans.start)),
                              to_numpy(std::move(plans.prescriptions)));
      },
      nb::arg("problem"), nb::arg("flow"), nb::arg("most_plans"), nb::arg("rest"),
      "Write a flow as weighted pure plans; the flow is used up.");

  module.def(
      "start_regrets",
      [](const Problem& problem, const State& state) {
        nb::gil_scoped_release release;
        maxmin::start_regrets(problem.view, state.view);
      },
      nb::arg("problem"), nb::arg("state"), "Set the uniform strategy and clear the sums.");

  module.def(
      "iterate",
      [](const Problem& a, const Problem& b, const Payoffs& payoffs, const Payoffs& transposed, const State& state_a,
         const State& state_b, FloatArray positive, FloatArray negative, FloatArray predicted, FloatArray weight,
         double prediction, bool floor, bool alternating, nb::object progress, std::size_t threads) {
        const maxmin::Schedule schedule{span_of(positive), span_of(negative), span_of(predicted), span_of(weight),
                                        prediction,        floor,             alternating};
        const maxmin::Progress report = throttled(progress);
        nb::gil_scoped_release release;
        return maxmin::iterate({a.view, a.sweep(), payoffs.view, state_a.view},
                               {b.view, b.sweep(), transposed.view, state_b.view}, schedule, threads, report);
      },
      nb::arg("a"), nb::arg("b"), nb::arg("payoffs"), nb::arg("transposed"), nb::arg("state_a"), nb::arg("state_b"),
      nb::arg("positive"), nb::arg("negative"), nb::arg("predicted"), nb::arg("weight"), nb::arg("prediction"),
      nb::arg("floor"), nb::arg("alternating"), nb::arg("progress") = nb::none(),
      nb::arg("threads") = 1,
      "Run iterations of regret minimization; returns how many were done, the same whatever the number of threads.");
}
