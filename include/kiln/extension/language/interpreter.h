// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter: evaluates lowered code on values, without LLVM. It runs code that definitions need
// (top-level values, macros, constants) and whole programs.
#pragma once

#include <kiln/extension/language/world.h>
#include <kiln/forward.h>

#include <span>
#include <string>
#include <utility>

namespace kiln {

struct MethodMatch;
struct RunningLoop;

/// Evaluates lowered code on values. Not thread-safe.
class KILN_API Interpreter {
public:
  struct Limits {
    uint64_t steps = 50'000'000;
    uint64_t generator_steps = 300'000; ///< maximum steps of one body of a @generated function
    uint32_t depth = 2'000;
    uint64_t bytes = uint64_t(16) << 30; ///< maximum bytes of the arrays that one evaluation makes
    uint64_t string_bytes = 1 << 20;
    uint32_t type_size = 20'000; ///< maximum size of a value's type, in nodes (Type::size)
  };
  explicit Interpreter(World &world) : Interpreter(world, Limits()) {}
  Interpreter(World &world, Limits limits);
  ~Interpreter();

  void set_seed(uint64_t seed); ///< of rand
  /// Function that converts a host array to a CuDeviceArray on the array's own memory. The interpreter uses
  /// it for calls for which no method takes the host array, such as Const(A). Without an adapter such calls
  /// are errors.
  using ArrayAdapter = std::function<Result<Value>(const Value &array)>;
  void set_array_adapter(ArrayAdapter adapter);
  /// A function that C++ code implements: rand, zeros, npy. If it returns an empty Value, the methods of the
  /// same name are called instead.
  using HostFunction = std::function<Result<Value>(Interpreter &, std::span<const Value> args)>;
  /// Binds a host function in `module`. Only evaluated code calls it.
  Result<void> add_host_function(Module &module, std::string_view name, HostFunction function);

  bool has_host_function(TypeRef function) const;

  /// Adds a host function for constructor calls T(...) and T{...}(...). The type is its first argument. If it
  /// returns an empty Value, the constructor's methods are called instead.
  void add_host_constructor(const TypeName &type, HostFunction function);

  /// Interface by which the interpreter calls methods as compiled code. `args` begins with the function.
  class CompiledCalls {
  public:
    virtual ~CompiledCalls() = default;
    /// Called before each call of a method. Returns the call's result, or an empty Value to let the
    /// interpreter run it.
    virtual Result<Value> call(const Method &method, std::span<const Value> args) = 0;
    /// How the interpreter treats calls of one method with arguments of the same types.
    enum class Treatment : uint8_t {
      Ask,      ///< calls call() before each call and was_interpreted() after it
      Count,    ///< counts steps and calls, and reports several calls at once
      Interpret ///< runs each call, and reports nothing
    };
    virtual Treatment treatment(const Method &method, std::span<const Value> args) = 0;
    /// Called after the interpreter ran `calls` calls; `steps` includes the calls within them.
    virtual void was_interpreted(const Method &method, std::span<const Value> args, uint64_t steps,
                                 uint64_t calls) = 0;
    /// Called when a loop of an interpreted call runs long. Restarts the call as compiled code and returns
    /// its result, or returns an empty Value to continue the loop.
    virtual Result<Value> restart(const Method &method, std::span<const Value> args) = 0;
    enum class LoopOutcome : uint8_t {
      Done,     ///< the loop has ended: its variables have their new values
      Wait,     ///< not hot yet for the types of its variables
      Interpret ///< compiled code cannot run it
    };
    /// Called at the start of a round of a long loop, also of code at top level. Runs the rest of the loop as
    /// compiled code, if it can. Error: an exception of the loop.
    virtual Result<LoopOutcome> continue_loop(RunningLoop &loop) = 0;
  };

  /// Settings for running a program: limits, interrupts and compiled calls, which evaluation of definitions
  /// does not need.
  struct Program {
    Limits limits = {.steps = ~uint64_t(0), .bytes = uint64_t(64) << 30, .string_bytes = uint64_t(1) << 31};
    /// Request to interrupt: the next step throws InterruptException and withdraws the request.
    const StopSource *interrupt = nullptr;
    CompiledCalls *compiled = nullptr; ///< null: all code is interpreted
  };
  void begin_program(Program program);
  bool runs_program() const;
  /// Sets the limits. Steps and bytes are counted for each evaluation separately.
  void set_limits(const Limits &limits);

  // ---- exceptions as values
  /// Makes an error that throws `exception`. Catch blocks and exception_of() get the same value back.
  Error raise(const Value &exception);
  /// Returns the value that a catch block gets for an error: the thrown value, or a value of the Julia type
  /// with the error's name. No catch block gets an error with ErrorCode::Exit.
  Value exception_of(const Error &error);
  /// Makes an exception of type `type` of Base, with these fields instead of the struct's own.
  Value make_exception(std::string_view type, std::vector<std::pair<std::string_view, Value>> fields);
  /// Makes a BoundsError for a collection and an index, or a tuple of indices.
  Error bounds_error(const Value &collection, const Value &index);
  /// Calls function(args...) by dispatch at the current world age. Errors: Input (MethodError, an exception
  /// of the code, a limit), with the source stack.
  Result<Value> call(const Value &function, std::span<const Value> args);
  /// Runs top-level lowered code (nargs 0 or 1).
  Result<Value> run(const CodeInfo &code, const Module &module);
  /// Runs a method's code. `slots`: the function, then its arguments; for a vararg method the last one is a
  /// tuple.
  Result<Value> run_on(const CodeInfo &code, std::vector<Value> slots,
                       std::span<const TypeRef> static_params);
  /// Converts a value to a type by the language's convert(T, x).
  Result<Value> convert(TypeRef type, const Value &value);
  /// Calls work() on a stack that is large enough for code nested 10,000 levels deep. Computed code can nest
  /// so deep, since no parser limits it.
  Result<Value> on_deep_stack(const std::function<Result<Value>()> &work);
  World &world();
  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend struct InterpreterAccess;
  TypeRef exception_type();
  bool may_catch(const Error &error) const;
  Value enter_catch(Error error, size_t outer);
  struct KILN_LOCAL Activation;
  struct KILN_LOCAL Interpreted; ///< a call that the interpreter runs
  /// Runs code on copies of the arguments. `call`: the call that compiled code may continue, or null.
  Result<Value> execute(const CodeInfo &code, std::span<const Value> arguments,
                        std::span<const TypeRef> static_params, const Interpreted *call = nullptr);
  /// Calls call[0](call[1], ...).
  Result<Value> call_values(std::span<const Value> call);
  /// Likewise, on the current stack.
  Result<Value> call_here(std::span<const Value> call);
  /// Handles a call for which dispatch chose no method.
  Result<Value> call_unmatched(MethodMatch match, std::span<const Value> call);
  Result<Value> construct(std::span<const Value> args);
  Result<Value> call_intrinsic(Intrinsic intrinsic, std::span<const Value> args);
  /// Calls `invoke(f, Tuple{...}, args...)`: selects the method by the given types.
  Result<Value> invoke(const Value &function, const Value &types, std::span<const Value> args);
  /// Runs a selected method. `plan`: of the call; null: invoke selected the method, and dispatch may give
  /// another one.
  Result<Value> run_method(const MethodMatch &match, std::span<const Value> call, struct CallPlan *plan);
  Result<void> check_depth() const;
  std::unique_ptr<State> state_;
};

} // namespace kiln
