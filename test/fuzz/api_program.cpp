// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api_program.h"

#include "../no_target.h"

#include <array>
#include <climits>
#include <cstring>

namespace kiln::fuzz {

namespace {

constexpr size_t arena_floats = 4096, most_handles = 24;
/// What all launches read and write: as long as the process.
alignas(64) float arena[arena_floats];

constexpr const char *library = R"(
using CUDA
function scale(y, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * y[i]
    end
    return
end
function fill2(y)
    if threadIdx().x <= size(y, 1)
        y[threadIdx().x, 1] = 1f0
    end
    return
end
function throws(y)
    y[length(y) + 1] = 1f0
    return
end
function meets(y)
    s = CuStaticSharedArray(Float32, 32)
    s[(threadIdx().x - 1) % 32 + 1] = 1f0
    sync_threads()
    if threadIdx().x == 1 && length(y) > 0
        y[1] = s[1]
    end
    return
end
struct Pair2
    a::Float32
    b::Float32
end
named(s, y) = (y[1] = s === :a ? 1f0 : 2f0; return)
plain(a, b) = a + b
empty() = return
)";

const std::vector<std::string> texts{library,
                                     "scale(y, a) = (y[1] = a; return)",
                                     "plain(a, b) = a * b",
                                     "",
                                     "f(x) =",
                                     "function",
                                     "x = ",
                                     std::string("nul(x) = x\0 + 1", 15),
                                     "@macro [",
                                     "struct S; a::Nowhere; end",
                                     "empty() = throw(1)",
                                     "using Nowhere",
                                     "named(s, y) = 1",
                                     "scale(y) = nothing"};
const std::vector<std::string> types{"CuDeviceVector{Float32,1}",
                                     "CuDeviceArray{Float32,2,1}",
                                     "Float32",
                                     "Int64",
                                     "Pair2",
                                     "Symbol",
                                     "Nowhere",
                                     "",
                                     "Int64, Int64",
                                     "Float32) (",
                                     "Array{Float32}",
                                     "1",
                                     "Val{3}",
                                     std::string("Int\0", 4),
                                     "CuDeviceVector",
                                     "Union{}",
                                     "LLVMPtr{Float32,1}"};
const std::vector<std::string> functions{"scale",
                                         "fill2",
                                         "throws",
                                         "meets",
                                         "named",
                                         "plain",
                                         "empty",
                                         "nowhere",
                                         "",
                                         "(",
                                         "Base.:+",
                                         "Pair2",
                                         std::string("sca\0le", 6),
                                         "1",
                                         "scale(",
                                         "x -> x"};

const std::vector<int64_t> lengths{0, 1, 3, 64, 100, -1, INT64_MIN, INT64_MAX, int64_t(1) << 62, 4096};
const std::vector<uint32_t> sizes{1, 2, 32, 64, 0, 3, 1024, 1025, 65536, UINT32_MAX};
const std::vector<int> numbers{0, 1, 2, 3, -1, 4, -5, 99, INT_MIN, INT_MAX, 90, 35};
const std::vector<uint64_t> amounts{0, 16, 256, 4096, 48 << 10, 300 << 10, UINT64_MAX, uint64_t(1) << 40, 1};

} // namespace

void ApiProgram::run(size_t max_steps) {
  open();
  for (size_t i = 0; i < max_steps && !d_.done(); i++) step();
  for (Stream &stream : streams_) judge("synchronize at the end", stream.synchronize());
}

Session *ApiProgram::session() {
  if (sessions_.empty()) open();
  return sessions_.empty() ? nullptr : sessions_[d_.below(sessions_.size())].get();
}

Device ApiProgram::device() {
  if (size_t at = d_.below(devices_.size() + 2); at < devices_.size()) return devices_[at];
  return d_.below(4) ? session()->cpu() : Device();
}

std::string ApiProgram::call() {
  if (d_.below(4) == 0) return d_.of(functions); // no arguments, no parentheses
  if (d_.below(2)) return "scale(CuDeviceVector{Float32,1}, Float32)";
  std::string text = d_.of(functions) + "(";
  for (size_t n = d_.below(3), i = 0; i < n; i++) text += (i ? ", " : "") + d_.of(types);
  return text + ")";
}

CompilerConfig ApiProgram::config() {
  CompilerConfig c;
  c.opt_level = 0; // quick
  for (size_t n = d_.below(4); n > 0; n--) switch (d_.below(16)) {
    case 0:
      c.target = std::vector<TargetSpec>{NativeOptions(), PtxOptions(), test::NoTarget()}[d_.below(3)];
      break;
    case 1: c.target.edit<PtxOptions>().sm = d_.of(numbers); break;
    case 2: c.opt_level = d_.of(numbers); break;
    case 3: c.debug_level = d_.of(numbers); break;
    case 4: c.entry_abi = EntryAbi(d_.below(3)); break;
    case 5: c.kernel = false; break;
    case 6: c.name = d_.of(functions); break;
    case 7: c.check = true; break;
    case 8: c.interruptible = true; break;
    case 9: c.target.edit<NativeOptions>().cpu = d_.of(functions); break;
    case 10: c.target.edit<PtxOptions>().max_threads = {d_.of(sizes), d_.of(sizes), d_.of(sizes)}; break;
    case 11: c.target = PtxOptions(); break;
    case 12: c.linked.push_back({.kind = LinkedKind(d_.below(9)), .name = d_.of(functions)}); break;
    case 13: c.target.edit<NativeOptions>().features = d_.of(functions); break;
    case 14: c.invariant_arguments = true; break;
    case 15: c.optimize = c.cleanup = false; break;
    }
  return c;
}

LaunchShape ApiProgram::shape() {
  if (d_.below(3)) return {.threads = {32, 1, 1}};
  uint32_t blocks = d_.of(sizes);
  if (blocks == 65536) blocks = 200; // quick
  return {.blocks = {blocks, d_.of(sizes) % 3, 1},
          .threads = {d_.of(sizes), d_.of(sizes) % 4, 1},
          .shared_bytes = d_.of(amounts)};
}

LaunchOptions ApiProgram::options() {
  LaunchOptions o;
  switch (d_.below(8)) {
  case 0: o.time_limit = std::chrono::nanoseconds(int64_t(d_.of(numbers))); break;
  case 1: o.cluster = {uint32_t(d_.below(3)), uint32_t(d_.below(3)), uint32_t(d_.below(3))}; break;
  case 2: o.cooperative = true; break;
  case 3: o.programmatic_serialization = true; break;
  }
  return o;
}

Argument ApiProgram::argument() {
  switch (d_.below(8)) {
  case 0: return Argument::scalar(2.0f);
  case 1: return Argument::scalar(int64_t(d_.of(lengths)));
  case 2: return Argument::symbol(d_.of(functions));
  case 3: return Argument{d_.of(types), std::vector<std::byte>(d_.below(50))};
  case 4: return Argument::array_of(d_.of(types), arena, {int64_t(d_.below(16))}, d_.below(17));
  case 5: return Argument::array(static_cast<float *>(nullptr), {d_.of(lengths)});
  case 6: {
    std::vector<int64_t> dims;
    for (size_t n = d_.below(4); n > 0; n--) dims.push_back(d_.of(lengths));
    uint64_t elements = 1;
    bool lies = false; // about the arena: more than it has, though there might be as much elsewhere
    for (int64_t n : dims) lies |= __builtin_mul_overflow(elements, uint64_t(n), &elements);
    bool fits = !lies && elements <= arena_floats, is_refused = lies || elements > (uint64_t(1) << 61);
    for (int64_t n : dims) is_refused |= n < 0;
    if (fits || is_refused) return Argument::array(arena, dims);
    return Argument::array(arena, {int64_t(arena_floats)});
  }
  default: return Argument::array(arena, {int64_t(1 + d_.below(64))});
  }
}

// Bytes that are right for a vector of floats and for numbers, and last as long as the process.
std::vector<const void *> ApiProgram::pointers() {
  static const std::array<uint64_t, 16> vector{uint64_t(reinterpret_cast<uintptr_t>(arena)), 4 * 64, 64, 64},
      negative{uint64_t(reinterpret_cast<uintptr_t>(arena)), 4 * 64, uint64_t(-3), 3},
      null{0, 4 * 64, 64, 64}, none{};
  std::vector<const void *> list;
  if (d_.below(2)) return {vector.data(), vector.data()};
  for (size_t n = d_.below(4); n > 0; n--)
    list.push_back(std::array<const void *, 5>{vector.data(), negative.data(), null.data(), none.data(),
                                               nullptr}[d_.below(5)]);
  return list;
}

void ApiProgram::open() {
  SessionOptions o{.cache_dir = "", .verbosity = 0};
  if (!sessions_.empty()) switch (d_.below(12)) {
    case 0: o.verbosity = d_.of(numbers); break;
    case 1: o.cpu_threads = unsigned(d_.of(numbers)); break;
    case 2: o.artifact_budget = o.inference_budget = 0; break;
    case 3: o.cache_dir = std::string("\0/nowhere", 9); break;
    case 4: o.warm_up = config(); break;
    case 5: o.timings = o.trace_events = true; break;
    case 6: o.cpu_order = 7; break;
    case 7: o.cpu_arena = [](const std::function<void()> &work) { work(); }; break;
    default: break;
    }
  if (o.verbosity > 0) o.verbosity = -1; // nobody reads it
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
  PrecompileOptions options{.session = {.cache_dir = "/dev/null/none", .verbosity = 0}, .threads = 1};
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
    if (values.size() > most_handles) values.erase(values.begin());
  };
  bound(devices_), bound(kernels_), bound(streams_), bound(buffers_), bound(events_), bound(graphs_),
      bound(artifacts_);
}

} // namespace kiln::fuzz
