// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_types.h: what types are made of, relations of types, names of modules.
#include "open_language.h"

#include <kiln/c_types.h>

namespace types_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

struct Types : Open {
  kiln_value *value(const char *text) {
    kiln_value *value = nullptr;
    ok(kiln_evaluate(session, "test", text, &value, &error), error);
    return value;
  }
  int is_subtype(const char *a, const char *b) {
    int is = -1;
    ok(kiln_type_is_subtype(value(a), value(b), &is, &error), error);
    return is;
  }
  kiln_type_info info(const char *text) {
    kiln_type_info info = {};
    info.struct_size = sizeof info;
    ok(kiln_type_read(value(text), &info, &error), error);
    return info;
  }
};

} // namespace

TEST_CASE("subtypes and intersections are Julia's") {
  Types open;
  CHECK(open.is_subtype("Int64", "Number") == 1);
  CHECK(open.is_subtype("Number", "Int64") == 0);
  CHECK(open.is_subtype("Array{Int64, 1}", "Array{Number, 1}") == 0); // invariant
  CHECK(open.is_subtype("Tuple{Int64}", "Tuple{Number}") == 1);       // covariant
  CHECK(open.is_subtype("Int64", "Union{Int64, Float32}") == 1);
  kiln_value *both = nullptr;
  ok(kiln_type_intersect(open.value("Union{Int64, Float32}"), open.value("Integer"), &both, &open.error),
     open.error);
  CHECK(both == open.value("Int64")); // equal values have one handle
  ok(kiln_type_intersect(open.value("Int64"), open.value("Float32"), &both, &open.error), open.error);
  CHECK(both == open.value("Union{}"));
  int is = 5;
  CHECK(kiln_type_is_subtype(open.value("1"), open.value("Int64"), &is, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("is no type"));
  CHECK(is == 0);
  Types other;
  CHECK(kiln_type_is_subtype(open.value("Int64"), other.value("Int64"), &is, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("another session"));
}

TEST_CASE("types tell their parameters, fields, size and supertype") {
  Types open;
  ok(open.load("struct Pair3{A}\n  first::A\n  second::Float64\n  third::Int8\nend", &open.error),
     open.error);
  struct Same {
    int32_t first;
    double second;
    int8_t third;
  };
  const kiln_type_info info = open.info("Pair3{Int32}");
  CHECK(info.is_concrete == 1);
  CHECK(info.is_bits == 1);
  CHECK(info.is_abstract == 0);
  CHECK(info.size == sizeof(Same));
  CHECK(info.alignment == alignof(Same));
  CHECK(info.parameter_count == 1);
  REQUIRE(info.field_count == 3);
  const char *names[] = {"first", "second", "third"}, *types[] = {"Int32", "Float64", "Int8"};
  for (size_t i = 0; i < 3; i++) {
    kiln_value *type = nullptr;
    char *name = nullptr;
    ok(kiln_type_field(open.value("Pair3{Int32}"), i, &type, &name, &open.error), open.error);
    CHECK(std::string(name) == names[i]);
    CHECK(type == open.value(types[i]));
    kiln_text_free(name);
  }
  kiln_value *out = nullptr;
  CHECK(kiln_type_field(open.value("Pair3{Int32}"), 3, &out, nullptr, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("3 fields"));
  ok(kiln_type_parameter(open.value("Array{Float32, 2}"), 1, &out, &open.error), open.error);
  CHECK(out == open.value("2"));
  ok(kiln_type_parameter(open.value("Array{Float32, 2}"), 0, &out, &open.error), open.error);
  CHECK(out == open.value("Float32"));
  CHECK(kiln_type_parameter(open.value("Int64"), 0, &out, nullptr) == KILN_USAGE);
  ok(kiln_type_super(open.value("Int64"), &out, &open.error), open.error);
  CHECK(out == open.value("Signed"));
  CHECK(open.info("Number").is_abstract == 1);
  CHECK(open.info("Number").is_concrete == 0);
  CHECK(open.info("Tuple{Int64, Int8}").is_tuple == 1);
  CHECK(open.info("Tuple{Int64, Int8}").field_count == 2);
  CHECK(open.info("Union{Int64, Float32}").field_count == 0);
  CHECK(kiln_type_super(open.value("Union{Int64, Float32}"), &out, nullptr) == KILN_USAGE);
  CHECK(kiln_type_read(open.value("Int64"), nullptr, nullptr) == KILN_USAGE);
  CHECK(kiln_type_super(nullptr, &out, nullptr) == KILN_USAGE);
}

TEST_CASE("modules export, use and import names, and variables are assigned") {
  Types open;
  kiln_value *module = nullptr, *seven = nullptr, *eight = nullptr, *found = nullptr;
  ok(kiln_define_module(open.session, nullptr, "Numbers", &module, &open.error), open.error);
  ok(kiln_value_int64(open.session, 7, &seven, &open.error), open.error);
  ok(kiln_value_int64(open.session, 8, &eight, &open.error), open.error);
  ok(kiln_define_constant(open.session, module, "shown", seven, &open.error), open.error);
  ok(kiln_define_constant(open.session, module, "hidden", eight, &open.error), open.error);
  CHECK(kiln_value_named(open.session, nullptr, "shown", &found, nullptr) == KILN_INPUT);
  ok(kiln_module_export(open.session, module, "shown", &open.error), open.error);
  ok(kiln_module_use(open.session, nullptr, module, &open.error), open.error);
  CHECK(open.value("shown + 1") == eight);
  CHECK(kiln_value_named(open.session, nullptr, "hidden", &found, nullptr) == KILN_INPUT);
  ok(kiln_module_import(open.session, nullptr, module, "hidden", "seen", &open.error), open.error);
  CHECK(open.value("seen") == eight);
  CHECK(kiln_module_import(open.session, nullptr, module, "no_such_name", nullptr, nullptr) == KILN_INPUT);
  CHECK(kiln_module_import(open.session, nullptr, module, nullptr, nullptr, nullptr) == KILN_USAGE);
  ok(kiln_define_variable(open.session, nullptr, "v", seven, &open.error), open.error);
  CHECK(open.value("v") == seven);
  ok(kiln_define_variable(open.session, nullptr, "v", eight, &open.error), open.error);
  CHECK(open.value("v") == eight);
  CHECK(kiln_define_variable(open.session, module, "shown", eight, nullptr) == KILN_INPUT);
  CHECK(kiln_module_use(open.session, nullptr, seven, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("is none"));
}

} // namespace types_test
