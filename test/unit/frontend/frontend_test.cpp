// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a language gets that says nothing of its own: kiln/extension/language/frontend.h, "by default".
// Expected texts are those that Julia writes for the same types.
#include "must.h"

#include <frontend/frontend.h>
#include <types/types.h>
#include <world/world.h>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

/// A language that keeps what it is asked.
class Listener : public Frontend {
public:
  explicit Listener(bool *destroyed = nullptr) : destroyed_(destroyed) {}
  ~Listener() override {
    if (destroyed_) *destroyed_ = true;
  }
  using Frontend::resolve_call;
  std::string_view name() const override { return "listener"; }
  std::vector<std::string_view> file_extensions() const override { return {".txt"}; }
  Result<LoadReport> load(World &, Module &, std::shared_ptr<const SourceFile>) override {
    return LoadReport();
  }
  Result<Value> evaluate(World &, Module &, std::string_view, std::string_view) override {
    return usage_error("nothing is evaluated here");
  }
  Result<ResolvedCall> resolve_call(World &, Module &, std::string_view of, std::string_view text,
                                    std::span<const Capture> captures) override {
    asked_for = of, asked = text, num_captures = captures.size();
    if (text.starts_with("unknown")) return usage_error("the function unknown is not defined");
    return ResolvedCall();
  }
  Result<LoadReport> load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) override {
    return LoadReport();
  }
  std::string asked_for, asked;
  size_t num_captures = 7;

private:
  bool *destroyed_;
};

struct Fixture {
  TypeContext types;
  SourceMap sources;
  CompilerWorld world{types, sources};
  Listener frontend;
  const TypeContext::Builtins &t = types.builtins();

  Value function(const char *name) { return must(world.function(*world.main(), types.symbol(name), {})); }
  TypeRef ptr(TypeRef element) { return must(types.apply(t.Ptr, std::vector<TypeRef>{element})); }
  std::string call(std::initializer_list<TypeRef> types_of) {
    return frontend.call_text(types.tuple(types_of));
  }
  Result<ResolvedCall> launch(std::string_view name, std::vector<std::string_view> arguments) {
    return frontend.resolve_launch(world, *world.main(), name, arguments);
  }
};

} // namespace

TEST_CASE_METHOD(Fixture, "a launch by name is a call of the argument types") {
  must(launch("saxpy", {"CuDeviceArray{Float32, 1, 1}", "Float32"}));
  CHECK(frontend.asked == "saxpy(CuDeviceArray{Float32, 1, 1}, Float32)");
  CHECK(frontend.asked_for == "job");
  CHECK(frontend.num_captures == 0);
  must(launch("tick", {}));
  CHECK(frontend.asked == "tick()");
  must(launch("Main.one", {"Int64"}));
  CHECK(frontend.asked == "Main.one(Int64)");
}

TEST_CASE_METHOD(Fixture, "what a language refuses of a call, it refuses of a launch") {
  auto refused = launch("unknown", {"Int64"});
  REQUIRE(!refused.ok());
  CHECK(refused.error().kind() == ErrorKind::Usage);
  CHECK_THAT(refused.error().what(), Contains("the function unknown is not defined"));
}

TEST_CASE_METHOD(Fixture, "a call without captures has none") {
  must(frontend.resolve_call(world, *world.main(), "text", "f(Int64)"));
  CHECK(frontend.num_captures == 0);
  CHECK(frontend.asked_for == "text");
}

TEST_CASE_METHOD(Fixture, "a language that runs no programs says so by its name") {
  auto ran = frontend.run(world, *world.main(), sources.add("program.txt", "1 + 1"), {});
  REQUIRE(!ran.ok());
  CHECK(ran.error().kind() == ErrorKind::Usage);
  CHECK_THAT(ran.error().what(), Contains("listener"));
}

TEST_CASE_METHOD(Fixture, "a value is passed as it is") {
  const Value value = types.int64(-7);
  CHECK(must(frontend.argument_value(world, value)) == value);
  CHECK(must(frontend.argument_value(world, function("f"))) == function("f"));
}

TEST_CASE_METHOD(Fixture, "a call's text names the function and the types of its arguments") {
  const TypeRef f = function("f").type();
  CHECK(call({f}) == "f()");
  CHECK(call({f, t.Int64}) == "f(Int64)");
  CHECK(call({f, t.Float32, t.Bool, t.UInt8}) == "f(Float32, Bool, UInt8)");
  CHECK(call({f, ptr(ptr(t.Int64)), t.Int64}) == "f(Ptr{Ptr{Int64}}, Int64)");
  CHECK(call({f, types.tuple({t.Int64, t.Float64})}) == "f(Tuple{Int64, Float64})");
  CHECK(call({f, function("g").type()}) == "f(typeof(g))");
  CHECK(call({function("+").type(), t.Int64, t.Int64}) == "+(Int64, Int64)");
}

TEST_CASE_METHOD(Fixture, "a language without a library leaves the World as it was") {
  const WorldAge age = world.age();
  const OverlayFiles overlay{types.symbol("ptx"), {}};
  must(frontend.load_library(world, std::span(&overlay, 1)));
  CHECK(world.age() == age);
}

TEST_CASE("a language is destroyed through the seam") {
  bool destroyed = false;
  std::unique_ptr<Frontend> frontend = std::make_unique<Listener>(&destroyed);
  CHECK(frontend->file_extensions() == std::vector<std::string_view>{".txt"});
  frontend.reset();
  CHECK(destroyed);
}
