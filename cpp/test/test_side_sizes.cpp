#include "check.hpp"
#include "games.hpp"
#include "maxmin/inflate.hpp"
#include "maxmin/layered_side.hpp"
#include "maxmin/plain_counts.hpp"

namespace {

using maxmin::Observations;
using maxmin::SideTree;

const maxmin::Progress kGoOn = [](double) { return true; };

maxmin::PlainCounts count(const SmallGame& game, const std::vector<std::uint8_t>& in_side) {
  const SideTree merged = maxmin::merge_side(game.view(), in_side, true);
  const SideTree layered = maxmin::layer_side(game.view(), in_side, merged, kGoOn);
  return maxmin::count_plainly(layered, Observations::kConnected, 1 << 30, kGoOn);
}

}  // namespace

TEST(plain_counts_of_hide_and_seek) {
  // Team: root, 2 observations, 2 beliefs with 2 prescriptions each; then nodes of player 3, which are on their own:
  // 4 beliefs, each with one observation of 2 leaves.
  const maxmin::PlainCounts team = count(hide_and_seek(), {0, 1, 1, 0});
  CHECK_NEAR(team.vertices, 1 + 2 + 2 + 4 + 4 + 4 + 8, 0);
  CHECK_NEAR(team.edges, 2 + 2 + 4 + 4 + 4 + 8, 0);
  CHECK_NEAR(team.converted_nodes, 15, 0);  // perfect information about what was prescribed: the tree
  CHECK_NEAR(team.converted_leaves, 8, 0);
  // Player 3: three layers of one belief; two prescriptions, each with 4 leaves.
  const maxmin::PlainCounts other = count(hide_and_seek(), {0, 0, 0, 1});
  CHECK_NEAR(other.vertices, 1 + 1 + 1 + 1 + 1 + 2 + 8, 0);
  CHECK_NEAR(other.edges, 1 + 1 + 1 + 1 + 2 + 8, 0);
  CHECK_NEAR(other.converted_nodes, 15, 0);
}

TEST(unpruned_converted_game_of_signals) {
  // Root, 3 signals; 2^2 of 8 prescriptions lead to each of 6 guesses, and as many to each of 12 leaves: the mate has one
  // infoset.
  const SmallGame game = signals(3);
  const std::vector<std::uint8_t> team{0, 1, 1};
  const SideTree merged = maxmin::merge_side(game.view(), team, true);
  const SideTree layered = maxmin::layer_side(game.view(), team, merged, kGoOn);
  CHECK_NEAR(maxmin::count_unpruned_nodes(layered), 1 + 3 + 6 * 4 + 12 * 4, 0);
}

TEST(plain_counts_of_a_chain) {
  // Four actions of one player with perfect recall are no chain.
  const maxmin::PlainCounts counts = count(one_choice(), {0, 1});
  CHECK_NEAR(counts.vertices, 1 + 4 + 4, 0);
  CHECK_NEAR(counts.edges, 4 + 4, 0);
}

TEST(inflation_splits_what_own_moves_tell_apart) {
  // One player who forgets her own pick: player 2's infoset in hide-and-seek, played by the same side.
  const SmallGame game = hide_and_seek();
  const std::vector<std::uint8_t> team{0, 1, 1, 0}, other{0, 0, 0, 1};
  const maxmin::Inflated split = maxmin::inflate(game.view(), team, kGoOn);
  CHECK(split.origin == (std::vector<maxmin::Index>{0, 1, 2, 1}));
  CHECK(split.infoset[1] == 1);
  CHECK(split.infoset[2] == 3);
  // Player 3's own moves tell nothing apart.
  CHECK(maxmin::inflate(game.view(), other, kGoOn).origin.size() == 3);
  // The mate's guess is met after every signal, and a plan picks differently for each: one infoset.
  CHECK(maxmin::inflate(signals(3).view(), std::vector<std::uint8_t>{0, 1, 1}, kGoOn).origin.size() == 4);
}

TEST(counting_can_be_stopped_and_bounded) {
  const SmallGame game = signals(20);
  const std::vector<std::uint8_t> team{0, 1, 1};
  const SideTree merged = maxmin::merge_side(game.view(), team, true);
  const SideTree layered = maxmin::layer_side(game.view(), team, merged, kGoOn);
  const maxmin::Progress stop = [](double) { return false; };
  CHECK_THROWS(maxmin::count_plainly(layered, Observations::kConnected, 1 << 30, stop), maxmin::Cancelled);
  CHECK_THROWS(maxmin::count_plainly(layered, Observations::kPublic, 1 << 20, kGoOn), maxmin::TooLarge);
  CHECK_THROWS(maxmin::layer_side(game.view(), team, merged, stop), maxmin::Cancelled);
  CHECK_THROWS(maxmin::inflate(game.view(), team, stop), maxmin::Cancelled);
}
