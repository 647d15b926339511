// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "type_expr.h"

#include "expander.h"
#include "quote.h"

namespace kiln::julia {

std::optional<std::vector<std::pair<Symbol, const Syntax *>>> named_tuple_fields(const Syntax &node) {
  if (node.args.size() != 2 || (!node.args[1]->is(Head::Braces) && !node.args[1]->is(Head::Block)))
    return std::nullopt;
  std::vector<std::pair<Symbol, const Syntax *>> fields;
  for (const Syntax *field : node.args[1]->args) {
    bool typed = field->is(Head::TypeAssert) && field->args.size() == 2;
    const Syntax &name = typed ? *field->args[0] : *field;
    if (!name.is(Head::Identifier)) return std::nullopt;
    fields.emplace_back(name.name, typed ? field->args[1] : nullptr);
  }
  return fields;
}

TypeRef TypeEvaluator::from_value(const Value &value) {
  if (TypeRef type = value.as_type()) return type;
  return shared_->types.constant(value);
}

Result<TypeRef> TypeEvaluator::evaluate(const Syntax &node) {
  switch (node.head) {
  case Head::Identifier: return identifier(node);
  case Head::Literal:
  case Head::QuotedSymbol: return from_value(node.literal);
  case Head::Dot: return dot(node);
  case Head::Curly: return curly(node);
  case Head::Call: return call(node);
  case Head::MacroCall:
    if (macro_name(node).text() == "@NamedTuple")
      if (auto fields = named_tuple_fields(node)) return named_tuple(*fields, node.at);
    if (macro_name(node).text() == "@MIME_str" && node.args.back()->is(Head::Literal) &&
        node.args.back()->literal.as_string()) { // MIME"text/plain"
      const Symbol name = shared_->symbol(*node.args.back()->literal.as_string());
      const TypeRef params[] = {shared_->types.constant(Value::symbol(shared_->types, name))};
      KILN_TRY(auto mime, shared_->world.lookup(*module_, shared_->symbol("MIME"), shared_->world.age()));
      if (mime && mime->as_type()) return apply(mime->as_type(), params, node.at);
    }
    return with_interpreter(node);
  case Head::Where: return where(node);
  case Head::Tuple: {
    std::vector<Value> fields;
    std::vector<TypeRef> types;
    for (const Syntax *element : node.args) {
      if (element->is(Head::Assign) || element->is(Head::Parameters) || element->is(Head::Splat))
        return with_interpreter(node);
      KILN_TRY(Value field, value(*element));
      types.push_back(shared_->types.type_of(field));
      fields.push_back(std::move(field));
    }
    // An element that is a type counts by its own type: (Int, 3) has type Tuple{DataType, Int64}.
    for (size_t i = 0; i < fields.size(); ++i)
      if (fields[i].as_type()) types[i] = fields[i].type();
    return shared_->types.constant(
        Value::structure(shared_->types.tuple(std::span<const TypeRef>(types)), std::move(fields)));
  }
  case Head::Block:
    if (node.args.size() == 1) return evaluate(*node.args[0]);
    return with_interpreter(node);
  case Head::And:
  case Head::Or: { // conditions at top level
    KILN_TRY(Value first, value(*node.args[0]));
    if (first.type() != shared_->types.builtins().Bool) return with_interpreter(node);
    const bool decides = bool(first.low_bits() & 1) == node.is(Head::Or);
    return decides ? shared_->types.constant(first) : evaluate(*node.args[1]);
  }
  default: return with_interpreter(node);
  }
}

Result<TypeRef> TypeEvaluator::type(const Syntax &node) {
  KILN_TRY(TypeRef type, evaluate(node));
  if (const ConstType *constant = type->as<ConstType>())
    return shared_->error(ErrorCode::TypeError,
                          fmt::format("expected a type, got `{}`", to_string(constant->value())), node.at);
  return type;
}

Result<Value> TypeEvaluator::value(const Syntax &node) {
  KILN_TRY(TypeRef type, evaluate(node));
  if (const ConstType *constant = type->as<ConstType>()) return constant->value();
  if (type->has_free_vars() || type->is<VarargType>())
    return undefined_error(brief(node), fmt::format("`{}` depends on a type variable here", brief(node)),
                           shared_->locate(node.at));
  return Value::type_value(shared_->types, type);
}

Result<TypeRef> TypeEvaluator::identifier(const Syntax &node) {
  for (size_t i = names_.size(); i-- > 0;)
    if (names_[i].first == node.name) return names_[i].second;
  const Module &where = shared_->module_of(node.scope, *module_);
  KILN_TRY(std::optional<Value> found, shared_->world.lookup(where, node.name, shared_->world.age()));
  if (!found) {
    if (node.name.text() == "Vararg") return shared_->types.vararg(shared_->types.builtins().Any);
    return shared_->undefined(where, node.name, node.at, !quick_);
  }
  return from_value(*found);
}

Result<Module *> TypeEvaluator::module(const Syntax &node) {
  KILN_TRY(TypeRef type, evaluate(node));
  if (const ConstType *constant = type->as<ConstType>())
    if (const Module *module = constant->value().as_module()) return &Shared::writable(*module);
  return shared_->error(ErrorCode::TypeError, fmt::format("`{}` is not a module", brief(node)), node.at);
}

Result<TypeRef> TypeEvaluator::dot(const Syntax &node) {
  Symbol name = node.args[1]->is(Head::QuotedSymbol) ? node.args[1]->literal.as_symbol() : Symbol();
  KILN_TRY(TypeRef object, evaluate(*node.args[0]));
  const ConstType *constant = object->as<ConstType>();
  const Module *module = constant ? constant->value().as_module() : nullptr;
  if (!module || !name) return with_interpreter(node);
  KILN_TRY(std::optional<Value> found, shared_->world.lookup(*module, name, shared_->world.age()));
  if (!found) {
    if (name.text() == "Vararg") return shared_->types.vararg(shared_->types.builtins().Any);
    return shared_->undefined(*module, name, node.args[1]->at, !quick_);
  }
  return from_value(*found);
}

Result<TypeRef> TypeEvaluator::apply(TypeRef base, std::span<const TypeRef> params, Span at) {
  TypeContext &types = shared_->types;
  const TypeContext::Builtins &builtins = types.builtins();
  auto needs_type = [&](TypeRef param) -> Result<void> {
    if (const ConstType *constant = param->as<ConstType>())
      return shared_->error(ErrorCode::TypeError,
                            fmt::format("expected a type, got `{}`", to_string(constant->value())), at);
    return {};
  };
  if (base == builtins.Union) {
    for (TypeRef param : params) KILN_CHECK(needs_type(param));
    return params.empty() ? types.bottom() : types.union_of(params);
  }
  if (base == builtins.Tuple) return types.tuple(params); // also Tuple{2, 3}, by which packages encode sizes
  if (base->is<VarargType>()) {
    if (params.empty() || params.size() > 2)
      return shared_->error(ErrorCode::TypeError, "Vararg takes a type and a count", at);
    KILN_CHECK(needs_type(params[0]));
    return types.vararg(params[0], params.size() == 2 ? params[1] : nullptr);
  }
  std::vector<const TypeVar *> vars;
  TypeRef body = nullptr;
  types.unwrap_all(base, vars, body);
  Result<TypeRef> applied = [&]() -> Result<TypeRef> {
    if (params.size() >= vars.size()) return types.apply(base, params);
    // Missing parameters stay variables.
    std::vector<TypeRef> all(params.begin(), params.end());
    for (size_t i = params.size(); i < vars.size(); ++i) all.push_back(vars[i]);
    std::vector<const TypeVar *> rest;
    for (size_t i = params.size(); i < vars.size(); ++i) {
      // A variable's bound may contain an earlier variable, for which the given parameter is substituted.
      std::span<const TypeVar *const> before(vars.data(), i);
      std::span<const TypeRef> values(all.data(), i);
      TypeRef lower = types.substitute(vars[i]->lower(), before, values);
      TypeRef upper = types.substitute(vars[i]->upper(), before, values);
      const TypeVar *var = types.new_var(vars[i]->name(), lower, upper);
      rest.push_back(var);
      all[i] = var;
    }
    KILN_TRY(TypeRef result, types.apply(base, std::span<const TypeRef>(all)));
    for (size_t i = rest.size(); i-- > 0;) result = types.union_all(rest[i], result);
    return result;
  }();
  if (!applied.ok()) {
    Error error = applied.take_error();
    for (Diagnostic &diagnostic : error.diagnostics())
      if (!diagnostic.at) diagnostic.at = shared_->locate(at);
    return error;
  }
  return applied;
}

Result<TypeRef> TypeEvaluator::named_tuple(std::span<const std::pair<Symbol, const Syntax *>> fields,
                                           Span at) {
  TypeContext &types = shared_->types;
  std::vector<Value> names;
  std::vector<TypeRef> elements;
  for (auto &[name, node] : fields) {
    TypeRef element = types.builtins().Any;
    if (node) {
      KILN_TRY(element, type(*node));
    }
    names.push_back(Value::symbol(types, name));
    elements.push_back(element);
  }
  TypeRef of_names = types.tuple(std::vector<TypeRef>(names.size(), types.builtins().Symbol));
  Value name_tuple =
      names.empty() ? types.singleton_value(of_names) : Value::structure(of_names, std::move(names));
  TypeRef params[] = {types.constant(name_tuple), types.tuple(std::span<const TypeRef>(elements))};
  return apply(types.builtins().NamedTuple, params, at);
}

Result<TypeRef> TypeEvaluator::curly(const Syntax &node) {
  KILN_TRY(TypeRef base, evaluate(*node.args[0]));
  std::vector<TypeRef> params;
  std::vector<const TypeVar *> anonymous; // of {<:T}
  for (size_t i = 1; i < node.args.size(); ++i) {
    const Syntax &arg = *node.args[i];
    bool lower = arg.is(Head::Supertype);
    if ((arg.is(Head::Subtype) || lower) && arg.args.size() == 1) {
      KILN_TRY(TypeRef bound, type(*arg.args[0]));
      const TypeVar *var = shared_->types.new_var(shared_->symbol(fmt::format("#s{}", anonymous.size() + 1)),
                                                  lower ? bound : shared_->types.bottom(),
                                                  lower ? shared_->types.builtins().Any : bound);
      anonymous.push_back(var);
      params.push_back(var);
      continue;
    }
    if (arg.is(Head::Splat)) {
      KILN_TRY(TypeRef inner, evaluate(*arg.args[0]));
      const ConstType *constant = inner->as<ConstType>();
      const std::vector<Value> *fields = constant ? constant->value().fields() : nullptr;
      if (!fields)
        return shared_->error(ErrorCode::TypeError, "only a tuple can be splatted into type parameters",
                              arg.at);
      for (const Value &field : *fields) params.push_back(from_value(field));
      continue;
    }
    KILN_TRY(TypeRef param, evaluate(arg));
    params.push_back(param);
  }
  KILN_TRY(TypeRef result, apply(base, params, node.at));
  for (size_t i = anonymous.size(); i-- > 0;) result = shared_->types.union_all(anonymous[i], result);
  return result;
}

Result<const TypeVar *> TypeEvaluator::variable(const Syntax &node) {
  TypeRef lower = shared_->types.bottom(), upper = shared_->types.builtins().Any;
  Symbol name;
  if (node.is(Head::Identifier)) {
    name = node.name;
  } else if ((node.is(Head::Subtype) || node.is(Head::Supertype)) && node.args.size() == 2 &&
             node.args[0]->is(Head::Identifier)) {
    name = node.args[0]->name;
    KILN_TRY(TypeRef bound, type(*node.args[1]));
    (node.is(Head::Subtype) ? upper : lower) = bound;
  } else if (node.is(Head::Comparison) && node.args.size() == 5 && node.args[2]->is(Head::Identifier)) {
    bool ascending = node.args[1]->name.text() == "<:"; // true for L <: T <: U, false for U >: T >: L
    name = node.args[2]->name;
    KILN_TRY(TypeRef first, type(*node.args[0]));
    KILN_TRY(TypeRef last, type(*node.args[4]));
    lower = ascending ? first : last;
    upper = ascending ? last : first;
  } else if (node.is(Head::Subtype) && node.args.size() == 1) {
    KILN_TRY(upper, type(*node.args[0]));
    name = shared_->symbol("#s");
  } else {
    return shared_->error(ErrorCode::SyntaxError, fmt::format("`{}` declares no type variable", brief(node)),
                          node.at);
  }
  return shared_->types.new_var(name, lower, upper);
}

Result<TypeRef> TypeEvaluator::where(const Syntax &node) {
  size_t mark = depth();
  std::vector<const TypeVar *> vars;
  for (size_t i = 1; i < node.args.size(); ++i) {
    KILN_TRY(const TypeVar *var, variable(*node.args[i]));
    bind(var->name(), var);
    vars.push_back(var);
  }
  Result<TypeRef> body = evaluate(*node.args[0]);
  restore(mark);
  if (!body.ok()) return body;
  TypeRef result = *body;
  for (size_t i = vars.size(); i-- > 0;) result = shared_->types.union_all(vars[i], result);
  return result;
}

/// Evaluates a comparison such as `VERSION >= v"1.11-"` for the Julia version that Kiln follows. No value:
/// another expression.
static std::optional<bool> version_comparison(const Syntax &node) {
  if (node.args.size() != 3 || !node.args[0]->is(Head::Identifier)) return std::nullopt;
  // Last element: 0 for a version before the release ("1.11-"), 1 for the release.
  using Version = std::array<int, 4>;
  auto version = [](const Syntax &of) -> std::optional<Version> {
    if (of.is(Head::Identifier) && of.name.text() == "VERSION") return Version{1, 11, 0, 1};
    if (!of.is(Head::MacroCall) || macro_name(of).text() != "@v_str" || !of.args.back()->is(Head::Literal))
      return std::nullopt;
    const std::string *text = of.args.back()->literal.as_string();
    Version result{0, 0, 0, 1};
    size_t part = 0;
    for (char c : text ? *text : std::string()) {
      if (c >= '0' && c <= '9' && part < 3)
        result[part] = result[part] * 10 + (c - '0');
      else if (c == '.' && part < 2)
        ++part;
      else {
        result[3] = c == '-' ? 0 : 1;
        break;
      }
    }
    return result;
  };
  auto a = version(*node.args[1]), b = version(*node.args[2]);
  std::string_view op = node.args[0]->name.text();
  if (!a || !b) return std::nullopt;
  if (op == "<") return *a < *b;
  if (op == ">") return *a > *b;
  if (op == "<=" || op == "≤") return *a <= *b;
  if (op == ">=" || op == "≥") return *a >= *b;
  if (op == "==") return *a == *b;
  return std::nullopt;
}

/// Evaluates an expression such as `isdefined(Base, :get_extension)`. No value: another expression.
static std::optional<bool> evaluate_isdefined(Shared &shared, TypeEvaluator &evaluator, const Syntax &node) {
  if (node.args.size() != 3 || !node.args[0]->is(Head::Identifier) ||
      node.args[0]->name.text() != "isdefined")
    return std::nullopt;
  auto module = evaluator.module(*node.args[1]);
  auto name = evaluator.value(*node.args[2]);
  if (!module.ok() || !name.ok() || !name->as_symbol()) return std::nullopt;
  const Symbol asked = name->as_symbol();
  // true: Kiln loads extensions
  if (*module == shared.world.base() && asked.text() == "get_extension") return true;
  return shared.world.is_defined(**module, asked) ||
         (asked.text().starts_with('@') && Expander::is_built_in(asked.text()));
}

Result<TypeRef> TypeEvaluator::call(const Syntax &node) {
  if (auto known = version_comparison(node)) return shared_->types.constant(shared_->types.boolean(*known));
  if (auto known = evaluate_isdefined(*shared_, *this, node))
    return shared_->types.constant(shared_->types.boolean(*known));
  if (node.args.size() == 2 && node.args[0]->is(Head::Identifier) && node.args[0]->name.text() == "!")
    if (auto of = value(*node.args[1]); of.ok() && of->type() == shared_->types.builtins().Bool)
      return shared_->types.constant(shared_->types.boolean(!(of->low_bits() & 1)));
  const Syntax &callee = *node.args[0];
  std::string_view name = callee.is(Head::Identifier) ? callee.name.text() : std::string_view();
  TypeContext &types = shared_->types;
  if (name == "typeof" && node.args.size() == 2) {
    KILN_TRY(Value of, value(*node.args[1]));
    return of.type();
  }
  if (name == "Val" && node.args.size() == 2) {
    KILN_TRY(TypeRef parameter, evaluate(*node.args[1]));
    KILN_TRY(TypeRef val, evaluate(callee));
    KILN_TRY(TypeRef type, apply(val, std::span<const TypeRef>(&parameter, 1), node.at));
    if (type->has_free_vars() || !types.is_singleton(type)) return type;
    return types.constant(types.singleton_value(type));
  }
  if (name == "Symbol" && node.args.size() == 2 && node.args[1]->is(Head::Literal))
    if (const std::string *text = node.args[1]->literal.as_string())
      return types.constant(Value::symbol(types, types.symbol(*text)));
  // Compute sums, differences and products of integers: `Val(N + 1)`, `const M = 2 * N`.
  if (node.args.size() == 3 && (name == "+" || name == "-" || name == "*")) {
    Result<TypeRef> a = evaluate(*node.args[1]), b = evaluate(*node.args[2]);
    const ConstType *x = a.ok() ? (*a)->as<ConstType>() : nullptr,
                    *y = b.ok() ? (*b)->as<ConstType>() : nullptr;
    TypeRef int64 = types.builtins().Int64;
    if (x && y && x->value().type() == int64 && y->value().type() == int64) {
      uint64_t m = x->value().low_bits(), n = y->value().low_bits();
      return types.constant(int64_t(name == "+" ? m + n : name == "-" ? m - n : m * n));
    }
  }
  if (node.args.size() == 2 && name == "-") {
    Result<TypeRef> a = evaluate(*node.args[1]);
    const ConstType *x = a.ok() ? (*a)->as<ConstType>() : nullptr;
    if (x && x->value().type() == types.builtins().Int64)
      return types.constant(int64_t(0 - x->value().low_bits()));
  }
  return with_interpreter(node);
}

Result<TypeRef> TypeEvaluator::with_interpreter(const Syntax &node) {
  if (quick_)
    return shared_->error(ErrorCode::Input, fmt::format("`{}` needs to be run", brief(node)), node.at);
  for (auto &[name, type] : names_)
    if (type->has_free_vars() && holds_name(node, name.text()))
      return undefined_error(
          name.str(),
          fmt::format("`{}` cannot be evaluated with the type variable `{}`", brief(node), name.text()),
          shared_->locate(node.at));
  KILN_TRY(Value value, shared_->interpret(*module_, node));
  return from_value(value);
}

Result<std::vector<TypeRef>> argument_types(const Shared &shared, TypeEvaluator &evaluator,
                                            std::span<Syntax *const> arguments) {
  std::vector<TypeRef> types;
  for (const Syntax *argument : arguments) {
    const Syntax *type =
        argument->is(Head::TypeAssert) ? argument->args.back() : argument; // also `x::T` and `::T`
    KILN_TRY(TypeRef evaluated, evaluator.evaluate(*type));
    if (const ConstType *value = evaluated->as<ConstType>()) evaluated = shared.types.type_of(value->value());
    if (evaluated->is<VarargType>() || evaluated->has_free_vars())
      return shared.error(ErrorCode::TypeError,
                          fmt::format("`{}` is not the type of an argument", brief(*type)), type->at);
    types.push_back(evaluated);
  }
  return types;
}

} // namespace kiln::julia
