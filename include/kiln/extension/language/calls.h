// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's calls by values, for a language's own tools (a REPL, a test runner, a macro that launches),
// which have values and types instead of text. It also evaluates expressions, and runs newly built code at
// once. Thread-safe as Session's own functions are; evaluation is serialised with definitions.
#pragma once

#include <kiln/extension/language/define.h>
#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/interpreter.h>
#include <kiln/session.h>

namespace kiln {

/// The session's Interpreter, for tools that define host functions. It must not be changed while another
/// thread uses the session.
KILN_API Interpreter &interpreter_of(Session &session);
/// The open session that has this World; null: there is none. For a language, whose functions may not call
/// the session while it calls them (Usage). Thread-safe.
KILN_API Session *session_of(const World &world);

/// The value of an expression of the session's language, at the newest world. `name` is the text's in
/// diagnostics. Errors: Frontend::evaluate's.
KILN_API Result<Value> evaluate(Session &session, std::string_view name, std::string_view text);
/// The function and argument types that a text in the session's language names. Errors:
/// Frontend::resolve_call's.
KILN_API Result<ResolvedCall> resolve_call(Session &session, std::string_view call,
                                           std::span<const Capture> captures = {});
/// The value as a kernel sees it: a host array becomes a CuDeviceArray that points into it. Error: Input, for
/// a value that no kernel takes.
KILN_API Result<Value> kernel_value(Session &session, const Value &value);
/// A call of `function` on these values as kernels see them: host arrays are CuDeviceArrays. Error: Input,
/// for a value that no kernel takes.
KILN_API Result<ResolvedCall> call_of(Session &session, const Value &function,
                                      std::span<const Value> arguments);
/// A call of a function on arguments of these types. If `function` is no function, or a type is null, `tuple`
/// is null, and functions that take the call refuse it (Usage).
KILN_API ResolvedCall call_of(World &world, const Value &function, std::span<const TypeRef> arguments);

/// The job of a call, which compiles and prepares it (kiln/held_job.h). Errors: Session::job's.
KILN_API Result<Job> job(Session &session, const ResolvedCall &call,
                         const CompilerConfig &config = session_default());
/// The return type of a job's function; Job::return_type has its text. A function that cannot be compiled has
/// Any or Union{}: Job::compile returns its errors. Errors: as there.
KILN_API Result<TypeRef> return_type(const Job &job);
/// Calls a plain function on the CPU and returns its value. Host arrays are passed in place. Errors: those of
/// Session::prepare_function, and the function's exceptions.
KILN_API Result<Value> call_function(Session &session, const Value &function,
                                     std::span<const Value> arguments,
                                     const CompilerConfig &config = session_default());
/// As Session::launch, on values. On a GPU it copies every host array among the arguments, also inside tuples
/// and structs, to the device, and back after the kernel. It also copies back after an exception of the
/// kernel.
KILN_API Result<void> launch(Session &session, const Device &device, const Value &function,
                             const LaunchShape &shape, std::span<const Value> arguments,
                             const CompilerConfig &config = session_default(),
                             const LaunchOptions &options = {});

/// Builds code and runs it at once in the interpreter, as a language does with expressions at top level.
/// Called by a Frontend inside load or evaluate. Errors: the body's, and Interpreter::run's.
KILN_API Result<Value> run_body(Interpreter &interpreter, Module &module, Symbol name, Span at,
                                const BuildBody &body);

} // namespace kiln
