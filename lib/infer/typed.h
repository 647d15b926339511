// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lattice.h"

namespace kiln {

class CodeInstance;

/// An argument of a resolved call: an operand of the SSA form, or field `field` of it (splatted tuples).
struct ArgRef {
  Operand operand;
  int field = -1;
};

/// One case of a call. It applies if each argument is an instance of the matching element of `arguments`
/// (tested only if there are several cases).
struct CallCase {
  TypeRef arguments = nullptr;          ///< dispatch tuple, the callee's type first
  const CodeInstance *target = nullptr; ///< null: no target; see `fault`
  uint32_t fault = ~0u;                 ///< index into CodeInstance::faults
};

/// Resolution of a statement: of calls and constructions, and of any statement with an unavailable operand
/// (Fault).
struct CallInfo {
  enum class Kind : uint8_t {
    None,      ///< not a call, or unreachable
    Constant,  ///< types[stmt].constant without effects: nothing to emit
    Intrinsic, ///< `intrinsic` applied to args
    Invoke,    ///< method instances: one case, or several of a union split
    New,       ///< construct types[stmt].type from args
    Fault,     ///< cannot run: faults[fault]. Emits a marker, which validation reports if it survives
  };
  Kind kind = Kind::None;
  uint8_t flags = 0; ///< lowered flags of the statement (Inbounds, Inline, NoInline)
  Intrinsic intrinsic{};
  uint32_t fault = ~0u;
  std::vector<ArgRef> args; ///< without the callee for Intrinsic and New; for Invoke, args[0] is the callee
  std::vector<CallCase> cases;
};

/// Code that cannot run, found by inference. It is an error only if it is reached.
struct InferenceFault {
  ErrorCode code;
  std::string message;
  std::string hint = {};
  std::vector<std::string> notes = {};
  std::string subject = {}; ///< Diagnostic::subject
};

/// Typed code: result of inference for a method instance, possibly with constant arguments. Immutable after
/// publication, except for the end of its worlds. Callees are in the same table and outlive it.
class CodeInstance final : public Dependent {
public:
  const MethodInstance *instance = nullptr;
  std::vector<Lattice> arguments; ///< one per argument slot (a vararg method's last is a tuple); callee first
  const CodeInfo *code = nullptr;
  const SsaCode *ssa = nullptr;
  std::vector<Lattice> types;      ///< one per SSA statement
  std::vector<Lattice> globals;    ///< one per global of the lowered code: constants; poison if undefined
  std::vector<CallInfo> calls;     ///< one per SSA statement
  std::vector<bool> reachable;     ///< one per block
  std::vector<uint8_t> edge_taken; ///< per block: bit 0 first successor, bit 1 second
  std::vector<InferenceFault> faults;
  std::vector<Value> own_constants; ///< for conversions of a join rule: see constant()
  bool has_faults = false;          ///< it or a reachable callee has faults
  Lattice result;
  bool is_recursive = false;                 ///< member of a call cycle: never inlined
  uint8_t effects = 0;                       ///< Writes and Throws (lowered/intrinsics.h), including callees'
  bool has_constants = false;                ///< specialised on the constants in `arguments`
  uint32_t inline_cost = 0;                  ///< own statements + those of callees that would be inlined
  std::vector<Edge> edges;                   ///< direct edges; callees have their own
  std::vector<const CodeInstance *> callees; ///< each once, in order of first call
  WorldAge begin = 0;
  std::atomic<WorldAge> end{EndOfTime};
  /// Ends the worlds of this instance and of its callers, which contain its body or result type.
  void invalidate(WorldAge world) override;
  /// Lets `caller` end when this instance ends; at once, if it has ended.
  void add_caller(const std::shared_ptr<CodeInstance> &caller) const;
  void forget_callers() const;           ///< removes freed callers
  size_t memory() const;                 ///< approximately, in bytes
  mutable std::atomic<uint64_t> used{0}; ///< time of the last request as a job's entry; 0: never

  /// Value of a Const operand. `own_constants` follow the SSA form's constants.
  const Value &constant(uint32_t index) const {
    const size_t own = ssa->code->constants.size() + ssa->extra_constants.size();
    return index < own ? ssa->constant(index) : own_constants[index - own];
  }
  /// Lattice value of an operand: argument, statement, constant, static parameter.
  KILN_PROGRAMS_API Lattice operand(TypeContext &types, Operand operand) const;

  /// Digest of this instance alone (method, arguments, bindings; optionally positions). Computed once.
  Result<Fingerprint> own_digest(CompilerWorld &world, bool positions) const;

private:
  mutable std::mutex digest_mutex_;
  mutable std::optional<Fingerprint> own_digest_[2];
  mutable std::mutex callers_mutex_;
  mutable std::vector<std::weak_ptr<CodeInstance>> callers_;
};

/// Text for --emit typed, like code_typed; `warn` highlights non-concrete types.
std::string to_string(TypeContext &types, const CodeInstance &code, const SourceMap *sources, bool warn);

} // namespace kiln
