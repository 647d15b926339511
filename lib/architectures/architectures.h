// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component architectures (layer 1): NVIDIA's GPU architectures. It does not use LLVM, so that the runtime
// without a compiler has the same tables.
//   table     first PTX ISA and limits of each architecture
//   names     "sm_100f" as a value
//   versions  PTX ISA, CUDA release and driver; errors about tools that are too old
//   images    code that runs on a GPU, and the best of several images
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

/// Feature set of an architecture. CUDA Programming Guide, "Feature Set Compiler Targets".
enum class ArchVariant : uint8_t {
  Plain,   ///< sm_100: code for this compute capability and newer ones
  Family,  ///< sm_100f: features shared by later chips of the family
  Specific ///< sm_100a: features of this chip alone
};

/// An architecture, as in PTX's .target.
struct GpuArch {
  int sm = 0; ///< compute capability x 10
  ArchVariant variant = ArchVariant::Plain;
  bool operator==(const GpuArch &) const = default;
  int family() const {
    return sm / 10;
  } ///< PTX ISA 9.0, table "Architecture Families": sm_10x, sm_11x, sm_12x
};

/// Options of the ptx target. This component does not depend on the target.
template <class T>
concept NamesArchitecture = requires(T options) {
  options.sm;
  options.arch_specific;
  options.family_specific;
  options.ptx_isa;
};

/// The architecture that the options select.
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
/// Reads "sm_100f". Returns nullopt for other text. Does not check that the architecture exists.
std::optional<GpuArch> parse_arch(std::string_view text);
/// Error, Usage: unknown architecture.
Result<void> check_known(GpuArch arch);
/// Reads "sm_80,sm_90a" without repetitions. `option` names the source of the text in messages. Errors:
/// Usage, for other text and for an unknown architecture.
Result<std::vector<GpuArch>> parse_archs(std::string_view option, std::string_view text);

// ---- the table

inline constexpr uint32_t max_block_threads = 1024, max_block_z = 64;
inline constexpr uint32_t max_thread_registers = 255;
inline constexpr uint32_t multiprocessor_registers = 65536;
/// More than 8 must be allowed by the launch (non-portable size).
inline constexpr uint32_t max_cluster_blocks = 16;
inline constexpr uint32_t portable_cluster_blocks = 8;

struct GpuLimits {
  uint32_t warps, blocks;    ///< resident per multiprocessor
  uint32_t shared_kib;       ///< per multiprocessor
  uint32_t block_shared_kib; ///< per block, including dynamic memory
  uint32_t reserved_shared;  ///< bytes per block reserved by the system
  uint32_t shared_unit;      ///< allocation unit of shared memory in bytes
};

struct ArchitectureInfo {
  int sm;
  int isa, family_isa, specific_isa; ///< first PTX ISA x 10 of sm_X, sm_Xf, sm_Xa; 0: none
  int last_cuda;                     ///< last toolkit that assembles for it, as 12090; 0: all current ones
  uint32_t float64_ratio;            ///< throughput of Float32 relative to Float64
  GpuLimits limits;
};

/// All architectures, oldest first.
std::span<const ArchitectureInfo> architectures();
/// Row of `sm`; null: none.
const ArchitectureInfo *find_architecture(int sm);
/// Row of the newest architecture up to `sm`; for an older `sm`, the oldest row.
const ArchitectureInfo &architecture_up_to(int sm);
bool has_clusters(int sm); ///< clusters of blocks with distributed shared memory
/// First PTX ISA x 10 with the architecture; 0: unknown architecture.
int first_isa(GpuArch arch);
/// Default PTX ISA x 10 of the architecture; 0: unknown architecture.
int default_isa(GpuArch arch);
/// Default PTX ISA for a driver: the architecture's default, limited to the driver's newest, and at least
/// first_isa(). `cuda`: the driver's release, as 12080.
int default_isa_for(GpuArch arch, int cuda);
/// PTX ISA of the options; for ptx_isa = 0, the architecture's default.
int isa_of(const NamesArchitecture auto &options) {
  return options.ptx_isa ? options.ptx_isa : default_isa(arch_of(options));
}
/// Access size of a coarse entry in bytes: the requested size, limited by architecture and PTX ISA. PTX ISA
/// 8.8, "ld" and "st": 256 bits from sm_100 on.
uint32_t coarse_bytes_of(const NamesArchitecture auto &options) {
  return options.sm >= 100 && isa_of(options) >= 88 ? options.coarse_bytes
                                                    : std::min(options.coarse_bytes, 16u);
}
/// Maximum size of a kernel's parameters in bytes.
uint32_t max_parameter_bytes(int sm, int isa);
/// "sm_50, sm_52, ..."
std::string list_architectures();

// ---- versions

/// CUDA releases are numbered as by cuDriverGetVersion: 12080 is CUDA 12.8.
struct PtxIsaInfo {
  int isa;  ///< x 10
  int cuda; ///< first driver release that reads it
  std::string_view driver;
};
std::span<const PtxIsaInfo> ptx_isas();   ///< oldest first
const PtxIsaInfo *find_isa(int isa);      ///< null: unknown version
int first_toolkit(const PtxIsaInfo &isa); ///< release of the first toolkit that reads it
int newest_isa(int cuda);                 ///< newest that a toolkit or driver reads; 0: before the table
std::string isa_text(int isa);            ///< "8.5"
std::string cuda_text(int cuda);          ///< "12.8"
std::string list_isas();                  ///< "6.0, 6.1, ..."

/// A tool that reads PTX.
struct PtxReader {
  std::string name; ///< "ptxas 12.4.131", or "the driver for CUDA 12.2"
  int cuda = 0;     ///< 0: unknown
  bool is_driver = false;
};
/// Reads an Assembler's identity: "nvJitLink 13.0", "driver 580.65.06, CUDA 13.0, for sm_120".
PtxReader reader_of(std::string_view identity);
PtxReader driver_reader(int cuda);
/// Checks that the tool reads this PTX version for this architecture. Accepts tools of unknown version. The
/// error (Machine) names the tool, the required version, and where to get it.
Result<void> check_reader(const PtxReader &reader, GpuArch arch, int isa);
std::string isa_limit(const PtxReader &reader); ///< "PTX ISA up to 8.4"
/// One error about several tools that all failed check_reader.
Error none_reads(std::span<const PtxReader> readers, GpuArch arch, int isa);

/// .version and .target of a PTX text; zeros if missing.
struct PtxHeader {
  int isa = 0;
  GpuArch arch;
};
PtxHeader ptx_header(std::string_view text);

// ---- images

/// True if a cubin for `code` runs on a GPU. CUDA Programming Guide: "Binary Compatibility" and table
/// "Family-Specific Compatibility".
bool cubin_runs_on(GpuArch code, int sm);
/// True if a driver can assemble PTX for `code` for a GPU. PTX ISA: directive .target.
bool ptx_runs_on(GpuArch code, int sm);

struct GpuImage {
  GpuArch arch;
  bool is_text = false; ///< PTX; else a cubin
  int isa = 0;          ///< of PTX, x 10
};
/// The GPU that needs an image.
struct ImageUse {
  int sm = 0;
  int driver_isa = 0; ///< newest PTX ISA that its driver reads
  bool prefer_ptx = false;
};
/// Index of the best image. Empty: no image runs. Order: a cubin for exactly this chip (`a`), for its family
/// (`f`), for its major version; then PTX in the same order. Among equals, the highest architecture.
std::optional<size_t> choose_image(std::span<const GpuImage> images, const ImageUse &use);
/// "sm_90" or "PTX for sm_90".
std::string describe_image(const GpuImage &image);
/// Reason why the GPU cannot run the image. Precondition: choose_image() rejects it.
std::string why_not(const GpuImage &image, const ImageUse &use);
/// Architectures whose code runs on the GPU: "sm_103, sm_103a, sm_100f".
std::string archs_for(int sm);

} // namespace kiln
