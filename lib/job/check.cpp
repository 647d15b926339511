// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"

#include "options.h"

#include <kiln/extension/llvm/target.h>

#include <fmt/format.h>

namespace kiln {

static const CompilerConfig default_marker; ///< used as an address only
const CompilerConfig &KILN_API_VERSION::session_default() { return default_marker; }

namespace {

/// True for the empty string, and for names that assemblers and ptxas accept as symbols.
bool is_symbol_name(std::string_view name) {
  auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  for (char c : name)
    if (!letter(c) && !(c >= '0' && c <= '9')) return false;
  return name.empty() || (letter(name[0]) && (name.size() > 1 || (name[0] != '_' && name[0] != '$')));
}

/// Checks that a field's value is in the range that kiln/config.def gives.
template <class T> Result<void> check_field(std::string_view field, const T &value) {
  const OptionValues &values = find_field(field)->values;
  bool is_right = true;
  if constexpr (std::is_enum_v<T>)
    is_right = size_t(value) < values.choices.size();
  else if constexpr (std::is_integral_v<T>)
    is_right = values.form != OptionForm::Number || (value >= values.min && value <= values.max);
  if (is_right) return {};
  std::string given;
  if constexpr (!std::is_same_v<T, std::string>) given = std::to_string(int64_t(value));
  return usage_error(wrong_value(spelled(field, OptionDoor::Cpp), values, given));
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
#define KILN_JOB_OPTION(type, field, ...) KILN_CHECK(check_field(#field, config.field));
#define KILN_TARGET_OPTION(type, field, ...) KILN_CHECK(check_field(#field, config.target.field));
#include <kiln/config.def>
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
  if (config.first_tier && !(capabilities.runs_kernels_on_host && config.kernel))
    return usage_error("CompilerConfig::first_tier is for kernels on the native target");
  for (const LinkedFile &file : config.linked) {
    if (file.kind > LinkedKind::Archive)
      return usage_error(fmt::format(
          "the linked file `{}` has the kind {}: they are numbered from {} (Bitcode) to {} (Archive)",
          file.name, unsigned(file.kind), unsigned(LinkedKind::Bitcode), unsigned(LinkedKind::Archive)));
    if (!file.bytes)
      return usage_error(fmt::format(
          "the linked file `{}` has no bytes: linked_file and read_linked_file make them", file.name));
  }
  return {};
}

} // namespace kiln
