// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls and launches of a session with values and types instead of text, for tools of a language: a REPL, a
// test runner, a macro that launches. Also evaluates expressions and newly built code. Thread-safe like
// Session; evaluation is serialised with definitions.
#pragma once

#include <kiln/extension/language/define.h>
#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/interpreter.h>
#include <kiln/session.h>

namespace kiln {

/// Returns the session's interpreter, for tools that define host functions. Do not change the interpreter
/// while another thread uses the session.
KILN_API Interpreter &interpreter_of(Session &session);
/// Returns the open session of this World; null if there is none. It serves languages; while the session
/// calls a language, the language's calls of the session are Usage errors. Thread-safe.
KILN_API Session *session_of(const World &world);

/// Evaluates an expression of the session's language with the newest definitions. `name` is the text's name
/// in diagnostics. Errors: those of Frontend::evaluate.
KILN_API Result<Value> evaluate(Session &session, std::string_view name, std::string_view text);
/// Resolves the text of a call, in the session's language, to a function and argument types. Errors: those of
/// Frontend::resolve_call.
KILN_API Result<ResolvedCall> resolve_call(Session &session, std::string_view call,
                                           std::span<const Capture> captures = {});
/// Converts a value to the form that kernels receive: a host array becomes a CuDeviceArray on its memory.
/// Error: Input for a value that no kernel can take.
KILN_API Result<Value> kernel_value(Session &session, const Value &value);
/// Makes the call of `function` on these values, converted as by kernel_value. Error: Input for a value that
/// no kernel can take.
KILN_API Result<ResolvedCall> call_of(Session &session, const Value &function,
                                      std::span<const Value> arguments);
/// Makes the call of a function on arguments of these types. If the function is empty or a type is null,
/// `tuple` is null, and functions that take the call return Usage.
KILN_API ResolvedCall call_of(World &world, const Value &function, std::span<const TypeRef> arguments);

/// Makes a held job of a call, which can compile and prepare it (kiln/held_job.h). Errors: those of
/// Session::job.
KILN_API Result<Job> job(Session &session, const ResolvedCall &call,
                         const CompilerConfig &config = session_default());
/// Returns the return type of a job's function; Job::return_type returns it as text. For a function that
/// cannot be compiled it is Any or Union{}; Job::compile reports the errors. Errors: those of
/// Job::return_type.
KILN_API Result<TypeRef> return_type(const Job &job);
/// Calls a plain function on the CPU and returns its value. Host arrays are passed without a copy. Errors:
/// those of Session::prepare_function, and the function's exceptions.
KILN_API Result<Value> call_function(Session &session, const Value &function,
                                     std::span<const Value> arguments,
                                     const CompilerConfig &config = session_default());
/// Launches a kernel on values and waits, like Session::launch. On a GPU, every host array in the arguments,
/// also inside tuples and structs, is copied to the device, and back after the kernel, even if the kernel
/// throws.
KILN_API Result<void> launch(Session &session, const Device &device, const Value &function,
                             const LaunchShape &shape, std::span<const Value> arguments,
                             const CompilerConfig &config = session_default(),
                             const LaunchOptions &options = {});

/// Builds a body and runs it in the interpreter, for a language's expressions at top level. Frontends call it
/// within load or evaluate. Errors: those of `body` and of Interpreter::run.
KILN_API Result<Value> run_body(Interpreter &interpreter, Module &module, Symbol name, Span at,
                                const BuildBody &body);

} // namespace kiln
