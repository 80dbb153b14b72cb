#include "check.hpp"
#include "maxmin/cholesky.hpp"
#include "maxmin/fictitious_play.hpp"
#include "maxmin/regret_matching.hpp"

namespace {

using maxmin::PayoffLines;

// A dense game, by rows, with its columns as lines too.
struct Game {
  std::size_t n_rows, n_columns;
  std::vector<double> by_rows, by_columns;

  Game(std::size_t rows, std::size_t columns, std::vector<double> entries)
      : n_rows(rows), n_columns(columns), by_rows(std::move(entries)), by_columns(by_rows.size()) {
    for (std::size_t i = 0; i < n_rows; ++i) {
      for (std::size_t j = 0; j < n_columns; ++j) by_columns[j * n_rows + i] = by_rows[i * n_columns + j];
    }
  }
  PayoffLines of_rows() const { return {n_rows, by_columns, {}, {}}; }
  PayoffLines of_columns() const { return {n_columns, by_rows, {}, {}}; }
};

constexpr maxmin::PlayOrder kOrders[] = {maxmin::PlayOrder::kSimultaneous, maxmin::PlayOrder::kAlternating,
                                         maxmin::PlayOrder::kOptimistic};

Game rock_paper_scissors() { return {3, 3, {0, -1, 1, 1, 0, -1, -1, 1, 0}}; }

struct Play {
  std::vector<double> row_totals, row_counts, column_totals, column_counts;
  maxmin::Plays next;

  explicit Play(const Game& game)
      : row_totals(game.n_rows), row_counts(game.n_rows), column_totals(game.n_columns),
        column_counts(game.n_columns) {}
  std::size_t run(const Game& game, maxmin::PlayOrder order, std::size_t iterations,
                  const maxmin::Progress& progress = [](double) { return true; }) {
    return maxmin::fictitious_play({game.of_rows(), 1, row_totals, row_counts},
                                   {game.of_columns(), -1, column_totals, column_counts}, order, next, iterations,
                                   progress);
  }
};

// n payoffs without a pattern, all different.
std::vector<double> scattered(std::size_t n) {
  std::vector<double> payoffs(n);
  for (std::size_t i = 0; i < n; ++i) payoffs[i] = static_cast<double>((i * 7919) % 10007);
  return payoffs;
}

}  // namespace

TEST(the_first_of_the_largest_payoffs_is_found_in_any_block) {
  for (const std::size_t n : {1, 2, 15, 16, 17, 511, 512, 513, 2000}) {
    for (std::size_t place = 0; place < n; place += 1 + n / 9) {
      std::vector<double> payoffs = scattered(n);
      for (std::size_t i = place; i < n; i += 3) payoffs[i] = 1e6;
      const maxmin::Largest found = maxmin::find_largest(payoffs);
      CHECK(found.place == place);
      CHECK_NEAR(found.payoff, 1e6, 0.0);
    }
  }
  CHECK(maxmin::find_largest(std::vector<double>{-3, -2, -2}).place == 1);
}

TEST(adding_and_finding_at_once_is_adding_and_then_finding) {
  const std::size_t n = 1300;
  const std::vector<double> line = scattered(2 * n);
  const PayoffLines lines{n, line, {}, {}};
  std::vector<double> one(n, 0.5), other(n, 0.5);
  for (const std::size_t k : {0, 1}) {
    maxmin::add_line(lines, k, -1.5, one);
    const maxmin::Largest here = maxmin::find_largest(one);
    const maxmin::Largest there = maxmin::add_line_and_find(lines, k, -1.5, other);
    CHECK(one == other);
    CHECK(here.place == there.place);
  }
  CHECK_NEAR(one[3], 0.5 - 1.5 * (line[3] + line[n + 3]), 1e-9);
}

TEST(sparse_lines_add_what_dense_ones_do) {
  const std::vector<double> dense{0, 2, 0, -1, 3, 0, 0, 0};
  const std::vector<double> value{2, -1, 3};
  const std::vector<std::int64_t> start{0, 2, 3};
  const std::vector<maxmin::Index> index{1, 3, 0};
  std::vector<double> one(4), other(4);
  for (const std::size_t k : {1, 0}) {
    const auto here = maxmin::add_line_and_find({4, dense, {}, {}}, k, 2, one);
    const auto there = maxmin::add_line_and_find({4, value, start, index}, k, 2, other);
    CHECK(one == other);
    CHECK(here.place == there.place);
  }
}

TEST(fictitious_play_counts_every_play) {
  const Game game = rock_paper_scissors();
  for (const maxmin::PlayOrder order : kOrders) {
    Play play(game);
    CHECK(play.run(game, order, 1000) == 1000);
    double plays = 0;
    for (const double count : play.row_counts) plays += count;
    CHECK_NEAR(plays, 1000.0, 0.0);
    for (std::size_t i = 0; i < 3; ++i) {
      double total = 0;
      for (std::size_t j = 0; j < 3; ++j) total += game.by_rows[3 * i + j] * play.column_counts[j];
      CHECK_NEAR(play.row_totals[i], total, 1e-9);
      CHECK_NEAR(play.row_counts[i] / 1000, 1.0 / 3, 0.05);
    }
  }
}

TEST(first_plays_are_those_of_the_order) {
  const Game game = rock_paper_scissors();
  Play simultaneous(game), alternating(game), optimistic(game);
  simultaneous.run(game, maxmin::PlayOrder::kSimultaneous, 1);
  alternating.run(game, maxmin::PlayOrder::kAlternating, 1);
  CHECK(simultaneous.column_counts == std::vector<double>({1, 0, 0}));
  CHECK(alternating.column_counts == std::vector<double>({0, 1, 0}));  // paper, to the rock just played
  // Rock once, then paper twice by both: paper and scissors have got as much, but scissors beat the last paper.
  optimistic.run(game, maxmin::PlayOrder::kOptimistic, 3);
  simultaneous.run(game, maxmin::PlayOrder::kSimultaneous, 2);
  CHECK(optimistic.row_counts == std::vector<double>({1, 2, 0}));
  CHECK(simultaneous.row_counts == std::vector<double>({1, 2, 0}));
  CHECK(optimistic.next.row == 2);
  CHECK(simultaneous.next.row == 1);
}

TEST(fictitious_play_in_pieces_is_the_same) {
  const Game game(4, 3, {3, -1, 2, 0, 2, -2, 1, 1, 0, -3, 2, 2});
  for (const maxmin::PlayOrder order : kOrders) {
    Play whole(game), pieces(game);
    whole.run(game, order, 100);
    for (const std::size_t n : {1, 2, 30, 67}) pieces.run(game, order, n);
    CHECK(whole.row_counts == pieces.row_counts);
    CHECK(whole.column_totals == pieces.column_totals);
  }
}

TEST(iterations_stop_when_told) {
  const Game game = rock_paper_scissors();
  Play play(game);
  const std::size_t done =
      play.run(game, maxmin::PlayOrder::kSimultaneous, 10'000'000, [](double t) { return t < 100'000; });
  CHECK(done >= 100'000);
  CHECK(done < 200'000);
}

TEST(regret_matching_averages_come_near_the_solution) {
  const Game game(2, 2, {2, -3, -3, 4});  // both play (7/12, 5/12)
  struct Side {
    std::vector<double> regrets, strategy, sum, payoffs;
    Side() : regrets(2), strategy(2, 0.5), sum(2), payoffs(2) {}
    maxmin::MatchingSide view(const PayoffLines& lines, double sign) {
      return {lines, sign, regrets, strategy, sum, payoffs};
    }
  } rows, columns, more_rows, more_columns;
  const auto go_on = [](double) { return true; };
  maxmin::regret_matching(rows.view(game.of_rows(), 1), columns.view(game.of_columns(), -1), 1, 2000, go_on);
  CHECK_NEAR(rows.sum[0] / (rows.sum[0] + rows.sum[1]), 7.0 / 12, 0.002);
  CHECK_NEAR(columns.sum[0] / (columns.sum[0] + columns.sum[1]), 7.0 / 12, 0.002);
  std::size_t done = 0;
  for (const std::size_t n : {1, 499, 1500}) {
    done += maxmin::regret_matching(more_rows.view(game.of_rows(), 1), more_columns.view(game.of_columns(), -1),
                                    done + 1, n, go_on);
  }
  CHECK(rows.sum == more_rows.sum);
}

TEST(equations_are_solved_by_a_cholesky_factor) {
  const std::size_t n = 40;
  std::vector<double> factor(n * n, 99.0);  // what is above the diagonal is not read
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) factor[i * n + j] = 1.0 / static_cast<double>(1 + i + j);
    factor[i * n + i] = 2.0 + static_cast<double>(i % 3);
  }
  std::vector<double> z = scattered(n), b(n), middle(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) middle[j] += factor[i * n + j] * z[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) b[i] += factor[i * n + j] * middle[j];
  }
  maxmin::solve_by_cholesky(factor, b);
  for (std::size_t i = 0; i < n; ++i) CHECK_NEAR(b[i], z[i], 1e-8);
}
