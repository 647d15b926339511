// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl_facts.h"

#include "opencl_driver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace kiln {

namespace {

// Names of cl.h and cl_ext.h: cl_platform_info and cl_device_info.
enum Property : uint32_t {
  PlatformName = 0x0902,
  ComputeUnits = 0x1002,
  BlockThreads = 0x1004,
  BlockExtents = 0x1005,
  AllocationBytes = 0x1010,
  ParameterBytes = 0x1017,
  CacheBytes = 0x101E,
  MemoryBytes = 0x101F,
  LocalBytes = 0x1023,
  Name = 0x102B,
  DriverVersion = 0x102D,
  DeviceVersion = 0x102F,
  Extensions = 0x1030,
  PrintfBytes = 0x1049,
  ProgramVariableBytes = 0x104D,
  SvmCapabilities = 0x1053,
  IlVersion = 0x105B,
  MaxSubGroups = 0x105C,
  GenericAddressSpace = 0x1069,
  SubGroupSizes = 0x4108,
  HostUsm = 0x4190,
  DeviceUsm = 0x4191,
  SystemUsm = 0x4194,
  Float32Atomics = 0x4231,
  Float64Atomics = 0x4232
};
enum Svm : uint64_t { FineGrainBuffer = 2, FineGrainSystem = 4 };
/// cl_device_fp_atomic_capabilities_ext: additions in global and in local memory.
constexpr uint64_t float_additions = uint64_t(1) << 1 | uint64_t(1) << 17;

/// Largest number of blocks in a direction: Julia's indices are Int32.
constexpr uint32_t max_blocks = INT32_MAX;

class Reader {
public:
  Reader(const OpenClFunctions &functions, void *device) : cl_(functions), device_(device) {}
  template <class T> T number(uint32_t what) const {
    T value{};
    return cl_.GetDeviceInfo(device_, what, sizeof value, &value, nullptr) == cl::Success ? value : T();
  }
  std::string text(uint32_t what) const {
    size_t bytes = 0;
    if (cl_.GetDeviceInfo(device_, what, 0, nullptr, &bytes) != cl::Success || bytes == 0) return {};
    std::string text(bytes, '\0');
    if (cl_.GetDeviceInfo(device_, what, bytes, text.data(), nullptr) != cl::Success) return {};
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  }
  std::vector<size_t> sizes(uint32_t what) const {
    size_t bytes = 0;
    if (cl_.GetDeviceInfo(device_, what, 0, nullptr, &bytes) != cl::Success) return {};
    std::vector<size_t> all(bytes / sizeof(size_t));
    if (cl_.GetDeviceInfo(device_, what, all.size() * sizeof(size_t), all.data(), nullptr) != cl::Success)
      return {};
    return all;
  }

private:
  const OpenClFunctions &cl_;
  void *const device_;
};

std::set<std::string, std::less<>> words_of(std::string_view text) {
  std::set<std::string, std::less<>> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (!word.empty()) words.emplace(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

/// Reads the version, times ten, after `prefix`: 30 for "OpenCL 3.0 LINUX". 0: the text is another.
int version_after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return 0;
  text.remove_prefix(prefix.size());
  const size_t dot = text.find('.');
  if (dot == text.npos || dot + 1 >= text.size()) return 0;
  return std::atoi(std::string(text.substr(0, dot)).c_str()) * 10 + (text[dot + 1] - '0');
}

/// Versions, times ten, in "SPIR-V_1.0 SPIR-V_1.2", ascending.
std::vector<int> spirv_versions(std::string_view il) {
  std::vector<int> versions;
  for (const std::string &word : words_of(il))
    if (const int version = version_after(word, "SPIR-V_")) versions.push_back(version);
  std::ranges::sort(versions);
  return versions;
}

std::string features_of(const Reader &read, const std::set<std::string, std::less<>> &extensions,
                        const std::vector<int> &versions, const std::vector<size_t> &sub_groups) {
  const int opencl = version_after(read.text(DeviceVersion), "OpenCL ");
  auto has = [&](const char *extension) { return extensions.contains(extension); };
  std::vector<std::string> words;
  auto add = [&](bool is_there, std::string word) {
    if (is_there) words.push_back(std::move(word));
  };
  add(has("cl_khr_fp16"), "fp16");
  add(has("cl_khr_fp64"), "fp64");
  add(has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics"), "int64_atomics");
  auto adds_floats = [&](uint32_t which) {
    return (read.number<uint64_t>(which) & float_additions) == float_additions;
  };
  add(has("cl_ext_float_atomics") && adds_floats(Float32Atomics) && adds_floats(Float64Atomics),
      "float_atomics");
  // OpenCL 2.0 to 2.2 demand generic pointers, 3.0 leaves them to the device.
  add(opencl >= 30 ? read.number<uint32_t>(GenericAddressSpace) != 0 : opencl >= 20, "generic");
  add(has("cl_khr_subgroups") || (opencl >= 21 && read.number<uint32_t>(MaxSubGroups) > 0), "subgroups");
  for (size_t size : sub_groups)
    add(size == 8 || size == 16 || size == 32 || size == 64, fmt::format("subgroups{}", size));
  add(has("cl_khr_subgroup_shuffle"), "shuffle");
  add(has("cl_khr_subgroup_shuffle_relative"), "shuffle_relative");
  add(has("cl_khr_subgroup_ballot"), "ballot");
  add(has("cl_khr_subgroup_non_uniform_vote"), "vote");
  add(read.number<size_t>(PrintfBytes) > 0, "printing");
  add(read.number<size_t>(ProgramVariableBytes) > 0, "program_variables");
  for (int version : versions) add(version == 13 || version == 14, fmt::format("spirv{}", version));
  std::ranges::sort(words);
  return fmt::format("{}", fmt::join(words, ","));
}

DeviceLimits limits_of(const Reader &read, const std::vector<size_t> &sub_groups) {
  auto clamped = [](uint64_t value) { return uint32_t(std::min<uint64_t>(value, UINT32_MAX)); };
  DeviceLimits l;
  l.threads_of_block = clamped(read.number<size_t>(BlockThreads));
  const std::vector<size_t> extents = read.sizes(BlockExtents);
  for (size_t i = 0; i < 3; i++) {
    l.block[i] = i < extents.size() ? clamped(extents[i]) : 1;
    l.grid[i] = max_blocks;
  }
  l.shared_bytes = l.shared_bytes_of_multiprocessor = read.number<uint64_t>(LocalBytes);
  l.threads_of_multiprocessor = l.threads_of_block;
  l.l2_bytes = read.number<uint64_t>(CacheBytes);
  const bool has_32 = std::ranges::find(sub_groups, size_t(32)) != sub_groups.end();
  l.warp = has_32 || sub_groups.empty() ? 32 : clamped(std::ranges::max(sub_groups));
  return l;
}

} // namespace

bool has_feature_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::string_view first = list.substr(0, list.find(','));
    if (first == word) return true;
    list.remove_prefix(std::min(list.size(), first.size() + 1));
  }
  return false;
}

OpenClFacts read_opencl_facts(const OpenClFunctions &functions, void *platform, void *device) {
  const Reader read(functions, device);
  char platform_name[256] = "";
  functions.GetPlatformInfo(platform, PlatformName, sizeof platform_name - 1, platform_name, nullptr);
  const auto extensions = words_of(read.text(Extensions));
  const std::vector<int> versions = spirv_versions(read.text(IlVersion));
  const std::vector<size_t> sub_groups = extensions.contains("cl_intel_required_subgroup_size")
                                             ? read.sizes(SubGroupSizes)
                                             : std::vector<size_t>();

  OpenClFacts facts;
  facts.platform = platform;
  facts.device = device;
  facts.info.kind = DeviceKind::OpenCl;
  facts.info.name = read.text(Name);
  while (facts.info.name.ends_with(' ')) facts.info.name.pop_back();
  facts.info.memory_bytes = read.number<uint64_t>(MemoryBytes);
  facts.info.multiprocessors = read.number<uint32_t>(ComputeUnits);
  facts.spirv_version = versions.empty() ? 0 : versions.back();
  facts.info.driver =
      fmt::format("{}, driver {}, {}", platform_name, read.text(DriverVersion), read.text(DeviceVersion));
  if (!versions.empty())
    facts.info.driver += fmt::format(", SPIR-V {}.{} to {}.{}", versions.front() / 10, versions.front() % 10,
                                     versions.back() / 10, versions.back() % 10);
  facts.limits = limits_of(read, sub_groups);
  facts.features = features_of(read, extensions, versions, sub_groups);
  facts.parameter_bytes = read.number<size_t>(ParameterBytes);
  facts.allocation_bytes = read.number<uint64_t>(AllocationBytes);
  const auto svm = read.number<uint64_t>(SvmCapabilities);
  facts.has_svm = svm & (FineGrainBuffer | FineGrainSystem);
  const bool has_usm = extensions.contains("cl_intel_unified_shared_memory");
  const bool is_usable = has_usm && read.number<uint64_t>(HostUsm) && read.number<uint64_t>(DeviceUsm);
  facts.memory = is_usable ? OpenClMemory::Usm : facts.has_svm ? OpenClMemory::Svm : OpenClMemory::None;
  facts.reaches_host_memory = (svm & FineGrainSystem) || (has_usm && (read.number<uint64_t>(SystemUsm) & 1));
  return facts;
}

} // namespace kiln
