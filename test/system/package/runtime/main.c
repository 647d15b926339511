/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels out of a bundle in C: runtime BUNDLE. */
#include <kiln/runtime_c.h>

#include <stdio.h>
#include <string.h>

static int failed(kiln_error *error) {
  fputs(kiln_error_text(error), stderr);
  return 1;
}

int main(int count, char **words) {
  kiln_error *error;
  kiln_runtime *runtime;
  kiln_device *cpu;
  kiln_stream *stream;
  kiln_bundle *bundle;
  kiln_kernel *kernel;
  float y[1000], x[1000];
  const int64_t length = 1000;
  const float a = 2;
  if (count < 2 || !kiln_has_feature("bundle")) return 2;
  if (kiln_runtime_open(NULL, &runtime, &error)) return failed(error);
  if (kiln_runtime_device(runtime, "cpu", &cpu, &error)) return failed(error);
  if (kiln_runtime_stream(runtime, cpu, &stream, &error)) return failed(error);
  if (kiln_bundle_open(words[1], NULL, &bundle, &error)) return failed(error);
  if (kiln_bundle_verify(bundle, &error)) return failed(error);
  for (size_t i = 0; i < kiln_bundle_count(bundle); i++)
    printf("%s(%s)\n", kiln_bundle_kernel_name(bundle, i), kiln_bundle_kernel_signature(bundle, i));
  for (int i = 0; i < 1000; i++) y[i] = 1, x[i] = (float)i;

  /* By name: the types are compared. */
  kiln_shape shape = {.struct_size = sizeof shape, .blocks = {4, 1, 1}, .threads = {256, 1, 1}};
  kiln_argument arguments[3] = {
      {.struct_size = sizeof *arguments,
       .kind = KILN_ARRAY,
       .type = "Float32",
       .data = y,
       .ndim = 1,
       .dims = &length},
      {.struct_size = sizeof *arguments,
       .kind = KILN_ARRAY,
       .type = "Float32",
       .data = x,
       .ndim = 1,
       .dims = &length},
      {.struct_size = sizeof *arguments, .kind = KILN_SCALAR, .type = "Float32", .data = (void *)&a}};
  if (kiln_bundle_launch(bundle, "saxpy", NULL, stream, &shape, arguments, 3, &error)) return failed(error);
  if (kiln_stream_synchronize(stream, &error)) return failed(error);

  /* Through a handle. */
  int64_t header_y[4], header_x[4];
  if (kiln_bundle_load(bundle, "saxpy", NULL, cpu, &kernel, &error)) return failed(error);
  kiln_bundle_free(bundle);
  if (kiln_array_header(header_y, sizeof header_y, y, sizeof *y, 1, &length, &error)) return failed(error);
  if (kiln_array_header(header_x, sizeof header_x, x, sizeof *x, 1, &length, &error)) return failed(error);
  const void *bytes[3] = {header_y, header_x, &a};
  if (kiln_kernel_launch(kernel, stream, &shape, bytes, 3, &error)) return failed(error);
  if (kiln_stream_synchronize(stream, &error)) return failed(error);
  for (int i = 0; i < 1000; i++)
    if (y[i] != 4 * (float)i + 1) return printf("y[%d] is %g\n", i, (double)y[i]), 1;

  /* What is wrong is said. */
  if (kiln_bundle_open("none.kiln", NULL, &bundle, &error) != KILN_INPUT ||
      !strstr(kiln_error_text(error), "none.kiln"))
    return puts("a file that is not there is no error"), 1;
  kiln_error_free(error);
  kiln_kernel_free(kernel);
  kiln_stream_free(stream);
  kiln_device_free(cpu);
  kiln_runtime_close(runtime);
  puts("right");
  return 0;
}
