// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of many is the fastest, with as few measurements as that takes: rounds over those that are left,
// interleaved, after each of which those drop out that are slower beyond doubt. It knows no kernels and no
// clock.
#pragma once

#include <kiln/result.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace kiln {

struct RaceOptions {
  unsigned min_rounds = 3, max_rounds = 24;
  double confidence = 3; ///< standard errors between two medians that are told apart
  double level = 0.005;  ///< medians within this part of each other are level
  double hopeless = 2; ///< before min_rounds drops out what takes so many times the fastest's time, and after
                       ///< one round what takes the square of it
  bool exhaustive = false; ///< nobody drops out, and there are max_rounds
};

struct Racer {
  size_t id = 0;
  std::vector<double> samples; ///< nanoseconds, a round each
  bool is_frozen = false;      ///< it is compared with, and not measured any more
  bool is_dropped = false;
  bool has_failed = false;
};

/// Statistics of positive samples; 0 for none.
double median_of(std::vector<double> samples);

class Race {
public:
  Race(std::vector<Racer> racers, const RaceOptions &options)
      : racers_(std::move(racers)), options_(options) {}

  /// A sample of racer `id`: nanoseconds a launch. `share`: what part of the round's time it should take, 1
  /// for all of it. Error: it cannot go on, and drops out with it.
  using Measure = std::function<Result<double>(size_t id, double share)>;

  bool is_over() const;
  /// One sample of each that is left, in turn, every other round in the other order; then some drop out.
  void round(const Measure &measure);
  unsigned rounds() const { return rounds_; }
  size_t left() const; ///< that are measured on
  const std::vector<Racer> &racers() const { return racers_; }

  double median(const Racer &racer) const { return median_of(racer.samples); }
  /// Standard error of the median, in nanoseconds: of its own samples and no less than the pooled noise says.
  double error(const Racer &racer) const;
  /// Standard deviation of one sample as a part of it, pooled over all: robust against single outliers.
  double noise() const;
  /// The one with the lowest median that has not failed; null: there is none.
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
