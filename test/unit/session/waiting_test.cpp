// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluated code that waits for a kernel, and other threads that define and evaluate meanwhile.
#include "must.h"

#include <catch2/catch.hpp>
#include <kiln/extension/language.h>
#include <kiln/kiln.h>
#include <session/session.h>

#include <atomic>
#include <thread>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

TEST_CASE("a lock that is given up around a wait is held again as deep as before, with its state") {
  ReleasableLock lock;
  int state = 0;
  lock.on_release([&]() -> std::shared_ptr<void> { return std::make_shared<int>(std::exchange(state, 0)); },
                  [&](std::shared_ptr<void> kept) { state = *static_cast<int *>(kept.get()); });
  auto is_free = [&] {
    bool free = false;
    std::thread([&] {
      free = lock.try_lock();
      if (free) {
        state = -1; // another's work, which it takes along
        state = 0;
        lock.unlock();
      }
    }).join();
    return free;
  };
  {
    const ReleasedLocks none;
  }
  lock.lock();
  lock.lock();
  CHECK(lock.try_lock());
  state = 5;
  CHECK_FALSE(is_free());
  {
    const ReleasedLocks released;
    CHECK(state == 0);
    CHECK(is_free());
    {
      const ReleasedLocks again; // nothing is held now
    }
    CHECK(is_free());
  }
  CHECK(state == 5);
  lock.unlock();
  lock.unlock();
  CHECK_FALSE(is_free());
  {
    const KeptLocks kept;
    const ReleasedLocks not_released;
    CHECK_FALSE(is_free());
  }
  EvaluationMutex evaluation;
  {
    std::scoped_lock hold(evaluation);
    const ReleasedLocks not_released;
    CHECK_FALSE(is_free());
  }
  lock.unlock();
  CHECK(is_free());
}

TEST_CASE("while evaluated code waits for a kernel, other threads define and evaluate") {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  auto session = must(Session::open(options));
  must(session->load("a.jl", R"(
function spin(y, n)
    s = 0.0
    for i in 1:n
        s = s * 0.999 + i
    end
    y[1] = s
    return
end
nested(n) = n == 0 ? hold() : 1 + nested(n - 1)
)"));
  // A second at least: each turn takes the 8 cycles of a product and a sum, which no processor does at 8 GHz.
  constexpr int64_t turns = 1'000'000'000;
  std::vector<double> y(1);
  std::atomic<bool> launched{false}, returned{false};
  const Kernel kernel = must(session->prepare("spin(CuDeviceVector{Float64,1}, Int64)"));
  must(session->define([&](World &world) -> Result<void> {
    return definitions_of(*session).interpreter().add_host_function(
        *world.main(), "hold", [&](Interpreter &interpreter, std::span<const Value>) -> Result<Value> {
          launched = true;
          const Argument array = Argument::array(y.data(), {1}), number = Argument::scalar(turns);
          Result<void> ran = session->launch("spin", {}, {array, number});
          returned = true;
          if (!ran.ok()) return ran.take_error();
          return interpreter.world().types().int64(40);
        });
  }));
  Result<Value> outcome = Value();
  std::thread evaluates([&] { outcome = evaluate(*session, "x", "nested(2)"); });
  while (!launched) std::this_thread::yield();
  must(session->load("b.jl", "later(x) = x + 1\n"));
  CHECK(must(evaluate(*session, "y", "later(1)")).low_bits() == 2);
  auto fault = evaluate(*session, "z", "error(\"other\")"); // an exception of this thread's own
  CHECK_THAT(fault.error().what(), Contains("other"));
  CHECK_FALSE(returned); // the kernel still runs
  evaluates.join();
  CHECK(must(std::move(outcome)).low_bits() == 42);
  CHECK(y[0] > 0);
}
