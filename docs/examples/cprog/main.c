/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Embeds Kiln in a C program. Compiles a kernel from text, and launches it by name and by handle on each kind
 * of device that the machine has. Prints an error's diagnostics and the timing table, and fills a cache
 * folder from a trace. docs/guide/embed-c.md explains it. */
#include <kiln/c_cache.h>
#include <kiln/c_device.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "using CUDA\n"
                             "function saxpy(y, x, a)\n"
                             "    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x\n"
                             "    if i <= length(y)\n"
                             "        @inbounds y[i] += a * x[i]\n"
                             "    end\n"
                             "    return\n"
                             "end\n";

enum { n = 1000 };

/* Prints Kiln's error and exits with its status. */
static void check(int status, kiln_error *error) {
  if (status == 0) return;
  fputs(kiln_error_text(error), stderr);
  kiln_error_free(error);
  exit(status);
}

static void expect(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "cprog: %s\n", what);
  exit(10);
}

static void fill(float *y, float *x) {
  for (int i = 0; i < n; i++) {
    x[i] = (float)i;
    y[i] = 1.0f;
  }
}

static void check_values(const float *y, const char *where) {
  for (int i = 0; i < n; i++)
    if (y[i] != 1.0f + 2.0f * (float)i) {
      fprintf(stderr, "cprog: %s: y[%d] is %g\n", where, i, (double)y[i]);
      exit(10);
    }
  printf("%s: y[%d] = %g\n", where, n - 1, (double)y[n - 1]);
}

static kiln_argument array(float *data, const int64_t *length) {
  kiln_argument a = {.struct_size = sizeof a,
                     .kind = KILN_ARRAY,
                     .type = "Float32",
                     .data = data,
                     .ndim = 1,
                     .dims = length};
  return a;
}

static kiln_argument scalar(float *value) {
  kiln_argument a = {.struct_size = sizeof a,
                     .kind = KILN_SCALAR,
                     .dtype = {2, 32, 1},
                     .data = value}; /* a float of 32 bits, as DLPack says */
  return a;
}

static void launch_by_name(kiln_session *session, float *y, float *x) {
  const unsigned blocks[3] = {4, 1, 1}, threads[3] = {256, 1, 1};
  const int64_t length = n;
  float a = 2;
  kiln_argument arguments[] = {array(y, &length), array(x, &length), scalar(&a)};
  kiln_error *error;
  fill(y, x);
  check(kiln_launch(session, "cpu", "saxpy", blocks, threads, arguments, 3, &error), error);
  check_values(y, "by name");
}

/* Launches of a prepared kernel look nothing up and allocate nothing. */
static void launch_prepared(kiln_session *session, const kiln_device *device, float *y, float *x) {
  kiln_error *error;
  kiln_kernel *kernel;
  kiln_stream *stream;
  kiln_buffer *buffers[2];
  check(kiln_prepare(session, "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)", NULL,
                     device, &kernel, &error),
        error);
  check(kiln_stream_open(session, device, &stream, &error), error);

  fill(y, x);
  float *from[] = {y, x};
  int64_t headers[2][4]; /* 1 dimension and 3 words more */
  const int64_t length = n;
  for (int i = 0; i < 2; i++) {
    check(kiln_stream_allocate(stream, n * sizeof(float), &buffers[i], &error), error);
    check(kiln_stream_copy(stream, kiln_buffer_data(buffers[i]), from[i], n * sizeof(float), &error), error);
    check(kiln_array_header(headers[i], sizeof headers[i], kiln_buffer_data(buffers[i]), sizeof(float), 1,
                            &length, &error),
          error);
  }
  float a = 2;
  const void *arguments[] = {headers[0], headers[1], &a};
  kiln_shape shape = {.struct_size = sizeof shape, .blocks = {4, 1, 1}, .threads = {256, 1, 1}};
  check(kiln_kernel_launch(kernel, stream, &shape, arguments, 3, &error), error);
  check(kiln_stream_copy(stream, y, kiln_buffer_data(buffers[0]), n * sizeof(float), &error), error);
  check(kiln_stream_synchronize(stream, &error), error);
  check_values(y, kiln_device_name(device));

  kiln_buffer_free(buffers[0]);
  kiln_buffer_free(buffers[1]);
  kiln_stream_free(stream);
  kiln_kernel_free(kernel);
}

/* An error may have several diagnostics, each with a place, a hint and a call stack. */
static void walk_an_error(kiln_session *session) {
  static const char bad[] = "function broken(y)\n    y[1] = missing_function(2)\n    return\nend\n";
  kiln_error *error;
  kiln_artifact *artifact;
  check(kiln_load(session, "broken.jl", bad, strlen(bad), &error), error);
  int status = kiln_compile(session, "broken(CuDeviceVector{Float32,1})", "{\"target\": \"ptx\"}", "asm",
                            &artifact, &error);
  expect(status == KILN_INPUT && artifact == NULL && error != NULL,
         "a kernel that calls nothing known must not compile");
  for (size_t i = 0; i < kiln_error_count(error); i++) {
    printf("error %zu: %s at %s:%u:%u: %s\n", i, kiln_error_kind(error, i), kiln_error_file(error, i),
           kiln_error_line(error, i), kiln_error_column(error, i), kiln_error_message(error, i));
    for (size_t f = 0; f < kiln_error_frame_count(error, i); f++)
      printf("  in %s at %s:%u\n", kiln_error_frame_function(error, i, f), kiln_error_frame_file(error, i, f),
             kiln_error_frame_line(error, i, f));
  }
  expect(strcmp(kiln_error_file(error, 0), "broken.jl") == 0 && kiln_error_line(error, 0) == 2,
         "the error's place");
  kiln_error_free(error);
}

static void show_progress(size_t done, size_t jobs, size_t hits, size_t failed, void *user) {
  (void)hits, (void)failed;
  *(size_t *)user = done;
  printf("precompiled %zu of %zu\n", done, jobs);
}

int main(int count, char **words) {
  kiln_avoid_opencl_driver_faults();
  const char *folder =
      count > 1 ? words[1] : NULL; /* for the trace and a cache; none: that part is left out */
  char trace[1024] = "", cache[1024] = "";
  if (folder) {
    snprintf(trace, sizeof trace, "%s/jobs.trace", folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    char file[1024];
    snprintf(file, sizeof file, "%s/saxpy.jl", folder);
    FILE *out = fopen(file, "w");
    expect(out && fwrite(source, 1, sizeof source - 1, out) == sizeof source - 1 && fclose(out) == 0,
           "the folder cannot be written to");
  }
  printf("Kiln %s\n", kiln_version());

  kiln_error *error;
  kiln_session *session;
  kiln_session_options options = {
      .struct_size = sizeof options, .timings = 1, .cache_dir = "", .trace_jobs = trace};
  check(kiln_session_open(&options, &session, &error), error);
  if (folder) {
    char file[1024];
    snprintf(file, sizeof file, "%s/saxpy.jl", folder);
    check(kiln_load_file(session, file, &error), error);
  } else {
    check(kiln_load(session, "saxpy.jl", source, strlen(source), &error), error);
  }

  kiln_artifact *ptx;
  check(kiln_compile(session, "saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)",
                     "{\"target\": \"ptx\", \"arch\": \"sm_80\", \"O\": 3, \"maxthreads\": [256]}", "asm",
                     &ptx, &error),
        error);
  size_t size;
  const char *text = kiln_artifact_data(ptx, &size);
  expect(strstr(text, ".target sm_80") && strstr(text, ".maxntid 256") && strlen(text) == size, "the PTX");
  printf("PTX: %zu bytes, entry %s, %zu parameters\n", size, kiln_artifact_entry(ptx),
         kiln_artifact_parameter_count(ptx));
  kiln_artifact_free(ptx);

  float *y = malloc(n * sizeof *y), *x = malloc(n * sizeof *x);
  expect(y && x, "out of memory");
  launch_by_name(session, y, x);
  static const char *const kinds[] = {"cpu", "cuda", "opencl"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    kiln_device *device;
    if (kiln_device_open(session, kinds[i], &device, &error) == 0) {
      launch_prepared(session, device, y, x);
      kiln_device_free(device);
    } else {
      printf("no %s device: %s\n", kinds[i], kiln_error_message(error, 0));
      kiln_error_free(error);
    }
  }
  walk_an_error(session);

  char *table;
  check(kiln_timings(session, "table", &table, &error), error);
  fputs(table, stdout);
  kiln_text_free(table);
  kiln_session_close(session);
  free(y);
  free(x);

  if (folder) { /* another process would do this before the program is first started */
    size_t done = 0;
    kiln_session_options to = {.struct_size = sizeof to, .cache_dir = cache};
    kiln_precompile_options how = {
        .struct_size = sizeof how, .session = &to, .progress = show_progress, .progress_user = &done};
    kiln_precompile_report report = {.struct_size = sizeof report};
    check(kiln_precompile(trace, &how, &report, &error), error);
    expect(report.failed == 0 && report.jobs > 0 && done == report.jobs && report.made > 0,
           "jobs of the trace were not compiled");
  }
  return 0;
}
