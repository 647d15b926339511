// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Class HotCode: compiles a program's frequent or long calls as plain functions for the CPU.
//
// Compiled calls take and return numbers, structs of them, functions, closures and arrays of these. They may
// create arrays of plain bits (isbits), and write only to arrays. All other calls stay with the interpreter.
// Inference decides before any part of the call runs. Rules: docs/design/programs.md.
#pragma once

#include "random_numbers.h"
#include "references.h"

#include <host/host.h>
#include <interp/cell.h>
#include <interp/interp.h>
#include <session/session.h>

#include <chrono>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace kiln {

/// True if the arrays have bytes in common.
bool share_bytes(const HostArray &x, const HostArray &y);

/// The compiled code of one program. Used only by the thread that runs the program.
class HotCode final : public Interpreter::CompiledCalls {
public:
  /// `memory`: maximum bytes of arrays that a call may create. `interrupts` stops calls.
  HotCode(Session &session, uint64_t memory, KeyRules &keys, RandomNumbers &random,
          const StopSource &interrupts);

  Result<Value> call(const Method &method, std::span<const Value> args) override;
  Treatment treatment(const Method &method, std::span<const Value> args) override;
  void was_interpreted(const Method &method, std::span<const Value> args, uint64_t steps,
                       uint64_t calls) override;
  Result<Value> restart(const Method &method, std::span<const Value> args) override;
  Result<LoopOutcome> continue_loop(RunningLoop &loop) override;

  /// Compiles and runs f(args...), for a function of Base. An empty Value: the call cannot be compiled, or
  /// throws. The caller must then discard the first `outputs` arguments, to which the call writes.
  Result<Value> run(std::string_view base_function, std::span<const Value> args, size_t outputs);
  /// Returns the type of the elements f(args...), for a function of Base. Null: inference finds none.
  /// `bits_alone`: null also for other types than plain bits.
  TypeRef result_type(std::string_view base_function, std::span<const Value> args, bool bits_alone = true);
  /// Finds the result type of a call from the types of the function and its arguments. Null: inference finds
  /// no concrete type.
  TypeRef result_type_of(std::span<const TypeRef> call);
  /// Finds the element type of an array of results f(x), as Julia does for an empty one. Null: inference does
  /// not know it.
  TypeRef element_type(const Value &function, TypeRef argument);

  /// True for the type of a dictionary that compiled code can change.
  bool can_pass(TypeRef dict) { return shapes().find(dict) != nullptr; }
  static constexpr int max_levels = 64; ///< of nested structs; deeper values are not searched
  uint64_t compiled_calls() const { return compiled_calls_; } ///< number of compiled calls so far

private:
  enum class Wanted : uint8_t { No, Yes, Refused };
  /// A function with its argument types, and its compiled code if there is any.
  struct Code {
    std::vector<TypeRef> types; ///< types of the function and of its arguments
    Symbol loop;                ///< name of a loop of the library, which run() calls
    Wanted wanted = Wanted::No;
    uint32_t attempts = 0;
    uint64_t steps = 0; ///< interpreter steps of all its interpreted calls
    uint64_t calls = 0; ///< interpreted calls
    WorldAge world = 0; ///< world age for which `function` is valid
    HostFunction function;
    bool is_optimized = false;
    std::chrono::nanoseconds time{}; ///< total time of its compiled calls
    int64_t timed_calls = 0;
    TypeRef packed = nullptr, result = nullptr;
    TypeRef packed_result = nullptr; ///< type that replaces a result with arrays: headers instead of arrays
    std::vector<std::pair<TypeRef, TypeRef>>
        results;              ///< of a union `result`: its members, and what replaces them
    bool writes = false;      ///< to arrays among its arguments
    bool writes_more = false; ///< of a loop of the library: to other arrays than its outputs
    bool draws = false;       ///< random numbers
    bool changes_dicts = false;
    bool changes_lengths = false; ///< of vectors
    /// Variables that refer to values of the interpreter, and the objects that they held when it was
    /// compiled.
    std::vector<std::pair<GlobalName, const void *>> variables;
  };
  /// Codes of one function by a hash of their argument types.
  using Codes = std::unordered_map<size_t, std::deque<Code>>;
  struct MethodCodes {
    Codes codes;
    bool is_known = false, has_loop = false, is_for_host = false;
  };
  /// The arrays of one compiled call: headers of its array arguments, in order of occurrence, and its new
  /// arrays.
  struct Packed {
    std::deque<std::vector<uint64_t>> headers;
    std::vector<std::pair<HostArray *, Value>> arrays;
    std::map<const uint64_t *, Value> made; ///< arrays that the call made and returned, by header
    References *references = nullptr;
  };
  /// The state before an interpreted call, to which restart() returns: contents of arrays, and a mark in the
  /// journal of dictionaries.
  struct Before {
    std::vector<std::vector<std::byte>> arrays;
    bool has_arrays = false; ///< `arrays` are all arrays of the arguments
    bool has_shared = false; ///< two of them share their bytes
    const RandomNumbers::Mark random;
    const uint64_t mark = DictJournal::of_thread().begin();
    explicit Before(RandomNumbers &numbers) : random(numbers.mark()) {}
    Before(const Before &) = delete;
    Before &operator=(const Before &) = delete;
    ~Before() { DictJournal::of_thread().end(); }
  };
  /// A loop as a function, for one set of assigned variables and type parameters.
  struct Loop {
    std::vector<TypeRef> static_params;
    std::vector<uint32_t> handlers;
    LoopCode as;
    Value function; ///< empty: the loop stays interpreted
    Codes codes;
  };
  /// Place of a loop: digest of the code around it, source file, and first byte there; head of the loop.
  using LoopKey = std::tuple<Fingerprint, uint32_t, uint32_t, uint32_t>;
  /// As result_type_of(), but the type may be abstract, or a Union.
  TypeRef any_result_type_of(std::span<const TypeRef> call);
  TypeRef element_type_of(std::span<const TypeRef> call);
  Result<LoopKey> loop_key(const RunningLoop &loop);
  Loop *find_loop(const RunningLoop &loop);
  Result<Value> loop_function(const RunningLoop &loop, const LoopCode &as);
  std::optional<LoopFunctions> loop_functions();
  Result<Value> cell_of(const GlobalName &name);
  Result<void> take_cells(std::span<const GlobalName> names, std::span<const Value> cells);
  bool uses_cell(const CodeInstance &code) const;
  void save_before(const Value *call, std::span<const Value> args);
  static bool is_hot(const Code &code);
  MethodCodes &find_method(const Method &method);
  Code &find(Codes &codes, std::span<const Value> args);
  bool compile(Code &code, bool optimized);
  bool try_compile(Code &code, bool optimized);
  bool refuse(std::string why);
  bool is_allowed(const CodeInstance &code, Code &of, std::unordered_set<const CodeInstance *> &seen);
  bool is_allowed_call(const CodeInstance &code, const CallInfo &call, Code &of);
  bool add_variables(const CodeInstance &code, Code &of);
  bool add_type_key(const CodeInstance &code);
  bool add_type(TypeRef type);
  uint64_t type_key(TypeRef type) const;
  void add_noted_type(TypeRef type);
  bool is_allowed_value(const Lattice &value, const CodeInstance &code);
  bool writes_more(const CodeInstance &loop);
  /// `outputs`: number of arguments after the first that the caller discards if the call fails.
  Result<Value> execute(Code &code, std::span<const Value> args, size_t outputs = 0);
  /// Returns the arguments with each shared variable of a closure replaced by its value. `plain` owns the new
  /// arguments.
  std::span<const Value> plain_arguments(std::span<const Value> args, std::vector<Value> &plain);
  /// Returns true if compiled code cannot be used. Its closures capture values, so it must not return a
  /// closure over a shared variable.
  bool keeps_variables(const Code &code, const std::vector<Value> &plain) {
    return !plain.empty() && holds_closure(types_, code.result);
  }
  TypeRef packed_type(TypeRef type, int depth = 0); ///< null: none
  bool pack(const Value &value, TypeRef as, std::byte *out, Packed &into);
  Result<Value> unpack(TypeRef type, TypeRef as, const std::byte *bytes, Packed &given,
                       const HostArrays &made);
  size_t element_bytes(const HostArray &array) const;
  void set_bytes(std::span<HostArray *const> arrays, const std::vector<std::vector<std::byte>> &to);
  std::optional<bool> grow(Packed &given, uint64_t *header, uint64_t bytes);
  void take_lengths(Packed &given);
  static constexpr uint64_t min_capacity = 256; ///< bytes of a vector that grows
  /// True for types of arrays and dictionaries, and of structs with them. `or_text`: also of strings.
  bool has_array(TypeRef type, bool or_text);
  WordShapes &shapes() { return shapes_ ? *shapes_ : shapes_.emplace(interpreter_, keys_); }
  /// Makes the references to the variables that the code reads. Returns false if one cannot be passed.
  bool pack_variables(const Code &code, Packed &into);
  static uint64_t identity_of(const GlobalName &name);
  /// Gives the exception of a call that is not repeated its fields and its text.
  Error complete_error(Error error, Packed &given, const HostArrays &made);
  Value exception_of(std::string_view type, std::span<const Value> parts);
  /// Adds the array and the indices that compiled code reported to a BoundsError.
  Error bounds_error(Error error, Packed &given, const HostArrays &made);

  Session &owner_;
  const StopSource &interrupts_;
  JobService &jobs_;
  LaunchService &launches_;
  TypeContext &types_;
  CompilerWorld &world_;
  Interpreter &interpreter_;
  uint64_t memory_;
  KeyRules &keys_;
  RandomNumbers &random_;
  std::unordered_map<const Method *, MethodCodes> methods_;
  std::map<std::string, Codes, std::less<>> by_name_;
  std::map<LoopKey, std::deque<Loop>> loops_;
  std::map<std::string, Value, std::less<>> loop_functions_; ///< by the names of their types
  std::span<const GlobalName> in_cells_; ///< global variables that the loop assigns which is being compiled
  std::map<TypeRef, std::pair<WorldAge, TypeRef>> result_types_;
  std::unordered_map<TypeRef, bool> may_hold_cells_; ///< by struct or tuple type
  /// States before interpreted calls with loops, by the address of the call's first argument.
  std::unordered_map<const Value *, Before> before_;
  std::optional<WordShapes> shapes_;
  std::unordered_map<uint64_t, TypeRef> types_by_key_;       ///< types that compiled code names
  std::unordered_map<uint64_t, Symbol> symbols_by_identity_; ///< constants of compiled code
  uint64_t compiled_calls_ = 0;
  bool is_compiling_ = false;
  std::string why_; ///< reason why the last call stays interpreted
};

} // namespace kiln
