// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bundle's file, byte for byte; docs/design/bundle.md has the reasons. Little-endian. A header, an index,
// and behind it pieces of code ("blobs"). Every place is an offset, so the file may lie anywhere in memory.
//
//   FileHeader
//   blobs, each at a multiple of blob_alignment, zeros between them
//   IndexHeader, KernelRecord[], ParameterRecord[], PartRecord[], CodeRecord[], strings
//
// Header and index are checked when a file is opened, a blob and the zeros after it when it is used. The
// index ends the file, and blobs follow each other without gaps: no byte is outside of these checks.
#pragma once

#include <array>
#include <cstdint>

namespace kiln::bundle {

inline constexpr std::array<char, 8> magic{'K', 'I', 'L', 'N', 'B', 'N', 'D', 'L'};
/// Of this layout. A reader takes its own version alone.
inline constexpr uint32_t format_version = 2;
/// Of what compiled code and host agree on (kiln/abi.h). To be raised with every change there that compiled
/// code can see; sizes that such a change would alter are asserted in reader.cpp.
inline constexpr uint32_t abi_version = 1;
inline constexpr uint64_t blob_alignment = 64;

struct FileHeader {
  std::array<char, 8> magic;
  uint32_t version, abi;
  uint64_t file_bytes;
  uint64_t index_at, index_bytes;
  std::array<uint64_t, 2> index_digest; ///< XXH3-128
  uint64_t header_digest;               ///< XXH3-128's low half over what stands before it
};
static_assert(sizeof(FileHeader) == 64);

struct IndexHeader {
  uint32_t kernels, parameters, parts, codes; ///< how many records of each
  uint32_t string_bytes;                      ///< each string ends with NUL; offset 0 is ""
  uint32_t reserved;
};
static_assert(sizeof(IndexHeader) == 24);

/// Records [first, first + count) of another table.
struct Range {
  uint32_t first, count;
};

/// By name, then by signature: no two have both.
struct KernelRecord {
  uint32_t name;      ///< strings are offsets among the index's
  uint32_t signature; ///< types of all arguments as Kiln prints them: "CuDeviceArray{Float32, 1, 1}, Float32"
  uint32_t call;      ///< the same as the list had it: "CuDeviceVector{Float32,1}, Float32"
  uint32_t language;  ///< that the kernel is written in; 0: Julia, also in files of earlier versions
  Range parameters, codes;
};
static_assert(sizeof(KernelRecord) == 32);

/// An argument that has bytes.
struct ParameterRecord {
  uint32_t argument; ///< its number, from 1
  uint32_t align;
  uint64_t size;
  uint32_t type, name;
  Range parts;
};
static_assert(sizeof(ParameterRecord) == 32);

/// MemoryPart: where an address lies in a parameter's bytes.
struct PartRecord {
  uint32_t is_array, rank;
  uint64_t offset, element_bytes;
};
static_assert(sizeof(PartRecord) == 24);

enum class CodeKind : uint32_t { CpuImage = 1, Cubin = 2, Ptx = 3 };
enum CodeFlags : uint32_t {
  HasKernelState = 1, ///< the entry's first parameter is the kernel state (GPUs)
  Cooperative = 2,    ///< Artifact::needs_cooperative_launch
  ArchSpecific = 4,   ///< the a of sm_90a
  Checked = 8,        ///< CompilerConfig::check
  Interruptible = 16, ///< CompilerConfig::interruptible
  BlocksAlongY = 32,  ///< Artifact::blocks_along_y
  FamilySpecific = 64 ///< the f of sm_100f
};

struct CodeRecord {
  CodeKind kind;
  uint32_t level; ///< x86-64-v<level>; sm_<level>
  uint32_t flags;
  uint32_t entry;        ///< a string: the symbol
  uint32_t isa;          ///< of PTX: ISA version x 10; else 0
  uint32_t reserved;     ///< 0
  uint64_t shared_bytes; ///< static, of a block
  uint64_t at, bytes;    ///< of the blob; PTX without a NUL
  std::array<uint64_t, 2> digest;
};
static_assert(sizeof(CodeRecord) == 64);

// ---- the blob of a CpuImage: ImageHeader, Relocation[], Import[], names, then what the segments begin with

inline constexpr uint32_t machine_x86_64 = 62; ///< ELF's EM_X86_64
inline constexpr uint64_t image_page = 4096;   ///< in memory each segment begins at a multiple of this
inline constexpr uint64_t max_image_bytes = uint64_t(1) << 30;

enum ImageSegment { Text, Constants, Variables, SegmentCount };

struct ImageHeader {
  uint32_t machine;
  uint32_t entry; ///< offset in memory
  struct Segment {
    uint32_t file_bytes;   ///< the rest is zero
    uint32_t memory_bytes; ///< a multiple of image_page
  };
  std::array<Segment, SegmentCount> segments; ///< one behind the other, in the file too
  uint32_t relocations, imports, name_bytes, reserved;
};
static_assert(sizeof(ImageHeader) == 48);

/// 8 bytes at `place` become the address of `target`; both are offsets in memory.
struct Relocation {
  uint32_t place, target;
};
/// 8 bytes at `place` become the address of a function or variable of the process, plus `addend`.
struct Import {
  uint32_t place;
  uint32_t name; ///< among the image's names
  int64_t addend;
};
static_assert(sizeof(Relocation) == 8 && sizeof(Import) == 16);

} // namespace kiln::bundle
