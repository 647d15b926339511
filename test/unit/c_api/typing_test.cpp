// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_language.h: a join rule, and methods that are typed already, from C.
#include "open_language.h"

#include <atomic>
#include <cstring>
#include <vector>

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

struct Numbers : Open {
  kiln_value *int64 = named("Int64"), *float64 = named("Float64"), *convert = function("up");

  Numbers() { // up(::Type{Float64}, x::Int64) = sitofp(Float64, x)
    kiln_value *type_of_float = nullptr;
    ok(kiln_value_type(float64, &type_of_float, &error), error);
    kiln_code *body = code("up");
    kiln_operand type = kiln_code_argument(body, "T"), x = kiln_code_argument(body, "x"), both[] = {type, x};
    kiln_code_return(body, kiln_code_intrinsic(body, "sitofp", both, 2));
    const kiln_value *types[] = {type_of_float, int64};
    kiln_method method = {};
    method.function = convert;
    method.argument_types = types;
    method.argument_count = 2;
    method.code = body;
    ok(define(method), error);
  }
  kiln_join_rule rule(const char *name) {
    kiln_join_rule made = {};
    made.struct_size = sizeof made;
    made.name = name;
    made.version = "1";
    made.convert = convert;
    made.user = this;
    made.join = [](const kiln_value *a, const kiln_value *b, void *user) -> const kiln_value * {
      const auto &self = *static_cast<Numbers *>(user);
      auto known = [&](const kiln_value *type) { return type == self.int64 || type == self.float64; };
      return known(a) && known(b) ? self.float64 : nullptr;
    };
    return made;
  }
  /// name(a::Int64) = (if a > 0: x = a, else x = 0.5; x)
  int define_either(const char *name, const char *join_rule) {
    kiln_code *body = code(name);
    kiln_operand a = kiln_code_argument(body, "a"), x = kiln_code_slot(body, "x");
    const uint32_t other = kiln_code_label(body), end = kiln_code_label(body);
    kiln_operand less[] = {kiln_code_int64(body, 0), a};
    kiln_code_go_to_if_not(body, kiln_code_intrinsic(body, "slt_int", less, 2), other);
    kiln_code_set_slot(body, x, a);
    kiln_code_go_to(body, end);
    kiln_code_place(body, other);
    kiln_code_set_slot(body, x, kiln_code_float64(body, 0.5));
    kiln_code_place(body, end);
    kiln_code_return(body, x);
    const kiln_value *types[] = {int64};
    kiln_method method = {};
    method.function = function(name);
    method.argument_types = types;
    method.argument_count = 1;
    method.code = body;
    method.join_rule = join_rule;
    return define(method);
  }
  double call_float(const char *text, int64_t argument) {
    kiln_function *made = nullptr;
    ok(kiln_prepare_function(session, text, nullptr, &made, &error), error);
    REQUIRE(kiln_function_result_size(made) == sizeof(double));
    double result = 0;
    const void *arguments[] = {&argument};
    ok(kiln_function_call(made, arguments, 1, &result, &error), error);
    kiln_function_free(made);
    return result;
  }
};

} // namespace

TEST_CASE("a join rule from C joins the slots of the methods that name it") {
  static std::atomic<int> released;
  released = 0;
  {
    Numbers n;
    kiln_join_rule rule = n.rule("tower");
    rule.release = [](void *) { released++; };
    ok(kiln_define_join_rule(n.session, &rule, &n.error), n.error);
    ok(n.define_either("either", "tower"), n.error);
    CHECK(n.call_float("either(Int64)", 7) == 7.0);
    CHECK(n.call_float("either(Int64)", -7) == 0.5);
    ok(n.define_either("plain", nullptr), n.error);
    kiln_job *job = nullptr;
    ok(kiln_job_open(n.session, "plain(Int64)", "{\"kernel\": false}", &job, &n.error), n.error);
    char *type = nullptr;
    ok(kiln_job_return_type(job, &type, &n.error), n.error);
    CHECK(std::string(type) == "Union{Float64, Int64}");
    kiln_text_free(type);
    kiln_job_free(job);
    CHECK(released == 0);
    // The name is taken, and what was handed over with the second is given back.
    CHECK(kiln_define_join_rule(n.session, &rule, &n.error) == KILN_USAGE);
    CHECK_THAT(told(n.error), Contains("there is a join rule `tower` already"));
    CHECK(released == 1);
  }
  CHECK(released == 2);
}

TEST_CASE("join rules from C that are incomplete, unknown, or answer what is no type") {
  Numbers n, other;
  kiln_join_rule rule = n.rule("half");
  rule.join = nullptr;
  CHECK(kiln_define_join_rule(n.session, &rule, &n.error) == KILN_USAGE);
  CHECK_THAT(told(n.error), Contains("join"));
  rule = n.rule("foreign");
  rule.convert = other.convert;
  CHECK(kiln_define_join_rule(n.session, &rule, &n.error) == KILN_USAGE);
  CHECK_THAT(told(n.error), Contains("another session"));
  CHECK(kiln_define_join_rule(n.session, nullptr, &n.error) == KILN_USAGE);
  kiln_error_free(n.error);
  CHECK(n.define_either("either", "nowhere") == KILN_USAGE);
  CHECK_THAT(told(n.error), Contains("there is no rule `nowhere`"));

  rule = n.rule("function");
  rule.join = [](const kiln_value *, const kiln_value *, void *user) -> const kiln_value * {
    return static_cast<Numbers *>(user)->convert;
  };
  ok(kiln_define_join_rule(n.session, &rule, &n.error), n.error);
  ok(n.define_either("bad", "function"), n.error);
  kiln_function *function = nullptr;
  CHECK(kiln_prepare_function(n.session, "bad(Int64)", nullptr, &function, &n.error) == KILN_USAGE);
  CHECK_THAT(told(n.error), Contains("the join rule `function` failed") && Contains("is no type"));
}

TEST_CASE("a typed method from C is verified: what holds runs, what does not is told with its places") {
  Numbers n;
  uint32_t file = 0;
  const char text[] = "one\ntwo\nthree\n";
  ok(kiln_source(n.session, "typed.lang", text, sizeof text - 1, &file, &n.error), n.error);
  kiln_value *up = nullptr, *type_of_float = nullptr, *signature = nullptr, *wrong = nullptr;
  ok(kiln_value_type(n.convert, &up, &n.error), n.error);
  ok(kiln_value_type(n.float64, &type_of_float, &n.error), n.error);
  const kiln_value *elements[] = {up, type_of_float, n.int64}, *others[] = {up, type_of_float, n.float64};
  ok(kiln_type_tuple(n.session, elements, 3, &signature, &n.error), n.error);
  ok(kiln_type_tuple(n.session, others, 3, &wrong, &n.error), n.error);
  auto define = [&](const char *name, const kiln_value *slot, const kiln_value *sum,
                    const kiln_value *method_type, bool is_declared) {
    kiln_code *body = n.code(name);
    kiln_operand a = kiln_code_argument(body, "a"), x = kiln_code_slot(body, "x");
    if (is_declared) kiln_code_declare(body, x, slot);
    kiln_code_at(body, file, 0, 3);
    kiln_operand twice[] = {a, a}, more = kiln_code_intrinsic(body, "add_nsw", twice, 2);
    if (is_declared) kiln_code_declare(body, more, sum);
    kiln_code_at(body, file, 4, 7);
    kiln_operand arguments[] = {kiln_code_constant(body, n.float64), more};
    kiln_operand real = kiln_code_call(body, kiln_code_constant(body, n.convert), arguments, 2);
    if (is_declared) {
      kiln_code_declare(body, real, n.float64);
      kiln_code_declare_method(body, real, method_type);
    }
    kiln_code_at(body, file, 8, 13);
    kiln_code_set_slot(body, x, real);
    if (is_declared) kiln_code_declare_result(body, n.float64);
    kiln_code_return(body, x);
    const kiln_value *types[] = {n.int64};
    kiln_method method = {};
    method.function = n.function(name);
    method.argument_types = types;
    method.argument_count = 1;
    method.code = body;
    method.typed = 1;
    return n.define(method);
  };
  ok(define("right", n.float64, n.int64, signature, true), n.error);
  CHECK(n.call_float("right(Int64)", 21) == 42.0);

  ok(define("bad", n.int64, n.float64, wrong, true), n.error);
  kiln_function *function = nullptr;
  CHECK(kiln_prepare_function(n.session, "bad(Int64)", nullptr, &function, &n.error) == KILN_INPUT);
  REQUIRE(kiln_error_count(n.error) == 3);
  for (size_t i = 0; i < 3; i++) {
    CHECK(std::string(kiln_error_file(n.error, i)) == "typed.lang");
    CHECK(kiln_error_line(n.error, i) == i + 1);
  }
  CHECK_THAT(told(n.error), Contains("is declared Float64, and gives Int64") &&
                                Contains("is declared to reach") &&
                                Contains("the variable x is declared Int64"));

  // What is not declared is told when it is defined, as all that is wrong about a body.
  CHECK(define("bare", nullptr, nullptr, nullptr, false) == KILN_USAGE);
  CHECK_THAT(told(n.error), Contains("typed.lang:1") && Contains("is not declared"));
  kiln_code *body = n.code("none");
  kiln_code_declare(body, kiln_code_self(body), nullptr);
  kiln_code_return(body, kiln_code_int64(body, 1));
  kiln_method method = {};
  method.function = n.function("none");
  method.code = body;
  CHECK(n.define(method) == KILN_INPUT);
  CHECK_THAT(told(n.error), Contains("a declared type"));
  kiln_code_declare(nullptr, {}, nullptr);
  kiln_code_declare_method(nullptr, {}, nullptr);
  kiln_code_declare_result(nullptr, nullptr);
}
