// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inference of a job that was told to stop.
#include "fixture.h"

#include <support/cancellation.h>

#include <chrono>

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr int functions = 4000;

/// long(x) calls 4,000 functions of its own; each is inferred. wide(x) is one function of 4,000 statements.
std::string program() {
  std::string text, calls = "long(x) = x", statements = "function wide(x)\n";
  for (int i = 0; i < functions; i++) {
    text += fmt::format("@noinline part{}(x) = x * {} + {}\n", i, i, i + 1);
    calls += fmt::format(" + part{}(x)", i);
    statements += fmt::format("  x = x * 3 + {}\n", i);
  }
  return text + calls + "\n" + statements + "  return x\nend\n";
}

} // namespace

TEST_CASE("a job that was told to stop is not inferred to its end, and can be inferred later") {
  InferFixture f;
  f.load(program());
  for (const char *call : {"long(Int64)", "wide(Int64)"}) {
    const uint64_t before = f.table.counters().inferred;
    {
      const Cancellation cancelled;
      cancelled.cancel();
      const CancellationScope scope(&cancelled);
      auto stopped = f.try_infer(call);
      REQUIRE_FALSE(stopped.ok());
      CHECK(is_stop(stopped.error()));
      CHECK(stopped.error().diagnostics()[0].name() == "Cancelled");
    }
    CHECK(f.table.counters().inferred - before < 100); // it asks every 64 statements
    CHECK(f.result(call) == "Int64");
  }
  CHECK(f.table.counters().inferred > functions);
}

TEST_CASE("a deadline that passes during inference ends it") {
  InferFixture f;
  f.load(program());
  const Cancellation late;
  late.set_deadline(Cancellation::Clock::now() + std::chrono::milliseconds(1)); // 4,000 functions take longer
  const CancellationScope scope(&late);
  auto stopped = f.try_infer("long(Int64)");
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().diagnostics()[0].name() == "DeadlineExceeded");
  CHECK(f.table.counters().inferred < functions);
}
