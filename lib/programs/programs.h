// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component programs (layer 10): runs whole programs, as a client of sessions. Public: kiln/program.h.
// Sources:
//   program            runs files and text; the program's environment
//   programs_library   the host library of sessions that run programs
//   complete           detects incomplete text, and completes names
//   hot_code           compiles calls that run often or long
//   references         strings, dictionaries and lists in compiled code
//   dict_table         the table of dictionaries, and the journal of their changes
//   key_rules          how their keys hash and compare
//   random_numbers     the generators of random numbers
//   cuda               host side of CUDA.jl: memory, streams, launches, dotted calls
//   library            host functions for runtime/library/program/*.jl:
//                      streams, texts, strings, dicts, arrays, system, random
#pragma once

#include "cuda.h"
#include "hot_code.h"
#include "key_rules.h"
#include "random_numbers.h"
#include <kiln/program.h>

#include <session/session.h>

#include <map>

namespace kiln {

struct Program::State {
  State(Session &in, ProgramOptions given)
      : session(in), definitions(definitions_of(in)), options(std::move(given)) {}
  Session &session;
  Definitions &definitions;
  ProgramOptions options;
  StopSource interrupts;  ///< requests an InterruptException
  bool is_script = false; ///< runs a file
  int exit_status = 0;    ///< argument of exit(n)
  bool shows_device_code = false;
  std::shared_ptr<void> library; ///< owns the state of the host functions
  std::unique_ptr<CudaLibrary> cuda = {};
  KeyRules keys{definitions.interpreter(), definitions.world()};
  RandomNumbers random{entropy()};
  HotCode hot{session, options.memory, keys, random, interrupts};
  std::map<std::string, std::optional<std::string>> environment{}; ///< changes to ENV; empty: deleted
  std::vector<Value> at_exit{}; ///< functions of atexit, in the order of its calls
  /// A redirected stream of the program.
  struct Redirection {
    std::optional<Value> to{}; ///< empty: not redirected
    /// Descriptor before it was redirected to a file. -1: it was closed. Empty: not redirected to a file.
    std::optional<int> descriptor_before{};
  };
  Redirection redirected_output{}, redirected_errors{}; ///< by redirect_stdout and redirect_stderr

  Interpreter &interpreter() { return definitions.interpreter(); }
  TypeContext &types() { return definitions.types(); }
  CompilerWorld &world() { return definitions.world(); }
  /// Binds ARGS.
  Result<void> bind_arguments();
  /// Binds the prompt's variable `ans`.
  void keep_answer(const Value &value);
  /// Calls a function of Base.
  Result<Value> call(std::string_view function, std::span<const Value> args);
  Result<Value> run(std::shared_ptr<const SourceFile> file, bool is_interactive);
  /// Calls the functions of atexit, the last one first. Returns the first error.
  Result<Value> run_at_exit();
};

/// Finds the module of a dotted path such as "Base." or "CUDA.CUBLAS.", looked up from Main. "": Main. Null:
/// not a module.
const Module *module_at(CompilerWorld &world, std::string_view path);
/// Checks that the linked libraries of Kiln are of the same build as this one. Error: Usage.
Result<void> check_build();
/// Binds the host functions of all add_... functions (library.h) in the module Base.
Result<void> add_host_functions(Program::State &program);

} // namespace kiln
