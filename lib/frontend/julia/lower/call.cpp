// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers calls: plain, splatted, with keywords, and of functions that lowering knows by name.
#include "lowerer.h"

#include <kiln/abi.h>

#include <algorithm>

namespace kiln::julia {

bool Lowerer::is_plain_name(const Syntax &node, std::string_view name) {
  return node.is(Head::Identifier) && node.name.text() == name && !body_.scopes->variable(node) &&
         !body_.scopes->static_param(node);
}

std::vector<Operand> Lowerer::arguments(std::span<Syntax *const> args) {
  std::vector<Operand> operands;
  operands.reserve(args.size());
  LastEffect last(args);
  for (size_t i = 0; i < args.size(); ++i) {
    Operand operand = value(*args[i]);
    if (last.is_after(i)) operand = read_now(operand);
    operands.push_back(operand);
  }
  return operands;
}

/// True for a range or generator, which a splat must iterate.
static bool makes_items(const Syntax &node) {
  if (node.is(Head::Block) && node.args.size() == 1) return makes_items(*node.args[0]);
  if (!node.is(Head::Call) || !node.args[0]->is(Head::Identifier)) return false;
  std::string_view name = node.args[0]->name.text();
  return name == ":" || (name == "Generator" && node.args[0]->scope == BaseScope);
}

/// Returns the tuple of the elements that x... passes. Kiln's own library splats only tuples, so that it
/// needs no call.
Operand Lowerer::splatted(Operand items) {
  return source_.unit && source_.unit->file->is_library() ? fixed(items) : b_.call(base("splatted"), {items});
}

/// Calls callee(first..., args...), where `args` may contain splats.
Operand Lowerer::apply(Operand callee, std::vector<Operand> first, std::span<Syntax *const> args) {
  Span at = b_.span();
  bool splat = false;
  for (const Syntax *arg : args) splat |= arg->is(Head::Splat);
  if (!splat) {
    std::vector<Operand> rest = arguments(args);
    first.insert(first.end(), rest.begin(), rest.end());
    b_.set_span(at);
    return b_.call(callee, first);
  }
  // With splats, call Core._apply_iterate(Base.iterate, f, (a, b), xs, (c,)).
  std::vector<Operand> containers, group = std::move(first);
  auto close_group = [&] {
    if (!group.empty()) containers.push_back(b_.call(intrinsic(Intrinsic::tuple), group));
    group.clear();
  };
  for (const Syntax *arg : args) {
    if (!arg->is(Head::Splat)) {
      group.push_back(read_now(value(*arg)));
      continue;
    }
    b_.set_span(at);
    close_group();
    const Syntax *of = arg->args[0];
    size_t levels = 0; // (x...)... splats the elements of the elements
    for (; of->is(Head::Splat); of = of->args[0]) ++levels;
    Operand items = value(*of);
    for (; levels > 0; --levels) items = b_.call(base("joined_parts"), {items});
    containers.push_back(makes_items(*of) ? b_.call(base("Tuple"), {items}) : splatted(items));
  }
  b_.set_span(at);
  close_group();
  containers.insert(containers.begin(), {base("iterate"), callee});
  return b_.call(intrinsic(Intrinsic::_apply_iterate), containers);
}

Operand Lowerer::call_with(Operand callee, std::span<Syntax *const> args) { return apply(callee, {}, args); }

Operand Lowerer::call(const Syntax &node) {
  const Syntax &callee = *node.args[0];
  std::span<Syntax *const> args = std::span(node.args).subspan(1);
  if (is_plain_name(callee, "ccall")) return foreign_call(node);
  if (is_plain_name(callee, "llvmcall") || (callee.is(Head::Dot) && callee.args[1]->is(Head::QuotedSymbol) &&
                                            callee.args[1]->literal.as_symbol().text() == "llvmcall"))
    return missing(node, "Base.llvmcall of text: call what does the same in CUDA, Atomix or UnsafeAtomics, "
                         "which are Kiln's own unless packages are read from source");
  if (source_.constructed &&
      (is_plain_name(callee, "new") || (callee.is(Head::Curly) && is_plain_name(*callee.args[0], "new"))))
    return new_call(node, new_type(callee));
  if (is_plain_name(callee, "^") && args.size() == 2)
    if (Operand power = literal_power(node)) return power;
  for (const Syntax *arg : args)
    if (arg->is(Head::Parameters) || arg->is(Head::Kw)) return keyword_call(node);
  Operand function = value(callee);
  if (function.kind == Operand::Kind::Slot)
    for (const Syntax *arg : args)
      if (assigns(*arg)) {
        function = b_.copy(function);
        break;
      }
  b_.set_span(node.at);
  return apply(function, {}, args);
}

Operand Lowerer::literal_power(const Syntax &node) {
  const Syntax *exponent = node.args[2];
  std::optional<int64_t> literal;
  TypeRef int64 = shared_.types.builtins().Int64;
  if (exponent->is(Head::Literal) && exponent->literal.type() == int64)
    literal = int64_t(exponent->literal.low_bits());
  else if (exponent->is(Head::Call) && exponent->args.size() == 2 && is_plain_name(*exponent->args[0], "-") &&
           exponent->args[1]->is(Head::Literal) && exponent->args[1]->literal.type() == int64)
    literal = int64_t(0 - exponent->args[1]->literal.low_bits());
  if (!literal) return {};
  Operand function = value(*node.args[0]);
  Operand number = value(*node.args[1]);
  b_.set_span(node.at);
  Operand type = b_.call(intrinsic(Intrinsic::apply_type), {base("Val"), integer(*literal)});
  return b_.call(base("literal_pow"), {function, number, b_.call(type, {})});
}

/// Makes the named tuple of (; a = 1, b, x.c, rest...).
Operand Lowerer::named_tuple(const Syntax &at, std::span<Syntax *const> entries) {
  TypeContext &types = shared_.types;
  std::vector<Value> names;
  std::vector<Operand> values;
  std::optional<Operand> result;
  auto close_group = [&] {
    std::vector<TypeRef> symbols(names.size(), types.builtins().Symbol);
    TypeRef names_type = types.tuple(std::span<const TypeRef>(symbols));
    Value names_value =
        names.empty() ? types.singleton_value(names_type) : Value::structure(names_type, names);
    b_.set_span(at.at);
    Operand named = b_.constant(Value::type_value(types, types.builtins().NamedTuple));
    Operand type = b_.call(intrinsic(Intrinsic::apply_type), {named, b_.constant(names_value)});
    Operand fields = b_.call(intrinsic(Intrinsic::tuple), values);
    Operand group = b_.call(type, {fields});
    result = result ? b_.call(base("merge"), {*result, group}) : group;
    names.clear();
    values.clear();
  };
  for (const Syntax *entry : entries) {
    Symbol name;
    const Syntax *of = entry;
    if (entry->is(Head::Kw) || entry->is(Head::Assign)) {
      name = entry->args[0]->name;
      of = entry->args[1];
    } else if (entry->is(Head::Identifier)) {
      name = entry->name;
    } else if (entry->is(Head::Dot) && entry->args[1]->is(Head::QuotedSymbol)) {
      name = entry->args[1]->literal.as_symbol();
    } else if (entry->is(Head::Splat)) {
      if (!names.empty() || !result) close_group();
      Operand more = value(*entry->args[0]);
      b_.set_span(at.at);
      result = b_.call(base("merge"), {*result, more});
      continue;
    }
    if (!name) return missing(*entry, "keyword arguments with computed names");
    names.push_back(Value::symbol(types, name));
    values.push_back(read_now(value(*of)));
  }
  if (!names.empty() || !result) close_group();
  return *result;
}

Operand Lowerer::keyword_call(const Syntax &node) {
  std::vector<Syntax *> entries, positional;
  for (size_t i = 1; i < node.args.size(); ++i) {
    Syntax *arg = node.args[i];
    if (arg->is(Head::Kw))
      entries.push_back(arg);
    else if (!arg->is(Head::Parameters))
      positional.push_back(arg);
  }
  for (Syntax *arg : node.args)
    if (arg->is(Head::Parameters)) entries.insert(entries.end(), arg->args.begin(), arg->args.end());
  Operand function = fixed(value(*node.args[0]));
  b_.set_span(node.at);
  if (entries.empty()) // f(x;)
    return apply(function, {}, positional);
  const bool may_be_none = std::ranges::all_of(entries, [](const Syntax *e) { return e->is(Head::Splat); });
  Operand keywords = named_tuple(node, entries);
  b_.set_span(node.at);
  if (may_be_none) // if all are empty splats, f may have no keyword method
    return apply(base("with_keywords"), {keywords, function}, positional);
  return apply(b_.constant(shared_.kwcall), {keywords, function}, positional);
}

/// Lowers ccall. ccall("extern f", llvmcall, R, (A, B), a, b) becomes foreign_call(:f, R, Tuple{A, B},
/// convert(A, a), convert(B, b)). A call of a host function, ccall(:f, R, (A, B), a, b), becomes the same
/// with :kiln.host.f.
Operand Lowerer::foreign_call(const Syntax &node) {
  const Syntax *name = node.args.size() > 1 ? node.args[1] : nullptr;
  std::string text;
  if (name && name->is(Head::Literal) && name->literal.as_string())
    text = *name->literal.as_string();
  else if (name && name->is(Head::QuotedSymbol))
    text = std::string(name->literal.as_symbol().text());
  bool device = node.args.size() >= 5 &&
                ((node.args[2]->is(Head::Identifier) && node.args[2]->name.text() == "llvmcall") ||
                 (node.args[2]->is(Head::Dot) && node.args[2]->args[1]->is(Head::QuotedSymbol) &&
                  node.args[2]->args[1]->literal.as_symbol().text() == "llvmcall"));
  if (!device && text == "jl_generating_output")
    return b_.constant(shared_.types.int32(0)); // no ahead-of-time compilation
  // ccall((:erfc, libopenlibm), R, (A, B), a, b) calls Base.clib_erfc(a, b), by which Kiln replaces the C
  // function.
  if (!device && name && name->is(Head::Tuple) && name->args.size() == 2 && node.args.size() >= 4 &&
      node.args[3]->is(Head::Tuple) && node.args[3]->args.size() + 4 == node.args.size()) {
    const Syntax *function = name->args[0];
    if (function->is(Head::Quote) && function->args.size() == 1) function = function->args[0];
    const Symbol called = function->is(Head::QuotedSymbol) ? function->literal.as_symbol()
                          : function->is(Head::Identifier) ? function->name
                          : function->literal.as_string()  ? shared_.symbol(*function->literal.as_string())
                                                           : Symbol();
    const Symbol own = shared_.symbol(fmt::format("clib_{}", called ? called.text() : ""));
    if (shared_.world.is_defined(*shared_.world.base(), own)) {
      std::vector<Operand> given;
      for (size_t i = 0; i < node.args[3]->args.size(); ++i) {
        const Operand type = fixed(value(*node.args[3]->args[i]));
        const Operand arg = value(*node.args[4 + i]);
        b_.set_span(node.args[4 + i]->at);
        given.push_back(b_.call(base("c_argument"), {type, arg}));
      }
      b_.set_span(node.at);
      return b_.call(base(own.text()), given);
    }
  }
  // If p is a pointer, ccall(p, R, (A, B), a, b) becomes pointer_call(p, R, Tuple{A, B}, ...).
  const bool is_pointer = !device && node.args.size() >= 4 && text.empty() && !name->is(Head::Tuple) &&
                          node.args[3]->is(Head::Tuple);
  const bool is_host = !device && !text.empty() && node.args.size() >= 4 && node.args[3]->is(Head::Tuple);
  const size_t first = is_pointer || is_host ? 3 : 4; // position of the tuple of argument types
  if (!is_pointer && !is_host && (!device || text.empty() || !node.args[4]->is(Head::Tuple)))
    return missing(node, "ccall of a host function in a library of its own");
  if (is_host)
    text.insert(0, abi::HostFunctionPrefix);
  else if (text.starts_with("extern "))
    text = text.substr(7);
  const Syntax &argument_types = *node.args[first];
  size_t count = node.args.size() - first - 1;
  if (argument_types.args.size() != count)
    return missing(node, fmt::format("ccall with {} argument types and {} arguments",
                                     argument_types.args.size(), count));
  Operand callee = is_pointer ? fixed(value(*name)) : symbol(shared_.symbol(text));
  Operand result = value(*node.args[first - 1]);
  std::vector<Operand> types;
  for (const Syntax *type : argument_types.args) types.push_back(fixed(value(*type)));
  std::vector<Operand> converted;
  for (size_t i = 0; i < count; ++i) {
    Operand arg = value(*node.args[first + 1 + i]);
    b_.set_span(node.args[first + 1 + i]->at);
    converted.push_back(b_.call(base("convert"), {types[i], arg}));
  }
  b_.set_span(node.at);
  std::vector<Operand> tuple_args = types;
  tuple_args.insert(tuple_args.begin(),
                    b_.constant(Value::type_value(shared_.types, shared_.types.builtins().Tuple)));
  Operand tuple = b_.call(intrinsic(Intrinsic::apply_type), tuple_args);
  converted.insert(converted.begin(), {callee, result, tuple});
  return b_.call(intrinsic(is_pointer ? Intrinsic::pointer_call : Intrinsic::foreign_call), converted);
}

Operand Lowerer::new_type(const Syntax &callee) {
  if (!callee.is(Head::Curly)) {
    // In an inner constructor P{T}(...) where T, argument 0 is the type to make. So it is in P(...), if P has
    // no parameters.
    return Operand::slot(source_.signature.self_argument);
  }
  std::vector<Syntax *> params(callee.args.begin() + 1, callee.args.end());
  return apply(intrinsic(Intrinsic::apply_type),
               {b_.constant(Value::type_value(shared_.types, source_.constructed))}, params);
}

Operand Lowerer::new_call(const Syntax &node, Operand type) {
  std::vector<const TypeVar *> vars;
  TypeRef unwrapped = nullptr;
  shared_.types.unwrap_all(source_.constructed, vars, unwrapped);
  const DataType *data = unwrapped->as<DataType>();
  if (!node.args[0]->is(Head::Curly) && function_.function)
    type = b_.constant(Value::type_value(shared_.types, source_.constructed));
  const std::vector<TypeRef> &fields = data->name().field_types;
  std::span<Syntax *const> args = std::span(node.args).subspan(1);
  bool splat = false;
  for (const Syntax *arg : args) splat |= arg->is(Head::Splat);
  std::vector<Operand> values;
  if (splat) {
    b_.set_span(node.at);
    Operand all = apply(intrinsic(Intrinsic::tuple), {}, args);
    for (size_t i = 0; i < fields.size(); ++i)
      values.push_back(b_.call(intrinsic(Intrinsic::getfield), {all, integer(int64_t(i + 1))}));
  } else {
    if (args.size() > fields.size()) return missing(node, "new with more arguments than the type has fields");
    values = arguments(args);
  }
  b_.set_span(node.at);
  for (size_t i = 0; i < values.size(); ++i) {
    TypeRef declared = fields[i];
    if (declared == shared_.types.builtins().Any) continue;
    Operand field_type = declared->has_free_vars()
                             ? b_.call(intrinsic(Intrinsic::fieldtype), {type, integer(int64_t(i + 1))})
                             : b_.constant(Value::type_value(shared_.types, declared));
    values[i] = b_.call(base("convert"), {field_type, values[i]});
  }
  return b_.new_struct(type, values);
}

} // namespace kiln::julia
