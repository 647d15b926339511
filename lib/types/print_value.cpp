// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as Julia's show prints them: literals that read back as the same value.
#include "print_names.h"
#include "types.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace kiln {

namespace {

constexpr int max_depth = 32; // mutable objects can be cyclic

/// Digits and exponent as Julia writes a float: plain between 1e-4 and 1e6 (1e3 for 16 bits), else
/// scientific. `scientific` is a shortest form "d.ddde+XX"; `mark` is what replaces its e, `plain_end`
/// follows a plain number.
std::string layout_digits(std::string scientific, std::string_view mark, std::string_view plain_end,
                          int plain_digits = 6) {
  std::string sign;
  if (scientific[0] == '-') sign = "-", scientific.erase(0, 1);
  size_t e = scientific.find('e');
  int exponent = std::atoi(scientific.c_str() + e + 1);
  std::string digits = scientific.substr(0, e);
  if (digits.size() > 1) digits.erase(1, 1);
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  if (exponent < -4 || exponent >= plain_digits) {
    std::string rest = digits.size() > 1 ? digits.substr(1) : "0";
    return fmt::format("{}{}.{}{}{}", sign, digits[0], rest, mark, exponent);
  }
  std::string text;
  if (exponent < 0) {
    text = "0." + std::string(size_t(-exponent - 1), '0') + digits;
  } else {
    size_t whole = size_t(exponent) + 1;
    if (digits.size() < whole + 1) digits.resize(whole, '0');
    text = digits.substr(0, whole) + "." + (digits.size() > whole ? digits.substr(whole) : "0");
  }
  return sign + text + std::string(plain_end);
}

template <class F> std::string shortest(F x) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific).ptr;
  return std::string(buffer, end);
}

std::string special(double x, std::string_view suffix) {
  if (std::isnan(x)) return "NaN" + std::string(suffix);
  return (x < 0 ? "-Inf" : "Inf") + std::string(suffix);
}

double half_value(uint16_t bits) {
  int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double x = exponent == 31  ? (fraction ? NAN : INFINITY)
             : exponent == 0 ? std::ldexp(fraction, -24)
                             : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -x : x;
}

double bfloat_value(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float x;
  std::memcpy(&x, &wide, 4);
  return x;
}

/// The fewest digits that name this 16-bit float and no neighbour of it.
std::string print_16(uint16_t bits, double (*value)(uint16_t), std::string_view name,
                     std::string_view suffix) {
  double x = value(bits);
  if (!std::isfinite(x)) return special(x, suffix);
  std::string text;
  for (int digits = 0; digits < 17; ++digits) {
    text = fmt::format("{:.{}e}", x, digits);
    double read = 0; // not by strtod: the embedder's locale may write 1,5
    std::from_chars(text.data(), text.data() + text.size(), read);
    if (read == x) break;
    double next = value(uint16_t(bits + 1)), previous = bits & 0x7fff ? value(uint16_t(bits - 1)) : x;
    if (!std::isfinite(next)) next = 2 * x - previous;
    double towards = std::abs(read) > std::abs(x) ? next : previous;
    if (std::abs(read - x) < std::abs(towards - x) / 2) break;
  }
  return fmt::format("{}({})", name, layout_digits(text, "e", "", 3));
}

std::string print_signed(PrimitiveBits bits, unsigned width) {
  unsigned __int128 raw = (unsigned __int128)(bits[1]) << 64 | bits[0];
  auto value = (__int128)(raw << (128 - width)) >> (128 - width);
  return fmt::format("{}", value);
}

std::string print_hex(PrimitiveBits bits, unsigned width) {
  if (width <= 64) return fmt::format("0x{:0{}x}", bits[0], (width + 3) / 4);
  return fmt::format("0x{:0{}x}{:016x}", bits[1], (width - 64 + 3) / 4, bits[0]);
}

void escape_into(std::string &out, unsigned char c, unsigned char quote) {
  switch (c) {
  case '\n': out += "\\n"; return;
  case '\t': out += "\\t"; return;
  case '\r': out += "\\r"; return;
  case '\a': out += "\\a"; return;
  case '\b': out += "\\b"; return;
  case '\f': out += "\\f"; return;
  case '\v': out += "\\v"; return;
  case 0x1b: out += "\\e"; return;
  case '\0': out += "\\0"; return;
  case '\\': out += "\\\\"; return;
  default: break;
  }
  if (c == quote || (c == '$' && quote == '"')) out += '\\';
  if (c < 0x20 || c == 0x7f)
    out += fmt::format("\\x{:02x}", c);
  else
    out += char(c);
}

std::string print_string(std::string_view text) {
  std::string out = "\"";
  for (unsigned char c : text) escape_into(out, c, '"');
  return out + "\"";
}

/// A Char holds its UTF-8 bytes from the highest byte down.
std::string print_char(uint32_t bits) {
  std::string out = "'";
  escape_into(out, (unsigned char)(bits >> 24), '\'');
  for (int shift = 16; shift >= 0; shift -= 8)
    if (auto byte = (unsigned char)(bits >> shift)) out += char(byte);
  return out + "'";
}

std::string print_symbol(std::string_view text) {
  bool identifier = !text.empty() && !std::isdigit((unsigned char)text[0]) && text[0] != '!';
  bool op = !text.empty();
  for (unsigned char c : text) {
    identifier = identifier && (std::isalnum(c) || c == '_' || c == '!' || c >= 0x80);
    op = op && c < 0x80 && std::strchr("+-*/\\^%&|~!<>=:$", c) && c;
  }
  return identifier || op ? ":" + std::string(text) : "Symbol(" + print_string(text) + ")";
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
    if (text == "Float16") return print_16(uint16_t(low), half_value, "Float16", "16");
    if (text == "BFloat16") return print_16(uint16_t(low), bfloat_value, "BFloat16", "B16");
    if (text == "Float32") {
      auto raw = uint32_t(low);
      float x;
      std::memcpy(&x, &raw, 4);
      return std::isfinite(x) ? layout_digits(shortest(x), "f", "f0") : special(x, "32");
    }
    if (text == "Float64") {
      double x;
      std::memcpy(&x, &low, 8);
      return std::isfinite(x) ? layout_digits(shortest(x), "e", "") : special(x, "");
    }
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
  if (depth > max_depth) return "…";
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
