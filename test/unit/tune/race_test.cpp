// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races on made-up times, whose true order is known; a clock of the test's own counts what they cost.
#include <catch2/catch.hpp>

#include <tune/race.h>

#include <cmath>
#include <random>

namespace race_test {

using namespace kiln;

namespace {

/// Times with noise, one candidate each, and what measuring them took.
struct Device {
  std::vector<double> times;
  double noise = 0.01;
  std::mt19937 random{1};
  double clock = 0;
  std::vector<size_t> order = {}; ///< of measurements

  Race::Measure measure() {
    return [this](size_t id, double) -> Result<double> {
      order.push_back(id);
      std::normal_distribution<double> spread(1, noise);
      const double time = times[id] * std::max(0.5, spread(random));
      clock += time;
      return time;
    };
  }
};

std::vector<Racer> racers(size_t count) {
  std::vector<Racer> all(count);
  for (size_t i = 0; i < count; i++) all[i].id = i;
  return all;
}

size_t winner(Race &race, Device &device, unsigned most = 1000) {
  const auto measure = device.measure();
  while (!race.is_over() && race.rounds() < most) race.round(measure);
  REQUIRE(race.best());
  return race.best()->id;
}

size_t samples(const Race &race) {
  size_t count = 0;
  for (const Racer &racer : race.racers()) count += racer.samples.size();
  return count;
}

} // namespace

TEST_CASE("medians") {
  CHECK(median_of({}) == 0);
  CHECK(median_of({3}) == 3);
  CHECK(median_of({3, 1, 2}) == 2);
  CHECK(median_of({4, 1, 3, 2}) == 2.5);
}

TEST_CASE("the fastest of 64 wins with few measurements, whatever the noise") {
  for (double noise : {0.001, 0.01, 0.05})
    for (unsigned seed = 0; seed < 20; seed++) {
      Device device{.times = {}, .noise = noise};
      device.random.seed(seed);
      std::uniform_real_distribution<double> spread(1.0, 10.0);
      for (size_t i = 0; i < 64; i++) device.times.push_back(1000 * spread(device.random));
      Race race(racers(64), {});
      const size_t found = winner(race, device);
      const double best = *std::ranges::min_element(device.times);
      CHECK(device.times[found] <= best * (1 + 3 * noise + 0.005));
      CHECK(samples(race) < 64 * 24 / 3);
      Device again{.times = device.times, .noise = noise};
      Race exhaustive(racers(64), {.exhaustive = true});
      winner(exhaustive, again);
      CHECK(samples(exhaustive) == size_t(64) * 24);
      CHECK(device.clock < again.clock / 4);
    }
}

TEST_CASE("the noise is told, and no outlier makes it") {
  Device device{.times = std::vector<double>(16, 1000), .noise = 0.02};
  Race race(racers(16), {.exhaustive = true});
  winner(race, device);
  CHECK(race.noise() == Approx(0.02).epsilon(0.25));
  for (const Racer &racer : race.racers())
    CHECK(race.error(racer) == Approx(1000 * 0.02 * 1.2533 / std::sqrt(24.0)).epsilon(0.8));
  auto measure = device.measure();
  Race hit(racers(16), {.exhaustive = true});
  size_t count = 0;
  while (!hit.is_over())
    hit.round([&](size_t id, double share) -> Result<double> {
      const double time = *measure(id, share);
      return ++count % 20 == 0 ? time * 50 : time;
    });
  CHECK(hit.noise() == Approx(0.02).epsilon(0.35));
}

TEST_CASE("one slow sample drops nobody who is fast") {
  Device device{.times = {1000, 1200, 1300}, .noise = 0.005};
  auto measure = device.measure();
  Race race(racers(3), {});
  while (!race.is_over())
    race.round([&](size_t id, double share) -> Result<double> {
      const double time = *measure(id, share);
      return id == 0 && race.racers()[0].samples.size() == 1 ? time * 10 : time;
    });
  CHECK(race.best()->id == 0);
}

TEST_CASE("what takes four times as long drops out after one round, what is a little slower later") {
  Device device{.times = {1000, 4500, 1100, 2500}, .noise = 0.001};
  Race race(racers(4), {});
  race.round(device.measure());
  CHECK(race.racers()[1].is_dropped);
  CHECK(race.left() == 3);
  CHECK(winner(race, device) == 0);
  CHECK(race.racers()[1].samples.size() == 1);
  CHECK(race.racers()[2].samples.size() == 3);
  CHECK(race.racers()[3].samples.size() == 2);
}

TEST_CASE("equal ones end level, within the rounds there are") {
  Device device{.times = {1000, 1000, 1000, 1000}, .noise = 0.05};
  Race race(racers(4), {.max_rounds = 10});
  winner(race, device);
  CHECK(race.rounds() <= 10);
  CHECK(race.is_over());
  Device quiet{.times = {1000, 1001}, .noise = 0.0001};
  Race soon(racers(2), {.level = 0.01});
  winner(soon, quiet);
  CHECK(soon.rounds() == 3);
}

TEST_CASE("rounds go to and fro, and one that fails drops out alone") {
  Device device{.times = {1000, 1001, 1002}, .noise = 0.0};
  auto measure = device.measure();
  Race race(racers(3), {.min_rounds = 3, .max_rounds = 3, .exhaustive = true});
  auto failing = [&](size_t id, double share) -> Result<double> {
    if (id == 0 && race.rounds() == 2) return usage_error("it cannot go on");
    return measure(id, share);
  };
  while (!race.is_over()) race.round(failing);
  CHECK(device.order == std::vector<size_t>{0, 1, 2, 2, 1, 1, 2});
  CHECK(race.racers()[0].has_failed);
  CHECK(race.best()->id == 1);
  Race none(racers(2), {});
  none.round([](size_t, double) -> Result<double> { return usage_error("never"); });
  CHECK(none.is_over());
  CHECK(none.best() == nullptr);
}

TEST_CASE("frozen ones are compared with, and not measured") {
  std::vector<Racer> all = racers(3);
  all[0] = {.id = 0, .samples = {1000, 1001, 999}, .is_frozen = true};
  all[1] = {.id = 1, .samples = {5000}, .is_frozen = true, .is_dropped = true};
  Device device{.times = {0, 0, 1500}, .noise = 0.001};
  Race race(all, {});
  CHECK(race.left() == 1);
  CHECK(winner(race, device) == 0);
  CHECK(race.racers()[2].is_dropped);
  CHECK(race.racers()[0].samples.size() == 3);
  all[2].samples = {};
  device.times[2] = 900;
  Race faster(all, {});
  CHECK(winner(faster, device) == 2);
  Race over({all[0], all[1]}, {});
  CHECK(over.is_over());
  CHECK(over.best()->id == 0);
}

TEST_CASE("fewer that are left get longer samples") {
  std::vector<double> shares;
  Race race(racers(4), {.max_rounds = 3});
  double time = 1000;
  race.round([&](size_t id, double share) -> Result<double> {
    shares.push_back(share);
    return id < 2 ? time : 10 * time;
  });
  race.round([&](size_t, double share) -> Result<double> {
    shares.push_back(share);
    return time;
  });
  CHECK(shares == std::vector<double>{0.25, 0.25, 0.25, 0.25, 0.5, 0.5});
}

} // namespace race_test
