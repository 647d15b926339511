// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library.h"

#include <kiln/device_name.h>
#include <support/headline.h>
#include <support/memory.h>
#include <support/stack.h>
#include <support/support.h>

#include <charconv>
#include <filesystem>

namespace kiln {

namespace {

constexpr size_t stack_bytes = size_t(60) << 20; // as in with_stack

Result<Program::Outcome> outcome_of(const Program::State &state, Result<Value> &done) {
  if (done.ok()) return Program::Outcome{};
  if (done.error().code() != ErrorCode::Exit) return done.take_error();
  return Program::Outcome{.exited = true, .status = state.exit_status};
}

} // namespace

Program::Program(std::unique_ptr<State> state) : state_(std::move(state)) {}
Program::~Program() {
  if (state_ && state_->shows_device_code) jobs_of(state_->session).device_code = nullptr;
}

Result<std::unique_ptr<Program>> Program::make(Session &session, ProgramOptions options,
                                               const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::program_structures()));
  KILN_CHECK(check_build());
  Definitions &definitions = definitions_of(session);
  if (!options.device.empty()) KILN_CHECK(read_device_name(options.device));
  std::lock_guard lock(definitions.mutex());
  KILN_CHECK(definitions.begin_program(programs_library()));
  options.memory = std::min<size_t>(options.memory, usable_memory());
  auto state = std::make_unique<State>(session, std::move(options));
  State &s = *state;
  Interpreter::Program program;
  program.limits.bytes = s.options.memory;
  program.limits.depth = 20'000;
  program.interrupt = &s.interrupts;
  program.compiled = &s.hot;
  s.interpreter().begin_program(std::move(program));
  KILN_CHECK(add_host_functions(s));
  s.cuda = std::make_unique<CudaLibrary>(session, s.options.device, s.options.output, s.options.error_output,
                                         s.interrupts);
  KILN_CHECK(s.cuda->bind());
  if (auto &shows = jobs_of(session).device_code;
      !shows) { // @device_code_ptx and similar macros print to the program's output
    s.shows_device_code = true;
    shows = [&s](const DeviceCode &shown) {
      if (shown.macro == "@device_code") return; // its text is the name of a file that has the code
      const std::string_view comment = shown.macro == "@device_code_llvm" ? ";" : "//";
      if (s.options.output)
        s.options.output(fmt::format("{} {}\n{}\n", comment, shown.job.call(), shown.text));
    };
  }
  KILN_CHECK(s.bind_arguments());
  return std::unique_ptr<Program>(new Program(std::move(state)));
}

Result<void> Program::State::bind_arguments() {
  std::vector<Value> texts;
  for (const std::string &argument : options.arguments) texts.push_back(Value::string(types(), argument));
  KILN_TRY(Value value, make_array_from(interpreter(), texts, types().builtins().String));
  return world().set_constant(*world().base(), types().symbol("ARGS"), value, {});
}

void Program::State::keep_answer(const Value &value) {
  std::lock_guard lock(definitions.mutex());
  // A constant `ans` of the program's own stays.
  (void)world().set_variable(*world().main(), types().symbol("ans"), value, {});
  definitions.changed();
}

Result<Value> Program::State::call(std::string_view function, std::span<const Value> args) {
  return call_base(interpreter(), function, args);
}

Result<Value> Program::State::run(std::shared_ptr<const SourceFile> file, bool is_interactive) {
  KILN_CHECK(session.check());
  interrupts.reset();
  Frontend::Run how{.is_interactive = is_interactive, .warn = options.warn};
  if (!how.warn)
    how.warn = [this](const Diagnostic &warning) { log_of(session).log.warn("{}", render(warning)); };
  return with_stack(stack_bytes, [&]() -> Result<Value> {
    const StageScope stage(&log_of(session).timer, Stage::RunProgram);
    std::lock_guard lock(definitions.mutex());
    Frontend &language = definitions.languages().of_file(file->name());
    const auto use = definitions.use(); // keeps code that the interpreter runs from being freed
    auto done = language.run(world(), *world().main(), std::move(file), how);
    definitions.changed();
    interrupts.reset(); // cleared, because printing the exception runs code too
    return done;
  });
}

Result<Value> Program::State::run_at_exit() {
  Result<Value> done = types().nothing();
  if (at_exit.empty()) return done;
  with_stack(stack_bytes, [&] {
    std::lock_guard lock(definitions.mutex());
    const auto use = definitions.use();
    while (!at_exit.empty()) {
      const Value function = std::move(at_exit.back());
      at_exit.pop_back();
      if (auto called = interpreter().call(function, {}); !called.ok() && done.ok()) done = std::move(called);
    }
    return 0;
  });
  return done;
}

Result<Program::Outcome> Program::run_file(const std::string &path) {
  State &s = *state_;
  s.is_script = true;
  KILN_TRY(std::string text, read_source_file(path));
  KILN_CHECK(s.world().set_constant(*s.world().base(), s.types().symbol("PROGRAM_FILE"),
                                    Value::string(s.types(), path), {}));
  auto done = s.run(s.definitions.sources().add(path, std::move(text)), false);
  if (auto last = s.run_at_exit(); done.ok()) done = std::move(last);
  return outcome_of(s, done);
}

Result<Program::Outcome> Program::run_text(std::string_view name, std::string text, std::string *shown) {
  State &s = *state_;
  s.is_script = false;
  const size_t end = text.find_last_not_of(" \t\r\n");
  const bool is_quiet = end == std::string::npos || text[end] == ';';
  auto done = s.run(s.definitions.sources().add(std::string(name), std::move(text)), true);
  if (shown) shown->clear();
  if (!done.ok() || !shown || done->type() == s.types().builtins().Nothing) return outcome_of(s, done);
  s.keep_answer(*done);
  if (!is_quiet) {
    Value args[] = {*done};
    auto displayed = with_stack(stack_bytes, [&] { return s.call("__display_text", args); });
    if (!displayed.ok()) return displayed.take_error();
    if (const std::string *made = displayed->as_string()) *shown = *made;
  }
  return outcome_of(s, done);
}

/// The error's first diagnostic as the user's program sees it: without the library's places.
static Diagnostic seen_by_program(const Diagnostic &first) {
  constexpr size_t max_frames = 20;
  Diagnostic seen = first;
  std::erase_if(seen.stack, [](const StackFrame &frame) {
    return frame.at ? frame.at.file->is_library() : frame.line == 0;
  });
  if (seen.stack.size() > max_frames) seen.stack.resize(max_frames);
  if (!seen.at || seen.at.file->is_library()) seen.at = place_of(seen.stack);
  return seen;
}

std::string Program::describe(const Error &error, bool colour) {
  State &s = *state_;
  const Diagnostic &first = error.diagnostics().front();
  if (error.kind() == ErrorKind::Internal || first.code == ErrorCode::SyntaxError)
    return render(error, colour);
  std::string text = headline(first);
  const Value exception = s.interpreter().exception_of(error);
  auto said = with_stack(stack_bytes, [&] { return s.call("__error_text", std::span(&exception, 1)); });
  if (said.ok() && said->as_string() && !said->as_string()->empty()) text = *said->as_string();
  return render_headline("ERROR:", (s.is_script ? "LoadError: " : "") + text, colour) +
         render_details(seen_by_program(first), colour);
}

bool Program::has_pending_interrupt() const { return state_->interrupts.stop_requested(); }
void Program::interrupt() { state_->interrupts.request_stop(); }

} // namespace kiln
