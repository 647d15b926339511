// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lattice.h"

namespace kiln {

class CodeInstance;

/// Argument of a resolved call: an operand of the SSA form, or the operand's field `field` if it is a
/// splatted tuple.
struct ArgRef {
  Operand operand;
  int field = -1;
};

/// One case of a call: a method instance and the argument types for which it is called. Types are tested only
/// if there are several cases.
struct CallCase {
  TypeRef arguments = nullptr;          ///< dispatch tuple, the callee's type first
  const CodeInstance *target = nullptr; ///< null: no target; see `fault`
  uint32_t fault = ~0u;                 ///< index into CodeInstance::faults
};

/// Resolution of a statement: of a call, of a construction, or of any statement whose operand has a fault.
struct CallInfo {
  enum class Kind : uint8_t {
    None,      ///< not a call, or unreachable
    Constant,  ///< the result is types[stmt].constant, without effects: no code is emitted
    Intrinsic, ///< `intrinsic` applied to args
    Invoke,    ///< call of one method instance, or of several in a union split
    New,       ///< construct types[stmt].type from args
    /// Faults[fault] says why it cannot run; emits a marker, which validation reports if it is reachable.
    Fault,
  };
  Kind kind = Kind::None;
  uint8_t flags = 0; ///< Inbounds, Inline, NoInline: flags of the lowered statement
  Intrinsic intrinsic{};
  bool has_declared_type = false; ///< the result has the type that the library declares for this call
  uint32_t fault = ~0u;
  std::vector<ArgRef> args; ///< args[0] is the callee for Invoke; Intrinsic and New omit it
  std::vector<CallCase> cases;
};

/// Description of code that cannot run, found by inference. It is an error only if the code can be reached.
struct InferenceFault {
  ErrorCode code;
  std::string message;
  std::string hint = {};
  std::vector<std::string> notes = {};
  std::string subject = {}; ///< Diagnostic::subject
};

/// Typed code: the result of inference for a method instance, possibly specialised on constant arguments.
/// Immutable once it is in the table, except for `end`. Its callees are in the same table and outlive it.
class CodeInstance final : public Dependent {
public:
  const MethodInstance *instance = nullptr;
  std::vector<Lattice> arguments; ///< one per argument slot (a vararg method's last is a tuple); callee first
  const CodeInfo *code = nullptr;
  const SsaCode *ssa = nullptr;
  std::vector<Lattice> types; ///< one per SSA statement
  /// Value of each global that the code names: a constant, or poison if undefined.
  std::vector<Lattice> globals;
  std::vector<CallInfo> calls;     ///< one per SSA statement
  std::vector<bool> reachable;     ///< one per block
  std::vector<uint8_t> edge_taken; ///< by block: bit 0 if the first successor is taken, bit 1 the second
  std::vector<InferenceFault> faults;
  std::vector<Value> own_constants; ///< constants added for conversions of a join rule; see constant()
  bool has_faults = false;          ///< true if this code or reachable callees have faults
  bool is_partial = false;          ///< may return values whose type `result` leaves out (partial.h)
  Lattice result;
  bool is_recursive = false;  ///< part of a call cycle: never inlined
  uint8_t effects = 0;        ///< Writes and Throws (lowered/intrinsics.h), including callees'
  bool has_constants = false; ///< specialised on constants in `arguments`
  bool is_host_code = false;  ///< of a session that runs programs: may refer to values of the interpreter
  /// Number of statements, with those of callees that would be inlined.
  uint32_t inline_cost = 0;
  std::vector<Edge> edges;                   ///< of this code only: callees have their own edges
  std::vector<const CodeInstance *> callees; ///< without repetition, in order of first call
  WorldAge begin = 0;
  std::atomic<WorldAge> end{EndOfTime};
  /// Ends the validity of this instance, and of its callers, which contain its body or depend on its result
  /// type.
  void invalidate(WorldAge world) override;
  /// Records that `caller` becomes invalid together with this instance. If this instance is already invalid,
  /// so is `caller` at once.
  void add_caller(const std::shared_ptr<CodeInstance> &caller) const;
  void forget_callers() const;           ///< removes freed callers
  size_t memory() const;                 ///< approximately, in bytes
  mutable std::atomic<uint64_t> used{0}; ///< time of the last request as a job's entry; 0: never

  /// Value of a constant operand. Indices after the SSA form's constants refer to `own_constants`.
  const Value &constant(uint32_t index) const {
    const size_t own = ssa->code->constants.size() + ssa->extra_constants.size();
    return index < own ? ssa->constant(index) : own_constants[index - own];
  }
  /// Facts about the value of an operand: an argument, statement, constant or static parameter.
  KILN_PROGRAMS_API Lattice operand(TypeContext &types, Operand operand) const;

  /// Digest of this instance without its callees: method, arguments, bindings, and with `positions` its
  /// source positions. Computed once.
  Result<Fingerprint> own_digest(CompilerWorld &world, bool positions) const;

private:
  mutable std::mutex digest_mutex_;
  mutable std::optional<Fingerprint> own_digest_[2];
  mutable std::mutex callers_mutex_;
  mutable std::vector<std::weak_ptr<CodeInstance>> callers_;
};

/// The results of inference that a caller can use without the statements.
struct CodeSummary {
  TypeRef result = nullptr;  ///< the inferred result type
  bool draws_random = false; ///< code that it reaches asks for the state of random numbers
  /// A value that the function returns may come from code that compiled code cannot have. The inferred type
  /// leaves such values out.
  bool is_partial = false;
};

CodeSummary summary_of(TypeContext &types, const CodeInstance &code);

/// Returns typed code as text for --emit typed, like Julia's code_typed. `warn` highlights values of
/// non-concrete type.
KILN_PROGRAMS_API std::string to_string(TypeContext &types, const CodeInstance &code,
                                        const SourceMap *sources, bool warn);

} // namespace kiln
