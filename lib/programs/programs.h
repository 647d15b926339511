// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component programs (layer 10): whole programs, a client of the session. Public: kiln/program.h.
//   program     runs files and text; what a program meets outside
//   programs_library   the host library of sessions that run programs
//   complete    whether text that is typed is whole; the names that complete it
//   hot_code    calls that run often or long, compiled
//   cuda        what CUDA.jl's host side stands on: memory, streams, launches, dotted calls
//   library     functions of the host that runtime/library/program/*.jl stands on: streams, texts, strings,
//   dicts, arrays, system, random
#pragma once

#include "cuda.h"
#include "hot_code.h"
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
  StopSource interrupts;  ///< a request: an InterruptException is to be thrown
  bool is_script = false; ///< what runs is a file
  int exit_status = 0;    ///< the argument of the program's exit(n)
  bool shows_device_code = false;
  std::shared_ptr<void> library; ///< what its host functions refer to
  std::unique_ptr<CudaLibrary> cuda = {};
  HotCode hot{session, options.memory, interrupts};
  std::map<std::string, std::optional<std::string>> environment{}; ///< what the program set in ENV
  std::optional<Value> redirected{}; ///< the stream that redirect_stdout put in the place of the output
  /// The descriptor that its file stands in for; -1: standard output was closed.
  std::optional<int> output_before{};

  Interpreter &interpreter() { return definitions.interpreter(); }
  TypeContext &types() { return definitions.types(); }
  CompilerWorld &world() { return definitions.world(); }
  /// ARGS.
  Result<void> bind_arguments();
  /// A function of Base, called.
  Result<Value> call(std::string_view function, std::span<const Value> args);
  Result<Value> run(std::shared_ptr<const SourceFile> file, bool is_interactive);
};

/// The components below are of this build. Error: Usage.
Result<void> check_build();
/// Binds functions of the host in Base, each family in a file of its own (library.h).
Result<void> add_host_functions(Program::State &program);

} // namespace kiln
