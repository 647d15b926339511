// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines functions by OpenCL's built-in functions: those named kiln.*, through which Kiln's library asks for
// indices, barriers and exchanges within a warp; and those of the C mathematical library.
//
// OpenCL does not say which threads of a block form a sub-group. A kernel with warp operations is therefore
// launched with blocks of one dimension, whose sub-groups are consecutive threads on all known devices. The
// launch passes the block's real shape as its global offset.
#include "builtins.h"
#include "passes.h"

#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kiln::spirv {
namespace {

struct Definition {
  std::string_view name, text;
};

/// Scopes and semantics of barriers, from the SPIR-V specification: Workgroup 2, Subgroup 3;
/// AcquireRelease | WorkgroupMemory | CrossWorkgroupMemory = 0x308.
constexpr Definition common[] = {{"kiln.barrier", R"(
declare spir_func void @_Z22__spirv_ControlBarrierjjj(i32, i32, i32) convergent
define void @kiln.barrier() convergent {
  call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 776) convergent
  ret void
})"},
                                 {"kiln.wait.barrier", R"(
declare spir_func void @_Z22__spirv_ControlBarrierjjj(i32, i32, i32) convergent
define i64 @kiln.wait.barrier(i32 %mask, i32 %id, i64 %value) convergent {
  call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 776) convergent
  ret i64 0
})"},
                                 {"kiln.system_fence", R"(
define void @kiln.system_fence() {
  fence seq_cst
  ret void
})"},
                                 {"kiln.wait.sync", R"(
declare spir_func void @_Z22__spirv_ControlBarrierjjj(i32, i32, i32) convergent
define i64 @kiln.wait.sync(i32 %mask, i32 %lane, i64 %value) convergent {
  call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 3, i32 3, i32 776) convergent
  ret i64 0
})"},
                                 {"kiln.wait.shuffle", R"(
declare spir_func i64 @_Z17sub_group_shufflemj(i64, i32) convergent
define i64 @kiln.wait.shuffle(i32 %mask, i32 %lane, i64 %value) convergent {
  %there = call spir_func i64 @_Z17sub_group_shufflemj(i64 %value, i32 %lane) convergent
  %bit = shl i32 1, %lane
  %member = and i32 %mask, %bit
  %is_member = icmp ne i32 %member, 0
  %result = select i1 %is_member, i64 %there, i64 %value
  ret i64 %result
})"},
                                 {"kiln.wait.ballot", R"(
declare spir_func <4 x i32> @_Z16sub_group_balloti(i32) convergent
define i64 @kiln.wait.ballot(i32 %mask, i32 %lane, i64 %value) convergent {
  %is_set = icmp ne i64 %value, 0
  %word = zext i1 %is_set to i32
  %lanes = call spir_func <4 x i32> @_Z16sub_group_balloti(i32 %word) convergent
  %low = extractelement <4 x i32> %lanes, i32 0
  %members = and i32 %low, %mask
  %result = zext i32 %members to i64
  ret i64 %result
})"},
                                 {"kiln.wait.active", R"(
declare spir_func <4 x i32> @_Z16sub_group_balloti(i32) convergent
define i64 @kiln.wait.active(i32 %mask, i32 %lane, i64 %value) convergent {
  %lanes = call spir_func <4 x i32> @_Z16sub_group_balloti(i32 1) convergent
  %low = extractelement <4 x i32> %lanes, i32 0
  %result = zext i32 %low to i64
  ret i64 %result
})"},
                                 {"kiln.wait.match_any", R"(
declare spir_func i64 @_Z17sub_group_shufflemj(i64, i32) convergent
declare spir_func <4 x i32> @_Z16sub_group_balloti(i32) convergent
define i64 @kiln.wait.match_any(i32 %mask, i32 %lane, i64 %value) convergent {
entry:
  %lanes = call spir_func <4 x i32> @_Z16sub_group_balloti(i32 1) convergent
  %low = extractelement <4 x i32> %lanes, i32 0
  %members = and i32 %low, %mask
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %found = phi i32 [ 0, %entry ], [ %more, %loop ]
  %other = call spir_func i64 @_Z17sub_group_shufflemj(i64 %value, i32 %i) convergent
  %equal = icmp eq i64 %other, %value
  %bit = shl i32 1, %i
  %member = and i32 %members, %bit
  %kept = select i1 %equal, i32 %member, i32 0
  %more = or i32 %found, %kept
  %next = add i32 %i, 1
  %end = icmp eq i32 %next, 32
  br i1 %end, label %done, label %loop
done:
  %result = zext i32 %more to i64
  ret i64 %result
})"},
                                 {"kiln.wait.match_all", R"(
declare spir_func i64 @_Z17sub_group_shufflemj(i64, i32) convergent
declare spir_func <4 x i32> @_Z16sub_group_balloti(i32) convergent
declare i32 @llvm.cttz.i32(i32, i1)
define i64 @kiln.wait.match_all(i32 %mask, i32 %lane, i64 %value) convergent {
  %lanes = call spir_func <4 x i32> @_Z16sub_group_balloti(i32 1) convergent
  %low = extractelement <4 x i32> %lanes, i32 0
  %members = and i32 %low, %mask
  %first = call i32 @llvm.cttz.i32(i32 %members, i1 false)
  %lead = and i32 %first, 31
  %other = call spir_func i64 @_Z17sub_group_shufflemj(i64 %value, i32 %lead) convergent
  %differs = icmp ne i64 %other, %value
  %word = zext i1 %differs to i32
  %different = call spir_func <4 x i32> @_Z16sub_group_balloti(i32 %word) convergent
  %bits = extractelement <4 x i32> %different, i32 0
  %outside = and i32 %bits, %members
  %all = icmp eq i32 %outside, 0
  %kept = select i1 %all, i32 %members, i32 0
  %result = zext i32 %kept to i64
  ret i64 %result
})"},
                                 {"kiln.warp_size", R"(
declare spir_func i32 @_Z22get_max_sub_group_sizev() nounwind willreturn memory(none)
define i32 @kiln.warp_size() nounwind willreturn memory(none) {
  %n = call spir_func i32 @_Z22get_max_sub_group_sizev()
  ret i32 %n
})"},
                                 {"kiln.lane", R"(
declare spir_func i32 @_Z22get_sub_group_local_idv() nounwind willreturn memory(none)
define i32 @kiln.lane() nounwind willreturn memory(none) {
  %n = call spir_func i32 @_Z22get_sub_group_local_idv()
  ret i32 %n
})"},
                                 {"memcpy", R"(
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptr @memcpy(ptr %to, ptr %from, i64 %bytes) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret ptr %to
})"}};

constexpr const char *LocalId = "_Z12get_local_idj";
/// In a launch of blocks with one dimension, the global offset is the block's real shape.
constexpr const char *GlobalOffset = "_Z17get_global_offsetj";

constexpr std::array warp_functions{"kiln.wait.sync",      "kiln.wait.shuffle",   "kiln.wait.ballot",
                                    "kiln.wait.match_any", "kiln.wait.match_all", "kiln.wait.active",
                                    "kiln.lane",           "kiln.warp_size"};

void make_inline(llvm::Function &function) {
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  function.setDoesNotThrow();
}

/// Calls OpenCL's function of a dimension, such as get_local_id(0).
llvm::Value *call_position(llvm::IRBuilder<> &ir, llvm::StringRef mangled, unsigned axis) {
  llvm::CallInst *call = call_pure_builtin(ir, mangled, ir.getInt64Ty(), {ir.getInt32(axis)});
  return ir.CreateTrunc(call, ir.getInt32Ty());
}

/// The thread's index along an axis, of its index in a block of one dimension.
llvm::Value *unfold_index(llvm::IRBuilder<> &ir, unsigned axis) {
  llvm::Value *const index = call_position(ir, LocalId, 0);
  llvm::Value *const x = call_position(ir, GlobalOffset, 0);
  if (axis == 0) return ir.CreateURem(index, x);
  llvm::Value *const y = call_position(ir, GlobalOffset, 1);
  if (axis == 1) return ir.CreateURem(ir.CreateUDiv(index, x), y);
  return ir.CreateUDiv(index, ir.CreateMul(x, y));
}

/// Defines a function of a position: kiln.thread_idx.x and so on. False: it is none.
bool define_position(llvm::Function &function, bool is_linear) {
  static constexpr std::pair<const char *, const char *> builtins[] = {
      {"kiln.thread_idx.", LocalId},
      {"kiln.block_idx.", "_Z12get_group_idj"},
      {"kiln.block_dim.", "_Z14get_local_sizej"},
      {"kiln.grid_dim.", "_Z14get_num_groupsj"}};
  const llvm::StringRef name = function.getName();
  for (const auto &[prefix, builtin] : builtins) {
    if (!name.starts_with(prefix)) continue;
    const unsigned axis = unsigned(name.back() - 'x');
    const std::string_view which = prefix;
    llvm::IRBuilder<> ir(llvm::BasicBlock::Create(function.getContext(), "", &function));
    llvm::Value *const value = is_linear && which == "kiln.thread_idx." ? unfold_index(ir, axis)
                               : is_linear && which == "kiln.block_dim."
                                   ? call_position(ir, GlobalOffset, axis)
                                   : call_position(ir, builtin, axis);
    ir.CreateRet(value);
    make_inline(function);
    return true;
  }
  return false;
}

/// Defines a function of the C library by OpenCL's function. False: OpenCL has no such function.
bool define_by_builtin(llvm::Function &function, Doubles doubles) {
  llvm::StringRef name = function.getName();
  const MathFunction *known = find_math_function(name);
  const bool is_float = !known && name.consume_back("f");
  if (is_float) known = find_math_function(name);
  if (!known || function.arg_size() != known->parameters.size()) return false;
  llvm::Type *const type = function.getReturnType();
  if (is_float ? !type->isFloatTy() : !type->isDoubleTy()) return false;
  for (auto [letter, argument] : llvm::zip(known->parameters, function.args()))
    if (letter == 'i' ? !argument.getType()->isIntegerTy(32) : argument.getType() != type) return false;
  llvm::IRBuilder<> ir(llvm::BasicBlock::Create(function.getContext(), "", &function));
  llvm::SmallVector<llvm::Value *, 2> values;
  for (llvm::Argument &argument : function.args()) values.push_back(&argument);
  ir.CreateRet(call_math_function(ir, *known, values, doubles));
  make_inline(function);
  return true;
}

/// First call of a warp operation; null: the module has none.
const llvm::Instruction *first_warp_operation(const llvm::Module &module) {
  for (const char *name : warp_functions)
    if (const llvm::Function *function = module.getFunction(name))
      for (const llvm::User *user : function->users())
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) return call;
  return nullptr;
}

/// Checks that the device has what warp operations need, and makes a warp a sub-group of 32 threads.
Result<void> require_warps(const SpirvOptions &options, const Features &features, llvm::Function &entry,
                           const llvm::Instruction &at) {
  for (const Feature feature : {Feature::subgroups, Feature::shuffle, Feature::ballot})
    KILN_CHECK(require(features, feature, at));
  if (options.version < 13)
    return error_at(at, ErrorCode::NeedsArchitecture,
                    "operations of a warp need SPIR-V 1.3, and the job is for an older version",
                    "set the option spirv-version to 1.3, if the device accepts it");
  const llvm::Function *size = entry.getParent()->getFunction("kiln.warp_size");
  const bool asks_size = size && !size->use_empty();
  if (!features.has(Feature::subgroups32))
    return asks_size ? Result<void>() : require(features, Feature::subgroups32, at);
  llvm::LLVMContext &context = entry.getContext();
  auto *size_of_warp = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), WarpThreads);
  entry.setMetadata(SubGroupSize, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(size_of_warp)));
  return {};
}

} // namespace

Result<void> define_device_functions(const Target &target, const CompilerConfig &config,
                                     llvm::Module &module) {
  hide_printing(module);
  KILN_TRY(llvm::Function * entry, entry_of(module));
  const SpirvOptions &options = config.target.get<SpirvOptions>();
  KILN_TRY(const Features features, read_features(options.features));
  if (const llvm::Instruction *warps = first_warp_operation(module))
    KILN_CHECK(require_warps(options, features, *entry, *warps));
  const bool is_linear = entry->getMetadata(SubGroupSize) != nullptr; // as the runtime launches it
  const Doubles doubles = doubles_for(config, features);
  std::vector<std::string> names;
  std::string text;
  std::vector<std::string_view> declared; // lines of declarations, each once
  auto add = [&](std::string_view definition) {
    while (!definition.empty()) {
      const size_t end = std::min(definition.find('\n'), definition.size() - 1);
      const std::string_view line = definition.substr(0, end + 1);
      definition.remove_prefix(end + 1);
      if (line.starts_with("declare ")) {
        if (std::ranges::find(declared, line) != declared.end()) continue;
        declared.push_back(line);
      }
      text += line;
    }
    text += '\n';
  };
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
    const llvm::StringRef name = function.getName();
    const auto *known = std::ranges::find_if(
        common, [&](const Definition &each) { return name == llvm::StringRef(each.name); });
    if (known != std::end(common)) {
      add(known->text);
      names.push_back(name.str());
    } else if (!define_position(function, is_linear)) {
      define_by_builtin(function, doubles);
    }
  }
  if (names.empty()) return {};
  llvm::SMDiagnostic fault;
  auto functions = llvm::parseAssemblyString(text, fault, module.getContext());
  if (!functions)
    return internal_error(fmt::format("the functions of the {} target: line {}: {}", target.name(),
                                      fault.getLineNo(), fault.getMessage().str()));
  functions->setTargetTriple(module.getTargetTriple());
  functions->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(functions)))
    return internal_error(fmt::format("the functions of the {} target cannot be linked", target.name()));
  for (const std::string &name : names) make_inline(*module.getFunction(name));
  return {};
}

} // namespace kiln::spirv
