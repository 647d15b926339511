// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Target: a target of code generation, with its triple, options, capabilities and hooks in the
// pipeline. Kiln's own targets native and ptx use the same interface as targets of embedders.
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

class Worker; ///< LLVM objects that a thread keeps between jobs (component llvm_support)

/// Name and version of the target that made a product. Caches share nothing between different targets or
/// versions.
struct TargetIdentity {
  std::string name, version;
  auto operator<=>(const TargetIdentity &) const = default;
};

/// When a rewrite runs: on the emitted module, before libraries are linked, or on the linked module.
enum class RewritePhase : uint8_t { Emitted, Linked };

class Target;

/// Address of an option field that a TargetOptionReader sets. The reader looks the option up by name, for
/// example in JSON, and sets the field if a value exists. Error: the value does not fit.
using TargetOptionPlace = std::variant<bool *, int *, uint32_t *, std::string *, std::array<uint32_t, 3> *>;
using TargetOptionReader = std::function<Result<void>(std::string_view name, TargetOptionPlace place)>;

/// Makes a spec by reading each option with `read`. Options that `read` does not set keep their defaults.
template <TargetOptions Options> Result<TargetSpec> read_options(const TargetOptionReader &read) {
  Options options;
  Result<void> done;
  Options::visit(options, [&](std::string_view name, auto &field) {
    if (done.ok()) done = read(name, &field);
  });
  KILN_CHECK(std::move(done));
  return TargetSpec(std::move(options));
}

/// A rewrite: a function that changes an LLVM module, and its name in the timing table.
struct Rewrite {
  const char *name;
  Result<void> (*run)(const Target &target, const CompilerConfig &config, llvm::Module &module);
  /// Also runs on modules of nested jobs (CompilerConfig::nested), with the nested job's target and config,
  /// before they are linked into the whole program. Set it if the rewrite depends on the nested job's options
  /// or target and needs no entry. The outer job's rewrites run on the whole program in any case.
  bool on_nested = false;
};

/// Form of the kernel state: the first parameters of functions that need it. It decides how a function
/// reports an exception.
enum class KernelStateType : uint8_t {
  /// A pointer to an abi::NativeThread, then the thread's index. An exception jumps back to the block's
  /// executor.
  NativeThread,
  /// The address of an abi::ExceptionRecord by value, or 0. An exception ends the thread: the target lowers
  /// calls of kiln.end_thread (lib/rewrite/rewrite.h).
  ExceptionRecord,
  None, ///< no parameter; the target's runtime_module reports an exception, or a trap does
};

/// Properties of a target, on which the stages decide instead of on the target's name. A plain value, equal
/// for all jobs with the same spec. The defaults are those of a CPU.
struct TargetCapabilities {
  // ---- execution
  /// The code runs in this process, on the CPU device; false: it is loaded on a device of the kind `device`.
  bool runs_on_host = true;
  DeviceKind device = DeviceKind::Cuda; ///< kind of the devices that load the code, unless runs_on_host
  /// The CPU device can run the target's kernels: its rewrites turn an entry into an abi::NativeKernel, which
  /// runs a block.
  bool runs_kernels_on_host = false;
  KernelStateType kernel_state = KernelStateType::NativeThread;
  /// Threads run in lockstep and may wait for each other within a call. LLVM must then not make calls depend
  /// on additional conditions (`convergent`).
  bool convergent_calls = false;
  bool can_check_accesses = true; ///< CompilerConfig::check
  bool can_interrupt = true;      ///< CompilerConfig::interruptible
  bool can_throw = true; ///< exceptions are reported; false: they become llvm.trap, without names and frames
  /// The host cannot read the device's constants: a thread that reports an exception copies the texts into
  /// the record.
  bool copies_exception_texts = false;
  // ---- memory
  bool address_spaces = false; ///< pointers have the language's address spaces; false: all have one space
  unsigned max_atomic_bytes = 16;
  /// LLVM's synchronisation scope of atomics; empty: the system scope.
  std::string_view atomic_scope;
  /// Loads of memory that nothing writes meanwhile may use a read-only cache.
  bool read_only_loads = false;
  // ---- arithmetic
  bool nan_minmax = false;        ///< 16- and 32-bit llvm.minimum and llvm.maximum are single instructions
  bool fuses_operations = false;  ///< fuse products and sums unless the job's config says otherwise
  bool fast_math_flushes = false; ///< with fast math, 32-bit denormal numbers are flushed to zero
  // ---- optimisation
  bool vectorizes_loops = true;
  /// LLVM's TargetMachine may generate code for several modules; false: it keeps state of a module.
  bool reuses_machine = true;
  /// Lowest CompilerConfig::opt_level at which code generation optimises too.
  int optimizes_code_from = 1;
  /// Maximum instructions of a function with several callers that is still inlined.
  uint64_t inline_limit = 120;
  // ---- debug information and products
  /// Below debug level 2, tools show one source line per instruction and no inlined frames. Line tables then
  /// hold the line in the user's code, and exceptions have no frames. Line tables are assembly directives.
  bool one_line_an_instruction = false;
  bool makes_objects = true;                 ///< ArtifactKind::Object
  bool makes_cubins = false;                 ///< ArtifactKind::Cubin: make_assembler returns an assembler
  std::string_view assembly_extension = "s"; ///< file name extension of its assembly
};

/// A target of code generation. One immutable object, shared by all threads. Hooks are declared in the order
/// of the pipeline; their defaults do nothing. libkiln.so does not export this class: a program with a
/// derived class must link the static library.
class Target {
public:
  virtual ~Target();
  virtual std::string_view name() const = 0; ///< "native", "ptx"
  /// Version of the target. Change it whenever the target changes its products. Kiln's own targets never
  /// change it, since cache keys contain the digest of Kiln's build.
  virtual std::string_view version() const = 0;
  /// Returns name and version, which are part of the keys of both cache levels.
  TargetIdentity identity() const { return {std::string(name()), std::string(version())}; }

  /// Fills in defaults, such as the host's CPU. Returns an error for options that LLVM would ignore, warn
  /// about or silently change.
  virtual Result<TargetSpec> check(TargetSpec spec) const = 0;
  /// Makes a spec from options that `read` supplies by name (read_options). Error: Usage for a target whose
  /// options have no text form.
  virtual Result<TargetSpec> read_spec(const TargetOptionReader &) const {
    return usage_error("the options of the " + std::string(name()) + " target cannot be read");
  }
  /// Returns the spec for a device: sets the options that depend on the device. Error: Usage if the device
  /// cannot run the code.
  virtual Result<TargetSpec> for_device(TargetSpec spec, const DeviceFacts &) const { return spec; }
  /// Returns the spec for another architecture, by name ("sm_90a"). No value: the target does not have that
  /// architecture.
  virtual std::optional<TargetSpec> for_architecture(const TargetSpec &, std::string_view) const {
    return std::nullopt;
  }
  /// Returns a changed spec with which a failed job for the device may succeed. No value: there is no such
  /// spec.
  virtual std::optional<TargetSpec> retry(const Error &, const TargetSpec &, const DeviceFacts &) const {
    return std::nullopt;
  }
  /// Returns the properties of the spec's code for NVIDIA GPUs. No value: the code runs elsewhere. Must not
  /// throw.
  virtual std::optional<GpuCode> gpu_code(const TargetSpec &) const { return std::nullopt; }
  virtual std::string triple(const TargetSpec &spec) const = 0;
  virtual std::string cpu(const TargetSpec &spec) const = 0;
  virtual std::string features(const TargetSpec &spec) const = 0;
  virtual std::string data_layout(const TargetSpec &spec) const = 0;
  virtual unsigned dwarf_version() const { return 4; }
  virtual TargetCapabilities capabilities(const TargetSpec &spec) const = 0;

  /// Name of the target's overlay method table; empty: none. When a session opens, overlay_sources() are
  /// loaded into the table. A target that wraps another one appends that target's table: "mine+ptx". The
  /// first table is searched first.
  virtual std::string_view overlay() const { return {}; }
  virtual std::vector<EmbeddedSource> overlay_sources() const { return {}; }

  /// Initialises the LLVM backend of the target; Kiln does so for x86 and NVPTX. Called before each job; must
  /// be thread-safe.
  virtual void initialize_llvm() const {}

  // ---- hooks, in the order of the pipeline
  virtual Result<void> prepare_job(const CompilerConfig &) const { return {}; }
  /// Runs right after emission: sets calling conventions and annotations of the entry.
  virtual Result<void> finish_module(const CompilerConfig &, llvm::Module &,
                                     llvm::Function & /*entry*/) const {
    return {};
  }
  /// Returns the target's own rewrites of a phase, which run after the common ones
  /// (lib/rewrite/rewrites.def).
  virtual std::vector<Rewrite> rewrites(RewritePhase) const { return {}; }
  /// Returns LLVM IR text of functions that jobs with this config may call. Before link_libraries, the
  /// functions that a module calls are linked into it. With KernelStateType::None, the text must define the
  /// function that reports an exception: `void @kiln_report_exception(i32 kind, ptr name, ptr location)`,
  /// which must not return; `kind` is an abi::ExceptionKind, the texts end with a zero byte, and are null at
  /// debug level 0.
  virtual std::string runtime_module(const CompilerConfig &) const { return {}; }
  /// Links the functions of the target's device library (libdevice) that the module calls. A module that
  /// calls none does not load the library. The loaded library stays in the Worker.
  virtual Result<void> link_libraries(const CompilerConfig &, llvm::Module &, Worker &) const { return {}; }
  /// Returns true if link_libraries would link code of the device library into the module.
  virtual bool calls_library(const llvm::Module &) const { return false; }
  /// Returns the digest of the device library's bytes; empty if the target has none or it is missing.
  virtual std::string library_digest() const { return {}; }
  virtual Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// Runs after LLVM's optimisation, only if CompilerConfig::optimize is set. Put changes that code
  /// generation requires into rewrites() or finish_ir instead.
  virtual Result<void> optimize_module(const CompilerConfig &, llvm::Module &, llvm::TargetMachine &) const {
    return {};
  }
  /// Applies the last changes before code generation, after coarsen().
  virtual Result<void> finish_ir(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// Determines if a kernel can be coarsened, so that its threads handle several elements each. Called on the
  /// optimised module if CompilerConfig::optimize is set. With CompilerConfig::coarsen, adds the second entry
  /// to the module. `why_not` becomes the reason if the kernel cannot be coarsened.
  virtual Result<Coarsening> coarsen(const CompilerConfig &, llvm::Module &,
                                     std::string & /*why_not*/) const {
    return Coarsening();
  }
  /// Returns true for functions that may stay undefined: vprintf, malloc, functions of the native runtime.
  virtual bool is_intrinsic(std::string_view /*function*/) const { return false; }
  /// Returns true if the entry of the final module contains a grid barrier.
  virtual bool needs_cooperative_launch(const llvm::Module &) const { return false; }
  virtual Result<void> validate_ir(const CompilerConfig &, const llvm::Module &) const { return {}; }
  /// Makes the assembler, which turns assembly into code that the device loads. Called once per session, when
  /// a job first needs it. Error: Usage for a target without an assembler; Machine if the tool is missing.
  virtual Result<std::unique_ptr<Assembler>> make_assembler() const {
    return usage_error("the " + std::string(name()) + " target has no assembler");
  }
  /// Returns the files that determine the assembler, existing or not. The assembler changes only if one of
  /// these files changes, appears or disappears.
  virtual std::vector<std::string> assembler_files() const { return {}; }
  /// Changes the final assembly text, for example to renumber LLVM's process-global counters.
  virtual Result<std::string> finish_assembly(const CompilerConfig &, std::string text) const { return text; }
};

} // namespace kiln
