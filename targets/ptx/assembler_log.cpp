// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parser of NVIDIA's assembler logs. The format has been the same since CUDA 4:
//   ptxas info    : Compiling entry function 'NAME' for 'sm_90'
//   ptxas info    : Function properties for NAME
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 24 registers, used 1 barriers, 256 bytes smem, 400 bytes cmem[0]
//   ptxas kernel.ptx, line 37; error   : Not a name of any known instruction: 'mvo'
#include "assembler_log.h"

#include <kiln/extension/language/internal/hint.h>

#include <llvm/Object/ELFObjectFile.h>

#include <algorithm>
#include <charconv>

namespace kiln {
namespace {

template <class F> void for_lines(std::string_view text, F &&f) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
}

/// Parses the number directly before `unit`. Returns 0 if there is none.
uint32_t number_before(std::string_view line, std::string_view unit) {
  size_t end = line.find(unit);
  if (end == line.npos) return 0;
  while (end > 0 && line[end - 1] == ' ') --end;
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  uint32_t value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

std::string_view between(std::string_view line, std::string_view begin, std::string_view end) {
  size_t at = line.find(begin);
  if (at == line.npos) return {};
  at += begin.size();
  return line.substr(at, std::min(line.find(end, at), line.size()) - at);
}

/// Decodes the file name of a .file directive. LLVM writes a byte outside ASCII as a backslash and three
/// octal digits, because the assemblers accept only ASCII.
std::string decode_file_name(std::string_view written) {
  std::string name;
  for (size_t at = 0; at < written.size(); ++at) {
    unsigned byte = 0;
    const char *digits = written.data() + at + 1;
    if (written[at] == '\\' && written.size() - at > 3 &&
        std::from_chars(digits, digits + 3, byte, 8).ptr == digits + 3) {
      name += char(byte);
      at += 3;
    } else {
      name += written[at];
    }
  }
  return name;
}

/// Source line of a line of PTX: that of the last .loc directive up to there.
struct SourceLine {
  std::string file;
  uint32_t line = 0;
};
SourceLine source_of(std::string_view ptx, uint32_t ptx_line) {
  std::vector<std::pair<uint32_t, std::string_view>> files; // they follow the code
  uint32_t at = 0, file = 0, line = 0;
  for_lines(ptx, [&](std::string_view text) {
    ++at;
    size_t word = text.find_first_not_of(" \t");
    text.remove_prefix(std::min(word, text.size()));
    if (text.starts_with(".file")) {
      uint32_t number = 0;
      text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
      std::from_chars(text.data(), text.data() + text.size(), number);
      files.emplace_back(number, between(text, "\"", "\""));
    } else if (at <= ptx_line && (text.starts_with(".loc") || text.starts_with("}"))) {
      file = line = 0;
      if (text.starts_with("}")) return;
      const char *end = text.data() + text.size(),
                 *next = text.data() + std::min(text.find_first_of("0123456789"), text.size());
      next = std::from_chars(next, end, file).ptr;
      while (next < end && (*next == ' ' || *next == '\t')) ++next;
      std::from_chars(next, end, line);
    }
  });
  for (const auto &[number, name] : files)
    if (number == file && line) return {decode_file_name(name), line};
  return {};
}

} // namespace

KernelResources kernel_resources_from(std::string_view log, std::string_view entry,
                                      std::span<const std::string> functions) {
  KernelResources resources;
  std::string_view function; // function whose properties the next lines list
  bool used_next = false;    // the next register line is the entry's
  for_lines(log, [&](std::string_view line) {
    if (std::string_view compiled = between(line, "Compiling entry function '", "'"); !compiled.empty())
      used_next = compiled == entry;
    if (size_t at = line.find("Function properties for "); at != line.npos) function = line.substr(at + 24);
    if (line.find("bytes stack frame") != line.npos) {
      // Functions that the kernel calls have stack frames and spills of their own. The kernel's spills
      // include these.
      if (functions.empty() || std::find(functions.begin(), functions.end(), function) != functions.end()) {
        resources.spill_store_bytes += number_before(line, "bytes spill stores");
        resources.spill_load_bytes += number_before(line, "bytes spill loads");
      }
      if (function == entry) resources.stack_bytes = number_before(line, "bytes stack frame");
    }
    if (used_next && line.find("Used ") != line.npos && line.find("registers") != line.npos) {
      resources.registers = number_before(line, "registers");
      resources.barriers = number_before(line, "barriers");
      resources.shared_bytes = number_before(line, "bytes smem");
      used_next = false;
    }
  });
  return resources;
}

Error assembler_error(std::string_view log, std::string_view ptx, const std::string &tool,
                      const SourceMap &sources) {
  std::vector<Diagnostic> all;
  std::string rest;
  for_lines(log, [&](std::string_view line) {
    size_t colon = line.find("; error");
    uint32_t number = 0;
    std::string_view digits = between(line, ", line ", ";");
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (colon == line.npos || number == 0) {
      if (!line.empty()) rest += (rest.empty() ? "" : "\n") + std::string(line);
      return;
    }
    std::string_view message = line.substr(std::min(line.find(':', colon), line.size() - 1) + 1);
    message.remove_prefix(std::min(message.find_first_not_of(' '), message.size()));
    SourceLine place = source_of(ptx, number);
    Diagnostic d{.code = ErrorCode::AssemblerError,
                 .message = fmt::format("{} ({}, line {} of the PTX)", message, tool, number)};
    if (place.line) d.at = sources.locate_line(place.file, place.line);
    all.push_back(std::move(d));
  });
  if (all.empty()) {
    all.push_back(
        {.code = ErrorCode::AssemblerError,
         .message = fmt::format("{} rejects the PTX: {}", tool, rest.empty() ? "without a word" : rest)});
    all.back().hint =
        product_hint("asm") + " shows the PTX; a toolkit may not know this architecture or PTX version";
  }
  return Error(std::move(all));
}

uint32_t constant_bank_bytes(std::string_view cubin, std::string_view entry) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(cubin.data(), cubin.size()), "cubin"));
  if (!object) {
    llvm::consumeError(object.takeError());
    return 0;
  }
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    auto name = section.getName();
    if (!name)
      llvm::consumeError(name.takeError());
    else if (name->consume_front(".nv.constant0.") && *name == llvm::StringRef(entry))
      return uint32_t(section.getSize());
  }
  return 0;
}

} // namespace kiln
