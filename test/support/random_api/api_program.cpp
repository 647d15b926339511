// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api_program.h"

#include "api_values.h"

namespace kiln::fuzz {

namespace {
constexpr size_t max_handles = 24; ///< of each kind that live at a time
}

void ApiProgram::run(size_t max_steps) {
  open();
  for (size_t i = 0; i < max_steps && !d_.done(); i++) step();
  for (Stream &stream : streams_) judge("synchronize at the end", stream.synchronize());
}

void ApiProgram::open() {
  SessionOptions o{.cache_dir = "", .verbosity = LogLevel::Error};
  if (!sessions_.empty()) switch (d_.below(12)) {
    case 0: o.verbosity = LogLevel(d_.of(numbers)); break;
    case 1: o.cpu_threads = unsigned(d_.of(numbers)); break;
    case 2: o.artifact_budget = o.inference_budget = 0; break;
    case 3: o.cache_dir = std::string("\0/nowhere", 9); break;
    case 4: o.warm_up = config(); break;
    case 5: o.timings = o.trace_events = true; break;
    case 6: o.cpu_order = 7; break;
    case 7: o.cpu_arena = [](const std::function<void()> &work) { work(); }; break;
    default: break;
    }
  if (o.verbosity > LogLevel::Error && o.verbosity <= LogLevel::Debug) o.verbosity.reset(); // nobody reads it
  if (o.cpu_threads > 8 && o.cpu_threads <= 1024) o.cpu_threads = 8;
  auto opened = Session::open(o);
  if (!judge("open", opened)) return;
  judge("load the library", (*opened)->load("library.jl", library));
  sessions_.push_back(std::move(*opened));
}

void ApiProgram::load() {
  judge("load", session()->load(d_.below(4) ? "text.jl" : d_.of(functions), d_.of(texts)));
  if (d_.below(4) == 0)
    judge("load_file", session()->load_file(d_.of(std::vector<std::string>{
                           "/nowhere.jl", "", std::string("/dev/null\0.jl", 13), "/", "/dev/null"})));
}

void ApiProgram::launch_by_name() {
  std::vector<Argument> arguments;
  const bool is_usual = d_.below(2);
  if (is_usual)
    arguments = {argument(), Argument::scalar(0.5f)};
  else
    for (size_t n = d_.below(4); n > 0; n--) arguments.push_back(argument());
  Device on = device();
  judge("launch", session()->launch(on, is_usual ? "scale" : d_.of(functions), shape(), arguments, config(),
                                    options()));
}

void ApiProgram::launch_kernel() {
  if (kernels_.empty() || d_.below(3) == 0) {
    auto made = d_.below(4)
                    ? session()->prepare("scale(CuDeviceVector{Float32,1}, Float32)", config(), device())
                    : session()->prepare(call(), config(), device());
    if (judge("prepare", made)) kernels_.push_back(std::move(*made));
  }
  if (d_.below(6) == 0) {
    Artifact odd{.kind = ArtifactKind(d_.below(9)), .bytes = d_.below(2) ? "spam" : ""};
    auto made = session()->load_kernel(d_.below(3)          ? std::make_shared<const Artifact>(odd)
                                       : artifacts_.empty() ? nullptr
                                                            : d_.of(artifacts_),
                                       device());
    if (judge("load_kernel", made)) kernels_.push_back(std::move(*made));
  }
  if (d_.below(8) == 0) kernels_.emplace_back();
  if (kernels_.empty()) return;
  const Kernel &kernel = *any(kernels_);
  // The caller alone knows how many bytes each argument has: `plain` and the like take what is there.
  if (Stream *stream = any(streams_); stream && d_.below(4))
    judge("Stream::launch", stream->launch(kernel, shape(), pointers(), options()));
  else
    judge("launch of a kernel", session()->launch(kernel, shape(), pointers(), options()));
}

void ApiProgram::use_stream() {
  if (streams_.empty() || d_.below(4) == 0) {
    auto made = d_.below(8) ? session()->stream(device()) : session()->stream(device(), nullptr);
    if (judge("stream", made))
      streams_.push_back(std::move(*made));
    else
      streams_.push_back(d_.below(2) ? Stream() : session()->stream());
  }
  Stream &stream = *any(streams_);
  switch (d_.below(6)) {
  case 0: {
    auto made = stream.allocate(d_.of(amounts));
    if (!judge("allocate", made)) break;
    uint64_t bytes = std::min<uint64_t>(made->bytes(), sizeof arena);
    judge("fill", stream.fill(made->data(), 7, bytes));
    judge("copy", stream.copy(made->data(), arena, bytes));
    buffers_.push_back(std::move(*made));
    break;
  }
  case 1:
    judge("copy", stream.copy(d_.below(2) ? arena : nullptr, d_.below(2) ? arena + 64 : nullptr,
                              d_.below(3) ? 64 : 0));
    break;
  case 2: judge("fill", stream.fill(d_.below(2) ? arena : nullptr, 0, d_.below(3) ? 64 : 0)); break;
  case 3: judge("synchronize", stream.synchronize()); break;
  case 4: (void)stream.idle(), (void)stream.native_handle(), devices_.push_back(stream.device()); break;
  case 5:
    if (Graph *graph = any(graphs_))
      judge("launch of a graph", stream.launch(*graph));
    else
      judge("launch of a graph", stream.launch(Graph()));
  }
}

void ApiProgram::use_events() {
  if (events_.empty() || d_.below(3) == 0) events_.emplace_back();
  Event &event = *any(events_), &other = *any(events_);
  Stream none, *stream = any(streams_);
  if (!stream) stream = &none;
  switch (d_.below(5)) {
  case 0: judge("record", stream->record(event)); break;
  case 1: judge("wait", stream->wait(event)); break;
  case 2: (void)event.done(); break;
  case 3: event.wait(); break;
  case 4: judge("between", Event::between(event, other)); break;
  }
}

void ApiProgram::capture() {
  Stream *stream = any(streams_);
  if (!stream) return;
  if (auto began = stream->capture_begin(); !judge("capture_begin", began)) return;
  if (d_.below(2)) judge("allocate while capturing", stream->allocate(64));
  if (d_.below(2)) judge("copy while capturing", stream->copy(arena, arena + 64, 64));
  auto ended = stream->capture_end();
  if (judge("capture_end", ended)) graphs_.push_back(std::move(*ended));
}

void ApiProgram::ask() {
  Session &s = *session();
  switch (d_.below(8)) {
  case 0: {
    auto made =
        s.compile(call(), config(), d_.below(4) ? ArtifactKind(d_.below(7)) : ArtifactKind(d_.byte()));
    if (judge("compile", made)) artifacts_.push_back(std::move(*made));
    break;
  }
  case 1:
    (void)s.timings().table(), (void)s.timings().json(), (void)s.trace(), (void)s.counters();
    s.flush_cache();
    break;
  case 2: judge("gpus", s.gpus()); break;
  case 3:
    if (auto found = s.gpu(with_gpus_ && d_.below(2) ? 0 : d_.of(numbers)); judge("gpu", found))
      devices_.push_back(std::move(*found));
    break;
  case 4:
    if (auto found = s.gpu_in_context(nullptr); judge("gpu_in_context", found))
      devices_.push_back(std::move(*found));
    break;
  case 5: {
    Device of = device();
    (void)of.info().name, (void)of.limits(), (void)of.target(), (void)of.memory(), (void)of.native_context(),
        (void)of.is_gpu();
    judge("free_memory", of.free_memory()), judge("trim", of.trim(d_.of(amounts))),
        judge("set_kept_memory", of.set_kept_memory(d_.of(amounts))),
        judge("Device::synchronize", of.synchronize());
    if (auto made = of.allocate_pinned(d_.of(amounts)); judge("allocate_pinned", made))
      buffers_.push_back(std::move(*made));
    devices_.push_back(of);
    break;
  }
  case 6: {
    Kernel none, *kernel = any(kernels_);
    if (!kernel) kernel = &none;
    (void)kernel->artifact().entry, devices_.push_back(kernel->device());
    judge("suggest", kernel->suggest(d_.of(amounts))), judge("global", kernel->global(d_.of(functions)));
    break;
  }
  case 7:
    judge("linked_file", linked_file(d_.of(functions), d_.of(texts))),
        judge("read_linked_file", read_linked_file(d_.of(texts)));
    break;
  }
}

void ApiProgram::foreign() {
  int64_t shape[2] = {d_.of(lengths), d_.of(lengths)}, strides[2] = {d_.of(lengths), 1};
  dlpack::Tensor tensor{.data = d_.below(2) ? arena : nullptr,
                        .device = {d_.of(numbers), d_.of(numbers)},
                        .ndim = d_.below(4) ? int32_t(d_.below(3)) : d_.of(numbers) % 3,
                        .dtype = {d_.byte(), uint8_t(d_.below(2) ? 32 : d_.byte()), uint16_t(d_.below(2))},
                        .shape = d_.below(4) ? shape : nullptr,
                        .strides = d_.below(2) ? strides : nullptr,
                        .byte_offset = 0};
  if (d_.below(2)) tensor.device = {1, 0}, tensor.dtype = {2, 32, 1};
  (void)judge("argument_of a tensor",
              argument_of(tensor, device(), {.reverse_dimensions = d_.below(2) != 0}));
  CudaArrayInterface array{.shape = {shape, d_.below(3)},
                           .typestr = d_.below(2) ? "<f4" : "",
                           .data = arena,
                           .strides = {strides, d_.below(3)}};
  (void)judge("argument_of a CUDA array", argument_of(array, device()));
}

void ApiProgram::precompile_list() {
  std::vector<PrecompileJob> jobs(1 + d_.below(2));
  for (PrecompileJob &job : jobs) {
    job.call = call();
    job.config = config();
    job.product = ArtifactKind(d_.below(9));
    if (d_.below(3) == 0) job.files.push_back({.name = "/nowhere.jl"});
    if (d_.below(3) == 0) job.captures.emplace_back(d_.of(functions), d_.of(texts));
  }
  (void)shard_of(jobs, unsigned(d_.of(numbers)), unsigned(d_.of(numbers)));
  PrecompileOptions options{.session = {.cache_dir = "/dev/null/none", .verbosity = LogLevel::Error},
                            .threads = 1};
  judge("precompile", precompile(jobs, options));
  judge("read_job_trace", read_job_trace("/nowhere"));
}

void ApiProgram::move_or_destroy() {
  auto one = [&](auto &values) {
    if (values.empty()) return;
    size_t at = d_.below(values.size());
    switch (d_.below(4)) {
    case 0: {
      auto moved = std::move(values[at]);
    } break; // what was moved from stays, and is used
    case 1: values[at] = std::move(values[d_.below(values.size())]); break;
    default: values.erase(values.begin() + ptrdiff_t(at)); break;
    }
  };
  switch (d_.below(8)) {
  case 0:
    if (!sessions_.empty()) sessions_.erase(sessions_.begin() + ptrdiff_t(d_.below(sessions_.size())));
    break;
  case 1: one(devices_); break;
  case 2: one(kernels_); break;
  case 3: one(streams_); break;
  case 4: one(buffers_); break;
  case 5: one(events_); break;
  case 6: one(graphs_); break;
  case 7: one(artifacts_); break;
  }
}

void ApiProgram::step() {
  switch (d_.below(12)) {
  case 0:
    if (sessions_.size() < 3) open();
    break;
  case 1: load(); break;
  case 2: launch_by_name(); break;
  case 3:
  case 4: launch_kernel(); break;
  case 5:
  case 6: use_stream(); break;
  case 7: use_events(); break;
  case 8: d_.below(2) ? capture() : foreign(); break;
  case 9: ask(); break;
  case 10:
    if (d_.below(8) == 0)
      precompile_list();
    else
      ask();
    break;
  case 11: move_or_destroy(); break;
  }
  auto bound = [](auto &values) {
    if (values.size() > max_handles) values.erase(values.begin());
  };
  bound(devices_), bound(kernels_), bound(streams_), bound(buffers_), bound(events_), bound(graphs_),
      bound(artifacts_);
}

} // namespace kiln::fuzz
