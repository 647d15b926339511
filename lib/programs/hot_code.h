// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frequent or long calls of a program, compiled as plain functions for the CPU by the session's pipeline.
//
// Compiled calls take and return numbers, structs of them, functions, closures and arrays of these. They may
// create arrays of bits, and write only to arrays. All other calls stay with the interpreter. Inference
// decides before any of the call runs. Rules: docs/design/programs.md.
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

/// Hot code of the thread that runs the program.
class HotCode final : public Interpreter::CompiledCalls {
public:
  /// `memory`: maximum bytes of arrays in a call. `interrupts` ends calls.
  HotCode(Session &session, uint64_t memory, const StopSource &interrupts);

  Result<Value> call(const Method &method, std::span<const Value> args) override;
  void was_interpreted(const Method &method, std::span<const Value> args, uint64_t steps) override;
  Result<Value> restart(const Method &method, std::span<const Value> args) override;

  /// Compiles and runs f(args...). An empty Value: it cannot be compiled, or it throws. The caller must then
  /// discard the arrays that it writes to.
  Result<Value> run(std::string_view base_function, std::span<const Value> args);
  /// Result type of f(args...) on the host, if it is concrete and plain bits; null: it is not, or it cannot
  /// be compiled.
  TypeRef result_type(std::string_view base_function, std::span<const Value> args);

  uint64_t compiled_calls() const { return compiled_calls_; } ///< number of compiled calls so far

private:
  enum class Wanted : uint8_t { No, Yes, Refused };
  /// A function compiled for argument types.
  struct Code {
    std::vector<TypeRef> types; ///< of the arguments, the function first
    Wanted wanted = Wanted::No;
    uint32_t attempts = 0;
    uint64_t steps = 0; ///< interpreter steps of its calls
    uint64_t calls = 0; ///< interpreted calls
    WorldAge world = 0; ///< world for which `function` is valid
    HostFunction function;
    bool is_optimized = false;
    std::chrono::nanoseconds time{}; ///< total of its calls
    int64_t timed_calls = 0;
    TypeRef packed = nullptr, result = nullptr;
    TypeRef packed_result = nullptr; ///< packed form of a result with arrays
    bool writes = false;             ///< to arrays among its arguments
    bool is_optional = false;        ///< returns `result` or nothing
  };
  /// Codes by a hash of their argument types.
  using Codes = std::unordered_map<size_t, std::deque<Code>>;
  struct MethodCodes {
    Codes codes;
    bool is_known = false, has_loop = false, is_for_host = false;
  };
  /// Headers of the arrays among the arguments, in order of occurrence.
  struct Packed {
    std::deque<std::vector<uint64_t>> headers;
    std::vector<std::pair<HostArray *, Value>> arrays;
    std::map<const uint64_t *, Value> made; ///< arrays made by the call and returned
  };
  void save_arrays(const Value *call, std::span<const Value> args);
  MethodCodes &find_method(const Method &method);
  Code &find(Codes &codes, std::span<const Value> args);
  bool compile(Code &code, bool optimized);
  bool try_compile(Code &code, bool optimized);
  bool refuse(std::string why);
  bool is_allowed(const CodeInstance &code, bool &writes, std::unordered_set<const CodeInstance *> &seen);
  Result<Value> execute(Code &code, std::span<const Value> args, bool is_repeatable = false);
  /// Arguments with shared variables of closures replaced by their values, which `plain` owns.
  std::span<const Value> plain_arguments(std::span<const Value> args, std::vector<Value> &plain);
  /// True if compiled code cannot be used: its closures capture values, so it must not return closures over
  /// shared variables.
  bool keeps_variables(const Code &code, const std::vector<Value> &plain) {
    return !plain.empty() && holds_closure(types_, code.result);
  }
  TypeRef packed_type(TypeRef type, int depth = 0); ///< null: none
  bool pack(const Value &value, TypeRef as, std::byte *out, Packed &into);
  Result<Value> unpack(TypeRef type, TypeRef as, const std::byte *bytes, Packed &given,
                       const HostArrays &made);
  bool has_array(TypeRef type);
  /// Adds the array and indices that compiled code reported, if the array was an argument.
  Error bounds_error(Error error, const Packed &given);

  Session &owner_;
  const StopSource &interrupts_;
  JobService &jobs_;
  LaunchService &launches_;
  TypeContext &types_;
  CompilerWorld &world_;
  Interpreter &interpreter_;
  uint64_t memory_;
  std::unordered_map<const Method *, MethodCodes> methods_;
  std::map<std::string, Codes, std::less<>> by_name_;
  std::map<TypeRef, std::pair<WorldAge, TypeRef>> result_types_;
  std::unordered_map<TypeRef, bool> may_hold_cells_; ///< by struct or tuple type
  /// Saved contents of small arrays of interpreted calls with loops, by the address of the first argument.
  std::unordered_map<const Value *, std::vector<std::vector<std::byte>>> saved_arrays_;
  uint64_t compiled_calls_ = 0;
  bool is_compiling_ = false;
  std::string why_; ///< reason why the last call stays interpreted
};

} // namespace kiln
