// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks an embedder's IR as far as no target is needed: this LLVM can read it, it is well-formed, and
// everything that it calls exists.
#include "ir_functions.h"

#include "ir_module.h"

#include <llvm_support/llvm_support.h>
#include <support/support.h>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SHA256.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kiln {
namespace {

/// An intrinsic of Kiln that an embedder's IR may call, and the equivalent call in the language.
struct KnownCall {
  std::string_view name, call;
};
constexpr std::array known_calls{KnownCall{"kiln.barrier", "CUDA.ir_barrier()"},
                                 KnownCall{"kiln.thread_idx.x", "CUDA.ir_thread_idx_x()"},
                                 KnownCall{"kiln.thread_idx.y", "CUDA.ir_thread_idx_y()"},
                                 KnownCall{"kiln.thread_idx.z", "CUDA.ir_thread_idx_z()"},
                                 KnownCall{"kiln.block_idx.x", "CUDA.ir_block_idx_x()"},
                                 KnownCall{"kiln.block_idx.y", "CUDA.ir_block_idx_y()"},
                                 KnownCall{"kiln.block_idx.z", "CUDA.ir_block_idx_z()"},
                                 KnownCall{"kiln.block_dim.x", "CUDA.ir_block_dim_x()"},
                                 KnownCall{"kiln.block_dim.y", "CUDA.ir_block_dim_y()"},
                                 KnownCall{"kiln.block_dim.z", "CUDA.ir_block_dim_z()"},
                                 KnownCall{"kiln.grid_dim.x", "CUDA.ir_grid_dim_x()"},
                                 KnownCall{"kiln.grid_dim.y", "CUDA.ir_grid_dim_y()"},
                                 KnownCall{"kiln.grid_dim.z", "CUDA.ir_grid_dim_z()"}};

std::string blanks_removed(std::string_view line) {
  std::string out;
  for (char c : line.substr(0, line.find(" ;")))
    if (c != ' ' && c != '\t' && c != '\r') out += c;
  return out;
}

/// Finds the place of a message from LLVM's verifier: the instruction that the message prints, or the
/// function's first line.
Location place_of_fault(const IrFunctions::Source &source, const llvm::Function &function,
                        const std::string &message) {
  if (!source.text) return {};
  const std::string_view text = source.text->text();
  size_t begin = source.begin;
  for (std::string name :
       {fmt::format("@{}(", function.getName().str()), fmt::format("@\"{}\"(", function.getName().str())})
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0
      if (text.substr(line).starts_with("define")) begin = line;
    }
  std::vector<std::string> printed;
  for (size_t at = message.find("\n  "); at != std::string::npos; at = message.find("\n  ", at + 1))
    printed.push_back(
        blanks_removed(std::string_view(message).substr(at + 1, message.find('\n', at + 1) - at - 1)));
  for (size_t line = begin; line < text.size();) {
    const size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view here = text.substr(line, end - line);
    if (here.starts_with("}")) break;
    if (const std::string bare = blanks_removed(here);
        !bare.empty() && std::find(printed.begin(), printed.end(), bare) != printed.end())
      return {source.text, uint32_t(line + here.find_first_not_of(" \t")), uint32_t(end)};
    line = end + 1;
  }
  const size_t end = std::min(text.find('\n', begin), text.size());
  return {source.text, uint32_t(begin), uint32_t(end)};
}

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

Result<void> check_function(const IrFunctions::Source &source, const llvm::Function &function) {
  const std::string name = function.getName().str();
  if (!function.isDeclaration()) {
    std::string message;
    llvm::raw_string_ostream out(message);
    if (llvm::verifyFunction(function, &out))
      return make_error(ErrorCode::BrokenIR,
                        fmt::format("the function '{}' of {} is broken: {}{}", name, source.function.file,
                                    first_line(out.str()),
                                    source.text ? "" : out.str().substr(first_line(out.str()).size())),
                        place_of_fault(source, function, out.str()));
    return {};
  }
  if (name.starts_with("llvm.") && function.getIntrinsicID() == llvm::Intrinsic::not_intrinsic)
    return make_error(ErrorCode::UnknownIntrinsic,
                      fmt::format("LLVM {} has no intrinsic `{}`", LLVM_VERSION_STRING, name),
                      place_of_symbol(source, name));
  if (name.starts_with("kiln.") && call_of_ir_name(name).empty())
    return make_error(
        ErrorCode::UnknownIntrinsic, fmt::format("there is no intrinsic `{}` for IR", name),
        place_of_symbol(source, name),
        "there are kiln.thread_idx, block_idx, block_dim and grid_dim with .x, .y or .z, kiln.barrier, and "
        "\"kiln.call:f(Float32)\" for a function of the language");
  return {};
}

Result<void> check_module(const IrFunctions::Source &source, const llvm::Module &module) {
  auto refuse = [&](std::string what, std::string_view at) {
    return input_error(std::move(what), place_in_ir(source, at));
  };
  const std::string &symbol = source.function.symbol;
  const llvm::Function *body = module.getFunction(symbol);
  if (!body || body->isDeclaration())
    return refuse(fmt::format("{} defines no function '{}'", source.function.file, symbol), {});
  if (body->isVarArg())
    return input_error(fmt::format("the function '{}' takes any number of arguments", symbol),
                       place_of_symbol(source, symbol));
  if (!module.getModuleInlineAsm().empty())
    return refuse("assembly of a whole module cannot be linked", "module asm");
  for (const llvm::GlobalAlias &alias : module.aliases())
    return input_error(fmt::format("the alias '{}' cannot be linked", alias.getName().str()),
                       place_of_symbol(source, alias.getName().str()));
  for (const llvm::GlobalIFunc &chosen : module.ifuncs())
    return input_error(fmt::format("the ifunc '{}' cannot be linked", chosen.getName().str()),
                       place_of_symbol(source, chosen.getName().str()));
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.isThreadLocal())
      return input_error(
          fmt::format("the thread-local variable '{}' cannot be linked", global.getName().str()),
          place_of_symbol(source, global.getName().str()));
  std::vector<Diagnostic> faults;
  for (const llvm::Function &function : module)
    if (Result<void> checked = check_function(source, function); !checked.ok())
      for (const Diagnostic &fault : checked.error().diagnostics()) faults.push_back(fault);
  if (!faults.empty()) return Error(std::move(faults));
  std::string message;
  llvm::raw_string_ostream out(message);
  if (llvm::verifyModule(module, &out))
    return refuse(fmt::format("{} is broken: {}", source.function.file, out.str()), "\n");
  return {};
}

} // namespace

std::string call_of_ir_name(std::string_view name) {
  if (name.starts_with(ir_callee_prefix)) {
    const std::string_view call = name.substr(ir_callee_prefix.size());
    const size_t open = call.find('(');
    return open == std::string_view::npos || open == 0 || !call.ends_with(')') ? std::string()
                                                                               : std::string(call);
  }
  for (const KnownCall &known : known_calls)
    if (known.name == name) return std::string(known.call);
  return {};
}

Result<std::shared_ptr<const IrFunctions::Source>> IrFunctions::add(WorkerPool &workers, SourceMap &sources,
                                                                    IrFunction function) {
  auto source = std::make_shared<Source>();
  const bool is_bitcode =
      function.ir.starts_with("BC\xC0\xDE") || function.ir.starts_with("\xDE\xC0\x17\x0B");
  if (function.symbol.empty()) function.symbol = function.name;
  if (function.file.empty()) function.file = function.name + (is_bitcode ? ".bc" : ".ll");
  // A cryptographic digest: keys contain this name in place of the IR, so that no two IR texts may share a
  // name.
  llvm::SHA256 digest;
  digest.update("kiln ir function 2");
  digest.update(llvm::StringRef(function.symbol.c_str(), function.symbol.size() + 1));
  digest.update(function.ir);
  source->name = std::string(ir_function_prefix) + llvm::toHex(digest.final(), true);
  source->function = std::move(function);
  if (!is_bitcode) {
    source->begin = std::max(source->function.line, 1u) - 1;
    source->text = sources.add(source->function.file, std::string(source->begin, '\n') + source->function.ir);
  }
  WorkerPool::Lease worker = workers.acquire();
  KILN_CHECK(catch_fatal_errors(*worker, [&]() -> Result<void> {
    KILN_TRY(std::unique_ptr<llvm::Module> module, parse_ir_function(*source, *worker));
    KILN_CHECK(check_module(*source, *module));
    for (const llvm::Function &called : *module)
      if (called.isDeclaration() && !call_of_ir_name(called.getName()).empty())
        source->callees.push_back(called.getName().str());
    return {};
  }));
  std::lock_guard lock(mutex_);
  return sources_.insert_or_assign(source->name, source).first->second;
}

Location IrFunctions::place_of_call(std::string_view symbol) const {
  std::lock_guard lock(mutex_);
  for (const auto &[name, source] : sources_)
    if (Location at = place_of_use(*source, symbol)) return at;
  return {};
}

std::shared_ptr<const IrFunctions::Source> IrFunctions::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  auto found = sources_.find(name);
  return found == sources_.end() ? nullptr : found->second;
}

} // namespace kiln
