// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_language.h: definitions, bodies, held jobs and plain functions from C, and what is refused.
#include "open_language.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace language_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

TEST_CASE("a method with a loop, built in C, computes what the same loop in C++ does") {
  Open open;
  kiln_code *code = open.code("sum_of_squares");
  kiln_operand n = kiln_code_argument(code, "n"), i = kiln_code_slot(code, "i"),
               sum = kiln_code_slot(code, "sum");
  kiln_code_set_slot(code, i, kiln_code_int64(code, 0));
  kiln_code_set_slot(code, sum, kiln_code_int64(code, 0));
  const uint32_t again = kiln_code_label(code), done = kiln_code_label(code);
  kiln_code_place(code, again);
  kiln_operand less[] = {i, n};
  kiln_code_go_to_if_not(code, kiln_code_intrinsic(code, "slt_int", less, 2), done);
  kiln_operand next[] = {i, kiln_code_int64(code, 1)};
  kiln_code_set_slot(code, i, kiln_code_intrinsic(code, "add_int", next, 2));
  kiln_operand square[] = {i, i};
  kiln_operand more[] = {sum, kiln_code_intrinsic(code, "mul_int", square, 2)};
  kiln_code_set_slot(code, sum, kiln_code_intrinsic(code, "add_int", more, 2));
  kiln_code_go_to(code, again);
  kiln_code_place(code, done);
  kiln_code_return(code, sum);
  const kiln_value *types[] = {open.named("Int64")};
  kiln_method method = {};
  method.function = open.function("sum_of_squares");
  method.argument_types = types;
  method.argument_count = 1;
  method.code = code;
  ok(open.define(method), open.error);
  CHECK(kiln_code_label(code) == 0); // it was used up: the handle is none any more
  int64_t expected = 0;
  for (int64_t k = 1; k <= 100; k++) expected += k * k;
  CHECK(open.call("sum_of_squares(Int64)", 100) == expected);
}

TEST_CASE("types, generic methods and structs from C") {
  Open open;
  kiln_value *number = open.named("Number"), *variable = nullptr, *shape = nullptr, *box = nullptr,
             *i64 = open.named("Int64");
  ok(kiln_type_variable(open.session, "T", nullptr, number, &variable, &open.error), open.error);
  kiln_type abstract = {};
  abstract.struct_size = sizeof abstract;
  abstract.name = "Shape";
  abstract.is_abstract = 1;
  ok(kiln_define_type(open.session, &abstract, &shape, &open.error), open.error);
  const kiln_value *parameters[] = {variable}, *fields[] = {variable, i64};
  const char *names[] = {"value", "count"};
  kiln_type type = {};
  type.struct_size = sizeof type;
  type.name = "Box";
  type.super = shape;
  type.parameters = parameters;
  type.parameter_count = 1;
  type.field_names = names;
  type.field_types = fields;
  type.field_count = 2;
  ok(kiln_define_type(open.session, &type, &box, &open.error), open.error);
  kiln_value *box_of_float = nullptr, *f64 = open.named("Float64");
  const kiln_value *given[] = {f64};
  ok(kiln_type_apply(open.session, box, given, 1, &box_of_float, &open.error), open.error);
  char *text = nullptr;
  ok(kiln_value_text(box_of_float, &text, &open.error), open.error);
  CHECK(std::string(text) == "Box{Float64}");
  kiln_text_free(text);
  const kiln_value *bad[] = {open.named("Shape")};
  CHECK(kiln_type_apply(open.session, box, bad, 1, &box, &open.error) == KILN_INPUT);
  CHECK_THAT(told(open.error), Contains("T"));

  // total(b::Shape) = b.count * 2 in the language; from C: twice(x::T) where T<:Number = x + x
  kiln_code *code = open.code("twice");
  kiln_operand x = kiln_code_argument(code, "x"), both[] = {x, x};
  kiln_value *base = nullptr;
  ok(kiln_module_named(open.session, "Base", &base, &open.error), open.error);
  kiln_code_return(code, kiln_code_call(code, kiln_code_global(code, base, "+"), both, 2));
  kiln_method method = {};
  method.function = open.function("twice");
  method.argument_types = parameters;
  method.argument_count = 1;
  method.variables = parameters;
  method.variable_count = 1;
  method.code = code;
  ok(open.define(method), open.error);
  CHECK(open.call("twice(Int64)", 21) == 42);
  const char program[] = "use(x) = (b = Box(2.5, x); b isa Shape ? Int(twice(b.value)) + b.count : 0)\n";
  ok(kiln_load(open.session, "use.jl", program, sizeof program - 1, &open.error), open.error);
  CHECK(open.call("use(Int64)", 10) == 15);
}

TEST_CASE("a body that is built when it is first needed, and one for each signature") {
  Open open;
  static std::atomic<int> lowered, generated, released;
  lowered = generated = released = 0;
  const kiln_value *types[] = {open.named("Any")};
  kiln_method lazy = {};
  lazy.function = open.function("lazy");
  lazy.argument_types = types;
  lazy.argument_count = 1;
  lazy.lower = [](kiln_code *code, void *user) {
    lowered++;
    kiln_operand both[] = {kiln_code_argument(code, "x"),
                           kiln_code_int64(code, *static_cast<int64_t *>(user))};
    kiln_code_return(code, kiln_code_intrinsic(code, "mul_int", both, 2));
    return 0;
  };
  lazy.release = [](void *) { released++; };
  int64_t factor = 6;
  lazy.user = &factor;
  ok(open.define(lazy), open.error);
  CHECK(lowered == 0);
  CHECK(open.call("lazy(Int64)", 7) == 42);
  CHECK(open.call("lazy(Int64)", 8) == 48);
  CHECK(lowered == 1);
  CHECK(released == 1);

  kiln_method each = {};
  each.function = open.function("size_in_bits");
  each.argument_types = types;
  each.argument_count = 1;
  each.generate = [](kiln_code *code, const kiln_value *const *given, size_t count, void *) {
    generated++;
    kiln_code_argument(code, "x");
    char *text = nullptr;
    if (count != 1 || kiln_value_text(given[0], &text, nullptr)) return 1;
    kiln_code_return(code, kiln_code_int64(code, std::strcmp(text, "Int32") == 0 ? 32 : 64));
    kiln_text_free(text);
    return 0;
  };
  ok(open.define(each), open.error);
  CHECK(open.call("size_in_bits(Int64)", 7) == 64);
  kiln_job *job = nullptr;
  ok(kiln_job_open(open.session, "size_in_bits(Int32)", "{\"kernel\": false}", &job, &open.error),
     open.error);
  kiln_function *function = nullptr;
  ok(kiln_job_prepare_function(job, &function, &open.error), open.error);
  int32_t small = 0;
  int64_t bits = 0;
  const void *arguments[] = {&small};
  ok(kiln_function_call(function, arguments, 1, &bits, &open.error), open.error);
  CHECK(bits == 32);
  CHECK(generated == 2);
  kiln_function_free(function);
  kiln_job_free(job);
}

TEST_CASE("everything wrong about a body comes in one error, with the embedder's places") {
  Open open;
  uint32_t file = 0;
  const char text[] = "one\ntwo\nthree\n";
  ok(kiln_source(open.session, "program.lang", text, sizeof text - 1, &file, &open.error), open.error);
  kiln_code *code = open.code("wrong");
  kiln_code_at(code, file, 0, 3);
  kiln_code_intrinsic(code, "no_such_intrinsic", nullptr, 0);
  kiln_code_at(code, file, 4, 7);
  kiln_code_go_to(code, 77);
  kiln_operand far = {1, 1000}, strange = {99, 0};
  kiln_code_at(code, file, 8, 13);
  kiln_code_call(code, far, &strange, 1);
  kiln_method method = {};
  method.function = open.function("wrong");
  method.code = code;
  CHECK(open.define(method) == KILN_INPUT);
  REQUIRE(kiln_error_count(open.error) >= 4);
  CHECK_THAT(kiln_error_message(open.error, 0), Contains("no_such_intrinsic"));
  std::vector<unsigned> lines;
  for (size_t i = 0; i < kiln_error_count(open.error); i++) {
    CHECK(std::string(kiln_error_file(open.error, i)) == "program.lang");
    lines.push_back(kiln_error_line(open.error, i));
  }
  CHECK(lines == std::vector<unsigned>{1, 2, 3, 3, 3});
  kiln_error_free(open.error);

  kiln_code *short_code = open.code("wrong");
  kiln_code_return(short_code, kiln_code_int64(short_code, 1));
  const kiln_value *types[] = {open.named("Int64")};
  method = {};
  method.function = open.function("wrong");
  method.argument_types = types;
  method.argument_count = 1;
  method.code = short_code;
  CHECK(open.define(method) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("0 arguments") && Contains("signature 1"));
}

TEST_CASE("callbacks that fail or throw are the compile's error") {
  Open open;
  kiln_method method = {};
  method.function = open.function("failing");
  method.lower = [](kiln_code *code, void *) {
    kiln_code_fail(code, "the embedder does not like it");
    return 3;
  };
  ok(open.define(method), open.error);
  kiln_function *function = nullptr;
  CHECK(kiln_prepare_function(open.session, "failing()", nullptr, &function, &open.error) != KILN_OK);
  CHECK_THAT(told(open.error), Contains("the embedder does not like it"));
  method.function = open.function("throwing");
  method.lower = [](kiln_code *, void *) -> int { throw 42; };
  ok(open.define(method), open.error);
  CHECK(kiln_prepare_function(open.session, "throwing()", nullptr, &function, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("threw"));
  method.function = open.function("silent");
  method.lower = [](kiln_code *, void *) { return 9; };
  ok(open.define(method), open.error);
  CHECK(kiln_prepare_function(open.session, "silent()", nullptr, &function, &open.error) != KILN_OK);
  CHECK_THAT(told(open.error), Contains("returned 9"));
}

TEST_CASE("handles of the language that are none, or another session's, are told") {
  Open open, other;
  kiln_value *value = nullptr, *type = other.named("Int64"), *own = open.named("Int64");
  CHECK(open.named("Int64") == own);
  CHECK(own != type);
  CHECK(kiln_value_named(nullptr, nullptr, "x", &value, &open.error) == KILN_USAGE);
  kiln_error_free(open.error);
  CHECK(kiln_value_named(open.session, type, "x", &value, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("another session"));
  CHECK(kiln_value_named(open.session, own, "x", &value, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("Int64 is none"));
  CHECK(kiln_value_named(open.session, nullptr, "nothing_like_it", &value, &open.error) == KILN_INPUT);
  kiln_error_free(open.error);
  const kiln_value *mixed[] = {own, type}, *null_type[] = {nullptr};
  CHECK(kiln_type_tuple(open.session, mixed, 2, &value, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("types[1]"));
  CHECK(kiln_type_tuple(open.session, null_type, 1, &value, &open.error) == KILN_USAGE);
  kiln_error_free(open.error);
  CHECK(kiln_type_tuple(open.session, nullptr, 1, &value, &open.error) == KILN_USAGE);
  kiln_error_free(open.error);
  int32_t four = 4;
  CHECK(kiln_value_of_bytes(open.session, own, &four, sizeof four, &value, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("8 bytes"));
  CHECK(kiln_value_of_bytes(open.session, open.named("Any"), &four, sizeof four, &value, &open.error) ==
        KILN_USAGE);
  kiln_error_free(open.error);

  kiln_code *code = open.code("f"), *foreign = other.code("f");
  kiln_code_return(code, kiln_code_constant(code, type));
  kiln_method method = {};
  method.function = open.function("f");
  method.code = code;
  CHECK(open.define(method) == KILN_INPUT);
  CHECK_THAT(told(open.error), Contains("another session"));
  method.code = foreign;
  CHECK(open.define(method) == KILN_USAGE);
  kiln_error_free(open.error);
  method.code = nullptr;
  CHECK(open.define(method) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("one of code, lower and generate"));
  kiln_code_return(nullptr, {});
  kiln_code_free(nullptr);
  kiln_code_place(reinterpret_cast<kiln_code *>(own), 1);
  CHECK(kiln_code_label(nullptr) == 0);
}

} // namespace language_test
