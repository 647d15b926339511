// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/internal/binding.h>

#include <mutex>

namespace kiln {

class CompilerWorld;
class EvaluationMutex;
class World;
struct SsaCode;

/// Makes a method's lowered code when it is first needed. Called once, under the World's evaluation lock.
/// This recursive lock serialises all evaluation for definitions (lowering with its macros, deferred
/// top-level values), so that circular definitions are an error, not a deadlock.
using LowerFunction = std::function<Result<CodeInfo>()>;

/// Makes the code of a @generated method for a tuple of argument types, the function's type first. Called
/// under the World's evaluation lock.
using GenerateFunction =
    std::function<Result<CodeInfo>(TypeRef arguments, std::span<const TypeRef> static_params)>;

/// A method: one definition of a function for a signature. Immutable, except for its lazily made code and
/// `end`. Lives until it is replaced and its world ages are forgotten (CompilerWorld::forget).
class KILN_API Method {
public:
  Method();
  ~Method();
  Method(const Method &) = delete;
  Method &operator=(const Method &) = delete;
  Symbol name; ///< of the function
  const Module *module = nullptr;
  TypeRef signature = nullptr;                ///< Tuple{typeof(f), A, B...} where {...}
  std::vector<const TypeVar *> static_params; ///< where-variables of the signature, outermost first
  /// Where-variables that the argument types do not use, so that no call sets them.
  std::vector<Symbol> unbound_params;
  std::vector<Symbol> argument_names; ///< without the function itself
  uint32_t nargs = 0;                 ///< including the function itself
  bool is_vararg = false;
  /// The method was defined together with its function, so no earlier look-up can have missed it. It is then
  /// visible in every world age.
  bool of_fresh_type = false;
  Span at; ///< of the definition
  MethodHints hints;
  Symbol overlay;          ///< overlay method table that holds it; empty: the common table
  bool is_library = false; ///< the method is in Kiln's own library: the same in every process of one build
  /// Place among all definitions: a method replaces those of equal signatures with a smaller or equal place,
  /// even if a postponed definition is run later. Methods of Kiln's library have the smallest places.
  uint64_t place = 0;
  WorldAge begin = 0;
  std::atomic<WorldAge> end{EndOfTime}; ///< first world age in which it is replaced
  mutable LowerFunction lower;          ///< called once, then destroyed, since it holds the syntax tree
  /// Set for a @generated method: makes code for argument types. CompilerWorld::expanded calls it; code() is
  /// not used.
  GenerateFunction generate;
  /// Returns a digest of all that the code of `generate` depends on for these argument types. Equal digests
  /// mean equal code in all processes of one build. Empty: the code may depend on more. May be null.
  std::function<std::optional<Fingerprint>(TypeRef arguments)> generator_inputs;

  /// Returns the lowered code, which is made on first use; later calls return the same pointer or error. The
  /// statements stay unpacked until CompilerWorld::forget finds the method unused. Thread-safe. The method
  /// must have been passed to CompilerWorld::define.
  Result<const CodeInfo *> code(TypeContext &types) const;
  /// Returns the SSA form, which is made on request and kept until CompilerWorld::forget.
  Result<const SsaCode *> ssa(TypeContext &types) const;
  /// Returns a digest of signature, lowered code and hints, without source positions: equal in every process.
  Result<Fingerprint> digest(TypeContext &types) const;

private:
  friend class CompilerWorld;
  friend class World;
  std::shared_ptr<EvaluationMutex> evaluation_; ///< the World's
  Value throw_undef_var_;                       ///< the builtin throw_undef_var, which the SSA form calls
  mutable std::atomic<bool> made_{false};     ///< digest_ and code_ are set; the statements may be in packed_
  mutable std::atomic<bool> unpacked_{false}; ///< the statements are in code_, not in packed_
  mutable bool making_ = false;
  mutable std::optional<Result<CodeInfo>> code_;
  mutable std::string packed_; ///< packed statements, while nothing uses the method
  mutable std::unique_ptr<const SsaCode> ssa_;
  mutable std::atomic<bool> ssa_made_{false};
  /// Source files of the spans in code_, kept alive for positions and diagnostics.
  mutable std::vector<std::shared_ptr<const SourceFile>> files_;
  SourceMap *sources_ = nullptr; ///< the World's
  void keep_file(Span at) const;
  mutable Fingerprint digest_;
  Result<void> make(TypeContext &types) const;
  /// Drops the SSA form and packs the statements of a method that nothing uses. The caller holds the
  /// evaluation lock.
  void release_code() const;
  Result<CodeInfo> make_code() const;
};

/// A method with concrete argument types. The World interns them: equal instances are one object.
struct MethodInstance {
  const Method *method = nullptr;
  TypeRef arguments = nullptr; ///< concrete argument types as a Tuple, the function's type first
  /// Values of the method's where-variables: types, or Const types for other values.
  std::vector<TypeRef> static_params;
};

/// Result of a method look-up. `method` is set if one was chosen, `ambiguous` if none is the most specific;
/// neither is set if no method matches.
struct MethodMatch {
  const Method *method = nullptr;
  std::vector<TypeRef> static_params;
  std::vector<const Method *> ambiguous; ///< the matching methods, if none is the most specific
  bool from_overlay = false;
};

} // namespace kiln
