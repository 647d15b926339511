/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * unload LIBRARY: a program that loads libkiln.so at run time and unloads it again, between uses and while
 * launches run. The library is linked with -z nodelete: dlclose leaves it where it is, so threads and handles
 * go on. */
#include <kiln/c.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(holds)                                                                                        \
  do                                                                                                         \
    if (!(holds)) {                                                                                          \
      fprintf(stderr, "line %d: not so: %s\n", __LINE__, #holds);                                            \
      exit(1);                                                                                               \
    }                                                                                                        \
  while (0)

static const char program[] =
    "function add(y)\n    for i in 1:length(y)\n        y[i] += 1\n    end\n    return\nend\n";

typedef int open_session(const kiln_session_options *, kiln_session **, kiln_error **);
typedef void close_session(kiln_session *);
typedef int load_text(kiln_session *, const char *, const char *, size_t, kiln_error **);
typedef int open_device(kiln_session *, const char *, kiln_device **, kiln_error **);
typedef int prepare_kernel(kiln_session *, const char *, const char *, const kiln_device *, kiln_kernel **,
                           kiln_error **);
typedef int open_stream(kiln_session *, const kiln_device *, kiln_stream **, kiln_error **);
typedef int launch_kernel(kiln_kernel *, kiln_stream *, const kiln_shape *, const void *const *, size_t,
                          kiln_error **);
typedef int synchronize(kiln_stream *, kiln_error **);
typedef int make_header(void *, size_t, void *, size_t, int, const int64_t *, kiln_error **);
typedef void free_stream(kiln_stream *);
typedef void free_kernel(kiln_kernel *);
typedef void free_device(kiln_device *);

int main(int count, char **words) {
  static float y[10000];
  void *library, *again;
  int round, i;
  EXPECT(count == 2);
  for (round = 0; round < 2; round++) {
    kiln_session *session;
    kiln_device *cpu;
    kiln_kernel *kernel;
    kiln_stream *stream;
    kiln_session_options options;
    kiln_shape shape;
    int64_t header[4], n = 10000;
    const void *arguments[1];
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.cache_dir = "";
    memset(&shape, 0, sizeof shape);
    shape.struct_size = sizeof shape;
    library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "%s\n", dlerror());
    EXPECT(library);
    open_session *open = (open_session *)dlsym(library, "kiln_session_open");
    close_session *close = (close_session *)dlsym(library, "kiln_session_close");
    load_text *load = (load_text *)dlsym(library, "kiln_load");
    open_device *device = (open_device *)dlsym(library, "kiln_device_open");
    prepare_kernel *prepare = (prepare_kernel *)dlsym(library, "kiln_prepare");
    open_stream *make_stream = (open_stream *)dlsym(library, "kiln_stream_open");
    launch_kernel *launch = (launch_kernel *)dlsym(library, "kiln_kernel_launch");
    synchronize *wait = (synchronize *)dlsym(library, "kiln_stream_synchronize");
    make_header *header_of = (make_header *)dlsym(library, "kiln_array_header");
    free_stream *drop_stream = (free_stream *)dlsym(library, "kiln_stream_free");
    free_kernel *drop_kernel = (free_kernel *)dlsym(library, "kiln_kernel_free");
    free_device *drop_device = (free_device *)dlsym(library, "kiln_device_free");
    EXPECT(open && close && load && device && prepare && make_stream && launch && wait && header_of &&
           drop_stream);
    EXPECT(open(&options, &session, NULL) == KILN_OK);
    EXPECT(load(session, "add.jl", program, strlen(program), NULL) == KILN_OK);
    EXPECT(device(session, "cpu", &cpu, NULL) == KILN_OK);
    EXPECT(prepare(session, "add(CuDeviceVector{Float32,1})", NULL, cpu, &kernel, NULL) == KILN_OK);
    EXPECT(make_stream(session, cpu, &stream, NULL) == KILN_OK);
    EXPECT(header_of(header, sizeof header, y, sizeof *y, 1, &n, NULL) == KILN_OK);
    arguments[0] = header;
    for (i = 0; i < 500; i++) EXPECT(launch(kernel, stream, &shape, arguments, 1, NULL) == KILN_OK);
    EXPECT(dlclose(library) == 0); /* while the launches run */
    again = dlopen(words[1], RTLD_NOW | RTLD_NOLOAD);
    EXPECT(again); /* it is still there */
    EXPECT(again == library);
    dlclose(again);
    EXPECT(wait(stream, NULL) == KILN_OK);
    EXPECT(y[9999] == (float)(500 * (round + 1)));
    drop_stream(stream);
    drop_kernel(kernel);
    drop_device(cpu);
    close(session);
  }
  return 0;
}
