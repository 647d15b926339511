// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers, streams, events and launches on an OpenCL device.
#include "opencl_fixture.h"

#include <numeric>
#include <thread>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

TEST_CASE_METHOD(OnOpenCl, "an OpenCL device describes itself", "[.device]") {
  CHECK(device.kind() == DeviceKind::OpenCl);
  CHECK(device.is_gpu());
  CHECK(device.info().number == 0);
  CHECK(!device.info().name.empty());
  CHECK_THAT(device.info().driver, Contains("SPIR-V"));
  CHECK(device.limits().threads_of_block > 0);
  CHECK(device.limits().shared_bytes >= 16384);
  CHECK(device.native_context() != nullptr);
  CHECK(device.target().is<SpirvOptions>());
  CHECK(device.target().get<SpirvOptions>().features == backend.facts().features);
  CHECK(device == must(runtime->device("opencl:0")));
  CHECK(must(runtime->devices(DeviceKind::OpenCl))[0].name == device.info().name);
  CHECK_THAT(failure(runtime->device("opencl:1000")), Contains("there is no OpenCL device 1000"));
}

TEST_CASE_METHOD(OnOpenCl, "the work of an OpenCL stream runs in order", "[.device]") {
  std::vector<uint8_t> host(1000, 9);
  Buffer a = must(stream.allocate(1000)), b = must(stream.allocate(1000));
  must(stream.fill(a.data(), 1, 1000));
  must(stream.copy(b.data(), host.data(), 1000));
  must(stream.copy(b.as<uint8_t>() + 100, a.data(), 500));
  must(stream.fill(a.data(), 2, 1000));
  must(stream.copy(b.data(), a.data(), 50));
  must(stream.copy(host.data(), b.data(), 1000));
  must(stream.synchronize());
  CHECK(stream.idle());
  CHECK(std::accumulate(host.begin(), host.end(), 0) == 50 * 2 + 50 * 9 + 500 * 1 + 400 * 9);
  CHECK(!stream.copy(nullptr, host.data(), 1).ok());
  must(stream.copy(nullptr, nullptr, 0));
}

TEST_CASE_METHOD(OnOpenCl, "freed OpenCL memory is reused, counted and trimmed", "[.device]") {
  const uint64_t free_before = must(device.free_memory());
  void *first = nullptr;
  {
    Buffer buffer = must(stream.allocate(100'000));
    first = buffer.data();
    CHECK(reinterpret_cast<uintptr_t>(first) % 128 == 0);
    CHECK(device.memory().current_bytes == 100'000);
    CHECK(must(device.free_memory()) <= free_before - 100'000);
  }
  CHECK(device.memory().current_bytes == 0);
  CHECK(device.memory().reserved_bytes >= 100'000);
  Buffer again = must(stream.allocate(99'000));
  CHECK(again.data() == first);
  again = Buffer();
  Stream other = must(runtime->stream(device));
  must(stream.synchronize());
  CHECK(must(other.allocate(99'000)).data() == first); // its free was reached
  must(device.trim());
  CHECK(device.memory().reserved_bytes == 0);
  CHECK(device.memory().peak_bytes == 100'000);
  CHECK(device.memory().allocations == 3);
  must(device.set_kept_memory(0));
  {
    Buffer unkept = must(stream.allocate(1 << 20));
  }
  must(device.synchronize());
  must(device.trim());
  CHECK(device.memory().reserved_bytes == 0);
  CHECK(must(stream.allocate(0)).data() == nullptr);
  CHECK_THAT(failure(stream.allocate(uint64_t(1) << 60)), Contains("allocates at most"));
  const Buffer pinned = must(device.allocate_pinned(64));
  pinned.as<uint8_t>()[63] = 7;
  Buffer copy = must(stream.allocate(64));
  must(stream.copy(copy.data(), pinned.data(), 64));
  CHECK(download<uint8_t>(copy)[63] == 7);
}

TEST_CASE_METHOD(OnOpenCl, "events of OpenCL streams order streams and take the time", "[.device]") {
  Stream other = must(runtime->stream(device));
  Buffer buffer = must(stream.allocate(1 << 20));
  Event begin, end, never;
  CHECK(begin.done());
  must(stream.record(begin));
  must(stream.fill(buffer.data(), 3, 1 << 20));
  must(stream.record(end));
  must(other.wait(end));
  std::vector<uint8_t> host(1 << 20);
  must(other.copy(host.data(), buffer.data(), 1 << 20));
  must(other.synchronize());
  CHECK(host[(1 << 20) - 1] == 3);
  end.wait();
  CHECK(end.done());
  CHECK(must(Event::between(begin, end)).count() >= 0);
  CHECK(!Event::between(begin, never).ok());
  Stream on_cpu = runtime->stream();
  CHECK_THAT(failure(on_cpu.wait(end)), Contains("Event::wait"));
  must(on_cpu.record(never));
  CHECK_THAT(failure(stream.wait(never)), Contains("Event::wait"));
}

TEST_CASE_METHOD(OnOpenCl, "a kernel of SPIR-V runs by handle", "[.device]") {
  const LoadedKernel kernel = load(scale_kernel());
  std::vector<float> values(1000);
  std::iota(values.begin(), values.end(), 0.0f);
  Buffer buffer = upload(values);
  ScaleArguments arguments{buffer.data(), 999, 3};
  must(backend.run(kernel, {.blocks = {4, 1, 1}, .threads = {256, 1, 1}}, arguments.pointers, {}));
  auto result = download<float>(buffer);
  for (size_t i = 0; i < 1000; i++) REQUIRE(result[i] == (i < 999 ? 3.0f : 1.0f) * float(i));
  const LaunchSuggestion suggestion = must(kernel.backend->suggest(0));
  CHECK(suggestion.threads > 0);
  CHECK(suggestion.blocks == device.info().multiprocessors);
  CHECK(!kernel.backend->global("table").ok());
  CHECK(load(scale_kernel()).name == "scale");
}

TEST_CASE_METHOD(OnOpenCl, "a kernel of SPIR-V gets local memory of any size", "[.device]") {
  const LoadedKernel reversed = load(kernel_of("reversed", {{1, 8, 8}}, false));
  const LoadedKernel with_table = load(kernel_of("with_table", {{1, 8, 8}}, false));
  std::vector<int64_t> values(256);
  std::iota(values.begin(), values.end(), 0);
  for (const bool is_static : {false, true})
    for (const uint32_t threads : {64u, 128u, 64u}) {
      Buffer buffer = upload(values);
      void *array = buffer.data();
      const void *pointers[] = {&array};
      const LaunchShape shape{.blocks = {is_static ? 1 : 256 / threads, 1, 1},
                              .threads = {threads, 1, 1},
                              .shared_bytes = is_static ? 0 : threads * 8};
      must(backend.run(is_static ? with_table : reversed, shape, pointers, {}));
      const auto result = download<int64_t>(buffer);
      for (int64_t i = 0; i < (is_static ? threads : 256); i++) {
        const int64_t block = i / threads;
        REQUIRE(result[size_t(i)] == block * threads + (threads - 1 - i % threads));
      }
    }
  const LaunchShape too_much{.threads = {64, 1, 1}, .shared_bytes = device.limits().shared_bytes - 1024};
  void *array = nullptr;
  const void *pointers[] = {&array};
  CHECK_THAT(failure(backend.run(with_table, too_much, pointers, {})), Contains("bytes of shared memory"));
}

TEST_CASE_METHOD(OnOpenCl, "a kernel that requires a size of sub-groups runs in blocks of one dimension",
                 "[.device]") {
  const auto artifact = kernel_of("linear", {{1, 8, 8}}, false);
  CHECK(must(sub_group_size_of(artifact->bytes, "linear")) == 32);
  CHECK(must(sub_group_size_of(artifact->bytes, "scale")) == 0);
  CHECK(must(sub_group_size_of(artifact->bytes, "absent")) == 0);
  auto loaded = backend.load(artifact);
  if (!has_feature_word(backend.facts().features, "subgroups32")) {
    CHECK_THAT(failure(loaded), Contains("subgroups32"));
    return;
  }
  const LoadedKernel kernel = must(std::move(loaded));
  Buffer buffer = upload(std::vector<int64_t>(64, -1));
  void *array = buffer.data();
  const void *pointers[] = {&array};
  must(backend.run(kernel, {.blocks = {3, 2, 1}, .threads = {8, 4, 2}}, pointers, {}));
  const auto result = download<int64_t>(buffer);
  for (int64_t i = 0; i < 64; i++) REQUIRE(result[size_t(i)] == i % 8 + i / 8 % 4 * 100 + i / 32 * 10000);
}

TEST_CASE_METHOD(OnOpenCl, "streams report the exceptions of their own kernels", "[.device]") {
  const LoadedKernel kernel = load(throwing_kernel());
  Stream other = must(runtime->stream(device));
  auto backend_of = [&] { return must(backend.make_stream()); };
  const auto first = backend_of(), second = backend_of();
  const int64_t thread = 5;
  const void *pointers[] = {&thread};
  must(first->launch(kernel, {.threads = {8, 1, 1}}, pointers, {}));
  must(second->synchronize());
  const auto thrown = first->synchronize();
  REQUIRE(!thrown.ok());
  CHECK(thrown.error().code() == ErrorCode::DivideError);
  CHECK_THAT(failure(thrown), Contains("in thread (6, 1, 1) of block (1, 1, 1)"));
  CHECK(thrown.error().diagnostics()[0].stack.at(0).function == "f");
  CHECK(thrown.error().diagnostics()[0].stack.at(0).line == 3);
  must(first->synchronize());
  const auto ran = backend.run(kernel, {.threads = {8, 1, 1}}, pointers, {});
  CHECK_THAT(failure(ran), Contains("in thread (6, 1, 1)"));
  const int64_t none = 100;
  pointers[0] = &none;
  must(backend.run(kernel, {.threads = {8, 1, 1}}, pointers, {}));
}

TEST_CASE_METHOD(OnOpenCl, "threads launch one OpenCL kernel at once", "[.device]") {
  const LoadedKernel kernel = load(scale_kernel());
  constexpr size_t threads = 4, launches = 200;
  std::vector<Buffer> buffers;
  for (size_t t = 0; t < threads; t++) buffers.push_back(upload(std::vector<float>(64, 1.0f)));
  std::vector<std::thread> all;
  std::atomic<int> failures{0};
  for (size_t t = 0; t < threads; t++)
    all.emplace_back([&, t] {
      auto made = backend.make_stream();
      if (!made.ok()) {
        failures++;
        return;
      }
      for (size_t i = 0; i < launches; i++) {
        // Each pair of launches leaves the values as they were, except for the thread's own first launch.
        ScaleArguments arguments{buffers[t].data(), 64, i == 0 ? float(t + 1) : i % 2 ? 2.0f : 0.5f};
        if (!(*made)->launch(kernel, {.threads = {64, 1, 1}}, arguments.pointers, {}).ok()) failures++;
      }
      if (!(*made)->synchronize().ok()) failures++;
    });
  for (std::thread &thread : all) thread.join();
  CHECK(failures == 0);
  for (size_t t = 0; t < threads; t++)
    for (float value : download<float>(buffers[t])) REQUIRE(value == float(t + 1) * 2.0f);
}

TEST_CASE_METHOD(OnOpenCl, "an OpenCL stream of the embedder is used as it is", "[.device]") {
  CHECK_THAT(failure(runtime->stream(device, nullptr)), Contains("a null cl_command_queue"));
  Stream adopted = must(runtime->stream(device, stream.native_handle()));
  CHECK(adopted.native_handle() == stream.native_handle());
  Buffer buffer = must(adopted.allocate(100));
  must(adopted.fill(buffer.data(), 8, 100));
  CHECK(download<uint8_t>(buffer)[99] == 8); // in `stream`, which is the same queue
  auto another = must(Runtime::open());
  const Device elsewhere = must(another->device("opencl"));
  CHECK_THAT(failure(another->stream(elsewhere, stream.native_handle())), Contains("another context"));
}
