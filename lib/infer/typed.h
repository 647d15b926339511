// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lattice.h"

namespace kiln {

class CodeInstance;

/// One argument of a resolved call: an operand of the SSA form, or field `field` of it (splatted tuples).
struct ArgRef {
  Operand operand;
  int field = -1;
};

/// One way a call can go: taken if each argument is an instance of the element of `arguments` (checked only
/// when there is more than one case).
struct CallCase {
  TypeRef arguments = nullptr;          ///< dispatch tuple, the callee's type first
  const CodeInstance *target = nullptr; ///< null: `fault` says why there is none
  uint32_t fault = ~0u;                 ///< index into CodeInstance::faults
};

/// How a statement was resolved: calls and constructions, and any statement whose operand cannot be had
/// (Fault).
struct CallInfo {
  enum class Kind : uint8_t {
    None,      ///< not a call, or never reached
    Constant,  ///< result is types[stmt].constant, no effects: nothing to emit
    Intrinsic, ///< `intrinsic` applied to args
    Invoke,    ///< method instances: one case, or union split over several
    New,       ///< construct types[stmt].type from args
    Fault,     ///< cannot run: faults[fault]; a marker is emitted, which validation reports if it survives
  };
  Kind kind = Kind::None;
  uint8_t flags = 0; ///< lowered flags of the statement (Inbounds, Inline, NoInline)
  Intrinsic intrinsic{};
  uint32_t fault = ~0u;
  std::vector<ArgRef> args; ///< without the callee for Intrinsic and New; with it, as args[0], for Invoke
  std::vector<CallCase> cases;
};

/// Something inference found that cannot run if it is reached.
struct InferenceFault {
  ErrorCode code;
  std::string message;
  std::string hint = {};
  std::vector<std::string> notes = {};
  std::string subject = {}; ///< Diagnostic::subject
};

/// Typed code: the result of inference for a method instance (or for one with known constant arguments).
/// Immutable after publication, but for the end of its worlds. Callees stand in the same table: they outlive
/// it.
class CodeInstance final : public Dependent {
public:
  const MethodInstance *instance = nullptr;
  std::vector<Lattice> arguments; ///< one a slot argument (a vararg method's last is a tuple); callee first
  const CodeInfo *code = nullptr;
  const SsaCode *ssa = nullptr;
  std::vector<Lattice> types;      ///< one an SSA statement
  std::vector<Lattice> globals;    ///< one a global of the lowered code: constants; poison if undefined
  std::vector<CallInfo> calls;     ///< one an SSA statement
  std::vector<bool> reachable;     ///< one a block
  std::vector<uint8_t> edge_taken; ///< one a block: bit 0 first successor, bit 1 second
  std::vector<InferenceFault> faults;
  std::vector<Value> own_constants; ///< of conversions that a join rule asks for: see constant()
  bool has_faults = false;          ///< it or a callee, where it can come to
  Lattice result;
  bool is_recursive = false;  ///< part of a cycle of calls: never inlined
  uint8_t effects = 0;        ///< Writes and Throws of lowered/intrinsics.h, own and callees'
  bool has_constants = false; ///< specialised on constant arguments: `arguments` has them
  uint32_t inline_cost = 0;   ///< own statements + those of callees that would be inlined into it
  std::vector<Edge> edges;    ///< direct ones; callees have their own
  std::vector<const CodeInstance *> callees; ///< each once, in order of first call
  WorldAge begin = 0;
  std::atomic<WorldAge> end{EndOfTime};
  /// Ends its worlds and its callers', which hold its body or its result type.
  void invalidate(WorldAge world) override;
  /// `caller` ends when this one does; at once, if it has.
  void add_caller(const std::shared_ptr<CodeInstance> &caller) const;
  void forget_callers() const;           ///< those that are gone
  size_t memory() const;                 ///< bytes it holds, about
  mutable std::atomic<uint64_t> used{0}; ///< when it was last asked for as a job's entry; 0: never

  /// Of a Const operand: behind the SSA form's constants stand `own_constants`.
  const Value &constant(uint32_t index) const {
    const size_t own = ssa->code->constants.size() + ssa->extra_constants.size();
    return index < own ? ssa->constant(index) : own_constants[index - own];
  }
  /// Lattice value of an operand: argument, statement, constant, static parameter.
  KILN_PROGRAMS_API Lattice operand(TypeContext &types, Operand operand) const;

  /// Digest of this instance alone (method, arguments, bindings; positions too, if wanted): made once, then
  /// kept.
  Result<Fingerprint> own_digest(CompilerWorld &world, bool positions) const;

private:
  mutable std::mutex digest_mutex_;
  mutable std::optional<Fingerprint> own_digest_[2];
  mutable std::mutex callers_mutex_;
  mutable std::vector<std::weak_ptr<CodeInstance>> callers_;
};

/// --emit typed: statements with types, as code_typed prints them; `warn` colours what is not concrete.
std::string to_string(TypeContext &types, const CodeInstance &code, const SourceMap *sources, bool warn);

} // namespace kiln
