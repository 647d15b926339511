// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race.h"

#include <algorithm>
#include <cmath>

namespace kiln {

namespace {

/// Ratios for a normal distribution: standard deviation / median absolute deviation, and standard error of a
/// median / standard error of a mean.
constexpr double deviation_by_mad = 1.4826, median_by_mean = 1.2533;

/// Factor that corrects median absolute deviations, which are too small for few samples.
double scale_of(size_t samples) { return samples > 1 ? std::sqrt(double(samples) / double(samples - 1)) : 1; }

} // namespace

double Race::noise() const {
  std::vector<double> deviations;
  for (const Racer &racer : racers_) {
    if (racer.samples.size() < 2) continue;
    const double middle = median(racer);
    if (middle <= 0) continue;
    const double scale = scale_of(racer.samples.size()) / middle;
    for (double sample : racer.samples) deviations.push_back(std::abs(sample - middle) * scale);
  }
  return deviation_by_mad * median_of(std::move(deviations));
}

double Race::error(const Racer &racer) const {
  const size_t count = racer.samples.size();
  if (count == 0) return 0;
  const double middle = median(racer);
  std::vector<double> deviations;
  for (double sample : racer.samples) deviations.push_back(std::abs(sample - middle) * scale_of(count));
  const double own = count > 2 ? deviation_by_mad * median_of(std::move(deviations)) : 0;
  return std::max(own, noise() * middle) * median_by_mean / std::sqrt(double(count));
}

const Racer *Race::best() const {
  const Racer *best = nullptr;
  for (const Racer &racer : racers_)
    if (!racer.has_failed && !racer.samples.empty() && (!best || median(racer) < median(*best)))
      best = &racer;
  return best;
}

size_t Race::left() const {
  return size_t(std::ranges::count_if(racers_, [&](const Racer &racer) { return is_left(racer); }));
}

bool Race::is_over() const {
  size_t measured = 0, compared = 0; // measured: racers still measured; compared: these and the frozen ones
  size_t min_samples = options_.max_rounds;
  const Racer *fastest = best();
  bool is_level = fastest != nullptr;
  const double bound = fastest ? median(*fastest) * (1 + options_.level) : 0;
  for (const Racer &racer : racers_) {
    if (racer.has_failed || racer.is_dropped) continue;
    compared++;
    if (!is_left(racer)) continue;
    measured++;
    min_samples = std::min(min_samples, racer.samples.size());
    is_level &= median(racer) + options_.confidence * error(racer) <= bound;
  }
  if (measured == 0 || min_samples >= options_.max_rounds) return true;
  if (options_.exhaustive || min_samples < options_.min_rounds) return false;
  return compared == 1 || is_level;
}

void Race::round(const Measure &measure) {
  std::vector<size_t> order;
  for (size_t i = 0; i < racers_.size(); i++)
    if (is_left(racers_[i])) order.push_back(i);
  if (rounds_++ % 2) std::ranges::reverse(order);
  const double share = order.empty() ? 1 : 1 / double(order.size());
  for (size_t index : order) {
    Racer &racer = racers_[index];
    const Result<double> sample = measure(racer.id, share);
    if (sample.ok())
      racer.samples.push_back(*sample);
    else
      racer.has_failed = true;
  }
  if (!options_.exhaustive) drop_losers();
}

void Race::drop_losers() {
  const Racer *fastest = best();
  if (!fastest) return;
  const double best_time = median(*fastest), best_error = error(*fastest);
  for (Racer &racer : racers_) {
    if (!is_left(racer) || &racer == fastest) continue;
    const double time = median(racer);
    if (racer.samples.size() < options_.min_rounds) {
      // Compare the candidate's best sample, so that one slow outlier does not decide. With a single sample,
      // the limit is the square of the factor.
      const double factor =
          racer.samples.size() == 1 ? options_.hopeless * options_.hopeless : options_.hopeless;
      racer.is_dropped = std::ranges::min(racer.samples) > factor * best_time;
      continue;
    }
    racer.is_dropped = time - best_time > options_.confidence * std::hypot(error(racer), best_error);
  }
}

} // namespace kiln
