// Numbers the beliefs of a DAG so that forward passes over it can be shared out among threads.
#pragma once

#include "maxmin/belief_dag.hpp"

namespace maxmin {

// Within each wave (see sweep.hpp), put beliefs that have children in common, directly or by way of others of the
// wave, next to each other, in heaps of some thousand prescriptions; within a heap they keep their order.
// `progress` is told the number of prescriptions. Throws Cancelled.
BeliefDag order_waves(BeliefDag dag, const Progress& progress);

}  // namespace maxmin
