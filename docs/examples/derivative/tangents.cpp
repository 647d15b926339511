// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tangents.h"

#include "rules.h"

#include <kiln/extension/llvm.h>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <set>

namespace derivative {

using namespace llvm;

bool has_tangent(const Type *type) {
  if (const auto *structure = dyn_cast<StructType>(type)) return any_of(structure->elements(), has_tangent);
  if (const auto *array = dyn_cast<ArrayType>(type)) return has_tangent(array->getElementType());
  return type->isFPOrFPVectorTy() || type->isPointerTy() || (type->isIntegerTy() && !type->isIntegerTy(1));
}

namespace {

bool holds_number(const Type *type) {
  return type->isFPOrFPVectorTy() || any_of(type->subtypes(), holds_number);
}

/// Computes tangents of a function's values, and appends them to a copy of it.
class Body {
public:
  Body(Tangents &all, Function &function) : all_(all), function_(function) {}

  void add_parameter(Argument &own, Argument &tangent) {
    active_.insert(&own);
    tangents_[&own] = &tangent;
  }

  /// Returns of the copy become pairs of type `result`, unless that is null.
  void run(StructType *result) {
    std::vector<Instruction *> order;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
      for (Instruction &each : *block) order.push_back(&each);
    while (find_active(order)) {
    }
    for (Instruction *each : order) statement(*each);
    for (size_t i = 0; i < phis_.size(); i++) { // the loop body adds entries
      auto [phi, tangent] = phis_[i];
      for (unsigned k = 0; k < phi->getNumIncomingValues(); k++)
        tangent->addIncoming(value_of(phi->getIncomingValue(k), *phi), phi->getIncomingBlock(k));
    }
    for (Instruction *each : order)
      if (auto *back = dyn_cast<ReturnInst>(each); back && result) {
        IRBuilder<> at(back);
        Value *pair = at.CreateInsertValue(PoisonValue::get(result), back->getReturnValue(), 0);
        back->setOperand(0, at.CreateInsertValue(pair, value_of(back->getReturnValue(), *back), 1));
      }
    for (Instruction *each : replaced_) each->eraseFromParent();
  }

private:
  bool is_active(const Value *value) const { return active_.contains(value); }

  /// Marks values that depend on x. Returns true if it found more.
  bool find_active(const std::vector<Instruction *> &order) {
    const size_t before = active_.size();
    for (Instruction *each : order)
      if (has_tangent(each->getType()) && depends(*each)) active_.insert(each);
    return active_.size() > before;
  }
  bool depends(const Instruction &at) const {
    if (isa<AllocaInst>(at)) return true;
    if (isa<LoadInst, GetElementPtrInst>(at)) return is_active(at.getOperand(0));
    if (isa<FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst, CmpInst>(at)) return false; // piecewise constant
    if (const auto *select = dyn_cast<SelectInst>(&at))
      return is_active(select->getTrueValue()) || is_active(select->getFalseValue());
    return any_of(at.operands(), [&](const Use &use) { return is_active(use.get()); });
  }

  /// The tangent of a value. Null: it has none although `user` needs one.
  Value *tangent_of(Value *value) {
    if (!is_active(value)) return value->getType()->isPointerTy() ? nullptr : zero(value);
    if (auto known = tangents_.find(value); known != tangents_.end()) return known->second;
    Value *made = make(*cast<Instruction>(value));
    return tangents_[value] = made;
  }
  /// The tangent of a value. Without one, reports a fault at `user` and returns an arbitrary value.
  Value *value_of(Value *value, const Instruction &user) {
    if (Value *tangent = tangent_of(value)) return tangent;
    if (value->getType()->isPointerTy())
      all_.fault(user, "no derivative through memory that the function did not make itself",
                 "return the value instead of storing it");
    else
      no_bits(*cast<Instruction>(value));
    return zero(value);
  }
  void no_bits(const Instruction &at) {
    all_.fault(at, "no derivative of `" + std::string(at.getOpcodeName()) + "` on the bits of a number",
               "write it as arithmetic");
  }
  static Constant *zero(Value *value) { return Constant::getNullValue(value->getType()); }

  /// Handles a statement in order: stores, calls, and tangents of floating-point values. Tangents of integers
  /// are made on demand, since most integers are not the bits of a float.
  void statement(Instruction &at) {
    if (auto *call = dyn_cast<CallInst>(&at)) return this->call(*call);
    if (auto *store = dyn_cast<StoreInst>(&at)) {
      if (!is_active(store->getPointerOperand()) && !is_active(store->getValueOperand())) return;
      clone(at);
    } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(at)) {
      if (any_of(at.operands(), [&](Use &use) { return is_active(use); }))
        unsupported(at, at.getOpcodeName());
    } else if (is_active(&at) && !at.getType()->isIntegerTy()) {
      (void)value_of(&at, at);
    }
  }
  void unsupported(const Instruction &at, const std::string &what) {
    all_.fault(at, "no derivative of `" + what + "`",
               "compute it without the argument, or write it as arithmetic");
  }

  /// For linear instructions: the same instruction on tangents.
  Instruction *clone(Instruction &at) {
    Instruction *copy = at.clone();
    for (Use &use : copy->operands())
      if (has_tangent(use->getType()) && !isa<BasicBlock>(use) && !is_index(at, use.getOperandNo()))
        use.set(value_of(use.get(), at));
    copy->insertAfter(&at);
    return copy;
  }
  static bool is_index(const Instruction &at, unsigned operand) {
    if (isa<AllocaInst>(at)) return true;
    return operand > 0 && isa<GetElementPtrInst, ExtractElementInst>(at);
  }

  Value *make(Instruction &at) {
    if (auto *phi = dyn_cast<PHINode>(&at)) {
      auto *tangent = PHINode::Create(phi->getType(), phi->getNumIncomingValues(), "", phi->getIterator());
      phis_.push_back({phi, tangent});
      return tangent;
    }
    IRBuilder<> b(at.getNextNode());
    b.SetCurrentDebugLocation(at.getDebugLoc());
    if (isa<FPMathOperator>(at)) b.setFastMathFlags(at.getFastMathFlags());
    auto x = [&](unsigned i) { return at.getOperand(i); };
    auto dx = [&](unsigned i) { return is_active(x(i)) ? value_of(x(i), at) : nullptr; };
    auto sum = [&](Value *p, Value *q) { return p && q ? b.CreateFAdd(p, q) : p ? p : q; };
    auto times = [&](Value *p, Value *q) { return p ? b.CreateFMul(p, q) : nullptr; };
    switch (at.getOpcode()) {
    case Instruction::FAdd: return sum(dx(0), dx(1));
    case Instruction::FSub:
      if (!dx(0)) return b.CreateFNeg(dx(1));
      return dx(1) ? b.CreateFSub(dx(0), dx(1)) : dx(0);
    case Instruction::FMul: return sum(times(dx(0), x(1)), times(dx(1), x(0)));
    case Instruction::FDiv: { // (dx - q dy) / y
      Value *part = times(dx(1), &at);
      if (!part) return b.CreateFDiv(dx(0), x(1));
      return b.CreateFDiv(dx(0) ? b.CreateFSub(dx(0), part) : b.CreateFNeg(part), x(1));
    }
    case Instruction::FRem: { // x - trunc(x / y) y
      if (!dx(1)) return dx(0);
      Value *whole = b.CreateUnaryIntrinsic(Intrinsic::trunc, b.CreateFDiv(x(0), x(1)));
      Value *part = b.CreateFNeg(b.CreateFMul(whole, dx(1)));
      return sum(dx(0), part);
    }
    case Instruction::And: // LLVM joins equal results of max and min this way, for the signs of zeros
    case Instruction::Or: return is_active(x(0)) ? tangent_of(x(0)) : tangent_of(x(1));
    case Instruction::FNeg:
    case Instruction::FPExt:
    case Instruction::FPTrunc:
    case Instruction::BitCast:
    case Instruction::AddrSpaceCast:
    case Instruction::Select:
    case Instruction::Freeze:
    case Instruction::ExtractValue:
    case Instruction::InsertValue:
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
    case Instruction::Alloca:
    case Instruction::Load:
    case Instruction::GetElementPtr: return clone(at);
    default: return nullptr;
    }
  }

  void call(CallInst &at) {
    Function *callee = at.getCalledFunction();
    const bool any = any_of(at.args(), [&](Use &use) { return is_active(use); });
    if (!any || at.doesNotReturn()) return;
    if (auto *memory = dyn_cast<MemIntrinsic>(&at)) return copy_memory(*memory);
    if (isa<IntrinsicInst>(at) && at.isLifetimeStartOrEnd()) return (void)clone(at);
    if (!callee) return unsupported(at, "a call through a pointer");
    if (has_rule(*callee)) {
      IRBuilder<> b(at.getNextNode());
      b.SetCurrentDebugLocation(at.getDebugLoc());
      if (isa<FPMathOperator>(at)) b.setFastMathFlags(at.getFastMathFlags());
      std::vector<Value *> tangents;
      for (Use &use : at.args()) tangents.push_back(is_active(use) ? value_of(use, at) : nullptr);
      Value *tangent = math_tangent(b, at, tangents);
      tangents_[&at] = tangent ? tangent : zero(&at);
    } else if (callee->isDeclaration() && callee->doesNotAccessMemory() && !holds_number(at.getType())) {
      // piecewise constant: llvm.is.fpclass, llvm.lround, functions of integers
    } else if (callee->isDeclaration()) {
      unsupported(at, math_name(*callee));
      tangents_[&at] = at.getType()->isVoidTy() ? nullptr : zero(&at);
    } else {
      call_function(at, *callee);
    }
  }

  /// A call of a function in the module: calls its version with tangents.
  void call_function(CallInst &at, Function &callee) {
    std::vector<bool> active;
    std::vector<Value *> arguments(at.args().begin(), at.args().end());
    for (Use &use : at.args()) {
      active.push_back(is_active(use));
      if (active.back()) arguments.push_back(value_of(use, at));
    }
    IRBuilder<> b(&at);
    b.SetCurrentDebugLocation(at.getDebugLoc());
    CallInst *both = b.CreateCall(all_.of(callee, active), arguments);
    if (has_tangent(at.getType())) {
      Value *result = b.CreateExtractValue(both, 0);
      active_.insert(result); // it replaces `at`
      tangents_[result] = b.CreateExtractValue(both, 1);
      at.replaceAllUsesWith(result);
    } else if (!at.getType()->isVoidTy()) {
      at.replaceAllUsesWith(both);
    }
    replaced_.push_back(&at);
  }

  void copy_memory(MemIntrinsic &at) {
    IRBuilder<> b(at.getNextNode());
    Value *to = value_of(at.getRawDest(), at);
    auto *transfer = dyn_cast<MemTransferInst>(&at);
    if (transfer && is_active(transfer->getRawSource()))
      clone(at);
    else
      b.CreateMemSet(to, b.getInt8(0), at.getLength(), at.getDestAlign());
  }

  Tangents &all_;
  Function &function_;
  std::set<const Value *> active_;
  std::map<const Value *, Value *> tangents_;
  std::vector<std::pair<PHINode *, PHINode *>> phis_; ///< each with its tangent
  std::vector<Instruction *> replaced_;
};

} // namespace

Function *Tangents::of(Function &f, const std::vector<bool> &active) {
  Function *&made = made_[{&f, active}];
  if (made) return made;
  std::vector<Type *> parameters(f.getFunctionType()->params());
  for (unsigned i = 0; i < active.size(); i++)
    if (active[i]) parameters.push_back(f.getArg(i)->getType());
  Type *own = f.getReturnType();
  auto *pair = has_tangent(own) ? StructType::get(own, own) : nullptr;
  auto *type = FunctionType::get(pair ? pair : own, parameters, false);
  made = Function::Create(type, Function::InternalLinkage, f.getName() + ".tangent", f.getParent());
  ValueToValueMapTy copies;
  for (Argument &argument : f.args()) copies[&argument] = made->getArg(argument.getArgNo());
  SmallVector<ReturnInst *> returns;
  CloneFunctionInto(made, &f, copies, CloneFunctionChangeType::LocalChangesOnly, returns);
  made->removeRetAttrs(AttributeFuncs::typeIncompatible(made->getReturnType(), {}));
  made->removeFnAttr(kiln::EntryAttribute);
  made->removeFnAttr(Attribute::Memory);
  Body body(*this, *made);
  for (unsigned i = 0, next = unsigned(active.size()); i < active.size(); i++)
    if (active[i]) body.add_parameter(*made->getArg(i), *made->getArg(next++));
  body.run(pair);
  return made;
}

void Tangents::fault(const Instruction &at, const std::string &message, const std::string &hint) {
  const kiln::Error error = kiln::error_at(at, kiln::ErrorCode::InvalidIRError, message, hint);
  faults.push_back(error.diagnostics().front());
}

} // namespace derivative
