// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Configs of jobs and the artifacts that compiling makes, as plain values. A job (CompilerJob) consists of a
// method instance, a config and a world age.
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

/// Content of a file that is linked into a job. Bitcode and LlvmText are linked into the job's LLVM module.
/// The other kinds are files of NVIDIA's tools, which nvJitLink links with the job's PTX.
enum class LinkedKind : uint8_t { Bitcode, LlvmText, Ptx, Cubin, LtoIr, Fatbin, Object, Archive };

/// A user's file that is linked into a job. Functions that the job does not call are left out. Cache keys
/// contain the file's content, not its name.
struct LinkedFile {
  LinkedKind kind = LinkedKind::Bitcode;
  std::string name; ///< for messages
  std::shared_ptr<const std::string> bytes;
  std::array<uint64_t, 2> digest{0, 0}; ///< of the bytes
  bool operator==(const LinkedFile &other) const { return kind == other.kind && digest == other.digest; }
};
/// Makes a LinkedFile and detects its kind from the bytes. Error: Input if the kind is unknown or the content
/// cannot be read.
KILN_API Result<LinkedFile> linked_file(std::string name, std::string bytes);
KILN_API Result<LinkedFile> read_linked_file(const std::string &path);

enum class EntryAbi : uint8_t {
  /// One LLVM parameter for each argument; arguments without bytes are left out.
  Specfunc,
  /// For plain functions only: void f(state, args, ret), which is abi::NativeFunction on native. args[i]
  /// points to the i-th argument that has bytes. On ptx, `state` is left out if the function does not use it.
  Packed,
};
inline constexpr std::string_view entry_abi_names[] = {"specfunc", "packed"}; ///< by EntryAbi

struct CompilerConfig;

/// A config for functions within a job. The job's code selects it by name: `deferred_codegen_in(Val(:name),
/// f, T1, ...)`.
struct NestedConfig {
  std::string name; ///< an identifier: letters, digits and _
  std::shared_ptr<const CompilerConfig> config;
  bool operator==(const NestedConfig &other) const; ///< compares the configs' contents, not their addresses
};

/// All options of a job, like CompilerConfig in GPUCompiler.jl. The rows of kiln/config.def describe each
/// field.
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

/// Placeholder that means SessionOptions::default_config; the default value of config parameters. Functions
/// recognise it by its address: an equal config at another address is used as given.
KILN_API const CompilerConfig &session_default();

/// Kinds of products of a job, each from one stage (`kiln compile --emit`).
enum class ArtifactKind : uint8_t { Lowered, Typed, Llvm, LlvmOpt, Assembly, Object, Cubin };

/// A kernel's use of device resources, as the assembler reports it.
struct KernelResources {
  uint32_t registers = 0;         ///< of a thread
  uint32_t stack_bytes = 0;       ///< of a thread, in the entry function only
  uint32_t spill_store_bytes = 0; ///< of a thread, over all functions; more than 0 causes a warning
  uint32_t spill_load_bytes = 0;
  uint32_t shared_bytes = 0;   ///< static, of a block
  uint32_t constant_bytes = 0; ///< size of the constant bank that holds the parameters
  uint32_t barriers = 0;       ///< of a block
};

/// Coarsening of a kernel: a second entry whose threads each handle several neighbouring elements
/// (docs/design/coarsening.md).
struct Coarsening {
  uint32_t factor = 0; ///< elements per thread; 0: the kernel is not coarsened
  /// Symbol of the second entry. It takes the first entry's parameters, then the number of threads of the
  /// original launch (4 bytes). Empty: this module has no second entry, but compiling with
  /// CompilerConfig::coarsen makes one.
  std::string entry;
  /// How the kernel accesses an array parameter.
  struct Array {
    uint32_t parameter = 0; ///< index in Artifact::parameters
    uint32_t offset = 0;    ///< offset of the array's header in the parameter's bytes
    /// Bytes between the elements of neighbouring threads; 0: threads also access other elements.
    uint32_t stride = 0;
    int32_t shift = 0; ///< bytes from the thread's own element to the accessed one
    bool is_written = false;
    bool is_wide = false; ///< wide accesses: the array must be aligned to the access size
    bool operator==(const Array &) const = default;
  };
  std::vector<Array> arrays;
  bool in_step = false; ///< two array arguments may be the same array if their strides and shifts are equal
  bool operator==(const Coarsening &) const = default;
};

/// A product of a job. `bytes` holds text; for Object and Cubin it holds binary data.
struct Artifact {
  ArtifactKind kind = ArtifactKind::Assembly;
  std::string bytes;
  std::string entry; ///< symbol of the entry
  /// A parameter of the entry. Arguments without bytes have none. Sizes and alignments are in bytes.
  struct Parameter {
    uint32_t argument = 0;
    uint64_t size = 0;
    uint32_t align = 1;
  };
  std::vector<Parameter> parameters;
  bool has_kernel_state = false; ///< the entry's first parameter is the kernel state (kiln/abi.h)
  /// The GPU kernel has a grid barrier: all its blocks must be resident at once.
  bool needs_cooperative_launch = false;
  /// The CPU kernel can run several blocks along y in one call (abi::MoreInY).
  bool blocks_along_y = false;
  uint64_t return_size = 0; ///< plain functions: bytes that EntryAbi::Packed writes to `ret`
  /// Plain functions: the return type, in the encoding of cache entries. Empty: only inference knows it.
  std::string return_type;
  uint64_t shared_bytes = 0; ///< static shared memory of a block; on native, the launcher allocates it
  KernelResources resources; ///< of a Cubin
  Coarsening coarsening;     ///< of a kernel for GPUs
  std::string assembler;     ///< Cubin: name and version of its assembler
  /// Digest of the target's device library if its code was linked in, else empty.
  std::string device_library;
  /// Set if this kernel was assembled together with others (Session::prepare_many): the cubin with all of
  /// them, which a device loads. `bytes` is then empty.
  std::shared_ptr<const Artifact> merged = {};
  /// The code contains addresses of this process, so no cache outside the process keeps it.
  bool session_bound = false;
};

} // namespace kiln::inline KILN_API_VERSION
