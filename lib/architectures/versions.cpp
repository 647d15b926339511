// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table of PTX ISA versions with the first CUDA release and driver that read them. Sources: "PTX ISA 9.0",
// table "PTX Release History"; release notes of CUDA, table "CUDA Toolkit and Corresponding Driver Versions"
// (Linux, first release of each toolkit). CUDA 12.7 was a driver release without a toolkit.
#include "architectures.h"

#include <kiln/extension/language/internal/hint.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace kiln {

namespace {

constexpr std::array isas{PtxIsaInfo{60, 9000, "384.81"},     PtxIsaInfo{61, 9010, "390.46"},
                          PtxIsaInfo{62, 9020, "396.26"},     PtxIsaInfo{63, 10000, "410.48"},
                          PtxIsaInfo{64, 10010, "418.39"},    PtxIsaInfo{65, 10020, "440.33"},
                          PtxIsaInfo{70, 11000, "450.36.06"}, PtxIsaInfo{71, 11010, "455.23"},
                          PtxIsaInfo{72, 11020, "460.27.03"}, PtxIsaInfo{73, 11030, "465.19.01"},
                          PtxIsaInfo{74, 11040, "470.42.01"}, PtxIsaInfo{75, 11050, "495.29.05"},
                          PtxIsaInfo{76, 11060, "510.39.01"}, PtxIsaInfo{77, 11070, "515.43.04"},
                          PtxIsaInfo{78, 11080, "520.61.05"}, PtxIsaInfo{80, 12000, "525.60.13"},
                          PtxIsaInfo{81, 12010, "530.30.02"}, PtxIsaInfo{82, 12020, "535.54.03"},
                          PtxIsaInfo{83, 12030, "545.23.06"}, PtxIsaInfo{84, 12040, "550.54.14"},
                          PtxIsaInfo{85, 12050, "555.42.02"}, PtxIsaInfo{86, 12070, "565"},
                          PtxIsaInfo{87, 12080, "570.26"},    PtxIsaInfo{88, 12090, "575.51.03"},
                          PtxIsaInfo{90, 13000, "580.65.06"}};

/// Parses a CUDA version, such as "13.0.88" or "13.0", as a number: 13000. Returns 0 for other text.
int cuda_from(std::string_view text) {
  int major = 0, minor = 0;
  const char *end = text.data() + text.size();
  const auto [dot, first] = std::from_chars(text.data(), text.data() + text.size(), major);
  if (first != std::errc() || dot == end || *dot != '.') return 0;
  const auto [stop, second] = std::from_chars(dot + 1, end, minor);
  return second != std::errc() || major < 0 || minor < 0 ? 0 : major * 1000 + minor * 10;
}

/// Returns true if toolkits of the reader's CUDA release no longer assemble for the architecture.
bool was_dropped(const PtxReader &reader, GpuArch arch) {
  const ArchitectureInfo *info = find_architecture(arch.sm);
  return info && info->last_cuda && !reader.is_driver && reader.cuda > info->last_cuda;
}

std::string keep_text() {
  return fmt::format("keep the PTX ({}), which a driver assembles", product_hint("asm"));
}

} // namespace

std::span<const PtxIsaInfo> ptx_isas() { return isas; }

const PtxIsaInfo *find_isa(int isa) {
  const auto found = std::ranges::find(isas, isa, &PtxIsaInfo::isa);
  return found == isas.end() ? nullptr : &*found;
}

int newest_isa(int cuda) {
  const auto next = std::ranges::upper_bound(isas, cuda, {}, &PtxIsaInfo::cuda);
  return next == isas.begin() ? 0 : std::prev(next)->isa;
}

int first_toolkit(const PtxIsaInfo &isa) {
  constexpr int driver_only = 12070, next_toolkit = 12080;
  return isa.cuda == driver_only ? next_toolkit : isa.cuda;
}

std::string isa_text(int isa) { return fmt::format("{}.{}", isa / 10, isa % 10); }
std::string cuda_text(int cuda) { return fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10); }

std::string list_isas() {
  std::string text;
  for (const PtxIsaInfo &row : isas) text += (text.empty() ? "" : ", ") + isa_text(row.isa);
  return text;
}

PtxReader driver_reader(int cuda) {
  return {.name = fmt::format("the driver for CUDA {}", cuda_text(cuda)), .cuda = cuda, .is_driver = true};
}

PtxReader reader_of(std::string_view identity) {
  constexpr std::string_view of_driver = "CUDA ";
  if (identity.starts_with("driver"))
    if (const size_t at = identity.find(of_driver); at != identity.npos)
      return driver_reader(cuda_from(identity.substr(at + of_driver.size())));
  const std::string_view tool = identity.substr(0, identity.find(',')); // "ptxas 13.0.88, fast compile"
  const size_t blank = tool.rfind(' ');
  return {.name = std::string(tool), .cuda = blank == tool.npos ? 0 : cuda_from(tool.substr(blank + 1))};
}

std::string isa_limit(const PtxReader &reader) {
  const int newest = newest_isa(reader.cuda);
  // A release without a row in the table is older than all that read a PTX ISA emitted by Kiln.
  if (!newest) return fmt::format("PTX ISA before {}", isa_text(isas.front().isa));
  return reader.cuda > isas.back().cuda ? fmt::format("PTX ISA {} and newer", isa_text(newest))
                                        : fmt::format("PTX ISA up to {}", isa_text(newest));
}

Result<void> check_reader(const PtxReader &reader, GpuArch arch, int isa) {
  // A tool newer than the table may read PTX versions that the table does not have.
  const bool may_read = isa <= newest_isa(reader.cuda) || reader.cuda > isas.back().cuda;
  if (!reader.cuda || (may_read && !was_dropped(reader, arch))) return {};
  return none_reads({&reader, 1}, arch, isa);
}

Error none_reads(std::span<const PtxReader> readers, GpuArch arch, int isa) {
  std::string facts, installs;
  bool is_all_dropped = true, has_toolkit = false;
  int readable = 0; // newest that a reader reads
  const PtxIsaInfo *needed = find_isa(isa);
  for (const PtxReader &reader : readers) {
    const bool dropped = was_dropped(reader, arch);
    is_all_dropped &= dropped;
    has_toolkit |= !reader.is_driver;
    if (!dropped) readable = std::max(readable, newest_isa(reader.cuda));
    if (!facts.empty()) facts += ", and ";
    facts += dropped
                 ? fmt::format("{} no longer assembles for {}: CUDA {} was the last toolkit that did",
                               reader.name, arch_name(arch), cuda_text(find_architecture(arch.sm)->last_cuda))
                 : fmt::format("{} reads {}", reader.name, isa_limit(reader));
    if (!installs.empty()) installs += " or ";
    installs += dropped
                    ? fmt::format("install the CUDA toolkit {} or older (KILN_CUDA_HOME names its folder)",
                                  cuda_text(find_architecture(arch.sm)->last_cuda))
                : !needed ? std::string("install a newer one")
                : reader.is_driver
                    ? fmt::format("install a driver for CUDA {} ({}) or newer", cuda_text(needed->cuda),
                                  needed->driver)
                    : fmt::format("install the CUDA toolkit {} or newer (KILN_CUDA_HOME names its folder)",
                                  cuda_text(first_toolkit(*needed)));
  }
  Error error = machine_error(is_all_dropped ? facts
                                             : fmt::format("the code for {} is PTX ISA {}, and {}",
                                                           arch_name(arch), isa_text(isa), facts));
  std::string &hint = error.diagnostics()[0].hint = installs;
  if (const int min_isa = first_isa(arch); !is_all_dropped && min_isa && readable < min_isa)
    hint += fmt::format("; {} came with PTX ISA {}", arch_name(arch), isa_text(min_isa));
  else if (!is_all_dropped && readable)
    hint = fmt::format("lower it with {}, or {}", option_hint("ptx-isa", isa_text(readable)), installs);
  if (has_toolkit && readers.size() == 1) hint += fmt::format("; or {}", keep_text());
  return error;
}

PtxHeader ptx_header(std::string_view text) {
  PtxHeader header;
  // The first match is the directive, since only comments and earlier directives may precede it in PTX.
  auto word_after = [&](std::string_view directive) {
    const size_t at = text.find(directive);
    if (at == text.npos) return std::string_view();
    std::string_view rest = text.substr(at + directive.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    return rest.substr(0, rest.find_first_of(" \t\r\n,"));
  };
  if (const int version = cuda_from(word_after(".version"))) header.isa = version / 100 + version % 1000 / 10;
  if (const auto arch = parse_arch(word_after(".target"))) header.arch = *arch;
  return header;
}

} // namespace kiln
