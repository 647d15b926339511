// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the fastest of many candidates with few measurements. Each round measures all remaining candidates
// once. After each round, those that are certainly slower drop out. Independent of kernels and clocks.
#pragma once

#include <kiln/result.h>

#include <cstddef>
#include <functional>
#include <support/median.h>
#include <vector>

namespace kiln {

struct RaceOptions {
  unsigned min_rounds = 3, max_rounds = 24;
  double confidence = 3; ///< number of standard errors by which two medians must differ to count as different
  double level = 0.005;  ///< medians that differ by at most this fraction count as equal
  /// Before min_rounds, candidates that are this many times slower than the fastest drop out. After a single
  /// round, the limit is the square.
  double hopeless = 2;
  bool exhaustive = false; ///< drops no candidate; runs max_rounds
};

struct Racer {
  size_t id = 0;
  std::vector<double> samples; ///< in nanoseconds, one per round
  bool is_frozen = false;      ///< takes part in comparisons, but is not measured any more
  bool is_dropped = false;
  bool has_failed = false;
};

class Race {
public:
  Race(std::vector<Racer> racers, const RaceOptions &options)
      : racers_(std::move(racers)), options_(options) {}

  /// Takes a sample of racer `id`, in nanoseconds per launch. `share`: fraction of the round's time that the
  /// sample may take. An error makes the racer drop out.
  using Measure = std::function<Result<double>(size_t id, double share)>;

  bool is_over() const;
  /// Takes one sample of each remaining racer, in alternating order. Then slow racers drop out.
  void round(const Measure &measure);
  unsigned rounds() const { return rounds_; }
  size_t left() const; ///< racers still measured
  const std::vector<Racer> &racers() const { return racers_; }

  double median(const Racer &racer) const { return median_of(racer.samples); }
  /// Standard error of a racer's median in nanoseconds. It follows from the racer's own samples, but is not
  /// less than the pooled noise gives.
  double error(const Racer &racer) const;
  /// Relative standard deviation of a single sample, pooled over all racers. Single outliers have little
  /// influence.
  double noise() const;
  /// Racer with the lowest median among those that have not failed; null: there is none.
  const Racer *best() const;

private:
  bool is_left(const Racer &racer) const {
    return !racer.is_frozen && !racer.is_dropped && !racer.has_failed;
  }
  void drop_losers();
  std::vector<Racer> racers_;
  const RaceOptions options_;
  unsigned rounds_ = 0;
};

} // namespace kiln
