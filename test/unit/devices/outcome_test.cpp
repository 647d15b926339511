// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How launches end, as errors: threads and blocks counted from 1 as in Julia, the places of all frames.
#include "must.h"

#include <devices/devices.h>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

abi::ExceptionRecord record_of(abi::ExceptionKind kind, const char *text = nullptr,
                               const char *location = nullptr) {
  abi::ExceptionRecord record{};
  record.status = 2;
  record.kind = uint32_t(kind);
  record.thread[0] = 4, record.thread[2] = 1;
  record.block[1] = 9;
  record.name = uint64_t(reinterpret_cast<uintptr_t>(text));
  record.location = uint64_t(reinterpret_cast<uintptr_t>(location));
  return record;
}

/// An error of one diagnostic.
Diagnostic only(const Error &error) {
  REQUIRE(error.diagnostics().size() == 1);
  return error.diagnostics().front();
}

} // namespace

TEST_CASE("an exception has its kind, thread, block and frames") {
  SourceMap sources;
  const auto file = sources.add("a.jl", "function k(x)\n  x[0]\nend\n");
  const Diagnostic d = only(exception_error(
      record_of(abi::ExceptionKind::BoundsError, "BoundsError: index 0", "getindex|lib.jl|7\nk|a.jl|2\n"),
      sources));
  CHECK(d.name() == "BoundsError");
  CHECK_THAT(d.message, Contains("index 0, in thread (5, 1, 2) of block (1, 10, 1)"));
  REQUIRE(d.thread.has_value());
  CHECK(d.thread->thread == std::array<uint32_t, 3>{4, 0, 1});
  CHECK(d.thread->block == std::array<uint32_t, 3>{0, 9, 0});
  REQUIRE(d.stack.size() == 2);
  CHECK(d.stack[0].function == "getindex");
  CHECK(d.stack[0].file == "lib.jl"); // a text that nobody has
  CHECK(d.stack[0].line == 7);
  CHECK(d.stack[1].function == "k");
  CHECK(d.stack[1].at.line() == 2);
  CHECK(d.at.file_name() == "a.jl");
}

TEST_CASE("an exception without texts is known by its number") {
  SourceMap sources;
  CHECK(only(exception_error(record_of(abi::ExceptionKind::DivideError), sources)).name() == "DivideError");
  const Diagnostic unknown = only(exception_error(record_of(abi::ExceptionKind::Unknown), sources));
  CHECK_THAT(unknown.message, Contains("an exception was thrown in thread (5, 1, 2)"));
  CHECK_THAT(unknown.hint, Contains("-g1"));
}

TEST_CASE("the texts of an exception on a GPU are those that came with it") {
  SourceMap sources;
  CudaException exception{record_of(abi::ExceptionKind::UndefVarError), "UndefVarError: counter", "||g.jl|3"};
  const Diagnostic d = only(exception_error(exception, sources));
  CHECK_THAT(d.message, Contains("`counter` not defined, in thread"));
  REQUIRE(d.stack.size() == 1);
  CHECK(d.stack[0].function == "|"); // the name of a function too
  CHECK(d.stack[0].file == "g.jl");
  CHECK(d.stack[0].line == 3);
}

TEST_CASE("a location that is none leaves no frame") {
  SourceMap sources;
  for (const char *text : {"", "\n", "k", "k|a.jl", "|3", "|||"}) {
    INFO(text);
    const Diagnostic d =
        only(exception_error(record_of(abi::ExceptionKind::DomainError, "DomainError", text), sources));
    CHECK(d.stack.size() == (std::string_view(text) == "|||" ? 1 : 0));
  }
}

TEST_CASE("a deadlock names who waits where, and who has ended") {
  SourceMap sources;
  const auto file = sources.add("k.jl", "one\ntwo\nthree\n");
  const abi::WaitSite barrier{.kind = abi::WaitKind::Barrier, .location = "k|k.jl|2"},
      vote{.kind = abi::WaitKind::Ballot, .location = nullptr},
      numbered{.kind = abi::WaitKind::BarrierId, .location = ""};
  const Deadlock deadlock{.block = {2, 0, 0},
                          .ended = 1,
                          .places = {{&barrier, 0, 0, false, 31, {1, 0, 0}},
                                     {&vote, 0, 0xff, true, 1, {0, 3, 0}},
                                     {&numbered, 16, 0, false, 1, {7, 0, 0}}}};
  const Diagnostic d = only(deadlock_error(deadlock, sources));
  CHECK(d.code == ErrorCode::SynchronizationError);
  CHECK_THAT(d.message, Contains("block (3, 1, 1)"));
  REQUIRE(d.notes.size() == 4);
  CHECK_THAT(d.notes[0].text, Contains("thread (2, 1, 1) and 30 more wait in sync_threads"));
  CHECK(d.notes[0].at.line() == 2);
  CHECK_THAT(d.notes[1].text, Contains("thread (1, 4, 1) waits in a vote of the lanes 0x000000ff") &&
                                  Contains("without being one"));
  CHECK_THAT(d.notes[2].text, Contains("barrier_sync(16)") && Contains("numbered from 0 to 15"));
  CHECK_THAT(d.notes[3].text, Contains("1 of its threads has ended"));
}

TEST_CASE("a launch that went well is no error, and all that went wrong is in one") {
  SourceMap sources;
  LaunchOutcome outcome;
  CHECK(launch_result(outcome, nullptr, sources).ok());
  outcome.exception = record_of(abi::ExceptionKind::DivideError);
  const abi::WaitSite barrier{.kind = abi::WaitKind::Barrier, .location = nullptr};
  outcome.deadlock = Deadlock{.block = {}, .ended = 0, .places = {{&barrier, 0, 0, false, 1, {}}}};
  auto both = launch_result(outcome, nullptr, sources);
  REQUIRE(!both.ok());
  REQUIRE(both.error().diagnostics().size() == 2);
  CHECK(both.error().diagnostics()[0].name() == "DivideError");
  CHECK(both.error().diagnostics()[1].code == ErrorCode::SynchronizationError);
  // Threads that wait for one which the time limit ended are not stuck.
  outcome.overdue = {.found = true, .location = "k|k.jl|2", .thread = {}, .block = {0, 0, 4}};
  auto late = launch_result(outcome, nullptr, sources);
  REQUIRE(late.error().diagnostics().size() == 2);
  CHECK(late.error().diagnostics()[1].code == ErrorCode::TimeLimitError);
  CHECK_THAT(late.error().diagnostics()[1].message, Contains("thread (1, 1, 1) of block (1, 1, 5)"));
}
