// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes entry names by the Itanium C++ ABI, so that every demangler and profiler shows a readable signature.
//   type                  class name, with parameters a template     Array{Float32,1}  5ArrayI7Float32Ll1EE
//   Ptr, LLVMPtr          pointer, address space as vendor qualifier  LLVMPtr{T,1}      PU3AS1...
//   integer, Bool, Float  literal                                     Val{-2}           3ValILln2EE
//   symbol                literal that names something                Val{:x}           3ValIL_Z1xEE
//   tuple                 template over its elements
//   other values          braces: T{...}                              XtlN...EE
#include "mangling.h"

#include <fmt/format.h>

namespace kiln {

namespace {

/// Itanium code of an operator that C++ has too; empty for other names. An operator's name has no letters to
/// write.
std::string_view operator_code(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> codes[] = {
      {"+", "pl"},  {"-", "mi"},  {"*", "ml"},  {"/", "dv"},  {"%", "rm"},  {"^", "eo"},
      {"&", "an"},  {"|", "or"},  {"~", "co"},  {"!", "nt"},  {"<", "lt"},  {">", "gt"},
      {"==", "eq"}, {"!=", "ne"}, {"<=", "le"}, {">=", "ge"}, {"<<", "ls"}, {">>", "rs"}};
  for (auto [text, code] : codes)
    if (text == name) return code;
  return {};
}

std::string identifier(std::string_view name) {
  std::string safe = safe_name(name);
  return std::to_string(safe.size()) + safe;
}

class Mangler {
public:
  explicit Mangler(TypeContext &types) : types_(types) {}

  std::string function(const MethodInstance &source) {
    std::span<const TypeRef> params = source.arguments->as<DataType>()->params();
    std::string_view name = source.method->name.text();
    std::string_view code = operator_code(name);
    out_ = "_Z" + (code.empty() ? identifier(name) : std::string(code));
    size_t arguments = 0;
    for (size_t i = 0; i < params.size(); ++i) {
      // The function itself is an argument only if its type says more than its name: if it is a closure with
      // captures.
      const DataType *data = params[i]->as<DataType>();
      if (i == 0 && (types_.is_singleton(params[0]) || types_.type_parameter(params[0])) &&
          !(data && data->name().is_function && !data->params().empty()))
        continue;
      type(params[i]);
      ++arguments;
    }
    if (arguments == 0) out_ += 'v';
    return std::move(out_);
  }

private:
  TypeContext &types_;
  std::string out_;
  /// Components written so far, without back references. Component i is abbreviated S_, S0_, S1_, ...
  std::vector<std::string> substitutions_;

  /// Calls `write` to write a component, or writes a back reference if the component `full` was written
  /// before.
  template <class Write> void component(const std::string &full, Write &&write) {
    for (size_t i = 0; i < substitutions_.size(); ++i)
      if (substitutions_[i] == full) {
        out_ += 'S';
        if (i > 0) out_ += sequence(i - 1);
        out_ += '_';
        return;
      }
    write();
    substitutions_.push_back(full);
  }

  static std::string sequence(size_t n) {
    std::string digits;
    do digits.insert(digits.begin(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n % 36]);
    while (n /= 36);
    return digits;
  }

  /// Text of a component without back references. Equal components have equal texts.
  template <class Write> std::string in_full(Write &&write) {
    Mangler plain(types_);
    plain.full_ = true;
    write(plain);
    return std::move(plain.out_);
  }
  bool full_ = false;

  void named(const std::string &name) {
    if (full_)
      out_ += name;
    else
      component(name, [&] { out_ += name; });
  }

  template <class Arguments> void templated(const std::string &name, Arguments &&arguments) {
    auto write = [&](Mangler &m) {
      m.named(name);
      m.out_ += 'I';
      size_t before = m.out_.size();
      arguments(m);
      if (m.out_.size() == before) m.out_ += "JE"; // no arguments: an empty pack
      m.out_ += 'E';
    };
    if (full_)
      write(*this);
    else
      component(in_full(write), [&] { write(*this); });
  }

  /// Writes `prefix` and a type. Both together are a component of their own.
  template <class Inner> void prefixed(const std::string &prefix, Inner &&inner) {
    auto write = [&](Mangler &m) {
      m.out_ += prefix;
      inner(m);
    };
    if (full_)
      write(*this);
    else
      component(in_full(write), [&] { write(*this); });
  }

  void pointee(TypeRef t) {
    if (t == types_.builtins().Nothing)
      out_ += 'v'; // Ptr{Cvoid}
    else
      type(t);
  }

  void type(TypeRef t) {
    switch (t->kind()) {
    case TypeKind::Bottom: return templated("5Union", [](Mangler &) {});
    case TypeKind::Union:
      return templated("5Union", [&](Mangler &m) {
        for (TypeRef member : t->as<UnionType>()->members()) m.type(member);
      });
    case TypeKind::UnionAll: return type(t->as<UnionAllType>()->body()); // Array<T, N>, as in GPUCompiler
    case TypeKind::Var: return named(identifier(t->as<TypeVar>()->name().text()));
    case TypeKind::Vararg:
      return templated("6Vararg", [&](Mangler &m) {
        m.type(t->as<VarargType>()->element());
        if (TypeRef count = t->as<VarargType>()->count()) m.type(count);
      });
    case TypeKind::Const: return value(t->as<ConstType>()->value(), false);
    case TypeKind::Data: return data(*t->as<DataType>());
    }
  }

  void data(const DataType &d) {
    const TypeName *name = &d.name();
    std::span<const TypeRef> params = d.params();
    if (name == types_.builtins().PtrName && params.size() == 1)
      return prefixed("P", [&](Mangler &m) { m.pointee(params[0]); });
    if (name == types_.builtins().LLVMPtrName && params.size() == 2) {
      const ConstType *space = params[1]->as<ConstType>();
      if (space && space->value().is_primitive()) {
        std::string qualifier = fmt::format("AS{}", space->value().low_bits());
        return prefixed("P", [&](Mangler &m) {
          m.prefixed(fmt::format("U{}{}", qualifier.size(), qualifier),
                     [&](Mangler &inner) { inner.pointee(params[0]); });
        });
      }
    }
    if (name->is_function && params.empty())
      return templated("6typeof", [&](Mangler &m) { m.symbol(name->function_name.text()); });
    std::string plain = identifier(name->is_function ? name->function_name.text() : name->name.text());
    if (params.empty() && !name->is_tuple) return named(plain);
    templated(plain, [&](Mangler &m) {
      for (TypeRef p : params) m.type(p);
    });
  }

  void symbol(std::string_view text) {
    std::string_view code = operator_code(text);
    out_ += "L_Z" + (code.empty() ? identifier(text) : std::string(code)) + "E";
  }

  void integer(char code, bool is_signed, PrimitiveBits bits) {
    unsigned __int128 n = (unsigned __int128)(bits[1]) << 64 | bits[0];
    bool negative = is_signed && bits[1] >> 63;
    out_ += fmt::format("L{}{}{}E", code, negative ? "n" : "", negative ? -n : n);
  }

  /// Writes a value as a template argument, or as an expression if it is inside braces.
  void value(const Value &v, bool in_expression) {
    if (TypeRef t = v.as_type()) return in_expression ? symbol(to_string(t)) : type(t);
    if (Symbol s = v.as_symbol()) return symbol(s.text());
    if (v.is_primitive()) return primitive(v, in_expression);
    const std::vector<Value> *fields = v.fields();
    const DataType *d = v.type()->as<DataType>();
    if (!fields || !d) return symbol(to_string(v));
    if (d->is_tuple() && !in_expression)
      return templated("5Tuple", [&](Mangler &m) {
        for (const Value &f : *fields) m.value(f, false);
      });
    braces(v.type(), in_expression, [&](Mangler &m) {
      for (const Value &f : *fields) m.value(f, true);
    });
  }

  template <class Write> void braces(TypeRef t, bool in_expression, Write &&write) {
    out_ += in_expression ? "tl" : "Xtl";
    type(t);
    write(*this);
    out_ += in_expression ? "E" : "EE";
  }

  void primitive(const Value &v, bool in_expression) {
    const auto &b = types_.builtins();
    TypeRef t = v.type();
    struct Literal {
      TypeRef type;
      char code;
      int bits;
      bool is_signed;
    };
    const Literal literals[] = {
        {b.Bool, 'b', 1, false},    {b.Int8, 'a', 8, true},      {b.UInt8, 'h', 8, false},
        {b.Int16, 's', 16, true},   {b.UInt16, 't', 16, false},  {b.Int32, 'i', 32, true},
        {b.UInt32, 'j', 32, false}, {b.Int64, 'l', 64, true},    {b.UInt64, 'm', 64, false},
        {b.Int128, 'n', 128, true}, {b.UInt128, 'o', 128, false}};
    for (const Literal &l : literals) {
      if (l.type != t) continue;
      PrimitiveBits bits = v.bits();
      if (l.is_signed && l.bits <= 64) { // the unused high bits are zero: extend the sign
        bits[0] = uint64_t(int64_t(bits[0] << (64 - l.bits)) >> (64 - l.bits));
        bits[1] = uint64_t(int64_t(bits[0]) >> 63);
      }
      return integer(l.code, l.is_signed, bits);
    }
    if (t == b.Float32) return void(out_ += fmt::format("Lf{:08x}E", uint32_t(v.low_bits())));
    if (t == b.Float64) return void(out_ += fmt::format("Ld{:016x}E", v.low_bits()));
    braces(t, in_expression, [&](Mangler &m) { // Char, Float16 and enums are written as their bits
      m.integer('m', false, {v.bits()[0], 0});
      if (v.bits()[1]) m.integer('m', false, {v.bits()[1], 0});
    });
  }
};

} // namespace

std::string safe_name(std::string_view name) {
  std::string safe;
  for (char c : name) {
    if ((uint8_t(c) & 0xc0) == 0x80) continue; // a continuation byte; its character's '_' is written
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    bool digit = c >= '0' && c <= '9';
    safe += letter || (digit && !safe.empty()) || c == '_' ? c : '_';
    if (digit && safe.size() == 1) safe += c; // a symbol must not start with a digit
  }
  return safe.empty() ? "_" : safe;
}

std::string mangle(TypeContext &types, const MethodInstance &source) {
  return Mangler(types).function(source);
}

std::string entry_name(TypeContext &types, const CompilerJob &job) {
  if (!job.config.name.empty()) return job.config.name;
  return job.config.kernel ? mangle(types, *job.source) : safe_name(job.source->method->name.text());
}

} // namespace kiln
