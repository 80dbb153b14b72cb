#include <algorithm>
#include <bit>
#include <vector>

#include "check.hpp"
#include "maxmin/bitboard.hpp"
#include "maxmin/fleet.hpp"
#include "maxmin/fleet_posterior.hpp"
#include "maxmin/posterior.hpp"
#include "maxmin/random.hpp"

namespace {

using maxmin::Index;
using maxmin::Words;

// Two straight pieces on a row of `n` cells: of two and of three cells, or twins of two; cells 0 .. n - 1.
struct Row {
  std::vector<Index> kind_start, order;
  std::vector<std::uint64_t> masks, blocked;

  Row(std::size_t n, std::vector<std::size_t> lengths, std::vector<Index> pieces, bool apart) : order(pieces) {
    kind_start.push_back(0);
    for (const std::size_t length : lengths) {
      const std::uint64_t piece = (std::uint64_t{1} << length) - 1;
      for (std::size_t left = 0; left + length <= n; ++left) {
        masks.push_back(piece << left);
        blocked.push_back(apart ? piece << left | piece << (left + 1) | (piece << left >> 1) : piece << left);
      }
      kind_start.push_back(static_cast<Index>(masks.size()));
    }
  }
  maxmin::FleetView view() const { return {kind_start, order, masks, blocked, 1}; }
};

const maxmin::Progress go_on = [](double) { return true; };
const maxmin::Progress stop = [](double) { return false; };

}  // namespace

TEST(bits_are_found_in_all_words) {
  const auto board = maxmin::Bitboard<2>{{8, 0}} | maxmin::Bitboard<2>{{0, std::uint64_t{1} << 36}};
  std::vector<std::size_t> cells;
  maxmin::for_each_bit(board.words, [&](std::size_t cell) { cells.push_back(cell); });
  CHECK((cells == std::vector<std::size_t>{3, 100}));
}

TEST(random_numbers_stay_below_their_limit_and_reach_it) {
  maxmin::Random random(1);
  std::vector<int> seen(6);
  for (int i = 0; i < 600; ++i) ++seen.at(random.below(6));
  CHECK(*std::min_element(seen.begin(), seen.end()) > 50);
}

TEST(twins_are_laid_once) {
  // Pieces of two on a row of five: lefts 0..3; apart by overlap only: (0,2) (0,3) (1,3).
  const Row row(5, {2}, {0, 0}, false);
  const auto all = maxmin::enumerate_configurations(row.view(), false, 10, go_on);
  CHECK((all.masks == std::vector<std::uint64_t>{0b01111, 0b11011, 0b11110}));
  const Row apart(5, {2}, {0, 0}, true);
  CHECK(maxmin::enumerate_configurations(apart.view(), false, 10, go_on).masks.size() == 1);
}

TEST(pieces_laid_one_after_another_have_the_chances_of_their_order) {
  // First left 0: then 2 or 3; first 1: then 3; first 2: then 0; first 3: then 0 or 1.
  const Row row(5, {2}, {0, 0}, false);
  const auto all = maxmin::enumerate_configurations(row.view(), true, 10, go_on);
  CHECK(all.weights.size() == 6);
  double sum = 0;
  for (const double weight : all.weights) sum += weight;
  CHECK_NEAR(sum, 1.0, 1e-15);
  CHECK_NEAR(all.weights[0], 0.125, 1e-15);
  CHECK_NEAR(all.weights[2], 0.25, 1e-15);
}

TEST(too_many_configurations_are_refused) {
  const Row row(5, {2}, {0, 0}, false);
  CHECK_THROWS(maxmin::enumerate_configurations(row.view(), false, 2, go_on), maxmin::TooLarge);
}

TEST(boards_without_room_cannot_be_drawn) {
  const Row row(3, {2}, {0, 0}, false);
  CHECK_THROWS(maxmin::draw_configurations(row.view(), false, 1, 1, go_on), maxmin::TooLarge);
  CHECK_THROWS(maxmin::draw_configurations(row.view(), true, 1, 1, go_on), maxmin::TooLarge);
}

TEST(posterior_counts_what_agrees) {
  const Row row(5, {2}, {0, 0}, false);
  const auto all = maxmin::enumerate_configurations(row.view(), false, 10, go_on);
  const maxmin::ConfigurationIndex index(all.masks, all.weights, 5, 1);
  const std::vector<std::uint64_t> hits{0, 0b00001, 0b00100}, misses{0, 0, 0b00001};
  std::vector<double> out(15), total(3);
  index.posteriors(hits, misses, out, total, go_on);
  CHECK((total == std::vector<double>{3, 2, 1}));
  CHECK_NEAR(out[0], 2.0 / 3, 1e-15);
  CHECK_NEAR(out[5 + 4], 0.5, 1e-15);
  CHECK((std::vector<double>(out.begin() + 10, out.end()) == std::vector<double>{0, 1, 1, 1, 1}));
  CHECK_THROWS(index.posteriors(hits, misses, out, total, stop), maxmin::Cancelled);
}

TEST(placements_give_the_same_posterior_as_the_list) {
  // Pieces of 3, 2, 2 and 2 on a row of 14 that must stay apart.
  const Row row(14, {2, 3}, {0, 0, 0, 1}, true);
  const auto all = maxmin::enumerate_configurations(row.view(), false, 10'000, go_on);
  const maxmin::ConfigurationIndex index(all.masks, all.weights, 14, 1);
  const maxmin::FleetPosteriors fleet(row.view(), 14);
  maxmin::Random random(7);
  for (int i = 0; i < 40; ++i) {
    const std::uint64_t board = all.masks[random.below(all.masks.size())], shot = random.next() & random.next() & 0x3fff;
    const std::vector<std::uint64_t> hits{board & shot}, misses{shot & ~board};
    std::vector<double> listed(14), total(1);
    index.posteriors(hits, misses, listed, total, go_on);
    const auto exact = fleet.posterior(hits, misses, {1e9, 0, 0}, go_on);
    CHECK(exact.exact);
    CHECK_NEAR(exact.count, total[0], 0.0);
    for (std::size_t cell = 0; cell < 14; ++cell) CHECK_NEAR(exact.probability[cell], listed[cell], 1e-12);
    const auto sampled = fleet.posterior(hits, misses, {0, 20'000, 3}, go_on);
    CHECK(!sampled.exact);
    for (std::size_t cell = 0; cell < 14; ++cell) {
      CHECK_NEAR(sampled.probability[cell], listed[cell], 5 * sampled.standard_error[cell] + 1e-9);
    }
  }
}

TEST(impossible_states_have_no_configuration) {
  const Row row(5, {2}, {0, 0}, false);
  const maxmin::FleetPosteriors fleet(row.view(), 5);
  const std::vector<std::uint64_t> none{0}, middle{0b00100}, both{0b01010};
  CHECK(fleet.possible(none, middle));
  CHECK(!fleet.possible(none, both));
  CHECK(fleet.posterior(none, both, {1e9, 0, 0}, go_on).count == 0);
  CHECK(fleet.posterior(none, both, {0, 64, 0}, go_on).count == 0);
  CHECK_THROWS(fleet.posterior(none, none, {0, 64, 0}, stop), maxmin::Cancelled);
}
