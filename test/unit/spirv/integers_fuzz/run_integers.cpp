// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs functions of an LLVM IR module on this CPU after legalize_integers.
//   run_integers MODULE.ll [--print] < CALLS
// Each line of CALLS: a function's name, four 64-bit arguments, and the bytes of a buffer in hexadecimal. The
// function is i64 (i64, i64, i64, i64, ptr). Prints a line for each: the result, and the bytes afterwards.
// --print writes the rewritten module to stderr.
#include <spirv/integers.h>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdio>
#include <iostream>
#include <string>

namespace {

using Entry = uint64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t, char *);

uint64_t high_unsigned(uint64_t x, uint64_t y) { return uint64_t((unsigned __int128)x * y >> 64); }
int64_t high_signed(int64_t x, int64_t y) { return int64_t((__int128)x * y >> 64); }

int fail(const std::string &text) {
  std::fprintf(stderr, "run_integers: %s\n", text.c_str());
  return 1;
}

/// Defines OpenCL's mul_hi in the JIT's library.
llvm::Error define_built_ins(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  auto define = [&](const char *name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  define("_Z6mul_himm", &high_unsigned);
  define("_Z6mul_hill", &high_signed);
  return jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols)));
}

/// Gives all functions and calls the host's calling convention. AArch64's code generator knows none of
/// SPIR-V's.
void use_host_convention(llvm::Module &module) {
  for (llvm::Function &function : module) {
    function.setCallingConv(llvm::CallingConv::C);
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        call->setCallingConv(llvm::CallingConv::C);
  }
}

int run_calls(llvm::orc::LLJIT &jit) {
  std::string name, text;
  uint64_t arguments[4];
  while (std::cin >> name >> arguments[0] >> arguments[1] >> arguments[2] >> arguments[3] >> text) {
    auto address = jit.lookup(name);
    if (!address) return fail(llvm::toString(address.takeError()));
    // The buffer is aligned as the rewritten accesses require, not as its strings happen to be.
    alignas(16) char buffer[256] = {};
    std::string bytes = llvm::fromHex(text);
    if (bytes.size() > sizeof buffer) return fail("the buffer has more than 256 bytes");
    std::copy(bytes.begin(), bytes.end(), buffer);
    const uint64_t result =
        address->toPtr<Entry>()(arguments[0], arguments[1], arguments[2], arguments[3], buffer);
    std::cout << result << ' ' << llvm::toHex(llvm::StringRef(buffer, bytes.size()), true) << '\n';
  }
  return 0;
}

} // namespace

int main(int count, char **words) {
  if (count < 2) return fail("usage: run_integers MODULE.ll [--print] < CALLS");
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(words[1], diagnostic, *context);
  if (!module)
    return fail(diagnostic.getMessage().str() + " in line " + std::to_string(diagnostic.getLineNo()));
  if (kiln::Result<void> legal = kiln::spirv::legalize_integers(*module); !legal.ok())
    return fail(legal.error().diagnostics().front().message);
  if (count > 2) module->print(llvm::errs(), nullptr);
  if (llvm::verifyModule(*module, &llvm::errs())) return fail("the rewritten module is not valid");

  use_host_convention(*module);
  // Without optimisation: AArch64's instruction selection ends for some vectors of random programs ("Cannot
  // select").
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machine) return fail(llvm::toString(machine.takeError()));
  machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*machine)).create();
  if (!jit) return fail(llvm::toString(jit.takeError()));
  module->setDataLayout((*jit)->getDataLayout()); // equal to SPIR-V's for integers of 8 to 64 bits
  module->setTargetTriple((*jit)->getTargetTriple());
  if (auto error = define_built_ins(**jit)) return fail(llvm::toString(std::move(error)));
  if (auto error = (*jit)->addIRModule({std::move(module), std::move(context)}))
    return fail(llvm::toString(std::move(error)));
  return run_calls(**jit);
}
