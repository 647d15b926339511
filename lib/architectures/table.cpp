// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table of NVIDIA's GPU architectures, as of CUDA 13.0. Sources of its columns:
//
// - PTX ISA: "PTX ISA 9.0", directive .target ("Target string ... introduced in") and table "PTX Release
//   History".
// - Last toolkit: release notes of CUDA 13.0, "Deprecated Architectures". Offline compilation for Maxwell,
//   Pascal and Volta was removed in 13.0.
// - Limits from 7.5 on: "CUDA Programming Guide 13", 5.1 Compute Capabilities, tables 30 (warps, blocks) and
//   31 (shared memory). They have no column for 8.8, which is taken as 8.7.
// - Limits before 7.5: "CUDA C++ Programming Guide 12", table "Technical Specifications per Compute
//   Capability".
// - Float64: table 30, "Ratio of FP32 to FP64 Throughput"; before 7.5 "CUDA C++ Programming Guide 12", table
//   "Throughput of Native Arithmetic Instructions".
// - Reserved bytes: "CUDA Programming Guide 13", "the system reserves 1 KB of shared memory per thread block"
//   (from 8.0 on).
// - Allocation unit: NVIDIA's occupancy calculator.
//
// Sources of other values: clusters are in table 29, from 9.0 on ("a maximum of 8 thread blocks in a cluster
// is portable"). Parameters are in "PTX ISA 9.0", "Kernel Function Parameters": 32,764 bytes from PTX ISA 8.1
// on sm_70 and above.
#include "architectures.h"

#include <algorithm>
#include <array>

namespace kiln {

namespace {

constexpr int cuda_12_9 = 12090;
constexpr int since_volta = 70, since_hopper = 90, since_blackwell = 100;

// Each row has these columns: sm; first PTX ISA of plain, f, a; last toolkit; ratio of Float32 to Float64;
// warps, blocks and shared KiB per multiprocessor; shared KiB, reserved bytes and allocation unit per block.
constexpr std::array table{ArchitectureInfo{50, 40, 0, 0, cuda_12_9, 32, {64, 32, 64, 48, 0, 256}},
                           ArchitectureInfo{52, 41, 0, 0, cuda_12_9, 32, {64, 32, 96, 48, 0, 256}},
                           ArchitectureInfo{53, 42, 0, 0, cuda_12_9, 32, {64, 32, 64, 48, 0, 256}},
                           ArchitectureInfo{60, 50, 0, 0, cuda_12_9, 2, {64, 32, 64, 48, 0, 256}},
                           ArchitectureInfo{61, 50, 0, 0, cuda_12_9, 32, {64, 32, 96, 48, 0, 256}},
                           ArchitectureInfo{62, 50, 0, 0, cuda_12_9, 32, {64, 32, 64, 48, 0, 256}},
                           ArchitectureInfo{70, 60, 0, 0, cuda_12_9, 2, {64, 32, 96, 96, 0, 256}},
                           ArchitectureInfo{72, 61, 0, 0, cuda_12_9, 2, {64, 32, 96, 96, 0, 256}},
                           ArchitectureInfo{75, 63, 0, 0, 0, 32, {32, 16, 64, 64, 0, 256}},
                           ArchitectureInfo{80, 70, 0, 0, 0, 2, {64, 32, 164, 163, 1024, 128}},
                           ArchitectureInfo{86, 71, 0, 0, 0, 64, {48, 16, 100, 99, 1024, 128}},
                           ArchitectureInfo{87, 74, 0, 0, 0, 64, {48, 16, 164, 163, 1024, 128}},
                           ArchitectureInfo{88, 90, 0, 0, 0, 64, {48, 16, 164, 163, 1024, 128}},
                           ArchitectureInfo{89, 78, 0, 0, 0, 64, {48, 24, 100, 99, 1024, 128}},
                           ArchitectureInfo{90, 78, 0, 80, 0, 2, {64, 32, 228, 227, 1024, 128}},
                           ArchitectureInfo{100, 86, 88, 86, 0, 2, {64, 32, 228, 227, 1024, 128}},
                           ArchitectureInfo{103, 88, 88, 88, 0, 64, {64, 32, 228, 227, 1024, 128}},
                           ArchitectureInfo{110, 90, 90, 90, 0, 64, {48, 24, 228, 227, 1024, 128}},
                           ArchitectureInfo{120, 87, 88, 87, 0, 64, {48, 24, 100, 99, 1024, 128}},
                           ArchitectureInfo{121, 88, 88, 88, 0, 64, {48, 24, 100, 99, 1024, 128}}};

/// PTX ISA versions x 10 that Kiln emits by default, before Blackwell and from Blackwell on. CUDA 12.5 and
/// newer read 8.5. Blackwell's 256-bit loads and family targets need 8.8 (CUDA 12.9).
constexpr int default_before_blackwell = 85, default_from_blackwell = 88;

} // namespace

std::span<const ArchitectureInfo> architectures() { return table; }

const ArchitectureInfo *find_architecture(int sm) {
  const auto found = std::ranges::find(table, sm, &ArchitectureInfo::sm);
  return found == table.end() ? nullptr : &*found;
}

const ArchitectureInfo &architecture_up_to(int sm) {
  const auto next = std::ranges::upper_bound(table, sm, {}, &ArchitectureInfo::sm);
  return next == table.begin() ? table.front() : *std::prev(next);
}

bool has_clusters(int sm) { return sm >= since_hopper; }

int first_isa(GpuArch arch) {
  const ArchitectureInfo *info = find_architecture(arch.sm);
  if (!info) return 0;
  switch (arch.variant) {
  case ArchVariant::Plain: return info->isa;
  case ArchVariant::Family: return info->family_isa;
  case ArchVariant::Specific: return info->specific_isa;
  }
  return 0;
}

int default_isa(GpuArch arch) {
  const int min_isa = first_isa(arch);
  if (!min_isa) return 0;
  return std::max(min_isa, arch.sm >= since_blackwell ? default_from_blackwell : default_before_blackwell);
}

int default_isa_for(GpuArch arch, int cuda) {
  return std::max(std::min(default_isa(arch), newest_isa(cuda)), first_isa(arch));
}

uint32_t max_parameter_bytes(int sm, int isa) { return sm >= since_volta && isa >= 81 ? 32764 : 4352; }

std::string list_architectures() {
  std::string text;
  for (const ArchitectureInfo &row : table)
    for (ArchVariant variant : {ArchVariant::Plain, ArchVariant::Family, ArchVariant::Specific})
      if (const GpuArch arch{row.sm, variant}; first_isa(arch))
        text += (text.empty() ? "" : ", ") + arch_name(arch);
  return text;
}

} // namespace kiln
