// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link_files.h"

#include "fatal_errors.h"
#include "module.h"
#include "resident.h"
#include "worker.h"

#include <job/job.h>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/TargetParser/Triple.h>

#include <fmt/format.h>

namespace kiln {
namespace {

/// Checks that the file's target triple, if it has one, has the module's architecture. Other parts of the
/// triple may differ ("unknown", "pc").
Result<void> check_triple(const LinkedFile &file, const std::string &triple, const llvm::Module &module) {
  const llvm::Triple theirs(triple), &ours = module.getTargetTriple();
  if (triple.empty() || theirs.getArch() == ours.getArch()) return {};
  return input_error(
      fmt::format("{} cannot be linked: it is for {}, and the job for {}", file.name, triple, ours.str()), {},
      fmt::format("compile it for {}", ours.getArchName().str()));
}

/// Returns the file as bitcode. Textual IR is converted, since only bitcode can be read lazily.
Result<std::string> bitcode_of(const LinkedFile &file, const llvm::Module &module, Worker &worker) {
  if (file.kind == LinkedKind::LlvmText) {
    KILN_TRY(std::unique_ptr<llvm::Module> parsed, parse_ir(worker, *file.bytes, file.name));
    KILN_CHECK(check_triple(file, parsed->getTargetTriple().str(), module));
    std::string bitcode;
    llvm::raw_string_ostream out(bitcode);
    llvm::WriteBitcodeToFile(*parsed, out);
    return bitcode;
  }
  auto triple = llvm::getBitcodeTargetTriple(llvm::MemoryBufferRef(*file.bytes, file.name));
  if (!triple)
    return to_error(triple.takeError(), fmt::format("reading the library {}", file.name), ErrorKind::Input);
  KILN_CHECK(check_triple(file, *triple, module));
  return *file.bytes;
}

/// Removes properties that another compiler set for its own job: the processor and its features, which can
/// prevent inlining, and debug locations in files that Kiln does not know.
void adopt(llvm::Function &function) {
  for (const char *attribute :
       {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size"})
    function.removeFnAttr(attribute);
  llvm::stripDebugInfo(function);
}

} // namespace

Result<void> link_runtime_module(const Target &target, const CompilerConfig &config, llvm::Module &module,
                                 Worker &worker) {
  const std::string text = target.runtime_module(config);
  if (text.empty()) return {};
  auto open = [&]() -> Result<std::unique_ptr<ResidentLibrary>> {
    const std::string name = fmt::format("runtime module of {}", target.name());
    KILN_TRY(std::unique_ptr<llvm::Module> parsed, parse_ir(worker, text, name));
    std::string bitcode;
    llvm::raw_string_ostream out(bitcode);
    llvm::WriteBitcodeToFile(*parsed, out);
    return ResidentLibrary::parse(
        worker, std::move(out.str()), name, module.getTargetTriple().str(), module.getDataLayoutStr(),
        [](llvm::Function &) {}, ErrorKind::Input);
  };
  const std::string key = fmt::format("runtime module {} {} {}", target.name(), fingerprint_of(text).hex(),
                                      module.getDataLayoutStr());
  KILN_TRY(ResidentLibrary * library, worker.keep_in_context<ResidentLibrary>(key, open));
  KILN_CHECK(library->define_missing(module));
  return {};
}

Result<void> link_files(const CompilerConfig &config, llvm::Module &module, Worker &worker) {
  std::vector<ResidentLibrary *> libraries;
  for (const LinkedFile &file : config.linked) {
    if (!is_llvm_ir(file)) continue;
    auto open = [&]() -> Result<std::unique_ptr<ResidentLibrary>> {
      KILN_TRY(std::string bitcode, bitcode_of(file, module, worker));
      return ResidentLibrary::parse(worker, std::move(bitcode), file.name, module.getTargetTriple().str(),
                                    module.getDataLayoutStr(), adopt, ErrorKind::Input);
    };
    std::string key = fmt::format("linked {:x}.{:x} {} {}", file.digest[0], file.digest[1],
                                  module.getTargetTriple().str(), module.getDataLayoutStr());
    KILN_TRY(ResidentLibrary * library, worker.keep_in_context<ResidentLibrary>(key, open));
    libraries.push_back(library);
  }
  // Repeat, since a linked function may call functions of an earlier or later file.
  for (bool changed = !libraries.empty(); changed;) {
    changed = false;
    for (ResidentLibrary *library : libraries) {
      KILN_TRY(bool brought, library->define_missing(module));
      changed |= brought;
    }
  }
  return {};
}

} // namespace kiln
