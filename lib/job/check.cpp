// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"

#include <kiln/extension/llvm/target.h>

#include <fmt/format.h>

namespace kiln {

namespace {

/// Empty, or what assemblers and ptxas take as a name.
bool is_symbol_name(std::string_view name) {
  auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  for (char c : name)
    if (!letter(c) && !(c >= '0' && c <= '9')) return false;
  return name.empty() || (letter(name[0]) && (name.size() > 1 || (name[0] != '_' && name[0] != '$')));
}

template <class Number>
Result<void> check_range(std::string_view field, Number value, Number least, Number most,
                         std::string_view meaning) {
  if (value >= least && value <= most) return {};
  return usage_error(
      fmt::format("CompilerConfig::{} is {}, and takes {} to {}: {}", field, value, least, most, meaning));
}

} // namespace

Result<void> check_text(std::string_view what, std::string_view text) {
  if (size_t at = text.find('\0'); at != text.npos)
    return usage_error(fmt::format("{} has a zero byte, behind its first {}: leave it out", what, at));
  return {};
}

Result<void> check_product(ArtifactKind kind) {
  if (kind <= ArtifactKind::Cubin) return {};
  return usage_error(fmt::format(
      "there is no product of the ArtifactKind {}: they are numbered from {} (Lowered) to {} (Cubin)",
      unsigned(kind), unsigned(ArtifactKind::Lowered), unsigned(ArtifactKind::Cubin)));
}

Result<void> check_config(const CompilerConfig &config, const Target &target) {
  KILN_CHECK(check_range("entry_abi", unsigned(config.entry_abi), unsigned(EntryAbi::Specfunc),
                         unsigned(EntryAbi::Packed), "Specfunc, Packed"));
  KILN_CHECK(check_range("opt_level", config.opt_level, 0, 3, "from no optimisation to all of them"));
  KILN_CHECK(
      check_range("debug_level", config.debug_level, 0, 2, "nothing, lines, or full debug information"));
  KILN_CHECK(check_range("target.contract", unsigned(config.target.contract), unsigned(Contraction::Default),
                         unsigned(Contraction::On), "Default, Off, On"));
  if (config.target.fast_math && config.target.contract == Contraction::Off)
    return usage_error("contract is off, and fast math fuses products and sums: leave one of them out");
  if (!is_symbol_name(config.name))
    return usage_error(fmt::format(
        "the entry's name `{}` is no symbol: it is made of letters, digits, _ and $, and does not begin with a digit",
        config.name));
  if (config.kernel && config.entry_abi == EntryAbi::Packed)
    return usage_error(
        "CompilerConfig::entry_abi is Packed, which is for plain functions, and the config is a kernel's: set CompilerConfig::kernel to false, or leave entry_abi at Specfunc");
  const TargetCapabilities capabilities = target.capabilities(config.target);
  if ((config.check && !(capabilities.can_check_accesses && config.kernel)) ||
      (config.interruptible && !(capabilities.can_interrupt && config.kernel)))
    return usage_error(fmt::format("{} is for kernels on the native target",
                                   config.check ? "checking accesses" : "a time limit"));
  for (const LinkedFile &file : config.linked) {
    KILN_CHECK(check_range("linked[].kind", unsigned(file.kind), unsigned(LinkedKind::Bitcode),
                           unsigned(LinkedKind::Archive), "Bitcode to Archive"));
    if (!file.bytes)
      return usage_error(fmt::format(
          "the linked file `{}` has no bytes: linked_file and read_linked_file make them", file.name));
  }
  return {};
}

} // namespace kiln
