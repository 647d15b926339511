// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes the kernel state as first parameter of the entry and of every function that uses it, directly or
// through a call. Replaces kiln.state and, on native, the index functions.
//   ptx     [1 x i64] by value (abi::PtxKernelState)
//   native  ptr to abi::NativeThread. A kernel and the functions inside it get the thread's index in three
//           more parameters, so that it stays in registers. The block's index and size are invariant loads.
#include "device_launches.h"
#include "rewrites.h"

#include <kiln/abi.h>
#include <llvm_support/llvm_support.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <fmt/format.h>

#include <array>
#include <set>

namespace kiln::rewrites {
namespace {

constexpr const char *GetState = "kiln.state";
constexpr std::array<const char *, 3> Axes{"x", "y", "z"};
struct IndexFunction {
  const char *name;
  size_t offset; ///< in abi::NativeThread
};
constexpr std::array<IndexFunction, 4> IndexFunctions{
    {{"kiln.thread_idx", offsetof(abi::NativeThread, thread)},
     {"kiln.block_idx", offsetof(abi::NativeThread, block)},
     {"kiln.block_dim", offsetof(abi::NativeThread, block_dim)},
     {"kiln.grid_dim", offsetof(abi::NativeThread, grid_dim)}}};

class StateRewrite {
public:
  StateRewrite(KernelStateType type, llvm::Module &module, llvm::Function *entry)
      : native_(type == KernelStateType::NativeThread), module_(module), entry_name_(entry->getName().str()),
        kernel_(entry->hasFnAttribute(KernelAttribute)) {}

  Result<void> run() {
    if (kernel_) add_user(module_.getFunction(entry_name_));
    for (llvm::Function *kernel : launched_kernels(module_)) add_user(kernel);
    KILN_CHECK(find_users(GetState));
    if (native_)
      for (const IndexFunction &index : IndexFunctions)
        for (const char *axis : Axes) KILN_CHECK(find_users(fmt::format("{}.{}", index.name, axis)));
    for (size_t i = 0; i < users_.size(); ++i) // `users_` grows
      KILN_CHECK(find_users(users_[i]));
    for (llvm::Function *user : users_) add_parameters(user);
    for (llvm::Function *user : changed_) pass_state_in(*user);
    for (llvm::Function *user : changed_) replace_getters(*user);
    drop_getters();
    return {};
  }

private:
  void add_user(llvm::Function *function) {
    if (known_.insert(function).second) users_.push_back(function);
  }
  Result<void> find_users(const std::string &name) {
    llvm::Function *callee = module_.getFunction(name);
    return callee ? find_users(callee) : Result<void>();
  }
  /// Adds the callers of `callee` to the functions that need the state.
  Result<void> find_users(llvm::Function *callee) {
    std::set<llvm::Function *> callers;
    for (llvm::Use &use : callee->uses()) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
      if ((!call || !call->isCallee(&use)) && callee->hasFnAttribute(DeferredAttribute))
        continue; // the use only compares the address; calls are direct (indirect_calls)
      if (!call || !call->isCallee(&use))
        return Error(Diagnostic{
            .code = ErrorCode::KernelError,
            .message = fmt::format("the function `{}` needs the kernel state (it may throw, or asks for "
                                   "its index), so it cannot be used as a pointer",
                                   callee->getName().str()),
            .hint = "call it directly"});
      callers.insert(call->getFunction());
    }
    for (llvm::Function &function : module_) // in module order
      if (callers.count(&function)) add_user(&function);
    return {};
  }

  bool takes_index(const llvm::Function &function) const {
    return native_ && (kernel_ || function.getName() != entry_name_);
  }

  void add_parameters(llvm::Function *function) {
    llvm::LLVMContext &context = module_.getContext();
    llvm::SmallVector<llvm::Type *, 4> types;
    llvm::SmallVector<llvm::StringRef, 4> names{"state"};
    if (!native_) {
      types.push_back(llvm::ArrayType::get(llvm::Type::getInt64Ty(context), 1));
    } else {
      types.push_back(llvm::PointerType::get(context, 0));
      if (takes_index(*function)) {
        types.append(3, llvm::Type::getInt32Ty(context));
        names.append({"thread.x", "thread.y", "thread.z"});
      }
    }
    llvm::Function *changed = prepend_parameters(*function, types, names);
    if (native_) {
      // The attributes let LLVM move loads of the block's index and size to any place in the function.
      llvm::Argument *state = changed->getArg(0);
      state->addAttr(llvm::Attribute::NonNull);
      state->addAttr(llvm::Attribute::NoUndef);
      state->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(abi::NativeThread)));
      state->addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
    }
    if (changed->hasFnAttribute(EntryAttribute)) changed->addFnAttr(StateAttribute);
    changed_.push_back(changed);
  }

  /// Rewrites the calls in `caller` to functions that now have a state parameter.
  void pass_state_in(llvm::Function &caller) {
    std::vector<llvm::CallInst *> calls;
    for (llvm::Instruction &instruction : llvm::instructions(caller))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (auto *callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()))
          if (callee->getFunctionType() != call->getFunctionType()) calls.push_back(call);
    for (llvm::CallInst *call : calls) {
      auto *callee = llvm::cast<llvm::Function>(call->getCalledOperand());
      llvm::SmallVector<llvm::Value *, 4> values{caller.getArg(0)};
      if (takes_index(*callee))
        for (unsigned axis = 0; axis < 3; ++axis) values.push_back(index(caller, 0, axis));
      prepend_arguments(*call, values);
    }
  }

  /// Returns the value of an index function in `function`: a parameter, or a load at the function's start.
  llvm::Value *index(llvm::Function &function, unsigned which, unsigned axis) {
    if (which == 0 && takes_index(function)) return function.getArg(1 + axis);
    llvm::Value *&value = loaded_[{&function, which * 3 + axis}];
    if (value) return value;
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    const IndexFunction &index = IndexFunctions[which];
    llvm::Value *address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function.getArg(0), index.offset + 4 * axis);
    auto *load = builder.CreateAlignedLoad(builder.getInt32Ty(), address, llvm::Align(4),
                                           llvm::StringRef(index.name).drop_front(5) + "." + Axes[axis]);
    if (which != 0) // invariant while the block function runs, unlike the thread's index
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module_.getContext(), {}));
    return value = load;
  }

  llvm::Value *state_pointer(llvm::Function &function) {
    if (native_) return function.getArg(0);
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    return builder.CreateIntToPtr(builder.CreateExtractValue(function.getArg(0), 0), builder.getPtrTy(),
                                  "record");
  }

  void replace_getters(llvm::Function &function) {
    llvm::Value *state = nullptr;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee) continue;
      llvm::StringRef name = callee->getName();
      llvm::Value *value = nullptr;
      if (name == GetState)
        value = state = state ? state : state_pointer(function);
      else if (native_ && name.starts_with("kiln."))
        for (unsigned which = 0; which < IndexFunctions.size(); ++which)
          for (unsigned axis = 0; axis < 3; ++axis)
            if (name == fmt::format("{}.{}", IndexFunctions[which].name, Axes[axis]))
              value = index(function, which, axis);
      if (!value) continue;
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }

  void drop_getters() {
    std::vector<std::string> names{GetState};
    for (const IndexFunction &index : IndexFunctions)
      for (const char *axis : Axes) names.push_back(fmt::format("{}.{}", index.name, axis));
    for (const std::string &name : names)
      if (llvm::Function *getter = module_.getFunction(name); getter && getter->use_empty())
        getter->eraseFromParent();
  }

  bool native_;
  llvm::Module &module_;
  std::string entry_name_;
  bool kernel_;
  std::set<llvm::Function *> known_;                                      ///< never iterated
  std::vector<llvm::Function *> users_;                                   ///< before parameters were added
  std::vector<llvm::Function *> changed_;                                 ///< after parameters were added
  std::map<std::pair<llvm::Function *, unsigned>, llvm::Value *> loaded_; ///< never iterated
};

/// Replaces the kernel state by null in jobs without a kernel state.
Result<void> drop_state(llvm::Module &module) {
  for (llvm::CallInst *call : calls_of(module, GetState)) {
    call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
  }
  if (llvm::Function *getter = module.getFunction(GetState); getter && getter->use_empty())
    getter->eraseFromParent();
  return {};
}

} // namespace

Result<void> kernel_state(const Target &target, const CompilerConfig &config, llvm::Module &module) {
  const KernelStateType type = target.capabilities(config.target).kernel_state;
  if (type == KernelStateType::None) return drop_state(module);
  KILN_TRY(llvm::Function * entry, entry_of(module));
  return StateRewrite(type, module, entry).run();
}

} // namespace kiln::rewrites
