// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln tune: finds the fastest of many candidates of a kernel.
#include "../command.h"
#include "../output.h"
#include "../progress_line.h"
#include "../supervise.h"
#include "../tune_options.h"
#include "../with_session.h"

#include <kiln/extension/language/tune.h>
#include <kiln/records.h>
#include <support/count.h>

#include <cstdio>
#include <unistd.h>

namespace kiln::tool {

namespace {

/// Maximum number of child processes. Each candidate kernel that hangs ends one.
constexpr unsigned max_starts = 64;

/// Shows the progress of the search in one line, rewritten in place. Prints nothing if standard error is no
/// terminal.
class TuneProgressLine {
public:
  void operator()(const TuneProgress &p) {
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    if (!is_terminal_ || now < next_) return;
    next_ = now + 0.1;
    std::string text = p.phase == "compile" ? fmt::format("compiling {}", counted(p.all, "candidate"))
                       : p.phase == "check"
                           ? fmt::format("comparing: {} of {}", p.done, counted(p.all, "candidate"))
                           : fmt::format("measuring: round {}, {} of {} left", p.round, p.all - p.done,
                                         counted(p.all, "candidate"));
    if (p.best > 0) text += fmt::format(", the fastest takes {:.2f} us", p.best / 1e3);
    if (p.seconds_left)
      text += fmt::format(", at most {}:{:02} left", int(*p.seconds_left) / 60, int(*p.seconds_left) % 60);
    rewrite_line(text);
    is_written_ = true;
  }
  TuneProgressLine() = default;
  TuneProgressLine(const TuneProgressLine &) = delete;
  TuneProgressLine &operator=(const TuneProgressLine &) = delete;
  ~TuneProgressLine() {
    if (is_written_) rewrite_line({});
  }

private:
  const bool is_terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool is_written_ = false;
  double next_ = 0.2; ///< time of the next update, in seconds since began_; short runs print nothing
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

std::string values_text(const TuneResult &result, const TuneCandidate &candidate) {
  std::string out;
  for (size_t i = 0; i < candidate.values.size(); i++)
    out += fmt::format("{}{}={}", i ? " " : "", result.parameters[i], candidate.values[i]);
  return out;
}

std::string extents_text(const std::array<uint32_t, 3> &extents) {
  return fmt::format("{},{},{}", extents[0], extents[1], extents[2]);
}

std::string summary(const TuneResult &result) {
  std::string out;
  if (result.winner) {
    const TuneCandidate &best = result.candidates[*result.winner];
    out += fmt::format("winner: {}: {:.3f} us +- {:.2f} %", values_text(result, best), best.nanoseconds / 1e3,
                       100 * best.noise);
    if (result.bytes > 0) out += fmt::format(", {:.2f} GB/s", result.bytes / best.nanoseconds);
    if (result.bytes > 0 && result.ceiling > 0)
      out +=
          fmt::format(" ({:.1f} % of the ceiling)", 1e11 * result.bytes / best.nanoseconds / result.ceiling);
    if (result.flops > 0) out += fmt::format(", {:.2f} GFLOP/s", result.flops / best.nanoseconds);
    out += fmt::format("\nlaunch: --threads {} --blocks {}", extents_text(best.shape.threads),
                       extents_text(best.shape.blocks));
    if (best.shape.shared_bytes) out += fmt::format(" --shmem {}", best.shape.shared_bytes);
    out += "\n";
  }
  std::map<TuneState, size_t> states;
  for (const TuneCandidate &each : result.candidates) states[each.state]++;
  out += counted(result.candidates.size(), "candidate");
  for (const auto &[state, count] : states) out += fmt::format(", {} {}", count, tune_state_name(state));
  if (result.excluded) out += fmt::format("; {} excluded by constraints", result.excluded);
  return out + fmt::format("\nin this run: {} compiled, {} measured, {}\n", result.compiled, result.measured,
                           counted(result.rounds, "round"));
}

Error nothing_is_right(const TuneResult &result) {
  Diagnostic d{.code = ErrorCode::Input, .message = "no candidate is right"};
  constexpr size_t most = 8;
  for (const TuneCandidate &each : result.candidates) {
    if (d.notes.size() == most) break;
    if (!each.reason.empty())
      d.notes.push_back(
          {fmt::format("{}: {}: {}", values_text(result, each), tune_state_name(each.state), each.reason),
           {}});
  }
  if (result.candidates.size() > d.notes.size())
    d.notes.push_back(
        {fmt::format("and {} more: --explain shows all", result.candidates.size() - d.notes.size()), {}});
  return Error(std::move(d));
}

Result<TuneRequest> request_of(Session &session, const TuneCommand &command, const Device &device) {
  TuneRequest request;
  request.function = command.compile.call();
  for (const std::string &each : command.arguments) request.arguments.push_back({.expression = each});
  KILN_TRY(request.space, command.read_space());
  KILN_TRY(request.reference, command.read_reference());
  KILN_TRY(request.reference.expected, command.read_expected(session));
  KILN_TRY(request.config, command.compile.config_on(session, device));
  return request;
}

/// Opens all other GPUs of the device's model.
Result<std::vector<Device>> others_like(Session &session, const Device &device) {
  std::vector<Device> others;
  if (device.kind() != DeviceKind::Cuda)
    return usage_error("--devices divides the search among CUDA GPUs: give --device cuda");
  KILN_TRY(const std::vector<GpuInfo> gpus, session.gpus());
  for (const GpuInfo &each : gpus)
    if (each.number != device.info().number && each.name == device.info().name) {
      KILN_TRY(Device other, session.gpu(each.number));
      others.push_back(std::move(other));
    }
  return others;
}

Result<void> tune_in(Session &session, const TuneCommand &command, const DeviceName &place) {
  if (command.seed_option->count()) interpreter_of(session).set_seed(command.seed);
  KILN_CHECK(load_files(session, command.compile.files()));
  KILN_TRY(const Device device, session.device(text_of(place)));
  KILN_TRY(const TuneRequest request, request_of(session, command, device));
  Arguments arguments(session);
  ArgumentSource source{.evaluate = [&](const std::string &name,
                                        const std::string &text) { return arguments.evaluate(name, text); },
                        .arrays = [&] { return arguments.arrays(); }};
  kiln::TuneOptions options = command.options();
  if (!command.devices.empty()) KILN_TRY(options.more_devices, others_like(session, device));
  Result<TuneResult> done = [&] {
    TuneProgressLine line;
    options.progress = std::ref(line);
    return command.recorded ? tuned(session, device, request, options, std::move(source))
                            : tune(session, device, request, options, std::move(source));
  }();
  if (!done.ok()) {
    // After a kernel that hung or faulted, this process can no longer use its GPU. Results so far are saved,
    // so a new process continues the search.
    const ErrorCode code = done.error().code();
    if (device.is_gpu() && keeps_records(session) &&
        (code == ErrorCode::TimeLimitError || code == ErrorCode::DeviceError)) {
      warn(fmt::format("{}; the search goes on without it in a new process",
                       done.error().diagnostics()[0].message));
      exit_status() = start_again;
      return {};
    }
    return done.take_error();
  }
  if (!command.json.empty()) KILN_CHECK(write_result(command.json, tune_json(*done)));
  if (command.json != "-")
    KILN_CHECK(
        write_result({}, (command.explain ? tune_table(*done) + "\n" : std::string()) + summary(*done)));
  if (!done->winner) return command.recorded ? Result<void>() : nothing_is_right(*done);
  return {};
}

Result<void> tune(const TuneCommand &command) {
  KILN_CHECK(command.common.check());
  if (command.compile.inputs.size() < 2 || command.compile.call().ends_with(".jl"))
    return usage_error(
        "tune takes files and then a function: kiln tune FILE.jl... f --arg EXPR ... --space SPACE.json --reference g");
  if (!command.compile.emit.empty() || !command.compile.output.empty())
    return usage_error("tune has one result: leave --emit and -o out; --json FILE writes it for programs");
  if (command.compile.is_nested())
    return usage_error("tune takes functions at top level, no kernel inside a host function");
  KILN_CHECK(check_writable(command.json == "-" ? std::string() : command.json));
  KILN_TRY(const TuneSpace space, command.read_space()); // reports errors of the space file before any work
  KILN_TRY(const TuneReference reference, command.read_reference());
  RunOptions place;
  place.device = command.device;
  const auto run = [&]() -> Result<void> {
    KILN_TRY(const DeviceName on, place.place());
    if (command.flush_l2 && on.kind == DeviceKind::Cpu)
      return usage_error("--flush-l2 is for a GPU (--device cuda)");
    return with_session(command.common, [&](Session &session) { return tune_in(session, command, on); });
  };
  if (command.device == "cpu") return run();
  // A GPU kernel that hangs ends only with its process, so search in a child process that can be restarted.
  KILN_TRY(exit_status(), supervise(max_starts, [&] {
             const Result<void> done = run();
             return done.ok() ? exit_status() : report(done.error());
           }));
  return {};
}

} // namespace

Action tune_command(CLI::App &app) {
  auto command = std::make_shared<TuneCommand>();
  command->compile.add_inputs_to(app, "files, then the function, which may name parameters");
  command->compile.add_to(app);
  command->common.add_to(app);
  command->common.add_packages_to(app);
  command->common.add_languages_to(app);
  command->common.add_workers_to(app);
  command->add_to(app);
  return [command] { return tune(*command); };
}

} // namespace kiln::tool
