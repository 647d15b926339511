// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker.h"

#include "fatal_errors.h"
#include "large_functions.h"
#include "needed_passes.h"
#include "timed_passes.h"

#include <job/job.h>
#include <kiln/extension/language/internal/stage_timer.h>

#include <llvm/ADT/SmallString.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>

#include <fmt/format.h>

namespace kiln {
namespace {

/// Number of jobs after which a worker's context is replaced. A context keeps 20-50 KB per job. A new context
/// costs 3 µs, and 1 ms if the device library must be parsed again.
constexpr unsigned JobsPerContext = 256;

llvm::CodeGenOptLevel code_generation_level(int opt_level) {
  switch (opt_level) {
  case 0: return llvm::CodeGenOptLevel::None;
  case 1: return llvm::CodeGenOptLevel::Less;
  case 2: return llvm::CodeGenOptLevel::Default;
  default: return llvm::CodeGenOptLevel::Aggressive;
  }
}

/// Collects LLVM's errors and warnings. LLVM's default handler calls exit(1) on an error.
template <class Messages> class CollectDiagnostics final : public llvm::DiagnosticHandler {
public:
  explicit CollectDiagnostics(Messages &messages) : messages_(messages) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error && info.getSeverity() != llvm::DS_Warning) return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    (info.getSeverity() == llvm::DS_Error ? messages_.errors : messages_.warnings).push_back(std::move(text));
    return true;
  }

private:
  Messages &messages_;
};

/// A code-generation pipeline that is used again, and the stream it writes to.
struct Pipeline {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream{bytes};
  std::unique_ptr<TimedPasses> timed; ///< null: no timing rows requested
  llvm::legacy::PassManager passes;
};

/// Adds the passes that CodeGenTargetMachineImpl::addPassesToEmitFile adds, with access to the pass
/// configuration. Returns false if the target cannot emit this file type.
bool add_code_generation(llvm::TargetMachine &machine, llvm::legacy::PassManagerBase &passes,
                         llvm::raw_pwrite_stream &into, llvm::CodeGenFileType file) {
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine); // `passes` owns it, and `config`
  llvm::TargetPassConfig *config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  if (machine.getOptLevel() != llvm::CodeGenOptLevel::None) leave_sinking_out_of_large_functions(*config);
  passes.add(config);
  passes.add(info);
  if (config->addISelPasses()) return false;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, into, nullptr, file, info->getMMI().getContext())) return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}

} // namespace

#if defined(__aarch64__)
static constexpr bool is_aarch64_host = true;
#else
static constexpr bool is_aarch64_host = false;
#endif

/// Registers the target for the CPUs that the host is not one of. Most processes never use it.
static void initialize_other_cpu() {
#if defined(__aarch64__)
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
#else
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  LLVMInitializeAArch64AsmParser();
#endif
}

void initialize_targets(const llvm::Triple &triple) {
  static std::once_flag once, other;
  if (triple.isAArch64() ? !is_aarch64_host : triple.isX86() && is_aarch64_host)
    std::call_once(other, initialize_other_cpu);
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser(); // for inline assembly in objects
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

MachineSpec machine_spec(const Target &target, const CompilerConfig &config) {
  target.initialize_llvm();
  const TargetCapabilities capabilities = target.capabilities(config.target);
  return MachineSpec{target.triple(config.target),
                     target.cpu(config.target),
                     target.features(config.target),
                     config.opt_level < capabilities.optimizes_code_from ? 0 : config.opt_level,
                     capabilities.fuses_operations && config.target.contracts(true),
                     capabilities.reuses_machine};
}

struct Worker::Machine {
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<Pipeline> pipelines[2][2]; ///< by OutputKind, and with the passes that expand operations
};

Worker::Worker() : messages_(std::make_unique<Messages>()) { renew_context(); }
Worker::~Worker() = default;

llvm::LLVMContext &Worker::context() { return *context_; }

void Worker::renew_context() {
  kept_in_context_.clear();
  context_ = std::make_unique<llvm::LLVMContext>();
  context_->setDiagnosticHandler(std::make_unique<CollectDiagnostics<Messages>>(*messages_));
  jobs_in_context_ = 0;
}

void Worker::begin_job() {
  if (++jobs_in_context_ > JobsPerContext) renew_context();
  messages_->errors.clear();
  messages_->warnings.clear();
}

std::vector<std::string> Worker::take_errors() { return std::exchange(messages_->errors, {}); }
std::vector<std::string> Worker::take_warnings() { return std::exchange(messages_->warnings, {}); }

Result<std::unique_ptr<Worker::Machine>> Worker::make_machine(const MachineSpec &spec) {
  const llvm::Triple triple(spec.triple);
  initialize_targets(triple);
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target) return machine_error(fmt::format("this LLVM has no target for {}: {}", spec.triple, reason));
  llvm::TargetOptions options;
  options.AllowFPOpFusion = spec.fast_fusion ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Standard;
  auto made = std::make_unique<Machine>();
  // Position-independent code, since a JIT linker may place it more than 2 GB from the host's functions.
  made->machine.reset(target->createTargetMachine(triple, spec.cpu, spec.features, options, llvm::Reloc::PIC_,
                                                  llvm::CodeModel::Small,
                                                  code_generation_level(spec.opt_level)));
  if (!made->machine)
    return machine_error(fmt::format("LLVM cannot generate code for {} {}", spec.triple, spec.cpu));
  return made;
}

Result<Worker::Machine *> Worker::find_machine(const MachineSpec &spec) {
  if (auto it = machines_.find(spec); it != machines_.end()) return it->second.get();
  KILN_TRY(std::unique_ptr<Machine> made, make_machine(spec));
  return machines_.emplace(spec, std::move(made)).first->second.get();
}

Result<llvm::TargetMachine *> Worker::machine(const MachineSpec &spec) {
  KILN_TRY(Machine * found, find_machine(spec));
  return found->machine.get();
}

/// True if the pipeline must not be used again after this module, because LLVM 22.1.8 keeps state of it. For
/// CPUs, only the first module's assembly gets the directive `.text`. NVPTX keeps shared variables by the
/// address of their function, so that a later function at that address prints freed memory. NVPTX also leaves
/// a section open after full debug information.
static bool outlives_its_module(const llvm::Module &module, OutputKind kind) {
  if (!module.getTargetTriple().isNVPTX()) return kind == OutputKind::Assembly;
  for (const llvm::GlobalVariable &variable : module.globals())
    if (variable.hasLocalLinkage() && variable.getAddressSpace() == 3) return true;
  for (const llvm::DICompileUnit *unit : module.debug_compile_units())
    if (unit->getEmissionKind() == llvm::DICompileUnit::FullDebug) return true;
  return false;
}

Result<std::string> Worker::generate(llvm::Module &module, const MachineSpec &spec, OutputKind kind) {
  return catch_fatal_errors(*this, [&]() -> Result<std::string> {
    std::unique_ptr<Machine> of_this_module;
    Machine *kept = nullptr;
    if (!spec.is_reusable) {
      KILN_TRY(of_this_module, make_machine(spec));
      kept = of_this_module.get();
    } else {
      KILN_TRY(kept, find_machine(spec));
    }
    Timer *const timer = Timer::of_thread();
    std::unique_ptr<Pipeline> of_this_run; // kept pipelines have no clocks
    const bool times_passes = timer && timer->wants_passes();
    const bool has_list = kept->machine->getTargetTriple().isNVPTX();
    const bool expands = !has_list || has_operations_to_expand(module);
    std::unique_ptr<Pipeline> &pipeline =
        times_passes ? of_this_run : kept->pipelines[static_cast<int>(kind)][expands];
    if (!pipeline) {
      auto made = std::make_unique<Pipeline>();
      if (times_passes) made->timed = std::make_unique<TimedPasses>(made->passes, *timer);
      llvm::legacy::PassManagerBase &passes =
          made->timed ? static_cast<llvm::legacy::PassManagerBase &>(*made->timed) : made->passes;
      auto file = kind == OutputKind::Assembly ? llvm::CodeGenFileType::AssemblyFile
                                               : llvm::CodeGenFileType::ObjectFile;
      PassesForPtx for_ptx(passes, expands);
      llvm::legacy::PassManagerBase &needed = has_list ? for_ptx : passes;
      if (!add_code_generation(*kept->machine, needed, made->stream, file))
        return machine_error(fmt::format("LLVM cannot write {} for {}",
                                         kind == OutputKind::Assembly ? "assembly" : "objects", spec.triple));
      pipeline = std::move(made);
    }
    bool keep = !outlives_its_module(module, kind);
    pipeline->bytes.clear();
    pipeline->passes.run(module);
    if (pipeline->timed) pipeline->timed->finish();
    std::string bytes(pipeline->bytes.data(), pipeline->bytes.size());
    if (!keep) pipeline.reset();
    return bytes;
  });
}

/// Number of workers that this thread holds now, of any pool.
static thread_local unsigned workers_of_thread = 0;

WorkerPool::Lease WorkerPool::acquire() {
  std::unique_ptr<Worker> worker;
  {
    std::unique_lock lock(mutex_);
    if (limit_ && workers_of_thread == 0 && lent_ >= limit_) {
      StageScope scope(Timer::of_thread(), Stage::WaitForWorker);
      given_back_.wait(lock, [&] { return lent_ < limit_; });
    }
    lent_++;
    if (!idle_.empty()) {
      worker = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!worker) {
    try {
      worker = std::make_unique<Worker>();
    } catch (...) { // out of memory
      std::lock_guard lock(mutex_);
      lent_--;
      given_back_.notify_one();
      throw;
    }
    made_.fetch_add(1, std::memory_order_relaxed);
  }
  worker->begin_job();
  workers_of_thread++;
  return Lease(*this, std::move(worker));
}

void WorkerPool::release(std::unique_ptr<Worker> worker) {
  workers_of_thread--;
  if (worker->poisoned()) worker.reset(); // before the lock, since destroying a worker takes long
  {
    std::lock_guard lock(mutex_);
    if (worker) idle_.push_back(std::move(worker));
    lent_--;
  }
  given_back_.notify_one();
}

} // namespace kiln
