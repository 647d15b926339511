// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls on values, closures, and statements with flags, from C.
#include "open_language.h"

#include <cstring>

namespace calls_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

kiln_value *evaluated(Open &open, const char *text) {
  kiln_value *value = nullptr;
  ok(kiln_evaluate(open.session, "test", text, &value, &open.error), open.error);
  return value;
}

std::string text_of(const kiln_value *value) {
  char *text = nullptr;
  REQUIRE(kiln_value_text(value, &text, nullptr) == KILN_OK);
  const std::string copy = text;
  kiln_text_free(text);
  return copy;
}

kiln_shape threads(unsigned count) {
  kiln_shape shape = {};
  shape.struct_size = sizeof shape;
  shape.threads[0] = count;
  return shape;
}

/// times(x) of a captured factor, and its type.
kiln_value *define_times(Open &open, const char *name) {
  kiln_code *code = open.code(name);
  kiln_value *factor = nullptr, *type = nullptr;
  ok(kiln_value_symbol(open.session, "factor", &factor, &open.error), open.error);
  const kiln_operand x = kiln_code_argument(code, "x");
  const kiln_operand field[] = {kiln_code_self(code), kiln_code_constant(code, factor)};
  const kiln_operand product[] = {x, kiln_code_intrinsic(code, "getfield", field, 2)};
  kiln_code_return(code, kiln_code_intrinsic(code, "mul_int", product, 2));
  const kiln_value *types[] = {open.named("Int64")};
  kiln_method method = {};
  method.struct_size = sizeof method;
  method.argument_types = types;
  method.argument_count = 1;
  method.code = code;
  const char *captures[] = {"factor"};
  ok(kiln_define_closure(open.session, name, captures, 1, &method, &type, &open.error), open.error);
  return type;
}

} // namespace

TEST_CASE("a closure is an argument of a launch, and a host array is changed in place") {
  Open open;
  ok(open.load("using CUDA\nfunction apply!(f, y)\n  i = threadIdx().x\n  if i <= length(y)\n"
               "    @inbounds y[i] = f(y[i])\n  end\n  return\nend\nat(y, i) = y[i]\n",
               &open.error),
     open.error);
  kiln_device *cpu = nullptr;
  ok(kiln_device_open(open.session, "cpu", &cpu, &open.error), open.error);
  kiln_value *array = evaluated(open, "Float32[1, 2, 3, 4]");
  const kiln_value *arguments[] = {evaluated(open, "let a = 3f0; x -> a * x + 1f0; end"), array};
  const kiln_shape shape = threads(4);
  ok(kiln_launch_values(open.session, cpu, open.named("apply!"), &shape, arguments, 2, nullptr, &open.error),
     open.error);
  for (int64_t i = 1; i <= 4; i++) {
    kiln_value *index = nullptr, *element = nullptr;
    ok(kiln_value_int64(open.session, i, &index, &open.error), open.error);
    const kiln_value *at[] = {array, index};
    ok(kiln_call_values(open.session, open.named("at"), at, 2, nullptr, &element, &open.error), open.error);
    CHECK(text_of(element) == std::to_string(3 * i + 1) + ".0f0");
  }
  kiln_job *job = nullptr;
  ok(kiln_job_of_values(open.session, open.named("apply!"), arguments, 2, nullptr, &job, &open.error),
     open.error);
  CHECK_THAT(kiln_job_call(job), Contains("CuDeviceArray{Float32, 1, 1}") || Contains("CuDeviceVector"));
  kiln_job_free(job);
  CHECK(kiln_launch_values(open.session, cpu, open.named("apply!"), nullptr, arguments, 2, nullptr,
                           &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("`shape` is a null pointer"));
  CHECK(kiln_launch_values(open.session, cpu, open.named("apply!"), &shape, nullptr, 2, nullptr,
                           &open.error) == KILN_USAGE);
  kiln_error_free(open.error);
  kiln_device_free(cpu);
}

TEST_CASE("a plain function is called on values") {
  Open open;
  ok(open.load("total(t, y) = t[1] * sum(y) + t[2]", &open.error), open.error);
  const kiln_value *arguments[] = {evaluated(open, "(2, 5)"), evaluated(open, "[1, 2, 3]")};
  kiln_value *result = nullptr;
  ok(kiln_call_values(open.session, open.named("total"), arguments, 2, nullptr, &result, &open.error),
     open.error);
  CHECK(text_of(result) == "17"); // 2 (1 + 2 + 3) + 5
  const kiln_value *wrong[] = {nullptr, arguments[1]};
  CHECK(kiln_call_values(open.session, open.named("total"), wrong, 2, nullptr, &result, &open.error) ==
        KILN_USAGE);
  CHECK(result == nullptr);
  CHECK_THAT(told(open.error), Contains("arguments[0]"));
  CHECK(kiln_call_values(open.session, open.named("total"), arguments, 1, nullptr, &result, &open.error) ==
        KILN_INPUT);
  kiln_error_free(open.error);
}

TEST_CASE("a value's bytes are those that kernels take") {
  Open open;
  kiln_value *pair = evaluated(open, "(Int32(7), 2.5)"),
             *closure = evaluated(open, "let a = 1.5; () -> a; end");
  struct {
    int32_t first;
    double second;
  } bytes = {};
  size_t size = 0;
  ok(kiln_value_bytes(open.session, pair, &bytes, sizeof bytes, &size, &open.error), open.error);
  CHECK(size == sizeof bytes);
  CHECK(bytes.first == 7);
  CHECK(bytes.second == 2.5);
  double captured = 0;
  ok(kiln_value_bytes(open.session, closure, &captured, sizeof captured, &size, &open.error), open.error);
  CHECK(size == 8);
  CHECK(captured == 1.5);
  ok(kiln_value_bytes(open.session, evaluated(open, "nothing"), nullptr, 0, &size, &open.error), open.error);
  CHECK(size == 0);
  CHECK(kiln_value_bytes(open.session, evaluated(open, "\"text\""), nullptr, 0, &size, &open.error) ==
        KILN_INPUT);
  CHECK_THAT(told(open.error), Contains("String"));
  bytes.first = 3;
  CHECK(kiln_value_bytes(open.session, pair, &bytes, 8, &size, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("16 bytes") && Contains("takes 8"));
  CHECK(bytes.first == 3);
}

TEST_CASE("a closure of the embedder's is built in code, and made of bytes") {
  Open open;
  kiln_value *type = define_times(open, "times");
  // f(x) = (a closure with the factor 6)(x)
  kiln_code *code = open.code("f");
  const kiln_operand x = kiln_code_argument(code, "x"), factor = kiln_code_int64(code, 6);
  const kiln_operand closure = kiln_code_new_closure(code, kiln_code_constant(code, type), &factor, 1);
  kiln_code_return(code, kiln_code_call(code, closure, &x, 1));
  const kiln_value *types[] = {open.named("Int64")};
  kiln_method method = {};
  method.function = open.function("f");
  method.argument_types = types;
  method.argument_count = 1;
  method.code = code;
  ok(open.define(method), open.error);
  CHECK(open.call("f(Int64)", 7) == 42);

  kiln_value *applied = nullptr, *made = nullptr, *five = nullptr, *result = nullptr;
  ok(kiln_type_apply(open.session, type, types, 1, &applied, &open.error), open.error);
  const int64_t captured = 11;
  ok(kiln_value_of_bytes(open.session, applied, &captured, sizeof captured, &made, &open.error), open.error);
  ok(kiln_value_int64(open.session, 5, &five, &open.error), open.error);
  const kiln_value *arguments[] = {five};
  ok(kiln_call_values(open.session, made, arguments, 1, nullptr, &result, &open.error), open.error);
  CHECK(text_of(result) == "55");
}

TEST_CASE("what is no closure is refused, and what was handed over is released") {
  Open open;
  int released = 0;
  kiln_method method = {};
  method.struct_size = sizeof method;
  method.lower = [](kiln_code *, void *) { return 0; };
  method.release = [](void *user) { ++*static_cast<int *>(user); };
  method.user = &released;
  const char *captures[] = {"a", nullptr};
  kiln_value *type = nullptr;
  CHECK(kiln_define_closure(open.session, "g", captures, 2, &method, &type, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("captures[1]"));
  CHECK(kiln_define_closure(open.session, "g", nullptr, 1, &method, &type, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("`captures` is a null pointer"));
  method.function = open.function("h");
  CHECK(kiln_define_closure(open.session, "g", captures, 1, &method, &type, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("function is not null"));
  CHECK(type == nullptr);
  CHECK(released == 3);
}

TEST_CASE("variables that a closure shares, copies, and variables that have no value yet") {
  Open open;
  kiln_value *type = define_times(open, "of_cell");
  kiln_code *code = open.code("shared");
  const kiln_operand x = kiln_code_argument(code, "x"), factor = kiln_code_slot(code, "factor"),
                     late = kiln_code_slot(code, "late");
  kiln_code_set_slot(code, factor, kiln_code_int64(code, 4));
  const kiln_operand cell = kiln_code_cell(code, factor);
  const kiln_operand closure = kiln_code_new_closure(code, kiln_code_constant(code, type), &cell, 1);
  const kiln_operand product = kiln_code_copy(code, kiln_code_call(code, closure, &x, 1));
  const uint32_t unset = kiln_code_label(code);
  kiln_code_go_to_if_not(code, kiln_code_is_defined(code, late), unset);
  kiln_code_return(code, kiln_code_int64(code, -1));
  kiln_code_place(code, unset);
  kiln_code_set_slot(code, late, product);
  kiln_code_return(code, late);
  const kiln_value *types[] = {open.named("Int64")};
  kiln_method method = {};
  method.function = open.function("shared");
  method.argument_types = types;
  method.argument_count = 1;
  method.code = code;
  ok(open.define(method), open.error);
  CHECK(open.call("shared(Int64)", 5) == 20);
}

TEST_CASE("a call with KILN_INBOUNDS asks its callee for no bounds checks") {
  Open open;
  auto define = [&](const char *name, kiln_code *code, int always_inline) {
    const kiln_value *types[] = {open.named("Int64")};
    kiln_method method = {};
    method.function = open.function(name);
    method.argument_types = types;
    method.argument_count = 1;
    method.always_inline = always_inline;
    method.code = code;
    ok(open.define(method), open.error);
  };
  // checked(x) = bounds checks are wanted ? 1 : 2
  kiln_code *code = open.code("checked");
  (void)kiln_code_argument(code, "x");
  const uint32_t unchecked = kiln_code_label(code);
  kiln_code_go_to_if_not(code, kiln_code_bounds_check(code), unchecked);
  kiln_code_return(code, kiln_code_int64(code, 1));
  kiln_code_place(code, unchecked);
  kiln_code_return(code, kiln_code_int64(code, 2));
  define("checked", code, 1);
  for (bool inbounds : {false, true}) {
    const char *name = inbounds ? "inside" : "outside";
    code = open.code(name);
    const kiln_operand x = kiln_code_argument(code, "x");
    if (inbounds) kiln_code_set_flags(code, KILN_INBOUNDS);
    kiln_code_return(code, kiln_code_call(code, kiln_code_global(code, nullptr, "checked"), &x, 1));
    define(name, code, 0);
  }
  CHECK(open.call("outside(Int64)", 0) == 1);
  CHECK(open.call("inside(Int64)", 0) == 2);

  code = open.code("wrong");
  kiln_code_set_flags(code, 64);
  kiln_code_fresh(code, kiln_code_int64(code, 1));
  kiln_code_return(code, kiln_code_argument(code, "x"));
  const kiln_value *types[] = {open.named("Int64")};
  kiln_method method = {};
  method.function = open.function("wrong");
  method.argument_types = types;
  method.argument_count = 1;
  method.code = code;
  CHECK(open.define(method) == KILN_INPUT);
  CHECK_THAT(told(open.error), Contains("there are no flags 0x40") && Contains("no slot"));
}

} // namespace calls_test
