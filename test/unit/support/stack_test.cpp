// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a thread's stack, against the size that the thread was started with.
#include <support/stack.h>

#include <catch2/catch.hpp>

#include <functional>
#include <pthread.h>

using namespace kiln;

namespace {

void on_thread(size_t stack, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_t thread;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, stack) == 0);
  auto run = [](void *at) -> void * {
    (*static_cast<std::function<void()> *>(at))();
    return nullptr;
  };
  // One thread at a time asserts: that of `work`, then this one.
  const int made = pthread_create(&thread, &attributes, run, &work);
  const int joined = made == 0 ? pthread_join(thread, nullptr) : 0;
  pthread_attr_destroy(&attributes);
  REQUIRE(made == 0);
  REQUIRE(joined == 0);
}

} // namespace

TEST_CASE("a thread's stack holds its frames and has the size it was given", "[support][stack]") {
  for (size_t size : {size_t(256) << 10, size_t(1) << 20, size_t(16) << 20}) {
    std::optional<StackBounds> bounds;
    size_t left = 0;
    const char *frame = nullptr;
    on_thread(size, [&] {
      bounds = stack_of_this_thread();
      left = remaining_stack();
      frame = static_cast<const char *>(__builtin_frame_address(0));
    });
    REQUIRE(bounds);
    CHECK(bounds->lowest < frame);
    CHECK(frame < bounds->lowest + bounds->bytes);
    CHECK(bounds->bytes <= size);
    CHECK(bounds->bytes >= size - (size_t(64) << 10)); // the guard is part of the size
    CHECK(left <= size_t(frame - bounds->lowest));
    CHECK(left + (size_t(16) << 10) >= size_t(frame - bounds->lowest));
  }
}

TEST_CASE("work that needs more than is left gets it, and what it throws comes out", "[support][stack]") {
  on_thread(size_t(128) << 10, [] {
    size_t inside = 0;
    const int value = with_stack(stack_for_limits, [&] {
      inside = remaining_stack();
      return 7;
    });
    CHECK(value == 7);
    CHECK(inside >= stack_for_limits);
    CHECK(remaining_stack() < stack_for_limits);
    CHECK_THROWS_AS(with_stack(stack_for_limits, []() -> int { throw 3; }), int);
  });
}
