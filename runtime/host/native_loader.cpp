// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native_loader.h"

#include "bfloat.h"
#include "executor.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm_border/llvm_border.h>

#include <atomic>
#include <mutex>

namespace kiln {

namespace orc = llvm::orc;

struct NativeLoader::State {
  std::once_flag once;
  std::unique_ptr<orc::ExecutionSession> session;
  std::unique_ptr<orc::ObjectLinkingLayer> layer;
  std::string failure;
  std::atomic<uint64_t> next{0};

  void start() {
    auto control = orc::SelfExecutorProcessControl::Create();
    if (!control) {
      failure = llvm::toString(control.takeError());
      return;
    }
    session = std::make_unique<orc::ExecutionSession>(std::move(*control));
    session->setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); }); // load() tells
    auto memory = llvm::jitlink::InProcessMemoryManager::Create();
    if (!memory) {
      failure = llvm::toString(memory.takeError());
      return;
    }
    layer = std::make_unique<orc::ObjectLinkingLayer>(*session, std::move(*memory));
  }
  ~State() {
    if (session) llvm::consumeError(session->endSession());
  }
};

struct NativeCode::State {
  NativeLoader::State &loader;
  orc::JITDylib &library;
  ~State() { llvm::consumeError(loader.session->removeJITDylib(library)); }
};

NativeCode::NativeCode(std::unique_ptr<State> state, void *entry) : state_(std::move(state)), entry_(entry) {}
NativeCode::~NativeCode() = default;

NativeLoader::NativeLoader() : state_(std::make_unique<State>()) {}
NativeLoader::~NativeLoader() = default;

Result<std::shared_ptr<NativeCode>> NativeLoader::load(std::string_view object, const std::string &entry) {
  State &s = *state_;
  std::call_once(s.once, [&] { s.start(); });
  if (!s.failure.empty()) return internal_error("the loader of native code cannot start: " + s.failure);
  auto &library = s.session->createBareJITDylib("kiln." + std::to_string(s.next.fetch_add(1)));
  auto state = std::unique_ptr<NativeCode::State>(new NativeCode::State{s, library});
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0');
  if (!process) return to_error(process.takeError(), "looking into this process");
  library.addGenerator(std::move(*process));
  orc::SymbolMap own;
  auto define = [&](const char *name, auto *function) {
    own[s.session->intern(name)] = {orc::ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  define(abi::NativeThrowSymbol, &kiln_native_throw);
  define(abi::NativeFramesSymbol, &kiln_native_frames);
  define(abi::NativeRoundsSymbol, &kiln_native_rounds);
  define(abi::NativeAccessSymbol, &kiln_native_access);
  define(abi::NativeOverdueSymbol, &kiln_native_overdue);
  define("__truncsfbf2", &native_truncsfbf2);
  define("__truncdfbf2", &native_truncdfbf2);
  if (auto error = library.define(orc::absoluteSymbols(std::move(own)))) return to_error(std::move(error), "defining Kiln's runtime functions");
  if (auto error = s.layer->add(library, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object.data(), object.size()), entry)))
    return to_error(std::move(error), "adding an object");
  auto found = s.session->lookup({&library}, s.session->intern(entry));
  if (!found) return to_error(found.takeError(), fmt::format("loading {}", entry));
  return std::shared_ptr<NativeCode>(new NativeCode(std::move(state), found->getAddress().toPtr<void *>()));
}

} // namespace kiln
