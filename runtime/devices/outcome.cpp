// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts exceptions and faults of kernels to errors with source lines.
#include "outcome.h"

#include <abi/abi.h>

#include <cstdlib>

namespace kiln {

namespace {

/// Parses lines of "function|file|line", innermost first.
std::vector<StackFrame> frames_of(std::string_view location, const SourceMap &sources) {
  std::vector<StackFrame> stack;
  while (!location.empty()) {
    std::string_view line = location.substr(0, location.find('\n'));
    location.remove_prefix(std::min(location.size(), line.size() + 1));
    // Search from the right: a function may be named `|`.
    size_t second = line.rfind('|'),
           first = second == 0 || second == line.npos ? line.npos : line.rfind('|', second - 1);
    if (first == line.npos) continue;
    std::string function(line.substr(0, first)), file(line.substr(first + 1, second - first - 1));
    int number = std::atoi(std::string(line.substr(second + 1)).c_str());
    StackFrame frame{.function = std::move(function), .at = sources.locate_line(file, uint32_t(number))};
    if (!frame.at) frame.file = std::move(file), frame.line = uint32_t(number);
    stack.push_back(std::move(frame));
  }
  return stack;
}

std::string index_text(const std::array<uint32_t, 3> &index) {
  return fmt::format("({}, {}, {})", index[0] + 1, index[1] + 1, index[2] + 1);
}

std::string wait_text(const Deadlock::Place &place) {
  using abi::WaitKind;
  const char *name = "";
  switch (place.site->kind) {
  case WaitKind::Barrier: return "sync_threads";
  case WaitKind::BarrierId:
    return fmt::format("barrier_sync({})", place.barrier) +
           (place.barrier > 15 ? ", which does not exist: barriers are numbered from 0 to 15" : "");
  case WaitKind::Grid: return "a barrier of the grid";
  case WaitKind::ActiveMask: name = "active_mask"; break;
  case WaitKind::Spin: return "a loop for what another thread writes";
  case WaitKind::SyncWarp: name = "sync_warp"; break;
  case WaitKind::Shuffle: name = "a shuffle"; break;
  case WaitKind::Ballot: name = "a vote"; break;
  case WaitKind::MatchAny: name = "match_any_sync"; break;
  case WaitKind::MatchAll: name = "match_all_sync"; break;
  case WaitKind::Count: break;
  }
  return fmt::format("{} of the lanes {:#010x}", name, place.mask) +
         (place.outside_mask ? ", some of them without being one of these" : "");
}

/// Splits "BoundsError: text" into the name and the text. The text may be missing.
std::pair<std::string_view, std::string_view> split_record(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  std::string_view rest = text.substr(std::min(colon + 1, text.size()));
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return {text.substr(0, colon), rest};
}

} // namespace

static Error exception_error(const abi::ExceptionRecord &record, std::string_view text,
                             std::string_view location, const SourceMap &sources);

Error exception_error(const abi::ExceptionRecord &record, const SourceMap &sources) {
  // On the CPU, read the original strings: the record's copies may be truncated.
  auto at = [](uint64_t address) {
    return address ? std::string_view(reinterpret_cast<const char *>(uintptr_t(address)))
                   : std::string_view();
  };
  return exception_error(record, at(record.name), at(record.location), sources);
}

Error exception_error(const CudaException &exception, const SourceMap &sources) {
  return exception_error(exception.record, exception.name, exception.location, sources);
}

Error copied_exception_error(const abi::ExceptionRecord &record, const SourceMap &sources) {
  // The copies may be cut off, so that the last text has no zero byte.
  const std::string_view all(record.text, sizeof record.text);
  const std::string_view name = all.substr(0, all.find('\0'));
  std::string_view rest = all.substr(std::min(name.size() + 1, all.size()));
  rest = rest.substr(0, rest.find('\0'));
  return exception_error(record, name, rest, sources);
}

static Error exception_error(const abi::ExceptionRecord &record, std::string_view text,
                             std::string_view location, const SourceMap &sources) {
  auto [name, message] = split_record(text);
  const bool is_unknown = name.empty() && abi::ExceptionKind(record.kind) == abi::ExceptionKind::Unknown;
  if (name.empty() && !is_unknown) name = abi::exception_name(abi::ExceptionKind(record.kind));
  Error error = is_unknown
                    ? input_error("", {}, "-g1 tells which one and where") // debug level 0 records no details
                    : named_error(name, "");
  Diagnostic &d = error.diagnostics().front();
  d.subject = message;
  std::string own(message);
  if (d.code == ErrorCode::UndefVarError && !message.empty()) own = fmt::format("`{}` not defined", message);
  d.thread = KernelThread{{record.thread[0], record.thread[1], record.thread[2]},
                          {record.block[0], record.block[1], record.block[2]}};
  if (d.code == ErrorCode::PythonException) { // "PythonException: ValueError: text"
    auto [type, own_text] = split_record(message);
    d.exception = type, d.subject = own_text;
  }
  std::string where =
      fmt::format("in thread ({}, {}, {}) of block ({}, {}, {})", record.thread[0] + 1, record.thread[1] + 1,
                  record.thread[2] + 1, record.block[0] + 1, record.block[1] + 1, record.block[2] + 1);
  d.message = !own.empty() ? fmt::format("{}, {}", own, where)
              : is_unknown ? "an exception was thrown " + where
                           : "thrown " + where;
  d.stack = frames_of(location, sources);
  d.at = place_of(d.stack);
  return error;
}

Error deadlock_error(const Deadlock &deadlock, const SourceMap &sources) {
  Diagnostic d{
      .code = ErrorCode::SynchronizationError,
      .message = fmt::format("threads of block {} wait for each other for ever", index_text(deadlock.block))};
  for (const Deadlock::Place &place : deadlock.places) {
    std::vector<StackFrame> stack = frames_of(place.site->location ? place.site->location : "", sources);
    Location at = place_of(stack);
    std::string others = place.threads > 1 ? fmt::format(" and {} more wait", place.threads - 1) : " waits";
    d.notes.push_back(
        {fmt::format("thread {}{} in {}", index_text(place.first), others, wait_text(place)), at});
    for (const StackFrame &frame : stack) // add notes for the callers of a function that waits
      if (frame.at && !frame.at.file->is_library() && at && frame.at.file != at.file)
        d.notes.push_back({"called here", frame.at});
  }
  if (deadlock.ended)
    d.notes.push_back(
        {fmt::format("{} of its threads {} ended", deadlock.ended, deadlock.ended == 1 ? "has" : "have"),
         {}});
  return Error(std::move(d));
}

namespace {

Diagnostic overdue_diagnostic(const Overdue &overdue, const SourceMap &sources) {
  Diagnostic d{.code = ErrorCode::TimeLimitError};
  d.message = fmt::format("the kernel has outlived its time limit; thread {} of block {} was in this loop",
                          index_text(overdue.thread), index_text(overdue.block));
  d.stack = frames_of(overdue.location ? overdue.location : "", sources);
  d.at = place_of(d.stack);
  return d;
}

/// `at`: position in the kernel at which a thread was stopped, if known.
Diagnostic stopped_diagnostic(const Overdue &at, const SourceMap &sources) {
  Diagnostic d = stopped_error().diagnostics().front();
  if (!at.found) return d;
  d.message +=
      fmt::format("; thread {} of block {} was in this loop", index_text(at.thread), index_text(at.block));
  d.stack = frames_of(at.location ? at.location : "", sources);
  d.at = place_of(d.stack);
  return d;
}

const char *verb(abi::AccessKind kind) {
  return kind == abi::AccessKind::Read     ? "reads"
         : kind == abi::AccessKind::Write  ? "writes"
         : kind == abi::AccessKind::Atomic ? "changes atomically"
                                           : "writes atomically";
}

/// Describes the place of a wrong access. Example: "4 bytes behind the end of argument 2, which has 400".
std::string place_text(const AccessFinding &f) {
  bool shared = f.access.site->space == 3 || f.argument == 0;
  if (shared && f.access.site->space != 3) return "outside of every array";
  std::string place = f.of_array ? fmt::format("its shared array, which has {} bytes", f.size)
                      : shared   ? fmt::format("the block's shared memory, which has {} bytes", f.size)
                                 : fmt::format("argument {}, an array of {} bytes", f.argument, f.size);
  if (f.offset < 0) return fmt::format("{} bytes before {}", -f.offset, place);
  if (uint64_t(f.offset) == f.size) return "right behind the end of " + place;
  if (uint64_t(f.offset) > f.size)
    return fmt::format("{} bytes behind the end of {}", uint64_t(f.offset) - f.size, place);
  return fmt::format("across the end of {}", place);
}

Diagnostic finding_diagnostic(const AccessFinding &f, const SourceMap &sources) {
  using Kind = AccessFinding::Kind;
  const abi::AccessSite &site = *f.access.site;
  std::string access = fmt::format("thread {} of block {} {} {} bytes", index_text(f.access.thread),
                                   index_text(f.block), verb(site.kind), f.bytes);
  std::string repeats = f.count > 1 ? fmt::format("; {} more such accesses here", f.count - 1) : "";
  Diagnostic d;
  switch (f.kind) {
  case Kind::OutOfBounds:
    d.code = ErrorCode::OutOfBoundsAccess;
    d.message = fmt::format("{} {}{}", access, place_text(f), repeats);
    break;
  case Kind::Misaligned:
    d.code = ErrorCode::MisalignedAccess;
    d.message = fmt::format("{} at an address that is no multiple of {}{}", access, site.align, repeats);
    break;
  case Kind::Uninitialized:
    d.code = ErrorCode::UninitializedShared;
    d.message = fmt::format("{} of shared memory, at offset {}, that no thread of the block has written{}",
                            access, f.offset, repeats);
    break;
  case Kind::Race: {
    d.code = ErrorCode::SharedMemoryRace;
    d.message = fmt::format("{} of shared memory, at offset {}, with no barrier since thread {} {} it{}",
                            access, f.offset, index_text(f.other.thread),
                            f.other.site->kind == abi::AccessKind::Read    ? "read"
                            : f.other.site->kind == abi::AccessKind::Write ? "wrote"
                                                                           : "changed",
                            repeats);
    std::vector<StackFrame> before = frames_of(f.other.site->location ? f.other.site->location : "", sources);
    d.notes.push_back(
        {fmt::format("thread {} {} it here", index_text(f.other.thread), verb(f.other.site->kind)),
         place_of(before)});
    break;
  }
  }
  d.stack = frames_of(site.location ? site.location : "", sources);
  d.at = place_of(d.stack);
  return d;
}

} // namespace

Result<void> launch_result(const LaunchOutcome &outcome, const AccessChecker *checker,
                           const SourceMap &sources) {
  std::vector<Diagnostic> all;
  if (outcome.stopped) all.push_back(stopped_diagnostic(outcome.overdue, sources));
  if (checker)
    for (const AccessFinding &finding : checker->findings())
      all.push_back(finding_diagnostic(finding, sources));
  auto append = [&](Error error) {
    for (Diagnostic &d : error.diagnostics()) all.push_back(std::move(d));
  };
  if (outcome.exception.status) append(exception_error(outcome.exception, sources));
  if (outcome.overdue.found && !outcome.stopped)
    all.push_back(overdue_diagnostic(outcome.overdue, sources));
  else if (outcome.deadlock && !outcome.stopped) // waiting for an ended thread is no deadlock
    append(deadlock_error(*outcome.deadlock, sources));
  if (all.empty()) return {};
  return Error(std::move(all));
}

} // namespace kiln
