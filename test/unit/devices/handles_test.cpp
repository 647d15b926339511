// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles on the CPU: streams in order, events, buffers and their counters, handles that are empty, moved
// from or another owner's; tensor maps within the limits of cuTensorMapEncodeTiled (CUDA driver API).
#include "must.h"

#include <devices/devices.h>

#include <kiln/runtime.h>
#include <kiln/tensor_map.h>

#include <numeric>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

struct Cpu {
  std::unique_ptr<Runtime> runtime = must(Runtime::open({.cpu_threads = 2}));
  Device cpu = runtime->cpu();
  Stream stream = runtime->stream();
};

template <class T> bool is_usage(const Result<T> &result) {
  return !result.ok() && result.error().kind() == ErrorKind::Usage;
}

} // namespace

TEST_CASE_METHOD(Cpu, "the CPU is one device, with the threads that were asked for") {
  CHECK(cpu);
  CHECK(!cpu.is_gpu());
  CHECK(cpu == runtime->cpu());
  CHECK(cpu == stream.device());
  CHECK(cpu.info().number == -1);
  CHECK(cpu.info().sm == 0);
  CHECK(cpu.info().multiprocessors == 2);
  CHECK(cpu.native_context() == nullptr);
  CHECK(stream.native_handle() == nullptr);
  CHECK(cpu.target().name() == "native");
}

TEST_CASE_METHOD(Cpu, "what is put into a stream is done in order") {
  std::vector<uint8_t> a(1000), b(1000, 9);
  must(stream.fill(a.data(), 1, 1000));
  must(stream.copy(b.data() + 100, a.data(), 500));
  must(stream.fill(a.data(), 2, 1000));
  must(stream.copy(b.data(), a.data(), 50));
  must(stream.synchronize());
  CHECK(stream.idle());
  CHECK(std::accumulate(b.begin(), b.end(), 0) == 50 * 2 + 50 * 9 + 500 * 1 + 400 * 9);
  CHECK(is_usage(stream.copy(nullptr, a.data(), 1)));
  CHECK(is_usage(stream.fill(nullptr, 0, 1)));
  must(stream.copy(nullptr, nullptr, 0));
  CHECK(is_usage(stream.capture_begin())); // GPUs alone have graphs
}

TEST_CASE_METHOD(Cpu, "an event is reached when what stands before it is done") {
  Event before, after;
  CHECK(before.done()); // never recorded
  CHECK(is_usage(Event::between(before, after)));
  std::vector<uint8_t> memory(1 << 20);
  must(stream.record(before));
  must(stream.fill(memory.data(), 7, memory.size()));
  must(stream.record(after));
  after.wait();
  CHECK(after.done());
  CHECK(before.done());
  CHECK(memory.back() == 7);
  CHECK(must(Event::between(before, after)).count() >= 0);
  Stream other = runtime->stream();
  must(other.wait(after));
  must(other.synchronize());
  Event taken = std::move(after);
  CHECK(taken.done());
  CHECK(is_usage(stream.record(after)));
}

TEST_CASE_METHOD(Cpu, "a device waits for all of its streams") {
  std::vector<uint8_t> memory(64 << 20), copy(memory.size());
  for (int turn = 0; turn < 3; turn++) {
    Stream other = runtime->stream();
    for (int i = 0; i < 5; i++) must(other.copy(copy.data(), memory.data(), memory.size()));
    must(other.fill(copy.data(), uint8_t(turn + 1), copy.size()));
    must(cpu.synchronize());
    CHECK(other.idle());
    CHECK(copy.back() == turn + 1);
  }
}

TEST_CASE_METHOD(Cpu, "memory in buffers is counted, and given back with them") {
  const MemoryCounters at_first = cpu.memory();
  {
    Buffer one = must(stream.allocate(1000)), other = must(stream.allocate(500));
    CHECK(one.bytes() == 1000);
    CHECK(one.data() != nullptr);
    CHECK(cpu.memory().current_bytes == at_first.current_bytes + 1500);
    CHECK(cpu.memory().allocations == at_first.allocations + 2);
    Buffer taken = std::move(one);
    CHECK(one.data() == nullptr);
    CHECK(one.bytes() == 0);
    CHECK(cpu.memory().current_bytes == at_first.current_bytes + 1500);
    other = Buffer();
    must(stream.synchronize());
    CHECK(cpu.memory().current_bytes == at_first.current_bytes + 1000);
  }
  must(stream.synchronize());
  CHECK(cpu.memory().current_bytes == at_first.current_bytes);
  CHECK(cpu.memory().peak_bytes >= at_first.current_bytes + 1500);
  Buffer pinned = must(cpu.allocate_pinned(64));
  std::memset(pinned.data(), 1, 64);
  CHECK(pinned.as<uint8_t>()[63] == 1);
}

TEST_CASE("a buffer and a stream work on when their runtime has gone") {
  std::unique_ptr<Runtime> runtime = must(Runtime::open({.cpu_threads = 1}));
  Stream stream = runtime->stream();
  Buffer buffer = must(stream.allocate(16));
  const Device cpu = runtime->cpu();
  runtime.reset();
  must(stream.fill(buffer.data(), 3, 16));
  must(stream.synchronize());
  CHECK(buffer.as<uint8_t>()[15] == 3);
  CHECK(cpu.info().multiprocessors == 1);
}

TEST_CASE_METHOD(Cpu, "empty handles can be asked, and take nothing") {
  const Device none;
  CHECK(!none);
  CHECK(!none.is_gpu());
  CHECK(none.info().number == -1);
  CHECK(none.info().name.empty());
  CHECK(none.limits().threads_of_block == 0);
  CHECK(none.memory().allocations == 0);
  CHECK(is_usage(none.free_memory()));
  CHECK(is_usage(none.allocate_pinned(1)));
  CHECK(is_usage(none.synchronize()));
  CHECK(is_usage(runtime->stream(none)));
  Stream empty;
  CHECK(!empty);
  CHECK(is_usage(empty.fill(&empty, 0, 1)));
  must(empty.synchronize()); // nothing is in it
  CHECK(empty.idle());
  CHECK(is_usage(empty.allocate(1)));
  CHECK(is_usage(runtime->launch(Kernel(), {}, {})));
  Stream taken = std::move(stream);
  CHECK(is_usage(stream.fill(&empty, 0, 1)));
  must(taken.synchronize());
}

TEST_CASE_METHOD(Cpu, "a runtime takes no device of another") {
  auto other = must(Runtime::open());
  auto stream = other->stream(cpu);
  REQUIRE(is_usage(stream));
  CHECK_THAT(stream.error().what(), Contains("of another session or runtime"));
  Devices devices(std::make_shared<SessionRuntime>(ExecutorOptions{}, nullptr, nullptr));
  CHECK(is_usage(devices.check(cpu)));
  CHECK(devices.check(devices.cpu().get()).ok());
  CHECK(devices.cpu() == devices.cpu());
}

TEST_CASE_METHOD(Cpu, "tensor maps keep to the limits of the driver's function") {
  alignas(16) static float data[64];
  const TensorMapOptions right{
      .element = "Float32", .data = data, .lengths = {8, 8}, .strides = {}, .box = {4, 8}};
  const TensorMap map = must(TensorMap::make(cpu, right));
  CHECK(map.type() == "CUDA.Hopper.TensorMap{Float32, 2}");
  CHECK(map.argument().bytes.size() == 128);
  const auto refused = [&](auto change) {
    TensorMapOptions options = right;
    change(options);
    return is_usage(TensorMap::make(cpu, options));
  };
  CHECK(!refused([](auto &) {}));
  CHECK(refused([](auto &o) { o.element = "Int128"; }));
  CHECK(refused([](auto &o) { o.data = nullptr; }));
  CHECK(refused([](auto &o) { o.data = data + 1; })); // globalAddress: a multiple of 16
  CHECK(refused([](auto &o) { o.lengths[1] = 0; }));
  CHECK(!refused([](auto &o) { o.lengths[1] = uint64_t(1) << 32; })); // globalDim: at most 2^32
  CHECK(refused([](auto &o) { o.lengths[1] = (uint64_t(1) << 32) + 1; }));
  CHECK(
      !refused([](auto &o) { o.strides = {(uint64_t(1) << 40) - 16}; })); // globalStrides: below 2^40, by 16
  CHECK(refused([](auto &o) { o.strides = {uint64_t(1) << 40}; }));
  CHECK(refused([](auto &o) { o.strides = {40}; }));
  CHECK(refused([](auto &o) { o.strides = {32, 256}; }));
  CHECK(!refused([](auto &o) { o.box = {4, 256}; })); // boxDim: at most 256
  CHECK(refused([](auto &o) { o.box = {4, 257}; }));
  CHECK(refused([](auto &o) { o.box = {4, 0}; }));
  CHECK(refused([](auto &o) { o.box = {3, 8}; })); // rows of 12 bytes
  CHECK(refused([](auto &o) { o.box = {4}; }));
  CHECK(refused([](auto &o) { o.swizzle_bytes = 16; }));
  CHECK(refused([](auto &o) { o.swizzle_bytes = 32; })); // rows of 16 bytes
  CHECK(!refused([](auto &o) { o.box = {8, 8}, o.swizzle_bytes = 32; }));
  CHECK(!refused([](auto &o) { o.nan_outside = true; }));
  CHECK(refused([](auto &o) { o.element = "Int32", o.nan_outside = true; }));
  CHECK(refused([](auto &o) { o.lengths.resize(6, 1), o.box.resize(6, 1), o.strides.assign(5, 16); }));
  CHECK(is_usage(TensorMap::make(Device(), right)));
}
