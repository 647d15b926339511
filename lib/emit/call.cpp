// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of methods: inlined, or as separate functions; union splits.
#include "emitter.h"

#include <job/job.h>
#include <llvm_support/llvm_support.h>

#include <fmt/format.h>

namespace kiln {

namespace {
// Maximum statements of a callee that is inlined, with those inlined into it.
constexpr uint32_t InlineCost = 150;
constexpr uint32_t InlineThrowCost = 40; // maximum number of statements of an inlined callee that only throws
constexpr uint32_t InlineDepth = 64;
/// Maximum statements of one function with inlined code: this number, and more per statement of its own. The
/// limit stops @inline functions that double in size at each level. Straight-line code becomes about 50
/// statements per statement of its own (an indexed load or store), so that code without such functions never
/// reaches the limit.
constexpr uint64_t InlineStatements = 300'000, InlineStatementsPerOwn = 200;

MethodHints hints_of(const CodeInstance &code) {
  MethodHints hints = code.code->hints;
  if (code.instance && code.instance->method) {
    const MethodHints &method = code.instance->method->hints;
    hints.inline_ |= method.inline_;
    hints.noinline |= method.noinline;
    hints.propagate_inbounds |= method.propagate_inbounds;
  }
  return hints;
}

} // namespace

void Emitter::emit_call(Frame &frame, uint32_t stmt) {
  const CallInfo &call = frame.code.calls[stmt];
  const Lattice &result = frame.code.types[stmt];
  EmittedValue value;
  switch (call.kind) {
  case CallInfo::Kind::None: return end_block(); // unreachable for inference
  case CallInfo::Kind::Constant: return;
  case CallInfo::Kind::Fault: return; // emit_statement has handled it
  case CallInfo::Kind::Intrinsic:
    if (result.constant && info(call.intrinsic).effects == effects::Pure) return;
    value = emit_intrinsic(frame, call, stmt);
    break;
  case CallInfo::Kind::Invoke: value = invoke(frame, call, stmt); break;
  case CallInfo::Kind::New: {
    llvm::SmallVector<EmittedValue, 6> fields;
    for (const ArgRef &arg : call.args) {
      fields.push_back(argument(frame, arg));
      if (!fields.back()) return end_block();
    }
    set_location(frame, frame.code.ssa->stmts[stmt].at);
    value = construct(frame, result.type, fields);
    break;
  }
  }
  if (dead()) return;
  if (!value) return end_block();
  if (!result.type || result.is_bottom()) return; // the caller ends the block
  const Shape *shape = shapes_.get(result.type);
  frame.values[stmt] = shape->kind == Kind::Opaque ? value : coerce(value, shape);
}

EmittedValue Emitter::invoke(Frame &frame, const CallInfo &call, uint32_t stmt) {
  llvm::SmallVector<EmittedValue, 8> args;
  for (const ArgRef &ref : call.args) {
    args.push_back(argument(frame, ref));
    if (!args.back()) return {};
  }
  if (call.cases.size() == 1) return call_case(frame, call.cases[0], stmt, args, call.flags);
  return split(frame, call, stmt, args);
}

/// Emits a call with several possible methods: tests the argument types of each case in order. The last case
/// needs no test, since the cases cover all types that inference found.
EmittedValue Emitter::split(Frame &frame, const CallInfo &call, uint32_t stmt, Values args) {
  set_location(frame, frame.code.ssa->stmts[stmt].at);
  llvm::SmallVector<Frame::Exit, 4> exits;
  for (size_t c = 0; c < call.cases.size() && !dead(); ++c) {
    const CallCase &way = call.cases[c];
    auto elements = way.arguments->as<DataType>()->params();
    llvm::Value *taken = b_.getTrue();
    llvm::SmallVector<EmittedValue, 8> narrowed(args.begin(), args.end());
    for (size_t i = 0; i < args.size() && i < elements.size(); ++i) {
      llvm::Value *fits = is_instance(args[i], elements[i]);
      if (!fits) {
        fault(frame, ErrorCode::Unsupported, "dynamic dispatch on a value of type " + spell(args[i].type()),
              "write code whose values have concrete types: --emit typed shows them");
        end_block();
        return merge(exits, frame.code.types[stmt].type);
      }
      taken = b_.CreateAnd(taken, fits);
      if (args[i].is(Kind::Union)) narrowed[i] = coerce(args[i], elements[i]);
    }
    auto *certain = llvm::dyn_cast<llvm::ConstantInt>(taken);
    if (certain && certain->isZero()) continue;
    llvm::BasicBlock *otherwise = nullptr;
    if (!certain && c + 1 < call.cases.size()) {
      auto *here = new_block();
      otherwise = new_block();
      b_.CreateCondBr(taken, here, otherwise);
      begin_block(here);
    }
    EmittedValue value = call_case(frame, way, stmt, narrowed, call.flags);
    if (!dead()) {
      if (value)
        exits.push_back({b_.GetInsertBlock(), value});
      else
        end_block();
    }
    b_.ClearInsertionPoint();
    if (otherwise) begin_block(otherwise);
  }
  if (!dead()) end_block();
  set_location(frame, frame.code.ssa->stmts[stmt].at);
  return merge(exits, frame.code.types[stmt].type);
}

EmittedValue Emitter::call_case(Frame &frame, const CallCase &way, uint32_t stmt, Values args,
                                uint8_t flags) {
  if (!way.target) {
    set_location(frame, frame.code.ssa->stmts[stmt].at);
    fault(frame, frame.code.faults[way.fault]);
    TypeRef type = frame.code.types[stmt].type;
    if (type && !type->is<BottomType>()) return poison(shapes_.get(type));
    end_block();
    return {};
  }
  const CodeInstance &target = *way.target;
  if (!should_inline(frame, target, stmt, flags)) return call_function(frame, target, args, stmt);
  MethodHints hints = hints_of(target);
  Frame callee{
      .code = target, .caller = &frame, .call_at = frame.code.ssa->stmts[stmt].at, .depth = frame.depth + 1};
  // Bounds checks are off in the callee if the call is inside @inbounds, or if the caller has
  // @propagate_inbounds and was itself called inside @inbounds.
  callee.check_bounds = !(flags & flags::Inbounds) && !frame.passes_inbounds;
  callee.passes_inbounds = hints.propagate_inbounds && !callee.check_bounds;
  callee.args = bind(frame, target, args, false);
  EmittedValue value = emit_frame(callee);
  if (dead() || !value) return {};
  if (target.result.constant) return constant(frame, *target.result.constant, target.result.type);
  return value;
}

bool Emitter::wants_inline(const CodeInstance &target, uint8_t flags) const {
  if (target.is_recursive || (flags & flags::NoInline)) return false;
  if (flags & flags::Inline) return true;
  // Inline functions that only throw, so that their exceptions name the lines of the callers.
  const TypeRef result = target.result.type;
  if (result && result->is<BottomType>() && target.inline_cost <= InlineThrowCost) return true;
  MethodHints hints = hints_of(target);
  if (hints.noinline) return false;
  return hints.inline_ || job_.config.always_inline || target.inline_cost <= InlineCost;
}

bool Emitter::should_inline(const Frame &frame, const CodeInstance &target, uint32_t stmt, uint8_t flags) {
  if (!wants_inline(target, flags)) return false;
  if (frame.depth >= InlineDepth)
    return false; // emit a call: the callee starts at depth 0 again, so that one call in 64 levels remains
  if (statements_ <= InlineStatements + InlineStatementsPerOwn * own_statements_) return true;
  warn_not_inlined(frame, target, stmt);
  return false;
}

/// Warns that a call is not inlined because its function is too large. Only the first such call of a job
/// warns.
void Emitter::warn_not_inlined(const Frame &frame, const CodeInstance &target, uint32_t stmt) {
  if (!warnings_.empty()) return;
  Span at = frame.code.ssa->stmts[stmt].at;
  auto file = sources_.file(at.file);
  for (const Frame *callee = &frame; callee->caller && (!file || file->is_library());
       callee = callee->caller) {
    at = callee->call_at;
    file = sources_.file(at.file);
  }
  warnings_.push_back(Diagnostic{
      .code = ErrorCode::None,
      .message = fmt::format(
          "inlining stops: {} is called, and so is what comes behind: with all that was inlined into it, {} has {} statements already",
          frame_name(target), frame_name(*function_code_), statements_),
      .at = sources_.locate(at),
      .hint =
          "the code is right, but slower than it could be; divide the function into several, or mark what it calls most @noinline"});
}

/// Converts arguments to the parameter types of the callee. Trailing arguments of a vararg method become a
/// tuple. If `exact` is false, an argument with a more precise type than a non-concrete parameter keeps its
/// type.
Emitter::Values Emitter::bind(Frame &frame, const CodeInstance &target, Values args, bool exact) {
  size_t count = target.arguments.size();
  auto *bound = arena_.Allocate<EmittedValue>(count);
  std::uninitialized_fill_n(bound, count, EmittedValue());
  size_t plain = target.code->is_vararg ? count - 1 : count;
  for (size_t i = 0; i < plain && i < args.size(); ++i) {
    const Shape *shape = shapes_.get(target.arguments[i].type);
    bound[i] = shape->kind == Kind::Opaque && !exact ? args[i] : coerce(args[i], shape);
  }
  if (target.code->is_vararg) {
    TypeRef rest = target.arguments[count - 1].type;
    bound[count - 1] = construct(frame, rest, args.size() > plain ? args.drop_front(plain) : Values());
  }
  return {bound, count};
}

EmittedValue Emitter::call_function(Frame &frame, const CodeInstance &target, Values args, uint32_t stmt) {
  set_location(frame, frame.code.ssa->stmts[stmt].at);
  llvm::Function *function = function_for(target);
  llvm::SmallVector<llvm::Value *, 8> leaves;
  Values bound = bind(frame, target, args, true);
  for (size_t i = 0; i < bound.size(); ++i)
    if (!target.arguments[i].constant) leaves.append(bound[i].leaves.begin(), bound[i].leaves.end());
  llvm::CallInst *call = b_.CreateCall(function, leaves);
  const Lattice &result = target.result;
  if (result.is_bottom() || !result.type) {
    end_block();
    return {};
  }
  if (result.constant) return constant(frame, *result.constant, result.type);
  const Shape *shape = shapes_.get(result.type);
  if (shape->leaves.empty()) return {shape, {}};
  if (shape->leaves.size() == 1) return make(shape, call);
  llvm::SmallVector<llvm::Value *, 8> parts;
  for (unsigned i = 0; i < shape->leaves.size(); ++i) parts.push_back(b_.CreateExtractValue(call, i));
  return make(shape, parts);
}

llvm::Function *Emitter::function_for(const CodeInstance &target) {
  auto [it, fresh] = functions_.try_emplace(&target, nullptr);
  if (!fresh) return it->second;
  llvm::SmallVector<llvm::Type *, 8> parameters;
  for (const Lattice &argument : target.arguments) {
    if (argument.constant) continue;
    const Shape *shape = shapes_.get(argument.type);
    parameters.append(shape->leaves.begin(), shape->leaves.end());
  }
  bool none = target.result.constant || !target.result.type;
  const Shape *result = none ? nullptr : shapes_.get(target.result.type);
  llvm::Type *type = b_.getVoidTy();
  if (result && result->leaves.size() == 1)
    type = result->leaves[0];
  else if (result && !result->leaves.empty())
    type = llvm::StructType::get(context_, result->leaves);
  std::string name = "julia_" + safe_name(target.code->name.text()) + "_" + std::to_string(++function_count_);
  auto *function = llvm::Function::Create(llvm::FunctionType::get(type, parameters, false),
                                          llvm::GlobalValue::InternalLinkage, name, *module_);
  function->setDoesNotThrow();
  if (capabilities_.convergent_calls) function->setConvergent();
  if (hints_of(target).noinline) function->addFnAttr(llvm::Attribute::NoInline);
  if (target.result.is_bottom()) function->setDoesNotReturn();
  queue_.emplace_back(&target, function);
  return it->second = function;
}

void Emitter::emit_function(const CodeInstance &code, llvm::Function *function) {
  llvm::SmallVector<EmittedValue, 8> args;
  auto parameter = function->arg_begin();
  for (const Lattice &argument : code.arguments) {
    const Shape *shape = shapes_.get(argument.type);
    llvm::SmallVector<llvm::Value *, 8> leaves;
    if (!argument.constant)
      for (size_t i = 0; i < shape->leaves.size(); ++i) leaves.push_back(&*parameter++);
    args.push_back(argument.constant ? EmittedValue() : make(shape, leaves));
  }
  Frame frame{.code = code};
  frame.args = args;
  // The target of a function pointer returns its result even if it is a constant, since the pointer's callers
  // do not know the constant.
  const bool is_deferred = function->hasFnAttribute(DeferredAttribute);
  return_shape_ = code.result.type && (is_deferred || !code.result.constant) ? shapes_.get(code.result.type)
                                                                             : shapes_.get(types_.bottom());
  entry_returns_ = false;
  start_function(function, code, frame);
  emit_frame(frame);
}

} // namespace kiln
