// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedding API on a real GPU: gpu_runtime [--bench]. One line a check; status 0 all right, 1 something
// is wrong, 77 there is no GPU. Needs no file but itself.
#include "runtime.h"

#include <unistd.h>

#include <fstream>
#include <numeric>
#include <sstream>

namespace kiln::gpu_test {

constexpr const char *source = R"(using CUDA
index() = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
function add(y, a)
  i = index()
  if i <= length(y)
    @inbounds y[i] += a
  end
  return
end
function double(y)
  i = index()
  if i <= length(y)
    @inbounds y[i] *= 2
  end
  return
end
function past(y)
  y[length(y) + threadIdx().x] = 1
  return
end
function stray(y)
  p = reinterpret(Core.LLVMPtr{Int64,1}, UInt64(16))
  unsafe_store!(p, 1, 1)
  return
end
function touch(y, a, b, c)
  if a == 12345
    @inbounds y[1] = b + c
  end
  return
end
)";

namespace {

void streams_and_events(Test &t) {
  Stream first = t.stream(), second = t.stream();
  Array y(t, first);
  Kernel plus = t.prepare("add(CuDeviceVector{Int64,1}, Int64)"),
         twice = t.prepare("double(CuDeviceVector{Int64,1})");
  int64_t one = 1, expected = 0;
  const void *added[] = {y.bytes(), &one}, *only[] = {y.bytes()};
  Event begin, end, a, b;
  t.done(first.record(begin));
  for (int round = 0; round < 40; round++) {
    t.done(first.launch(plus, shape, added));
    t.done(first.record(a));
    t.done(second.wait(a));
    t.done(second.launch(twice, shape, only));
    t.done(second.record(b));
    t.done(first.wait(b));
    expected = int64_t(uint64_t(expected + 1) * 2);
  }
  t.done(first.record(end));
  end.wait();
  t.check("events order two streams", y.all(t, first, expected));
  auto time = Event::between(begin, end);
  t.check("events time them", time.ok() && time->count() > 0,
          time.ok() ? fmt::format("{} ns", time->count()) : time.error().what());
  t.check("a stream is idle behind synchronize", second.synchronize().ok() && second.idle());
  auto suggested = plus.suggest();
  t.check("the occupancy calculator suggests a shape",
          suggested.ok() && suggested->threads >= 32 && suggested->blocks > 0,
          suggested.ok() ? fmt::format("{} blocks of {}", suggested->blocks, suggested->threads)
                         : suggested.error().what());
}

void copies(Test &t) {
  Kernel plus = t.prepare("add(CuDeviceVector{Int64,1}, Int64)");
  constexpr size_t count = 4;
  std::vector<Stream> streams;
  std::vector<Buffer> pinned;
  std::vector<Array> arrays;
  for (size_t i = 0; i < count; i++) {
    streams.push_back(t.stream());
    pinned.push_back(t.take(t.device.allocate_pinned(uint64_t(length) * 8)));
    arrays.emplace_back(t, streams.back());
    std::iota(pinned[i].as<int64_t>(), pinned[i].as<int64_t>() + length, int64_t(i) * 1000);
  }
  for (int round = 0; round < 5; round++)
    for (size_t i = 0; i < count; i++) {
      int64_t a = int64_t(i) + round;
      const void *arguments[] = {arrays[i].bytes(), &a};
      t.done(streams[i].copy(arrays[i].buffer.data(), pinned[i].data(), pinned[i].bytes()));
      t.done(streams[i].launch(plus, shape, arguments));
      t.done(streams[i].copy(pinned[i].data(), arrays[i].buffer.data(), pinned[i].bytes()));
    }
  bool right = true;
  for (size_t i = 0; i < count; i++) {
    t.done(streams[i].synchronize());
    for (int64_t k = 0; k < length; k++)
      right &= pinned[i].as<int64_t>()[k] == int64_t(i) * 1000 + k + 5 * int64_t(i) + 10;
  }
  t.check("copies to and from pinned memory run in order in four streams", right);
}

void allocator(Test &t) {
  Stream stream = t.stream();
  MemoryCounters before = t.device.memory();
  for (int i = 0; i < 1000; i++) t.take(stream.allocate(uint64_t(1 + i % 7) << 20));
  t.done(stream.synchronize());
  MemoryCounters after = t.device.memory();
  t.check("1,000 buffers of up to 7 MB were given back",
          after.current_bytes == before.current_bytes && after.allocations == before.allocations + 1000 &&
              after.peak_bytes >= uint64_t(7) << 20,
          fmt::format("{} MB reserved, peak {} MB", after.reserved_bytes >> 20, after.peak_bytes >> 20));
  t.check("the pool reuses them", after.reserved_bytes < uint64_t(256) << 20);
  t.done(t.device.trim());
  t.check("trim gives unused memory back", t.device.memory().reserved_bytes <= after.reserved_bytes,
          fmt::format("{} MB reserved", t.device.memory().reserved_bytes >> 20));
  auto large = stream.allocate(uint64_t(1) << 45);
  t.check("out of memory says what is used and free",
          !large.ok() && large.error().what().find("are free") != std::string::npos,
          large.ok() ? "" : large.error().what());
  t.check("and the next allocation is served", stream.allocate(1 << 20).ok());
}

void graphs(Test &t) {
  Stream stream = t.stream(), side = t.stream();
  Array y(t, stream), z(t, side);
  Kernel plus = t.prepare("add(CuDeviceVector{Int64,1}, Int64)");
  t.done(stream.synchronize());
  t.done(side.synchronize());
  int64_t one = 1, three = 3;
  const void *ones[] = {y.bytes(), &one}, *threes[] = {z.bytes(), &three};
  t.done(stream.capture_begin());
  Event fork, join;
  t.done(stream.record(fork));
  t.done(side.wait(fork));
  for (int i = 0; i < 10; i++) {
    t.done(stream.launch(plus, shape, ones));
    t.done(side.launch(plus, shape, threes));
  }
  auto refused = t.session->prepare("double(CuDeviceVector{Int64,1})", {}, t.device);
  auto no_memory = stream.allocate(10);
  t.done(side.record(join));
  t.done(stream.wait(join));
  Graph graph = t.take(stream.capture_end());
  t.check("memory is refused while a graph is captured",
          !no_memory.ok() && no_memory.error().kind() == ErrorKind::Usage,
          no_memory.ok() ? "" : no_memory.error().what());
  t.check("loading is refused too, unless it is loaded already",
          refused.ok() || refused.error().kind() == ErrorKind::Usage,
          refused.ok() ? "" : refused.error().what());
  for (int i = 0; i < 7; i++) t.done(stream.launch(graph));
  t.check("a graph of two streams, launched seven times", y.all(t, stream, 70) && z.all(t, stream, 210));
}

void launches_with_attributes(Test &t) {
  Stream stream = t.stream();
  Array y(t, stream);
  Kernel plus = t.prepare("add(CuDeviceVector{Int64,1}, Int64)");
  int64_t one = 1;
  const void *added[] = {y.bytes(), &one};
  int64_t expected = 0;
  if (t.device.limits().clusters) {
    t.done(stream.launch(plus, shape, added, {.cluster = {4, 1, 1}}));
    t.done(stream.launch(plus, shape, added, {.programmatic_serialization = true}));
    expected += 2;
  }
  t.done(stream.launch(plus, shape, added, {.cooperative = true}));
  t.check("clusters, programmatic serialisation and cooperative launches", y.all(t, stream, expected + 1));
}

size_t resident_kilobytes() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * size_t(::sysconf(_SC_PAGESIZE)) / 1024;
}

void cycles(Test &t) {
  Stream stream = t.stream();
  Array y(t, stream);
  auto artifact = t.prepare("add(CuDeviceVector{Int64,1}, Int64)").artifact();
  constexpr int rounds = 10'000, warm = 1'000;
  uint64_t device_free = 0;
  size_t host = 0;
  int64_t one = 1;
  const void *added[] = {y.bytes(), &one};
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; i++) {
    if (i == warm) {
      device_free = t.take(t.device.free_memory());
      host = resident_kilobytes();
    }
    Kernel kernel = t.take(t.session->load_kernel(std::make_shared<const Artifact>(artifact), t.device));
    t.done(stream.launch(kernel, shape, added));
    kernel = Kernel();
    t.done(stream.synchronize());
  }
  double time =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / rounds;
  int64_t lost = int64_t(device_free) - int64_t(t.take(t.device.free_memory())),
          grown = int64_t(resident_kilobytes()) - int64_t(host);
  t.check("10,000 times load, launch, unload: flat memory", lost <= 4 << 20 && grown < 8192,
          fmt::format("device {:+} KB, host {:+} KB over the last 9,000; {:.0f} us each", lost / 1024, grown,
                      time));
  t.check("and right", y.all(t, stream, rounds));
}

} // namespace

int run(int argc, char **argv) {
  std::string_view mode = argc > 1 ? argv[1] : "";
  auto session = Session::open({.cache_dir = ""});
  if (!session.ok()) return std::fputs(session.error().what().c_str(), stderr), 1;
  auto device = (*session)->gpu();
  if (!device.ok()) return std::printf("skipped: %s\n", device.error().diagnostics()[0].message.c_str()), 77;
  Test t{std::move(*session), *device};
  t.take(t.session->load("runtime.jl", source));
  if (mode == "--sticky") return sticky(t);
  const GpuInfo &gpu = t.device.info();
  std::printf("%s (sm_%d), %u multiprocessors, %llu MB\n", gpu.name.c_str(), gpu.sm, gpu.multiprocessors,
              static_cast<unsigned long long>(gpu.memory_bytes >> 20));
  if (mode != "--bench") {
    streams_and_events(t);
    copies(t);
    allocator(t);
    graphs(t);
    many_kernels(t);
    exceptions(t);
    launches_with_attributes(t);
    bad_input(t);
    cycles(t);
    sticky_error(t, argv[0]);
  }
  launch_overhead(t);
  std::printf(t.failed ? "%d of %d checks failed\n" : "%d failed, all %d checks passed\n", t.failed,
              t.checks);
  return t.failed ? 1 : 0;
}

} // namespace kiln::gpu_test

int main(int argc, char **argv) { return kiln::gpu_test::run(argc, argv); }
