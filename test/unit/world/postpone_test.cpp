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
  WorldAge before = world.age();
  const Method *second = define(types.tuple({f, t.Int64}));
  CHECK(first == nullptr); // neither question nor definition needs it
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

TEST_CASE_METHOD(WorldFixture, "a postponed method that comes late does not replace what came after it") {
  TypeRef f = function("f");
  const Method *postponed = nullptr;
  world.postpone(f,
                 [&]() -> Result<void> {
                   postponed = define(types.tuple({f, t.Int64}));
                   return {};
                 },
                 {.since_now = true, .shapes = {call_shape(types, types.tuple({f, t.Int64}))}});
  const WorldAge loaded = world.age();
  const Method *second = define(types.tuple({f, t.Int64}));
  const WorldAge then = world.age();
  const Method *third = define(types.tuple({f, t.Int64}));
  CHECK(postponed == nullptr);
  CHECK(look({f, t.Int64}).method == third);
  REQUIRE(postponed);
  CHECK((postponed->begin == loaded && postponed->end == second->begin));
  CHECK(look({f, t.Int64}, "", then).method == second);
  CHECK(look({f, t.Int64}, "", loaded).method == postponed);
}

TEST_CASE_METHOD(WorldFixture, "a call runs only postponed definitions whose methods may take it") {
  TypeRef f = function("f");
  std::vector<std::string> runs;
  auto postpone = [&](const char *name, TypeRef signature) {
    world.postpone(f,
                   [this, &runs, name, signature]() -> Result<void> {
                     runs.push_back(name);
                     define(signature);
                     return {};
                   },
                   {.since_now = true, .is_of_package = true, .shapes = {call_shape(types, signature)}});
  };
  const TypeVar *integer = var("T", t.Integer), *signed_type = var("S", t.Signed);
  postpone("integer", where(types.tuple({f, integer}), integer));
  postpone("float", types.tuple({f, types.union_of({t.Float32, t.Float64})}));
  postpone("type", where(types.tuple({f, type_of(signed_type)}), signed_type));
  postpone("many", types.tuple({f, t.Bool, types.vararg(t.Any)}));
  CHECK_FALSE(world.may_choose_added(types.tuple({f, type_of(t.Bool)}), {}));
  CHECK(look({f, t.Float32}).method);
  CHECK(runs == std::vector<std::string>{"float"});
  CHECK_FALSE(look({f, type_of(t.Float64)}).method);
  CHECK(runs.size() == 1);
  CHECK(world.may_choose_added(types.tuple({f, t.Int32}), {}));
  CHECK(look({f, t.Int32}).method);
  CHECK(runs == std::vector<std::string>{"float", "integer"});
  CHECK_FALSE(look({f}).method);
  CHECK(runs.size() == 2);
  CHECK(look({f, type_of(t.Int32)}).method);
  CHECK(look({f, t.Bool, t.Int64, t.Int64}).method);
  CHECK(runs == std::vector<std::string>{"float", "integer", "type", "many"});
  // A method of a call that was looked up before is found, since it is postponed later.
  postpone("late", types.tuple({f, t.Float32}));
  CHECK(look({f, t.Float32}).method->signature == types.tuple({f, t.Float32}));
}

TEST_CASE_METHOD(WorldFixture, "a question about any method of a function runs all that is postponed") {
  TypeRef f = function("f");
  int runs = 0;
  for (TypeRef type : {t.Int64, t.Float64})
    world.postpone(f,
                   [this, &runs, f, type]() -> Result<void> {
                     ++runs;
                     define(types.tuple({f, type}));
                     return {};
                   },
                   {.since_now = true, .shapes = {call_shape(types, types.tuple({f, type}))}});
  CHECK(world.methods_of(f, {}, world.age()).size() == 2);
  CHECK(runs == 2);
}

TEST_CASE_METHOD(WorldFixture, "a call with abstract arguments runs what calls of its values may take") {
  TypeRef f = function("f");
  std::vector<std::string> runs;
  auto postpone = [&](const char *name, TypeRef signature) {
    world.postpone(f,
                   [this, &runs, name, signature]() -> Result<void> {
                     runs.push_back(name);
                     define(signature);
                     return {};
                   },
                   {.since_now = false, .shapes = {call_shape(types, signature)}});
  };
  postpone("one", types.tuple({f, t.Int64}));
  postpone("float", types.tuple({f, t.Float64, t.Int64}));
  postpone("integer", types.tuple({f, t.Int64, t.Int64}));
  const WorldAge before = world.age();
  CHECK_FALSE(look({f, t.Any, t.Float64}).method);
  CHECK(runs.empty());
  CHECK_FALSE(look({f, t.Float64, t.Any}).method);
  CHECK(runs == std::vector<std::string>{"float"});
  CHECK_FALSE(look({f, types.vararg(t.Any)}).method);
  CHECK(runs == std::vector<std::string>{"float", "one", "integer"});
  CHECK(look({f, t.Int64}, "", FirstWorld).method); // as if it had always been there
  CHECK(world.age() == before);
}

TEST_CASE_METHOD(WorldFixture, "of equal library methods the later one in the text holds") {
  TypeRef f = function("f");
  const auto file = sources.add_library("library.jl", "1 2");
  auto postpone = [&](uint32_t place, TypeRef signature, const Method *&defined) {
    world.postpone(f,
                   [&, place, signature]() -> Result<void> {
                     auto method = std::make_unique<Method>();
                     method->name = symbol("f");
                     method->module = world.main();
                     method->signature = signature;
                     method->at = {file->id(), place, place + 1};
                     KILN_TRY(defined, world.define(std::move(method)));
                     return {};
                   },
                   {.since_now = false, .shapes = {call_shape(types, signature)}});
  };
  // The same calls, written in two ways. The second one of the text is postponed first, so it runs first.
  const TypeVar *element = var("T");
  const Method *first = nullptr, *second = nullptr;
  postpone(2, types.tuple({f, t.Ptr}), second);
  postpone(0, where(types.tuple({f, ptr(element)}), element), first);
  CHECK(look({f, ptr(t.Int64)}).method == second);
  REQUIRE(first);
  CHECK(look({f, ptr(t.Int64)}, "", FirstWorld).method == second);
}
