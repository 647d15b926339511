// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native_loader.h"

#include <host/host.h>

#include <fmt/format.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#include <llvm_support/llvm_support.h>

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace kiln {

namespace orc = llvm::orc;

/// Estimate of ORC's bookkeeping per loaded object in bytes, in addition to the object's memory.
static constexpr uint64_t library_bytes = 4096;

namespace {

/// ORC's messages during a link on this thread, such as names of missing symbols. The error of the look-up
/// does not name them. ORC runs its tasks on the thread that requests the link.
std::string &link_reports() {
  static thread_local std::string reports;
  return reports;
}

/// Error for a host function that was missing in a link on this thread. No value: none was missing.
std::optional<Error> &missing_host_function() {
  static thread_local std::optional<Error> error;
  return error;
}

/// Defines the symbols of variables that hold the addresses of host functions.
class HostFunctionGenerator final : public orc::DefinitionGenerator {
public:
  explicit HostFunctionGenerator(HostFunctions &functions) : functions_(functions) {}
  llvm::Error tryToGenerate(orc::LookupState &, orc::LookupKind, orc::JITDylib &library,
                            orc::JITDylibLookupFlags, const orc::SymbolLookupSet &wanted) override {
    orc::SymbolMap found;
    for (const auto &[symbol, flags] : wanted) {
      const std::string_view name(*symbol);
      if (!name.starts_with(abi::HostFunctionPrefix)) continue;
      auto cell = functions_.cell(name.substr(abi::HostFunctionPrefix.size()));
      if (cell.ok())
        found[symbol] = {orc::ExecutorAddr::fromPtr(*cell), llvm::JITSymbolFlags::Exported};
      else
        missing_host_function() = cell.take_error();
    }
    if (found.empty()) return llvm::Error::success();
    return library.define(orc::absoluteSymbols(std::move(found)));
  }

private:
  HostFunctions &functions_; ///< owned by the loader
};

/// LLVM's memory manager, which also counts the bytes of each library. Code, constants and data each take
/// whole pages.
class CountedMemory final : public llvm::jitlink::JITLinkMemoryManager {
public:
  explicit CountedMemory(std::unique_ptr<llvm::jitlink::InProcessMemoryManager> memory)
      : memory_(std::move(memory)), page_bytes_(uint64_t(::sysconf(_SC_PAGESIZE))) {}
  using JITLinkMemoryManager::allocate;
  using JITLinkMemoryManager::deallocate;
  void allocate(const llvm::jitlink::JITLinkDylib *library, llvm::jitlink::LinkGraph &graph,
                OnAllocatedFunction done) override {
    if (auto sizes = llvm::jitlink::BasicLayout(graph).getContiguousPageBasedLayoutSizes(page_bytes_)) {
      std::lock_guard lock(mutex_);
      given_[library] += sizes->StandardSegs; // other segments are freed at the end of the link
    } else {
      llvm::consumeError(sizes.takeError()); // memory_->allocate reports this error
    }
    memory_->allocate(library, graph, std::move(done));
  }
  void deallocate(std::vector<FinalizedAlloc> memory, OnDeallocatedFunction done) override {
    memory_->deallocate(std::move(memory), std::move(done));
  }
  /// Returns the bytes allocated for the library since the last call, and resets the count.
  uint64_t take_given(const llvm::jitlink::JITLinkDylib *library) {
    std::lock_guard lock(mutex_);
    auto found = given_.extract(library);
    return found ? found.mapped() : 0;
  }

private:
  std::unique_ptr<llvm::jitlink::InProcessMemoryManager> memory_;
  const uint64_t page_bytes_;
  std::mutex mutex_;
  std::map<const llvm::jitlink::JITLinkDylib *, uint64_t> given_;
};

/// Collects a linked object's addresses for VisibleCode.
class LinkObserver final : public orc::ObjectLinkingLayer::Plugin {
public:
  void modifyPassConfig(orc::MaterializationResponsibility &responsibility, llvm::jitlink::LinkGraph &,
                        llvm::jitlink::PassConfiguration &passes) override {
    const void *library = &responsibility.getTargetJITDylib();
    passes.PostFixupPasses.push_back([this, library](llvm::jitlink::LinkGraph &graph) {
      LinkedCode linked = describe(graph);
      std::lock_guard lock(mutex_);
      linked_[library] = std::move(linked);
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(orc::MaterializationResponsibility &responsibility) override {
    (void)take(&responsibility.getTargetJITDylib());
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(orc::JITDylib &, orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(orc::JITDylib &, orc::ResourceKey, orc::ResourceKey) override {}

  LinkedCode take(const void *library) {
    std::lock_guard lock(mutex_);
    auto found = linked_.extract(library);
    return found ? std::move(found.mapped()) : LinkedCode();
  }

private:
  static LinkedCode describe(llvm::jitlink::LinkGraph &graph) {
    LinkedCode linked;
    for (llvm::jitlink::Section &section : graph.sections())
      if (!section.empty())
        linked.sections[section.getName().str()] = llvm::jitlink::SectionRange(section).getStart().getValue();
    for (llvm::jitlink::Symbol *symbol : graph.defined_symbols())
      if (symbol->hasName() && symbol->isCallable() && symbol->getSize())
        // After fixup, the symbol's bytes are at their final address.
        linked.functions.push_back({(*symbol->getName()).str(),
                                    symbol->getAddress().getValue(),
                                    {symbol->getAddress().toPtr<const char *>(), symbol->getSize()}});
    return linked;
  }
  std::mutex mutex_;
  std::map<const void *, LinkedCode> linked_; ///< key: library; under the mutex
};

} // namespace

struct NativeLoader::State {
  std::shared_ptr<VisibleCode> visible;     ///< null: not registered with tools
  std::shared_ptr<HostFunctions> functions; ///< null: no host functions
  LinkObserver *links = nullptr;            ///< owned by the layer; null: `visible` is null
  std::once_flag once;
  std::unique_ptr<orc::ExecutionSession> session;
  std::unique_ptr<orc::ObjectLinkingLayer> layer;
  CountedMemory *memory = nullptr;  ///< owned by the layer
  orc::JITDylib *process = nullptr; ///< symbols for objects: this process, and Kiln's own functions
  std::string failure;
  std::atomic<uint64_t> next{0};

  void start() {
    if (llvm::Error error = try_to_start()) failure = llvm::toString(std::move(error));
  }
  llvm::Error try_to_start() {
    auto control = orc::SelfExecutorProcessControl::Create();
    if (!control) return control.takeError();
    session = std::make_unique<orc::ExecutionSession>(std::move(*control));
    session->setErrorReporter([](llvm::Error error) {
      link_reports() += (link_reports().empty() ? "" : "; ") + llvm::toString(std::move(error));
    });
    auto pages = llvm::jitlink::InProcessMemoryManager::Create();
    if (!pages) return pages.takeError();
    auto counted = std::make_unique<CountedMemory>(std::move(*pages));
    memory = counted.get();
    layer = std::make_unique<orc::ObjectLinkingLayer>(*session, std::move(counted));
    if (visible) {
      auto observer = std::make_shared<LinkObserver>();
      links = observer.get();
      layer->addPlugin(std::move(observer));
    }
    process = &session->createBareJITDylib("kiln.process");
    if (functions) process->addGenerator(std::make_unique<HostFunctionGenerator>(*functions));
    auto symbols = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0');
    if (!symbols) return symbols.takeError();
    process->addGenerator(std::move(*symbols));
    orc::SymbolMap own;
    for (const HostSymbol &symbol : own_host_symbols())
      own[session->intern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                           llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    return process->define(orc::absoluteSymbols(std::move(own)));
  }
  ~State() {
    if (session) llvm::consumeError(session->endSession());
  }
};

struct NativeCode::State {
  std::shared_ptr<NativeLoader::State> loader;
  orc::JITDylib &library;
  std::unique_ptr<VisibleCode::Entry> entry = {};
  ~State() {
    entry.reset();                        // unregister from tools before the code is freed
    loader->memory->take_given(&library); // a later library may get this address
    llvm::consumeError(loader->session->removeJITDylib(library));
  }
};

NativeCode::NativeCode(std::unique_ptr<State> state, void *entry, uint64_t bytes)
    : HostCode(entry, bytes), state_(std::move(state)) {}
NativeCode::~NativeCode() = default;

NativeLoader::NativeLoader(std::shared_ptr<VisibleCode> visible, std::shared_ptr<HostFunctions> functions)
    : state_(std::make_shared<State>()) {
  state_->visible = std::move(visible);
  state_->functions = std::move(functions);
}
NativeLoader::~NativeLoader() = default;

/// Error: Machine for an object of another processor, which the target native can make.
static Result<void> check_machine(std::string_view object, const std::string &entry) {
#if defined(__aarch64__)
  constexpr uint16_t host = llvm::ELF::EM_AARCH64;
#else
  constexpr uint16_t host = llvm::ELF::EM_X86_64;
#endif
  llvm::ELF::Elf64_Ehdr header{};
  if (object.size() < sizeof header) return internal_error(fmt::format("loading {}: no object", entry));
  std::memcpy(&header, object.data(), sizeof header);
  if (header.e_machine == host) return {};
  return machine_error(fmt::format("{} is code for another kind of CPU than this processor", entry),
                       "name a CPU of this machine, or none (option --arch)");
}

Result<std::shared_ptr<NativeCode>> NativeLoader::load(std::string_view object, const std::string &entry) {
  KILN_CHECK(check_machine(object, entry));
  State &s = *state_;
  std::call_once(s.once, [&] { s.start(); });
  if (!s.failure.empty()) return internal_error("the loader of native code cannot start: " + s.failure);
  auto &library = s.session->createBareJITDylib("kiln." + std::to_string(s.next.fetch_add(1)));
  auto state = std::unique_ptr<NativeCode::State>(new NativeCode::State{state_, library});
  library.addToLinkOrder(*s.process);
  if (auto error = s.layer->add(library, llvm::MemoryBuffer::getMemBufferCopy(
                                             llvm::StringRef(object.data(), object.size()), entry)))
    return to_error(std::move(error), "adding an object");
  link_reports().clear();
  missing_host_function().reset();
  auto found = s.session->lookup({&library}, s.session->intern(entry));
  if (!found) {
    std::string why = llvm::toString(found.takeError());
    if (!link_reports().empty()) why = link_reports();
    if (missing_host_function()) return std::move(*std::exchange(missing_host_function(), std::nullopt));
    return internal_error(fmt::format("loading {}: {}", entry, why));
  }
  publish_code(found->getAddress().toPtr<void *>(), 0); // JITLink has invalidated the caches
  if (s.links) state->entry = s.visible->add(object, s.links->take(&library));
  return std::shared_ptr<NativeCode>(new NativeCode(std::move(state), found->getAddress().toPtr<void *>(),
                                                    s.memory->take_given(&library) + library_bytes));
}

} // namespace kiln
