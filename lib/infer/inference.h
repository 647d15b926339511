// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inference engine. An Inference object serves one request on one thread, and moves finished code
// instances to the table.
//
// A method instance is inferred by passes over its blocks in reverse post-order (sparse conditional
// propagation, Wegman and Zadeck 1991, over types instead of constants). A statement is evaluated again only
// if an operand changed. Values only rise in the lattice, so that the passes end.
//
// Recursion: a call of an unfinished instance uses an estimate of its result. If the head of the call cycle
// ends with another result, the whole cycle is inferred again, until nothing changes.
//
// A language's join rule may replace a variable's type by another one that is not higher in the lattice. The
// method instance is then inferred again from the start, with the variable at its new type (joins.cpp).
#pragma once

#include "partial.h"
#include "table.h"

#include <functional>
#include <unordered_set>

namespace kiln {

/// Key of a code instance: a method instance, and known arguments that the instance is specialised on.
struct InstanceKey {
  const MethodInstance *instance = nullptr;
  std::vector<Lattice> constants; ///< empty: not specialised on constants
  bool operator==(const InstanceKey &) const = default;
};
struct InstanceKeyHash {
  size_t operator()(const InstanceKey &key) const {
    size_t h = std::hash<const void *>()(key.instance);
    for (const Lattice &value : key.constants) h = h * 31 + hash(value);
    return h;
  }
};

struct CodeInstanceTable::State {
  State(CompilerWorld &w, size_t b) : world(w), budget(b) {}
  CompilerWorld &world;
  const size_t budget;
  InferenceCounters counters;
  std::atomic<uint64_t> clock{0}; ///< source of CodeInstance::used
  struct FactsTable {
    InferenceFacts facts;
    mutable std::shared_mutex mutex; ///< protects `instances`
    std::unordered_map<InstanceKey, std::vector<std::shared_ptr<CodeInstance>>, InstanceKeyHash> instances;
  };
  std::function<WorldAge()> oldest_needed; ///< see set_oldest_needed
  std::mutex tables_mutex;
  std::vector<std::unique_ptr<FactsTable>> tables;
  FactsTable &table(const InferenceFacts &facts);

  // ---- threads that use the table (sweep.cpp)
  struct User {
    std::thread::id thread;
    size_t count = 0;
    bool is_paused = false; ///< waits for a device
  };
  std::mutex users_mutex;
  std::condition_variable unused;
  std::vector<User> users;
  void set_paused(bool paused); ///< does nothing if this thread does not use the table
  /// True if a thread that is not paused uses the table; the caller holds `users_mutex`.
  bool is_in_use() const;
  bool wants_sweep() const;
  bool must_sweep() const; ///< true if a new user must wait until a sweep was done
  void sweep();            ///< no thread may be using the table
};

/// Returns the hint for an atomic operation on a pointer to Complex: what to use in its place. Empty for
/// pointers to other types.
std::string cure_of_atomic(TypeContext &types, TypeRef pointer);

class Inference {
public:
  Inference(CodeInstanceTable::State &state, CodeInstanceTable::State::FactsTable &table, WorldAge world);
  ~Inference();
  Result<const CodeInstance *> infer(const MethodInstance &source);
  /// Returns the finished instance for the key that is valid in this world; null: none.
  std::shared_ptr<CodeInstance> find(const InstanceKey &key);

  // ---- for builtins' rules (builtins.cpp)
  struct Call {
    std::vector<ArgRef> refs;    ///< callee first
    std::vector<Lattice> values; ///< likewise
    uint8_t flags = 0;
    Span at;
  };
  struct Frame;
  TypeContext &types() { return types_; }
  CompilerWorld &world() { return world_; }
  const InferenceFacts &facts() const { return table_.facts; }
  /// True for plain functions of a session that runs programs: they may refer to values of the interpreter.
  bool is_host_code() const {
    const Symbol overlay = world_.host_overlay();
    return overlay && table_.facts.overlay == overlay;
  }
  WorldAge age() const { return age_; }

  /// Infers a call and returns the facts about its result. Sets `info` to the resolution of the call.
  Lattice call(Frame &frame, Call call, CallInfo &info);
  Lattice call_intrinsic(Frame &frame, Intrinsic intrinsic, Call call, CallInfo &info);
  Lattice construct(Frame &frame, Lattice type, Call call, CallInfo &info);
  Lattice apply_splat(Frame &frame, Call call, CallInfo &info);
  Lattice defer(Frame &frame, Call call, CallInfo &info);
  Lattice defer_in(Frame &frame, Call call, CallInfo &info);
  Lattice invoke_signature(Frame &frame, Call call, CallInfo &info);
  Lattice fault(Frame &frame, CallInfo &info, InferenceFault fault);
  std::optional<Lattice> asserted_type(const Call &call) const;
  std::optional<Lattice> declared_result(Frame &frame, std::span<const TypeRef> arguments);
  /// Returns the result type of a call with these dispatch types, the function's type first. Bottom: no
  /// method matches.
  Lattice result_of(Frame &frame, TypeRef arguments);

private:
  struct Target {
    const CodeInstance *code = nullptr;
    Lattice result;
  };
  Lattice call_methods(Frame &frame, const Call &call, CallInfo &info, const MethodMatch *chosen);
  Lattice call_case(Frame &frame, const Call &call, std::span<const TypeRef> arguments, CallInfo &info,
                    CallCase &out, const MethodMatch *chosen);
  /// Records that the code of `frame` depends on the method chosen for these argument types.
  void add_call_edge(Frame &frame, TypeRef arguments, const Method *chosen, bool asks_only = false) {
    add_call_edge(frame, arguments, chosen, asks_only, table_.facts.overlay);
  }
  void add_call_edge(Frame &frame, TypeRef arguments, const Method *chosen, bool asks_only, Symbol overlay);
  bool deferred_types(Frame &frame, const Call &call, size_t first, std::string_view name, CallInfo &info,
                      std::vector<TypeRef> &out, Lattice &fault);
  InferenceFault method_error(TypeRef arguments, const MethodMatch &match);
  Result<Target> enter(Frame *caller, const MethodInstance &instance, std::vector<Lattice> constants);
  Result<void> run(Frame &frame);
  Result<void> run_passes(Frame &frame);
  bool run_block(Frame &frame, uint32_t block);
  const Method &innermost_of_user(const MethodInstance &instance) const;
  Error type_too_large(Frame &frame, const Stmt &stmt, TypeRef type);
  Lattice evaluate(Frame &frame, uint32_t index);
  Lattice evaluate_phi(Frame &frame, uint32_t index);
  Lattice evaluate_pi(Frame &frame, const Stmt &stmt);
  std::optional<bool> is_bound(const Frame &frame, const Stmt &call) const;
  Lattice refine(Frame &frame, const Lattice &value, Operand subject, Operand condition, bool when);
  Lattice operand(Frame &frame, Operand operand, CallInfo &info);
  void check_captures(Frame &frame); ///< reports closures that a later assignment makes stale
  // ---- types of variables by a language's join rule (joins.cpp)
  Lattice moved_to(Frame &frame, uint32_t phi);
  Lattice join_by_rule(Frame &frame, uint32_t phi, const Lattice &a, const Lattice &b);
  TypeRef apply_rule(Frame &frame, uint32_t phi, TypeRef a, TypeRef b);
  void check_moved(Frame &frame, uint32_t phi, const Lattice &value);
  void forget_run(Frame &frame);
  void convert_joined(Frame &frame);
  /// Appends a diagnostic to `wrong` for each type that differs from its declaration (declared.cpp).
  void check_declarations(const CodeInstance &code, std::vector<Diagnostic> &wrong);
  bool wants_constants(const MethodInstance &instance, const std::vector<Lattice> &arguments,
                       const Lattice *generic);
  std::vector<Lattice> slot_arguments(const Method &method, std::span<const Lattice> arguments);
  void finish(Frame &frame);
  std::shared_ptr<CodeInstance> find_locked(const InstanceKey &key);
  using Group = std::vector<std::pair<InstanceKey, std::shared_ptr<CodeInstance>>>;
  const CodeInstance *publish(Group group);

  CodeInstanceTable::State &state_;
  CodeInstanceTable::State::FactsTable &table_;
  CompilerWorld &world_;
  TypeContext &types_;
  WorldAge age_;
  size_t entered_ = 0;   ///< instances inferred by this request
  size_t evaluated_ = 0; ///< evaluated statements, with repetitions
  std::vector<std::unique_ptr<Frame>> stack_;
  // Finished instances that used the estimate of an unfinished cycle's head, with the head's depth. They are
  // discarded when the head is inferred again.
  std::unordered_map<InstanceKey, std::pair<std::shared_ptr<CodeInstance>, size_t>, InstanceKeyHash>
      provisional_;
  // Discarded code instances. They are kept alive, since frames that run again may still refer to them.
  std::vector<std::shared_ptr<CodeInstance>> discarded_;
};

/// Up to this length, searching a list is faster than searching a set.
inline constexpr size_t max_list_search = 32;

struct Inference::Frame {
  InstanceKey key;
  std::shared_ptr<CodeInstance> code;
  size_t depth = 0;     ///< index in the stack
  size_t lowest = 0;    ///< depth of the lowest frame on the stack whose estimate this frame used
  bool is_head = false; ///< true if a callee used this frame's estimate
  Lattice estimate;     ///< result of this frame that callees use until it is finished
  struct EdgeHash {
    size_t operator()(const std::pair<TypeRef, bool> &edge) const {
      return std::hash<const void *>()(edge.first) * 2 + edge.second;
    }
  };
  bool met_poison = false; ///< a branch takes no edge yet, since its condition is poison
  /// Set when passes change nothing more: branches on poison now take both edges.
  bool follows_poison = false;
  uint32_t epoch = 0;
  std::vector<uint32_t> changed, evaluated; ///< epochs per statement
  std::unordered_map<uint64_t, uint32_t> fault_index;
  std::optional<Error> error;

  /// Set if a join rule gave a variable a type that does not include its old type. Results from the old type
  /// are invalid, so that the passes start again with the new type.
  bool moved = false;
  struct Move {
    TypeRef type = nullptr;
    uint32_t count = 0;
  };
  std::unordered_map<uint32_t, Move> moves; ///< by phi
  /// Instances that were provisional before this frame began. Set only in code with a join rule.
  std::optional<std::vector<const CodeInstance *>> known_before;
  // Sets of the elements in the code's lists of callees and edges. Filled once the lists are long.
  std::unordered_set<const CodeInstance *> callees;
  std::unordered_set<std::pair<TypeRef, bool>, EdgeHash> call_edges; ///< arguments and asks_only

  void add_callee(const CodeInstance *callee);
};

/// Makes the fault for a compiled closure over a reassigned variable. `what` names the closure in the
/// message.
InferenceFault capture_fault(Symbol variable, std::string_view what);

/// Returns the result type of a builtin if known types and constants suffice. Null type: they do not.
Lattice builtin_on_types(TypeContext &types, Intrinsic intrinsic, std::span<const Lattice> args);

} // namespace kiln
