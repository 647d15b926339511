// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job: the function to compile, its target and its options, as plain values with ==. A CompilerJob is
// {method instance, config, world}.
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>
#include <kiln/target.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {
class JobHooks; ///< kiln/extension/llvm/hooks.h
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// Content of a file that is linked into a job. Bitcode and LlvmText go into the job's module; the others are
/// code of NVIDIA's tools, which nvJitLink puts together with the job's PTX.
enum class LinkedKind : uint8_t { Bitcode, LlvmText, Ptx, Cubin, LtoIr, Fatbin, Object, Archive };

/// A file of the user's that is linked into a job. Functions that the job does not call are left out. Its
/// content enters the keys, not its name.
struct LinkedFile {
  LinkedKind kind = LinkedKind::Bitcode;
  std::string name; ///< for messages
  std::shared_ptr<const std::string> bytes;
  std::array<uint64_t, 2> digest{0, 0}; ///< of the bytes
  bool operator==(const LinkedFile &other) const { return kind == other.kind && digest == other.digest; }
};
/// The bytes decide the kind: the first directives of LLVM's text and of PTX differ. Error: Input for another
/// kind, or for bytes that cannot be read.
KILN_API Result<LinkedFile> linked_file(std::string name, std::string bytes);
KILN_API Result<LinkedFile> read_linked_file(const std::string &path);

enum class EntryAbi : uint8_t {
  Specfunc, ///< native arguments, one LLVM parameter each (ghosts left out)
  Packed,   ///< plain functions alone. native: abi::NativeFunction, void f(state, args, ret); ptx: the state
            ///< only where the function uses it. args[i] points to the i-th non-ghost argument
};
inline constexpr std::string_view entry_abi_names[] = {"specfunc", "packed"}; ///< by EntryAbi

struct CompilerConfig;

/// A config for functions within a job, under the name that its code uses: `deferred_codegen_in(Val(:name),
/// f, T1, ...)`.
struct NestedConfig {
  std::string name; ///< as an identifier: letters, digits and _
  std::shared_ptr<const CompilerConfig> config;
  bool operator==(const NestedConfig &other) const; ///< of equal content
};

/// Every option of a job, as in GPUCompiler.jl's CompilerConfig. Its rows in kiln/config.def describe them.
struct CompilerConfig {
#define KILN_JOB_OPTION(type, field, value, ...) type field = value;
#define KILN_JOB_PART(type, field, value, ...) type field = value;
#include <kiln/config.def>
  bool operator==(const CompilerConfig &) const = default;
};

inline bool NestedConfig::operator==(const NestedConfig &other) const {
  return name == other.name &&
         (config == other.config || (config && other.config && *config == *other.config));
}

/// Stands for SessionOptions::default_config where a function's config is left out. It is known by its
/// address: a config that equals it counts as given.
KILN_API const CompilerConfig &session_default();

/// The stages whose product of a job can be requested (--emit).
enum class ArtifactKind : uint8_t { Lowered, Typed, Llvm, LlvmOpt, Assembly, Object, Cubin };

/// Resources of the device that a kernel uses, by its assembler.
struct KernelResources {
  uint32_t registers = 0;         ///< of a thread
  uint32_t stack_bytes = 0;       ///< of a thread, for the entry alone
  uint32_t spill_store_bytes = 0; ///< of a thread, in all functions; more than 0 is a warning
  uint32_t spill_load_bytes = 0;
  uint32_t shared_bytes = 0;   ///< static, of a block
  uint32_t constant_bytes = 0; ///< size of the constant bank with the parameters
  uint32_t barriers = 0;       ///< of a block
};

/// The form in which threads of a kernel may process several neighbouring elements each
/// (docs/design/coarsening.md).
struct Coarsening {
  uint32_t factor = 0; ///< elements a thread; 0: the kernel is left as it is
  /// The module's second entry. It takes the parameters of the first, followed by the number of threads of
  /// the launch as written (4 bytes). Empty: this module has none, but one compiled with
  /// CompilerConfig::coarsen does.
  std::string entry;
  /// An array among the parameters, as the kernel uses it.
  struct Array {
    uint32_t parameter = 0; ///< index in Artifact::parameters
    uint32_t offset = 0;    ///< of its header in the parameter's bytes
    uint32_t stride = 0;    ///< bytes from a thread's element to its neighbour's; 0: threads take others too
    int32_t shift = 0;      ///< bytes from the thread's own element to the accessed one
    bool is_written = false;
    bool is_wide = false; ///< accessed by vectors of 16 bytes: must be aligned to 16
    bool operator==(const Array &) const = default;
  };
  std::vector<Array> arrays;
  bool in_step = false; ///< two arrays may be the same one, if their strides and shifts are equal
  bool operator==(const Coarsening &) const = default;
};

/// A product of a job. `bytes` is text for all kinds but Object and Cubin.
struct Artifact {
  ArtifactKind kind = ArtifactKind::Assembly;
  std::string bytes;
  std::string entry; ///< symbol of the entry
  /// Parameters of the entry in order, without ghosts; sizes and alignments in bytes.
  struct Parameter {
    uint32_t argument = 0;
    uint64_t size = 0;
    uint32_t align = 1;
  };
  std::vector<Parameter> parameters;
  bool has_kernel_state = false; ///< the entry's first parameter is the kernel state (abi.h)
  /// a GPU's kernel that waits for its grid: all blocks have to be resident at once
  bool needs_cooperative_launch = false;
  /// a kernel for the CPU that runs neighbours in y by one call (abi.h, MoreInY)
  bool blocks_along_y = false;
  uint64_t return_size = 0;  ///< plain functions: bytes written to `ret` by the packed ABI
  std::string return_type;   ///< plain functions: the type of what is returned, as entries hold types; empty:
                             ///< ask inference
  uint64_t shared_bytes = 0; ///< static shared memory (native: to be provided by the launcher)
  KernelResources resources; ///< of a Cubin
  Coarsening coarsening;     ///< of a kernel for GPUs
  std::string assembler;     ///< of a Cubin: which one, and its version
  /// digest of the target's device library, where code of it was linked in; else empty
  std::string device_library;
  /// The cubin of several kernels that were assembled together (Session::prepare_many), of which this Cubin
  /// is one. A device loads it. `bytes` is then empty.
  std::shared_ptr<const Artifact> merged = {};
  bool session_bound = false; ///< names places in the memory of this process: never kept beyond it
};

} // namespace kiln::inline KILN_API_VERSION
