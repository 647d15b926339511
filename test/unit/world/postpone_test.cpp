// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods whose definition waits until somebody asks for them.
#include "fixture.h"

#include <atomic>
#include <thread>

using namespace kiln;

TEST_CASE_METHOD(WorldFixture, "postponed methods are there for whoever asks, in every world") {
  TypeRef f = function("f"), g = function("g");
  int runs = 0;
  world.postpone(f, [&]() -> Result<void> {
    ++runs;
    define(types.tuple({f, t.Int64}));
    return {};
  });
  WorldAge before = world.age();
  define(types.tuple({g, t.Int64})); // another function: nothing is run
  CHECK(look({g, t.Int64}).method);
  CHECK(runs == 0);
  WorldAge now = world.age();
  CHECK(look({f, t.Int64}, "", before).method); // an older world sees them too
  CHECK(look({f, t.Int64}).method);
  CHECK_FALSE(look({f, t.Float64}).method);
  CHECK(runs == 1);
  CHECK(world.age() == now); // nothing has changed for anybody
}

TEST_CASE_METHOD(WorldFixture, "what a package postpones is there from the world on in which it was loaded") {
  TypeRef f = function("f");
  const Method *first = define(types.tuple({f, t.Int64}));
  const WorldAge before = world.age();
  CHECK(look({f, t.Int64}).method == first);
  define(types.tuple({function("g"), t.Int64}));
  const Method *postponed = nullptr;
  world.postpone(f,
                 [&]() -> Result<void> {
                   postponed = define(types.tuple({f, t.Int64}));
                   return {};
                 },
                 {.since_now = true});
  const WorldAge loaded = world.age();
  define(types.tuple({function("h"), t.Int64}));
  CHECK(look({f, t.Int64}, "", before).method == first);
  REQUIRE(postponed); // whoever asks has it defined
  CHECK(postponed->begin == loaded);
  CHECK(look({f, t.Int64}).method == postponed);
  CHECK(look({f, t.Int64}, "", loaded).method == postponed);
  CHECK(look({f, t.Int64}, "", before).method == first);
}

TEST_CASE_METHOD(WorldFixture, "a definition comes after what was postponed, and replaces it") {
  TypeRef f = function("f");
  const Method *first = nullptr;
  world.postpone(f, [&]() -> Result<void> {
    first = define(types.tuple({f, t.Int64}));
    return {};
  });
  CHECK(world.has_methods(f));
  CHECK(first == nullptr); // to know that there are some needs none of them
  WorldAge before = world.age();
  const Method *second = define(types.tuple({f, t.Int64}));
  REQUIRE(first);
  CHECK(look({f, t.Int64}).method == second);
  CHECK(look({f, t.Int64}, "", before).method == first);
  CHECK(world.methods_of(f, {}, world.age()) == std::vector<const Method *>{second});
}

TEST_CASE_METHOD(WorldFixture, "postponed definitions may ask for each other and for themselves") {
  TypeRef f = function("f"), g = function("g");
  world.postpone(f, [&]() -> Result<void> {
    CHECK(look({g, t.Int64}).method);
    define(types.tuple({f, t.Int64}));
    CHECK(look({f, t.Int64}).method);
    return {};
  });
  world.postpone(g, [&]() -> Result<void> {
    (void)look({f, t.Int64}); // what is there so far
    define(types.tuple({g, t.Int64}));
    return {};
  });
  CHECK(world.methods_of(f, {}, world.age()).size() == 1);
  CHECK(look({g, t.Int64}).method);
}

TEST_CASE_METHOD(WorldFixture, "a postponed definition that fails is an error of who asked") {
  TypeRef f = function("f");
  world.postpone(f, [&]() -> Result<void> { return make_error(ErrorCode::TypeError, "no such type"); });
  auto asked = world.lookup_method(types.tuple({f, t.Int64}), world.age(), {});
  REQUIRE_FALSE(asked.ok());
  CHECK(message(asked.error()) == "no such type");
}

TEST_CASE_METHOD(WorldFixture, "threads that ask at once wait for one of them") {
  for (int round = 0; round < 50; ++round) {
    TypeRef f = function(("f" + std::to_string(round)).c_str());
    std::atomic<int> runs = 0, found = 0;
    world.postpone(f, [&]() -> Result<void> {
      ++runs;
      std::this_thread::yield();
      auto method = std::make_unique<Method>();
      method->name = symbol("f");
      method->module = world.main();
      method->signature = types.tuple({f, t.Int64});
      KILN_TRY(const Method *defined, world.define(std::move(method)));
      (void)defined;
      return {};
    });
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        auto match = world.lookup_method(types.tuple({f, t.Int64}), world.age(), {});
        found += match.ok() && match->method;
      });
    for (std::thread &thread : threads) thread.join();
    CHECK(runs == 1);
    CHECK(found == 4);
  }
}
