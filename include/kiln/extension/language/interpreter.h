// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter evaluates lowered code on values, without LLVM, for code that a language runs while it
// defines: top-level values, macros, constants.
#pragma once

#include <kiln/extension/language/world.h>
#include <kiln/forward.h>

#include <span>
#include <string>
#include <utility>

namespace kiln {

struct MethodMatch;

/// Not thread-safe: one thread at a time.
class KILN_API Interpreter {
public:
  struct Limits {
    uint64_t steps = 50'000'000;
    uint64_t generator_steps = 300'000; ///< of one code-generating body
    uint32_t depth = 2'000;
    uint64_t bytes = uint64_t(16) << 30; ///< of all arrays of one evaluation
    uint64_t string_bytes = 1 << 20;
    uint32_t type_size = 20'000; ///< of a value's type, in nodes (Type::size)
  };
  explicit Interpreter(World &world) : Interpreter(world, Limits()) {}
  Interpreter(World &world, Limits limits);
  ~Interpreter();

  void set_seed(uint64_t seed); ///< of rand
  /// Makes a kernel's view of a host array: a CuDeviceArray on the array's own memory. The interpreter uses
  /// it for calls that no method takes with host arrays, such as Const(A). Without an adapter such calls are
  /// errors.
  using ArrayAdapter = std::function<Result<Value>(const Value &array)>;
  void set_array_adapter(ArrayAdapter adapter);
  /// A function that the host implements: rand, zeros, npy. An empty Value means "not mine": the methods of
  /// the same name are searched.
  using HostFunction = std::function<Result<Value>(Interpreter &, std::span<const Value> args)>;
  /// Binds a function implemented by the host in `module` (rand, zeros, npy): called by evaluated code only.
  Result<void> add_host_function(Module &module, std::string_view name, HostFunction function);

  bool has_host_function(TypeRef function) const;

  /// Adds a function for calls of a type T or T{...} with this name. The type is its first argument. As with
  /// host functions, an empty Value leaves the call to the methods.
  void add_host_constructor(const TypeName &type, HostFunction function);

  /// Calls of methods that run as compiled code. `args`: the function first.
  class CompiledCalls {
  public:
    virtual ~CompiledCalls() = default;
    /// Asked before each call of a method; an empty Value leaves it to the interpreter.
    virtual Result<Value> call(const Method &method, std::span<const Value> args) = 0;
    /// Called after the interpreter ran the call. `steps` include those of nested calls.
    virtual void was_interpreted(const Method &method, std::span<const Value> args, uint64_t steps) = 0;
    /// Called when a loop of the call runs long. Returns the call's result, computed from the start, or an
    /// empty Value to continue the loop.
    virtual Result<Value> restart(const Method &method, std::span<const Value> args) = 0;
  };

  /// A running program: limits and connections to the outside that evaluating definitions does not need.
  struct Program {
    Limits limits = {.steps = ~uint64_t(0), .bytes = uint64_t(64) << 30, .string_bytes = uint64_t(1) << 31};
    /// a request: the next step throws InterruptException, and ends it
    const StopSource *interrupt = nullptr;
    CompiledCalls *compiled = nullptr; ///< null: all is interpreted
  };
  void begin_program(Program program);
  bool runs_program() const;
  /// While it holds, each evaluation's steps and bytes are counted anew.
  void set_limits(const Limits &limits);

  // ---- exceptions as values
  /// The error that throws `exception`: catch blocks, and exception_of, get this value back.
  Error raise(const Value &exception);
  /// Returns the value that a catch block gets for an error: the thrown value, or a value of the Julia type
  /// with the error's name. No catch block gets an error with ErrorCode::Exit.
  Value exception_of(const Error &error);
  /// An exception of Base's type `type` with these fields, whatever the struct itself holds.
  Value make_exception(std::string_view type, std::vector<std::pair<std::string_view, Value>> fields);
  /// A BoundsError that names the collection and the index, or the indices where it is a tuple.
  Error bounds_error(const Value &collection, const Value &index);
  /// f(args...): by dispatch at the current world. Errors: Input (MethodError, an exception the code throws,
  /// a limit), with the source stack.
  Result<Value> call(const Value &function, std::span<const Value> args);
  /// Runs top-level lowered code (nargs 0 or 1).
  Result<Value> run(const CodeInfo &code, const Module &module);
  /// Runs a method's code on its slots' values, the function first; a vararg method's rest is a tuple
  /// already.
  Result<Value> run_on(const CodeInfo &code, std::vector<Value> slots,
                       std::span<const TypeRef> static_params);
  /// As `Int64(x)` etc. in the language: convert(T, x).
  Result<Value> convert(TypeRef type, const Value &value);
  /// work(), with stack for code that nests 10,000 levels deep: code that was computed has no text whose
  /// parser would have a limit.
  Result<Value> on_deep_stack(const std::function<Result<Value>()> &work);
  World &world();
  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend struct InterpreterAccess;
  TypeRef exception_type();
  bool may_catch(const Error &error) const;
  Value enter_catch(Error error, size_t outer);
  using Restart = std::function<Result<Value>()>;
  Result<Value> execute(const CodeInfo &code, std::vector<Value> arguments,
                        std::span<const TypeRef> static_params, const Restart &restart = {});
  Result<Value> call_here(const Value &function, std::span<const Value> args); ///< on the current stack
  Result<Value> construct(std::span<const Value> args);
  Result<Value> call_intrinsic(Intrinsic intrinsic, std::span<const Value> args);
  /// `invoke(f, Tuple{...}, args...)`: the method is that of the types named.
  Result<Value> invoke(const Value &function, const Value &types, std::span<const Value> args);
  /// `is_invoked`: the method need not be the one that dispatch chooses.
  Result<Value> run_method(const Value &function, MethodMatch match, std::span<const Value> args,
                           bool is_invoked = false);
  Result<void> check_depth() const;
  std::unique_ptr<State> state_;
};

} // namespace kiln
