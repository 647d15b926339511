// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and values print as Julia's show prints them.
#include "fixture.h"

#include <kiln/extension/language/fingerprint.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace kiln_test;

TEST_CASE("types that print as they are written") {
  Fixture x;
  for (const char *text : {"Int64",
                           "Any",
                           "Union{}",
                           "Tuple{}",
                           "Tuple",
                           "Tuple{Int64, Float32}",
                           "Tuple{Vararg{Int64}}",
                           "Tuple{Int64, Vararg{Any}}",
                           "Tuple{Vararg{T, N}} where {N, T}",
                           "Array",
                           "Array{Int64, 1}",
                           "Array{Int64}",
                           "Array{T, 1} where T",
                           "Array{T, 1} where T<:Real",
                           "Box{T} where Int64<:T<:Real",
                           "Tuple{T, Array{S, N}} where {T<:Real, S, N}",
                           "Tuple{T, S} where {T, S<:T}",
                           "Val{:x}",
                           "Val{-3}",
                           "Val{true}",
                           "typeof(f)",
                           "Type",
                           "Type{Int64}",
                           "Type{T} where T<:Real",
                           "LLVMPtr{Float32, 1}",
                           "Box{Box}",
                           "Box{Box{T}} where T",
                           "NTuple{4, Int64}",
                           "Tuple{Float64, Vararg{Int64, 4}}",
                           "Tuple{Int64, Int64, Int64}",
                           "Box{<:Real}",
                           "Array{<:Real, 2}",
                           "Type{Array}",
                           "Tuple{Union{T, Nothing}} where T"}) {
    INFO(text);
    std::string printed = to_string(x.t(text));
    if (std::string_view(text) == "Array{Int64}")
      CHECK(printed == "Array{Int64, N} where N");
    else if (std::string_view(text) == "Tuple{Union{T, Nothing}} where T")
      CHECK((printed == text || printed == "Tuple{Union{Nothing, T}} where T"));
    else
      CHECK(printed == text);
  }
}

TEST_CASE("unions print nothing first, as Julia does") {
  Fixture x;
  CHECK(to_string(x.t("Union{Int64, Nothing}")) == "Union{Nothing, Int64}");
  CHECK(to_string(x.t("Union{Int64, Int64}")) == "Int64");
}

TEST_CASE("named tuple types print as @NamedTuple") {
  Fixture x;
  Symbol names[] = {x.types.symbol("x"), x.types.symbol("y")};
  TypeRef elements[] = {x.t("Int32"), x.t("Int32")};
  TypeRef type = x.types.named_tuple(names, elements);
  CHECK(to_string(type) == "@NamedTuple{x::Int32, y::Int32}");
  Value one = x.types.int32(1), two = x.types.int32(2);
  CHECK(to_string(Value::structure(type, {one, two})) == "(x = 1, y = 2)");
  CHECK(to_string(x.types.named_tuple({}, {})) == "@NamedTuple{}");
}

TEST_CASE("names of other modules are qualified") {
  Fixture x;
  CHECK(to_string(x.structure("S", {}, "Main.Inner")) == "Main.Inner.S");
  CHECK(to_string(x.structure("B", {}, "Base")) == "B");
  CHECK(to_string(x.types.new_function_type(x.types.symbol("h"), "Main.Inner")) == "typeof(Main.Inner.h)");
  CHECK(to_string(x.types.new_function_type(x.types.symbol("+"), "Base")) == "typeof(+)");
}

TEST_CASE("numbers print as literals") {
  Fixture x;
  auto &types = x.types;
  const auto &b = types.builtins();
  CHECK(to_string(types.int64(-7)) == "-7");
  CHECK(to_string(types.int32(-1)) == "-1");
  CHECK(to_string(types.int64(std::numeric_limits<int64_t>::min())) == "-9223372036854775808");
  CHECK(to_string(Value::primitive(b.Int128, {0, 0x8000000000000000})) ==
        "-170141183460469231731687303715884105728");
  CHECK(to_string(Value::primitive(b.UInt8, {1, 0})) == "0x01");
  CHECK(to_string(Value::primitive(b.UInt32, {0xabc, 0})) == "0x00000abc");
  CHECK(to_string(Value::primitive(b.UInt128, {5, 1})) == "0x00000000000000010000000000000005");
  CHECK(to_string(types.boolean(true)) == "true");
  const std::pair<double, const char *> doubles[] = {
      {2.0, "2.0"},           {0.1, "0.1"},
      {-0.0, "-0.0"},         {0.0, "0.0"},
      {1e6, "1.0e6"},         {123456.0, "123456.0"},
      {999999.5, "999999.5"}, {1e5, "100000.0"},
      {1e-4, "0.0001"},       {1e-5, "1.0e-5"},
      {1.5e300, "1.5e300"},   {1234567.0, "1.234567e6"},
      {INFINITY, "Inf"},      {-INFINITY, "-Inf"},
      {NAN, "NaN"},           {3.141592653589793, "3.141592653589793"},
      {5e-324, "5.0e-324"}};
  for (auto [value, text] : doubles) CHECK(to_string(types.float64(value)) == text);
  const std::pair<float, const char *> floats[] = {{2.0f, "2.0f0"},
                                                   {1e-6f, "1.0f-6"},
                                                   {0.1f, "0.1f0"},
                                                   {1e6f, "1.0f6"},
                                                   {INFINITY, "Inf32"},
                                                   {NAN, "NaN32"},
                                                   {3.4028235e38f, "3.4028235f38"}};
  for (auto [value, text] : floats) CHECK(to_string(types.float32(value)) == text);
  const std::pair<uint16_t, const char *> halves[] = {
      {0x3e00, "Float16(1.5)"},    {0x2e66, "Float16(0.1)"},   {0x7bff, "Float16(6.55e4)"},
      {0x0001, "Float16(6.0e-8)"}, {0x7c00, "Inf16"},          {0xc000, "Float16(-2.0)"},
      {0x0000, "Float16(0.0)"},    {0x3555, "Float16(0.3333)"}};
  for (auto [bits, text] : halves) CHECK(to_string(Value::primitive(b.Float16, {bits, 0})) == text);
}

TEST_CASE("other values") {
  Fixture x;
  auto &types = x.types;
  auto sym = [&](const char *s) { return to_string(Value::symbol(types, types.symbol(s))); };
  auto str = [&](const char *s) { return to_string(Value::string(types, s)); };
  auto chr = [&](uint32_t c) { return to_string(Value::primitive(types.builtins().Char, {c, 0})); };
  CHECK(sym("sym") == ":sym");
  CHECK(sym("+") == ":+");
  CHECK(sym("a b") == "Symbol(\"a b\")");
  CHECK(sym("==") == ":(==)");
  CHECK(str("str") == "\"str\"");
  CHECK(str("a\"$\n\\") == "\"a\\\"\\$\\n\\\\\"");
  CHECK(chr(0x63000000) == "'c'");
  CHECK(chr(0xc3a90000) == "'é'");
  CHECK(chr(0) == "'\\0'");
  CHECK(to_string(types.nothing()) == "nothing");
  Value one = types.int64(1), two = types.float32(2);
  CHECK(to_string(Value::structure(x.t("Tuple{Int64, Float32}"), {one, two})) == "(1, 2.0f0)");
  CHECK(to_string(Value::structure(x.t("Tuple{Int64}"), {one})) == "(1,)");
  CHECK(to_string(Value::singleton(x.t("Tuple{}"))) == "()");
  CHECK(to_string(Value::structure(x.t("Point{Int64}"), {one, one})) == "Point{Int64}(1, 1)");
  CHECK(to_string(Value::singleton(x.t("Val{3}"))) == "Val{3}()");
  CHECK(to_string(Value::singleton(x.t("typeof(f)"))) == "f");
  CHECK(to_string(Value::type_value(types, x.t("Array{Int64, 1}"))) == "Array{Int64, 1}");
}

TEST_CASE("tuples that are too long to be written out stay different") {
  Fixture x;
  auto &types = x.types;
  const auto &b = types.builtins();
  auto tuple_of = [&](TypeRef element, int64_t count) {
    TypeRef rest[] = {types.vararg(element, types.constant(count))};
    return types.tuple(rest);
  };
  auto digest = [&](TypeRef type) {
    Fingerprinter into;
    types.digest(into, type);
    return into.finish();
  };
  const TypeRef a = tuple_of(b.Int64, 100'000), c = tuple_of(b.Int64, 100'001),
                d = tuple_of(b.Float64, 100'000);
  CHECK(a == tuple_of(b.Int64, 100'000));
  for (TypeRef other : {c, d, tuple_of(b.Int64, 65'536)}) {
    CHECK(a != other);
    CHECK_FALSE(is_subtype(types, a, other));
    CHECK_FALSE(is_subtype(types, other, a));
    CHECK(to_string(a) != to_string(other));
    CHECK(digest(a) != digest(other));
  }
  CHECK(to_string(a) == "NTuple{100000, Int64}");
  CHECK(a->size() > 20'000); // so that it is refused as a value's type
  // Written out, two tuples that differ in their last element alone.
  std::vector<TypeRef> long_one(19'000, b.Int64), other = long_one;
  other.back() = b.Float64;
  CHECK(types.tuple(long_one) != types.tuple(other));
  CHECK(to_string(types.tuple(long_one)) != to_string(types.tuple(other)));
  CHECK(digest(types.tuple(long_one)) != digest(types.tuple(other)));
}

TEST_CASE("a type's digest follows its definition until the definition is complete") {
  TypeContext types;
  auto digest = [&](TypeRef type) {
    Fingerprinter into;
    types.digest(into, type);
    return into.finish();
  };
  TypeName *name = types.new_type_name(types.symbol("S"), "Main");
  TypeRef made = types.finish_type_name(*name);
  TypeRef pair[] = {made, types.builtins().Int32};
  TypeRef both = types.tuple(pair);
  name->fields_defined = false;
  const Fingerprint forward = digest(made), forward_both = digest(both);
  CHECK(digest(made) == forward);
  name->field_names = {types.symbol("x")};
  name->field_types = {types.builtins().Int32};
  name->fields_defined = true;
  const Fingerprint complete = digest(made), complete_both = digest(both);
  CHECK(complete != forward);
  CHECK(complete_both != forward_both);
  CHECK(digest(made) == complete); // from the cache
  CHECK(digest(both) == complete_both);
}

TEST_CASE("a type's digest does not depend on what was digested before it") {
  Fixture x, y;
  auto digest = [](Fixture &f, const char *type) {
    Fingerprinter into;
    f.types.digest(into, f.t(type));
    return into.finish();
  };
  const Fingerprint point = digest(x, "Point{Float32}"), tuple = digest(x, "Tuple{Point{Float32}, Int64}");
  CHECK(digest(y, "Tuple{Point{Float32}, Int64}") == tuple);
  CHECK(digest(y, "Point{Float32}") == point);
  CHECK(point != tuple);
}

TEST_CASE("calls print as in a method error") {
  Fixture x;
  auto call = [&](std::vector<TypeRef> list) { return call_to_string(list); };
  CHECK(call({x.t("typeof(f)"), x.t("Int64"), x.t("Type{Float32}")}) == "f(::Int64, ::Type{Float32})");
  CHECK(call({x.t("typeof(f)")}) == "f()");
  CHECK(call({x.t("Type{Point{Int64}}"), x.t("Int64")}) == "Point{Int64}(::Int64)");
  CHECK(call({x.t("Type{Array}"), x.t("Int64")}) == "Array(::Int64)");
  CHECK(call({x.t("Point{Int64}"), x.t("Int64")}) == "(::Point{Int64})(::Int64)");
}
