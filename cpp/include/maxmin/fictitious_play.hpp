// Fictitious play: each side plays a best response to how often the other side has played each of its plans.
#pragma once

#include "maxmin/payoff_lines.hpp"

namespace maxmin {

enum class PlayOrder {
  kSimultaneous,  // both respond to the plays before this iteration
  kAlternating,   // the columns also know the row of this iteration
  kOptimistic,    // as simultaneous, but the other side's last play counts twice
};

// What one side carries from one iteration to the next; caller-owned.
struct PlaySide {
  PayoffLines lines;         // line k: what the row player gets with each of this side's plans against plan k
  double sign;               // 1 for the rows, -1 for the columns
  std::span<double> totals;  // (n_plans,) what each plan would have got in all plays of the other side
  std::span<double> counts;  // (n_plans,) how often each was played
};

// The row and the column to be played next; 0 and 0 at the start.
struct Plays {
  std::size_t row = 0, column = 0;
};

// Run `iterations` iterations, or fewer if progress (told the number done) says stop; returns how many were done.
// `next` goes on from where it was left.
// An iteration reads one line of each side. Of several best responses the first is played.
std::size_t fictitious_play(const PlaySide& rows, const PlaySide& columns, PlayOrder order, Plays& next,
                            std::size_t iterations, const Progress& progress);

}  // namespace maxmin
