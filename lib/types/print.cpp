// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.h"

#include "print_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace kiln {

std::string qualified_name(const TypeName &name) {
  std::string_view text =
      name.is_function && name.function_name ? name.function_name.text() : name.name.text();
  const std::string &module = name.module;
  if (module.empty() || module == "Core" || module == "Base" || module == "Main" || module == "CUDA" ||
      module == "Base.PermutedDimsArrays")
    return std::string(text);
  bool is_operator =
      !text.empty() && std::ispunct((unsigned char)text[0]) && text[0] != '_' && text[0] != '#';
  return module + (is_operator ? ".:" : ".") + std::string(text);
}

std::string cut_short(std::string text) {
  if (text.size() <= short_size) return text;
  size_t end = short_size;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  text.resize(end);
  return text + "…";
}

namespace {

size_t occurrences(TypeRef type, const TypeVar *var) {
  if (type == var) return 1;
  if (!type || !type->has_free_vars()) return 0;
  size_t n = 0;
  if (auto *d = type->as<DataType>())
    for (TypeRef p : d->params()) n += occurrences(p, var);
  else if (auto *u = type->as<UnionType>())
    for (TypeRef m : u->members()) n += occurrences(m, var);
  else if (auto *v = type->as<VarargType>())
    n = occurrences(v->element(), var) + occurrences(v->count(), var);
  else if (auto *w = type->as<UnionAllType>())
    n = occurrences(w->var()->lower(), var) + occurrences(w->var()->upper(), var) +
        occurrences(w->body(), var);
  return n;
}

bool is_any(TypeRef type) {
  const DataType *d = type->as<DataType>();
  return d && d->name().is_abstract && !d->name().super && d->params().empty();
}

class TypeText {
public:
  /// `budget`: number of characters after which text is replaced by an ellipsis. `printer`: writes nested
  /// types; null: Julia's notation.
  explicit TypeText(size_t budget = SIZE_MAX, const Printer *printer = nullptr)
      : budget_(budget), printer_(printer) {}
  std::string take() { return std::move(out_); }

  void type(TypeRef t) {
    if (out_.size() > budget_) {
      out_ += "…";
      return;
    }
    if (printer_ && std::exchange(is_inner_, true) && !t->has_free_vars()) {
      out_ += printer_->type(t);
      return;
    }
    switch (t->kind()) {
    case TypeKind::Bottom: out_ += "Union{}"; break;
    case TypeKind::Data: data(t->as<DataType>()); break;
    case TypeKind::Union: list("Union{", t->as<UnionType>()->members()); break;
    case TypeKind::UnionAll: where(t->as<UnionAllType>()); break;
    case TypeKind::Var: variable(t->as<TypeVar>()); break;
    case TypeKind::Vararg: vararg(t->as<VarargType>()); break;
    case TypeKind::Const: {
      const Value &value = t->as<ConstType>()->value();
      out_ += printer_ ? printer_->value(value) : to_string(value);
      break;
    }
    }
  }

  /// Writes " where T<:Real" or " where {T, N}"; nothing without variables.
  void where_list(std::span<const TypeVar *const> named) {
    if (named.empty()) return;
    out_ += named.size() > 1 ? " where {" : " where ";
    for (size_t i = 0; i < named.size(); ++i) {
      if (i) out_ += ", ";
      declaration(named[i], true);
    }
    if (named.size() > 1) out_ += '}';
  }

private:
  std::string out_;
  size_t budget_;
  const Printer *printer_;
  bool is_inner_ = false;                // true while a part of the requested type is printed
  std::vector<const TypeVar *> unnamed_; // variables printed as their bounds

  void list(std::string_view open, std::span<const TypeRef> types) {
    out_ += open;
    for (size_t i = 0; i < types.size(); ++i) {
      if (i) out_ += ", ";
      type(types[i]);
      if (out_.size() > budget_) break;
    }
    out_ += '}';
  }

  void data(const DataType *d) {
    const TypeName &name = d->name();
    std::span<const TypeRef> params = d->params();
    if (name.is_function && params.empty()) {
      out_ += "typeof(" + qualified_name(name) + ")";
    } else if (name.is_tuple) {
      tuple(params);
    } else if (!name.is_named_tuple || !named_tuple(params)) {
      out_ += qualified_name(name);
      if (!params.empty()) list("{", params);
    }
  }

  /// Writes a tuple type. More than three equal elements at its end are written once.
  void tuple(std::span<const TypeRef> params) {
    if (params.size() == 1)
      if (auto *v = params[0]->as<VarargType>(); v && !v->count() && is_any(v->element())) {
        out_ += "Tuple";
        return;
      }
    if (params.size() == 1)
      if (auto *v = params[0]->as<VarargType>(); v && v->count() && v->count()->is<ConstType>()) {
        out_ += "NTuple{"; // unexpanded Vararg
        type(v->count());
        out_ += ", ";
        type(v->element());
        out_ += '}';
        return;
      }
    size_t n = params.size(), tail = 0;
    while (tail < n && params[n - 1 - tail] == params[n - 1]) ++tail;
    if (tail <= 3 || params[n - 1]->is<VarargType>()) return list("Tuple{", params);
    if (tail == n) {
      out_ += "NTuple{" + std::to_string(n) + ", ";
      type(params[0]);
      out_ += '}';
      return;
    }
    out_ += "Tuple{";
    for (size_t i = 0; i < n - tail; ++i) {
      type(params[i]);
      out_ += ", ";
    }
    out_ += "Vararg{";
    type(params[n - 1]);
    out_ += ", " + std::to_string(tail) + "}}";
  }

  /// Writes a named tuple type. Returns false, without writing, if its names or types are unknown.
  bool named_tuple(std::span<const TypeRef> params) {
    const ConstType *names = params.size() == 2 ? params[0]->as<ConstType>() : nullptr;
    const DataType *types = names ? params[1]->as<DataType>() : nullptr;
    const std::vector<Value> *symbols = names ? names->value().fields() : nullptr;
    if (!types || !types->is_tuple() || !symbols || symbols->size() != types->params().size()) return false;
    out_ += "@NamedTuple{";
    for (size_t i = 0; i < symbols->size(); ++i) {
      if (i) out_ += ", ";
      out_ += (*symbols)[i].as_symbol().text();
      if (is_any(types->params()[i])) continue;
      out_ += "::";
      type(types->params()[i]);
    }
    out_ += '}';
    return true;
  }

  void vararg(const VarargType *v) {
    out_ += "Vararg{";
    type(v->element());
    if (v->count()) {
      out_ += ", ";
      type(v->count());
    }
    out_ += '}';
  }

  void bound(TypeRef t) {
    if (!t->is<UnionAllType>() || t == wrapper_of(t)) return type(t);
    out_ += '(';
    type(t);
    out_ += ')';
  }

  void declaration(const TypeVar *v, bool named) {
    bool lower = v->lower() && !v->lower()->is<BottomType>();
    bool upper = v->upper() && !is_any(v->upper());
    if (lower && (upper || named)) {
      bound(v->lower());
      out_ += "<:";
      out_ += named ? v->name().text() : std::string_view();
      if (!upper) return;
    } else if (lower) {
      out_ += ">:";
      return bound(v->lower());
    } else if (named) {
      out_ += v->name().text();
    }
    if (upper) {
      out_ += "<:";
      bound(v->upper());
    } else if (!named) {
      out_ += "<:Any";
    }
  }

  void variable(const TypeVar *v) {
    if (std::find(unnamed_.begin(), unnamed_.end(), v) != unnamed_.end())
      declaration(v, false);
    else
      out_ += v->name().text();
  }

  static TypeRef wrapper_of(TypeRef t) {
    while (auto *w = t->as<UnionAllType>()) t = w->body();
    const DataType *d = t->as<DataType>();
    return d ? d->name().wrapper : nullptr;
  }

  void where(const UnionAllType *t) {
    if (t == wrapper_of(t)) {
      TypeRef body = t;
      while (auto *w = body->as<UnionAllType>()) body = w->body();
      out_ += qualified_name(body->as<DataType>()->name());
      return;
    }
    std::vector<const TypeVar *> vars;
    TypeRef body = t;
    for (; auto *w = body->as<UnionAllType>(); body = w->body()) vars.push_back(w->var());
    // An unnamed variable that is itself a parameter is printed as its bound: Array{<:Real}.
    std::vector<const TypeVar *> named;
    const DataType *d = body->as<DataType>();
    size_t outer = unnamed_.size();
    for (const TypeVar *v : vars) {
      bool has_one_bound = v->lower()->is<BottomType>() || is_any(v->upper());
      bool direct = d && v->name().text().starts_with('#') && has_one_bound &&
                    occurrences(t->body(), v) <= 1 && occurrences(body, v) == 1 &&
                    std::find(d->params().begin(), d->params().end(), v) != d->params().end();
      (direct ? unnamed_ : named).push_back(v);
    }
    type(body);
    where_list(named);
    unnamed_.resize(outer);
  }
};

template <class Spell> std::string function_text(TypeRef type, const Spell &spell) {
  const DataType *callee = type ? type->as<DataType>() : nullptr;
  if (callee && callee->name().is_function && callee->params().empty()) return qualified_name(callee->name());
  if (callee && callee->name().is_type && callee->params().size() == 1 &&
      !callee->params()[0]->is<TypeVar>()) {
    std::string text = spell(callee->params()[0]);
    return text.find(" where ") != std::string::npos ? "(" + text + ")" : text;
  }
  return "(::" + spell(type) + ")";
}

/// `mark`: text before each type.
template <class Spell>
std::string list_text(std::span<const TypeRef> types, std::string_view mark, const Spell &spell) {
  std::string out = "(";
  for (size_t i = 1; i < types.size(); ++i) {
    if (i > 1) out += ", ";
    out += mark;
    const VarargType *rest = types[i] ? types[i]->as<VarargType>() : nullptr;
    out += rest && !rest->count() ? spell(rest->element()) + "..." : spell(types[i]);
  }
  return out + ")";
}

/// Formats a signature. `call` prints the call with the given argument types.
template <class Call>
std::string signature_text(TypeRef signature, const Printer *printer, const Call &call) {
  std::vector<const TypeVar *> vars;
  TypeRef body = signature;
  for (; auto *all = body->as<UnionAllType>(); body = all->body()) vars.push_back(all->var());
  const DataType *tuple = body->as<DataType>();
  if (!tuple || !tuple->is_tuple()) return printer ? printer->type(signature) : to_string(signature);
  TypeText where(SIZE_MAX, printer);
  where.where_list(vars);
  return call(tuple->params()) + where.take();
}

} // namespace

std::string to_string(TypeRef type) {
  if (!type) return "#undef";
  TypeText text;
  text.type(type);
  return text.take();
}

std::string to_short_string(TypeRef type) {
  if (!type) return "#undef";
  TypeText text(short_size);
  text.type(type);
  return text.take();
}

std::string call_to_string(std::span<const TypeRef> argument_types) {
  if (argument_types.empty()) return "()";
  return function_text(argument_types[0], to_short_string) + list_text(argument_types, "::", to_short_string);
}

std::string signature_to_string(TypeRef signature) {
  return signature ? signature_text(signature, nullptr, call_to_string) : to_string(signature);
}

Printer::~Printer() = default;

std::string Printer::type(TypeRef type) const {
  if (!type) return to_string(type);
  TypeText text(SIZE_MAX, this);
  text.type(type);
  return text.take();
}

std::string Printer::value(const Value &value) const {
  const TypeRef held = value.as_type();
  return held ? type(held) : to_string(value);
}

std::string Printer::function(TypeRef callee) const {
  return function_text(callee, [this](TypeRef part) { return cut_short(type(part)); });
}

std::string Printer::call(std::span<const TypeRef> types) const {
  if (types.empty()) return "()";
  return function(types[0]) + list_text(types, "::", [this](TypeRef part) { return cut_short(type(part)); });
}

std::string Printer::signature(TypeRef signature) const {
  if (!signature) return to_string(signature);
  return signature_text(signature, this, [this](std::span<const TypeRef> types) { return call(types); });
}

std::string Printer::job(std::span<const TypeRef> types) const {
  if (types.empty()) return "()";
  return function(types[0]) + list_text(types, "", [this](TypeRef part) { return cut_short(type(part)); });
}

std::string Printer::operation(std::string_view function, std::span<const std::string> operands) const {
  std::string text(function);
  text += '(';
  for (size_t i = 0; i < operands.size(); ++i) text += (i ? ", " : "") + operands[i];
  return text + ")";
}

} // namespace kiln
