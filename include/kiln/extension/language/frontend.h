// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of languages. A frontend turns text into definitions of a World: methods with lowered code,
// types, bindings. All later stages (inference, emission, caches) know no language. Kiln's own language,
// Julia, uses only this interface.
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

/// The overlay table of definitions for kernels only, on every target (CUDA.@device_override). Kernel jobs
/// search it first: a user's override comes before the target's own overlay. Plain functions and code at top
/// level never see it.
inline constexpr std::string_view override_overlay = "device_override";

/// Result of loading a file.
struct LoadReport {
  /// A top-level statement that was not run: nothing needed its value when the file was loaded.
  struct Skipped {
    std::string what; ///< the statement in brief, on one line
    Location at;
  };
  std::vector<Skipped> skipped;
  /// Likely mistakes that are no errors, each with its place: an unknown package.
  std::vector<Diagnostic> warnings;
  /// Definitions that could not be evaluated yet, with the reason. A use of their names reports the reason,
  /// too.
  std::vector<Diagnostic> unresolved;
  uint32_t methods = 0; ///< methods defined
  uint32_t types = 0;   ///< types defined
};

/// Function and argument types of a call such as "f(T1, T2)".
struct ResolvedCall {
  Value function;
  std::vector<TypeRef> arguments;
  TypeRef tuple = nullptr; ///< Tuple{typeof(f), T1, T2, ...}
  Location at;             ///< the whole text
};
/// The value of a captured variable or a static parameter, by its name.
using Capture = std::pair<std::string, Value>;

/// The definitions of a target's overlay, as files of a language.
struct OverlayFiles {
  Symbol overlay;
  std::vector<EmbeddedSource> files; ///< without an index (EmbeddedSource::later), where no build made one
};

/// Services of a session for its languages. All of them outlive the languages and the World's methods.
struct LanguageHost {
  World &world;
  Interpreter &interpreter;
  /// The clock of the session's timing table: `TimingScope scope(host.timer, "parse")` is a row of it. Null:
  /// nothing is timed.
  std::shared_ptr<Timer> timer = {};
  /// Writes a line for debugging the language: to the session's log at its level "debug". May be empty.
  std::function<void(std::string_view)> debug = {};
  /// Finds the text that `keep` got under this key, from this session or, through the cache's folder, from
  /// another process of the same build. Both functions may be empty, and a text may be lost, so a language
  /// must work without. Thread-safe.
  std::function<std::optional<std::string>(Fingerprint key)> find_kept = {};
  std::function<void(Fingerprint key, std::string bytes)> keep = {};
  /// Binds the functions of the session's host library (files, texts, dictionaries), for code that runs while
  /// a package is loaded. Empty: there is no host. Error: Usage, if the session has no host library.
  std::function<Result<void>()> bind_host = {};
};

/// A language. Its functions may be called from any thread; loads into one World are the caller's to put in
/// order where the order matters (later definitions replace earlier ones).
class KILN_API Frontend {
public:
  virtual ~Frontend();

  /// As in messages and cache keys: "julia".
  virtual std::string_view name() const = 0;

  /// Extensions of the language's files, with the dot: ".jl".
  virtual std::vector<std::string_view> file_extensions() const = 0;

  /// Defines the language's own library in the World, once, when a session opens, before everything else.
  /// `overlays`: files of the session's targets; a frontend takes those in its language. Errors: Internal,
  /// for a fault of the library.
  virtual Result<void> load_library(World &, std::span<const OverlayFiles> /*overlays*/) { return {}; }

  /// Evaluates the definitions of a file in `into`: modules, imports, types, functions, macros, constants
  /// (their values when first read). Other top-level statements are listed in the report, not run.
  /// Errors: Input, every fault of the file with its place; definitions before the fault may stand.
  virtual Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) = 0;

  /// The value of one expression, read in `in` at the newest world. `name` is the text's name in diagnostics
  /// ("--arg 2"). Errors: Input (syntax, undefined names, an exception that the expression throws).
  virtual Result<Value> evaluate(World &world, Module &in, std::string_view name, std::string_view text) = 0;

  /// Settings of a run of a program's text.
  struct Run {
    bool is_interactive = false; ///< at a prompt: loops assign to existing globals, like Julia's soft scope
    /// Receives warnings about code that probably does not do what its author meant, while it runs.
    std::function<void(const Diagnostic &)> warn;
  };
  /// Runs a text statement by statement, definitions and other code, as the top level of a program. Returns
  /// the last statement's value, `nothing` for a definition. Errors: Input, of the first statement that fails
  /// (syntax errors before any is run). Default: Usage, the language has no programs.
  virtual Result<Value> run(World &world, Module &into, std::shared_ptr<const SourceFile> file,
                            const Run &how);

  /// Resolves a text to a function and argument types; a type stands for a value of it, or a value for its
  /// type. `name` is the text's name in diagnostics ("job"). `captures`: captured values, for a function
  /// inside another. Errors: Input, with the place.
  virtual Result<ResolvedCall> resolve_call(World &world, Module &in, std::string_view name,
                                            std::string_view text, std::span<const Capture> captures) = 0;
  Result<ResolvedCall> resolve_call(World &world, Module &in, std::string_view name, std::string_view text) {
    return resolve_call(world, in, name, text, {});
  }

  /// Resolves a launch by a function's name. `types`: types of the arguments as Kiln's Argument has them,
  /// "Float32", "CuDeviceArray{Float32, 2, 1}" (kiln/extension/language/define.h: argument_type), or the
  /// embedder's own texts. By default resolve_call of "function(type, type)".
  virtual Result<ResolvedCall> resolve_launch(World &world, Module &in, std::string_view function,
                                              std::span<const std::string_view> types);

  /// Converts a value of the embedder to a kernel's argument, for launches and calls on values
  /// (kiln/extension/language/calls.h). The result's type is the argument's type: a language may pass its
  /// integers as Int32, or its fractions as Float64. By default the value itself. Host arrays in it become
  /// CuDeviceArrays afterwards. Errors: Input, for a value that no kernel takes.
  virtual Result<Value> argument_value(World &world, const Value &value);

  /// A call as text that resolve_call reads again, in another process too. By default as Julia writes types.
  virtual std::string call_text(TypeRef tuple) const;

  /// The printer of types, values and calls in messages, timing tables and reports of a session in this
  /// language. Called once. Null: Julia's.
  virtual std::shared_ptr<const Printer> printer() const;

  /// As load, but methods of existing functions go to the overlay table `overlay`. Only jobs of the targets
  /// that name this table search it, before the common one. Helper functions and types that the file defines
  /// itself are common definitions of `into`.
  virtual Result<LoadReport> load_overlay(World &world, Module &into, Symbol overlay,
                                          std::shared_ptr<const SourceFile> file) = 0;
};

} // namespace kiln
