// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the fastest of many candidates with few measurements: interleaved rounds over the remaining ones;
// after each round, those that are certainly slower drop out. Independent of kernels and clocks.
#pragma once

#include <kiln/result.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace kiln {

struct RaceOptions {
  unsigned min_rounds = 3, max_rounds = 24;
  double confidence = 3; ///< standard errors between two different medians
  double level = 0.005;  ///< medians within this fraction are equal
  /// Before min_rounds, drops candidates this many times slower than the fastest; after one round, by its
  /// square.
  double hopeless = 2;
  bool exhaustive = false; ///< drops no candidate; runs max_rounds
};

struct Racer {
  size_t id = 0;
  std::vector<double> samples; ///< in nanoseconds, one per round
  bool is_frozen = false;      ///< compared, but not measured any more
  bool is_dropped = false;
  bool has_failed = false;
};

/// Statistics of positive samples; 0 for none.
double median_of(std::vector<double> samples);

class Race {
public:
  Race(std::vector<Racer> racers, const RaceOptions &options)
      : racers_(std::move(racers)), options_(options) {}

  /// Takes a sample of racer `id` in nanoseconds per launch. `share`: fraction of the round's time to use, 1
  /// for all of it. An error drops the racer.
  using Measure = std::function<Result<double>(size_t id, double share)>;

  bool is_over() const;
  /// Takes one sample of each remaining racer, in alternating order, then drops slow ones.
  void round(const Measure &measure);
  unsigned rounds() const { return rounds_; }
  size_t left() const; ///< racers still measured
  const std::vector<Racer> &racers() const { return racers_; }

  double median(const Racer &racer) const { return median_of(racer.samples); }
  /// Standard error of the median in nanoseconds: from its own samples, at least by the pooled noise.
  double error(const Racer &racer) const;
  /// Relative standard deviation of one sample, pooled over all; robust against single outliers.
  double noise() const;
  /// Racer with the lowest median that has not failed; null: none.
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
