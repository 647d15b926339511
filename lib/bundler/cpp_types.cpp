// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpp_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kiln {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 14> numbers{
    {{"Bool", "bool"},
     {"Int8", "int8_t"},
     {"Int16", "int16_t"},
     {"Int32", "int32_t"},
     {"Int64", "int64_t"},
     {"Int128", "__int128"},
     {"UInt8", "uint8_t"},
     {"UInt16", "uint16_t"},
     {"UInt32", "uint32_t"},
     {"UInt64", "uint64_t"},
     {"UInt128", "unsigned __int128"},
     {"Float32", "float"},
     {"Float64", "double"},
     {"Symbol", "uint64_t"}}}; // kiln::abi::symbol_identity of its text

std::string_view number(std::string_view name) {
  for (const auto &[language, cpp] : numbers)
    if (language == name) return cpp;
  return {};
}

constexpr std::array<std::string_view, 92> keywords{
    "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
    "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
    "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
    "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
    "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
    "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
    "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
    "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
    "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
    "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
    "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq"};

} // namespace

std::string KILN_API_VERSION::cpp_name(std::string_view name) {
  std::string made;
  for (char c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (fits) made += c;
    // C++ reserves names with two adjacent underscores for compilers and libraries.
    else if (!made.empty() && made.back() != '_')
      made += '_';
  }
  while (!made.empty() && made.back() == '_') made.pop_back();
  if (made.empty()) return "unnamed";
  if (made[0] >= '0' && made[0] <= '9') made = "n" + made;
  if (std::ranges::find(keywords, made) != keywords.end()) made += "_";
  return made;
}

CppType cpp_type(TypeContext &types, TypeRef type, std::vector<CppStruct> &structs) {
  const DataType *data = type->as<DataType>();
  const Layout *layout = data ? layout_of(types, type) : nullptr;
  if (!layout) return {"void"}; // kernels have no such parameters
  const std::string name(data->name().name.text());
  if (std::string_view known = number(name); !known.empty()) return {std::string(known)};
  const auto params = data->params();
  if (name == "CuDeviceArray" && params.size() >= 2)
    return {fmt::format("kiln::DeviceArray<{}, {}>", cpp_type(types, params[0], structs).text,
                        layout->size / 8 - 3)};
  const auto fields = types.field_types(data);
  if (fields.empty() && layout->size == 8 && (name == "LLVMPtr" || name == "Ptr")) return {"void *"};

  std::string wanted = cpp_name(to_string(type));
  for (const CppStruct &each : structs)
    if (each.of == to_string(type)) return {each.name, true};
  CppStruct made{
      .name = {}, .of = to_string(type), .size = layout->size, .align = layout->align, .fields = {}};
  const auto names = types.field_names(data);
  for (size_t i = 0; i < fields.size() && i < layout->offsets.size(); i++) {
    const Layout *part = layout_of(types, fields[i]);
    if (!part || part->size == 0) continue;
    std::string field = i < names.size() ? cpp_name(names[i].text()) : fmt::format("item{}", i + 1);
    const auto taken = [&](const CppStruct::Field &each) { return each.name == field; };
    while (std::ranges::any_of(made.fields, taken)) field += std::to_string(i + 1);
    made.fields.push_back({cpp_type(types, fields[i], structs).text, std::move(field), layout->offsets[i]});
  }
  const auto same_name = [&](const CppStruct &each) { return each.name == wanted; };
  for (int n = 2; std::ranges::any_of(structs, same_name); n++)
    wanted = fmt::format("{}_{}", cpp_name(to_string(type)), n);
  made.name = wanted;
  structs.push_back(std::move(made));
  return {wanted, true};
}

} // namespace kiln
