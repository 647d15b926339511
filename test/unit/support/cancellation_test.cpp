// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that is told to stop: who hears of it, when, and why.
#include "must.h"

#include <kiln/error_code.h>
#include <support/cancellation.h>
#include <support/stack.h>

#include <atomic>
#include <thread>

using namespace kiln;
using Clock = Cancellation::Clock;

TEST_CASE("the reason that comes first stays") {
  Cancellation cancelled, expired;
  CHECK(cancelled.reason() == StopReason::None);
  CHECK(cancelled.check().ok());
  cancelled.cancel();
  cancelled.expire();
  expired.expire();
  expired.cancel();
  CHECK(cancelled.reason() == StopReason::Cancelled);
  CHECK(expired.reason() == StopReason::DeadlineExceeded);
  CHECK(cancelled.check().take_error().code() == ErrorCode::Cancelled);
  CHECK(expired.check().take_error().code() == ErrorCode::DeadlineExceeded);
  CHECK(is_stop(cancelled_error()));
  CHECK(is_stop(deadline_exceeded_error()));
  CHECK_FALSE(is_stop(usage_error("something else")));
}

TEST_CASE("a deadline that has passed counts though nobody called expire") {
  const Cancellation cancellation;
  cancellation.set_deadline(Clock::now() + std::chrono::hours(1));
  CHECK_FALSE(cancellation.is_stopped());
  cancellation.set_deadline(Clock::now() - std::chrono::nanoseconds(1));
  CHECK(cancellation.reason() == StopReason::DeadlineExceeded);
}

TEST_CASE("copies are the same switch") {
  const Cancellation one;
  const Cancellation other = one;
  other.cancel();
  CHECK(one.reason() == StopReason::Cancelled);
}

TEST_CASE("a callback is called once, sees the reason, and not after it was destroyed") {
  const Cancellation cancellation;
  int calls = 0, gone = 0;
  StopReason seen = StopReason::None;
  {
    const CancellationCallback callback(cancellation, [&] { gone++; });
  }
  const CancellationCallback callback(cancellation, [&] {
    calls++;
    seen = cancellation.reason();
  });
  cancellation.cancel();
  cancellation.cancel();
  CHECK(calls == 1);
  CHECK(gone == 0);
  CHECK(seen == StopReason::Cancelled);
  const CancellationCallback late(cancellation, [&] { calls++; }); // at once
  CHECK(calls == 2);
}

TEST_CASE("a callback's destructor waits for the call that another thread is in") {
  for (int round = 0; round < 200; round++) {
    const Cancellation cancellation;
    auto *number = new std::atomic<int>(0);
    std::atomic<bool> begun{false};
    std::thread other;
    {
      const CancellationCallback callback(cancellation, [&] {
        begun = true;
        std::this_thread::yield();
        number->fetch_add(1);
      });
      other = std::thread([&] { cancellation.cancel(); });
      while (!begun) std::this_thread::yield();
    }
    CHECK(*number == 1);
    delete number; // which nobody touches any more: a sanitizer would see it
    other.join();
  }
}

TEST_CASE("scopes nest, are a thread's own, and reach work on another stack") {
  CHECK(current_cancellation() == nullptr);
  CHECK_FALSE(cancellation_requested());
  const Cancellation outer, inner;
  outer.cancel();
  {
    const CancellationScope of_outer(&outer);
    CHECK(cancellation_requested());
    CHECK_FALSE(check_cancellation().ok());
    {
      const CancellationScope of_inner(&inner);
      CHECK_FALSE(cancellation_requested());
      const CancellationScope none(nullptr);
      CHECK(current_cancellation() == nullptr);
    }
    CHECK(current_cancellation() == &outer);
    bool elsewhere = true;
    std::thread([&] { elsewhere = cancellation_requested(); }).join();
    CHECK_FALSE(elsewhere);
    CHECK(with_stack(SIZE_MAX, [] { return cancellation_requested(); })); // more than any stack has left
  }
  CHECK(current_cancellation() == nullptr);
}
