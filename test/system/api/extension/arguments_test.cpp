// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A language says what type an embedder's argument has: of one in bytes by the type's name in its own words
// (Frontend::resolve_launch), of a value by the value that a kernel gets for it (Frontend::argument_value).
#include "must.h"

#include <catch2/catch.hpp>
#include <kiln/extension/language.h>
#include <kiln/kiln.h>

#include <cstring>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

/// Its types are `int`, 32 bits, `real`, 32 bits, and `real[]`; its integers in a REPL are Int64, and its
/// fractions structs of two. One kernel: store(y, x) puts x, as a real, at y[1].
class Small final : public Frontend {
public:
  explicit Small(const LanguageHost &host) : world_(host.world), types_(host.world.types()) {}
  std::string_view name() const override { return "small"; }
  std::vector<std::string_view> file_extensions() const override { return {".small"}; }

  Result<void> load_library(World &world, std::span<const OverlayFiles>) override {
    module_ = world.module(types_.symbol("Small"), nullptr);
    const auto &t = types_.builtins();
    TypeDefinition fraction;
    fraction.module = module_;
    fraction.name = types_.symbol("Fraction");
    fraction.fields = {{types_.symbol("over"), t.Int64}, {types_.symbol("under"), t.Int64}};
    KILN_TRY(fraction_, define_type(world, fraction));
    for (TypeRef type : {t.Int32, t.Float32}) { // no other type has a method
      MethodDefinition store;
      store.module = module_;
      store.name = types_.symbol("store");
      KILN_TRY(TypeRef array, array_type(world, t.Float32, 1, true));
      store.parameters = {{types_.symbol("y"), array}, {types_.symbol("x"), type}};
      store.body = [this, type](BodyBuilder &body) -> Result<Operand> {
        const auto &t = types_.builtins();
        Operand x = body.argument(1);
        if (type == t.Int32) x = body.intrinsic(Intrinsic::sitofp, {body.type(t.Float32), x});
        KILN_TRY(Value align, val(world_, types_.int64(0)));
        Operand pointer = body.field(body.argument(0), types_.symbol("ptr"));
        body.intrinsic(Intrinsic::pointer_store, {pointer, x, body.int64(0), body.constant(align)});
        return Operand();
      };
      KILN_CHECK(define_function(world, std::move(store)));
    }
    return {};
  }
  Result<LoadReport> load(World &, Module &, std::shared_ptr<const SourceFile>) override {
    return LoadReport{};
  }
  Result<LoadReport> load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) override {
    return LoadReport{};
  }
  Result<Value> evaluate(World &world, Module &, std::string_view, std::string_view text) override {
    return find_value(world, "Small." + std::string(text));
  }
  Result<ResolvedCall> resolve_call(World &, Module &, std::string_view, std::string_view,
                                    std::span<const Capture>) override {
    return input_error("calls have no text in this language");
  }
  Result<ResolvedCall> resolve_launch(World &world, Module &in, std::string_view function,
                                      std::span<const std::string_view> types) override {
    asked++;
    KILN_TRY(Value callee, evaluate(world, in, {}, function));
    std::vector<TypeRef> arguments;
    for (std::string_view text : types) {
      const auto &t = types_.builtins();
      KILN_TRY(TypeRef reals, array_type(world, t.Float32, 1));
      TypeRef type = text == "int"      ? t.Int32
                     : text == "real"   ? t.Float32
                     : text == "real[]" ? reals
                                        : nullptr;
      if (!type) return input_error("there is no type " + std::string(text) + " in this language");
      arguments.push_back(type);
    }
    return call_of(world, callee, arguments);
  }
  Result<Value> argument_value(World &, const Value &value) override {
    const auto &t = types_.builtins();
    if (value.type() == t.Int64) {
      const auto number = int64_t(value.low_bits());
      if (number != int32_t(number)) return input_error("an int has 32 bits");
      return types_.int32(int32_t(number));
    }
    if (value.type() == fraction_) {
      const std::vector<Value> &parts = *value.fields();
      return types_.float32(float(int64_t(parts[0].low_bits())) / float(int64_t(parts[1].low_bits())));
    }
    return value;
  }
  Value fraction(int64_t over, int64_t under) {
    return Value::structure(fraction_, {types_.int64(over), types_.int64(under)});
  }
  int asked = 0;

private:
  World &world_;
  TypeContext &types_;
  Module *module_ = nullptr;
  TypeRef fraction_ = nullptr;
};

struct Opened {
  Small *language = nullptr;
  World *world = nullptr;
  std::unique_ptr<Session> session;
  std::vector<float> y{0, 0};

  Opened() {
    SessionOptions options;
    options.cache_dir = "";
    options.verbosity = LogLevel::Error;
    options.languages = {[&](const LanguageHost &host) {
      world = &host.world;
      auto made = std::make_unique<Small>(host);
      language = made.get();
      return made;
    }};
    options.language = "small";
    session = must(Session::open(options));
  }
  /// An argument in bytes, with the language's own name of its type.
  template <class T> static Argument named(std::string type, const T &value) {
    Argument argument{std::move(type), std::vector<std::byte>(sizeof value)};
    std::memcpy(argument.bytes.data(), &value, sizeof value);
    return argument;
  }
  Argument reals() {
    Argument argument = Argument::array(y.data(), {int64_t(y.size())});
    argument.type = "real[]";
    return argument;
  }
  Value host_array() {
    auto made = std::make_shared<HostArray>();
    made->element = world->types().builtins().Float32;
    made->dims = {2};
    made->bytes.resize(2 * sizeof(float));
    TypeRef params[] = {made->element, world->types().constant(int64_t(1))};
    return Value::array(must(world->types().apply(world->types().builtins().Array, params)), made);
  }
};

float first(const Value &array) {
  float value = 0;
  std::memcpy(&value, array.as_array()->bytes.data(), sizeof value);
  return value;
}

} // namespace

TEST_CASE("arguments in bytes have the types that the language gives their names, asked once for each list") {
  Opened o;
  for (int i = 1; i <= 3; i++) {
    must(o.session->launch("store", {}, {o.reals(), Opened::named("int", int32_t(40 + i))}));
    CHECK(o.y[0] == float(40 + i));
  }
  CHECK(o.language->asked == 1);
  must(o.session->launch("store", {}, {o.reals(), Opened::named("real", 1.5f)}));
  CHECK(o.y[0] == 1.5f);
  CHECK(o.language->asked == 2);
}

TEST_CASE("a type that the language does not have, and bytes that are not of the type") {
  Opened o;
  auto unknown = o.session->launch("store", {}, {o.reals(), Opened::named("long", int64_t(1))});
  REQUIRE(!unknown.ok());
  CHECK(unknown.error().kind() == ErrorKind::Input);
  CHECK_THAT(unknown.error().what(), Contains("there is no type long in this language"));
  auto wide = o.session->launch("store", {}, {o.reals(), Opened::named("int", int64_t(1))});
  REQUIRE(!wide.ok());
  CHECK(wide.error().kind() == ErrorKind::Usage);
  CHECK_THAT(wide.error().what(), Contains("8") && Contains("4"));
}

TEST_CASE("values are passed as what the language makes of them, in calls and in launches") {
  Opened o;
  const Value store = must(evaluate(*o.session, "repl", "store")), y = o.host_array();
  TypeContext &types = o.world->types();
  const ResolvedCall call = must(call_of(*o.session, store, std::vector<Value>{y, types.int64(7)}));
  CHECK(to_string(call.arguments[0]) == "CuDeviceArray{Float32, 1, 1}");
  CHECK(to_string(call.arguments[1]) == "Int32");
  must(launch(*o.session, o.session->cpu(), store, {}, std::vector<Value>{y, types.int64(7)}));
  CHECK(first(y) == 7.0f);
  must(launch(*o.session, o.session->cpu(), store, {}, std::vector<Value>{y, o.language->fraction(3, 4)}));
  CHECK(first(y) == 0.75f);
  auto wide =
      launch(*o.session, o.session->cpu(), store, {}, std::vector<Value>{y, types.int64(int64_t(1) << 40)});
  REQUIRE(!wide.ok());
  CHECK_THAT(wide.error().what(), Contains("an int has 32 bits"));
  auto none = launch(*o.session, o.session->cpu(), store, {}, std::vector<Value>{y, types.float64(1)});
  REQUIRE(!none.ok());
  CHECK_THAT(none.error().what(), Contains("MethodError"));
}
