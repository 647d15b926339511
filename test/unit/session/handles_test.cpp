// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles keep alive what they need: any of them may outlive its Session and works on; empty ones answer.
#include "gpu_fixture.h"

#include <algorithm>
#include <optional>

namespace handles_test {

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr const char *source = R"(
using CUDA
function add(y, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] += a
    end
    return
end
function slow(y)
    x = 1f0
    for k in 1:10_000_000 # each round waits for the one before
        x = x * 0.5f0 + 1f0
    end
    @inbounds y[1] += x > 0f0 ? 1f0 : 0f0
    return
end
function fails(y)
    y[length(y) + 1] = 1f0
    return
end
)";

std::unique_ptr<Session> open(const SessionOptions &options = {}) {
  auto session = take(Session::open(options));
  take(session->load("handles.jl", source));
  return session;
}

/// The bytes of an array argument.
abi::ArrayHeader<1> header(std::vector<float> &y) {
  return {y.data(), int64_t(4 * y.size()), {int64_t(y.size())}, int64_t(y.size())};
}

constexpr const char *add = "add(CuDeviceVector{Float32,1}, Float32)";
constexpr LaunchShape shape{.threads = {32, 1, 1}};

} // namespace

TEST_CASE("a kernel, a stream, a buffer and an event outlive their session and work on") {
  std::vector<float> y(32, 1.0f);
  float a = 2.0f;
  auto array = header(y);
  const void *arguments[] = {&array, &a};

  auto session = open();
  Device device = session->cpu();
  Stream stream = session->stream(), other = session->stream();
  Kernel kernel = take(session->prepare(add));
  Event event;
  Buffer buffer = take(stream.allocate(128));
  Buffer pinned = take(device.allocate_pinned(64));
  done(stream.launch(kernel, shape, arguments));
  done(stream.record(event));
  session.reset();
  CHECK(y == std::vector<float>(32, 3.0f)); // it waited

  done(other.wait(event));
  done(other.launch(kernel, shape, arguments));
  done(other.synchronize());
  CHECK(y == std::vector<float>(32, 5.0f));
  done(stream.fill(buffer.data(), 1, buffer.bytes()));
  done(stream.copy(y.data(), buffer.data(), 4));
  done(stream.synchronize());
  CHECK(device.info().name == "CPU");
  CHECK(device.memory().current_bytes == 128);
  CHECK(kernel.artifact().parameters.size() == 2);
  CHECK(kernel.device() == device);
  CHECK(take(kernel.suggest()).threads > 0);
  take(device.allocate_pinned(64));
  Stream moved = std::move(stream);
  take(moved.allocate(64));
}

TEST_CASE("handles go in any order, with a session among them") {
  // All orders of five.
  std::array<int, 5> order{0, 1, 2, 3, 4};
  auto session = open();
  std::vector<float> y(32);
  do {
    std::fill(y.begin(), y.end(), 0.0f);
    float a = 1.0f;
    auto array = header(y);
    const void *arguments[] = {&array, &a};
    auto inner = order[0] % 2 ? nullptr : open({.cache_dir = ""});
    Session &of = inner ? *inner : *session;
    std::optional<Kernel> kernel = take(of.prepare(add));
    std::optional<Stream> stream = of.stream();
    std::optional<Buffer> buffer = take(stream->allocate(256));
    std::optional<Event> event(std::in_place);
    done(stream->record(*event));
    done(stream->launch(*kernel, shape, arguments));
    for (int each : order) {
      if (each == 0) kernel.reset();
      if (each == 1) stream.reset();
      if (each == 2) buffer.reset();
      if (each == 3) event.reset();
      if (each == 4) inner.reset();
    }
    CHECK(y == std::vector<float>(32, 1.0f)); // the stream's end waits
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("closing a session waits for launches that its streams hold") {
  std::vector<float> y(4, 0.0f);
  auto array = header(y);
  const void *arguments[] = {&array};
  auto session = open();
  Stream one = session->stream(), two = session->stream();
  Kernel kernel = take(session->prepare("slow(CuDeviceVector{Float32,1})"));
  for (int i = 0; i < 3; i++) done(one.launch(kernel, {}, arguments));
  Event event;
  done(one.record(event));
  done(two.wait(event));
  done(two.launch(kernel, {}, arguments));
  session.reset();
  CHECK(y[0] == 4.0f);
  CHECK(one.idle());
  CHECK(two.idle());
}

TEST_CASE("an exception of a kernel is told when its session has gone") {
  std::vector<float> y(4, 0.0f);
  auto array = header(y);
  const void *arguments[] = {&array};
  auto session = open();
  Stream stream = session->stream();
  done(stream.launch(take(session->prepare("fails(CuDeviceVector{Float32,1})")), {}, arguments));
  session.reset();
  CHECK_THAT(failure(stream.synchronize()), Catch::Contains("BoundsError"));
  done(stream.synchronize());
}

TEST_CASE("a checked kernel is checked when its session has gone") {
  std::vector<float> y(4, 0.0f);
  auto array = header(y);
  const void *arguments[] = {&array};
  auto session = open();
  CompilerConfig config;
  config.check = true;
  take(session->load("beyond.jl", "beyond(y) = (@inbounds y[9] = 1f0; return)"));
  Kernel kernel = take(session->prepare("beyond(CuDeviceVector{Float32,1})", config));
  Stream stream = session->stream();
  session.reset();
  done(stream.launch(kernel, {}, arguments));
  CHECK_THAT(failure(stream.synchronize()),
             Catch::Contains("OutOfBoundsAccess") && Catch::Contains("argument 1, an array of 16 bytes"));
}

TEST_CASE("what belongs to another session is told apart") {
  auto one = open(), two = open();
  Kernel kernel = take(one->prepare(add));
  std::vector<float> y(4, 0.0f);
  float a = 1.0f;
  auto array = header(y);
  const void *arguments[] = {&array, &a};
  Stream stream = two->stream();
  CHECK_THAT(failure(stream.launch(kernel, shape, arguments)),
             Catch::StartsWith("2 ") && Catch::Contains("another session"));
  CHECK_THAT(failure(two->launch(kernel, shape, arguments)),
             Catch::StartsWith("2 ") && Catch::Contains("another session"));
  CHECK_THAT(failure(two->launch(one->cpu(), "add", shape,
                                 {Argument::array(y.data(), {4}), Argument::scalar(1.0f)})),
             Catch::StartsWith("2 ") && Catch::Contains("another session"));
  CHECK_THAT(failure(two->prepare(add, {}, one->cpu())), Catch::Contains("another session"));
  CHECK_THAT(failure(two->stream(one->cpu())), Catch::Contains("another session"));
}

TEST_CASE("empty handles and those that were moved from answer with Usage errors") {
  auto session = open();
  std::vector<float> y(4, 0.0f);
  float a = 1.0f;
  auto array = header(y);
  const void *arguments[] = {&array, &a};
  auto is_usage = [](auto &&result) {
    REQUIRE(!result.ok());
    CHECK(result.error().kind() == ErrorKind::Usage);
    CHECK(!result.error().diagnostics()[0].message.empty());
  };
  const bool moved = GENERATE(false, true);
  CAPTURE(moved);
  Device device = moved ? session->cpu() : Device();
  Kernel kernel = moved ? take(session->prepare(add)) : Kernel();
  Stream stream = moved ? session->stream() : Stream();
  Buffer buffer = moved ? take(session->stream().allocate(16)) : Buffer();
  Event event;
  Graph graph;
  if (moved) {
    auto gone = [](auto &handle) { auto into = std::move(handle); };
    gone(device), gone(kernel), gone(stream), gone(buffer), gone(event), gone(graph);
  }
  Stream working = session->stream();
  Event recorded;
  CHECK(!device);
  CHECK(!device.is_gpu());
  CHECK(device.info().name.empty());
  CHECK(device.limits().threads_of_block == 0);
  CHECK(device.memory().allocations == 0);
  CHECK(device.native_context() == nullptr);
  is_usage(device.allocate_pinned(16)), is_usage(device.free_memory()), is_usage(device.trim()),
      is_usage(device.set_kept_memory(0)), is_usage(device.synchronize());
  is_usage(session->stream(device)), is_usage(session->prepare(add, {}, device)),
      is_usage(session->launch(device, "add", shape, {})), is_usage(session->load_kernel(ptx(), device));
  CHECK(!kernel);
  CHECK(kernel.artifact().entry.empty());
  CHECK(!kernel.device());
  is_usage(kernel.suggest()), is_usage(kernel.global("x")),
      is_usage(working.launch(kernel, shape, arguments)), is_usage(session->launch(kernel, shape, arguments));
  CHECK(!stream);
  CHECK(!stream.device());
  CHECK(stream.idle());
  CHECK(stream.native_handle() == nullptr);
  is_usage(stream.launch(take(session->prepare(add)), shape, arguments)), is_usage(stream.allocate(16)),
      is_usage(stream.copy(y.data(), y.data(), 4)), is_usage(stream.fill(y.data(), 0, 4));
  is_usage(stream.record(recorded)), is_usage(stream.wait(recorded)), is_usage(stream.capture_begin()),
      is_usage(stream.capture_end()), is_usage(stream.launch(graph));
  done(stream.synchronize()); // there is nothing to wait for
  CHECK(buffer.data() == nullptr);
  CHECK(buffer.bytes() == 0);
  CHECK(!graph);
  is_usage(working.launch(graph));
  if (moved) {
    CHECK(event.done());
    event.wait();
    is_usage(working.record(event)), is_usage(working.wait(event)), is_usage(Event::between(event, recorded)),
        is_usage(Event::between(recorded, event));
  }
  // And they can be used again.
  device = session->cpu();
  stream = session->stream(device).ok() ? session->stream() : Stream();
  kernel = take(session->prepare(add));
  event = Event();
  done(stream.launch(kernel, shape, arguments));
  done(stream.record(event));
  event.wait();
  CHECK(y[0] == 1.0f);
}

TEST_CASE("what belongs to another session is told apart on a GPU, also of the same device") {
  Fake fake;
  Gpu one, two;
  uint64_t a = 1, b = 2;
  const void *arguments[] = {&a, &b};
  const uint64_t before = fake.count("cuLaunchKernel") + fake.count("cuLaunchKernelEx");
  CHECK_THAT(failure(two.stream.launch(one.kernel, shape, arguments)),
             Catch::StartsWith("2 ") && Catch::Contains("another session"));
  CHECK_THAT(failure(two.session->launch(one.kernel, shape, arguments)),
             Catch::StartsWith("2 ") && Catch::Contains("another session"));
  CHECK(fake.count("cuLaunchKernel") + fake.count("cuLaunchKernelEx") == before);
  done(one.stream.launch(one.kernel, shape, arguments));
  done(two.stream.launch(two.kernel, shape, arguments));
}

TEST_CASE("a GPU's handles outlive their session, and leave nothing behind") {
  Fake fake;
  const FakeLiving before = fake.living();
  {
    std::optional<Gpu> gpu(std::in_place);
    Buffer buffer = take(gpu->stream.allocate(64));
    Event event;
    done(gpu->stream.record(event));
    done(gpu->launch());
    Device device = gpu->device;
    Kernel kernel = gpu->kernel;
    Stream stream = std::move(gpu->stream);
    done(stream.capture_begin());
    done(gpu->launch(stream, kernel));
    Graph graph = take(stream.capture_end());
    gpu.reset();
    uint64_t a = 1, b = 2;
    const void *arguments[] = {&a, &b};
    done(stream.launch(kernel, shape, arguments));
    done(stream.launch(graph));
    done(stream.synchronize());
    CHECK(event.done());
    CHECK(device.is_gpu());
    take(stream.allocate(64));
    done(device.synchronize());
  }
  const FakeLiving after = fake.living();
  CHECK(after.contexts == before.contexts);
  CHECK(after.streams == before.streams);
  CHECK(after.events == before.events);
  CHECK(after.modules == before.modules);
  CHECK(after.graphs == before.graphs);
  CHECK(after.device_blocks == before.device_blocks);
  CHECK(after.pinned_blocks == before.pinned_blocks);
}

} // namespace handles_test
