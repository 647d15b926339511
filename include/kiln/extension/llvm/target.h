// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface of a target: its triple, options and capabilities, and its hooks in the flow. Kiln's own two
// targets use the same interface as one outside its tree.
#pragma once

#include <kiln/extension/language/embedded.h>
#include <kiln/extension/llvm/assembler.h>
#include <kiln/job.h>

#include <functional>
#include <optional>
#include <span>
#include <variant>

namespace llvm {
class Module;
class Function;
class TargetMachine;
} // namespace llvm

namespace kiln {

class Worker; ///< of llvm_support: state that a thread keeps between jobs

/// Which target made something. Two targets, or two versions of one target, share nothing in the caches.
struct TargetIdentity {
  std::string name, version;
  auto operator<=>(const TargetIdentity &) const = default;
};

/// When a rewrite runs: before the device runtime and libraries are linked, or on the linked module.
enum class RewritePhase : uint8_t { Emitted, Linked };

class Target;

/// Gives the value of one option of a target, if it has one: from JSON, from the fields of an entry. Errors:
/// a value that does not fit.
using TargetOptionPlace = std::variant<bool *, int *, uint32_t *, std::string *, std::array<uint32_t, 3> *>;
using TargetOptionReader = std::function<Result<void>(std::string_view name, TargetOptionPlace place)>;

/// Options as `read` returns them, one by one; unset ones keep their defaults.
template <TargetOptions Options> Result<TargetSpec> read_options(const TargetOptionReader &read) {
  Options options;
  Result<void> done;
  Options::visit(options, [&](std::string_view name, auto &field) {
    if (done.ok()) done = read(name, &field);
  });
  KILN_CHECK(std::move(done));
  return TargetSpec(std::move(options));
}

/// One rewrite of a module: a name for the timing table and the function.
struct Rewrite {
  const char *name;
  Result<void> (*run)(const Target &target, const CompilerConfig &config, llvm::Module &module);
  /// Runs on the module of a nested job (CompilerConfig::nested) too, with that job's target and config,
  /// before the module is linked into the whole program. The rewrites of the job's own target run on the
  /// whole program as ever. Set it if the rewrite depends on the nested job's options or target and needs no
  /// entry.
  bool on_nested = false;
};

/// First parameters of a function that needs the kernel state. They decide how it reports an exception.
enum class KernelStateType : uint8_t {
  NativeThread,    ///< a pointer to an abi::NativeThread, then the thread's index; an exception jumps back to
                   ///< the block's executor
  ExceptionRecord, ///< the address of an abi::ExceptionRecord, or 0, by value; an exception ends the thread
  None,            ///< nothing; an exception is reported by the target's runtime_module, or by a trap
};

/// Properties of a target, which the stages use instead of its name. A plain value, equal for all jobs of one
/// target and spec. The defaults are those of a CPU.
struct TargetCapabilities {
  // ---- execution
  bool runs_on_host = true; ///< code runs in this process, on the CPU device; else it is loaded on a GPU
  /// The CPU device runs its kernels: its rewrites turn an entry into an abi::NativeKernel, which runs a
  /// block.
  bool runs_kernels_on_host = false;
  KernelStateType kernel_state = KernelStateType::NativeThread;
  /// Threads run in lockstep and may wait for each other in a call: LLVM must not make a call depend on more
  /// conditions.
  bool convergent_calls = false;
  bool can_check_accesses = true; ///< CompilerConfig::check
  bool can_interrupt = true;      ///< CompilerConfig::interruptible
  bool can_throw = true; ///< an exception is reported; else it is llvm.trap, and names and frames are dropped
  // ---- memory
  bool address_spaces = false; ///< pointers have the language's address spaces; else there is one
  unsigned max_atomic_bytes = 16;
  /// LLVM's name of the synchronisation scope in which atomics hold; empty: the system
  std::string_view atomic_scope;
  /// a load of what nothing writes meanwhile may go through a cache for constants
  bool read_only_loads = false;
  // ---- arithmetic
  bool nan_minmax = false;        ///< llvm.minimum and llvm.maximum of 16 and 32 bits are instructions
  bool fuses_operations = false;  ///< products and sums are fused by default
  bool fast_math_flushes = false; ///< fast math makes 32-bit denormals zero
  // ---- optimisation
  bool vectorizes_loops = true;
  /// the least CompilerConfig::opt_level at which code generation optimises, too
  int optimizes_code_from = 1;
  uint64_t inline_limit = 120; ///< instructions up to which a function with several callers is inlined
  // ---- debug information and products
  /// Tools show one line an instruction, and no frames, below debug level 2. Then the line is that of the
  /// user's own code, exceptions have no frames, and line tables are directives of the assembly.
  bool one_line_an_instruction = false;
  bool makes_objects = true;                 ///< ArtifactKind::Object
  bool makes_cubins = false;                 ///< ArtifactKind::Cubin: make_assembler returns one
  std::string_view assembly_extension = "s"; ///< of files that hold its assembly
};

/// A target of code generation. One immutable object, shared by all threads. Hooks are listed in the
/// order in which the driver meets them; each has a default that does nothing. libkiln.so does not export it:
/// a derived class links the archive.
class Target {
public:
  virtual ~Target();
  virtual std::string_view name() const = 0; ///< "native", "ptx"
  /// Change it whenever the target compiles a job differently. Targets in Kiln's own tree keep theirs: the
  /// build's digest, which is part of the toolchain in the keys, covers them.
  virtual std::string_view version() const = 0;
  /// Enters both keys.
  TargetIdentity identity() const { return {std::string(name()), std::string(version())}; }

  /// Fills defaults (host cpu) and rejects a spec that LLVM would ignore, warn about or silently change.
  virtual Result<TargetSpec> check(TargetSpec spec) const = 0;
  /// A spec with the options that `read` returns by name (read_options). Error: Usage for a target whose
  /// options have no text form.
  virtual Result<TargetSpec> read_spec(const TargetOptionReader &) const {
    return usage_error("the options of the " + std::string(name()) + " target cannot be read");
  }
  /// The spec for this device, with the options that are left to the device. Error: Usage, if the device
  /// cannot run the code.
  virtual Result<TargetSpec> for_device(TargetSpec spec, const DeviceFacts &) const { return spec; }
  /// The spec for another architecture, by its name ("sm_90a"). None: the target has no such architectures.
  virtual std::optional<TargetSpec> for_architecture(const TargetSpec &, std::string_view) const {
    return std::nullopt;
  }
  /// A spec with which a job for the device may succeed that failed with this error. None: there is none.
  virtual std::optional<TargetSpec> retry(const Error &, const TargetSpec &, const DeviceFacts &) const {
    return std::nullopt;
  }
  /// The spec as code for NVIDIA GPUs. None: its code runs elsewhere. Must not throw.
  virtual std::optional<GpuCode> gpu_code(const TargetSpec &) const { return std::nullopt; }
  virtual std::string triple(const TargetSpec &spec) const = 0;
  virtual std::string cpu(const TargetSpec &spec) const = 0;
  virtual std::string features(const TargetSpec &spec) const = 0;
  virtual std::string data_layout(const TargetSpec &spec) const = 0;
  virtual unsigned dwarf_version() const { return 4; }
  virtual TargetCapabilities capabilities(const TargetSpec &spec) const = 0;

  /// Name of the overlay method table; empty: none. Its sources are evaluated into it when a session opens. A
  /// target that wraps another one names that one's table behind its own, which is searched first:
  /// "mine+ptx".
  virtual std::string_view overlay() const { return {}; }
  virtual std::vector<EmbeddedSource> overlay_sources() const { return {}; }

  /// Registers the parts of LLVM that the target needs, if Kiln has not done so (x86 and NVPTX). Called
  /// before each job; must be thread-safe.
  virtual void initialize_llvm() const {}

  // ---- hooks, in the order of the pipeline
  virtual Result<void> prepare_job(const CompilerConfig &) const { return {}; }
  /// Right after emission: calling conventions, annotations of the entry.
  virtual Result<void> finish_module(const CompilerConfig &, llvm::Module &,
                                     llvm::Function & /*entry*/) const {
    return {};
  }
  /// The target's own rewrites, run after the common ones of that phase (rewrite/rewrites.def).
  virtual std::vector<Rewrite> rewrites(RewritePhase) const { return {}; }
  /// LLVM's text of functions that jobs of this config may call. Before link_libraries a module gets the
  /// functions that it calls. With KernelStateType::None the text defines the function that reports an
  /// exception:
  /// `void @kiln_report_exception(i32 kind, ptr name, ptr location)`, which must not return; `kind` is an
  /// abi::ExceptionKind, the texts end with a zero byte, and are null at debug level 0.
  virtual std::string runtime_module(const CompilerConfig &) const { return {}; }
  /// Gives bodies to the functions of the target's device library (libdevice) that the module calls. A module
  /// that calls none does not touch the library. It stays resident in the worker.
  virtual Result<void> link_libraries(const CompilerConfig &, llvm::Module &, Worker &) const { return {}; }
  /// Returns true if link_libraries would link code of the device library into the module.
  virtual bool calls_library(const llvm::Module &) const { return false; }
  /// Digest of the device library's bytes; empty if the target has none, or none was found.
  virtual std::string library_digest() const { return {}; }
  virtual Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// Called after the middle-end, and like it only if CompilerConfig::optimize is set. Changes that code
  /// generation needs belong into rewrites() or finish_ir.
  virtual Result<void> optimize_module(const CompilerConfig &, llvm::Module &, llvm::TargetMachine &) const {
    return {};
  }
  virtual Result<void> finish_ir(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// Decides whether the threads of a kernel may process several elements each, and in which form. Called on
  /// the module in its last form if CompilerConfig::optimize is set. With CompilerConfig::coarsen it adds the
  /// second entry to the module. `why_not` gets the reason if there can be none.
  virtual Result<Coarsening> coarsen(const CompilerConfig &, llvm::Module &,
                                     std::string & /*why_not*/) const {
    return Coarsening();
  }
  /// Functions that may stay undefined: vprintf, malloc, the native runtime's.
  virtual bool is_intrinsic(std::string_view /*function*/) const { return false; }
  /// Returns true if the entry of the module, as it goes to code generation, waits for the whole grid.
  virtual bool needs_cooperative_launch(const llvm::Module &) const { return false; }
  virtual Result<void> validate_ir(const CompilerConfig &, const llvm::Module &) const { return {}; }
  /// Makes the assembler, from the text to code that the device loads. Called once a session, when a job
  /// first needs it. Error: Usage for a target without one, Machine if it is missing.
  virtual Result<std::unique_ptr<Assembler>> make_assembler() const {
    return usage_error("the " + std::string(name()) + " target has no assembler");
  }
  /// Files that identify the assembler, whether they exist or not: it is another assembler only if one of
  /// these files changes.
  virtual std::vector<std::string> assembler_files() const { return {}; }
  /// Last word on the text: renumbering of LLVM's process-global counters.
  virtual Result<std::string> finish_assembly(const CompilerConfig &, std::string text) const { return text; }
};

} // namespace kiln
