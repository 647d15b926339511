// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/internal/binding.h>

#include <mutex>

namespace kiln {

class CompilerWorld;
class EvaluationMutex;
class World;
struct SsaCode;

/// Makes a method's lowered code on first use. Called once. One recursive lock a World serialises the
/// evaluation of code by definitions: lowering with its macros, and deferred top-level values. So definitions
/// that need each other are an error, never a deadlock.
using LowerFunction = std::function<Result<CodeInfo>()>;

/// The code of a @generated method for argument types (Tuple, the function's first). Under the same lock.
using GenerateFunction =
    std::function<Result<CodeInfo>(TypeRef arguments, std::span<const TypeRef> static_params)>;

/// One definition of a function for a signature. Immutable except for its lazily lowered code and the end of
/// its worlds. Lives until it is replaced and its worlds are forgotten (World::forget).
class KILN_API Method {
public:
  Method();
  ~Method();
  Method(const Method &) = delete;
  Method &operator=(const Method &) = delete;
  Symbol name; ///< of the function
  const Module *module = nullptr;
  TypeRef signature = nullptr;                ///< Tuple{typeof(f), A, B...} where {...}
  std::vector<const TypeVar *> static_params; ///< of the signature, outermost first
  std::vector<Symbol> unbound_params; ///< where-variables that the signature does not use: no call binds them
  std::vector<Symbol> argument_names; ///< without the function itself
  uint32_t nargs = 0;                 ///< including the function itself
  bool is_vararg = false;
  /// its function's type was made with it: nobody can have missed it, so every world has it
  bool of_fresh_type = false;
  Span at; ///< of the definition
  MethodHints hints;
  Symbol overlay;          ///< its overlay table; empty: the common one
  bool is_library = false; ///< of Kiln's own library: the same in every process of one build
  WorldAge begin = 0;
  std::atomic<WorldAge> end{EndOfTime}; ///< first world that no longer sees it (replaced)
  mutable LowerFunction lower;          ///< called once, then dropped: it holds the syntax
  /// of a @generated method, whose own code is never asked for: see World::expanded
  GenerateFunction generate;

  /// Lowered code, made on first use. Later calls return the same pointer (or the same error). The statements
  /// live until World::forget finds that the method is unused. Thread-safe. The method must have been passed
  /// to World::define.
  Result<const CodeInfo *> code(TypeContext &types) const;
  /// Its SSA form, made on first use and kept until World::forget drops it.
  Result<const SsaCode *> ssa(TypeContext &types) const;
  /// Digest of signature, lowered code and hints, positions apart: equal in every process.
  Result<Fingerprint> digest(TypeContext &types) const;

private:
  friend class CompilerWorld;
  friend class World;
  std::shared_ptr<EvaluationMutex> evaluation_; ///< the World's
  Value throw_undef_var_;                       ///< the builtin, for the SSA form
  mutable std::atomic<bool> made_{false};       ///< digest_ and code_ are set; statements may be in packed_
  mutable std::atomic<bool> unpacked_{false};   ///< code_ has its statements
  mutable bool making_ = false;
  mutable std::optional<Result<CodeInfo>> code_;
  mutable std::string packed_; ///< the statements of a method that nothing uses now
  mutable std::unique_ptr<const SsaCode> ssa_;
  mutable std::atomic<bool> ssa_made_{false};
  /// The files that code_'s spans name: positions and diagnostics need their texts.
  mutable std::vector<std::shared_ptr<const SourceFile>> files_;
  SourceMap *sources_ = nullptr; ///< the World's
  void keep_file(Span at) const;
  mutable Fingerprint digest_;
  Result<void> make(TypeContext &types) const;
  void release_code() const; ///< under the evaluation lock, while nobody uses the method: its SSA form goes,
                             ///< its statements are packed
  Result<CodeInfo> make_code() const;
};

/// A method with concrete argument types. Interned by World: one object for equal keys.
struct MethodInstance {
  const Method *method = nullptr;
  TypeRef arguments = nullptr;        ///< Tuple of dispatch elements, the function's type first
  std::vector<TypeRef> static_params; ///< values of the method's where-variables (types or Const types)
};

/// Result of a method look-up: `method`, `ambiguous`, or neither (no method).
struct MethodMatch {
  const Method *method = nullptr;
  std::vector<TypeRef> static_params;
  std::vector<const Method *> ambiguous; ///< candidates, if none is most specific
  bool from_overlay = false;
};

} // namespace kiln
