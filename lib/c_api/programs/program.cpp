// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_programs.h"

#include <kiln/c_programs.h>
#include <kiln/program.h>

using namespace kiln;
using namespace kiln::c;

namespace {

struct ProgramObject : Object {
  static constexpr HandleKind kind = HandleKind::Program;
  ProgramObject(Kept<SessionObject> session, std::unique_ptr<Program> program)
      : session(std::move(session)), program(std::move(program)) {}
  Kept<SessionObject> session; ///< outlives the program
  std::unique_ptr<Program> program;
};

using Write = void (*)(const char *text, size_t size, void *user);
std::function<void(std::string_view)> writer(Write write, void *user) {
  if (!write) return {};
  return [write, user](std::string_view text) { write(text.data(), text.size(), user); };
}

std::optional<std::string> optional_text(const char *text) {
  return text ? std::optional<std::string>(text) : std::nullopt;
}

Result<ProgramOptions> read_options(const kiln_program_options *given) {
  ProgramOptions read;
  if (!given) return read;
  KILN_TRY(const kiln_program_options c, read_struct(given, "kiln_program_options"));
  if (c.num_arguments && !c.arguments)
    return usage_error("kiln_program_options.arguments is a null pointer, and num_arguments is not 0");
  for (size_t i = 0; i < c.num_arguments; i++) {
    if (!c.arguments[i])
      return usage_error(fmt::format("kiln_program_options.arguments[{}] is a null pointer", i));
    read.arguments.emplace_back(c.arguments[i]);
  }
  read.output = writer(c.output, c.user);
  read.error_output = writer(c.error_output, c.user);
  if (c.input) read.input = [input = c.input, user = c.user] { return optional_text(input(user)); };
  if (c.environment)
    read.environment = [get = c.environment, user = c.user](const std::string &name) {
      return optional_text(get(name.c_str(), user));
    };
  if (c.warn)
    read.warn = [warn = c.warn, user = c.user](const Diagnostic &warning) {
      warn(warning.message.c_str(), warning.message.size(), user);
    };
  if (c.max_bytes) read.memory = c.max_bytes;
  read.is_colour = c.is_colour != 0;
  if (c.device) read.device = c.device;
  return read;
}

Result<void> give_outcome(kiln_program_outcome *out, const Program::Outcome &outcome) {
  if (!out) return {};
  return write_struct(out, {.struct_size = 0, .exited = outcome.exited, .status = outcome.status},
                      "kiln_program_outcome");
}

} // namespace

extern "C" {

kiln_host_library *kiln_programs_library(void) {
  return reinterpret_cast<kiln_host_library *>(&programs_library());
}

int kiln_program_open(kiln_session *session, const kiln_program_options *options, kiln_program **out,
                      kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_program_open", out);
    KILN_TRY(Kept<SessionObject> kept, keep_session(session));
    KILN_TRY(ProgramOptions read, read_options(options));
    KILN_TRY(std::unique_ptr<Program> program, Program::make(*kept->session, std::move(read)));
    return give<ProgramObject>(out, std::move(kept), std::move(program));
  });
}

void kiln_program_free(kiln_program *program) { free_handle(HandleKind::Program, program); }

int kiln_program_run_file(kiln_program *program, const char *path, kiln_program_outcome *outcome,
                          kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_CHECK(check_out(outcome, "kiln_program_outcome"));
    KILN_PIN(ProgramObject, object, program);
    KILN_NOT_NULL("kiln_program_run_file", path);
    KILN_TRY(const Program::Outcome done, object->program->run_file(path));
    return give_outcome(outcome, done);
  });
}

int kiln_program_run_text(kiln_program *program, const char *name, const char *text,
                          kiln_program_outcome *outcome, char **shown, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (shown) *shown = nullptr;
    KILN_CHECK(check_out(outcome, "kiln_program_outcome"));
    KILN_PIN(ProgramObject, object, program);
    KILN_NOT_NULL("kiln_program_run_text", text);
    std::string value;
    KILN_TRY(const Program::Outcome done,
             object->program->run_text(name ? name : "none", text, shown ? &value : nullptr));
    KILN_CHECK(give_outcome(outcome, done));
    return shown ? give_text(shown, value) : Result<void>();
  });
}

int kiln_program_is_complete(kiln_program *program, const char *text) {
  int complete = 0;
  call(nullptr, [&]() -> Result<void> {
    KILN_PIN(ProgramObject, object, program);
    KILN_NOT_NULL("kiln_program_is_complete", text);
    complete = object->program->is_complete(text);
    return {};
  });
  return complete;
}

int kiln_program_completions(kiln_program *program, const char *text, char **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_program_completions", out);
    KILN_PIN(ProgramObject, object, program);
    KILN_NOT_NULL("kiln_program_completions", text);
    std::string lines;
    for (const std::string &name : object->program->completions(text)) lines += name + "\n";
    return give_text(out, lines);
  });
}

int kiln_program_describe(kiln_program *program, const kiln_error *described, char **out,
                          kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_program_describe", out);
    KILN_PIN(ProgramObject, object, program);
    KILN_PIN(ErrorObject, wanted, described);
    return give_text(out, object->program->describe(wanted->error));
  });
}

void kiln_program_interrupt(kiln_program *program) {
  if (Pinned<ProgramObject> object(program); object) object->program->interrupt();
}

int kiln_program_has_pending_interrupt(kiln_program *program) {
  Pinned<ProgramObject> object(program);
  return object && object->program->has_pending_interrupt();
}

} // extern "C"
