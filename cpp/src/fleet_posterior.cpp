#include "maxmin/fleet_posterior.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "maxmin/bitboard.hpp"
#include "maxmin/random.hpp"
#include "maxmin/vectorize.hpp"

namespace maxmin {
namespace {

constexpr std::size_t kBatches = 32;
constexpr std::size_t kPollEvery = 256;
constexpr double kMostSteps = 1e7;

// Bits of a range of placements; words outside first .. first + n are 0.
struct Slice {
  std::size_t first = 0, n = 0;
  std::uint64_t* bits = nullptr;
};

MAXMIN_VECTORIZE
std::size_t count_bits(const std::uint64_t* bits, std::size_t n) {
  int sum = 0;
  for (std::size_t w = 0; w < n; ++w) sum += std::popcount(bits[w]);
  return static_cast<std::size_t>(sum);
}

// For each of the placements, how many of the partners go with it: adds weight * that to its tally; returns the sum.
MAXMIN_VECTORIZE
double tally_pairs(const Slice& placements, const Slice& partners, const std::uint64_t* matrix, std::size_t stride,
                   double weight, double* tally) {
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < placements.n; ++w) {
    for (std::uint64_t rest = placements.bits[w]; rest != 0; rest &= rest - 1) {
      const std::size_t p = (placements.first + w) * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t* const row = matrix + p * stride + partners.first;
      int n = 0;
      for (std::size_t i = 0; i < partners.n; ++i) n += std::popcount(partners.bits[i] & row[i]);
      tally[p] += weight * n;
      sum += static_cast<std::uint64_t>(n);
    }
  }
  return static_cast<double>(sum);
}

double factorial(std::size_t n) { return std::tgamma(static_cast<double>(n) + 1); }

}  // namespace

// One walk through the tree of one state.
class Walk {
 public:
  Walk(const FleetPosteriors& fleet, Words hits, Words misses)
      : fleet_(fleet), words_(fleet.compatibility_.words()), left_((fleet.fleet_.n_pieces() + 1) * words_),
        open_(hits.begin(), hits.end()), copies_(fleet.copies_), tally_(fleet.kind_of_.size()), first_(words_),
        second_(words_) {
    for (std::size_t p = 0; p < fleet.kind_of_.size(); ++p) left_[p / 64] |= std::uint64_t{1} << (p % 64);
    for_each_bit(misses, [&](std::size_t cell) {
      const Words covering = fleet_.compatibility_.covering(cell);
      for (std::size_t w = 0; w < words_; ++w) left_[w] &= ~covering[w];
    });
  }

  std::vector<double>& tally() { return tally_; }

  // An upper bound on the work of `count`; gives up beyond `most`.
  double work(double most) {
    budget_ = most;
    cover(0, [&](std::size_t depth) {
      budget_ -= work_of_free(depth);
      return 0.0;
    });
    return most - budget_;
  }

  // The number of configurations; tallies how many contain each placement.
  double count(const Progress& progress) {
    std::size_t polls = 0;
    return cover(0, [&](std::size_t depth) {
      if (++polls % kPollEvery == 0 && !progress(0)) throw Cancelled();
      return lay_free(kinds_left(), 0, depth, 0);
    });
  }

  // Whether there is a configuration; throws TooLarge if that takes more than `most` steps to see.
  bool possible(double most) {
    bool found = false;
    budget_ = most;
    cover(0, [&](std::size_t depth) {
      found = found || fits(kinds_left(), 0, depth);
      if (found) budget_ = 0;
      return 0.0;
    });
    if (!found && budget_ <= 0) throw TooLarge("the patterns are too crowded to see whether they can lie so");
    return found;
  }

  // Goes down at random; returns the weight of what it found, and tallies it.
  double sample(Random& random) {
    const std::vector<std::uint64_t> open = open_;
    const std::vector<std::size_t> copies = copies_;
    laid_.clear();
    const double weight = sample_cover(random);
    const double found = weight > 0 ? sample_free(random, weight) : 0;
    for (const std::size_t p : laid_) tally_[p] += found;
    open_ = open;
    copies_ = copies;
    return found;
  }

 private:
  const std::uint64_t* row(std::size_t placement) const { return fleet_.compatibility_.beside(placement).data(); }
  std::uint64_t* left(std::size_t depth) { return left_.data() + depth * words_; }
  std::size_t start(std::size_t kind) const { return pos(fleet_.fleet_.kind_start[kind]); }
  std::size_t end(std::size_t kind) const { return pos(fleet_.fleet_.kind_start[kind + 1]); }
  Words mask(std::size_t placement) const {
    return fleet_.fleet_.masks.subspan(placement * fleet_.fleet_.words, fleet_.fleet_.words);
  }

  void lay(std::size_t depth, std::size_t placement) {
    const std::uint64_t *const from = left(depth), *const beside = row(placement);
    std::uint64_t* const to = left(depth + 1);
    for (std::size_t w = 0; w < words_; ++w) to[w] = from[w] & beside[w];
  }

  // The placements of a kind that are left, from number `from` on, copied into a buffer.
  Slice slice(std::size_t depth, std::size_t kind, std::size_t from, std::vector<std::uint64_t>& buffer) {
    const std::size_t to = end(kind);
    if (from >= to) return {};
    const std::size_t first = from / 64, last = (to - 1) / 64;
    std::copy(left(depth) + first, left(depth) + last + 1, buffer.begin());
    buffer[0] &= ~std::uint64_t{0} << (from % 64);
    buffer[last - first] &= ~std::uint64_t{0} >> (63 - (to - 1) % 64);
    return {first, last - first + 1, buffer.data()};
  }

  std::size_t n_left(std::size_t depth, std::size_t kind) {
    const Slice some = slice(depth, kind, start(kind), first_);
    return count_bits(some.bits, some.n);
  }

  // The kinds of the pieces that are left, largest first.
  std::vector<std::size_t> kinds_left() const {
    std::vector<std::size_t> kinds;
    for (const std::size_t kind : fleet_.by_size_) kinds.insert(kinds.end(), copies_[kind], kind);
    return kinds;
  }

  // The placements that may cover the open hit that fewest can cover.
  std::vector<std::size_t> branches(std::size_t depth) {
    std::vector<std::size_t> best, some;
    bool first = true;
    for_each_bit(open_, [&](std::size_t cell) {
      some.clear();
      const Words covering = fleet_.compatibility_.covering(cell);
      for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t both = left(depth)[w] & covering[w];
        for (std::uint64_t rest = both; rest != 0; rest &= rest - 1) {
          const std::size_t p = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
          if (copies_[fleet_.kind_of_[p]] > 0) some.push_back(p);
        }
      }
      if (first || some.size() < best.size()) best = some;
      first = false;
    });
    return best;
  }

  void use(std::size_t placement) {
    --copies_[fleet_.kind_of_[placement]];
    for (std::size_t w = 0; w < open_.size(); ++w) open_[w] &= ~mask(placement)[w];
  }

  bool all_covered() const {
    return std::all_of(open_.begin(), open_.end(), [](std::uint64_t word) { return word == 0; });
  }

  // Covers the open hits in all ways; sums what `leaf` returns, and tallies it for the placements laid.
  template <typename F>
  double cover(std::size_t depth, F&& leaf) {
    budget_ -= 1;
    if (all_covered()) return leaf(depth);
    const std::vector<std::uint64_t> open = open_;
    double sum = 0;
    for (const std::size_t p : branches(depth)) {
      if (budget_ <= 0) break;
      lay(depth, p);
      use(p);
      const double found = cover(depth + 1, leaf);
      tally_[p] += found;
      sum += found;
      ++copies_[fleet_.kind_of_[p]];
      open_ = open;
    }
    return sum;
  }

  double work_of_free(std::size_t depth) {
    const std::vector<std::size_t> kinds = kinds_left();
    double product = 1;
    for (std::size_t i = 0; i + 2 < kinds.size(); ++i) product *= static_cast<double>(n_left(depth, kinds[i]));
    double rows = 0;
    for (std::size_t i = kinds.size() < 2 ? 0 : kinds.size() - 2; i < kinds.size(); ++i) {
      rows += static_cast<double>(n_left(depth, kinds[i]));
    }
    return product * rows;
  }

  // Lays pieces that need not cover anything; a piece comes behind its twin.
  double lay_free(const std::vector<std::size_t>& kinds, std::size_t i, std::size_t depth, std::size_t previous) {
    const std::size_t from = i < kinds.size() ? first_of(kinds, i, previous) : 0;
    if (i + 2 >= kinds.size()) return tally_last(kinds, i, depth, from, 1);
    std::vector<std::uint64_t> buffer(words_);
    const Slice some = slice(depth, kinds[i], from, buffer);
    double sum = 0;
    for_each_bit({some.bits, some.n}, [&](std::size_t bit) {
      const std::size_t p = some.first * 64 + bit;
      lay(depth, p);
      const double found = lay_free(kinds, i + 1, depth + 1, p);
      tally_[p] += found;
      sum += found;
    });
    return sum;
  }

  std::size_t first_of(const std::vector<std::size_t>& kinds, std::size_t i, std::size_t previous) const {
    return i > 0 && kinds[i] == kinds[i - 1] ? previous + 1 : start(kinds[i]);
  }

  // Counts the ways to lay the last two pieces at most, `weight` each; returns their weight.
  double tally_last(const std::vector<std::size_t>& kinds, std::size_t i, std::size_t depth, std::size_t from,
                    double weight) {
    if (i == kinds.size()) return weight;
    const Slice some = slice(depth, kinds[i], from, first_);
    if (i + 1 == kinds.size()) {
      for_each_bit({some.bits, some.n}, [&](std::size_t bit) { tally_[some.first * 64 + bit] += weight; });
      return weight * static_cast<double>(count_bits(some.bits, some.n));
    }
    const bool twins = kinds[i] == kinds[i + 1];
    const Slice others = slice(depth, kinds[i + 1], twins ? from : start(kinds[i + 1]), second_);
    const std::uint64_t* const matrix = row(0);
    const double pairs = tally_pairs(some, others, matrix, words_, weight, tally_.data());
    if (twins) return weight * pairs / 2;
    tally_pairs(others, some, matrix, words_, weight, tally_.data());
    return weight * pairs;
  }

  bool fits(const std::vector<std::size_t>& kinds, std::size_t i, std::size_t depth) {
    budget_ -= 1;
    if (i == kinds.size()) return true;
    std::vector<std::uint64_t> buffer(words_);
    const Slice some = slice(depth, kinds[i], start(kinds[i]), buffer);
    bool found = false;
    for_each_bit({some.bits, some.n}, [&](std::size_t bit) {
      if (found || budget_ <= 0) return;
      lay(depth, some.first * 64 + bit);
      found = fits(kinds, i + 1, depth + 1);
    });
    return found;
  }

  // Covers the open hits, each by a placement drawn in proportion to how many ways may be left behind it.
  double sample_cover(Random& random) {
    double weight = 1;
    while (!all_covered()) {
      const std::size_t depth = laid_.size();
      const std::vector<std::size_t> choices = branches(depth);
      promise_.clear();
      double sum = 0;
      for (const std::size_t p : choices) {
        sum += promise(depth, p);
        promise_.push_back(sum);
      }
      if (!(sum > 0)) return 0;
      const auto chosen = std::upper_bound(promise_.begin(), promise_.end(), random.unit() * sum) - promise_.begin();
      const std::size_t c = std::min(static_cast<std::size_t>(chosen), choices.size() - 1);
      weight *= sum / (promise_[c] - (c > 0 ? promise_[c - 1] : 0));
      lay(depth, choices[c]);
      use(choices[c]);
      laid_.push_back(choices[c]);
    }
    return weight;
  }

  // About how many ways are left after a placement: as if the other pieces were never in each other's way.
  double promise(std::size_t depth, std::size_t placement) {
    lay(depth, placement);
    double product = 1;
    for (std::size_t kind = 0; kind < copies_.size(); ++kind) {
      const std::size_t copies = copies_[kind] - (kind == fleet_.kind_of_[placement] ? 1 : 0);
      if (copies == 0) continue;
      const auto n = static_cast<double>(n_left(depth + 1, kind));
      for (std::size_t copy = 1; copy <= copies; ++copy) product *= n / static_cast<double>(copy);
    }
    return product;
  }

  // Lays the free pieces as if twins could be told apart, all but the last two; these are counted.
  double sample_free(Random& random, double weight) {
    const std::vector<std::size_t> kinds = kinds_left();
    for (const std::size_t copies : copies_) weight /= factorial(copies);
    std::size_t i = 0;
    for (; i + 2 < kinds.size(); ++i) {
      const std::size_t depth = laid_.size();
      const std::size_t n = n_left(depth, kinds[i]);
      if (n == 0) return 0;
      const std::size_t p = nth_left(depth, kinds[i], random.below(n));
      weight *= static_cast<double>(n);
      lay(depth, p);
      laid_.push_back(p);
    }
    if (i + 2 == kinds.size() && kinds[i] == kinds[i + 1]) weight *= 2;  // tally_last takes twins in one order only
    return tally_last(kinds, i, laid_.size(), i < kinds.size() ? start(kinds[i]) : 0, weight);
  }

  std::size_t nth_left(std::size_t depth, std::size_t kind, std::size_t n) {
    const Slice some = slice(depth, kind, start(kind), first_);
    std::size_t w = 0;
    for (std::size_t here = 0; (here = count_bits(some.bits + w, 1)) <= n; ++w) n -= here;
    std::uint64_t rest = some.bits[w];
    for (; n > 0; --n) rest &= rest - 1;
    return (some.first + w) * 64 + static_cast<std::size_t>(std::countr_zero(rest));
  }

  const FleetPosteriors& fleet_;
  std::size_t words_;
  std::vector<std::uint64_t> left_;  // (n_pieces + 1, words): placements that are left, by depth
  std::vector<std::uint64_t> open_;  // cells: hits not yet covered
  std::vector<std::size_t> copies_;  // pieces not yet laid, by kind
  std::vector<double> tally_, promise_;
  std::vector<std::uint64_t> first_, second_;
  std::vector<std::size_t> laid_;
  double budget_ = std::numeric_limits<double>::infinity();  // steps that may still be taken
};

FleetPosteriors::FleetPosteriors(const FleetView& fleet, std::size_t n_cells)
    : fleet_(fleet), n_cells_(n_cells), compatibility_(fleet), copies_(fleet.kind_start.size() - 1) {
  for (const Index kind : fleet.order) ++copies_[pos(kind)];
  for (std::size_t kind = 0; kind < copies_.size(); ++kind) {
    by_size_.push_back(kind);
    kind_of_.resize(pos(fleet.kind_start[kind + 1]), kind);
  }
  const auto size = [&](std::size_t kind) {
    return count_bits(fleet.masks.data() + pos(fleet.kind_start[kind]) * fleet.words, fleet.words);
  };
  std::stable_sort(by_size_.begin(), by_size_.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
}

FleetPosterior FleetPosteriors::posterior(Words hits, Words misses, const Effort& effort,
                                          const Progress& progress) const {
  const bool exact = Walk(*this, hits, misses).work(effort.work) <= effort.work;
  return exact ? count(hits, misses, progress) : sample(hits, misses, effort, progress);
}

bool FleetPosteriors::possible(Words hits, Words misses) const {
  return Walk(*this, hits, misses).possible(kMostSteps);
}

FleetPosterior FleetPosteriors::count(Words hits, Words misses, const Progress& progress) const {
  Walk walk(*this, hits, misses);
  FleetPosterior result;
  result.exact = true;
  result.standard_error.assign(n_cells_, 0.0);
  result.count = walk.count(progress);
  result.probability = by_cell(walk.tally());
  if (result.count > 0) {
    for (double& each : result.probability) each /= result.count;
  }
  return result;
}

FleetPosterior FleetPosteriors::sample(Words hits, Words misses, const Effort& effort, const Progress& progress) const {
  Walk walk(*this, hits, misses);
  Random random(effort.seed);
  const std::size_t per_batch = (effort.samples + kBatches - 1) / kBatches;
  std::vector<double> cells(kBatches * n_cells_), totals(kBatches);
  FleetPosterior result;
  result.probability.assign(n_cells_, 0.0);
  result.standard_error.assign(n_cells_, 0.0);
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    std::fill(walk.tally().begin(), walk.tally().end(), 0.0);
    for (std::size_t i = 0; i < per_batch; ++i) {
      if (i % kPollEvery == 0 && !progress(0)) throw Cancelled();
      totals[batch] += walk.sample(random);
    }
    const std::vector<double> found = by_cell(walk.tally());
    for (std::size_t cell = 0; cell < n_cells_; ++cell) {
      cells[batch * n_cells_ + cell] = found[cell];
      result.probability[cell] += found[cell];
    }
    result.count += totals[batch];
  }
  if (result.count > 0) estimate_errors(cells, totals, result);
  result.count /= static_cast<double>(per_batch * kBatches);
  return result;
}

// From the sums of each batch: the ratio, and its standard error by the spread of the batches around it.
void FleetPosteriors::estimate_errors(const std::vector<double>& cells, const std::vector<double>& totals,
                                      FleetPosterior& result) const {
  const auto n = static_cast<double>(totals.size());
  for (std::size_t cell = 0; cell < n_cells_; ++cell) {
    const double p = result.probability[cell] /= result.count;
    double squares = 0;
    for (std::size_t b = 0; b < totals.size(); ++b) squares += std::pow(cells[b * n_cells_ + cell] - p * totals[b], 2);
    result.standard_error[cell] = std::sqrt(squares * n / (n - 1)) / result.count;
  }
}

std::vector<double> FleetPosteriors::by_cell(const std::vector<double>& tally) const {
  std::vector<double> cells(n_cells_);
  for (std::size_t p = 0; p < tally.size(); ++p) {
    if (tally[p] == 0) continue;
    for_each_bit(fleet_.masks.subspan(p * fleet_.words, fleet_.words), [&](std::size_t cell) { cells[cell] += tally[p]; });
  }
  return cells;
}

}  // namespace maxmin
