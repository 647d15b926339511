// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of a library that are defined when code first looks them up.
#include "fixture.h"

#include <thread>

using namespace kiln;

namespace {

/// A library file whose names are constants with the name's index as value, or what `special` makes of them.
struct Numbers : NameDefiner {
  CompilerWorld &world;
  std::vector<EmbeddedName> names;
  std::vector<int> runs;
  std::function<Result<void>(size_t)> special;

  Numbers(CompilerWorld &world, std::initializer_list<std::string_view> list)
      : world(world), runs(list.size()) {
    for (std::string_view name : list) names.push_back({.name = name, .hash = hash_of_name(name)});
  }
  Result<void> define(size_t i) override {
    ++runs[i];
    if (special) KILN_CHECK(special(i));
    return world.set_constant(*world.base(), world.types().symbol(names[i].name),
                              world.types().int64(int64_t(i)), {});
  }
};

} // namespace

TEST_CASE_METHOD(WorldFixture, "a waiting name is defined once, in every world, when it is looked up") {
  auto file = std::make_shared<Numbers>(world, std::initializer_list<std::string_view>{"zero", "one"});
  ok(world.add_names(file, file->names));
  const WorldAge before = world.age();
  CHECK(value(world.main(), "one", FirstWorld) == int64(1));
  CHECK(value(world.base(), "one") == int64(1));
  CHECK(file->runs == std::vector<int>{0, 1});
  CHECK(world.age() == before); // nothing has changed for anybody
  CHECK_FALSE(value(world.main(), "two"));
  CHECK(world.is_defined(*world.main(), symbol("zero")));
  CHECK(file->runs == std::vector<int>{1, 1});
}

TEST_CASE_METHOD(WorldFixture, "a definition of the program finds the waiting name first") {
  auto file = std::make_shared<Numbers>(world, std::initializer_list<std::string_view>{"zero"});
  ok(world.add_names(file, file->names));
  const WorldAge before = world.age();
  ok(world.set_constant(*world.base(), symbol("zero"), int64(7), {}));
  CHECK(value(world.base(), "zero") == int64(7));
  CHECK(value(world.base(), "zero", before) == int64(0));
}

TEST_CASE_METHOD(WorldFixture, "a list of names has those that wait") {
  auto file = std::make_shared<Numbers>(world, std::initializer_list<std::string_view>{"zero", "one"});
  ok(world.add_names(file, file->names));
  const std::vector<Symbol> names = world.names(*world.base());
  CHECK(std::ranges::count(names, symbol("zero")) == 1);
  CHECK(std::ranges::count(names, symbol("one")) == 1);
  CHECK(world.similar_names(*world.main(), symbol("zerro")) == std::vector<std::string>{"zero"});
}

TEST_CASE_METHOD(WorldFixture, "a name that was looked up in vain is defined from the current world on") {
  const WorldAge before = world.age();
  CHECK_FALSE(value(world.main(), "late"));
  auto file = std::make_shared<Numbers>(world, std::initializer_list<std::string_view>{"late", "other"});
  ok(world.add_names(file, file->names));
  CHECK(file->runs == std::vector<int>{1, 0});
  CHECK(value(world.main(), "late") == int64(0));
  CHECK_FALSE(value(world.main(), "late", before));
  CHECK(value(world.main(), "other", before) == int64(1));
}

TEST_CASE_METHOD(WorldFixture, "waiting names may need each other and themselves") {
  auto file = std::make_shared<Numbers>(world, std::initializer_list<std::string_view>{"zero", "one"});
  file->special = [&](size_t i) -> Result<void> {
    if (i == 0) {
      CHECK(value(world.base(), "one") == int64(1));
      CHECK_FALSE(value(world.base(), "zero"));
    }
    return {};
  };
  ok(world.add_names(file, file->names));
  CHECK(value(world.base(), "zero") == int64(0));
  CHECK(file->runs == std::vector<int>{1, 1});
}

TEST_CASE_METHOD(WorldFixture, "whoever looks up a name that cannot be defined gets the error") {
  auto file = std::make_shared<Numbers>(world, std::initializer_list<std::string_view>{"zero"});
  file->special = [](size_t) -> Result<void> { return input_error("no zero today"); };
  ok(world.add_names(file, file->names));
  auto found = world.lookup(*world.base(), symbol("zero"), world.age());
  REQUIRE_FALSE(found.ok());
  CHECK(message(found.error()) == "no zero today");
}

TEST_CASE_METHOD(WorldFixture, "several threads that look up a waiting name all find it") {
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back(fmt::format("number{}", i));
  auto file = std::make_shared<Numbers>(world, std::initializer_list<std::string_view>{});
  for (const std::string &text : texts) file->names.push_back({.name = text, .hash = hash_of_name(text)});
  file->runs.resize(texts.size());
  ok(world.add_names(file, file->names));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int each = 0; each < 4; ++each)
    threads.emplace_back([&] {
      for (size_t i = 0; i < texts.size(); ++i) {
        auto found = world.lookup(*world.base(), types.symbol(texts[i]), FirstWorld);
        if (!found.ok() || !*found || **found != types.int64(int64_t(i))) ++wrong;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(file->runs == std::vector<int>(texts.size(), 1));
}

TEST_CASE_METHOD(WorldFixture, "methods of a built-in type wait for the type's name") {
  struct Constructors : NameDefiner {
    WorldFixture &f;
    explicit Constructors(WorldFixture &f) : f(f) {}
    Result<void> define(size_t) override {
      f.world.postpone(f.t.Float32, [this]() -> Result<void> {
        f.define(f.types.tuple({f.type_of(f.t.Float32), f.t.Int64}));
        return {};
      });
      return {};
    }
  };
  const EmbeddedName name{.name = "Float32", .hash = hash_of_name("Float32")};
  ok(world.add_names(std::make_shared<Constructors>(*this), std::span(&name, 1)));
  CHECK(look({type_of(t.Float32), t.Int64}).method); // the type is reached without its name
}
