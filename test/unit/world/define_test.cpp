// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions in one call each (kiln/extension/language/define.h).
#include "fixture.h"

#include <kiln/extension/language/define.h>
#include <kiln/extension/language/internal/code_print.h>
#include <kiln/extension/language/print.h>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

struct Fixture : WorldFixture {
  Module &main = *world.main();

  MethodDefinition method(const char *name, std::vector<Parameter> parameters,
                          std::vector<const TypeVar *> where = {}) {
    MethodDefinition made;
    made.module = &main;
    made.name = symbol(name);
    made.parameters = std::move(parameters);
    made.where = std::move(where);
    made.body = [](BodyBuilder &body) -> Result<Operand> { return body.argument(0); };
    return made;
  }
  TypeRef type_named(const char *name) { return value(&main, name)->as_type(); }
  template <class T> std::string failure(const Result<T> &result) {
    return result.ok() ? "" : message(result.error());
  }
};

} // namespace

TEST_CASE_METHOD(Fixture,
                 "a function's method is found by its parameters' types, and its code has them as slots") {
  auto definition = method("twice", {{symbol("x"), t.Int64}});
  definition.body = [](BodyBuilder &body) -> Result<Operand> {
    return body.intrinsic(Intrinsic::add_int, {body.argument(0), body.argument(0)});
  };
  const Method *made = take(define_function(world, std::move(definition)));
  TypeRef function = value(&main, "twice")->type();
  CHECK(look({function, t.Int64}).method == made);
  CHECK(look({function, t.Float64}).method == nullptr);
  const CodeInfo *code = take(made->code(types));
  CHECK(code->nargs == 2);
  CHECK(to_string(code->slot_names.size() == 2 ? Value::symbol(types, code->slot_names[1]) : Value()) ==
        ":x");
  CHECK_THAT(to_string(*code), Contains("add_int(x, x)") && Contains("return %1"));
}

TEST_CASE_METHOD(Fixture, "a parameter without a type takes anything; the last may collect the rest") {
  auto definition = method("f", {{symbol("x")}, {symbol("rest"), types.vararg(t.Int64)}});
  const Method *made = take(define_function(world, std::move(definition)));
  TypeRef function = value(&main, "f")->type();
  CHECK(look({function, t.Float32}).method == made);
  CHECK(look({function, t.Float32, t.Int64, t.Int64}).method == made);
  CHECK(look({function, t.Float32, t.Float32}).method == nullptr);
  CHECK(take(made->code(types))->is_vararg);
}

TEST_CASE_METHOD(Fixture,
                 "type variables are static parameters in their order, also where interning renames them") {
  auto define = [&] { // twice: the second signature is interned as the first, with the first's variables
    const TypeVar *a = var("A"), *b = var("B", t.Real);
    auto definition = method("g", {{symbol("x"), b}, {symbol("y"), a}}, {a, b});
    definition.body = [](BodyBuilder &) -> Result<Operand> { return Operand::static_param(1); };
    return take(define_function(world, std::move(definition)));
  };
  const Method *first = define(), *second = define();
  TypeRef function = value(&main, "g")->type();
  MethodMatch match = look({function, t.Int64, t.String});
  CHECK(match.method == second);
  REQUIRE(match.static_params.size() == 2);
  CHECK(match.static_params[0] == t.String);
  CHECK(match.static_params[1] == t.Int64);
  CHECK(first->end != EndOfTime);
  CHECK_THAT(to_string(*take(second->code(types))), Contains("B"));
}

TEST_CASE_METHOD(Fixture, "wrong definitions are errors with their place") {
  const auto file = sources.add("f.lang", "define f");
  auto unused = method("f", {{symbol("x"), t.Int64}}, {var("T")});
  unused.at = {file->id(), 7, 8};
  auto result = define_function(world, std::move(unused));
  CHECK_THAT(failure(result), Contains("f declares a type variable T"));
  CHECK(result.error().diagnostics()[0].at.column() == 8);
  CHECK_THAT(failure(define_function(world, method("f", {{symbol("x"), var("T")}}))),
             Contains("that `where` does not list"));
  ok(world.set_constant(main, symbol("k"), int64(1), {}));
  CHECK(!define_function(world, method("k", {})).ok());
  MethodDefinition empty;
  CHECK(define_method(world, empty).error().kind() == ErrorKind::Usage);
  CHECK(define_function(world, empty).error().kind() == ErrorKind::Usage);
}

TEST_CASE_METHOD(Fixture, "what a definition lacks is a Usage error that names it, and nothing is defined") {
  auto refused = [&](auto result, const char *what) {
    REQUIRE(!result.ok());
    CHECK(result.error().kind() == ErrorKind::Usage);
    CHECK_THAT(message(result.error()), Contains(what));
  };
  auto bodiless = method("f", {{symbol("x")}});
  bodiless.body = {};
  refused(define_function(world, bodiless), "f has no body");
  CHECK(!world.is_defined(main, symbol("f")));
  bodiless.callee = t.Int64;
  refused(define_method(world, bodiless), "f has no body");
  refused(define_closure(world, {}, bodiless), "f has no body");
  refused(define_method(world, method("g", {})), "g has no callee");
  auto nowhere = method("h", {});
  nowhere.module = nullptr;
  refused(define_function(world, nowhere), "h has no module");
  refused(define_function(world, method("", {})), "without a name");
  refused(define_function(world, method("k", {}, {nullptr})), "a type variable of k is null");
  refused(define_type(world, {.name = symbol("P")}), "P has no module");
  refused(define_type(world, {.module = &main}), "without a name");
  refused(define_type(world, {.module = &main, .name = symbol("P"), .params = {nullptr}}),
          "a parameter of P is null");
  refused(array_type(world, nullptr, 1), "is null");
}

TEST_CASE_METHOD(Fixture, "a null type in a body is told when the body is asked for, at its place") {
  auto file = world.sources().add("f.toy", "a body of a language");
  auto refused = [&](const char *name, BuildBody body, const char *what) {
    auto definition = method(name, {{symbol("x")}});
    definition.body = [&, body](BodyBuilder &builder) {
      builder.set_span({file->id(), 2, 6});
      return body(builder);
    };
    auto code = take(define_function(world, std::move(definition)))->code(types);
    REQUIRE(!code.ok());
    CHECK(code.error().kind() == ErrorKind::Usage);
    CHECK_THAT(message(code.error()), Contains(what));
    const Location &at = code.error().diagnostics()[0].at;
    CHECK((at.file == file && at.begin == 2 && at.end == 6));
  };
  refused(
      "value", [](BodyBuilder &body) -> Result<Operand> { return body.type(nullptr); },
      "a type that is null as a value");
  refused(
      "result",
      [](BodyBuilder &body) -> Result<Operand> {
        body.declare_result(nullptr);
        return body.argument(0);
      },
      "declares a type that is null");
  refused(
      "statement",
      [](BodyBuilder &body) -> Result<Operand> { return body.declare(body.copy(body.argument(0)), nullptr); },
      "declares a type that is null");
  refused(
      "call",
      [](BodyBuilder &body) -> Result<Operand> {
        return body.declare_method(body.intrinsic(Intrinsic::not_int, {body.argument(0)}), nullptr);
      },
      "declares a method whose signature is null");
}

TEST_CASE_METHOD(Fixture,
                 "a body's error is that of whoever needs the code; what follows a return is not reached") {
  auto definition = method("f", {{symbol("x")}});
  definition.body = [](BodyBuilder &) -> Result<Operand> { return input_error("not today"); };
  CHECK(failure(take(define_function(world, std::move(definition)))->code(types)) == "not today");
  auto nothing = method("g", {});
  nothing.body = [](BodyBuilder &) -> Result<Operand> { return Operand(); };
  CHECK_THAT(to_string(*take(take(define_function(world, std::move(nothing)))->code(types))),
             Contains("return nothing"));
  auto early = method("h", {{symbol("x")}});
  early.body = [](BodyBuilder &body) -> Result<Operand> {
    body.return_(body.argument(0));
    return body.int64(3);
  };
  const CodeInfo *code = take(take(define_function(world, std::move(early)))->code(types));
  CHECK(code->stmts.size() == 1);
}

TEST_CASE_METHOD(Fixture, "a definition for an overlay is found by that overlay's jobs alone") {
  const Method *common = take(define_function(world, method("f", {{symbol("x")}})));
  auto definition = method("f", {{symbol("x")}});
  definition.overlay = symbol("gpu");
  const Method *overlaid = take(define_function(world, std::move(definition)));
  TypeRef function = value(&main, "f")->type();
  CHECK(look({function, t.Int64}).method == common);
  CHECK(look({function, t.Int64}, "gpu").method == overlaid);
}

TEST_CASE_METHOD(Fixture,
                 "a struct is bound with its constructor; the same definition again is the same type") {
  TypeDefinition definition{&main, symbol("P")};
  definition.fields = {{symbol("x"), t.Int64}, {symbol("y"), t.Float32}};
  TypeRef made = take(define_type(world, definition));
  CHECK(type_named("P") == made);
  CHECK(types.is_isbits(made));
  MethodMatch match = look({type_of(made), t.Int64, t.Float32});
  REQUIRE(match.method);
  CHECK_THAT(to_string(*take(match.method->code(types))), Contains("%new"));
  CHECK(look({type_of(made), t.Int64, t.Int64}).method == nullptr);
  const WorldAge before = world.age();
  CHECK(take(define_type(world, definition)) == made);
  CHECK(world.age() == before);
  definition.fields[1].type = t.Float64;
  TypeRef other = take(define_type(world, definition));
  CHECK(other != made);
  CHECK(type_named("P") == other);
  CHECK(value(&main, "P", before)->as_type() == made);
}

TEST_CASE_METHOD(Fixture, "a parametric struct's constructor takes the parameters from the fields") {
  const TypeVar *a = var("A"), *b = var("B", t.Real);
  TypeDefinition definition{&main, symbol("Pair")};
  definition.params = {a, b};
  definition.fields = {{symbol("first"), b}, {symbol("second"), a}};
  TypeRef made = take(define_type(world, definition));
  CHECK(to_string(made) == "Pair");
  MethodMatch match = look({type_of(made), t.Int64, t.String});
  REQUIRE(match.method);
  REQUIRE(match.static_params.size() == 2);
  CHECK(match.static_params[0] == t.String);
  CHECK(match.static_params[1] == t.Int64);
  CHECK(look({type_of(made), t.String, t.Int64}).method == nullptr); // B <: Real
  // No field tells N: the language has to define constructors.
  TypeDefinition sized{&main, symbol("Sized")};
  sized.params = {var("N")};
  sized.fields = {{symbol("x"), t.Int64}};
  CHECK(look({type_of(take(define_type(world, sized))), t.Int64}).method == nullptr);
}

TEST_CASE_METHOD(Fixture,
                 "abstract types have subtypes; other types have none; fields have names of their own") {
  TypeRef shape = take(define_type(world, {.module = &main, .name = symbol("Shape"), .is_abstract = true}));
  TypeDefinition circle{&main, symbol("Circle")};
  circle.super = shape;
  TypeRef made = take(define_type(world, circle));
  CHECK(types.super(made->as<DataType>()) == shape);
  CHECK(look({type_of(made)}).method != nullptr); // Circle()
  circle.super = made;
  CHECK_THAT(failure(define_type(world, circle)), Contains("cannot be a subtype of Circle"));
  TypeDefinition twice{&main, symbol("Twice")};
  twice.fields = {{symbol("x")}, {symbol("x")}};
  CHECK_THAT(failure(define_type(world, twice)), Contains("two fields named x"));
}

TEST_CASE_METHOD(Fixture, "a closure is a struct of what it captures, called by its method") {
  auto definition = method("adder#1", {{symbol("x"), t.Int64}});
  definition.body = [](BodyBuilder &body) -> Result<Operand> {
    Operand held = body.field(body.self(), body.types().symbol("n"));
    return body.intrinsic(Intrinsic::add_int, {held, body.argument(0)});
  };
  const WorldAge before = world.age();
  const Symbol captures[] = {symbol("n")};
  TypeRef wrapper = take(define_closure(world, captures, std::move(definition)));
  CHECK(world.age() == before); // nobody can have missed it
  TypeRef closure = take(types.apply(wrapper, std::vector<TypeRef>{t.Int64}));
  CHECK(types.super(closure->as<DataType>()) == t.Function);
  MethodMatch match = look({closure, t.Int64}, "", before);
  REQUIRE(match.method);
  CHECK_THAT(to_string(*take(match.method->code(types))), Contains("getfield") && Contains("add_int"));
}

TEST_CASE_METHOD(Fixture, "what stands in modules is found by its path") {
  Module *outer = world.module(symbol("Outer"), nullptr);
  Module *inner = world.module(symbol("Inner"), outer);
  ok(world.set_constant(*outer, symbol("Inner"), Value::module(types, inner), {}));
  ok(world.set_constant(*inner, symbol("k"), int64(7), {}));
  CHECK(take(find_value(world, "Outer.Inner.k")) == int64(7));
  CHECK(failure(find_value(world, "Outer.Inner.kk")) == "`kk` is not defined in module Outer.Inner");
  CHECK(failure(find_value(world, "Other.k")) == "there is no module Other");
  CHECK(failure(find_value(world, "Outer.None.k")) == "there is no module Outer.None");
  for (const char *path : {"", "k", ".k", "Outer."})
    CHECK_THAT(failure(find_value(world, path)), Contains("is no path from a root module"));
}
