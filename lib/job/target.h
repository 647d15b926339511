// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "assembler.h"
#include "job.h"

#include <kiln/job.h>
#include <support/support.h>
#include <world/world.h>

namespace llvm {
class Module;
class Function;
class TargetMachine;
} // namespace llvm

namespace kiln {

class Worker; ///< llvm_border's: what a thread keeps between jobs

/// When a rewrite runs: before the device runtime and libraries are linked, or on the linked module.
enum class RewritePhase : uint8_t { Emitted, Linked };

/// One rewrite of a module: a name for the timing table and the function.
struct Rewrite {
  const char *name;
  Result<void> (*run)(const CompilerConfig &config, llvm::Module &module);
};

/// What code is generated for. One immutable object a kind, shared by all threads. Hooks are listed in the
/// order in which the driver meets them; each has a default that does nothing.
class Target {
public:
  virtual ~Target() = default;
  virtual TargetKind kind() const = 0;
  virtual std::string_view name() const = 0; ///< "native", "ptx"
  /// Another one wherever the target makes something else of a job than it did. Those in Kiln's own tree keep theirs: the build's
  /// digest, which is part of the toolchain in the keys, covers them.
  virtual std::string_view version() const = 0;
  /// Enters both keys.
  TargetIdentity identity() const { return {std::string(name()), std::string(version())}; }

  /// Fills defaults (host cpu) and rejects a spec that LLVM would ignore, warn about or silently change.
  virtual Result<TargetSpec> check(TargetSpec spec) const = 0;
  virtual std::string triple(const TargetSpec &spec) const = 0;
  virtual std::string cpu(const TargetSpec &spec) const = 0;
  virtual std::string features(const TargetSpec &spec) const = 0;
  virtual std::string data_layout(const TargetSpec &spec) const = 0;
  virtual unsigned dwarf_version() const { return 4; }

  /// Name of the overlay method table; empty: none. Its sources are evaluated into it when a session opens.
  virtual std::string_view overlay() const { return {}; }
  virtual std::vector<EmbeddedSource> overlay_sources() const { return {}; }

  // ---- hooks, in driver order
  virtual Result<void> prepare_job(const CompilerConfig &) const { return {}; }
  /// Right after emission: calling conventions, annotations of the entry.
  virtual Result<void> finish_module(const CompilerConfig &, llvm::Module &, llvm::Function &entry) const { return {}; }
  /// The target's own rewrites, run after the common ones of that phase (rewrite/rewrites.def).
  virtual std::vector<Rewrite> rewrites(RewritePhase) const { return {}; }
  /// Gives bodies to the functions of the target's device library (libdevice) that the module calls. A module that
  /// calls none does not touch the library. It stays resident in the worker.
  virtual Result<void> link_libraries(const CompilerConfig &, llvm::Module &, Worker &) const { return {}; }
  /// Whether link_libraries would link code of the device library into the module.
  virtual bool calls_library(const llvm::Module &) const { return false; }
  /// Digest of the device library's bytes; empty if it has none, or none is there.
  virtual std::string library_digest() const { return {}; }
  virtual Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// After the middle-end, and like that only where CompilerConfig::optimize says so: what code generation cannot do without
  /// belongs into rewrites() or finish_ir.
  virtual Result<void> optimize_module(const CompilerConfig &, llvm::Module &, llvm::TargetMachine &) const { return {}; }
  virtual Result<void> finish_ir(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// Functions that may stay undefined: vprintf, malloc, the native runtime's.
  virtual bool is_intrinsic(std::string_view function) const { return false; }
  /// Whether the module, as it goes to code generation, has its entry wait for the whole grid.
  virtual bool needs_cooperative_launch(const llvm::Module &) const { return false; }
  virtual Result<void> validate_ir(const CompilerConfig &, const llvm::Module &) const { return {}; }
  /// From the text to what the device loads. Asked for once a session, when a job first needs it. Error: Usage for a
  /// target without one, Machine where it is missing.
  virtual Result<std::unique_ptr<Assembler>> make_assembler() const { return usage_error(fmt::format("the {} target has no assembler", name())); }
  /// Files that decide which assembler that is, whether they are there or not: it is another one only if one of them is.
  virtual std::vector<std::string> assembler_files() const { return {}; }
  /// Last word on the text: renumbering of LLVM's process-global counters.
  virtual Result<std::string> finish_assembly(const CompilerConfig &, std::string text) const { return text; }
};

} // namespace kiln
