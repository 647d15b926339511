// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "architectures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kiln::ptx {
namespace {

constexpr std::array<Architecture, 15> Architectures{{{50, false, 40},
                                                      {52, false, 41},
                                                      {53, false, 42},
                                                      {60, false, 50},
                                                      {61, false, 50},
                                                      {62, false, 50},
                                                      {70, false, 60},
                                                      {72, false, 61},
                                                      {75, false, 63},
                                                      {80, false, 70},
                                                      {86, false, 71},
                                                      {87, false, 74},
                                                      {89, false, 78},
                                                      {90, false, 78},
                                                      {90, true, 80}}};
constexpr std::array Isas{60, 61, 62, 63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85};

std::string isa_name(int isa) { return fmt::format("{}.{}", isa / 10, isa % 10); }

std::string all_architectures() {
  std::string text;
  for (const Architecture &a : Architectures)
    text += (text.empty() ? "" : ", ") + architecture_name(a.sm, a.arch_specific);
  return text;
}
std::string all_isas() {
  std::string text;
  for (int isa : Isas) text += (text.empty() ? "" : ", ") + isa_name(isa);
  return text;
}

} // namespace

std::string architecture_name(const PtxOptions &options) {
  return architecture_name(options.sm, options.arch_specific);
}
std::string architecture_name(int sm, bool arch_specific) {
  return fmt::format("sm_{}{}", sm, arch_specific ? "a" : "");
}

Result<void> check_architecture(const PtxOptions &options) {
  const std::string name = architecture_name(options);
  auto found = std::find_if(Architectures.begin(), Architectures.end(), [&](const Architecture &a) {
    return a.sm == options.sm && a.arch_specific == options.arch_specific;
  });
  if (found == Architectures.end())
    return usage_error(fmt::format("there is no architecture {}; allowed are {}", name, all_architectures()));
  if (std::find(Isas.begin(), Isas.end(), options.ptx_isa) == Isas.end())
    return usage_error(
        fmt::format("there is no PTX ISA {}; allowed are {}", isa_name(options.ptx_isa), all_isas()));
  if (options.ptx_isa < found->least_isa)
    return usage_error(fmt::format("{} needs PTX ISA {} or newer, not {}", name, isa_name(found->least_isa),
                                   isa_name(options.ptx_isa)));
  return {};
}

Result<void> check_launch_bounds(const PtxOptions &options) {
  struct Bound {
    const char *name;
    const std::array<uint32_t, 3> &threads;
  };
  for (const Bound &bound :
       {Bound{"maxthreads", options.max_threads}, Bound{"required threads", options.required_threads}}) {
    const auto &[x, y, z] = bound.threads;
    if (x == 0 && y == 0 && z == 0) continue;
    if (x == 0 || x > 1024 || y > 1024 || z > 64 || uint64_t(x) * std::max(y, 1u) * std::max(z, 1u) > 1024)
      return usage_error(
          fmt::format("{} {},{},{} is no shape of a block: x and y are at most 1024, z at most 64, "
                      "their product at most 1024, and x is not 0",
                      bound.name, x, y, z));
  }
  if (options.max_threads[0] && options.required_threads[0])
    return usage_error("give either the largest or the required number of threads, not both");
  const uint64_t blocks = uint64_t(options.cluster[0]) * options.cluster[1] * options.cluster[2];
  if (options.cluster != std::array<uint32_t, 3>{0, 0, 0}) {
    if (options.sm < 90)
      return usage_error(
          fmt::format("{} has no clusters of blocks: they came with sm_90", architecture_name(options)));
    if (blocks == 0 || blocks > 16)
      return usage_error(fmt::format(
          "cluster {},{},{} is no shape of a cluster: it has 1 to 16 blocks, of which every device takes 8",
          options.cluster[0], options.cluster[1], options.cluster[2]));
  }
  if (options.max_registers > 255)
    return usage_error(fmt::format("a thread has at most 255 registers, not {}", options.max_registers));
  if (options.min_blocks > 32)
    return usage_error(fmt::format("a multiprocessor runs at most 32 blocks, not {}", options.min_blocks));
  return {};
}

} // namespace kiln::ptx
