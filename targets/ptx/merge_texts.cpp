// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge_texts.h"

#include <support/support.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace kiln {
namespace {

/// A statement at the top level of a PTX text.
struct Item {
  enum class Kind { Entry, Function, Prototype, External, Variable, File };
  Kind kind = Kind::Entry;
  std::string_view name; ///< defined name; of a File: the text after its number
  std::string_view text;
  uint32_t number = 0; ///< of a File
};

struct ParsedText {
  std::string_view header; ///< .version, .target, .address_size
  std::vector<Item> items;
};

bool begins_name(char c) { return std::isalpha(uint8_t(c)) || c == '_' || c == '$' || c == '%'; }
bool is_in_name(char c) { return std::isalnum(uint8_t(c)) || c == '_' || c == '$'; }

size_t end_of_name(std::string_view text, size_t at) {
  while (at < text.size() && is_in_name(text[at])) at++;
  return at;
}
size_t skip_space(std::string_view text, size_t at) {
  while (at < text.size() && std::isspace(uint8_t(text[at]))) at++;
  return at;
}
size_t end_of_line(std::string_view text, size_t at) { return std::min(text.find('\n', at), text.size()); }

/// Returns the position after the space and comments that start at `at`.
size_t skip_blank(std::string_view text, size_t at) {
  for (;;) {
    at = skip_space(text, at);
    if (text.substr(at, 2) != "//") return at;
    at = end_of_line(text, at);
  }
}

/// Returns the position after the statement that starts at `at`. A statement ends with a semicolon outside of
/// braces or, if it has a body, with its last brace. npos: the end is missing.
size_t end_of_statement(std::string_view text, size_t at, bool has_body) {
  for (size_t depth = 0; at < text.size(); at++) {
    switch (text[at]) {
    case '/':
      if (text.substr(at, 2) == "//") at = end_of_line(text, at);
      break;
    case '"':
      at = text.find('"', at + 1);
      if (at == text.npos) return at;
      break;
    case '{': depth++; break;
    case '}':
      if (depth == 0) return text.npos;
      if (--depth == 0 && has_body) return at + 1;
      break;
    case ';':
      if (depth == 0) return at + 1;
      break;
    }
  }
  return text.npos;
}

/// Returns true for the names of constant strings of Kiln's library and tables of libdevice. Host code looks
/// none of them up.
bool is_private(std::string_view variable) {
  return variable.starts_with("kiln_text_") || variable.starts_with("__cudart_") ||
         variable.starts_with("__internal_");
}

/// Parses the name in `.func (.param .b32 r) NAME (...)`, which follows the returned parameter.
std::string_view function_name(std::string_view statement) {
  size_t at = statement.find(".func") + 5;
  at = skip_space(statement, at);
  if (at < statement.size() && statement[at] == '(') {
    at = statement.find(')', at);
    if (at == statement.npos) return {};
    at = skip_space(statement, at + 1);
  }
  return statement.substr(at, end_of_name(statement, at) - at);
}

/// Parses the name in `.shared .align 4 .b8 NAME[64];`: the first word that is neither a directive nor a
/// number.
std::string_view variable_name(std::string_view statement) {
  const size_t end = statement.find_first_of("[=;");
  for (size_t at = 0; at < std::min(end, statement.size());) {
    const char c = statement[at];
    const size_t next = end_of_name(statement, at + 1);
    if (begins_name(c)) return statement.substr(at, next - at);
    at = c == '.' || std::isdigit(uint8_t(c)) ? next : at + 1;
  }
  return {};
}

/// Parses a top-level statement. No value: a merged text must not contain such a statement.
std::optional<Item> parse_item(std::string_view statement) {
  const auto begins = [&](std::string_view word) { return statement.starts_with(word); };
  Item item{.text = statement};
  if (begins(".visible .entry")) {
    const size_t at = skip_space(statement, 15);
    item.name = statement.substr(at, end_of_name(statement, at) - at);
  } else if (begins(".extern .func")) {
    item.kind = Item::Kind::External;
    item.name = function_name(statement);
  } else if (begins(".func")) {
    item.kind = statement.ends_with('}') ? Item::Kind::Function : Item::Kind::Prototype;
    item.name = function_name(statement);
  } else if (begins(".shared") || begins(".extern .shared") || begins(".global")) {
    item.kind = Item::Kind::Variable;
    item.name = variable_name(statement);
    if (begins(".global") && !is_private(item.name)) return std::nullopt;
  } else {
    return std::nullopt;
  }
  return item.name.empty() ? std::nullopt : std::optional(item);
}

/// Parses a PTX text. No value: the text cannot be merged.
std::optional<ParsedText> parse(std::string_view text) {
  ParsedText parsed;
  const size_t header = text.find(".version"), last = text.find(".address_size");
  if (header == text.npos || last == text.npos || text.find("inlined_at") != text.npos) return std::nullopt;
  const size_t header_end = end_of_line(text, last);
  parsed.header = text.substr(header, header_end - header);
  if (parsed.header.find("debug") != text.npos) return std::nullopt;
  size_t entries = 0;
  for (size_t at = skip_blank(text, header_end); at < text.size(); at = skip_blank(text, at)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with(".file")) {
      const size_t end = end_of_line(text, at), digits = skip_space(text, at + 5);
      Item item{.kind = Item::Kind::File, .name = {}, .text = text.substr(at, end - at)};
      const char *stop = std::from_chars(text.data() + digits, text.data() + end, item.number).ptr;
      item.name = std::string_view(stop, size_t(text.data() + end - stop));
      parsed.items.push_back(item);
      at = end;
      continue;
    }
    const bool is_section = rest.starts_with(".section"); // LLVM writes empty sections
    const bool is_function = rest.starts_with(".func") || rest.starts_with(".visible .entry");
    const size_t end = end_of_statement(text, at, is_function || is_section);
    if (end == text.npos) return std::nullopt;
    const std::string_view statement = text.substr(at, end - at);
    at = end;
    if (is_section) {
      const size_t brace = statement.find('{') + 1;
      if (skip_space(statement, brace) != statement.size() - 1) return std::nullopt;
      continue;
    }
    const auto item = parse_item(statement);
    if (!item) return std::nullopt;
    entries += item->kind == Item::Kind::Entry;
    parsed.items.push_back(*item);
  }
  return entries == 1 ? std::optional(std::move(parsed)) : std::nullopt;
}

using Names = std::unordered_map<std::string_view, std::string>;
using Numbers = std::unordered_map<uint32_t, uint32_t>;

/// Replaces names, and the file numbers of .loc directives, in a PTX text.
std::string renamed(std::string_view text, const Names &names, const Numbers &files) {
  std::string out;
  out.reserve(text.size() + 64);
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (text.substr(at, 2) == "//") {
      end = end_of_line(text, at);
    } else if (begins_name(text[at])) {
      end = end_of_name(text, at + 1);
      if (const auto other = names.find(text.substr(at, end - at)); other != names.end()) {
        out += other->second;
        at = end;
        continue;
      }
    } else if (text[at] == '.' || std::isdigit(uint8_t(text[at]))) {
      end = end_of_name(text, at + 1); // skip directives and numbers: they contain no names
      if (text.substr(at, end - at) == ".loc") {
        const size_t digits = skip_space(text, end);
        uint32_t file = 0;
        const char *stop = std::from_chars(text.data() + digits, text.data() + text.size(), file).ptr;
        const auto other = files.find(file);
        out += fmt::format(".loc\t{}", other == files.end() ? file : other->second);
        at = size_t(stop - text.data());
        continue;
      }
    }
    out += text.substr(at, end - at);
    at = end;
  }
  return out;
}

/// Removes label numbers from a function's text, since they depend on the function's position in the module.
std::string without_place(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    static constexpr std::string_view labels[] = {"$L__BB", "$L__func_begin", "$L__func_end", "$L__tmp"};
    const auto label = std::find_if(std::begin(labels), std::end(labels),
                                    [&](std::string_view each) { return text.substr(at).starts_with(each); });
    if (label == std::end(labels)) {
      out += text[at++];
      continue;
    }
    out += *label;
    at += label->size();
    while (at < text.size() && std::isdigit(uint8_t(text[at]))) at++;
  }
  return out;
}

/// Returns true if the statement `text` uses one of `names`, apart from its `own` name.
bool uses_any(std::string_view text, const std::unordered_set<std::string_view> &names,
              std::string_view own) {
  for (size_t at = 0; at < text.size();) {
    if (!begins_name(text[at]) || (at && (is_in_name(text[at - 1]) || text[at - 1] == '.'))) {
      at++;
      continue;
    }
    const size_t end = end_of_name(text, at + 1);
    const std::string_view name = text.substr(at, end - at);
    if (name != own && names.contains(name)) return true;
    at = end;
  }
  return false;
}

class Merge {
public:
  Result<void> add(const ParsedText &text, size_t index) {
    if (header_.empty()) header_ = text.header;
    if (header_ != text.header) return internal_error("PTX texts of two headers cannot be merged");
    std::unordered_set<std::string_view> defined;
    Numbers files;
    for (const Item &item : text.items)
      if (item.kind == Item::Kind::File)
        files[item.number] = files_.emplace(item.name, uint32_t(files_.size()) + 1).first->second;
      else
        defined.insert(item.name);
    Names names;
    std::set<std::string_view> known; // of an earlier text
    std::vector<std::string> functions;
    for (const Item &item : text.items) {
      switch (item.kind) {
      case Item::Kind::File:
      case Item::Kind::Prototype: break;
      case Item::Kind::Entry:
        if (!entries_.emplace(item.name).second)
          return internal_error(fmt::format("two kernels {} cannot be in one PTX text", item.name));
        functions.emplace_back(item.name);
        break;
      case Item::Kind::External: {
        const auto [found, fresh] = externals_.emplace(item.name, item.text);
        if (found->second != item.text)
          return internal_error(fmt::format("two declarations of {} cannot be in one PTX text", item.name));
        if (!fresh) known.insert(item.name);
        break;
      }
      case Item::Kind::Function: {
        if (!uses_any(item.text, defined, item.name)) {
          const std::string code = without_place(renamed(item.text, {}, files));
          const auto [found, fresh] = shared_.emplace(item.name, code);
          if (found->second == code) {
            if (!fresh) known.insert(item.name);
            functions.emplace_back(item.name);
            break;
          }
        }
        names[item.name] = own_name(item.name, index);
        functions.push_back(names[item.name]);
        break;
      }
      case Item::Kind::Variable: names[item.name] = own_name(item.name, index); break;
      }
    }
    for (const Item &item : text.items)
      if (item.kind != Item::Kind::File && !known.contains(item.name))
        body_ += renamed(item.text, names, files) + "\n";
    functions_.push_back(std::move(functions));
    return {};
  }

  MergedPtx finish() {
    std::vector<std::string> files(files_.size());
    for (const auto &[rest, number] : files_)
      files[number - 1] = fmt::format("\t.file\t{}{}\n", number, rest);
    std::string text = std::string(header_) + "\n\n" + body_;
    for (const std::string &file : files) text += file;
    return {std::move(text), std::move(functions_)};
  }

private:
  static std::string own_name(std::string_view name, size_t index) {
    return fmt::format("{}$kiln{}", name, index);
  }
  std::string_view header_;
  std::string body_;
  std::map<std::string, uint32_t, std::less<>> files_;
  std::set<std::string, std::less<>> entries_;
  std::map<std::string_view, std::string_view> externals_;
  std::map<std::string_view, std::string> shared_; ///< functions, by name
  std::vector<std::vector<std::string>> functions_;
};

} // namespace

bool can_merge_ptx(std::string_view text) { return parse(text).has_value(); }

Result<MergedPtx> merge_ptx(std::span<const AssemblerInput> inputs) {
  Merge merge;
  for (size_t i = 0; i < inputs.size(); i++) {
    const auto parsed = parse(inputs[i].text);
    if (!parsed) return internal_error(fmt::format("the PTX of {} cannot be merged", inputs[i].entry));
    KILN_CHECK(merge.add(*parsed, i));
  }
  return merge.finish();
}

} // namespace kiln
