// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links an embedder's IR into a job's module. Emitted code passes it the numbers and pointers of the call,
// and then pointers to the functions of the language that the IR calls. Those pointers only identify the
// functions: calls become direct.
#include "ir_module.h"

#include <job/job.h>
#include <llvm_support/llvm_support.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/TargetParser/Triple.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln {

Location place_in_ir(const IrFunctions::Source &source, std::string_view what) {
  if (!source.text) return {};
  const size_t at = source.text->text().find(what, source.begin);
  if (at == std::string_view::npos) return {};
  return {source.text, uint32_t(at), uint32_t(at + what.size())};
}

Result<std::unique_ptr<llvm::Module>> parse_bitcode(std::string_view bytes, const std::string &file,
                                                    llvm::LLVMContext &context) {
  const llvm::MemoryBufferRef buffer(bytes, file);
  auto producer = llvm::getBitcodeProducerString(buffer);
  if (producer) {
    const llvm::StringRef version =
        llvm::StringRef(*producer).drop_until([](char c) { return c >= '0' && c <= '9'; });
    unsigned major = 0;
    if (!version.split('.').first.getAsInteger(10, major) && major > LLVM_VERSION_MAJOR)
      return input_error(fmt::format(
          "{} was written by {}: this Kiln has LLVM {}, which reads the bitcode of LLVM {} and before", file,
          *producer, LLVM_VERSION_STRING, LLVM_VERSION_MAJOR));
  } else {
    llvm::consumeError(producer.takeError());
  }
  auto module = llvm::parseBitcodeFile(buffer, context);
  if (!module) return to_error(module.takeError(), "reading the bitcode " + file, ErrorKind::Input);
  return std::move(*module);
}

namespace {

/// True if `at` is outside of a comment: no semicolon stands before it on its line.
bool is_code(std::string_view text, size_t at) {
  const size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0
  return text.substr(line, at - line).find(';') == std::string_view::npos;
}

/// Offsets in the IR text where the symbol occurs as @name or @"name".
std::vector<size_t> uses_of(const IrFunctions::Source &source, std::string_view symbol) {
  auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$' || c == '-';
  };
  const std::string_view text = source.text->text();
  std::vector<size_t> uses;
  for (const std::string &name : {fmt::format("@{}", symbol), fmt::format("@\"{}\"", symbol)})
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const size_t end = at + name.size();
      if (is_code(text, at) && (end == text.size() || !is_name(text[end]))) uses.push_back(at);
    }
  std::ranges::sort(uses);
  return uses;
}

Location from_here(const IrFunctions::Source &source, size_t at, std::string_view symbol) {
  const size_t quotes = source.text->text().substr(at).starts_with("@\"") ? 2 : 0;
  return {source.text, uint32_t(at), uint32_t(at + 1 + quotes + symbol.size())};
}

} // namespace

Location place_of_symbol(const IrFunctions::Source &source, std::string_view symbol) {
  if (!source.text) return {};
  const std::vector<size_t> uses = uses_of(source, symbol);
  return uses.empty() ? Location() : from_here(source, uses[0], symbol);
}

Location place_of_use(const IrFunctions::Source &source, std::string_view symbol) {
  if (!source.text) return {};
  const std::string_view text = source.text->text();
  for (size_t at : uses_of(source, symbol)) {
    const size_t line = text.rfind('\n', at) + 1;
    const std::string_view before = text.substr(line, at - line);
    if (!before.starts_with("declare") && !before.starts_with("define")) return from_here(source, at, symbol);
  }
  return {};
}

Result<std::unique_ptr<llvm::Module>> parse_ir_function(const IrFunctions::Source &source, Worker &worker) {
  const std::string &file = source.function.file;
  if (source.text) {
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module =
        llvm::parseAssemblyString(source.function.ir, diagnostic, worker.context());
    if (module) return module;
    uint32_t begin = 0; // start of the line
    const std::string &text = source.function.ir;
    for (int line = 1; line < diagnostic.getLineNo() && text.find('\n', begin) != std::string::npos; ++line)
      begin = uint32_t(text.find('\n', begin)) + 1;
    const auto at = std::min(begin + uint32_t(std::max(diagnostic.getColumnNo(), 0)), uint32_t(text.size()));
    return make_error(
        ErrorCode::SyntaxError,
        fmt::format("LLVM {} cannot read this IR: {}", LLVM_VERSION_STRING, diagnostic.getMessage().str()),
        {source.text, source.begin + at, source.begin + std::min(at + 1, uint32_t(text.size()))});
  }
  return parse_bitcode(source.function.ir, file, worker.context());
}

namespace {

std::string text_of(llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  return text;
}

/// True if a value of type `from` can be passed as `to`: both types are equal, or both are pointers and one
/// of them is generic.
bool converts(llvm::Type *from, llvm::Type *to) {
  return from == to || (from->isPointerTy() && to->isPointerTy() &&
                        (from->getPointerAddressSpace() == 0 || to->getPointerAddressSpace() == 0));
}

bool converts(llvm::FunctionType *call, llvm::FunctionType *function) {
  if (call->getNumParams() != function->getNumParams() ||
      !converts(function->getReturnType(), call->getReturnType()))
    return false;
  for (unsigned i = 0; i < call->getNumParams(); ++i)
    if (!converts(call->getParamType(i), function->getParamType(i))) return false;
  return true;
}

/// Gives `from` a body that calls `to` with as many of its first arguments as `to` takes.
void forward(llvm::Function &from, llvm::Function &to) {
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(from.getContext(), "", &from));
  llvm::SmallVector<llvm::Value *, 8> arguments;
  for (unsigned i = 0; i < to.arg_size(); ++i)
    arguments.push_back(builder.CreatePointerBitCastOrAddrSpaceCast(from.getArg(i), to.getArg(i)->getType()));
  llvm::CallInst *call = builder.CreateCall(&to, arguments);
  if (to.isConvergent()) call->setConvergent();
  if (from.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else if (from.getReturnType()->isPointerTy())
    builder.CreateRet(builder.CreatePointerBitCastOrAddrSpaceCast(call, from.getReturnType()));
  else
    builder.CreateRet(call);
  from.setLinkage(llvm::GlobalValue::InternalLinkage);
  from.removeFnAttr(llvm::Attribute::NoInline);
  from.addFnAttr(llvm::Attribute::AlwaysInline);
}

class Link {
public:
  Link(const IrFunctions &functions, const Target &target, const CompilerConfig &config, llvm::Module &module,
       Worker &worker)
      : functions_(functions), target_(target), module_(module), worker_(worker),
        convergent_(target.capabilities(config.target).convergent_calls) {}

  Result<void> run() {
    std::vector<llvm::Function *> wanted;
    for (llvm::Function &function : module_)
      if (function.isDeclaration() && function.getName().starts_with(ir_function_prefix))
        wanted.push_back(&function);
    for (llvm::Function *function : wanted) KILN_CHECK(define(*function));
    return {};
  }

private:
  Result<void> check_target(const IrFunctions::Source &source, const llvm::Module &given) const {
    const llvm::Triple &theirs = given.getTargetTriple(), &ours = module_.getTargetTriple();
    if (!theirs.empty() && theirs.getArch() != ours.getArch())
      return make_error(
          ErrorCode::WrongTarget,
          fmt::format("{} is for {}, and the job for {}", source.function.file, theirs.str(), ours.str()),
          place_in_ir(source, "target triple"), "leave the triple out if the IR is for any target");
    if (!given.getDataLayoutStr().empty() && given.getDataLayout() != module_.getDataLayout())
      return make_error(ErrorCode::WrongTarget,
                        fmt::format("{} has the data layout \"{}\", and the job \"{}\"", source.function.file,
                                    given.getDataLayoutStr(), module_.getDataLayoutStr()),
                        place_in_ir(source, "target datalayout"),
                        "leave the data layout out: the job's is taken");
    for (const llvm::Function &function : given)
      if (function.isIntrinsic() && !function.use_empty() && !target_.is_intrinsic(function.getName().str()))
        return make_error(
            ErrorCode::UnknownIntrinsic,
            fmt::format("the {} target has no code for `{}`", target_.name(), function.getName().str()),
            place_of_symbol(source, function.getName().str()));
    return {};
  }

  /// Removes attributes, metadata and linkage that the compiler of the embedder's IR set for its own
  /// purposes.
  void adopt(llvm::Module &given, llvm::Function &body) const {
    llvm::StripDebugInfo(given);
    while (!given.named_metadata_empty()) given.eraseNamedMetadata(&*given.named_metadata_begin());
    for (const char *list : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"})
      if (llvm::GlobalVariable *variable = given.getGlobalVariable(list)) variable->eraseFromParent();
    for (llvm::Function &function : given) {
      for (const char *attribute :
           {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size"})
        function.removeFnAttr(attribute);
      if (function.isIntrinsic()) continue;
      function.setDoesNotThrow();
      function.setComdat(nullptr);
      if (convergent_) function.setConvergent();
      if (!function.isDeclaration() && &function != &body)
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call && convergent_ && !(call->getCalledFunction() && call->getCalledFunction()->isIntrinsic()))
          call->setConvergent();
    }
    for (llvm::GlobalVariable &global : given.globals()) {
      global.setComdat(nullptr);
      if (!global.isDeclaration()) global.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
    if (body.getCallingConv() != llvm::CallingConv::C) { // a kernel's convention: only the entry may have it
      body.setCallingConv(llvm::CallingConv::C);
      for (llvm::User *user : body.users())
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) call->setCallingConv(llvm::CallingConv::C);
    }
    if (!body.hasFnAttribute(llvm::Attribute::NoInline) &&
        !body.hasFnAttribute(llvm::Attribute::OptimizeNone))
      body.addFnAttr(llvm::Attribute::AlwaysInline);
  }

  Result<void> define(llvm::Function &declared) {
    const auto source = functions_.find(declared.getName());
    if (!source)
      return input_error(fmt::format("the session has no IR of the name {}", declared.getName().str()), {},
                         "Session::define_ir has to define the function in this session too");
    KILN_TRY(std::unique_ptr<llvm::Module> given, parse_ir_function(*source, worker_));
    KILN_CHECK(check_target(*source, *given));
    llvm::Function *body = given->getFunction(source->function.symbol);
    if (!body) return internal_error("the IR has lost its function");
    auto *called = llvm::cast<llvm::FunctionType>(declared.getFunctionType());
    const unsigned parameters = called->getNumParams() - unsigned(source->callees.size());
    auto *wanted =
        llvm::FunctionType::get(called->getReturnType(), called->params().take_front(parameters), false);
    if (!converts(wanted, body->getFunctionType()))
      return make_error(ErrorCode::WrongParameters,
                        fmt::format("the function '{}' of {} is {}, and for its types it has to be {}",
                                    source->function.symbol, source->function.file,
                                    text_of(body->getFunctionType()), text_of(wanted)),
                        place_of_symbol(*source, source->function.symbol));
    adopt(*given, *body);
    given->setTargetTriple(module_.getTargetTriple());
    given->setDataLayout(module_.getDataLayout());
    // Give callees unique names: the language's own code on the CPU also calls kiln.thread_idx.x.
    for (size_t i = 0; i < source->callees.size(); ++i)
      if (llvm::Function *stub = given->getFunction(source->callees[i]))
        stub->setName(callee_name(declared, i));
    const std::string name = declared.getName().str() + ".body";
    body->setName(name);
    body->setLinkage(llvm::GlobalValue::ExternalLinkage);
    if (llvm::Linker::linkModules(module_, std::move(given)))
      return input_error(fmt::format("{} cannot be linked into the job", source->function.file));
    body = module_.getFunction(name);
    body->setLinkage(llvm::GlobalValue::InternalLinkage);
    forward(declared, *body);
    return resolve_callees(*source, declared, parameters);
  }

  /// Binds each callee name in the IR to the function of the language whose address the calls pass.
  Result<void> resolve_callees(const IrFunctions::Source &source, llvm::Function &function, unsigned first) {
    for (llvm::User *user : function.users()) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      for (size_t i = 0; i < source.callees.size(); ++i) {
        const unsigned operand = first + unsigned(i);
        auto *code = llvm::dyn_cast<llvm::Function>(call->getArgOperand(operand)->stripPointerCasts());
        call->setArgOperand(operand, llvm::Constant::getNullValue(call->getArgOperand(operand)->getType()));
        if (code) KILN_CHECK(resolve(source, source.callees[i], callee_name(function, i), *code));
      }
    }
    return {};
  }

  static std::string callee_name(const llvm::Function &function, size_t i) {
    return fmt::format("{}.call.{}", function.getName().str(), i);
  }

  Result<void> resolve(const IrFunctions::Source &source, const std::string &name,
                       const std::string &stub_name, llvm::Function &code) {
    llvm::Function *stub = module_.getFunction(stub_name);
    if (!stub || !stub->isDeclaration()) return {}; // bound by another call
    if (!converts(stub->getFunctionType(), code.getFunctionType()))
      return make_error(ErrorCode::WrongParameters,
                        fmt::format("{} calls `{}` as {}, and it is {}", source.function.file,
                                    call_of_ir_name(name), text_of(stub->getFunctionType()),
                                    text_of(code.getFunctionType())),
                        place_in_ir(source, name));
    forward(*stub, code);
    // No code takes the function's address any more, so it is emitted like any other function.
    if (llvm::all_of(code.uses(), [](const llvm::Use &use) {
          auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
          return call && call->isCallee(&use);
        }))
      code.removeFnAttr(DeferredAttribute);
    return {};
  }

  const IrFunctions &functions_;
  const Target &target_;
  llvm::Module &module_;
  Worker &worker_;
  bool convergent_;
};

} // namespace

Result<void> link_ir_functions(const IrFunctions &functions, const Target &target,
                               const CompilerConfig &config, llvm::Module &module, Worker &worker) {
  return Link(functions, target, config, module, worker).run();
}

} // namespace kiln
