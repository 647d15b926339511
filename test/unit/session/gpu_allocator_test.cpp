// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedder's device memory, and ranges of NVTX, against the fake driver.
#include "gpu_fixture.h"

#include <map>
#include <mutex>
#include <stdexcept>

using namespace kiln;
using namespace kiln::test;

namespace {

/// Blocks of the fake driver's, 256 apart, which it counts.
struct Counting : DeviceAllocator {
  std::mutex mutex;
  std::map<uint64_t, uint64_t> living;
  uint64_t next = uint64_t(1) << 40;
  int allocations = 0, releases = 0;
  enum { Works, Empty, Throws, Odd } how = Works;
  void *context = nullptr, *stream = nullptr;
  uint64_t allocate(uint64_t bytes, void *in, void *on) override {
    std::lock_guard lock(mutex);
    allocations++;
    context = in;
    stream = on;
    if (how == Empty) return 0;
    if (how == Throws) throw std::runtime_error("the arena is closed");
    const uint64_t address = next + (how == Odd ? 8 : 0);
    next += (bytes + 511) / 256 * 256;
    living[address] = bytes;
    return address;
  }
  void release(uint64_t address, uint64_t bytes, void *in, void *on) override {
    std::lock_guard lock(mutex);
    releases++;
    CHECK(living.count(address));
    CHECK(living[address] == bytes);
    CHECK(in == context);
    CHECK(on == stream);
    living.erase(address);
    if (how == Throws) throw 1;
  }
};

} // namespace

TEST_CASE("buffers get the embedder's memory and give it back, and the driver's pool is never made") {
  Fake fake;
  auto allocator = std::make_shared<Counting>();
  SessionOptions options;
  options.cache_dir = "";
  options.device_allocator = allocator;
  const uint64_t pools = fake.count("cuMemPoolCreate"); // of other sessions
  auto session = take(Session::open(options));
  Device gpu = take(session->gpu());
  Stream stream = take(session->stream(gpu));
  fake.log();
  {
    Buffer a = take(stream.allocate(1000)), b = take(stream.allocate(1)), none = take(stream.allocate(0));
    CHECK(uint64_t(reinterpret_cast<uintptr_t>(a.data())) == uint64_t(1) << 40);
    CHECK(none.data() == nullptr);
    CHECK(allocator->context == gpu.native_context());
    CHECK(allocator->stream == stream.native_handle());
    CHECK(gpu.memory().current_bytes == 1001);
    CHECK(allocator->living.size() == 2);
  }
  done(gpu.trim());
  done(gpu.set_kept_memory(5));
  CHECK(allocator->living.empty());
  CHECK(allocator->allocations == 2);
  CHECK(gpu.memory().current_bytes == 0);
  CHECK(fake.count("cuMemPoolCreate") == pools);
  CHECK(fake.calls().find("cuMem") == std::string::npos);
  // A buffer that outlives session and stream gives back to it, too.
  Buffer last = take(stream.allocate(7));
  stream = Stream();
  session.reset();
  gpu = Device();
  std::weak_ptr<Counting> watch = allocator;
  options.device_allocator.reset();
  allocator.reset();
  CHECK_FALSE(watch.expired());
  last = Buffer();
  CHECK(watch.expired());
}

TEST_CASE("an allocator without memory, that throws, or that gives a wrong address") {
  Fake fake;
  auto allocator = std::make_shared<Counting>();
  SessionOptions options;
  options.cache_dir = "";
  options.device_allocator = allocator;
  auto session = take(Session::open(options));
  Device gpu = take(session->gpu());
  Stream stream = take(session->stream(gpu));
  auto refused = [&](ErrorKind kind, const char *why) {
    auto made = stream.allocate(1 << 20);
    REQUIRE_FALSE(made.ok());
    INFO(made.error().what());
    CHECK(made.error().kind() == kind);
    CHECK(made.error().what().find(why) != std::string::npos);
    CHECK(gpu.memory().current_bytes == 0);
  };
  allocator->how = Counting::Empty;
  refused(ErrorKind::Machine, "allocating 1 MB on");
  allocator->how = Counting::Throws;
  refused(ErrorKind::Machine, "the embedder's allocator threw: the arena is closed");
  allocator->how = Counting::Odd;
  refused(ErrorKind::Usage, "which is no multiple of 256");
  CHECK(allocator->living.empty()); // it was given back
  allocator->how = Counting::Works;
  Buffer buffer = take(stream.allocate(64));
  allocator->how = Counting::Throws;
  buffer = Buffer(); // an exception of release is caught
  CHECK(allocator->living.empty());
}

TEST_CASE("an allocator may call the session and destroy other buffers") {
  Fake fake;
  struct Collects : Counting {
    Session *session = nullptr;
    std::vector<Buffer> garbage;
    bool loaded = false;
    uint64_t allocate(uint64_t bytes, void *in, void *on) override {
      if (!garbage.empty()) {
        std::vector<Buffer> gone = std::move(garbage);
        garbage.clear();
        loaded = session->load("x.jl", "x = 1\n").ok();
      }
      return Counting::allocate(bytes, in, on);
    }
  };
  auto allocator = std::make_shared<Collects>();
  SessionOptions options;
  options.cache_dir = "";
  options.device_allocator = allocator;
  auto session = take(Session::open(options));
  Stream stream = take(session->stream(take(session->gpu())));
  allocator->session = session.get();
  Buffer buffer = take(stream.allocate(64));
  allocator->garbage.push_back(std::move(buffer));
  Buffer next = take(stream.allocate(64));
  CHECK(allocator->loaded);
  CHECK(allocator->living.size() == 1);
}
