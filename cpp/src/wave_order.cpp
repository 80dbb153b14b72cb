#include "wave_order.hpp"

#include <algorithm>
#include <numeric>

#include "maxmin/sweep.hpp"

namespace maxmin {
namespace {

// A heap has at least so many prescriptions, and at least this share of its wave's: many beliefs of one shape should
// still stand together.
constexpr Index kLeastHeap = 4096;
constexpr Index kMostHeaps = 64;

constexpr std::size_t kPollEvery = 1 << 16;

class WaveOrder {
 public:
  WaveOrder(const BeliefDag& dag, const Progress& progress)
      : dag_(dag), progress_(progress), n_(dag.n_beliefs()), order_(pos(n_)), group_(pos(n_)), heap_(pos(n_), -1), weight_(pos(n_), 0) {
    const Index most = *std::max_element(dag.children.begin(), dag.children.end());
    first_parent_.assign(pos(std::max(n_, most + 1)), 0);
    std::iota(order_.begin(), order_.end(), Index{0});
    std::iota(group_.begin(), group_.end(), Index{0});
    for (Index first = 0; first < n_;) {
      const Index last = end_of_wave({dag.belief_start, dag.child_start, dag.children, 0}, first);
      if (prescriptions(first, last) > kLeastHeap) order_wave(first, last);
      first = last;
      poll();
    }
  }

  BeliefDag write() const {
    std::vector<Index> number(pos(n_));
    for (Index i = 0; i < n_; ++i) number[pos(order_[pos(i)])] = i;
    BeliefDag out;
    out.most_infosets = dag_.most_infosets;
    out.plain_edges = dag_.plain_edges;
    out.belief_start.assign(1, 0);
    out.child_start.assign(1, 0);
    out.belief_decision_start.assign(1, 0);
    out.belief_start.reserve(dag_.belief_start.size());
    out.child_start.reserve(dag_.child_start.size());
    out.children.reserve(dag_.children.size());
    out.belief_decisions.reserve(dag_.belief_decisions.size());
    out.belief_decision_start.reserve(dag_.belief_decision_start.size());
    for (const Index belief : order_) {
      if (out.belief_start.size() % kPollEvery == 0) poll();
      for (Index d = dag_.belief_decision_start[pos(belief)]; d < dag_.belief_decision_start[pos(belief) + 1]; ++d) {
        out.belief_decisions.push_back(dag_.belief_decisions[pos(d)]);
      }
      for (Index p = dag_.belief_start[pos(belief)]; p < dag_.belief_start[pos(belief) + 1]; ++p) {
        for (Index c = dag_.child_start[pos(p)]; c < dag_.child_start[pos(p) + 1]; ++c) {
          const Index child = dag_.children[pos(c)];
          out.children.push_back(child < n_ ? number[pos(child)] : child);
        }
        out.child_start.push_back(static_cast<Index>(out.children.size()));
      }
      out.belief_start.push_back(static_cast<Index>(out.child_start.size()) - 1);
      out.belief_decision_start.push_back(static_cast<Index>(out.belief_decisions.size()));
    }
    return out;
  }

 private:
  void poll() const {
    if (!progress_(static_cast<double>(dag_.belief_start.back()))) throw Cancelled();
  }

  Index prescriptions(Index first, Index last) const {
    return dag_.belief_start[pos(last)] - dag_.belief_start[pos(first)];
  }

  void order_wave(Index first, Index last) {
    for (Index belief = first; belief < last; ++belief) {
      const auto from = pos(dag_.child_start[pos(dag_.belief_start[pos(belief)])]);
      const auto to = pos(dag_.child_start[pos(dag_.belief_start[pos(belief) + 1])]);
      for (std::size_t c = from; c < to; ++c) {
        Index& parent = first_parent_[pos(dag_.children[c])];
        if (parent < first) parent = belief;
        join(belief, parent);
      }
    }
    for (Index belief = first; belief < last; ++belief) weight_[pos(find(belief))] += prescriptions(belief, belief + 1);
    const Index enough = std::max(kLeastHeap, prescriptions(first, last) / kMostHeaps);
    Index heap = 0, filled = 0;
    for (Index belief = first; belief < last; ++belief) {
      const auto group = pos(find(belief));  // its first belief
      if (heap_[group] < 0) {
        if (filled >= enough) {
          ++heap;
          filled = 0;
        }
        heap_[group] = heap;
        filled += weight_[group];
      }
      heap_[pos(belief)] = heap_[group];
    }
    std::stable_sort(order_.begin() + first, order_.begin() + last,
                     [&](Index a, Index b) { return heap_[pos(a)] < heap_[pos(b)]; });
  }

  void join(Index a, Index b) {
    a = find(a);
    b = find(b);
    if (a != b) group_[pos(std::max(a, b))] = std::min(a, b);
  }

  Index find(Index belief) {
    while (group_[pos(belief)] != belief) {
      belief = group_[pos(belief)] = group_[pos(group_[pos(belief)])];
    }
    return belief;
  }

  const BeliefDag& dag_;
  const Progress& progress_;
  Index n_;
  std::vector<Index> order_;         // beliefs as they are to be numbered
  std::vector<Index> group_;         // of a belief: an earlier one that it shares children with, itself for the first
  std::vector<Index> heap_;          // of a belief, within its wave
  std::vector<Index> weight_;        // prescriptions of the group that a belief is the first of
  std::vector<Index> first_parent_;  // of each belief and leaf class, within the wave that was looked at last
};

}  // namespace

BeliefDag order_waves(BeliefDag dag, const Progress& progress) {
  if (dag.belief_start.back() <= kLeastHeap) return dag;
  return WaveOrder(dag, progress).write();
}

}  // namespace maxmin
