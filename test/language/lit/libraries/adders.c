/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A language in C for --language: a line "plus3 3" defines a kernel plus3 that adds 3 to the first element of
 * an array. A call is a name, or "plus3(CuDeviceArray{Float32, 1, 1})" as traces have it.
 */
#include <kiln/c_frontend.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernel's body: y[1] = y[1] + number, by the functions of Base. */
static int define_line(const kiln_language_call *call, const char *name, double number, uint32_t begin,
                       uint32_t end) {
  kiln_session *session = call->session;
  kiln_value *function, *type, *base;
  kiln_code *code;
  if (kiln_module_named(session, "Base", &base, NULL) ||
      kiln_define_function(session, call->module, name, &function, NULL) ||
      kiln_value_named(session, NULL, "CuDeviceArray", &type, NULL) ||
      kiln_code_new(session, name, &code, NULL))
    return 1;
  kiln_code_at(code, call->file, begin, end);
  kiln_operand y = kiln_code_argument(code, "y"), one = kiln_code_int64(code, 1);
  kiln_operand read[] = {y, one};
  kiln_operand element = kiln_code_call(code, kiln_code_global(code, base, "getindex"), read, 2);
  kiln_operand sum[] = {element, kiln_code_float32(code, (float)number)};
  kiln_operand write[] = {y, kiln_code_call(code, kiln_code_global(code, base, "+"), sum, 2), one};
  kiln_code_call(code, kiln_code_global(code, base, "setindex!"), write, 3);
  kiln_code_return(code, kiln_code_global(code, base, "nothing"));
  const kiln_value *types[] = {type};
  kiln_method method = {sizeof method};
  method.module = call->module;
  method.function = function;
  method.argument_types = types;
  method.argument_count = 1;
  method.code = code;
  method.file = call->file;
  method.begin = begin;
  method.end = end;
  return kiln_define_method(session, &method, NULL);
}

static int load(const kiln_language_call *call, void *user) {
  (void)user;
  const char *at = call->text, *end = call->text + call->size;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    const uint32_t first = (uint32_t)(at - call->text), last = (uint32_t)(stop - call->text);
    char name[64];
    double number;
    if (sscanf(at, "%63s %lf", name, &number) != 2)
      call->fail(call->context, "a line is a name and a number", first, last);
    else if (define_line(call, name, number, first, last))
      call->fail(call->context, "the line cannot be defined", first, last);
    at = stop + 1;
  }
  return 0;
}

static int evaluate(const kiln_language_call *call, void *user) {
  (void)user;
  kiln_value *value;
  if (kiln_value_int64(call->session, atoll(call->text), &value, NULL)) return 1;
  call->give(call->context, value);
  return 0;
}

/* Every adder takes an array of Float32. */
static int resolve(const kiln_language_call *call, void *user) {
  (void)user;
  char name[64] = {0};
  const size_t size = strcspn(call->text, "(");
  kiln_value *function, *array, *element, *dimensions, *space, *type;
  memcpy(name, call->text, size < 63 ? size : 63);
  if (kiln_value_named(call->session, call->module, name, &function, NULL)) {
    call->fail(call->context, "there is no such adder", 0, (uint32_t)size);
    return 0;
  }
  if (kiln_value_named(call->session, NULL, "CuDeviceArray", &array, NULL) ||
      kiln_value_named(call->session, NULL, "Float32", &element, NULL) ||
      kiln_value_int64(call->session, 1, &dimensions, NULL) ||
      kiln_value_int64(call->session, 1, &space, NULL))
    return 1;
  const kiln_value *parameters[] = {element, dimensions, space};
  if (kiln_type_apply(call->session, array, parameters, 3, &type, NULL)) return 1;
  call->give(call->context, function);
  call->give(call->context, type);
  return 0;
}

static const kiln_language adders = {.struct_size = sizeof adders,
                                     .name = "adders",
                                     .extensions = ".add",
                                     .load = load,
                                     .evaluate = evaluate,
                                     .resolve = resolve};

KILN_C_LANGUAGE_LIBRARY(languages) { kiln_language_list_add(languages, &adders, NULL); }
