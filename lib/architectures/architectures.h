// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component architectures (layer 1): properties of NVIDIA's GPU architectures. It does not use LLVM, so that
// the runtime without a compiler can use the same tables.
//
// - table: the first PTX ISA and the limits of each architecture
// - names: conversion between "sm_100f" and a value
// - versions: PTX ISA, CUDA release and driver; errors about tools that are too old
// - images: tests if code runs on a GPU, and chooses the best of several images
#pragma once

#include <kiln/result.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Feature set that code for an architecture may use. See the CUDA Programming Guide, "Feature Set Compiler
/// Targets".
enum class ArchVariant : uint8_t {
  Plain,   ///< such as sm_100: the code runs on this compute capability and newer ones
  Family,  ///< such as sm_100f: the code uses features that later chips of the family share
  Specific ///< such as sm_100a: the code uses features of this chip alone
};

/// A GPU architecture, as named by PTX's directive .target.
struct GpuArch {
  int sm = 0; ///< compute capability x 10
  ArchVariant variant = ArchVariant::Plain;
  bool operator==(const GpuArch &) const = default;
  int family() const {
    return sm / 10;
  } ///< PTX ISA 9.0, table "Architecture Families": sm_10x, sm_11x, sm_12x
};

/// Options that name a GPU architecture, such as those of the ptx target. The concept avoids a dependence on
/// that target.
template <class T>
concept NamesArchitecture = requires(T options) {
  options.sm;
  options.arch_specific;
  options.family_specific;
  options.ptx_isa;
};

/// Returns the architecture that the options name.
GpuArch arch_of(const NamesArchitecture auto &options) {
  return {options.sm, options.arch_specific     ? ArchVariant::Specific
                      : options.family_specific ? ArchVariant::Family
                                                : ArchVariant::Plain};
}
void set_arch(NamesArchitecture auto &options, GpuArch arch) {
  options.sm = arch.sm;
  options.arch_specific = arch.variant == ArchVariant::Specific;
  options.family_specific = arch.variant == ArchVariant::Family;
}

// ---- names

std::string arch_name(GpuArch arch); ///< "sm_100f"
/// Parses an architecture's name, such as "sm_100f"; empty for other text. The architecture need not exist.
std::optional<GpuArch> parse_arch(std::string_view text);
/// Error, Usage: unknown architecture.
Result<void> check_known(GpuArch arch);
/// Parses a list of architectures, such as "sm_80,sm_90a", and removes repetitions. `option` is the option's
/// name, for error messages. Errors: Usage for other text, and for an unknown architecture.
Result<std::vector<GpuArch>> parse_archs(std::string_view option, std::string_view text);

// ---- the table

inline constexpr uint32_t max_block_threads = 1024, max_block_z = 64;
inline constexpr uint32_t max_thread_registers = 255;
inline constexpr uint32_t multiprocessor_registers = 65536;
/// Maximum number of blocks in a cluster. A launch must explicitly allow more than 8 (a non-portable cluster
/// size).
inline constexpr uint32_t max_cluster_blocks = 16;
inline constexpr uint32_t portable_cluster_blocks = 8;

struct GpuLimits {
  uint32_t warps, blocks;    ///< resident per multiprocessor
  uint32_t shared_kib;       ///< per multiprocessor
  uint32_t block_shared_kib; ///< per block, including dynamic memory
  uint32_t reserved_shared;  ///< bytes of shared memory that the system reserves in each block
  uint32_t shared_unit;      ///< granularity of shared memory allocations in bytes
};

struct ArchitectureInfo {
  int sm;
  /// First PTX ISA x 10 that has sm_X, sm_Xf and sm_Xa; 0: no PTX ISA has it.
  int isa, family_isa, specific_isa;
  /// Last CUDA toolkit that assembles for it, such as 12090; 0: the newest toolkit still does.
  int last_cuda;
  uint32_t float64_ratio; ///< how many times as fast Float32 operations are as Float64 operations
  GpuLimits limits;
};

/// All architectures, oldest first.
std::span<const ArchitectureInfo> architectures();
/// Row of `sm`; null: none.
const ArchitectureInfo *find_architecture(int sm);
/// Returns the table's row of the newest architecture that is not newer than `sm`. If all are newer, returns
/// the oldest row.
const ArchitectureInfo &architecture_up_to(int sm);
/// True if the architecture has thread block clusters with distributed shared memory.
bool has_clusters(int sm);
/// Returns the first PTX ISA x 10 that supports the architecture; 0 for an unknown architecture.
int first_isa(GpuArch arch);
/// Returns the PTX ISA x 10 that Kiln emits for the architecture by default; 0 for an unknown architecture.
int default_isa(GpuArch arch);
/// Returns the default PTX ISA x 10 for an architecture and a driver for CUDA release `cuda`, such as 12080.
/// It is the architecture's default, or the newest that the driver reads if that is older, but at least
/// first_isa().
int default_isa_for(GpuArch arch, int cuda);
/// Returns the PTX ISA x 10 of the options. If they have none (ptx_isa = 0), returns the architecture's
/// default.
int isa_of(const NamesArchitecture auto &options) {
  return options.ptx_isa ? options.ptx_isa : default_isa(arch_of(options));
}
/// Returns the number of bytes per memory access in a coarsened kernel: the option coarse_bytes, limited to
/// 16 on GPUs without 256-bit accesses. These need sm_100 and PTX ISA 8.8 (its instructions ld and st).
uint32_t coarse_bytes_of(const NamesArchitecture auto &options) {
  return options.sm >= 100 && isa_of(options) >= 88 ? options.coarse_bytes
                                                    : std::min(options.coarse_bytes, 16u);
}
/// Returns the maximum total size of a kernel's parameters in bytes.
uint32_t max_parameter_bytes(int sm, int isa);
/// "sm_50, sm_52, ..."
std::string list_architectures();

// ---- versions

/// A PTX ISA version and the first CUDA release that reads it. Releases are numbered as by
/// cuDriverGetVersion: 12080 is CUDA 12.8.
struct PtxIsaInfo {
  int isa;  ///< x 10
  int cuda; ///< first driver release that reads it
  std::string_view driver;
};
std::span<const PtxIsaInfo> ptx_isas();   ///< oldest first
const PtxIsaInfo *find_isa(int isa);      ///< null: unknown version
int first_toolkit(const PtxIsaInfo &isa); ///< CUDA release of the first toolkit that reads this PTX ISA
/// Newest PTX ISA x 10 that CUDA release `cuda` reads; 0: the release is older than the table.
int newest_isa(int cuda);
std::string isa_text(int isa);   ///< "8.5"
std::string cuda_text(int cuda); ///< "12.8"
std::string list_isas();         ///< "6.0, 6.1, ..."

/// A tool that reads PTX.
struct PtxReader {
  std::string name; ///< "ptxas 12.4.131", or "the driver for CUDA 12.2"
  int cuda = 0;     ///< 0: unknown
  bool is_driver = false;
};
/// Parses an assembler's identity, such as "nvJitLink 13.0" or "driver 580.65.06, CUDA 13.0, for sm_120".
PtxReader reader_of(std::string_view identity);
PtxReader driver_reader(int cuda);
/// Checks that a tool can read PTX of version `isa` for the architecture. A tool of unknown version is
/// accepted. The error (Machine) names the tool, the required version, and where to get it.
Result<void> check_reader(const PtxReader &reader, GpuArch arch, int isa);
std::string isa_limit(const PtxReader &reader); ///< "PTX ISA up to 8.4"
/// Returns one error about several tools, none of which can read the PTX: check_reader() failed for each.
Error none_reads(std::span<const PtxReader> readers, GpuArch arch, int isa);

/// Directives .version and .target of a PTX text. Missing directives have value 0.
struct PtxHeader {
  int isa = 0;
  GpuArch arch;
};
PtxHeader ptx_header(std::string_view text);

// ---- images

/// Returns true if a cubin compiled for `code` runs on a GPU of compute capability `sm`. See the CUDA
/// Programming Guide, "Binary Compatibility" and table "Family-Specific Compatibility".
bool cubin_runs_on(GpuArch code, int sm);
/// Returns true if a driver can assemble PTX with the target `code` for a GPU of compute capability `sm`. See
/// PTX ISA, directive .target.
bool ptx_runs_on(GpuArch code, int sm);

struct GpuImage {
  GpuArch arch;
  bool is_text = false; ///< PTX; else a cubin
  int isa = 0;          ///< of PTX, x 10
};
/// Properties of the GPU for which an image is chosen.
struct ImageUse {
  int sm = 0;
  int driver_isa = 0; ///< newest PTX ISA x 10 that the GPU's driver reads
  bool prefer_ptx = false;
};
/// Returns the index of the image that suits the GPU best; empty if none runs there. A cubin is preferred to
/// PTX, unless `prefer_ptx` is set. Code for exactly this chip (`a`) comes first, then code for its family
/// (`f`), then other code. Among equals, the newest architecture is chosen.
std::optional<size_t> choose_image(std::span<const GpuImage> images, const ImageUse &use);
/// "sm_90" or "PTX for sm_90".
std::string describe_image(const GpuImage &image);
/// Returns the reason why the GPU cannot run `image`, for error messages. Precondition: the GPU cannot run
/// it.
std::string why_not(const GpuImage &image, const ImageUse &use);
/// Returns a list of the architectures whose code runs on the GPU, such as "sm_103, sm_103a, sm_100f".
std::string archs_for(int sm);

} // namespace kiln
