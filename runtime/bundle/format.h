// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File layout of bundles; rationale: docs/design/bundle.md. Little-endian: a header, pieces of code
// ("blobs"), and an index. All positions are offsets, so that the file may lie anywhere in memory.
//
//   FileHeader
//   blobs, each at a multiple of blob_alignment, zeros between them
//   IndexHeader, KernelRecord[], ParameterRecord[], PartRecord[], CodeRecord[], strings
//
// Header and index are checked when a file is opened, a blob and its zero padding when it is used. The index
// ends the file and there are no gaps, so that these checks cover every byte.
#pragma once

#include <array>
#include <cstdint>

namespace kiln::bundle {

inline constexpr std::array<char, 8> magic{'K', 'I', 'L', 'N', 'B', 'N', 'D', 'L'};
/// Version of this layout. A reader accepts only its own version.
inline constexpr uint32_t format_version = 2;
/// Version of the ABI between compiled code and host (kiln/abi.h). Raise it with every change there that
/// compiled code can see. reader.cpp asserts the sizes that such a change would alter.
inline constexpr uint32_t abi_version = 1;
inline constexpr uint64_t blob_alignment = 64;

struct FileHeader {
  std::array<char, 8> magic;
  uint32_t version, abi;
  uint64_t file_bytes;
  uint64_t index_at, index_bytes;
  std::array<uint64_t, 2> index_digest; ///< XXH3-128
  uint64_t header_digest;               ///< low half of XXH3-128 over the members before this one
};
static_assert(sizeof(FileHeader) == 64);

struct IndexHeader {
  uint32_t kernels, parameters, parts, codes; ///< number of records in each table
  uint32_t string_bytes;                      ///< each string ends with NUL; offset 0 is ""
  uint32_t reserved;
};
static_assert(sizeof(IndexHeader) == 24);

/// Records [first, first + count) of another table.
struct Range {
  uint32_t first, count;
};

/// A kernel in the index. Records are sorted by name, then by signature; no two have both in common.
struct KernelRecord {
  uint32_t name;      ///< string: offset into the index's strings
  uint32_t signature; ///< argument types as Kiln prints them: "CuDeviceArray{Float32, 1, 1}, Float32"
  uint32_t call;      ///< argument types as the kernel list wrote them: "CuDeviceVector{Float32,1}, Float32"
  uint32_t language;  ///< source language of the kernel; 0: Julia, and older files
  Range parameters, codes;
};
static_assert(sizeof(KernelRecord) == 32);

/// A kernel argument that is passed as bytes. Zero-size arguments (ghosts) have no record.
struct ParameterRecord {
  uint32_t argument; ///< from 1
  uint32_t align;
  uint64_t size;
  uint32_t type, name;
  Range parts;
};
static_assert(sizeof(ParameterRecord) == 32);

/// A MemoryPart in the file: position of a memory address within a parameter's bytes.
struct PartRecord {
  uint32_t is_array, rank;
  uint64_t offset, element_bytes;
};
static_assert(sizeof(PartRecord) == 24);

enum class CodeKind : uint32_t { CpuImage = 1, Cubin = 2, Ptx = 3, Spirv = 4 };
enum CodeFlags : uint32_t {
  HasKernelState = 1, ///< entry's first parameter is the kernel state (GPUs, OpenCL)
  Cooperative = 2,    ///< Artifact::needs_cooperative_launch
  ArchSpecific = 4,   ///< "a" of sm_90a
  Checked = 8,        ///< CompilerConfig::check
  Interruptible = 16, ///< CompilerConfig::interruptible
  BlocksAlongY = 32,  ///< Artifact::blocks_along_y
  FamilySpecific = 64 ///< "f" of sm_100f
};

/// True for code that GpuImage describes.
constexpr bool is_for_cuda(CodeKind kind) { return kind == CodeKind::Cubin || kind == CodeKind::Ptx; }

struct CodeRecord {
  CodeKind kind;
  uint32_t level; ///< of the CPU (cpu_level_name); sm_<level>; SPIR-V version x 10
  uint32_t flags;
  uint32_t entry;        ///< string: symbol
  uint32_t isa;          ///< PTX ISA version x 10 of code of kind Ptx; else 0
  uint32_t reserved;     ///< always 0
  uint64_t shared_bytes; ///< static, per block
  uint64_t at, bytes;    ///< blob; PTX without a NUL
  std::array<uint64_t, 2> digest;
};
static_assert(sizeof(CodeRecord) == 64);

// ---- blob of a CpuImage: ImageHeader, Relocation[], Import[], names, initial bytes of the segments

/// Levels of code for AArch64 follow this number: 1 is all processors, 2 is Neoverse V2. Smaller levels are
/// those of x86-64.
inline constexpr uint32_t aarch64_levels = 0x100;
/// Largest number of a level of one architecture.
constexpr uint32_t level_number(uint32_t level) { return level % aarch64_levels; }

inline constexpr uint32_t machine_x86_64 = 62, machine_aarch64 = 183; ///< ELF's numbers
/// Alignment of segments in memory: the largest page of Linux on this machine.
constexpr uint64_t image_page(uint32_t machine) { return machine == machine_aarch64 ? 65536 : 4096; }
inline constexpr uint64_t max_image_bytes = uint64_t(1) << 30;

enum ImageSegment { Text, Constants, Variables, SegmentCount };

struct ImageHeader {
  uint32_t machine; ///< machine_x86_64 or machine_aarch64
  uint32_t entry;   ///< offset in memory
  struct Segment {
    uint32_t file_bytes;   ///< initial bytes in the file; the rest of the segment is zero
    uint32_t memory_bytes; ///< a multiple of image_page
  };
  std::array<Segment, SegmentCount> segments; ///< consecutive, in the file too
  uint32_t relocations, imports, name_bytes, reserved;
};
static_assert(sizeof(ImageHeader) == 48);

/// At load, 8 bytes at `place` become the address of `target`. Both are offsets in the loaded image.
struct Relocation {
  uint32_t place, target;
};
/// At load, 8 bytes at `place` become the address of a function or variable of the process, plus `addend`.
/// `place` is an offset in the loaded image.
struct Import {
  uint32_t place;
  uint32_t name; ///< offset into the image's names
  int64_t addend;
};
static_assert(sizeof(Relocation) == 8 && sizeof(Import) == 16);

} // namespace kiln::bundle
