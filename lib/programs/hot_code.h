// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a program that run often or long, compiled as plain functions for the CPU by the session's
// pipeline.
//
// What is compiled takes numbers, structs of them, functions, closures and arrays of these, makes arrays of
// bits itself, writes to nothing but arrays, and gives such a value back. All else stays with the
// interpreter: what inference finds in a call decides, before any of it runs. docs/design/programs.md has the
// rules.
#pragma once

#include <host/host.h>
#include <interp/cell.h>
#include <session/session.h>

#include <chrono>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace kiln {

/// Of the thread that runs the program.
class HotCode final : public Interpreter::CompiledCalls {
public:
  /// `memory`: bytes of arrays that a call may have at a time. `interrupts` ends calls.
  HotCode(Session &session, uint64_t memory, const StopSource &interrupts);

  Result<Value> call(const Method &method, std::span<const Value> args) override;
  void was_interpreted(const Method &method, std::span<const Value> args, uint64_t steps) override;
  Result<Value> restart(const Method &method, std::span<const Value> args) override;

  /// f(args...), compiled now; an empty Value where that cannot be, or where it throws: arrays that it writes
  /// to are the caller's to throw away.
  Result<Value> run(std::string_view base_function, std::span<const Value> args);
  /// The type of f(args...) for the host, if it is concrete and of bits; null: it is not, or cannot be
  /// compiled.
  TypeRef result_type(std::string_view base_function, std::span<const Value> args);

  uint64_t compiled_calls() const { return compiled_calls_; } ///< made

private:
  enum class Wanted : uint8_t { No, Yes, Refused };
  /// A function compiled for types of arguments.
  struct Code {
    std::vector<TypeRef> types; ///< of the arguments, the function first
    Wanted wanted = Wanted::No;
    uint32_t attempts = 0;
    uint64_t steps = 0; ///< that the interpreter spent on it
    uint64_t calls = 0; ///< in which it spent them
    WorldAge world = 0; ///< in which `function` holds
    HostFunction function;
    bool is_optimized = false;
    std::chrono::nanoseconds time{}; ///< that calls of it took
    int64_t timed_calls = 0;
    TypeRef packed = nullptr, result = nullptr;
    TypeRef packed_result = nullptr; ///< what stands for a result that has arrays
    bool writes = false;             ///< to arrays that it was given
    bool is_optional = false;        ///< gives `result` or nothing
  };
  /// Codes by the types of their arguments.
  using Codes = std::unordered_map<size_t, std::deque<Code>>;
  struct OfMethod {
    Codes codes;
    bool is_known = false, has_loop = false, is_for_host = false;
  };
  /// Headers of the arrays among the arguments, in the order in which they are met.
  struct Packed {
    std::deque<std::vector<uint64_t>> headers;
    std::vector<std::pair<HostArray *, Value>> arrays;
    std::map<const uint64_t *, Value> made; ///< by the call, and given back
  };
  void note_beginning(const Value *call, std::span<const Value> args);
  OfMethod &of(const Method &method);
  Code &find(Codes &codes, std::span<const Value> args);
  bool compile(Code &code, bool optimized);
  bool try_compile(Code &code, bool optimized);
  bool refuse(std::string why);
  bool is_allowed(const CodeInstance &code, bool &writes, std::unordered_set<const CodeInstance *> &seen);
  Result<Value> execute(Code &code, std::span<const Value> args, bool is_repeatable = false);
  /// The arguments with values in place of the variables that closures share; `plain` keeps them.
  std::span<const Value> plain_arguments(std::span<const Value> args, std::vector<Value> &plain);
  /// Compiled closures keep values, so that code may not give closures over variables back.
  bool keeps_variables(const Code &code, const std::vector<Value> &plain) {
    return !plain.empty() && holds_closure(types_, code.result);
  }
  TypeRef packed_type(TypeRef type, int depth = 0); ///< null: there is none
  bool pack(const Value &value, TypeRef as, std::byte *out, Packed &into);
  Result<Value> unpack(TypeRef type, TypeRef as, const std::byte *bytes, Packed &given,
                       const HostArrays &made);
  bool has_array(TypeRef type);
  /// The error with the array and the indices that compiled code reported, where the call was given the
  /// array.
  Error bounds_error(Error error, const Packed &given);

  Session &owner_;
  const StopSource &interrupts_;
  JobService &jobs_;
  LaunchService &launches_;
  TypeContext &types_;
  CompilerWorld &world_;
  Interpreter &interpreter_;
  uint64_t memory_;
  std::unordered_map<const Method *, OfMethod> methods_;
  std::map<std::string, Codes, std::less<>> by_name_;
  std::map<TypeRef, std::pair<WorldAge, TypeRef>> result_types_;
  std::unordered_map<TypeRef, bool> may_hold_cells_; ///< types of structs and tuples
  /// Of calls with loops that the interpreter makes, by the first argument's address: what their small arrays
  /// held before.
  std::unordered_map<const Value *, std::vector<std::vector<std::byte>>> beginnings_;
  uint64_t compiled_calls_ = 0;
  bool is_compiling_ = false;
  std::string why_; ///< what was asked last stays interpreted
};

} // namespace kiln
