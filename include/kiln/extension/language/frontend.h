// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of languages. A Frontend turns text into definitions of a World: methods with lowered code,
// types, bindings. Later stages (inference, emission, caches) are independent of the language. Kiln's own
// Julia frontend uses only this interface.
#pragma once

#include <kiln/extension/language/embedded.h>
#include <kiln/extension/language/fingerprint.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/world.h>
#include <kiln/timing.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

class Interpreter; ///< kiln/extension/language/interpreter.h

/// Name of the overlay method table for definitions that hold only in kernels, on every target
/// (CUDA.@device_override). Kernel jobs search it first, before the target's own overlay. Plain functions and
/// top-level code never search it.
inline constexpr std::string_view override_overlay = "device_override";

/// Result of loading a file.
struct LoadReport {
  /// A top-level statement that was not run, since loading a file runs definitions only.
  struct Skipped {
    std::string what; ///< the statement's text, shortened to one line
    Location at;
  };
  std::vector<Skipped> skipped;
  /// Warnings, each with its place: for example about an unknown package.
  std::vector<Diagnostic> warnings;
  /// Definitions that could not be evaluated yet, with the reason. Using their names gives an error with this
  /// reason.
  std::vector<Diagnostic> unresolved;
  uint32_t methods = 0; ///< methods defined
  uint32_t types = 0;   ///< types defined
};

/// A resolved call: the function and argument types of a text such as "f(T1, T2)".
struct ResolvedCall {
  Value function;
  std::vector<TypeRef> arguments;
  TypeRef tuple = nullptr; ///< Tuple{typeof(f), T1, T2, ...}
  Location at;             ///< the whole text
};
/// Name and value of a captured variable or a static parameter.
using Capture = std::pair<std::string, Value>;

/// Source files with the definitions of a target's overlay method table.
struct OverlayFiles {
  Symbol overlay;
  std::vector<EmbeddedSource> files; ///< the index (EmbeddedSource::later) is empty if no build made one
};

/// Services that a session provides to its languages. They outlive the languages and the World's methods.
struct LanguageHost {
  World &world;
  Interpreter &interpreter;
  /// The session's timer: `TimingScope scope(host.timer, "parse")` adds a row to the timing table. Null:
  /// nothing is timed.
  std::shared_ptr<Timer> timer = {};
  /// Writes a line to the session's log at level Debug, to find faults in the language. May be empty.
  std::function<void(std::string_view)> debug = {};
  /// Data that a language caches under keys: `keep` stores bytes, `find_kept` returns them, also in other
  /// processes of the same build through the cache's folder. Both functions may be empty, and data may be
  /// lost, so a language must work without them. Thread-safe.
  std::function<std::optional<std::string>(Fingerprint key)> find_kept = {};
  std::function<void(Fingerprint key, std::string bytes)> keep = {};
  /// Binds the functions of the session's host library (files, texts, dictionaries), for code that runs while
  /// a package is loaded. Empty: the session cannot run such code. Error: Usage if the session has no host
  /// library.
  std::function<Result<void>()> bind_host = {};
};

/// A language. Any thread may call its functions. Later definitions replace earlier ones, so the caller must
/// order loads into one World where that matters.
class KILN_API Frontend {
public:
  virtual ~Frontend();

  /// Name of the language in messages and cache keys: "julia".
  virtual std::string_view name() const = 0;

  /// Returns the file name extensions of the language, with the dot: ".jl".
  virtual std::vector<std::string_view> file_extensions() const = 0;

  /// Loads the language's own library into the World. Called once, first, when a session opens. `overlays`:
  /// files of the session's targets; the frontend loads those in its language. Error: Internal for a fault of
  /// the library.
  virtual Result<void> load_library(World &, std::span<const OverlayFiles> /*overlays*/) { return {}; }

  /// Evaluates the definitions of a file in module `into`: modules, imports, types, functions, macros and
  /// constants, whose values are computed when first read. Other top-level statements are not run but listed
  /// in the report. Errors: Input, every fault of the file with its place; definitions before the fault may
  /// remain.
  virtual Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) = 0;

  /// Evaluates one expression in module `in`, with the newest definitions. `name` is the text's name in
  /// diagnostics ("--arg 2"). Errors: Input (syntax, undefined names, an exception that the expression
  /// throws).
  virtual Result<Value> evaluate(World &world, Module &in, std::string_view name, std::string_view text) = 0;

  /// Options for running a program's text.
  struct Run {
    bool is_interactive = false; ///< at a prompt: loops assign to existing globals, as in Julia's soft scope
    /// Receives warnings about suspicious code while the program runs.
    std::function<void(const Diagnostic &)> warn;
  };
  /// Runs all statements of a text in order, as the top level of a program. Returns the last statement's
  /// value; `nothing` for a definition. Errors: Input of the first statement that fails; syntax errors are
  /// reported before any statement runs. Default: Usage, for a language without programs.
  virtual Result<Value> run(World &world, Module &into, std::shared_ptr<const SourceFile> file,
                            const Run &how);

  /// Resolves a call's text to a function and argument types. An argument in the text is a type, or a value
  /// that stands for its type. `name` is the text's name in diagnostics ("job"). `captures`: values of
  /// captured variables, for a function inside another. Errors: Input, with the place.
  virtual Result<ResolvedCall> resolve_call(World &world, Module &in, std::string_view name,
                                            std::string_view text, std::span<const Capture> captures) = 0;
  Result<ResolvedCall> resolve_call(World &world, Module &in, std::string_view name, std::string_view text) {
    return resolve_call(world, in, name, text, {});
  }

  /// Resolves a launch by a function's name. `types`: type names of kiln::Argument, "Float32",
  /// "CuDeviceArray{Float32, 2, 1}" (argument_type in kiln/extension/language/define.h), or texts of the
  /// embedder. Default: resolve_call of "function(type, type)".
  virtual Result<ResolvedCall> resolve_launch(World &world, Module &in, std::string_view function,
                                              std::span<const std::string_view> types);

  /// Converts a value of the embedder to a kernel's argument, for launches and calls on values
  /// (kiln/extension/language/calls.h). The result's type is the argument's type: a language may pass its
  /// integers as Int32, or its fractions as Float64. Default: the value itself. Kiln then replaces host
  /// arrays in the result by CuDeviceArrays. Errors: Input for a value that no kernel can take.
  virtual Result<Value> argument_value(World &world, const Value &value);

  /// Returns a call as text that resolve_call can read, also in another process. Default: Julia's notation.
  virtual std::string call_text(TypeRef tuple) const;

  /// Returns the printer that writes types, values and calls in messages, timing tables and reports. Called
  /// once. Null: Julia's notation.
  virtual std::shared_ptr<const Printer> printer() const;

  /// Loads a file like load(), but adds methods of existing functions to the overlay method table `overlay`.
  /// Only jobs of targets with that overlay search it, before the common table. New functions and types of
  /// the file are common definitions of `into`.
  virtual Result<LoadReport> load_overlay(World &world, Module &into, Symbol overlay,
                                          std::shared_ptr<const SourceFile> file) = 0;
};

} // namespace kiln
