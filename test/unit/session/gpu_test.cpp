// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, kernels, launches and streams on a GPU, against the fake driver.
#include "gpu_fixture.h"

#include <malloc.h>

#include <thread>

using namespace kiln;
using namespace kiln::test;

// Not one of Catch's: counts in the whole program.
static thread_local uint64_t allocated = 0;
#if !__has_feature(address_sanitizer) &&                                                                     \
    !__has_feature(thread_sanitizer) // these have their own, and the count stays 0
void *operator new(std::size_t bytes) {
  allocated++;
  if (void *memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
#endif

TEST_CASE("GPUs are listed without a context, and opened once") {
  Fake fake;
  uint64_t before = fake.living().contexts;
  auto session = take(Session::open());
  auto all = take(session->gpus());
  REQUIRE(all.size() == 2);
  CHECK(all[1].name == "Fake GPU 1");
  CHECK(all[1].number == 1);
  CHECK(all[1].sm == 90);
  CHECK(all[1].multiprocessors == 132);
  CHECK(fake.living().contexts == before);
  Device one = take(session->gpu(1)), again = take(session->gpu(1)), zero = take(session->gpu());
  CHECK(one == again);
  CHECK_FALSE(one == zero);
  CHECK(fake.living().contexts == before + 2);
  CHECK(one.limits().threads_of_block == 1024);
  CHECK(one.limits().shared_bytes == 232448);
  CHECK(one.target().is<PtxOptions>());
  CHECK(one.target().get<PtxOptions>().sm == 90);
  CHECK(session->cpu() == session->cpu());
  CHECK_FALSE(session->cpu().is_gpu());
  CHECK(session->cpu().limits().threads_of_block == 1024);
  session.reset();
  one = again = zero = Device();
  CHECK(fake.living().contexts == before);
}

TEST_CASE("a launch reaches the driver with the kernel state first and the caller's pointers behind it") {
  Fake fake;
  Gpu gpu;
  fake.record_parameters(3);
  LaunchShape shape{.blocks = {7, 2, 1}, .threads = {64, 2, 1}, .shared_bytes = 100};
  fake.log();
  done(gpu.launch(shape));
  CHECK(fake.calls() == "cuLaunchKernel");
  FakeLaunch l = fake.last_launch();
  CHECK(l.parameters[0] != 0); // where exceptions go
  CHECK(l.parameters[1] == 11);
  CHECK(l.parameters[2] == 22);
  CHECK(l.blocks[0] == 7);
  CHECK(l.threads[1] == 2);
  CHECK(l.shared_bytes == 100);
  Stream other = take(gpu.session->stream(gpu.device));
  done(gpu.launch(other, gpu.kernel));
  CHECK(fake.last_launch().parameters[0] != l.parameters[0]); // each stream has its own
  CHECK(fake.last_launch().stream != l.stream);

  Kernel plain = take(gpu.session->load_kernel(ptx("second", false), gpu.device));
  fake.record_parameters(2);
  done(gpu.launch(gpu.stream, plain));
  CHECK(fake.last_launch().parameters[0] == 11);

  done(gpu.launch({.blocks = {8, 1, 1}, .threads = {32, 1, 1}},
                  {.cluster = {4, 1, 1}, .cooperative = true, .programmatic_serialization = true}));
  l = fake.last_launch();
  CHECK(l.cluster[0] == 4);
  CHECK(l.cooperative == 1);
  CHECK(l.programmatic == 1);
  fake.record_parameters(0);
}

TEST_CASE("a warm launch allocates nothing, here or there, and leaves a right context alone") {
  Fake fake;
  Gpu gpu;
  Event event;
  auto round = [&] {
    done(gpu.launch());
    done(gpu.stream.record(event));
    done(gpu.stream.wait(event));
  };
  round();
  uint64_t before = allocated, contexts = fake.count("cuCtxSetCurrent");
  for (int i = 0; i < 1000; i++)
    if (!gpu.launch().ok()) FAIL();
  CHECK(allocated == before);
  CHECK(fake.count("cuCtxSetCurrent") == contexts);
  fake.function<int(void *)>("cuCtxSetCurrent")(nullptr); // somebody else does
  done(gpu.launch());
  CHECK(fake.count("cuCtxSetCurrent") == contexts + 2);
  std::thread([&] { CHECK(gpu.launch().ok()); }).join(); // a thread without one
  CHECK(fake.count("cuCtxSetCurrent") == contexts + 3);
}

TEST_CASE("10,000 times load, launch and unload: no handle and no memory is left") {
  Fake fake;
  Gpu gpu;
  FakeLiving before{};
  uint64_t loads = fake.count("cuLibraryLoadData"), unloads = fake.count("cuLibraryUnload");
  size_t heap = 0;
  for (int i = 0; i < 10'000; i++) {
    if (i == 100) {
      before = fake.living();
      heap = mallinfo2().uordblks;
    }
    Kernel kernel = take(gpu.session->load_kernel(ptx(), gpu.device));
    done(gpu.launch(gpu.stream, kernel));
    if (i % 3 == 0) done(gpu.stream.synchronize());
    kernel = Kernel();
    Buffer buffer = take(gpu.stream.allocate(1000));
  }
  done(gpu.stream.synchronize());
  FakeLiving after = fake.living();
  CHECK(after.modules <= before.modules);
  CHECK(after.device_blocks == before.device_blocks);
  CHECK(after.pinned_blocks == before.pinned_blocks);
  CHECK(mallinfo2().uordblks < heap + 20'000);
  CHECK(fake.count("cuLibraryLoadData") == loads + 10'000);
  CHECK(fake.count("cuLibraryUnload") == unloads + 10'000);
}

TEST_CASE("code stays loaded until its launches are done") {
  Fake fake;
  Gpu gpu;
  Kernel kernel = take(gpu.session->load_kernel(ptx("second"), gpu.device));
  uint64_t unloaded = fake.count("cuLibraryUnload");
  done(gpu.launch(gpu.stream, kernel));
  kernel = Kernel();
  CHECK(fake.count("cuLibraryUnload") == unloaded);
  done(gpu.stream.synchronize());
  CHECK(fake.count("cuLibraryUnload") == unloaded + 1);
}

TEST_CASE("a stream that nobody waits for does not keep code for ever") {
  Fake fake;
  Gpu gpu;
  for (int i = 0; i < 1000; i++)
    done(gpu.launch(gpu.stream, take(gpu.session->load_kernel(ptx("second"), gpu.device))));
  CHECK(fake.living().modules < 200);
}

TEST_CASE("two GPUs share a module and have kernels of their own") {
  Fake fake;
  Gpu gpu;
  Device other = take(gpu.session->gpu(1));
  auto artifact = ptx("second");
  uint64_t loads = fake.count("cuLibraryLoadData");
  Kernel here = take(gpu.session->load_kernel(artifact, gpu.device)),
         there = take(gpu.session->load_kernel(artifact, other));
  CHECK(fake.count("cuLibraryLoadData") == loads + 1);
  CHECK(there.device() == other);
  Stream second = take(gpu.session->stream(other));
  CHECK(second.device() == other);
  done(gpu.launch(gpu.stream, here));
  done(gpu.launch(second, there));
  CHECK_THAT(failure(gpu.launch(second, here)),
             Catch::StartsWith("2 usage error: second was prepared for GPU 0, and the stream is on GPU 1"));
  CHECK_THAT(failure(gpu.launch(gpu.stream, there)), Catch::Contains("was prepared for GPU 1"));
  Stream host = gpu.session->stream();
  CHECK_THAT(failure(gpu.launch(host, here)), Catch::Contains("the stream is on CPU"));
  // Events order streams of both.
  Event event;
  done(second.record(event));
  done(gpu.stream.wait(event));
  done(gpu.stream.record(event)); // a handle of the other context's now
  CHECK(event.done());
  event.wait();
  CHECK_THAT(failure(host.wait(event)), Catch::Contains("cannot wait for an event of a GPU"));
  done(host.record(event));
  CHECK_THAT(failure(gpu.stream.wait(event)), Catch::Contains("cannot wait for an event of the CPU"));
  done(host.synchronize());
  uint64_t unloads = fake.count("cuLibraryUnload");
  here = Kernel();
  done(gpu.stream.synchronize());
  CHECK(fake.count("cuLibraryUnload") == unloads);
  there = Kernel();
  done(second.synchronize());
  CHECK(fake.count("cuLibraryUnload") == unloads + 1);
}

TEST_CASE("code that launches by name keep loaded on two GPUs goes with its artifact") {
  Fake fake;
  SessionOptions options;
  options.artifact_budget = 32 << 10;
  auto session = take(Session::open(options));
  constexpr int kernels = 100;
  std::string source = "using CUDA\n";
  for (int i = 0; i < kernels; i++) source += fmt::format("f{0}(y) = (y[1] = {0}; return)\n", i);
  take(session->load("test.jl", source));
  const Device devices[] = {take(session->gpu(0)), take(session->gpu(1))};
  uint64_t most = 0;
  for (int i = 0; i < kernels; i++) {
    for (const Device &device : devices) {
      Buffer y = take(take(session->stream(device)).allocate(8));
      done(session->launch(device, fmt::format("f{}", i), {}, {Argument::array(y.as<int64_t>(), {1})}));
    }
    most = std::max(most, fake.living().modules);
  }
  CHECK(session->counters().artifacts_evicted > 0);
  CHECK(most < kernels / 2);
}

TEST_CASE("events time what is between them") {
  Fake fake;
  Gpu gpu;
  Event from, to, never;
  done(gpu.stream.record(from));
  for (int i = 0; i < 9; i++) done(gpu.launch());
  done(gpu.stream.record(to));
  CHECK(std::abs(take(Event::between(from, to)).count() - 9001) < 2); // it comes as a float
  CHECK_THAT(failure(Event::between(from, never)), Catch::Contains("has not been reached"));
  Event host;
  Stream cpu = gpu.session->stream();
  done(cpu.record(host));
  CHECK_THAT(failure(Event::between(from, host)), Catch::Contains("different devices"));
}

TEST_CASE("a context and a stream of the embedder's are used and left as they are") {
  Fake fake;
  FakeLiving before = fake.living();
  void *context = fake.new_context(1);
  {
    auto session = take(Session::open());
    Device device = take(session->gpu_in_context(context));
    CHECK(device.info().number == 1);
    CHECK(device.native_context() == context);
    CHECK(take(session->gpu_in_context(context)) == device);
    Stream own = take(session->stream(device)), theirs = take(session->stream(device, own.native_handle()));
    CHECK(theirs.native_handle() == own.native_handle());
    Kernel kernel = take(session->load_kernel(ptx(), device));
    uint64_t a = 0;
    const void *arguments[] = {&a, &a};
    done(theirs.launch(kernel, {}, arguments));
    CHECK(fake.last_launch().stream == own.native_handle());
    theirs = Stream();
    done(own.launch(kernel, {}, arguments));
    int nothing = 0;
    CHECK_THAT(failure(session->gpu_in_context(&nothing)), Catch::Contains("no CUcontext that lives"));
    CHECK_THAT(failure(session->gpu_in_context(nullptr)), Catch::Contains("a null CUcontext"));
  }
  FakeLiving after = fake.living();
  CHECK(after.streams == before.streams);
  CHECK(after.modules == before.modules);
  CHECK(after.pinned_blocks == before.pinned_blocks);
  CHECK(after.contexts == before.contexts);
}

TEST_CASE("variables of a module are found by name, and launch shapes suggested") {
  Fake fake;
  Gpu gpu;
  GlobalVariable table = take(gpu.kernel.global("table")), factors = take(gpu.kernel.global("factors"));
  CHECK(table.bytes == 16);
  CHECK(factors.bytes == 64);
  uint32_t values[4] = {1, 2, 3, 4}, back[4] = {};
  done(gpu.stream.copy(table.address, values, sizeof values));
  done(gpu.stream.copy(back, table.address, sizeof back));
  done(gpu.stream.synchronize());
  CHECK(std::equal(values, values + 4, back));
  CHECK_THAT(failure(gpu.kernel.global("nothing")),
             Catch::StartsWith("1 UndefVarError: the module of first has no global variable nothing"));
  CHECK(take(gpu.kernel.suggest()).threads == 256);
  CHECK(take(gpu.kernel.suggest(1000)).threads == 128);
  CHECK(take(gpu.kernel.suggest()).blocks == 528);
}

TEST_CASE("a kernel of the language goes through the whole of it") {
  Fake fake;
  auto session = take(Session::open());
  take(session->load("test.jl", "using CUDA\nfunction set(y, a)\n  y[threadIdx().x] = a\n  return\nend\n"));
  Device device = take(session->gpu());
  Kernel kernel = take(session->prepare("set(CuDeviceVector{Int64,1}, Int64)", {}, device));
  CHECK(kernel.artifact().parameters.size() == 2);
  Stream stream = take(session->stream(device));
  Buffer memory = take(stream.allocate(64 * 8));
  uint64_t allocations = device.memory().allocations;
  Argument array = Argument::array(memory.as<int64_t>(), {64});
  int64_t a = 5;
  const void *arguments[] = {array.bytes.data(), &a};
  done(stream.launch(kernel, {.threads = {64, 1, 1}}, arguments));
  done(stream.synchronize());
  done(session->launch(kernel, {.threads = {64, 1, 1}}, arguments));
  uint64_t loads = fake.count("cuLibraryLoadData");
  for (int i = 0; i < 3; i++)
    done(session->launch(device, "set", {.threads = {64, 1, 1}}, {array, Argument::scalar(a)}));
  CHECK(fake.count("cuLibraryLoadData") == loads); // its module is loaded already
  CHECK(device.memory().allocations == allocations);
  CHECK_THAT(failure(session->launch(device, "set", {}, {array})), Catch::Contains("no method matching"));
  CHECK_THAT(failure(session->launch(device, "set", {.threads = {2048, 1, 1}}, {array, Argument::scalar(a)})),
             Catch::Contains("2048"));
}
