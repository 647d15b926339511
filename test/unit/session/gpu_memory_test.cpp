// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers, copies, foreign memory, captures and what goes wrong on a GPU, against the fake driver.
#include "gpu_fixture.h"

#include <thread>

using namespace kiln;
using namespace kiln::test;

TEST_CASE("buffers come from a pool in the stream's order and go back to it") {
  Fake fake;
  Gpu gpu;
  fake.log();
  {
    Buffer buffer = take(gpu.stream.allocate(1000)), empty = take(gpu.stream.allocate(0));
    CHECK(buffer.bytes() == 1000);
    CHECK(empty.data() == nullptr);
    Buffer moved = std::move(buffer);
    CHECK(buffer.data() == nullptr);
    Buffer second = take(gpu.stream.allocate(500));
    moved = std::move(second);
    buffer = Buffer();
  }
  CHECK(
      fake.calls() ==
      "cuMemPoolCreate cuMemPoolSetAttribute cuMemAllocFromPoolAsync cuMemAllocFromPoolAsync cuMemFreeAsync cuMemFreeAsync");
  MemoryCounters c = gpu.device.memory();
  REQUIRE(gpu.stream.allocate(10).ok());
  CHECK(gpu.device.memory().allocations == 3);
  CHECK(c.current_bytes == 0);
  CHECK(c.peak_bytes == 1500);
  CHECK(c.allocations == 2);
  CHECK(c.reserved_bytes == 0);
  uint64_t trims = fake.count("cuMemPoolTrimTo");
  done(gpu.device.trim());
  CHECK(fake.count("cuMemPoolTrimTo") == trims + 1);
  done(gpu.device.set_kept_memory(1 << 20));
  CHECK(take(gpu.device.free_memory()) == 1 << 30);
  CHECK(fake.living().device_blocks == 0);
}

TEST_CASE("a buffer may outlive its stream's handle, and copies go both ways") {
  Fake fake;
  Gpu gpu;
  uint64_t streams = fake.living().streams;
  Buffer buffer;
  {
    Stream stream = take(gpu.session->stream(gpu.device));
    buffer = take(stream.allocate(4096));
    Buffer pinned = take(gpu.device.allocate_pinned(4096));
    for (int i = 0; i < 1024; i++) pinned.as<int>()[i] = i;
    done(stream.copy(buffer.data(), pinned.data(), 4096));
    std::vector<int> back(1024);
    done(stream.copy(back.data(), buffer.data(), 4096));
    done(stream.synchronize());
    CHECK(back[1023] == 1023);
    done(stream.fill(buffer.data(), 0xff, 8));
    done(stream.copy(back.data(), buffer.data(), 4096));
    done(stream.synchronize());
    CHECK(back[1] == -1);
    CHECK(back[2] == 2);
  }
  CHECK(fake.living().streams == streams + 1);
  buffer = Buffer();
  CHECK(fake.living().streams == streams);
}

TEST_CASE("the CPU's streams have memory and copies as well") {
  auto session = take(Session::open());
  take(session->load("test.jl", "using CUDA\nfunction twice(y)\n  y[threadIdx().x] *= 2\n  return\nend\n"));
  Device cpu = session->cpu();
  Stream stream = take(session->stream(cpu));
  Kernel kernel = take(session->prepare("twice(CuDeviceVector{Int64,1})", {}, cpu));
  std::vector<int64_t> values(64, 21), back(64);
  {
    Buffer buffer = take(stream.allocate(64 * 8));
    Argument array = Argument::array(buffer.as<int64_t>(), {64});
    const void *arguments[] = {array.bytes.data()};
    done(stream.copy(buffer.data(), values.data(), 64 * 8));
    done(stream.launch(kernel, {.threads = {64, 1, 1}}, arguments));
    done(stream.copy(back.data(), buffer.data(), 64 * 8));
    CHECK(cpu.memory().current_bytes == 64 * 8);
  } // given back when the stream comes to it
  done(stream.synchronize());
  CHECK(back == std::vector<int64_t>(64, 42));
  CHECK(cpu.memory().current_bytes == 0);
  CHECK(cpu.memory().allocations == 1);
  CHECK_FALSE(stream.capture_begin().ok());
  CHECK_THAT(failure(stream.launch(kernel, {}, {}, {.cluster = {2, 1, 1}})), Catch::Contains("clusters"));
}

TEST_CASE("a capture becomes a graph that launches again, with an exception record of its own") {
  Fake fake;
  Gpu gpu;
  fake.record_parameters(1);
  uint64_t run = fake.count("kernels run");
  Stream side = take(gpu.session->stream(gpu.device));
  done(gpu.stream.capture_begin());
  done(gpu.launch());
  done(gpu.launch());
  Event fork, join;
  done(gpu.stream.record(fork));
  done(side.wait(fork));
  done(gpu.launch(side, gpu.kernel)); // joined
  CHECK_THAT(failure(side.synchronize()), Catch::Contains("captured"));
  CHECK_THAT(failure(gpu.stream.synchronize()),
             Catch::StartsWith("2 usage error: a stream that is captured does not run"));
  CHECK_THAT(failure(gpu.stream.allocate(10)),
             Catch::StartsWith("2 usage error: a stream that is captured cannot allocate"));
  CHECK_THAT(failure(gpu.device.allocate_pinned(10)), Catch::Contains("captures a graph"));
  CHECK_THAT(failure(gpu.device.trim()), Catch::Contains("captures a graph"));
  CHECK_THAT(failure(gpu.session->stream(gpu.device)),
             Catch::StartsWith("2 usage error: a stream cannot be made while"));
  CHECK_THAT(failure(gpu.session->load_kernel(ptx("second"), gpu.device)),
             Catch::StartsWith("2 usage error: second cannot be loaded while this thread captures a graph"));
  std::thread([&] { CHECK(gpu.session->load_kernel(ptx("second"), gpu.device).ok()); }).join(); // others may
  CHECK_THAT(failure(gpu.stream.capture_begin()), Catch::Contains("captured already"));
  done(side.record(join));
  done(gpu.stream.wait(join));
  CHECK(fake.count("kernels run") == run);
  Graph graph = take(gpu.stream.capture_end());
  CHECK_THAT(failure(gpu.stream.capture_end()), Catch::Contains("nothing is captured"));
  done(gpu.session->load_kernel(ptx("second"), gpu.device).ok()
           ? Result<void>()
           : Result<void>(usage_error("still captured")));

  uint64_t unloads = fake.count("cuLibraryUnload");
  gpu.kernel = Kernel(); // the graph has it
  for (int i = 0; i < 10; i++) done(gpu.stream.launch(graph));
  done(side.launch(graph)); // in another stream
  done(side.synchronize());
  done(gpu.stream.synchronize());
  CHECK(fake.count("kernels run") == run + 33);
  CHECK(fake.count("cuLibraryUnload") == unloads);
  fake.throws(2, "BoundsError", "kernel|test.jl|7");
  done(gpu.stream.launch(graph));
  CHECK_THAT(failure(gpu.stream.synchronize()), Catch::StartsWith("1 BoundsError"));
  done(gpu.stream.synchronize());
  graph = Graph();
  CHECK(fake.count("cuLibraryUnload") == unloads + 1);
  CHECK(fake.living().graphs == 0);
  CHECK_FALSE(gpu.stream.launch(graph).ok());
  fake.record_parameters(0);
}

TEST_CASE("a buffer that goes during a capture is given back behind it") {
  Fake fake;
  Gpu gpu;
  Buffer buffer = take(gpu.stream.allocate(100));
  done(gpu.stream.capture_begin());
  buffer = Buffer();
  CHECK(fake.living().device_blocks == 1);
  Graph graph = take(gpu.stream.capture_end());
  CHECK(fake.living().device_blocks == 0);
}

TEST_CASE("an exception is reported by the stream that it was in, once, and the context stays") {
  Fake fake;
  Gpu gpu;
  Stream other = take(gpu.session->stream(gpu.device));
  fake.record_parameters(1);
  fake.throws(2, "BoundsError: attempt to access index 9", "kernel|test.jl|7\ncaller|test.jl|3");
  done(gpu.launch());                  // throws
  done(gpu.launch(other, gpu.kernel)); // the same kernel, elsewhere
  done(gpu.launch());
  done(other.synchronize());
  Result<void> result = gpu.stream.synchronize();
  CHECK_THAT(
      failure(result),
      Catch::StartsWith("1 BoundsError: attempt to access index 9, in thread (6, 1, 1) of block (3, 1, 1)"));
  REQUIRE(result.error().diagnostics()[0].stack.size() == 2);
  CHECK(result.error().diagnostics()[0].stack[0].function == "kernel");
  done(gpu.stream.synchronize());
  done(gpu.launch());
  done(gpu.stream.synchronize());
  fake.throws(2, "DivideError", "");
  const void *arguments[] = {&gpu.a, &gpu.b};
  CHECK_THAT(failure(gpu.session->launch(gpu.kernel, {}, arguments)), Catch::StartsWith("1 DivideError"));
  done(gpu.session->launch(gpu.kernel, {}, arguments));
  fake.record_parameters(0);
}

TEST_CASE("an error that sticks names the kernels that it may be, and the CPU goes on") {
  Fake fake;
  Gpu gpu;
  Kernel second = take(gpu.session->load_kernel(ptx("second"), gpu.device));
  done(gpu.launch());
  {
    Environment fail("KILN_FAKE_CUDA_FAIL", "*=700");
    CHECK_THAT(
        failure(gpu.stream.synchronize()),
        Catch::StartsWith(
            "1 DeviceError: running first: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700) / the CUDA context is lost"));
    Result<void> later = gpu.launch(gpu.stream, second);
    CHECK_THAT(failure(later), Catch::Contains("running one of first, second"));
    CHECK_THAT(failure(later), Catch::Contains("was lost before: running first"));
    CHECK_FALSE(gpu.stream.allocate(10).ok());
    CHECK_FALSE(gpu.device.synchronize().ok());
    take(gpu.session->load("test.jl", "using CUDA\nf(y) = (y[1] = 7; return)\n"));
    std::vector<int64_t> y(1);
    done(gpu.session->launch("f", {}, {Argument::array(y.data(), {1})}));
    CHECK(y[0] == 7);
  }
}

TEST_CASE("bad input, each with what to do") {
  Fake fake;
  Gpu gpu;
  auto with = [&](const char *failing, auto what) {
    Environment fail("KILN_FAKE_CUDA_FAIL", failing);
    return failure(what());
  };
  auto opened = [] {
    auto session = take(Session::open());
    return session->gpus();
  };
  auto loaded = [&] { return gpu.session->load_kernel(ptx("second"), gpu.device); };
  {
    Environment none("KILN_CUDA_DRIVER", "/nowhere/libcuda.so");
    CHECK_THAT(failure(opened()),
               Catch::StartsWith("3 error: there is no CUDA driver: /nowhere/libcuda.so") &&
                   Catch::Contains("the device \"cpu\" runs the same kernel"));
  }
  ::setenv("KILN_CUDA_DRIVER", KILN_FAKE_CUDA, 1);
  {
    Environment old("KILN_FAKE_CUDA_VERSION", "11080");
    CHECK_THAT(failure(opened()),
               Catch::Contains("for CUDA 11.8) is too old: Kiln needs one for CUDA 12.0") &&
                   Catch::Contains("update the driver"));
  }
  {
    Environment old("KILN_FAKE_CUDA_VERSION", "12020");
    auto session = take(Session::open());
    CHECK(take(session->gpu()).target().get<PtxOptions>().ptx_isa == 82);
  }
  {
    Environment none("KILN_FAKE_CUDA_DEVICES", "0");
    CHECK_THAT(failure(opened()), Catch::Contains("sees no GPU / CUDA_VISIBLE_DEVICES"));
  }
  {
    Environment small("KILN_FAKE_CUDA_SM", "37");
    auto session = take(Session::open());
    CHECK_THAT(failure(session->gpu()), Catch::Contains("is sm_37: Kiln needs sm_50"));
  }
  CHECK_THAT(with("cuInit=803", opened),
             Catch::StartsWith("3 error: starting the CUDA driver") && Catch::Contains("different versions"));
  CHECK_THAT(failure(gpu.session->gpu(9)),
             Catch::StartsWith("3 error: there is no GPU 9: the driver sees 0 to 1"));
  CHECK_THAT(with("cuLibraryLoadData=222", loaded),
             Catch::StartsWith("3 error: loading second on Fake GPU 0 (sm_90)") &&
                 Catch::Contains("for CUDA 13.0, reads PTX ISA up to 9.0: \"ptx-isa\"") &&
                 Catch::Contains("what the assembler says"));
  CHECK_THAT(with("cuLibraryLoadData=209", loaded),
             Catch::Contains("for another architecture than this GPU"));
  CHECK_THAT(with("cuKernelGetFunction=209", loaded),
             Catch::Contains("for another architecture than this GPU"));
  CHECK_THAT(with("cuLibraryLoadData=221", loaded), Catch::Contains("libnvidia-ptxjitcompiler"));
  Artifact junk = *ptx();
  junk.bytes = "no code at all";
  CHECK_THAT(failure(gpu.session->load_kernel(std::make_shared<const Artifact>(junk), gpu.device)),
             Catch::Contains("neither a cubin nor PTX"));
  CHECK_THAT(failure(gpu.session->load_kernel(ptx("third"), gpu.device)),
             Catch::StartsWith("2 usage error: the module has no kernel third"));
  CHECK_THAT(failure(gpu.session->load_kernel(nullptr, gpu.device)), Catch::StartsWith("2"));

  Buffer half = take(gpu.stream.allocate(uint64_t(1) << 29));
  CHECK_THAT(
      failure(gpu.stream.allocate(uint64_t(1) << 30)),
      Catch::StartsWith(
          "3 out of memory: allocating 1024 MB on Fake GPU 0, where 512 MB of 1024 MB are free and buffers hold 512 MB: out of memory") &&
          Catch::Contains("smaller arrays"));

  auto shape = [&](LaunchShape s) { return failure(gpu.launch(s)); };
  CHECK_THAT(shape({.threads = {0, 1, 1}}), Catch::Contains("at least 1"));
  CHECK_THAT(shape({.blocks = {1, 0, 1}}), Catch::Contains("at least 1"));
  CHECK_THAT(shape({.threads = {2048, 1, 1}}),
             Catch::StartsWith("2 usage error: a block of 2048 threads: Fake GPU 0 runs at most 1024"));
  CHECK_THAT(shape({.threads = {1, 1, 65}}),
             Catch::Contains("a block of 1x1x65 threads: Fake GPU 0 runs at most 1024x1024x64"));
  CHECK_THAT(shape({.threads = {1024, 2, 1}}),
             Catch::Contains("a block of 2048 threads: Fake GPU 0 runs at most 1024"));
  CHECK_THAT(shape({.threads = {513, 1, 1}}),
             Catch::Contains("first runs in at most 512, since it takes 100 registers"));
  CHECK_THAT(shape({.threads = {0xffffffff, 0xffffffff, 0xffffffff}}), Catch::Contains("a block of"));
  CHECK_THAT(shape({.blocks = {1, 65536, 1}}), Catch::Contains("a grid of 1x65536x1 blocks is too large"));
  CHECK_THAT(shape({.shared_bytes = 232448}),
             Catch::Contains("a block with 233472 bytes of shared memory: Fake GPU 0 has at most 232448"));
  CHECK_THAT(shape({.shared_bytes = UINT64_MAX}), Catch::Contains("shared memory"));
  done(gpu.launch({.shared_bytes = 232448 - 1024}));
  CHECK_THAT(failure(gpu.stream.launch(gpu.kernel, {}, {})), Catch::Contains("takes 2 arguments"));
  CHECK_THAT(failure(gpu.launch({}, {.time_limit = std::chrono::seconds(1)})),
             Catch::Contains("a time limit is for the CPU"));
  CHECK_THAT(failure(gpu.launch({.blocks = {9, 1, 1}}, {.cluster = {2, 1, 1}})),
             Catch::Contains("clusters of 2x1x1 blocks do not divide"));
  CHECK_THAT(with("cuLaunchKernelEx=720", [&] { return gpu.launch({}, {.cooperative = true}); }),
             Catch::StartsWith("1 LaunchError") && Catch::Contains("launch fewer blocks"));
  CHECK_THAT(with("cuLaunchKernel=701", [&] { return gpu.launch(); }), Catch::Contains("\"maxregs\""));

  CompilerConfig newer{.target = PtxOptions{.sm = 90}};
  take(gpu.session->load("test.jl", "using CUDA\nset(y) = (y[1] = 7; return)\n"));
  {
    Environment old("KILN_FAKE_CUDA_SM", "80");
    auto session = take(Session::open());
    take(session->load("test.jl", "set(y) = (y[1] = 7; return)\n"));
    CHECK_THAT(failure(session->prepare("set(CuDeviceVector{Int64,1})", newer, take(session->gpu()))),
               Catch::StartsWith("2 usage error: code for sm_90 does not run on Fake GPU 0, which is sm_80"));
  }
  // Memory that the kernel's GPU does not reach.
  Device other = take(gpu.session->gpu(1));
  Stream there = take(gpu.session->stream(other));
  Buffer theirs = take(there.allocate(64)), pinned = take(other.allocate_pinned(64));
  std::vector<int64_t> host(8);
  auto launched = [&](void *memory) {
    return failure(
        gpu.session->launch(gpu.device, "set", {}, {Argument::array(static_cast<int64_t *>(memory), {8})}));
  };
  CHECK_THAT(launched(theirs.data()), Catch::StartsWith("2 usage error: argument 1 of set: ") &&
                                          Catch::Contains("is memory of GPU 1, and the launch is on GPU 0"));
  CHECK_THAT(launched(host.data()),
             Catch::Contains("is no memory that Fake GPU 0 reaches: copy host memory to a Buffer"));
  CHECK(launched(pinned.data()) == "no error");
  CHECK(launched(half.data()) == "no error");
}

TEST_CASE("arrays of other libraries become arguments, or an error that says what does not fit") {
  Fake fake;
  Gpu gpu;
  Buffer memory = take(gpu.stream.allocate(4096));
  int64_t shape[] = {2, 3}, column_major[] = {1, 2}, row_major[] = {3, 1};
  dlpack::Tensor t{memory.data(), {2, 0}, 2, {2, 32, 1}, shape, column_major, 16};
  auto words = [](const Argument &a) {
    std::vector<int64_t> all(a.bytes.size() / 8);
    std::memcpy(all.data(), a.bytes.data(), a.bytes.size());
    return all;
  };
  Argument a = take(argument_of(t, gpu.device));
  CHECK(a.type == "CuDeviceArray{Float32, 2, 1}");
  int64_t base = int64_t(reinterpret_cast<intptr_t>(memory.data()));
  CHECK(words(a) == std::vector<int64_t>{base + 16, 24, 2, 3, 6});
  t.strides = row_major;
  CHECK_THAT(
      failure(argument_of(t, gpu.device)),
      Catch::StartsWith("2 usage error: an array of 2x3 elements of Float32 has strides of 12, 4 bytes"));
  CHECK(words(take(argument_of(t, gpu.device, {.reverse_dimensions = true}))) ==
        std::vector<int64_t>{base + 16, 24, 3, 2, 6});
  t.strides = nullptr;
  CHECK_FALSE(argument_of(t, gpu.device).ok());
  CHECK(argument_of(t, gpu.device, {.reverse_dimensions = true}).ok());
  t.ndim = 1;
  CHECK(words(take(argument_of(t, gpu.device))) == std::vector<int64_t>{base + 16, 8, 2, 2});
  t.device = {2, 1};
  CHECK_THAT(failure(argument_of(t, gpu.device)),
             Catch::Contains("lies on GPU 1, and the kernel runs on GPU 0"));
  t.device = {1, 0};
  CHECK_THAT(failure(argument_of(t, gpu.device)), Catch::Contains("lies on the CPU"));
  CHECK(argument_of(t, gpu.session->cpu()).ok());
  t.device = {13, 0};
  CHECK(argument_of(t, gpu.device).ok());
  struct {
    dlpack::DataType type;
    const char *name;
  } types[] = {{{0, 64, 1}, "Int64"},
               {{1, 8, 1}, "UInt8"},
               {{2, 16, 1}, "Float16"},
               {{4, 16, 1}, "BFloat16"},
               {{5, 64, 1}, "Complex{Float32}"},
               {{6, 8, 1}, "Bool"}};
  for (const auto &each : types) {
    t.dtype = each.type;
    CHECK(take(argument_of(t, gpu.device)).type == "CuDeviceArray{" + std::string(each.name) + ", 1, 1}");
  }
  for (dlpack::DataType bad : {dlpack::DataType{0, 12, 1}, {2, 32, 4}, {3, 64, 1}, {9, 8, 1}}) {
    t.dtype = bad;
    CHECK_THAT(failure(argument_of(t, gpu.device)), Catch::Contains("the language has no type"));
  }
  int64_t large[] = {INT64_MAX / 2, 8};
  t = {memory.data(), {2, 0}, 2, {2, 32, 1}, large, nullptr, 0};
  CHECK_THAT(failure(argument_of(t, gpu.device, {.reverse_dimensions = true})),
             Catch::Contains("more bytes than there are"));

  CudaArrayInterface c{.shape = {shape, 2}, .typestr = "<f8", .data = memory.data(), .strides = {}};
  CHECK_THAT(failure(argument_of(c, gpu.device)), Catch::Contains("is row-major"));
  CHECK(take(argument_of(c, gpu.device, {.reverse_dimensions = true})).type ==
        "CuDeviceArray{Float64, 2, 1}");
  int64_t strides[] = {8, 16};
  c.strides = {strides, 2};
  CHECK(argument_of(c, gpu.device).ok());
  c.read_only = true;
  CHECK_THAT(failure(argument_of(c, gpu.device)), Catch::Contains("read-only"));
  CHECK(argument_of(c, gpu.device, {.allow_read_only = true}).ok());
  c.typestr = ">f8";
  CHECK_THAT(failure(argument_of(c, gpu.device)), Catch::Contains("typestr `>f8`"));
  c = {.shape = {shape, 1}, .typestr = "|b1", .data = shape, .strides = {}};
  CHECK_THAT(failure(argument_of(c, gpu.device)), Catch::Contains("is no memory that Fake GPU 0 reaches"));
  CHECK_THAT(failure(argument_of(c, gpu.session->cpu())), Catch::Contains("is for a GPU's kernels"));
}
