/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A language of array expressions, in C only. A line "z = x * 2 + y" defines a kernel that computes it for
 * each element. Its arguments are the arrays in order of appearance, the assigned one first. The kernels are
 * ordinary kernels of Kiln: compiled for the CPU and for GPUs, cached, launched by name.
 */
#include <kiln/c.h>
#include <kiln/c_language.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_arrays = 8, elements = 1000 };

static void check(int status, kiln_error *error) {
  if (status == 0) return;
  fputs(kiln_error_text(error), stderr);
  kiln_error_free(error);
  exit(status);
}

static void expect(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "arrays: %s\n", what);
  exit(10);
}

/* ---- the language: a line, and the parser's position in it */

typedef struct parser {
  kiln_code *code;
  const char *line, *at;
  uint32_t file;
  char names[max_arrays]; /* of the arrays: the kernel's arguments */
  kiln_operand arrays[max_arrays];
  int count;
  kiln_operand index;
  const kiln_value *base; /* the module whose functions the operators are */
} parser;

static void skip_spaces(parser *p) {
  while (isspace((unsigned char)*p->at)) p->at++;
  kiln_code_at(p->code, p->file, (uint32_t)(p->at - p->line), (uint32_t)(p->at - p->line) + 1);
}

static kiln_operand call_base(parser *p, const char *function, const kiln_operand *arguments, size_t count) {
  return kiln_code_call(p->code, kiln_code_global(p->code, p->base, function), arguments, count);
}

static kiln_operand expression(parser *p);

static kiln_operand factor(parser *p) {
  kiln_operand none = {0, 0};
  skip_spaces(p);
  if (*p->at == '(') {
    p->at++;
    kiln_operand inside = expression(p);
    skip_spaces(p);
    if (*p->at == ')')
      p->at++;
    else
      kiln_code_fail(p->code, "a ) is missing");
    return inside;
  }
  if (isdigit((unsigned char)*p->at)) {
    char *end;
    float number = strtof(p->at, &end);
    p->at = end;
    return kiln_code_float32(p->code, number);
  }
  if (islower((unsigned char)*p->at)) {
    for (int i = 0; i < p->count; i++)
      if (p->names[i] == *p->at) {
        p->at++;
        kiln_operand arguments[] = {p->arrays[i], p->index};
        return call_base(p, "getindex", arguments, 2);
      }
  }
  kiln_code_fail(p->code, "an array, a number or a ( is expected here");
  if (*p->at) p->at++;
  return none;
}

static kiln_operand chain(parser *p, kiln_operand (*part)(parser *), const char *operators) {
  kiln_operand left = part(p);
  for (;;) {
    skip_spaces(p);
    if (!*p->at || !strchr(operators, *p->at)) return left;
    char operator[] = {*p->at++, 0};
    kiln_operand both[] = {left, part(p)};
    left = call_base(p, operator, both, 2);
  }
}
static kiln_operand term(parser *p) { return chain(p, factor, "*/"); }
static kiln_operand expression(parser *p) { return chain(p, term, "+-"); }

/* (blockIdx().x - 1) * blockDim().x + threadIdx().x, from Kiln's device library. */
static kiln_operand thread_index(kiln_session *session, parser *p, const kiln_value *device) {
  kiln_error *error;
  kiln_value *x, *one;
  check(kiln_value_symbol(session, "x", &x, &error), error);
  check(kiln_value_int64(session, 1, &one, &error), error);
  const char *names[] = {"blockIdx", "blockDim", "threadIdx"};
  kiln_operand parts[3];
  for (int i = 0; i < 3; i++) {
    kiln_operand field[] = {kiln_code_call(p->code, kiln_code_global(p->code, device, names[i]), NULL, 0),
                            kiln_code_constant(p->code, x)};
    parts[i] = kiln_code_intrinsic(p->code, "getfield", field, 2);
  }
  kiln_operand before[] = {parts[0], kiln_code_constant(p->code, one)};
  kiln_operand block[] = {call_base(p, "-", before, 2), parts[1]};
  kiln_operand sum[] = {call_base(p, "*", block, 2), parts[2]};
  return call_base(p, "+", sum, 2);
}

/* Defines the kernel `name` from a line. Returns Kiln's status and error. */
static int define_kernel(kiln_session *session, const char *file_name, const char *name, const char *line,
                         kiln_error **error) {
  kiln_value *base, *device, *function, *array, *nothing;
  check(kiln_module_named(session, "Base", &base, error), *error);
  check(kiln_module_named(session, "CUDA", &device, error), *error);
  check(kiln_value_named(session, device, "CuDeviceArray", &array, error), *error);
  check(kiln_value_named(session, NULL, "nothing", &nothing, error), *error);
  check(kiln_define_function(session, NULL, name, &function, error), *error);

  parser p = {.line = line, .at = line, .base = base};
  check(kiln_code_new(session, name, &p.code, error), *error);
  check(kiln_source(session, file_name, line, strlen(line), &p.file, error), *error);
  for (const char *c = line; *c; c++) {
    char text[] = {*c, 0};
    if (islower((unsigned char)*c) && !memchr(p.names, *c, (size_t)p.count) && p.count < max_arrays) {
      p.names[p.count] = *c;
      p.arrays[p.count++] = kiln_code_argument(p.code, text);
    }
  }

  uint32_t outside = kiln_code_label(p.code);
  skip_spaces(&p);
  if (p.count && *p.at == p.names[0]) {
    p.at++;
    skip_spaces(&p);
  }
  if (!p.count || *p.at++ != '=') {
    kiln_code_fail(p.code, "a line is `array = expression`");
  } else {
    p.index = thread_index(session, &p, device);
    kiln_operand bounds[] = {p.index, call_base(&p, "length", p.arrays, 1)};
    kiln_code_go_to_if_not(p.code, call_base(&p, "<=", bounds, 2), outside);
    kiln_operand set[] = {p.arrays[0], expression(&p), p.index};
    call_base(&p, "setindex!", set, 3);
    skip_spaces(&p);
    if (*p.at) kiln_code_fail(p.code, "the line goes on after its end");
  }
  kiln_code_place(p.code, outside);
  kiln_code_return(p.code, kiln_code_constant(p.code, nothing));

  const kiln_value *types[max_arrays];
  for (int i = 0; i < p.count; i++) types[i] = array;
  kiln_method method = {.struct_size = sizeof method,
                        .function = function,
                        .argument_types = types,
                        .argument_count = (size_t)p.count,
                        .file = p.file,
                        .end = (uint32_t)strlen(line),
                        .code = p.code};
  return kiln_define_method(session, &method, error);
}

/* ---- a program that uses it */

static void run(kiln_session *session, const char *device, const char *name, float *z, float *x, float *y) {
  const int64_t length = elements;
  const unsigned blocks[3] = {4, 1, 1}, threads[3] = {256, 1, 1};
  kiln_error *error;
  kiln_argument arguments[3];
  float *data[] = {z, x, y};
  for (int i = 0; i < 3; i++) {
    kiln_argument a = {.struct_size = sizeof a,
                       .kind = KILN_ARRAY,
                       .type = "Float32",
                       .data = data[i],
                       .ndim = 1,
                       .dims = &length};
    arguments[i] = a;
  }
  check(kiln_launch(session, device, name, blocks, threads, arguments, 3, &error), error);
}

static int stale; /* how often a definition ended the job */
static void count_stale(void *user) { ++*(int *)user; }

int main(void) {
  kiln_error *error;
  kiln_session *session;
  kiln_session_options options = {.struct_size = sizeof options, .cache_dir = ""};
  check(kiln_session_open(&options, &session, &error), error);
  check(define_kernel(session, "first.arrays", "mix", "z = (x + 1) * y / 2 - x", &error), error);

  static float x[elements], y[elements], z[elements];
  for (int i = 0; i < elements; i++) x[i] = (float)i, y[i] = 3.0f - (float)i;
  run(session, "cpu", "mix", z, x, y);
  for (int i = 0; i < elements; i++)
    expect(fabsf(z[i] - ((x[i] + 1) * y[i] / 2 - x[i])) <= 1e-6f * fabsf(z[i]), "a wrong value");
  printf("mix: z[7] = %g\n", (double)z[7]);

  /* A new definition makes a held job stale, but its compiled products stay the same. */
  kiln_job *job;
  kiln_artifact *ptx;
  static const char call[] =
      "mix(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})";
  check(kiln_job_open(session, call, "{\"target\": \"ptx\", \"arch\": \"sm_90\"}", &job, &error), error);
  check(kiln_job_on_stale(job, count_stale, &stale, &error), error);
  check(kiln_job_compile(job, "asm", &ptx, &error), error);
  expect(strstr(kiln_artifact_data(ptx, NULL), "ld.global") != NULL && kiln_job_is_current(job), "the PTX");
  kiln_artifact_free(ptx);
  check(define_kernel(session, "second.arrays", "mix", "z = x - y", &error), error);
  expect(!kiln_job_is_current(job) && stale == 1, "the job is stale");
  kiln_job_free(job);
  run(session, "cpu", "mix", z, x, y);
  for (int i = 0; i < elements; i++) expect(z[i] == x[i] - y[i], "the new definition's value");

  /* One error reports all faults of a line, with their places. */
  int status = define_kernel(session, "bad.arrays", "bad", "z = x * ) + # y", &error);
  expect(status == KILN_INPUT && kiln_error_count(error) >= 2, "a bad line");
  for (size_t i = 0; i < kiln_error_count(error); i++)
    printf("%s:%u:%u: %s\n", kiln_error_file(error, i), kiln_error_line(error, i),
           kiln_error_column(error, i), kiln_error_message(error, i));
  expect(strcmp(kiln_error_file(error, 0), "bad.arrays") == 0 && kiln_error_column(error, 0) == 9,
         "the place of the first fault");
  kiln_error_free(error);

  size_t gpus = 0;
  if (kiln_gpu_count(session, &gpus, &error) != 0) {
    printf("no GPU: %s\n", kiln_error_message(error, 0));
    kiln_error_free(error);
  } else if (gpus > 0) {
    kiln_device *device;
    kiln_stream *stream;
    kiln_buffer *buffers[3];
    float *from[] = {z, x, y}, *on[3];
    check(kiln_device_open(session, "cuda", &device, &error), error);
    check(kiln_stream_open(session, device, &stream, &error), error);
    for (int i = 0; i < 3; i++) {
      check(kiln_stream_allocate(stream, sizeof x, &buffers[i], &error), error);
      check(kiln_stream_copy(stream, on[i] = kiln_buffer_data(buffers[i]), from[i], sizeof x, &error), error);
    }
    check(kiln_stream_synchronize(stream, &error), error);
    run(session, "cuda", "mix", on[0], on[1], on[2]);
    memset(z, 0, sizeof z);
    check(kiln_stream_copy(stream, z, on[0], sizeof z, &error), error);
    check(kiln_stream_synchronize(stream, &error), error);
    for (int i = 0; i < elements; i++) expect(z[i] == x[i] - y[i], "the value on the GPU");
    printf("mix on %s: z[7] = %g\n", kiln_device_name(device), (double)z[7]);
    for (int i = 0; i < 3; i++) kiln_buffer_free(buffers[i]);
    kiln_stream_free(stream);
    kiln_device_free(device);
  }
  kiln_session_close(session);
  return 0;
}
