// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the kind of files that are linked into a job, and the functions in them.
#include "linked.h"

#include <support/support.h>

#include <algorithm>

namespace kiln {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/// Returns the text after leading blanks and comments of C, C++ and LLVM.
std::string_view skip_blank(std::string_view text) {
  for (;;) {
    size_t at = text.find_first_not_of(" \t\r\n");
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at);
    std::string_view end = text.starts_with("/*")                            ? "*/"
                           : text.starts_with("//") || text.starts_with(";") ? "\n"
                                                                             : "";
    if (end.empty()) return text;
    at = text.find(end);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + end.size());
  }
}

std::optional<LinkedKind> read_kind(std::string_view bytes) {
  auto begins = [&](std::string_view magic) { return bytes.starts_with(magic); };
  if (begins("BC\xC0\xDE") || begins("\xDE\xC0\x17\x0B")) return LinkedKind::Bitcode;
  if (begins("\xED\x43\x4E\x7F")) return LinkedKind::LtoIr;
  if (begins("\x50\xED\x55\xBA")) return LinkedKind::Fatbin;
  if (begins("!<arch>\n")) return LinkedKind::Archive;
  if (begins("\x7F"
             "ELF")) {
    constexpr size_t Machine = 18;
    if (bytes.size() < Machine + 2) return std::nullopt;
    unsigned machine = uint8_t(bytes[Machine]) | unsigned(uint8_t(bytes[Machine + 1])) << 8;
    // Number 190 is EM_CUDA. Another ELF file is a host object, which contains device code in a section.
    return machine == 190 ? LinkedKind::Cubin : LinkedKind::Object;
  }
  if (bytes.find('\0') != std::string_view::npos) return std::nullopt;
  std::string_view text = skip_blank(bytes);
  if (text.starts_with(".version")) return LinkedKind::Ptx;
  for (std::string_view word :
       {"source_filename", "target ", "define ", "declare ", "@", "%", "$", "attributes ", "!", "module asm"})
    if (text.starts_with(word)) return LinkedKind::LlvmText;
  return std::nullopt;
}

/// True if PTX text defines a function of this name, as in `.func (.param .b32 r) name (`. A declaration has
/// `.extern` before it.
bool ptx_defines(std::string_view text, std::string_view function) {
  for (size_t at = text.find(function); at != std::string_view::npos; at = text.find(function, at + 1)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    if (at + function.size() < text.size() && is_word(text[at + function.size()])) continue;
    size_t begin = text.substr(0, at).find_last_of(";}");
    std::string_view before = text.substr(begin == std::string_view::npos ? 0 : begin + 1,
                                          at - (begin == std::string_view::npos ? 0 : begin + 1));
    if (before.find(".func") != std::string_view::npos && before.find(".extern") == std::string_view::npos &&
        before.find('{') == std::string_view::npos)
      return true;
  }
  return false;
}

bool may_define(const LinkedFile &file, std::string_view function) {
  switch (file.kind) {
  case LinkedKind::Bitcode:
  case LinkedKind::LlvmText: return false; // already linked into the module
  case LinkedKind::Ptx: return ptx_defines(*file.bytes, function);
  // searches the symbol table's text
  case LinkedKind::Cubin: return file.bytes->find(function) != std::string::npos;
  case LinkedKind::LtoIr:
  case LinkedKind::Fatbin:
  case LinkedKind::Object:
  case LinkedKind::Archive: return true; // compressed or undocumented
  }
  return true;
}

} // namespace

Result<LinkedFile> KILN_API_VERSION::linked_file(std::string name, std::string bytes) {
  std::optional<LinkedKind> kind = read_kind(bytes);
  if (!kind)
    return input_error(fmt::format(
        "{} cannot be linked: it is {}", name,
        bytes.empty()
            ? "empty"
            : "neither LLVM bitcode or text, nor PTX, a cubin, LTO-IR, a fatbin, an object or an archive"));
  LinkedFile file{.kind = *kind, .name = std::move(name), .bytes = nullptr};
  Fingerprint digest = fingerprint_of(bytes);
  file.digest = {digest.high, digest.low};
  file.bytes = std::make_shared<const std::string>(std::move(bytes));
  return file;
}

Result<LinkedFile> KILN_API_VERSION::read_linked_file(const std::string &path) {
  KILN_TRY(std::string bytes, read_file(path));
  return linked_file(path, std::move(bytes));
}

bool is_llvm_ir(const LinkedFile &file) {
  return file.kind == LinkedKind::Bitcode || file.kind == LinkedKind::LlvmText;
}

bool has_device_code(const CompilerConfig &config) {
  return std::any_of(config.linked.begin(), config.linked.end(),
                     [](const LinkedFile &file) { return !is_llvm_ir(file); });
}

bool may_define(const CompilerConfig &config, std::string_view function) {
  return std::any_of(config.linked.begin(), config.linked.end(),
                     [&](const LinkedFile &file) { return may_define(file, function); });
}

} // namespace kiln
