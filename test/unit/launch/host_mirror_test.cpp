// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HostMirror on the CPU device, whose buffers are memory of the process: what stands in a copy can be read.
#include <catch2/catch.hpp>

#include <kiln/kiln.h>

#include <cstring>
#include <numeric>

using namespace kiln;

namespace {

struct Fixture {
  Fixture() {
    auto opened = Session::open();
    if (!opened.ok()) FAIL(opened.error().what());
    session = std::move(*opened);
    stream = session->stream();
    std::iota(memory.begin(), memory.end(), uint8_t(0));
  }
  std::span<std::byte> part(size_t offset, size_t bytes) {
    return std::as_writable_bytes(std::span(memory)).subspan(offset, bytes);
  }
  uint64_t address(size_t offset) { return uint64_t(reinterpret_cast<uintptr_t>(memory.data() + offset)); }
  /// The byte at the copy of a host address.
  uint8_t &copied(const HostMirror &mirror, size_t offset) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the CPU device
    return *reinterpret_cast<uint8_t *>(uintptr_t(mirror.device_address(address(offset)).value()));
  }
  void upload(HostMirror &mirror) {
    auto done = mirror.upload();
    if (!done.ok()) FAIL(done.error().what());
    REQUIRE(stream.synchronize().ok());
  }
  void download(HostMirror &mirror) {
    REQUIRE(mirror.download().ok());
    REQUIRE(stream.synchronize().ok());
  }

  std::unique_ptr<Session> session;
  Stream stream;
  std::array<uint8_t, 256> memory{};
};

} // namespace

TEST_CASE_METHOD(Fixture, "one copy for memory that is added twice or in parts") {
  struct Case {
    const char *name;
    std::vector<std::pair<size_t, size_t>> parts; // offset, bytes
    std::vector<uint64_t> copies;                 // bytes of each copy
  };
  const Case cases[] = {
      {"the same array twice", {{16, 32}, {16, 32}}, {32}},
      {"two arrays that overlap", {{0, 32}, {16, 32}}, {48}},
      {"an array inside another", {{64, 8}, {32, 64}}, {64}},
      {"a chain that the last one closes", {{0, 16}, {24, 16}, {8, 24}}, {40}},
      {"arrays that touch", {{0, 16}, {16, 16}}, {16, 16}},
      {"an empty array", {{8, 0}}, {0}},
      {"an empty array inside another", {{0, 16}, {8, 0}}, {16}},
      {"an empty array at the start of another", {{8, 0}, {8, 16}}, {16}},
  };
  for (const Case &each : cases) {
    INFO(each.name);
    HostMirror mirror(stream);
    for (auto [offset, bytes] : each.parts) mirror.add(part(offset, bytes));
    upload(mirror);
    std::vector<uint64_t> copies;
    for (const HostMirror::Range &range : mirror.ranges()) copies.push_back(range.bytes());
    CHECK(copies == each.copies);
    for (auto [offset, bytes] : each.parts)
      for (size_t i = offset; i < offset + bytes; i++) CHECK(copied(mirror, i) == uint8_t(i));
  }
}

TEST_CASE_METHOD(Fixture, "pointers into arrays, to their ends and elsewhere") {
  HostMirror mirror(stream);
  mirror.add(part(0, 16));
  mirror.add(part(16, 16));
  mirror.add(part(64, 16));
  CHECK_FALSE(mirror.device_address(address(0))); // there is no copy yet
  upload(mirror);
  const uint64_t second = mirror.device_address(address(16)).value();
  CHECK(mirror.device_address(address(31)).value() == second + 15);
  CHECK(mirror.device_address(address(32)).value() == second + 16); // one past the end
  CHECK(copied(mirror, 16) == 16); // where one ends and the next begins, the next
  CHECK_FALSE(mirror.device_address(address(33)));
  CHECK_FALSE(mirror.device_address(address(63)));
  CHECK_FALSE(mirror.device_address(address(81)));
  CHECK_FALSE(mirror.device_address(0));
}

TEST_CASE_METHOD(Fixture, "copies come back, but for memory that is only read") {
  HostMirror mirror(stream);
  mirror.add(part(0, 8));
  mirror.add(part(16, 8), true);
  mirror.add(part(32, 8), true);
  mirror.add(part(36, 8)); // overlaps memory that is only read: one of the two may write
  upload(mirror);
  for (size_t i : {0, 16, 32, 43}) copied(mirror, i) = 200;
  download(mirror);
  CHECK(memory[0] == 200);
  CHECK(memory[16] == 16);
  CHECK(memory[32] == 200);
  CHECK(memory[43] == 200);
}

TEST_CASE_METHOD(Fixture, "memory may be added after an upload") {
  HostMirror mirror(stream);
  mirror.add(part(0, 16));
  mirror.add(part(64, 16));
  upload(mirror);
  copied(mirror, 64) = 99;
  const uint64_t untouched = mirror.device_address(address(64)).value();
  mirror.add(part(8, 16));
  mirror.add(part(64, 8));
  upload(mirror);
  CHECK(mirror.ranges().size() == 2);
  CHECK(copied(mirror, 23) == 23);
  CHECK(mirror.device_address(address(64)).value() == untouched); // it did not grow, and keeps its copy
  CHECK(copied(mirror, 64) == 99);
}

TEST_CASE_METHOD(Fixture, "a range that grows at its end gets a copy of its new size") {
  for (bool is_empty : {false, true}) {
    HostMirror mirror(stream);
    mirror.add(part(64, is_empty ? 0 : 8));
    upload(mirror);
    mirror.add(part(64, 16));
    upload(mirror);
    REQUIRE(mirror.ranges().size() == 1);
    CHECK(mirror.ranges()[0].device.bytes() >= 16);
    CHECK(copied(mirror, 79) == 79);
  }
}
