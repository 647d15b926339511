/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * hooks CACHE [COUNT]: a hook that gets bitcode, changes it with LLVM's own library and returns bitcode. The
 * kernel adds 7777 and the hook makes that 100. With COUNT it measures hooks that return what they get:
 * median processor time of COUNT compiles without hooks, with text and with bitcode. */
#include <kiln/c_language.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void (*give_function)(void *context, const char *ir, size_t size);

static int calls; /* one thread compiles */

static void check(int status, kiln_error *error) {
  if (status == KILN_OK) return;
  fprintf(stderr, "%s\n", kiln_error_text(error));
  exit(status);
}

/* Puts 100 in place of each 7777 among the operands. */
static void change(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
          LLVMValueRef operand = LLVMGetOperand(i, k);
          if (LLVMIsAConstantInt(operand) && LLVMConstIntGetSExtValue(operand) == 7777)
            LLVMSetOperand(i, k, LLVMConstInt(LLVMTypeOf(operand), 100, 1));
        }
}

static int rewrite(int moment, const char *ir, size_t size, give_function give, void *context, void *user) {
  static const char broken[] = "libLLVM cannot read the bitcode";
  (void)moment, (void)user;
  calls++;
  LLVMContextRef own = LLVMContextCreate();
  LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, size, "job");
  LLVMModuleRef module = NULL;
  int failed = LLVMParseBitcodeInContext2(own, bytes, &module);
  if (!failed) {
    change(module);
    LLVMMemoryBufferRef changed = LLVMWriteBitcodeToMemoryBuffer(module);
    give(context, LLVMGetBufferStart(changed), LLVMGetBufferSize(changed));
    LLVMDisposeMemoryBuffer(changed);
    LLVMDisposeModule(module);
  } else {
    give(context, broken, sizeof broken - 1);
  }
  LLVMDisposeMemoryBuffer(bytes);
  LLVMContextDispose(own);
  return failed;
}

static int keep(int moment, const char *ir, size_t size, give_function give, void *context, void *user) {
  (void)moment, (void)user;
  give(context, ir, size);
  return 0;
}

static void add_hooks(kiln_session *session, const char *name, int form,
                      int (*function)(int, const char *, size_t, give_function, void *, void *)) {
  kiln_ir_hooks hooks = {.struct_size = sizeof hooks, .name = name, .version = "1"};
  kiln_error *error = NULL;
  hooks.moments = 1u << KILN_FINISH_LINKED_MODULE;
  hooks.form = form;
  hooks.rewrite = function;
  check(kiln_session_add_hooks(session, &hooks, &error), error);
}

static kiln_session *open_session(const char *cache) {
  kiln_session_options options = {.struct_size = sizeof options, .cache_dir = cache};
  kiln_session *session = NULL;
  kiln_error *error = NULL;
  static const char program[] = "function add(x)\n  x[threadIdx().x] += 7777\n  return\nend\n";
  check(kiln_session_open(&options, &session, &error), error);
  check(kiln_load(session, "add.jl", program, sizeof program - 1, &error), error);
  return session;
}

static int launch(kiln_session *session, const char *options, int64_t *x) {
  int64_t four = 4;
  kiln_argument array = {
      .struct_size = sizeof array, .kind = KILN_ARRAY, .type = "Int64", .data = x, .ndim = 1, .dims = &four};
  kiln_launch_options wanted = {
      .struct_size = sizeof wanted, .function = "add", .blocks = {1, 1, 1}, .threads = {4, 1, 1}};
  kiln_error *error = NULL;
  wanted.arguments = &array;
  wanted.count = 1;
  wanted.options_json = options;
  check(kiln_launch_ex(session, &wanted, &error), error);
  return 0;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Microseconds of processor time. */
static double compile(kiln_session *session, const char *call, const char *format, int number) {
  char options[128];
  kiln_artifact *artifact = NULL;
  kiln_error *error = NULL;
  snprintf(options, sizeof options, format, number); /* another name each time: no cache answers */
  clock_t begin = clock();
  check(kiln_compile(session, call, options, "asm", &artifact, &error), error);
  clock_t end = clock();
  kiln_artifact_free(artifact);
  return (double)(end - begin) * 1e6 / CLOCKS_PER_SEC;
}

static double median(double *times, int count) {
  qsort(times, (size_t)count, sizeof *times, compare);
  return times[count / 2];
}

/* By turns: without hooks, with text, with bitcode. */
static void measure(int count) {
  static const char *const formats[] = {"{\"target\": \"ptx\", \"name\": \"n%d\"}",
                                        "{\"target\": \"ptx\", \"name\": \"t%d\", \"hooks\": \"text\"}",
                                        "{\"target\": \"ptx\", \"name\": \"b%d\", \"hooks\": \"bitcode\"}"};
  static const char body[] = "function work(x, y)\n  s = 0.0\n  for i in 1:length(x)\n"
                             "    s += sin(x[i]) * exp(y[i]) + x[i]^y[i]\n  end\n"
                             "  x[threadIdx().x] = s\n  return\nend\n";
  const char *call = "work(CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1})";
  kiln_session *session = open_session("");
  kiln_error *error = NULL;
  check(kiln_load(session, "work.jl", body, sizeof body - 1, &error), error);
  add_hooks(session, "text", KILN_IR_TEXT, keep);
  add_hooks(session, "bitcode", KILN_IR_BITCODE, keep);
  double *times[3], medians[3];
  for (int form = 0; form < 3; form++) {
    times[form] = calloc((size_t)count, sizeof(double));
    compile(session, call, formats[form], count);
  }
  for (int i = 0; i < count; i++)
    for (int form = 0; form < 3; form++) times[form][i] = compile(session, call, formats[form], i);
  for (int form = 0; form < 3; form++) {
    medians[form] = median(times[form], count);
    free(times[form]);
  }
  printf("compile %.0f us; a hook costs %.0f us with text, %.0f us with bitcode\n", medians[0],
         medians[1] - medians[0], medians[2] - medians[0]);
  kiln_session_close(session);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  if (argc > 2) {
    measure(atoi(argv[2]));
    return 0;
  }
  kiln_session *session = open_session(argv[1]);
  add_hooks(session, "hundred", KILN_IR_BITCODE, rewrite);
  int64_t x[4] = {1, 2, 3, 4}, plain[4] = {1, 2, 3, 4};
  kiln_counters counters = {.struct_size = sizeof counters};
  kiln_error *error = NULL;
  launch(session, "{\"hooks\": \"hundred\"}", x);
  launch(session, NULL, plain);
  check(kiln_session_counters(session, &counters, &error), error);
  check(kiln_flush_cache(session, &error), error);
  printf("with hooks %lld, without %lld; compiled %llu, hook calls %d\n", (long long)x[3],
         (long long)plain[3], (unsigned long long)counters.compiled, calls);
  kiln_session_close(session);
  return 0;
}
