// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_ir.h"

#include <kiln/abi.h>

#include <job/job.h>
#include <llvm_support/llvm_support.h>
#include <support/support.h>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace kiln {
namespace {

constexpr const char *StaticError = "kiln.static_error";
constexpr size_t max_stack = 64;

class Finder {
public:
  Finder(const CompilerConfig &config, const llvm::Module &module, const Target &target)
      : config_(config), module_(module), target_(target) {}

  std::vector<Fault> run() {
    if (const llvm::Function *entry = find_entry(module_)) visit(*entry);
    for (const llvm::Function *function : order_)
      for (const llvm::Instruction &instruction : llvm::instructions(*function)) check(instruction);
    // Sort in source order, which does not depend on the order of optimised instructions.
    std::stable_sort(faults_.begin(), faults_.end(),
                     [](const Found &a, const Found &b) { return a.path < b.path; });
    std::vector<Fault> faults;
    for (Found &found : faults_) faults.push_back(std::move(found.fault));
    return faults;
  }

private:
  using Place = std::tuple<std::string, unsigned, unsigned>; // file, line, column
  struct Found {
    Fault fault;
    /// Places of the calls from the entry to the fault; for several calls of a function, the first.
    std::vector<Place> path;
  };

  /// Visits the functions that are called, depth first in instruction order. The order of functions in the
  /// module does not matter.
  void visit(const llvm::Function &function) {
    if (function.isDeclaration() || !seen_.insert(&function).second) return;
    order_.push_back(&function);
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      for (const llvm::Value *operand : instruction.operands())
        if (auto *used = llvm::dyn_cast<llvm::Function>(operand->stripPointerCasts())) {
          if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
              call && call->getCalledOperand() == operand)
            call_sites_[used].push_back(call);
          visit(*used);
        }
  }

  void check(const llvm::Instruction &instruction) {
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      if (std::optional<std::string> reason = reason_of(*call)) add(*reason, instruction, symbol_of(*call));
    }
    for (const llvm::Value *operand : instruction.operands()) {
      auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(operand->stripPointerCasts());
      // Skip undefined arrays in shared memory: they are the launch's dynamic memory.
      if (variable && variable->isDeclaration() && variable->getAddressSpace() != 3 &&
          !may_stay_undefined(variable->getName().str()))
        add(fmt::format("unsupported use of an undefined name (use of '{}')", variable->getName().str()),
            instruction);
    }
  }

  bool may_stay_undefined(const std::string &name) const {
    if (name.starts_with(abi::HostFunctionPrefix) && target_.capabilities(config_.target).runs_on_host)
      return true; // defined by the loader
    return target_.is_intrinsic(name) || is_intrinsic_of_hooks(config_, name);
  }

  std::optional<std::string> reason_of(const llvm::CallBase &call) const {
    const llvm::Value *callee = call.getCalledOperand()->stripPointerCasts();
    if (llvm::isa<llvm::InlineAsm>(callee)) return std::nullopt;
    if (auto *expression = llvm::dyn_cast<llvm::Operator>(callee);
        expression && expression->getOpcode() == llvm::Instruction::IntToPtr)
      return "unsupported call through a literal pointer";
    auto *function = llvm::dyn_cast<llvm::Function>(callee);
    if (!function && call.getAttributes().hasFnAttr(DeferredAttribute))
      return "unsupported call through a pointer: the job has no deferred_codegen of a function of its type";
    if (!function || !function->isDeclaration()) return std::nullopt;
    if (function->getName() == StaticError) return static_error(call);
    // Ask the target for names with llvm. too: it may have no code for an intrinsic.
    if (may_stay_undefined(function->getName().str())) return std::nullopt;
    if (function->getName().starts_with("kiln."))
      return fmt::format("unsupported intrinsic on {} (call to {})", target_.name(),
                         function->getName().str());
    if (function->isIntrinsic())
      return fmt::format("unsupported LLVM intrinsic on {} (call to {})", target_.name(),
                         function->getName().str());
    if (may_define(config_, function->getName().str())) return std::nullopt; // linked by the assembler
    return fmt::format("unsupported call to an unknown function (call to {})", function->getName().str());
  }

  // Message of kiln.static_error. Emission writes fields separated by \x1f (number, message, hint, subject,
  // notes...). In IR of an embedder, the message may be plain text.
  static std::string static_error(const llvm::CallBase &call) {
    llvm::StringRef message;
    if (call.arg_size() == 0 || !llvm::getConstantStringInfo(call.getArgOperand(0), message))
      return "static assertion failed";
    if (message.contains('\x1f') || message.starts_with("unsupported ")) return message.str();
    return fmt::format("static assertion failed ({})", message.str());
  }

  /// Name of the function that a call outside of the module refers to. Empty: none, or a function of Kiln or
  /// LLVM.
  static std::string symbol_of(const llvm::CallBase &call) {
    const auto *function = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
    if (!function || function->isIntrinsic() || function->getName().starts_with("kiln.")) return {};
    return function->getName().str();
  }

  /// Adds a fault. `symbol`: Fault::subject, if emission did not write the reason.
  void add(std::string reason, const llvm::Instruction &instruction, std::string symbol = {}) {
    Fault fault;
    llvm::SmallVector<llvm::StringRef, 6> fields;
    llvm::StringRef(reason).split(fields, '\x1f');
    if (fields.size() > 1) {
      const DiagnosticInfo *row = find_diagnostic({fields[0].data(), fields[0].size()});
      if (row) fault.code = row->code;
      fault.reason = fault.code == ErrorCode::InvalidIRError
                         ? fields[1].str()
                         : fmt::format("{}: {}", name_of(fault.code), fields[1].str());
      if (fields.size() > 2) fault.hint = fields[2].str();
      if (fields.size() > 3) fault.subject = fields[3].str();
      for (size_t i = 4; i < fields.size(); i++)
        if (!fields[i].empty()) fault.notes.push_back(fields[i].str());
    } else {
      fault.reason = std::move(reason);
      fault.subject = std::move(symbol);
    }
    const llvm::Instruction *at = &instruction;
    while (at && fault.stack.size() < max_stack) {
      add_frames(*at, fault.stack);
      const llvm::Function *function = at->getFunction();
      auto sites = call_sites_.find(function);
      at = nullptr;
      if (sites == call_sites_.end() || function->hasFnAttribute(EntryAttribute)) break;
      if (sites->second.size() == 1)
        at = sites->second.front();
      else
        fault.stack.push_back({"multiple call sites", {}, 0, 0});
    }
    name_users_function(instruction, fault);
    auto is_same = [&](const Found &found) { return found.fault == fault; };
    if (std::find_if(faults_.begin(), faults_.end(), is_same) == faults_.end())
      faults_.push_back({std::move(fault), path_to(instruction)});
  }

  /// Names the function that the program called in place of an internal host function of the library, whose
  /// name no program contains.
  static void name_users_function(const llvm::Instruction &instruction, Fault &fault) {
    if (fault.code != ErrorCode::MethodError ||
        (!fault.subject.starts_with("Base.__") && !fault.subject.starts_with("CUDA.__")))
      return;
    std::string called = "this macro";
    for (const llvm::DILocation *at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt()) {
      const llvm::DISubprogram *function = at->getScope()->getSubprogram();
      if (!function || function->getFile()->getDirectory() != LibraryFolder) break;
      const llvm::StringRef name = function->getName();
      if (name != "kwcall") called = name.starts_with("__") ? "this macro" : fmt::format("`{}`", name.str());
    }
    fault.reason = fmt::format("MethodError: {} runs on the host only, for these arguments at least", called);
    fault.notes.clear();
    if (fault.hint.empty()) fault.hint = "call it on the host, and pass its result to the kernel";
  }

  std::vector<Place> path_to(const llvm::Instruction &instruction) const {
    std::vector<FaultFrame> frames;
    for (const llvm::Instruction *at = &instruction; at && frames.size() < max_stack;) {
      add_frames(*at, frames);
      auto sites = call_sites_.find(at->getFunction());
      at = sites == call_sites_.end() ? nullptr : sites->second.front();
    }
    std::vector<Place> path;
    for (size_t i = frames.size(); i-- > 0;)
      path.emplace_back(frames[i].file, frames[i].line, frames[i].column);
    return path;
  }

  /// Adds the source frames of the instruction, and of the functions into which it was inlined.
  static void add_frames(const llvm::Instruction &instruction, std::vector<FaultFrame> &stack) {
    const llvm::DILocation *at = instruction.getDebugLoc().get();
    if (!at) {
      stack.push_back({instruction.getFunction()->getName().str(), {}, 0, 0});
      return;
    }
    for (; at; at = at->getInlinedAt()) {
      const llvm::DISubprogram *function = at->getScope()->getSubprogram();
      if (function && function->isArtificial()) continue; // a wrapper made by Kiln
      stack.push_back({function ? function->getName().str() : "", at->getFilename().str(), at->getLine(),
                       at->getColumn()});
    }
  }

  const CompilerConfig &config_;
  const llvm::Module &module_;
  const Target &target_;
  std::set<const llvm::Function *> seen_; ///< never iterated
  std::vector<const llvm::Function *> order_;
  std::map<const llvm::Function *, std::vector<const llvm::CallBase *>> call_sites_; ///< never iterated
  std::vector<Found> faults_;
};

} // namespace

std::vector<Fault> find_faults(const CompilerConfig &config, const llvm::Module &module,
                               const Target &target) {
  return Finder(config, module, target).run();
}

Error faults_to_error(const std::vector<Fault> &faults, const SourceMap *sources) {
  std::vector<Diagnostic> diagnostics;
  for (const Fault &fault : faults) {
    Diagnostic diagnostic{
        .code = fault.code, .message = fault.reason, .hint = fault.hint, .subject = fault.subject};
    if (fault.code != ErrorCode::InvalidIRError) diagnostic.exception = name_of(ErrorCode::InvalidIRError);
    for (const std::string &note : fault.notes) diagnostic.notes.push_back({note, {}});
    for (const FaultFrame &frame : fault.stack) {
      Location at = sources && !frame.file.empty()
                        ? sources->locate_line(frame.file, frame.line, frame.column)
                        : Location();
      diagnostic.stack.push_back({frame.function, std::move(at)});
    }
    diagnostic.at = place_of(diagnostic.stack);
    diagnostics.push_back(std::move(diagnostic));
  }
  return Error(std::move(diagnostics));
}

Result<void> validate(const CompilerConfig &config, const llvm::Module &module, const Target &target,
                      const SourceMap *sources) {
  std::vector<Fault> faults = find_faults(config, module, target);
  if (!faults.empty()) return faults_to_error(faults, sources);
  KILN_CHECK(target.validate_ir(config, module));
  return config.hooks ? config.hooks->validate_ir(config, module) : Result<void>();
}

} // namespace kiln
