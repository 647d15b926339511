// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints values like Julia's show: as literals that parse back to the same value.
#include "print_names.h"
#include "types.h"

#include <fmt/format.h>
#include <support/float_text.h>
#include <support/unicode.h>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace kiln {

namespace {

constexpr int max_printed_depth = 32; // mutable objects can be cyclic

std::string print_signed(PrimitiveBits bits, unsigned width) {
  unsigned __int128 raw = (unsigned __int128)(bits[1]) << 64 | bits[0];
  auto value = (__int128)(raw << (128 - width)) >> (128 - width);
  return fmt::format("{}", value);
}

std::string print_hex(PrimitiveBits bits, unsigned width) {
  if (width <= 64) return fmt::format("0x{:0{}x}", bits[0], (width + 3) / 4);
  return fmt::format("0x{:0{}x}{:016x}", bits[1], (width - 64 + 3) / 4, bits[0]);
}

std::string print_string(std::string_view text) {
  return fmt::format("\"{}\"", unicode::escaped(text, "\"$"));
}

/// Prints a Char, whose UTF-8 bytes start at the highest byte of `bits`.
std::string print_char(uint32_t bits) {
  std::string bytes;
  for (size_t i = 0; i < unicode::Char{bits}.size(); ++i) bytes += char(bits >> (24 - 8 * i));
  return fmt::format("'{}'", unicode::escaped(bytes, "'"));
}

bool is_identifier(std::string_view text) {
  if (text.empty()) return false;
  for (size_t at = 0, size = 0; at < text.size(); at += size) {
    const unicode::Char c = unicode::char_at(text, at);
    size = c.size();
    if (!c.is_valid()) return false;
    const uint32_t code = c.code();
    if (code == '_' || (code < 0x80 && std::isalpha(int(code)))) continue;
    if (at > 0 && (code == '!' || (code < 0x80 && std::isdigit(int(code))))) continue;
    if (code < 0x80 || !unicode::is_print(code) || unicode::category(code) == unicode::Category::Zs)
      return false;
  }
  return true;
}

std::string print_symbol(std::string_view text) {
  static constexpr std::string_view in_parentheses[] = {":", "::", ":=", "=", "==", "===", "=>"};
  if (std::ranges::find(in_parentheses, text) != std::end(in_parentheses)) return fmt::format(":({})", text);
  const bool is_operator = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return c < 0x80 && c && std::strchr("+-*/\\^%&|~!<>=:$.", c);
  });
  return is_identifier(text) || is_operator ? fmt::format(":{}", text)
                                            : fmt::format("Symbol({})", print_string(text));
}

std::string print_primitive(const Value &value) {
  const TypeName &name = value.type()->as<DataType>()->name();
  std::string_view text = name.name.text();
  uint64_t low = value.low_bits();
  if (name.module == "Core") {
    if (text == "Bool") return low & 1 ? "true" : "false";
    if (text == "Char") return print_char(uint32_t(low));
    if (text.starts_with("Int")) return print_signed(value.bits(), name.primitive_bits);
    if (text.starts_with("UInt")) return print_hex(value.bits(), name.primitive_bits);
    if (text == "Float16") return float_text(FloatKind::Float16, low);
    if (text == "BFloat16") return float_text(FloatKind::BFloat16, low);
    if (text == "Float32") return float_text(FloatKind::Float32, low);
    if (text == "Float64") return float_text(FloatKind::Float64, low);
    if (text == "Ptr" || text == "LLVMPtr")
      return to_string(value.type()) + " @" + print_hex(value.bits(), 64);
  }
  return "reinterpret(" + to_string(value.type()) + ", " + print_hex(value.bits(), name.primitive_bits) + ")";
}

std::string print_value(const Value &value, int depth);

std::string print_list(std::span<const Value> values, int depth) {
  std::string out;
  for (const Value &v : values) out += (out.empty() ? "" : ", ") + print_value(v, depth + 1);
  return out;
}

std::string print_fields(const Value &value, std::span<const Value> fields, int depth) {
  const DataType *type = value.type()->as<DataType>();
  if (!type) return to_string(value.type()) + "(" + print_list(fields, depth) + ")";
  if (type->is_tuple()) return "(" + print_list(fields, depth) + (fields.size() == 1 ? ",)" : ")");
  if (type->is_named_tuple()) {
    if (fields.empty()) return "NamedTuple()";
    const ConstType *names = type->params()[0]->as<ConstType>();
    const std::vector<Value> *symbols = names ? names->value().fields() : nullptr;
    std::string out;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (i) out += ", ";
      if (symbols && i < symbols->size()) out += std::string((*symbols)[i].as_symbol().text()) + " = ";
      out += print_value(fields[i], depth + 1);
    }
    return "(" + out + (fields.size() == 1 ? ",)" : ")");
  }
  if (fields.empty()) {
    if (type->name().is_function) return qualified_name(type->name());
    if (type->name().name.text() == "Nothing" && type->name().module == "Core") return "nothing";
  }
  return to_string(value.type()) + "(" + print_list(fields, depth) + ")";
}

std::string print_value(const Value &value, int depth) {
  if (!value) return "#undef";
  if (depth > max_printed_depth) return "…";
  if (value.is_primitive()) return print_primitive(value);
  if (TypeRef type = value.as_type()) return to_string(type);
  if (Symbol symbol = value.as_symbol()) return print_symbol(symbol.text());
  if (const std::string *text = value.as_string()) return print_string(*text);
  if (const Module *module = value.as_module()) return module->full_name();
  if (const std::vector<Value> *fields = value.fields()) return print_fields(value, *fields, depth);
  if (MutableObject *object = value.as_mutable()) return print_fields(value, object->fields, depth);
  if (ExprObject *expr = value.as_expr()) {
    std::string args = print_list(expr->args, depth);
    return "Expr(" + print_symbol(expr->head.text()) + (args.empty() ? "" : ", ") + args + ")";
  }
  if (HostArray *array = value.as_array()) {
    std::string dims;
    for (int64_t d : array->dims) dims += (dims.empty() ? "" : "×") + std::to_string(d);
    return dims + (array->dims.size() == 1 ? "-element " : " ") + to_string(value.type());
  }
  if (HostObject *object = value.as_object())
    if (std::string text = object->text(); !text.empty()) return text;
  return to_string(value.type()) + "()";
}

} // namespace

std::string to_string(const Value &value) { return print_value(value, 0); }

} // namespace kiln
