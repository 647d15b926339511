// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow of shared memory: which pairs of accesses are races, against all pairs of a random history.
#include <catch2/catch.hpp>

#include <host/checker.h>

#include <random>

using namespace kiln;
using abi::AccessKind;
using Kind = AccessFinding::Kind;

namespace {

constexpr abi::AccessSite reading{AccessKind::Read, 3, 4, 1, 0, 0, nullptr},
    writing{AccessKind::Write, 3, 4, 2, 0, 0, nullptr}, updating{AccessKind::Atomic, 3, 4, 3, 0, 0, nullptr};

bool is_race(const std::optional<SharedShadow::Fault> &fault) { return fault && fault->kind == Kind::Race; }

} // namespace

TEST_CASE("two threads at one byte: a race unless both read, both are atomic, or a barrier is between") {
  for (const abi::AccessSite *first : {&reading, &writing, &updating})
    for (const abi::AccessSite *second : {&reading, &writing, &updating}) {
      INFO(int(first->kind) << " then " << int(second->kind));
      bool harmless =
          (first == &reading && second == &reading) || (first == &updating && second == &updating);
      SharedShadow shadow;
      shadow.begin_block(16);
      shadow.access(0, 16, 0, &writing);
      shadow.pass_barrier();
      shadow.access(4, 4, 1, first);
      auto fault = shadow.access(6, 4, 40, second); // two bytes in common
      CHECK(is_race(fault) == !harmless);
      if (is_race(fault)) {
        CHECK(fault->other == first);
        CHECK(fault->other_thread == 1);
      }
      CHECK_FALSE(is_race(shadow.access(12, 4, 3, second))); // nobody's since the barrier
      shadow.pass_barrier();
      CHECK_FALSE(is_race(shadow.access(4, 4, 2, second)));
      CHECK_FALSE(is_race(shadow.access(4, 4, 2, first))); // its own
    }
}

TEST_CASE("sync_warp orders the lanes of its warp, and no others") {
  SharedShadow shadow;
  shadow.begin_block(8);
  shadow.access(0, 4, 0, &writing);
  shadow.access(4, 4, 33, &writing);
  shadow.sync_warp(0);
  CHECK_FALSE(shadow.access(0, 4, 1, &reading));
  CHECK(is_race(shadow.access(4, 4, 1, &reading)));
  CHECK(is_race(shadow.access(0, 4, 32, &reading)));
}

TEST_CASE("what another block wrote is not initialised") {
  SharedShadow shadow;
  shadow.begin_block(8);
  shadow.access(0, 4, 0, &writing);
  CHECK_FALSE(shadow.access(0, 4, 0, &reading));
  auto partly = shadow.access(2, 4, 0, &reading);
  REQUIRE(partly);
  CHECK(partly->kind == Kind::Uninitialized);
  shadow.begin_block(16);
  auto before = shadow.access(0, 4, 0, &reading);
  REQUIRE(before);
  CHECK(before->kind == Kind::Uninitialized);
}

TEST_CASE("every race of a random history is noticed at one of its accesses, and nothing else is") {
  struct Past {
    uint32_t thread, warp_epoch;
    const abi::AccessSite *site;
  };
  std::mt19937 random(5);
  auto below = [&](uint32_t bound) { return uint32_t(random() % bound); };
  size_t races = 0, clean = 0;
  for (int round = 0; round < 3000; round++) {
    SharedShadow shadow;
    shadow.begin_block(1);
    shadow.access(0, 1, 0, &writing);
    shadow.pass_barrier();
    std::vector<Past> past; // since the last barrier
    uint32_t warp_epochs[2] = {};
    bool expected = false, noticed = false;
    for (int step = 0; step < 6; step++) {
      uint32_t what = below(10);
      if (what == 0) {
        shadow.pass_barrier();
        past.clear();
        continue;
      }
      if (what == 1) {
        uint32_t warp = below(2);
        shadow.sync_warp(warp);
        warp_epochs[warp]++;
        continue;
      }
      Past now{below(2) * 32 + below(3), 0, std::array{&reading, &reading, &writing, &updating}[below(4)]};
      now.warp_epoch = warp_epochs[now.thread / 32];
      for (const Past &p : past) {
        bool ordered =
            p.thread == now.thread || (p.thread / 32 == now.thread / 32 && p.warp_epoch != now.warp_epoch);
        bool harmless = p.site == now.site && now.site != &writing;
        expected |= !ordered && !harmless;
      }
      past.push_back(now);
      noticed |= is_race(shadow.access(0, 1, now.thread, now.site));
    }
    INFO("round " << round);
    // What the shadow forgets (it holds a write, two atomic accesses and two reads) races with nothing that
    // these do not.
    if (!expected) CHECK_FALSE(noticed);
    races += expected && noticed;
    clean += !expected;
    if (expected) CHECK(noticed);
  }
  CHECK(races > 500);
  CHECK(clean > 200);
}

TEST_CASE("an array holds what lies in it whole, and the nearest one is named") {
  AccessChecker checker({{1000, 100, 2}, {5000, 8, 1}});
  const MemoryRange *nearest = nullptr;
  CHECK(checker.holds(1000, 100, &nearest));
  CHECK(checker.holds(1099, 1, &nearest));
  CHECK_FALSE(checker.holds(1097, 4, &nearest));
  REQUIRE(nearest);
  CHECK(nearest->argument == 2);
  CHECK_FALSE(checker.holds(4999, 1, &nearest));
  CHECK(nearest->argument == 1);
  CHECK_FALSE(checker.holds(5000, UINT64_MAX, &nearest));
  CHECK(AccessChecker({{1000, 100, 2}}, /*has_pointers=*/true).holds(7, 1, &nearest));
}

TEST_CASE("findings are one a place, the first thread of the first block, in any order of blocks") {
  auto finding = [](uint32_t block, uint32_t thread) {
    AccessFinding f{.kind = Kind::OutOfBounds, .access = {&writing, {thread, 0, 0}}, .block = {block, 0, 0}};
    return f;
  };
  AccessChecker checker({});
  for (auto [block, thread] : {std::pair{3u, 1u}, {1u, 7u}, {2u, 0u}, {1u, 9u}})
    checker.add(finding(block, thread));
  auto found = checker.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].count == 4);
  CHECK(found[0].block[0] == 1);
  CHECK(found[0].access.thread[0] == 7);
}
