// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

#include <cmath>
#include <cstring>

using namespace kiln_test;

TEST_CASE("egal compares immutables by content and mutables by identity") {
  Fixture x;
  auto &types = x.types;
  TypeRef point = x.t("Point{Float32}"), box = x.t("Box{Int64}");
  auto make = [&](float a, float b) { return Value::structure(point, {types.float32(a), types.float32(b)}); };
  CHECK(egal(make(1, 2), make(1, 2)));
  CHECK(make(1, 2).hash() == make(1, 2).hash());
  CHECK(!egal(make(1, 2), make(2, 1)));
  CHECK(egal(types.float64(NAN), types.float64(NAN)));
  CHECK(!egal(types.float64(0.0), types.float64(-0.0)));
  CHECK(!egal(types.int64(1), types.int32(1)));
  CHECK(egal(types.nothing(), Value::structure(types.builtins().Nothing, {})));
  CHECK(egal(Value::string(types, "ab"), Value::string(types, "ab")));
  CHECK(!egal(Value::string(types, "ab"), Value::string(types, "b")));
  CHECK(!egal(Value::string(types, "ab"), Value::symbol(types, types.symbol("ab"))));
  CHECK(
      egal(Value::type_value(types, x.t("Box{T} where T")), Value::type_value(types, x.t("Box{S} where S"))));
  Value a = Value::mutable_structure(box, {types.int64(1)}),
        b = Value::mutable_structure(box, {types.int64(1)}), c = a;
  CHECK(!egal(a, b));
  CHECK(egal(a, c));
  CHECK(a.hash() == c.hash());
  CHECK(!egal(Value(), types.nothing()));
  CHECK(egal(Value(), Value()));
}

TEST_CASE("hashes do not depend on the context, hence not on addresses") {
  Fixture x, y;
  for (Fixture *f : {&x, &y}) f->types.symbol(f == &x ? "first" : "second");
  auto values = [](Fixture &f) {
    auto &types = f.types;
    return std::vector<Value>{types.int64(3),
                              types.nothing(),
                              Value::symbol(types, types.symbol("s")),
                              Value::string(types, "text"),
                              Value::type_value(types, f.t("Array{T, 1} where T<:Real")),
                              Value::singleton(f.t("Val{:x}")),
                              Value::structure(f.t("Point{Int64}"), {types.int64(1), types.int64(2)})};
  };
  auto a = values(x), b = values(y);
  for (size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].hash() == b[i].hash());
    for (size_t j = 0; j < i; ++j) CHECK(a[i].hash() != a[j].hash());
  }
}

TEST_CASE("a type value's type is its kind") {
  Fixture x;
  const auto &b = x.types.builtins();
  CHECK(Value::type_value(x.types, x.t("Int64")).type() == b.DataType);
  CHECK(Value::type_value(x.types, x.t("Array")).type() == b.UnionAll);
  CHECK(Value::type_value(x.types, x.t("Union{Int64, Nothing}")).type() == b.Union);
  CHECK(Value::type_value(x.types, x.t("Union{}")).type() == b.TypeofBottom);
}

TEST_CASE("accessors answer only for their own kind of value") {
  Fixture x;
  Value s = Value::symbol(x.types, x.types.symbol("s")), n = x.types.nothing(), i = x.types.int64(1);
  CHECK(s.as_symbol() == x.types.symbol("s"));
  CHECK(!s.as_type());
  CHECK(!s.fields());
  CHECK(!i.fields());
  CHECK(!i.as_string());
  CHECK(i.is_primitive());
  REQUIRE(n.fields());
  CHECK(n.fields()->empty());
  CHECK(!n.as_mutable());
  CHECK(HostArray{.element = nullptr, .dims = {2, 3}, .bytes = {}, .values = {}}.length() == 6);
  CHECK(HostArray{}.length() == 1); // zero-dimensional
}

TEST_CASE("parts of an array's bytes share them until one of them changes its length") {
  auto bytes_of = [](const ArrayBytes &bytes) {
    std::string text;
    for (const std::byte b : std::vector<std::byte>(bytes)) text += char(b);
    return text;
  };
  std::vector<std::byte> letters;
  for (const char c : std::string_view("abcdefgh")) letters.push_back(std::byte(c));
  ArrayBytes whole = letters;
  ArrayBytes part = whole.share(2, 4), inner = part.share(1, 2), none = whole.share(8, 0);
  CHECK(bytes_of(part) == "cdef");
  CHECK(bytes_of(inner) == "de");
  CHECK(none.empty());
  inner.data()[0] = std::byte('D');
  CHECK(bytes_of(whole) == "abcDefgh");
  const ArrayBytes copy = part; // has bytes of its own
  part.data()[3] = std::byte('F');
  CHECK(bytes_of(copy) == "cDef");
  CHECK(bytes_of(whole) == "abcDeFgh");
  inner = whole.share(1, 2); // shares; a copy of equal size goes in place
  CHECK(bytes_of(inner) == "bc");
  part = copy;
  CHECK(bytes_of(whole) == "abcDefgh");
  inner.resize(3);
  inner.data()[0] = std::byte('B');
  CHECK(bytes_of(inner) == std::string("Bc\0", 3));
  CHECK(bytes_of(whole) == "abcDefgh");
  whole.resize(1);
  CHECK(bytes_of(whole) == "a");
  CHECK(bytes_of(part) == "cDef");
  part.erase(part.begin() + 1, part.begin() + 3);
  CHECK(bytes_of(part) == "cf");
}

TEST_CASE("bytes are those of the C struct, and lead back to the value") {
  Fixture x;
  auto &types = x.types;
  struct C {
    int8_t a;
    float b;
    struct {
      int64_t c;
      int16_t d;
    } e;
  };
  TypeRef type = x.t("Tuple{Int8, Float32, Tuple{Int64, Int16}}");
  Value inner = Value::structure(x.t("Tuple{Int64, Int16}"),
                                 {types.int64(-5), Value::primitive(types.builtins().Int16, {0xfffe, 0})});
  Value value = Value::structure(
      type, {Value::primitive(types.builtins().Int8, {0xff, 0}), types.float32(1.5f), inner});
  C expected;
  std::memset(&expected, 0, sizeof expected);
  expected.a = -1;
  expected.b = 1.5f;
  expected.e.c = -5;
  expected.e.d = -2;
  auto bytes = to_bytes(types, value);
  REQUIRE(bytes.ok());
  REQUIRE(bytes->size() == sizeof expected);
  CHECK(std::memcmp(bytes->data(), &expected, sizeof expected) == 0);
  auto back = from_bytes(types, type, bytes->data());
  REQUIRE(back.ok());
  CHECK(egal(*back, value));
}

TEST_CASE("singletons have no bytes and come back") {
  Fixture x;
  TypeRef type = x.t("Tuple{Nothing, Int32, Val{3}}");
  Value value =
      Value::structure(type, {x.types.nothing(), x.types.int32(7), Value::singleton(x.t("Val{3}"))});
  auto bytes = to_bytes(x.types, value);
  REQUIRE(bytes.ok());
  CHECK(bytes->size() == 4);
  auto back = from_bytes(x.types, type, bytes->data());
  REQUIRE(back.ok());
  CHECK(egal(*back, value));
}

TEST_CASE("what is not isbits has no bytes: an error, not a crash") {
  Fixture x;
  CHECK(!to_bytes(x.types, Value()).ok());
  auto bytes = to_bytes(x.types, Value::string(x.types, "s"));
  REQUIRE(!bytes.ok());
  CHECK(bytes.error().kind() == ErrorKind::Internal);
  std::byte none[8] = {};
  CHECK(!from_bytes(x.types, x.t("Array{Int64, 1}"), none).ok());
  CHECK(!from_bytes(x.types, x.t("Union{Int64, Nothing}"), none).ok());
}
