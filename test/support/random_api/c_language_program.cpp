// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of CProgram against kiln/c_language.h: definitions with bodies of random statements, jobs, plain
// functions.
#include "c_program.h"

#include <kiln/c_language.h>

#include <cstring>

namespace kiln::fuzz {

namespace {

const std::vector<const char *> names{"Int64", "Float32", "f", "g",     "nothing", "Any",
                                      "Tuple", "S",       "",  nullptr, "Base"};
const std::vector<const char *> intrinsics{"add_int",   "slt_int", "getfield", "tuple",
                                           "mul_float", "no_such", nullptr,    "egal"};
const std::vector<const char *> language_calls{"f(Int64)", "g()", "f(Int64, Int64)",
                                               "S(Int64)", "f(",  nullptr};
const std::vector<const char *> plain{R"({"kernel": false})", nullptr,
                                      R"({"kernel": false, "target": "ptx"})", "{"};

const char key = 0;

/// A body that means little: operands of every kind, jumps to labels that are there and that are not.
void build(kiln_code *code, Decisions &d, const kiln_value *type) {
  std::vector<kiln_operand> operands{kiln_code_self(code)};
  auto any = [&]() -> kiln_operand {
    if (d.below(12) == 0) return {uint32_t(d.below(9)), uint32_t(d.below(64))};
    return operands[d.below(operands.size())];
  };
  for (size_t i = d.below(3); i > 0; i--) operands.push_back(kiln_code_argument(code, "x"));
  operands.push_back(kiln_code_slot(code, d.below(16) ? "s" : nullptr));
  std::vector<uint32_t> labels;
  for (size_t steps = d.below(24); steps > 0 && !d.done(); steps--) {
    const kiln_operand pair[] = {any(), any()};
    switch (d.below(16)) {
    case 0: operands.push_back(kiln_code_int64(code, int64_t(d.byte()))); break;
    case 1: operands.push_back(kiln_code_float32(code, float(d.byte()))); break;
    case 2: operands.push_back(kiln_code_intrinsic(code, d.of(intrinsics), pair, d.below(3))); break;
    case 3: operands.push_back(kiln_code_call(code, any(), pair, d.below(3))); break;
    case 4: operands.push_back(kiln_code_global(code, nullptr, d.of(names))); break;
    case 5: kiln_code_set_slot(code, any(), any()); break;
    case 6: labels.push_back(kiln_code_label(code)); break;
    case 7:
      kiln_code_place(code, labels.empty() ? uint32_t(d.byte()) : labels[d.below(labels.size())]);
      break;
    case 8:
      kiln_code_go_to(code, labels.empty() ? uint32_t(d.byte()) : labels[d.below(labels.size())]);
      break;
    case 9: kiln_code_go_to_if_not(code, any(), labels.empty() ? 0 : labels[d.below(labels.size())]); break;
    case 10: kiln_code_at(code, d.byte(), d.byte(), d.byte()); break;
    case 11: operands.push_back(kiln_code_new_struct(code, any(), pair, d.below(3))); break;
    case 12: kiln_code_return(code, any()); break;
    case 13: kiln_code_declare(code, any(), type); break;
    case 14:
      d.below(2) ? kiln_code_declare_method(code, any(), type) : kiln_code_declare_result(code, type);
      break;
    default: operands.push_back(kiln_code_static_parameter(code, uint32_t(d.below(3)))); break;
    }
  }
  if (d.below(4)) kiln_code_return(code, any());
}

int lower(kiln_code *code, void *user) {
  kiln_operand x = kiln_code_argument(code, "x");
  kiln_code_return(code, x);
  return user ? *static_cast<int *>(user) : 0;
}

} // namespace

void CProgram::define() {
  kiln_error *error = nullptr;
  kiln_value *value = nullptr;
  const kiln_value *given[] = {any<kiln_value>(), any<kiln_value>()};
  int status = 0;
  switch (d_.below(8)) {
  case 0:
    status = kiln_value_named(any<kiln_session>(), any<kiln_value>(), d_.of(names), &value, &error);
    break;
  case 1: status = kiln_value_named(any<kiln_session>(), nullptr, d_.of(names), &value, &error); break;
  case 2: status = kiln_define_function(any<kiln_session>(), nullptr, d_.of(names), &value, &error); break;
  case 3: status = kiln_type_tuple(any<kiln_session>(), given, d_.below(3), &value, &error); break;
  case 4:
    status = kiln_type_apply(any<kiln_session>(), any<kiln_value>(), given, d_.below(3), &value, &error);
    break;
  case 5:
    status = kiln_type_variable(any<kiln_session>(), d_.of(names), given[0], given[1], &value, &error);
    break;
  case 6: status = kiln_value_type(any<kiln_value>(), &value, &error); break;
  default: {
    const char *fields[] = {"a", d_.below(4) ? "b" : nullptr};
    kiln_type type = {};
    type.struct_size = size_of(sizeof type);
    type.name = d_.below(4) ? "S" : d_.of(names);
    type.super = d_.below(3) ? nullptr : any<kiln_value>();
    type.is_abstract = int(d_.below(4) == 0);
    type.field_names = d_.below(8) ? fields : nullptr;
    type.field_types = given;
    type.field_count = d_.below(3);
    status = kiln_define_type(any<kiln_session>(), &type, &value, &error);
  }
  }
  judge("a value", status, error, status ? value : nullptr);
  keep(value);
}

void CProgram::define_method() {
  kiln_error *error = nullptr;
  kiln_session *session = any<kiln_session>();
  kiln_code *code = nullptr;
  int status = kiln_code_new(session, d_.of(names), &code, &error);
  judge("kiln_code_new", status, error, status ? code : nullptr);
  if (code) build(code, d_, any<kiln_value>());
  keep(code);
  static int zero = 0, one = 1;
  const kiln_value *types[] = {any<kiln_value>(), any<kiln_value>()};
  kiln_method method = {};
  method.struct_size = size_of(sizeof method);
  method.function = any<kiln_value>();
  method.argument_types = d_.below(8) ? types : nullptr;
  method.argument_count = d_.below(3);
  method.is_vararg = int(d_.below(6) == 0);
  method.variables = types;
  method.variable_count = d_.below(8) ? 0 : 1;
  method.file = d_.byte();
  if (d_.below(4))
    method.code = d_.below(8) ? code : any<kiln_code>();
  else
    method.lower = lower;
  method.user = d_.below(2) ? &zero : &one;
  method.typed = int(d_.below(8) == 0);
  if (d_.below(4) == 0) {
    kiln_join_rule rule = {};
    rule.struct_size = size_of(sizeof rule);
    rule.name = method.join_rule = d_.of(names);
    rule.version = "1";
    rule.convert = any<kiln_value>();
    rule.join = [](const kiln_value *a, const kiln_value *, void *) {
      return a;
    }; // is no join: Int64, Float32
    judge("kiln_define_join_rule", kiln_define_join_rule(session, &rule, &error), error);
  }
  judge("kiln_define_method", kiln_define_method(session, &method, &error), error);
}

void CProgram::use_jobs() {
  kiln_error *error = nullptr;
  kiln_job *job = nullptr;
  kiln_function *function = nullptr;
  kiln_artifact *artifact = nullptr;
  switch (d_.below(7)) {
  case 0: {
    int status = kiln_job_open(any<kiln_session>(), d_.of(language_calls), d_.of(plain), &job, &error);
    judge("kiln_job_open", status, error, status ? job : nullptr);
    break;
  }
  case 1: {
    const kiln_value *types[] = {any<kiln_value>()};
    int status =
        kiln_job_of(any<kiln_session>(), any<kiln_value>(), types, d_.below(2), d_.of(plain), &job, &error);
    judge("kiln_job_of", status, error, status ? job : nullptr);
    break;
  }
  case 2: {
    int status =
        kiln_prepare_function(any<kiln_session>(), d_.of(language_calls), d_.of(plain), &function, &error);
    judge("kiln_prepare_function", status, error, status ? function : nullptr);
    break;
  }
  case 3: {
    int status = kiln_job_compile(any<kiln_job>(), d_.below(2) ? "typed" : "asm", &artifact, &error);
    judge("kiln_job_compile", status, error, status ? artifact : nullptr);
    break;
  }
  case 4: {
    (void)kiln_job_is_current(any<kiln_job>());
    (void)kiln_job_attached(any<kiln_job>(), &key);
    judge("kiln_job_attach", kiln_job_attach(any<kiln_job>(), &key, nullptr, nullptr, &error), error);
    int status = kiln_job_renew(any<kiln_job>(), &job, &error);
    judge("kiln_job_renew", status, error, status ? job : nullptr);
    break;
  }
  case 5: {
    kiln_scope *scope = nullptr;
    int status = kiln_scope_open(any<kiln_session>(), &scope, &error);
    judge("kiln_scope_open", status, error, status ? scope : nullptr);
    keep(scope);
    status = kiln_scope_job(any<kiln_scope>(), kiln_scope_job_count(any<kiln_scope>()) / 2, &job, &error);
    judge("kiln_scope_job", status, error, status ? job : nullptr);
    break;
  }
  default: { // the values are of the caller's making: only what has no parameters is called
    kiln_function *called = any<kiln_function>();
    char result[256];
    if (kiln_function_parameter_count(called) == 0 && kiln_function_result_size(called) <= sizeof result)
      judge("kiln_function_call", kiln_function_call(called, nullptr, d_.below(2), result, &error), error);
  }
  }
  keep(job);
  keep(function);
  keep(artifact);
}

void free_language_handle(void *handle) {
  kiln_code_free(static_cast<kiln_code *>(handle));
  kiln_job_free(static_cast<kiln_job *>(handle));
  kiln_function_free(static_cast<kiln_function *>(handle));
  kiln_scope_close(static_cast<kiln_scope *>(handle));
}

} // namespace kiln::fuzz
