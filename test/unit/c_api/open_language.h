// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session of the C API, and the steps of a language that lives in C.
#pragma once

#include "open.h"

#include <kiln/c_language.h>

namespace kiln::test {

struct Open : OpenSession {
  kiln_value *named(const char *name) {
    kiln_value *value = nullptr;
    ok(kiln_value_named(session, nullptr, name, &value, &error), error);
    return value;
  }
  kiln_value *function(const char *name) {
    kiln_value *value = nullptr;
    ok(kiln_define_function(session, nullptr, name, &value, &error), error);
    return value;
  }
  kiln_code *code(const char *name) {
    kiln_code *code = nullptr;
    ok(kiln_code_new(session, name, &code, &error), error);
    return code;
  }
  int define(kiln_method method) {
    method.struct_size = sizeof method;
    return kiln_define_method(session, &method, &error);
  }
  int64_t call(const char *text, int64_t argument) {
    kiln_function *function = nullptr;
    ok(kiln_prepare_function(session, text, nullptr, &function, &error), error);
    REQUIRE(kiln_function_result_size(function) == 8);
    REQUIRE(kiln_function_parameter_count(function) == 1);
    REQUIRE(kiln_function_parameter_size(function, 0) == 8);
    int64_t result = 0;
    const void *arguments[] = {&argument};
    ok(kiln_function_call(function, arguments, 1, &result, &error), error);
    kiln_function_free(function);
    return result;
  }
};

/// f(x) = x + constant, of an Int64.
inline int add_constant(Open &open, const char *name, int64_t constant) {
  kiln_code *code = open.code(name);
  kiln_operand sum[] = {kiln_code_argument(code, "x"), kiln_code_int64(code, constant)};
  kiln_code_return(code, kiln_code_intrinsic(code, "add_int", sum, 2));
  const kiln_value *types[] = {open.named("Int64")};
  kiln_method method = {};
  method.function = open.function(name);
  method.argument_types = types;
  method.argument_count = 1;
  method.code = code;
  return open.define(method);
}

} // namespace kiln::test
