// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emitter of one module. Internal to the component: the files named below define its member functions.
#pragma once

#include "debug.h"
#include "emit.h"
#include "value.h"
#include "variables.h"

#include <abi/abi.h>
#include <deque>
#include <map>
#include <set>

namespace kiln {

/// A code instance while it is emitted: as a function (`caller` is null), or inlined at a call.
struct Frame {
  const CodeInstance &code;
  Frame *caller = nullptr;
  Span call_at; ///< the call in the caller
  uint32_t depth = 0;
  bool check_bounds = true; ///< result of Op::BoundsCheck
  /// A function with @propagate_inbounds was called in @inbounds: its calls are unchecked, too.
  bool passes_inbounds = false;
  llvm::ArrayRef<EmittedValue> args;
  llvm::MutableArrayRef<EmittedValue> values; ///< one per statement
  Span at;                                    ///< of the current statement
  llvm::DISubprogram *scope = nullptr;        ///< created on first use
  llvm::DILocation *inlined_at = nullptr;

  struct Edge {
    uint32_t pred; ///< predecessor block in the SSA form; ~0: the function's entry
    llvm::BasicBlock *from;
  };
  struct Block {
    llvm::BasicBlock *entry = nullptr;
    bool emitted = false;
    llvm::SmallVector<Edge, 2> in; ///< emitted edges
  };
  struct PendingPhi {
    uint32_t stmt, block;
  };
  struct Variable { ///< debug information of a source variable
    llvm::DILocalVariable *variable = nullptr;
    llvm::Value *memory = nullptr; ///< stack slot of the variable; null: dbg_value records describe it
  };
  std::map<std::pair<uint32_t, const Shape *>, Variable> variables; ///< by slot and shape; never iterated
  struct Exit {
    llvm::BasicBlock *block;
    EmittedValue value;
  };
  std::vector<Block> blocks;
  llvm::SmallVector<PendingPhi, 4> phis;
  std::set<uint32_t> placed;          ///< phis with objects: see loop_carried.cpp
  llvm::SmallVector<Exit, 2> returns; ///< if inlined: blocks that end at a return, to be joined in the caller
};

/// An intrinsic with evaluated arguments.
struct IntrinsicCall {
  Frame &frame;
  Intrinsic id;
  std::span<const ArgRef> refs;
  llvm::ArrayRef<EmittedValue> args;
  TypeRef result; ///< inferred type
};

class Emitter {
public:
  Emitter(TypeContext &types, const SourceMap &sources, const CompilerJob &job, const Target &target,
          llvm::LLVMContext &context);
  Result<EmittedModule> run(const CodeInstance &code);
  Result<EmittedModule> run_nested(const CodeInstance &code, const std::string &symbol);

private:
  using Exits = llvm::SmallVectorImpl<Frame::Exit>;
  using Values = llvm::ArrayRef<EmittedValue>;
  using Kind = Shape::Kind;

  EmittedModule emit_queue(EmittedModule result); ///< emits the queued functions, which completes the module

  // ---- entry.cpp
  Result<void> check_entry(const CodeInstance &code);
  llvm::Function *emit_entry(const CodeInstance &code, EmittedModule &into);
  llvm::Value *pack(EmittedValue value); ///< leaves -> first-class memory value
  void unpack(llvm::Value *memory, const Shape *shape, llvm::SmallVectorImpl<llvm::Value *> &leaves);

  // ---- function.cpp: one frame
  EmittedValue emit_frame(Frame &frame); ///< dead() is true afterwards if the code never returns
  void emit_block(Frame &frame, uint32_t block);
  void emit_phi(Frame &frame, uint32_t block, uint32_t stmt, bool single);
  void fill_phis(Frame &frame);
  void check_carried(Frame &frame, EmittedValue value, EmittedValue phi);

  // ---- loop_carried.cpp: mutable objects that a loop makes and passes to its next iteration
  void place_carried(Frame &frame);
  bool is_new_round_loop(Frame &frame, uint32_t stmt, uint32_t block);
  bool may_move(Frame &frame, uint32_t header, std::span<const uint32_t> moved);
  void move_objects(std::span<const std::pair<EmittedValue, llvm::Value *>> moves);

  void emit_statement(Frame &frame, uint32_t block, uint32_t stmt);
  void emit_branch(Frame &frame, uint32_t block, uint32_t stmt);
  llvm::Value *spoilt_condition(Frame &frame);
  void emit_return(Frame &frame, EmittedValue value, Span at);
  void jump(Frame &frame, uint32_t from, uint32_t to);
  llvm::BasicBlock *enter_edge(Frame &frame, uint32_t from, uint32_t to);
  /// Joins the blocks of `exits`; code emitted next follows them.
  EmittedValue merge(Exits &exits, TypeRef type);
  void start_function(llvm::Function *function, const CodeInstance &code, Frame &frame);
  void prepare(Frame &frame);

  // ---- operands.cpp
  EmittedValue operand(Frame &frame, Operand operand);
  EmittedValue argument(Frame &frame, const ArgRef &ref);
  const Value *known(Frame &frame, const ArgRef &ref); ///< constant value, or null
  /// Inferred type of a statement or an argument; null for other operands.
  const Lattice *lattice(Frame &frame, Operand operand);
  /// Type T if the argument is known to be T itself; else null.
  TypeRef known_type(Frame &frame, const ArgRef &ref);
  EmittedValue constant(Frame &frame, const Value &value, TypeRef type);
  void append_constant(Frame &frame, const Value &value, const Shape *shape,
                       llvm::SmallVectorImpl<llvm::Value *> &);
  llvm::Constant *identity(const Value &value);
  llvm::Constant *boxed(TypeRef type);         ///< pointer that stands for any value of a non-concrete type
  llvm::Constant *text(std::string_view text); ///< pointer to a private constant that ends with a zero byte

  // ---- call.cpp
  void emit_call(Frame &frame, uint32_t stmt);
  EmittedValue invoke(Frame &frame, const CallInfo &call, uint32_t stmt);
  EmittedValue split(Frame &frame, const CallInfo &call, uint32_t stmt, Values args);
  EmittedValue call_case(Frame &frame, const CallCase &way, uint32_t stmt, Values args, uint8_t flags);
  bool wants_inline(const CodeInstance &target, uint8_t flags) const;
  bool should_inline(const Frame &frame, const CodeInstance &target, uint32_t stmt, uint8_t flags);
  void warn_not_inlined(const Frame &frame, const CodeInstance &target, uint32_t stmt);
  Values bind(Frame &frame, const CodeInstance &target, Values args, bool exact);
  EmittedValue call_function(Frame &frame, const CodeInstance &target, Values args, uint32_t stmt);
  llvm::Function *function_for(const CodeInstance &target);
  void emit_function(const CodeInstance &code, llvm::Function *function);

  // ---- convert.cpp
  EmittedValue make(const Shape *shape, llvm::ArrayRef<llvm::Value *> leaves);
  EmittedValue one(TypeRef type, llvm::Value *leaf);
  EmittedValue poison(const Shape *shape);
  bool zeroes_unassigned(const Frame &frame) const;
  /// Value of a variable that is unassigned on some path.
  EmittedValue unassigned(const Frame &frame, const Shape *shape);
  EmittedValue ghost(TypeRef type) { return {shapes_.get(type), {}}; }
  EmittedValue boolean(llvm::Value *value) { return one(types_.builtins().Bool, value); }
  EmittedValue coerce(EmittedValue value, const Shape *to);
  EmittedValue coerce(EmittedValue value, TypeRef to) { return coerce(value, shapes_.get(to)); }
  EmittedValue coerce_union(EmittedValue value, const Shape *to);
  EmittedValue narrow_union(EmittedValue value, const Shape *to);
  EmittedValue choose(llvm::Value *condition, EmittedValue a, EmittedValue b); ///< both of one shape
  /// Converts a union: calls `f` with the index of each member, and selects the result of the member that the
  /// union holds. `f` returns a value of shape `to`.
  EmittedValue by_member(EmittedValue value, const Shape *to, llvm::function_ref<EmittedValue(size_t)> f);
  llvm::Value *tag_is(EmittedValue value, size_t member);

  // ---- compare.cpp; null: the generated code cannot decide it
  llvm::Value *is_instance(EmittedValue value, TypeRef type);
  llvm::Value *equal(EmittedValue a, EmittedValue b);

  // ---- intrinsics: emit_intrinsic (intrinsics.cpp) tries the functions below
  EmittedValue emit_intrinsic(Frame &frame, const CallInfo &call, uint32_t stmt);
  std::optional<EmittedValue> integer_intrinsic(IntrinsicCall &call);
  std::optional<EmittedValue> conversion_intrinsic(IntrinsicCall &call);
  std::optional<EmittedValue> float_intrinsic(IntrinsicCall &call);
  std::optional<EmittedValue> memory_intrinsic(IntrinsicCall &call);
  std::optional<EmittedValue> atomic_intrinsic(IntrinsicCall &call);
  EmittedValue inline_assembly(IntrinsicCall &call);
  std::optional<EmittedValue> builtin(IntrinsicCall &call);
  std::optional<EmittedValue> device_intrinsic(IntrinsicCall &call);
  EmittedValue foreign_call(IntrinsicCall &call);
  // ---- deferred.cpp
  llvm::Function *flat_function(const CodeInstance &code, const std::string &name,
                                llvm::GlobalValue::LinkageTypes linkage);
  EmittedValue deferred_codegen(const CodeInstance &target, TypeRef pointer);
  EmittedValue deferred_codegen_in(Frame &frame, const CallInfo &call, uint32_t stmt);
  EmittedValue pointer_call(IntrinsicCall &call);
  struct FlatCall {
    llvm::SmallVector<llvm::Type *, 8> parameters;
    llvm::SmallVector<llvm::Value *, 8> values;
    const Shape *result = nullptr; ///< null: `fault` was emitted
    EmittedValue fault;
  };
  FlatCall flatten(IntrinsicCall &call);
  EmittedValue launch_call(IntrinsicCall &call);
  EmittedValue from_parts(const Shape *result, llvm::CallInst *out);
  EmittedValue ir_call(IntrinsicCall &call, std::string_view name);
  // ---- host_calls.cpp
  EmittedValue host_call(IntrinsicCall &call, llvm::StringRef text);
  llvm::Value *host_address(llvm::StringRef symbol);
  void raise_status(Frame &frame, llvm::Value *status, llvm::ArrayRef<llvm::StringRef> exceptions);
  void registers(const Shape *shape, llvm::SmallVectorImpl<llvm::Type *> &into);
  llvm::Type *register_type(const Shape *shape);
  llvm::Value *to_register(EmittedValue value);
  EmittedValue from_registers(llvm::Value *result, const Shape *shape);
  llvm::Value *as_integer(llvm::Value *value);
  llvm::Value *shift(Intrinsic id, llvm::Value *x, llvm::Value *count);
  llvm::Value *minimum(llvm::Value *x, llvm::Value *y, bool maximum);
  llvm::Value *relax(llvm::Value *value, bool fast);
  EmittedValue bad(IntrinsicCall &call, const std::string &message); ///< emits a fault: invalid arguments

  // ---- fields.cpp
  EmittedValue construct(Frame &frame, TypeRef type, Values fields);
  EmittedValue get_field(IntrinsicCall &call);
  EmittedValue field(EmittedValue object, size_t index);
  EmittedValue field_at(EmittedValue object, llvm::Value *index, const Shape *to);
  EmittedValue set_field(IntrinsicCall &call);
  EmittedValue object_pointer(IntrinsicCall &call);
  EmittedValue host_variable(Frame &frame, Operand operand);
  void note_value(int64_t index, EmittedValue value, TypeRef type);
  void note_parts(IntrinsicCall &call);
  llvm::Value *same_reference(llvm::Value *a, llvm::Value *b);
  /// True for plain functions of a program: see CodeInstance::is_host_code.
  bool is_host_code() const { return is_host_code_ && capabilities_.runs_on_host && !job_.config.kernel; }
  EmittedValue with_field(IntrinsicCall &call);
  std::optional<size_t> field_number(IntrinsicCall &call, EmittedValue object, const ArgRef &name,
                                     bool &out_of_range);
  void check_index(Frame &frame, llvm::Value *index, size_t count);

  // ---- memory.cpp
  EmittedValue load(const Shape *shape, llvm::Value *pointer, uint64_t align, bool invariant);
  void store(EmittedValue value, llvm::Value *pointer, uint64_t align);
  llvm::Value *stack_slot(llvm::Type *type, uint64_t align); ///< generic pointer
  llvm::Value *object_leaf(const Shape *shape, llvm::Value *object, size_t leaf);

  // ---- exceptions.cpp
  void fault(Frame &frame, const InferenceFault &fault);
  void fault(Frame &frame, ErrorCode code, std::string_view message, std::string_view hint = {});
  void throw_exception(Frame &frame, std::string_view type, std::string_view message = {});
  void throw_unless(Frame &frame, llvm::Value *condition, std::string_view type,
                    std::string_view message = {});
  EmittedValue throw_value(IntrinsicCall &call);
  void throw_call(Frame &frame, abi::ExceptionKind kind, std::string_view name);
  std::string location_text(Frame &frame);

  // ---- debug.cpp
  void set_location(Frame &frame, Span at);
  llvm::DILocation *location(Frame &frame, Span at, bool is_call = false);
  void describe_arguments(Frame &frame);
  /// Describes phis that merge the values of a source variable.
  void describe_phis(Frame &frame, uint32_t block);
  const Variables &variables(Frame &frame);
  void describe_assignments(Frame &frame, uint32_t stmt); ///< assignments right before it
  void describe(Frame &frame, uint32_t slot, const EmittedValue &value, Span at);

  bool dead() const { return !b_.GetInsertBlock(); }
  void end_block() {
    b_.CreateUnreachable();
    b_.ClearInsertionPoint();
  }
  llvm::BasicBlock *new_block() { return llvm::BasicBlock::Create(context_); }
  void begin_block(llvm::BasicBlock *block) {
    function_->insert(function_->end(), block);
    b_.SetInsertPoint(block);
  }
  llvm::FunctionCallee declare(std::string_view name, llvm::FunctionType *type);

  TypeContext &types_;
  const SourceMap &sources_;
  const CompilerJob &job_;
  const TargetCapabilities capabilities_;
  bool is_host_code_ = false;
  llvm::LLVMContext &context_;
  std::unique_ptr<llvm::Module> module_;
  llvm::IRBuilder<> b_;
  llvm::BumpPtrAllocator arena_;
  Shapes shapes_;
  DebugInfo debug_;
  llvm::Function *function_ = nullptr;          ///< current function
  const CodeInstance *function_code_ = nullptr; ///< its code
  uint64_t statements_ = 0;                     ///< its size with inlined code
  uint64_t own_statements_ = 0;                 ///< its size without
  const Shape *return_shape_ = nullptr;         ///< its result
  bool has_addresses_ = false;                  ///< true once the module contains an address of this process
  bool entry_returns_ = false; ///< emitting a plain function's entry, which returns memory form
  llvm::DenseMap<const CodeInstance *, llvm::Function *> functions_; // looked up only
  std::deque<std::pair<const CodeInstance *, llvm::Function *>> queue_;
  std::map<const CodeInstance *, llvm::Function *> deferred_; ///< never iterated
  std::map<std::pair<const CodeInstance *, std::string>, llvm::Function *>
      nested_; ///< functions of nested jobs, by code and config; never iterated
  std::vector<NestedCall> nested_calls_;
  llvm::StringMap<llvm::Constant *> texts_;
  struct ValueHash {
    size_t operator()(const Value &v) const { return v.hash(); }
  };
  std::unordered_map<Value, llvm::Constant *, ValueHash> identities_; // looked up only
  llvm::DenseMap<llvm::Value *, const Value *> identity_of_;
  llvm::DenseMap<TypeRef, llvm::GlobalVariable *> boxed_; // looked up only
  std::deque<Value> kept_; ///< constants made during emission; operands point to them
  std::vector<Diagnostic> warnings_;
  std::map<const SsaCode *, Variables> variables_; ///< made at debug level 2 only; never iterated
  uint32_t function_count_ = 0, text_count_ = 0, shared_count_ = 0;
};

} // namespace kiln
