// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions that print values as Julia does, if that needs no Julia methods: numbers, characters, types,
// names.
#include "big_integers.h"

#include <support/unicode.h>

#include <algorithm>
#include <bit>
#include <cctype>

namespace kiln {

std::optional<__int128> wide_integer_of(TypeContext &types, const Value &v) {
  const auto &b = types.builtins();
  if (!v.is_primitive()) return small_big_integer(v);
  if (!types.is_integer(v.type())) return std::nullopt;
  const auto bits = (unsigned __int128)(v.bits()[1]) << 64 | v.bits()[0];
  if (v.type() == b.Int128) return __int128(bits);
  if (v.type() == b.UInt128) return bits >> 127 ? std::nullopt : std::optional(__int128(bits));
  if (v.type() == b.UInt64) return __int128(v.low_bits());
  return *integer_of(types, v);
}

std::optional<double> float_of(TypeContext &types, const Value &v) {
  if (!v.is_primitive()) return std::nullopt;
  const auto &b = types.builtins();
  if (v.type() == b.Float64) return std::bit_cast<double>(v.low_bits());
  if (v.type() == b.Float32) return double(std::bit_cast<float>(uint32_t(v.low_bits())));
  if (v.type() == b.UInt64) return double(v.low_bits());
  if (v.type() == b.Float16) return double(std::bit_cast<_Float16>(uint16_t(v.low_bits())));
  if (auto n = integer_of(types, v)) return double(*n);
  return std::nullopt;
}

std::string char_text(uint32_t bits) {
  std::string text;
  for (size_t i = 0; i < unicode::Char{bits}.size(); ++i) text += char(bits >> (24 - 8 * i));
  return text;
}

uint32_t char_bits(std::string_view utf8) {
  uint32_t bits = 0;
  for (size_t i = 0; i < 4; ++i) bits = bits << 8 | (i < utf8.size() ? uint8_t(utf8[i]) : 0);
  return bits;
}

std::string plain_number(TypeContext &types, const Value &v, FloatStyle style) {
  const auto &b = types.builtins();
  const TypeRef type = v.type();
  if (types.is_float(type))
    return float_text(type == b.Float64   ? FloatKind::Float64
                      : type == b.Float32 ? FloatKind::Float32
                      : type == b.Float16 ? FloatKind::Float16
                                          : FloatKind::BFloat16,
                      v.low_bits(), style);
  const auto *data = type->as<DataType>();
  if (data && data->name().name.text().starts_with("UInt")) {
    const unsigned __int128 high = v.bits()[1];
    return fmt::format("{}", high << 64 | v.bits()[0]);
  }
  return to_string(v);
}

std::optional<std::string_view> text_of(const Value &v) {
  if (const std::string *text = v.as_string()) return *text;
  const std::vector<Value> *fields = v.fields(); // string, offset, ncodeunits
  if (!fields || fields->size() != 3 || !(*fields)[0].as_string()) return std::nullopt;
  const DataType *type = v.type()->as<DataType>();
  if (!type || type->name().name.text() != "SubString" || type->name().module != "Base") return std::nullopt;
  const std::string_view whole = *(*fields)[0].as_string();
  const uint64_t offset = (*fields)[1].low_bits();
  return offset > whole.size() ? std::string_view() : whole.substr(offset, (*fields)[2].low_bits());
}

std::optional<std::string> plain_text(TypeContext &types, const Value &v) {
  if (auto text = text_of(v)) return std::string(*text);
  if (Symbol symbol = v.as_symbol()) return std::string(symbol.text());
  if (TypeRef type = v.as_type()) return type_text(types, type);
  const DataType *type = v.type() ? v.type()->as<DataType>() : nullptr;
  if (!v.is_primitive() || !type || type->name().module != "Core") {
    if (v.type() == types.builtins().Nothing) return "nothing";
    return std::nullopt;
  }
  if (type->name().name.text() == "Char") return char_text(uint32_t(v.low_bits()));
  if (types.is_float(type) || types.is_integer(type))
    return plain_number(types, v, {.typed = false, .printed = true});
  return std::nullopt;
}

namespace {

std::string parameters_text(TypeContext &types, std::span<const TypeRef> params) {
  std::string text;
  for (TypeRef param : params) text += (text.empty() ? "" : ", ") + type_text(types, param);
  return text;
}

int64_t rank_of(TypeRef type) {
  const auto *constant = type->as<ConstType>();
  return constant && constant->value().is_primitive() ? int64_t(constant->value().low_bits()) : -1;
}

std::string without_dates(std::string text) { // its names are printed as if exported
  for (size_t at; (at = text.find("Base.Dates.")) != std::string::npos;) text.erase(at, 11);
  return text;
}

} // namespace

/// Prints a tuple type. More than three equal trailing elements are printed once, as in Julia: Tuple{A,
/// Vararg{B, 4}}.
static std::string tuple_text(TypeContext &types, const DataType &tuple) {
  const std::span<const TypeRef> params = tuple.params();
  const size_t n = params.size();
  size_t tail = 0;
  while (tail < n && params[n - 1 - tail] == params[n - 1]) ++tail;
  if (n == 0 || params[n - 1]->is<VarargType>() || tail <= 3)
    return params.size() == 1 && params[0]->is<VarargType>()
               ? without_dates(to_string(&tuple))
               : fmt::format("Tuple{{{}}}", parameters_text(types, params));
  if (tail == n) return fmt::format("NTuple{{{}, {}}}", n, type_text(types, params[0]));
  return fmt::format("Tuple{{{}, Vararg{{{}, {}}}}}", parameters_text(types, params.first(n - tail)),
                     type_text(types, params[n - 1]), tail);
}

std::string type_text(TypeContext &types, TypeRef type) {
  if (const auto *all = type->as<UnionAllType>()) {
    if (const auto *data = all->body()->as<DataType>()) { // the type Array{T, 1} where T is printed as Vector
      std::string_view name = data->name().name.text();
      if (data->params().size() == 2 && data->params()[0] == all->var() && name.ends_with("Array"))
        if (int64_t rank = rank_of(data->params()[1]); rank == 1 || rank == 2)
          return without_dates(std::string(name.substr(0, name.size() - 5)) +
                               (rank == 1 ? "Vector" : "Matrix"));
    }
    return without_dates(to_string(type));
  }
  const auto *data = type->as<DataType>();
  if (!data) return without_dates(to_string(type));
  std::span<const TypeRef> params = data->params();
  const std::string_view name = data->name().name.text();
  if (data->name().module == "CUDA" && name.ends_with("Memory")) // not exported
    return fmt::format("CUDA.{}", name);
  if (data->name().is_function || data->is_named_tuple() || params.empty())
    return without_dates(to_string(type));
  if (data->is_tuple()) return tuple_text(types, *data);
  if ((name == "Array" || name == "AbstractArray" || name == "DenseArray") && params.size() == 2)
    if (int64_t rank = rank_of(params[1]); rank == 1 || rank == 2)
      return fmt::format("{}{}{{{}}}", name.substr(0, name.size() - 5), rank == 1 ? "Vector" : "Matrix",
                         type_text(types, params[0]));
  // Prints SArray{Tuple{3}, T, 1, 3} as SVector{3, T}, and SArray{Tuple{2, 2}, T, 2, 4} as SMatrix{2, 2, T,
  // 4}.
  if ((name == "SArray" || name == "MArray") && params.size() == 4)
    if (const auto *size = params[0]->as<DataType>(); size && size->is_tuple())
      if (const int64_t rank = rank_of(params[2]);
          (rank == 1 || rank == 2) && size->params().size() == size_t(rank)) {
        std::vector<TypeRef> shown(size->params().begin(), size->params().end());
        shown.push_back(params[1]);
        if (rank == 2) shown.push_back(params[3]);
        return fmt::format("{}{}{{{}}}", name[0], rank == 1 ? "Vector" : "Matrix",
                           parameters_text(types, shown));
      }
  if (name == "Complex") {
    const auto &b = types.builtins();
    if (params[0] == b.Float64) return "ComplexF64";
    if (params[0] == b.Float32) return "ComplexF32";
    if (params[0] == b.Float16) return "ComplexF16";
  }
  static constexpr std::string_view not_exported[] = {
      "OneTo", "RefValue", "TwicePrecision", "ReshapedArray", "Generator", "Slice", "ReinterpretArray"};
  std::string whole = without_dates(to_string(type));
  if (data->name().module == "Base" && std::ranges::find(not_exported, name) != std::end(not_exported))
    whole.insert(0, "Base.");
  const size_t brace = whole.find('{');
  return brace == std::string::npos ? whole
                                    : whole.substr(0, brace) + "{" + parameters_text(types, params) + "}";
}

/// Returns the module of a type or function; empty for other values.
static std::string_view module_of(TypeContext &types, const Value &value) {
  TypeRef of = value.as_type();
  while (const auto *all = of ? of->as<UnionAllType>() : nullptr) of = all->body();
  const DataType *data = (of ? of : types.type_of(value))->as<DataType>();
  return data && (of || data->name().is_function) ? std::string_view(data->name().module) : "";
}

/// Replaces each qualified name of the text, such as "Main.Shapes.T", by what `shorten` returns for it.
template <class Shorten> static std::string with_names(const std::string &text, const Shorten &shorten) {
  auto is_part = [](char c) {
    return std::isalnum((unsigned char)c) || c == '_' || c == '!' || (unsigned char)c >= 0x80;
  };
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && (is_part(text[end]) || (text[end] == '.' && end > at))) ++end;
    const std::string token = text.substr(at, std::max<size_t>(end - at, 1));
    at += token.size();
    const size_t dot = token.rfind('.');
    out += dot == token.npos || dot + 1 == token.size() ? token : shorten(token, dot);
  }
  return out;
}

/// Removes the module from each name that `from` sees without it, as in Julia: after `using M`, M.Exported is
/// printed as Exported.
static std::string as_seen_from(Library &l, const Module &from, const std::string &text) {
  return with_names(text, [&](const std::string &token, size_t dot) {
    // All modules see the names of Base, exported or not: type_text knows the exported ones.
    if (token.starts_with("Base.") || token.starts_with("CUDA.")) return token;
    const std::string name = token.substr(dot + 1);
    auto found = l.world.lookup(from, l.types.symbol(name), l.world.age());
    const bool is_seen = found.ok() && *found && **found &&
                         module_of(l.types, **found) == std::string_view(token).substr(0, dot);
    return is_seen ? name : token;
  });
}

static std::string as_main_sees(Library &l, const std::string &text) {
  return as_seen_from(l, *l.world.main(), text);
}

std::optional<std::string> printed_text(Library &l, const Value &v) {
  auto text = plain_text(l.types, v);
  return text && v.as_type() ? as_main_sees(l, *text) : text;
}

void add_texts(Library &l) {
  TypeContext &types = l.types;
  l.add("__is_interpreted", 0, [&](Interpreter &, Args) -> Result<Value> { return types.boolean(true); });
  l.add("__text_of", 1, [&](Interpreter &, Args a) -> Result<Value> {
    auto text = text_of(a[0]);
    return text ? l.text(std::string(*text)) : Value();
  });
  l.add("__literal", 1, [&](Interpreter &, Args a) -> Result<Value> { return l.text(to_string(a[0])); });
  l.add("__plain", 1, [&](Interpreter &, Args a) -> Result<Value> {
    return l.text(printed_text(l, a[0]).value_or(to_string(a[0])));
  });
  // __float_text(x, with type marker, compact, by print): the text of a float in this style
  l.add("__float_text", 4, [&](Interpreter &, Args a) -> Result<Value> {
    const FloatStyle style{bool(a[1].low_bits() & 1), bool(a[2].low_bits() & 1), bool(a[3].low_bits() & 1)};
    return l.text(plain_number(types, a[0], style));
  });
  l.add("__type_text", 1, [&](Interpreter &, Args a) -> Result<Value> {
    return l.text(a[0].as_type() ? as_main_sees(l, type_text(types, a[0].as_type())) : to_string(a[0]));
  });
  // __shown_type(T, compact, module): the text of a type in a print context
  l.add("__shown_type", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const TypeRef type = a[0].as_type();
    if (!type) return l.text(to_string(a[0]));
    const std::string text = type_text(types, type);
    if (a[1].low_bits() & 1)
      return l.text(
          with_names(text, [](const std::string &token, size_t dot) { return token.substr(dot + 1); }));
    const Module *from = a[2].as_module();
    return l.text(as_seen_from(l, from ? *from : *l.world.main(), text));
  });
  l.add("__function_name", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const DataType *type = a[0].type()->as<DataType>();
    std::string name(type ? type->name().name.text() : std::string_view("?"));
    if (name.starts_with("#")) { // a closure: #host#name#1#digest, or #host#1#digest if it has no name
      const size_t from = name.find('#', 1);
      const std::string rest = from == std::string::npos ? "" : name.substr(from + 1);
      name = rest.substr(0, rest.find('#'));
      if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0]))) name.insert(0, "#");
    }
    return l.text(std::move(name));
  });
  l.add("__is_closure_or_operator", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const DataType *type = a[0].type()->as<DataType>();
    return types.boolean(type && (type->name().is_function || type->name().name.text().starts_with("#")));
  });
  l.add("__method_count_text", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const DataType *type = a[0].type()->as<DataType>();
    size_t n = l.world.methods_of(types.type_of(a[0]), Symbol(), l.world.age()).size();
    if (type && type->name().name.text().starts_with("@"))
      n = std::max<size_t>(n, 1); // a macro counts as at least one method
    return l.text(fmt::format("{} method{}", n, n == 1 ? "" : "s"));
  });
  l.add("__identifier_text", 1, [&](Interpreter &, Args a) -> Result<Value> {
    std::string text = to_string(a[0]);
    if (text.starts_with(':') && !text.starts_with(":(")) return l.text(text.substr(1));
    const std::string_view name = a[0].as_symbol() ? a[0].as_symbol().text() : std::string_view();
    return l.text(fmt::format("var\"{}\"", unicode::escaped(name, "\"$")));
  });
  // __property(chain, name, default): a property of an IOContext. The chain is a list of (name, value, rest),
  // newest first.
  l.add("__property", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const Value *at = &a[0];
    for (; at->fields() && at->fields()->size() == 3; at = &(*at->fields())[2])
      if (egal((*at->fields())[0], a[1])) return (*at->fields())[1];
    return a[2];
  });
  // __shown_at(chain, x): position of x among the enclosing collections that are being printed, 1 for the
  // innermost; 0: none is x
  l.add("__shown_at", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const Symbol shown = types.symbol("SHOWN_SET");
    int64_t depth = 0;
    for (const Value *at = &a[0]; at->fields() && at->fields()->size() == 3; at = &(*at->fields())[2])
      if ((*at->fields())[0].as_symbol() == shown) {
        ++depth;
        if (egal((*at->fields())[1], a[1])) return types.int64(depth);
      }
    return types.int64(0);
  });
  l.add("__is_set", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const MutableObject *object = a[0].as_mutable();
    const std::vector<Value> *fields = object ? &object->fields : a[0].fields();
    const uint64_t i = a[1].low_bits();
    return types.boolean(!fields || (i >= 1 && i <= fields->size() && bool((*fields)[i - 1])));
  });
  l.add("__is_assigned", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[0].as_array();
    const uint64_t i = a[1].low_bits() - 1;
    return types.boolean(array && (i >= array->values.size() || bool(array->values[i])));
  });
  // Implements join(items), join(items, between) and join(items, between, the last between).
  l.add_any("join", [&](Interpreter &, Args a) -> Result<Value> {
    if (a.empty() || a.size() > 3 || a[0].as_object() || (a.size() > 1 && !plain_text(types, a[1])))
      return Value();
    KILN_TRY(Value items, l.program.call("collect", a.first(1)));
    const HostArray *array = items.as_array();
    if (!array) return Value();
    std::string whole;
    const std::string between = a.size() > 1 ? *plain_text(types, a[1]) : "";
    const std::string last = a.size() > 2 ? plain_text(types, a[2]).value_or(between) : between;
    for (int64_t i = 0, n = array->length(); i < n; ++i) {
      KILN_CHECK(l.check_interrupt());
      if (i > 0) whole += i + 1 == n ? last : between;
      KILN_TRY(Value part, get_element(types, *array, i));
      if (auto text = printed_text(l, part)) {
        whole += *text;
        continue;
      }
      KILN_TRY(Value made, l.program.call("__to_string", std::span(&part, 1)));
      if (const std::string *text = made.as_string()) whole += *text;
    }
    return l.text(std::move(whole));
  });
  // Implements string(parts...) for values without print methods of their own. Other values are left to the
  // Julia method.
  l.add_any("string", [&](Interpreter &i, Args args) -> Result<Value> {
    std::string whole;
    for (const Value &part : args) {
      if (auto text = printed_text(l, part)) {
        whole += *text;
        continue;
      }
      KILN_TRY(Value made, l.program.call("__to_string", std::span(&part, 1)));
      if (const std::string *text = made.as_string()) whole += *text;
    }
    return l.text(std::move(whole));
  });
}

} // namespace kiln
