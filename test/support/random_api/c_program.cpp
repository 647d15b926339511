// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_program.h"

#include <cstring>

namespace kiln::fuzz {

namespace {

alignas(64) float arena[4096]; ///< what all launches read and write: as long as the process

constexpr const char *library = R"(
using CUDA
function scale(y, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * y[i]
    end
    return
end
throws(y) = (y[length(y) + 1] = 1f0; return)
empty() = return
)";

const std::vector<const char *> texts{
    library, nullptr, "", "scale(y, a) = (y[1] = a; return)", "f(x) =", "using Nowhere", "@macro ["};
const std::vector<const char *> calls{"scale(CuDeviceVector{Float32,1}, Float32)",
                                      "throws(CuDeviceVector{Float32,1})",
                                      "empty()",
                                      "empty",
                                      "nowhere(Int64)",
                                      "",
                                      "(",
                                      nullptr,
                                      "scale(Float32"};
const std::vector<const char *> functions{"scale", "throws", "empty", "nowhere", "", nullptr, "("};
const std::vector<const char *> options{nullptr,
                                        "",
                                        "{}",
                                        R"({"target": "ptx"})",
                                        R"({"O": 0})",
                                        R"({"O": 9})",
                                        "{",
                                        "[]",
                                        R"({"x": 1})",
                                        R"({"target": "ptx", "arch": "sm_10"})",
                                        R"({"O": 0, "check": true})",
                                        R"({"maxthreads": "a"})"};
const std::vector<const char *> products{"asm",   nullptr, "obj",      "cubin", "lowered",
                                         "typed", "llvm",  "llvm-opt", "",      "soup"};
const std::vector<const char *> devices{
    "cpu", nullptr, "cuda", "cuda:1", "cuda:77", "cuda:", "", "toaster", "cuda:99999999999999999999"};
const std::vector<const char *> types{"Float32", nullptr,    "Int64",           "Nowhere",
                                      "",        "Float32}", "Complex{Float32}"};
const std::vector<unsigned> extents{1, 0, 8, 32, 1025, 0xffffffff};
const std::vector<uint64_t> amounts{0, 16, 256, 4096, uint64_t(1) << 40, UINT64_MAX};
const std::vector<int64_t> lengths{8, 0, 1, 64, -1, INT64_MIN, INT64_MAX, 4096};

template <class Handle> void free_as(void (*free)(Handle *), void *handle) {
  free(static_cast<Handle *>(handle));
}

void free_any(void *handle) { // for all kinds but one it is none
  free_as(kiln_stream_free, handle);
  free_as(kiln_graph_free, handle);
  free_as(kiln_kernel_free, handle);
  free_as(kiln_buffer_free, handle);
  free_as(kiln_event_free, handle);
  free_as(kiln_artifact_free, handle);
  free_as(kiln_error_free, handle);
  free_as(kiln_device_free, handle);
  free_as(kiln_session_close, handle);
  free_language_handle(handle);
  free_other_handle(handle);
}

} // namespace

CProgram::~CProgram() {
  for (void *handle : handles_) free_any(handle);
}

void CProgram::run(size_t max_steps) {
  open();
  for (size_t i = 0; i < max_steps && !d_.done(); i++) step();
}

void *CProgram::any_handle() {
  switch (d_.below(16)) {
  case 0: return nullptr;
  case 1: return arena;
  case 2: return reinterpret_cast<void *>(uint64_t(d_.byte()) << 1 | 1);
  case 3: return reinterpret_cast<void *>(~uint64_t(0));
  default: break;
  }
  if (handles_.empty()) return nullptr;
  // The newest are the likeliest to fit: half of the time one of the last four.
  size_t back = d_.below(2) ? d_.below(4) : d_.below(handles_.size());
  return (handles_[handles_.size() - 1 - std::min(back, handles_.size() - 1)]);
}

void CProgram::judge(const char *what, int status, kiln_error *error, const void *out) {
  if (status == KILN_OK) {
    accepted++;
    if (error) fault_(std::string(what) + ": an error beside a success");
    return;
  }
  refused++;
  std::string text = kiln_error_text(error);
  if (status < 1 || status > 3)
    fault_(std::string(what) + ": status " + std::to_string(status) + ": " + text);
  if (!error || text.empty() || kiln_error_count(error) == 0 || kiln_error_status(error) != status)
    fault_(std::string(what) + ": a failure that says nothing");
  if (out) fault_(std::string(what) + ": a result beside a failure");
  for (size_t i = 0; i <= kiln_error_count(error); i++)
    for (size_t part = 0; part < 3; part++)
      if (!kiln_error_file(error, i) || !kiln_error_hint(error, i) ||
          !kiln_error_frame_function(error, i, part) || !kiln_error_note_text(error, i, part))
        fault_(std::string(what) + ": a null string");
  kiln_error_free(error);
}

size_t CProgram::size_of(size_t right) {
  switch (d_.below(8)) {
  case 0: return 0;
  case 1: return d_.byte();
  case 2: return right + 8;
  case 3: return ~size_t(0);
  default: return right;
  }
}

kiln_argument CProgram::argument() {
  kiln_argument a{};
  a.struct_size = size_of(sizeof a);
  a.kind = int(d_.below(4));
  a.type = d_.of(types);
  a.dtype = {uint8_t(d_.below(8)), uint8_t(d_.below(2) ? 32 : d_.byte()), uint16_t(d_.below(3))};
  a.data = a.kind == KILN_BUFFER ? static_cast<void *>(any<kiln_buffer>()) : d_.below(8) ? arena : nullptr;
  a.size = d_.below(3) ? 0 : d_.below(64);
  a.ndim = int(d_.below(6)) - 1;
  if (a.ndim > 4) a.ndim = 4;
  for (int64_t &d : dims_) d = d_.of(lengths);
  int64_t elements = 1; // what is true of memory only the caller can know: no more than the arena holds
  for (int i = 0; i < a.ndim; i++)
    elements = dims_[i] <= 0 || dims_[i] > 4096 || elements <= 0 ? -1 : elements * dims_[i];
  if (a.kind == KILN_ARRAY && elements * 64 > int64_t(sizeof arena))
    dims_[0] = dims_[1] = dims_[2] = dims_[3] = 2;
  a.dims = d_.below(8) ? dims_ : nullptr;
  a.strides = d_.below(3) ? nullptr : strides_;
  return a;
}

void CProgram::open() {
  kiln_session_options given{};
  given.struct_size = size_of(sizeof given);
  given.cache_dir = "";
  given.timings = int(d_.below(2));
  given.cpu_threads = unsigned(d_.below(3));
  given.verbosity = int(d_.below(8)) ? 1 : -7;
  given.warm_up = d_.below(6) ? nullptr : d_.of(options);
  kiln_session *session = nullptr;
  kiln_error *error = nullptr;
  int status = kiln_session_open(d_.below(16) ? &given : nullptr, d_.below(16) ? &session : nullptr, &error);
  judge("kiln_session_open", status, error, status ? session : nullptr);
  keep(session);
  if (!session) return;
  judge("kiln_load", kiln_load(session, "library.jl", library, std::strlen(library), &error), error);
}

void CProgram::step() {
  if (d_.below(4) == 0) return use_more();
  switch (d_.below(11)) {
  case 0: return d_.below(8) ? use_session() : open();
  case 1:
  case 2: return use_kernels();
  case 3:
  case 4: return use_streams();
  case 5: return use_devices();
  case 6: return d_.below(2) ? walk() : reports();
  case 7: return define();
  case 8: return define_method();
  case 9: return use_jobs();
  default: return free_one();
  }
}

void CProgram::use_session() {
  kiln_error *error = nullptr;
  if (d_.below(3) == 0) {
    const char *text = d_.of(texts);
    return judge("kiln_load",
                 kiln_load(any<kiln_session>(), d_.below(4) ? "a.jl" : nullptr, text,
                           text ? std::strlen(text) : d_.below(3), &error),
                 error);
  }
  kiln_artifact *artifact = nullptr;
  int status = kiln_compile(any<kiln_session>(), d_.of(calls), d_.of(options), d_.of(products),
                            d_.below(16) ? &artifact : nullptr, &error);
  judge("kiln_compile", status, error, status ? artifact : nullptr);
  keep(artifact);
}

void CProgram::use_kernels() {
  kiln_error *error = nullptr;
  const unsigned shape[3] = {d_.of(extents), 1, unsigned(d_.below(2))};
  switch (d_.below(5)) {
  case 0: {
    kiln_argument arguments[3] = {argument(), argument(), argument()};
    return judge("kiln_launch",
                 kiln_launch(any<kiln_session>(), d_.of(devices), d_.of(functions),
                             d_.below(8) ? shape : nullptr, shape, arguments, d_.below(4), &error),
                 error);
  }
  case 1: {
    kiln_argument arguments[2] = {argument(), argument()};
    kiln_launch_options given{};
    given.struct_size = size_of(sizeof given);
    given.device = d_.of(devices);
    given.function = d_.of(functions);
    given.threads[0] = d_.of(extents);
    given.shared_bytes = d_.of(amounts);
    given.arguments = arguments;
    given.count = d_.below(3);
    given.options_json = d_.of(options);
    given.stream = d_.below(2) ? any<kiln_stream>() : nullptr;
    given.cooperative = int(d_.below(2));
    given.cluster[0] = d_.below(4) ? 0 : d_.of(extents);
    given.time_limit = d_.below(4) ? 0 : double(d_.byte()) - 4;
    return judge("kiln_launch_ex",
                 kiln_launch_ex(any<kiln_session>(), d_.below(16) ? &given : nullptr, &error), error);
  }
  case 2: {
    kiln_kernel *kernel = nullptr;
    int status =
        kiln_prepare(any<kiln_session>(), d_.of(calls), d_.of(options), any<kiln_device>(), &kernel, &error);
    judge("kiln_prepare", status, error, status ? kernel : nullptr);
    return keep(kernel);
  }
  case 3: {
    kiln_kernel *kernel = nullptr;
    int status =
        kiln_load_kernel(any<kiln_session>(), any<kiln_artifact>(), any<kiln_device>(), &kernel, &error);
    judge("kiln_load_kernel", status, error, status ? kernel : nullptr);
    return keep(kernel);
  }
  default: {
    int64_t header[5] = {}, n = 64;
    float a = 2;
    (void)kiln_array_header(header, sizeof header, arena, sizeof(float), 1, &n, nullptr);
    const void *arguments[3] = {d_.below(8) ? header : nullptr, &a, header};
    kiln_shape given{};
    given.struct_size = size_of(sizeof given);
    given.threads[0] = d_.of(extents);
    given.blocks[1] = d_.of(extents) & 3;
    given.shared_bytes = d_.below(4) ? 0 : d_.of(amounts);
    given.time_limit = d_.below(8) ? 0 : -1.5;
    kiln_kernel *kernel = any<kiln_kernel>();
    // An array of the right size where the kernel takes one: what else it may be only the caller can know.
    kiln_artifact *artifact = nullptr;
    if (kiln_kernel_artifact(kernel, &artifact, nullptr) == KILN_OK &&
        kiln_artifact_parameter_count(artifact) > 0 && kiln_artifact_parameter_size(artifact, 0) != 32)
      kernel = nullptr;
    kiln_artifact_free(artifact);
    return judge("kiln_kernel_launch",
                 kiln_kernel_launch(kernel, any<kiln_stream>(), d_.below(16) ? &given : nullptr,
                                    d_.below(16) ? arguments : nullptr, d_.below(4), &error),
                 error);
  }
  }
}

void CProgram::use_streams() {
  kiln_error *error = nullptr;
  switch (d_.below(10)) {
  case 0: {
    kiln_stream *stream = nullptr;
    int status = kiln_stream_open(any<kiln_session>(), any<kiln_device>(), &stream, &error);
    judge("kiln_stream_open", status, error, status ? stream : nullptr);
    return keep(stream);
  }
  case 1: {
    kiln_buffer *buffer = nullptr;
    int status =
        kiln_stream_allocate(any<kiln_stream>(), d_.of(amounts), d_.below(16) ? &buffer : nullptr, &error);
    judge("kiln_stream_allocate", status, error, status ? buffer : nullptr);
    return keep(buffer);
  }
  case 2: {
    kiln_event *event = nullptr;
    judge("kiln_event_create", kiln_event_create(&event, &error), error);
    return keep(event);
  }
  case 3:
    return judge("kiln_stream_record", kiln_stream_record(any<kiln_stream>(), any<kiln_event>(), &error),
                 error);
  case 4:
    return judge("kiln_stream_wait", kiln_stream_wait(any<kiln_stream>(), any<kiln_event>(), &error), error);
  case 5: return judge("kiln_stream_synchronize", kiln_stream_synchronize(any<kiln_stream>(), &error), error);
  case 6:
    return judge("kiln_stream_copy",
                 kiln_stream_copy(any<kiln_stream>(), d_.below(8) ? arena : nullptr,
                                  d_.below(8) ? arena + 2048 : nullptr, d_.below(2) ? 256 : 0, &error),
                 error);
  case 7:
    return judge(
        "kiln_stream_fill",
        kiln_stream_fill(any<kiln_stream>(), d_.below(8) ? arena : nullptr, 1, d_.below(2) ? 256 : 0, &error),
        error);
  case 8: {
    double seconds = 0;
    return judge(
        "kiln_event_seconds",
        kiln_event_seconds(any<kiln_event>(), any<kiln_event>(), d_.below(8) ? &seconds : nullptr, &error),
        error);
  }
  default: {
    kiln_stream *stream = any<kiln_stream>();
    judge("kiln_stream_capture_begin", kiln_stream_capture_begin(stream, &error), error);
    kiln_graph *graph = nullptr;
    int status = kiln_stream_capture_end(d_.below(8) ? stream : any<kiln_stream>(), &graph, &error);
    judge("kiln_stream_capture_end", status, error, status ? graph : nullptr);
    // A capture that was not ended where it began ends here.
    if (kiln_stream_capture_end(stream, &graph, nullptr) == KILN_OK) keep(graph);
    keep(graph);
    return judge("kiln_stream_launch_graph",
                 kiln_stream_launch_graph(any<kiln_stream>(), any<kiln_graph>(), &error), error);
  }
  }
}

void CProgram::use_devices() {
  kiln_error *error = nullptr;
  kiln_device *device = nullptr;
  switch (d_.below(5)) {
  case 0:
  case 1: {
    int status =
        kiln_device_open(any<kiln_session>(), d_.of(devices), d_.below(16) ? &device : nullptr, &error);
    judge("kiln_device_open", status, error, status ? device : nullptr);
    return keep(device);
  }
  case 2: {
    kiln_buffer *buffer = nullptr;
    int status = kiln_device_allocate_pinned(any<kiln_device>(), d_.of(amounts), &buffer, &error);
    judge("kiln_device_allocate_pinned", status, error, status ? buffer : nullptr);
    return keep(buffer);
  }
  case 3: return judge("kiln_device_synchronize", kiln_device_synchronize(any<kiln_device>(), &error), error);
  default: {
    uint64_t bytes = 0;
    judge("kiln_device_free_memory",
          kiln_device_free_memory(any<kiln_device>(), d_.below(8) ? &bytes : nullptr, &error), error);
    return judge("kiln_device_trim", kiln_device_trim(any<kiln_device>(), d_.of(amounts), &error), error);
  }
  }
}

void CProgram::walk() {
  kiln_artifact *artifact = any<kiln_artifact>();
  size_t size = 1;
  const void *data = kiln_artifact_data(artifact, &size);
  if (!data && size) fault_("bytes without data");
  if (!kiln_artifact_entry(artifact)) fault_("a null entry");
  (void)kiln_artifact_parameter_size(artifact, d_.byte());
  (void)kiln_device_name(any<kiln_device>());
  (void)kiln_device_compute_capability(any<kiln_device>());
  (void)kiln_buffer_data(any<kiln_buffer>());
  (void)kiln_stream_native(any<kiln_stream>());
  (void)kiln_stream_idle(any<kiln_stream>());
  (void)kiln_event_done(any<kiln_event>()), (void)kiln_error_text(any<kiln_error>());
}

void CProgram::reports() {
  kiln_error *error = nullptr;
  char *text = nullptr;
  const char *forms[] = {"table", "json", "trace", nullptr, "pie"};
  int status = kiln_timings(any<kiln_session>(), forms[d_.below(5)], d_.below(8) ? &text : nullptr, &error);
  judge("kiln_timings", status, error, status ? text : nullptr);
  kiln_text_free(text);
  kiln_counters counters{};
  counters.struct_size = size_of(sizeof counters);
  judge("kiln_session_counters",
        kiln_session_counters(any<kiln_session>(), d_.below(8) ? &counters : nullptr, &error), error);
  kiln_resources resources{};
  resources.struct_size = size_of(sizeof resources);
  judge("kiln_artifact_resources",
        kiln_artifact_resources(any<kiln_artifact>(), d_.below(8) ? &resources : nullptr, &error), error);
}

void CProgram::free_one() {
  void *handle = any<void>();
  switch (d_.below(3)) {
  case 0: return free_any(handle);
  case 1: return free_as(kiln_buffer_free, handle);
  default: return free_as(kiln_stream_free, handle);
  }
}

} // namespace kiln::fuzz
