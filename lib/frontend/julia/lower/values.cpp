// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lowerer.h"

#include <algorithm>

namespace kiln::julia {

Lowerer::Lowerer(Body &body, FunctionScope &function)
    : body_(body), source_(body.source), function_(function), shared_(*body.source.shared),
      b_(shared_.types,
         function.function
             ? (function.function->variable ? function.function->variable->name
                                            : shared_.symbol(fmt::format("#{}", function.function->index)))
             : body.source.name,
         function.definition ? function.definition->at : function.signature.at) {}

Result<CodeInfo> Lowerer::run() {
  const SignatureSyntax &signature = function_.signature;
  uint32_t self = b_.add_argument(shared_.symbol("#self#"));
  if (function_.self) slots_[function_.self] = self;
  for (Variable *argument : function_.arguments) slots_[argument] = b_.add_argument(argument->name);
  CodeInfo &code = b_.code();
  code.is_vararg = !signature.positional.empty() && signature.positional.back().vararg;
  code.static_params = function_.code_vars;
  if (!function_.function) code.hints = source_.hints;
  b_.set_span(code.at);
  unpack_captures();
  for (size_t i = 0; i < signature.positional.size(); ++i)
    if (const Syntax *pattern = signature.positional[i].pattern) {
      b_.set_span(pattern->at);
      destructure(*pattern, Operand::slot(slots_[function_.arguments[i]]));
    }
  tail(*function_.body);
  place_missing_marks();
  return b_.finish();
}

Operand Lowerer::missing(const Syntax &at, std::string_view feature) {
  b_.set_span(at.at);
  return b_.call(intrinsic(Intrinsic::compile_error), {b_.constant(shared_.string(std::string(feature)))});
}

void Lowerer::host_only(const Syntax &at, std::string_view feature) {
  b_.set_span(at.at);
  b_.host_only(intrinsic(Intrinsic::compile_error), b_.constant(shared_.string(std::string(feature))));
}

void Lowerer::set_global(const Syntax &at, const Module &module, Symbol name, Operand value) {
  host_only(at, fmt::format("assignment to the global variable `{}`", name.text()));
  Operand where = b_.constant(Value::module(shared_.types, &module));
  b_.call(base("setglobal!"), {where, symbol(name), value});
}

bool Lowerer::assigns(const Syntax &node) {
  switch (node.head) {
  case Head::Assign:
  case Head::OpAssign: return true;
  case Head::Arrow:
  case Head::Function:
  case Head::Identifier:
  case Head::Literal:
  case Head::QuotedSymbol: return false;
  default:
    for (const Syntax *child : node.args)
      if (assigns(*child)) return true;
    return false;
  }
}

bool Lowerer::has_effects(const Syntax &node) {
  switch (node.head) {
  case Head::Arrow:
  case Head::Function:
  case Head::Identifier:
  case Head::Literal:
  case Head::QuotedSymbol: return false;
  case Head::Curly:
  case Head::Tuple:
    return std::any_of(node.args.begin(), node.args.end(),
                       [](const Syntax *child) { return has_effects(*child); });
  default: return true;
  }
}

uint32_t Lowerer::slot_of(const Variable &variable) {
  auto [it, fresh] = slots_.try_emplace(&variable, 0);
  if (fresh) it->second = b_.add_slot(variable.name);
  return it->second;
}

Operand Lowerer::read(const Variable &variable) {
  if (variable.owner != &function_ && function_.function && function_.function->variable == &variable)
    return Operand::slot(0);
  return Operand::slot(slot_of(variable));
}

Operand Lowerer::identifier(const Syntax &node) {
  // Also in the code of a macro: these names belong to the index around them.
  if (!indexing_.empty() && (node.name.text() == "end" || node.name.text() == "begin"))
    return end_of(indexing_.back(), node.name.text() == "begin");
  if (node.scope == CoreScope && node.name.text() == "#self#")
    return Operand::slot(0); // argument 0 of methods that the front end makes
  if (Variable *variable = body_.scopes->variable(node)) {
    Operand operand = read(*variable);
    // Copy: a call may change it before the value is used.
    return variable->assigned_inside ? b_.copy(operand) : operand;
  }
  if (StaticParam *param = body_.scopes->static_param(node)) {
    for (uint32_t i = 0; i < function_.code_statics.size(); ++i)
      if (function_.code_statics[i] == param) return Operand::static_param(i);
    return missing(node,
                   fmt::format("type variable `{}`, which the arguments do not determine", node.name.text()));
  }
  return b_.global(&module_of(node), node.name);
}

Operand Lowerer::value(const Syntax &node) {
  b_.set_span(node.at);
  switch (node.head) {
  case Head::Identifier: return identifier(node);
  case Head::Literal:
    if (const ExprObject *hint = node.literal.as_expr(); hint && hint->head.text() != "quote")
      return nothing(); // a hint for Julia's compiler (code_values.cpp)
    return b_.constant(node.literal);
  case Head::QuotedSymbol: return b_.constant(node.literal);
  case Head::Call: return call(node);
  case Head::Curly: return curly(node);
  case Head::Ref: {
    Operand array = value(*node.args[0]);
    if (LastEffect(node.args).is_after(0)) array = read_now(array);
    return index_call("getindex", array, {}, node);
  }
  case Head::Dot: return dot(node);
  case Head::Tuple: return tuple(node);
  case Head::Comparison: return comparison(node);
  case Head::And:
  case Head::Or: return and_or(node);
  case Head::If:
  case Head::ElseIf: return if_value(node);
  case Head::TypeAssert: {
    if (node.args.size() != 2) return missing(node, "`::T` outside of a signature");
    std::vector<Operand> args = arguments(std::span(node.args));
    b_.set_span(node.at);
    return b_.call(intrinsic(Intrinsic::typeassert), args);
  }
  case Head::Assign:
    if (is_function_definition(node)) return closure(node);
    return assign(node);
  case Head::OpAssign: return op_assign(node);
  case Head::Block: return block(node);
  case Head::Let: let(node); return value(*node.args[1]);
  case Head::For: for_loop(node); return nothing();
  case Head::While: while_loop(node); return nothing();
  case Head::Return: return return_statement(node);
  case Head::Break:
  case Head::Continue: return jump(node);
  case Head::Local: {
    for (const Syntax *child : node.args)
      if (child->is(Head::Assign) || child->is(Head::Function)) value(*child);
    return nothing();
  }
  case Head::Global:
    for (const Syntax *child : node.args)
      if (child->is(Head::Assign)) value(*child);
    return nothing();
  case Head::Try:
  case Head::TryFinally: return try_value(node);
  case Head::Arrow:
  case Head::Function: return closure(node);
  case Head::MacroCall: return kept_macro(node);
  case Head::Subtype:
  case Head::Supertype: {
    if (node.args.size() != 2) return constant_type(node);
    std::vector<Operand> args = arguments(std::span(node.args));
    b_.set_span(node.at);
    if (node.is(Head::Supertype)) std::swap(args[0], args[1]);
    return b_.call(intrinsic(Intrinsic::subtype), args);
  }
  case Head::Where: return constant_type(node);
  case Head::Error: {
    const std::string *text = node.literal.as_string();
    return missing(node, text ? *text : "this expression");
  }
  case Head::Splat: return missing(node, "`...` outside of a call");
  default: return missing(node, fmt::format("`{}` in a function body", head_text(node.head)));
  }
}

void Lowerer::effect(const Syntax &node) {
  b_.set_span(node.at);
  switch (node.head) {
  case Head::Literal:
  case Head::QuotedSymbol: return;
  case Head::If:
  case Head::ElseIf: if_effect(node); return;
  case Head::And: {
    Label end = b_.new_label();
    condition(*node.args[0], end);
    effect(*node.args[1]);
    b_.place(end);
    return;
  }
  case Head::Or: {
    Label other = b_.new_label(), end = b_.new_label();
    condition(*node.args[0], other);
    b_.go_to(end);
    b_.place(other);
    effect(*node.args[1]);
    b_.place(end);
    return;
  }
  case Head::Block:
    for (const Syntax *child : node.args) effect(*child);
    return;
  case Head::Let:
    let(node);
    effect(*node.args[1]);
    return;
  case Head::MacroCall: {
    std::string_view name = node.args[0]->name.text();
    if ((name == "@inbounds" || name == "@inline" || name == "@noinline") && node.args.size() == 2) {
      uint8_t before = b_.flags();
      b_.set_flags(before | (name == "@inbounds" ? flags::Inbounds
                             : name == "@inline" ? flags::Inline
                                                 : flags::NoInline));
      effect(*node.args[1]);
      b_.set_flags(before);
      return;
    }
    value(node);
    return;
  }
  case Head::Assign:
    // The assignment's own value is unused, so that no tuple is made for it.
    value(node);
    return;
  default:
    if (Operand result = value(node); result.kind == Operand::Kind::Slot)
      b_.copy(result); // reading an unassigned variable throws
  }
}

void Lowerer::tail(const Syntax &node) {
  b_.set_span(node.at);
  switch (node.head) {
  case Head::Block:
    if (node.args.empty()) {
      return_value(nothing());
      return;
    }
    for (size_t i = 0; i + 1 < node.args.size(); ++i) effect(*node.args[i]);
    tail(*node.args.back());
    return;
  case Head::If:
  case Head::ElseIf: {
    Label otherwise = b_.new_label();
    condition(*node.args[0], otherwise);
    tail(*node.args[1]);
    b_.place(otherwise);
    if (node.args.size() > 2)
      tail(*node.args[2]);
    else
      return_value(nothing());
    return;
  }
  case Head::MacroCall: {
    std::string_view name = node.args[0]->name.text();
    if (name == "@inbounds" && node.args.size() == 2) {
      uint8_t before = b_.flags();
      b_.set_flags(before | flags::Inbounds);
      tail(*node.args[1]);
      b_.set_flags(before);
      return;
    }
    break;
  }
  case Head::Let:
    let(node);
    tail(*node.args[1]);
    return;
  case Head::For:
  case Head::While:
    effect(node);
    return_value(nothing());
    return;
  default: break;
  }
  Operand result = value(node);
  if (!b_.terminated()) return_value(result);
}

Operand Lowerer::block(const Syntax &node) {
  if (node.args.empty()) return nothing();
  for (size_t i = 0; i + 1 < node.args.size(); ++i) effect(*node.args[i]);
  return value(*node.args.back());
}

const Module *Lowerer::module_path(const Syntax &node) {
  if (node.is(Head::Literal)) return node.literal.as_module();
  const Module *where = nullptr;
  Symbol name;
  if (node.is(Head::Identifier)) {
    if (body_.scopes->variable(node) || body_.scopes->static_param(node)) return nullptr;
    where = &module_of(node);
    name = node.name;
  } else if (node.is(Head::Dot) && node.args[1]->is(Head::QuotedSymbol)) {
    where = module_path(*node.args[0]);
    name = node.args[1]->literal.as_symbol();
  }
  // Only names that begin with a capital letter may be modules. Looking up another name could evaluate a
  // postponed definition.
  if (!where || !name || name.text().empty() || !(name.text()[0] >= 'A' && name.text()[0] <= 'Z'))
    return nullptr;
  auto found = shared_.world.lookup(*where, name, shared_.world.age());
  return found.ok() && *found ? (*found)->as_module() : nullptr;
}

Operand Lowerer::dot(const Syntax &node) {
  if (node.args.size() < 2) return missing(node, "the name of a field");
  const Syntax &field = *node.args[1];
  Symbol name = field.is(Head::QuotedSymbol) ? field.literal.as_symbol() : Symbol();
  if (name)
    if (const Module *module = module_path(*node.args[0])) return b_.global(module, name);
  Operand object = value(*node.args[0]);
  Operand which = name ? symbol(name) : value(field);
  b_.set_span(node.at);
  return b_.call(base("getproperty"), {object, which});
}

Result<Value> Lowerer::known_type(const Syntax &node) {
  TypeEvaluator evaluator(body_.source.shared, module_of(node));
  evaluator.set_quick(true);
  return evaluator.value(node);
}

Operand Lowerer::curly(const Syntax &node) {
  // Tuple{<:T} equals Tuple{T}, since tuples are covariant; so T may be a variable.
  if (is_plain_name(*node.args[0], "Tuple") && node.args.size() > 1 &&
      std::all_of(node.args.begin() + 1, node.args.end(),
                  [](const Syntax *arg) { return arg->is(Head::Subtype) && arg->args.size() == 1; })) {
    if (auto type = known_type(node); type.ok()) return b_.constant(*type);
    std::vector<Syntax *> bounds;
    for (size_t i = 1; i < node.args.size(); ++i) bounds.push_back(node.args[i]->args[0]);
    return apply(intrinsic(Intrinsic::apply_type),
                 {b_.constant(Value::type_value(shared_.types, shared_.types.builtins().Tuple))}, bounds);
  }
  const auto is_bound = [](const Syntax *arg) {
    return (arg->is(Head::Subtype) || arg->is(Head::Supertype)) && arg->args.size() == 1;
  };
  if (std::any_of(node.args.begin() + 1, node.args.end(), is_bound)) {
    if (auto type = known_type(node); type.ok()) return b_.constant(*type);
    // A parameter is only known at run time: T{A, <:B} becomes __bounded_type(T, Symbol("=<"), A, B).
    std::string kinds;
    std::vector<Operand> operands{value(*node.args[0]), {}};
    for (const Syntax *arg : std::span(node.args).subspan(1)) {
      kinds += !is_bound(arg) ? '=' : arg->is(Head::Subtype) ? '<' : '>';
      operands.push_back(value(is_bound(arg) ? *arg->args[0] : *arg));
    }
    operands[1] = symbol(shared_.symbol(kinds));
    b_.set_span(node.at);
    return b_.call(base("__bounded_type"), operands);
  }
  if (node.args[0]->is(Head::Identifier) && node.args[0]->name.text() == "Vararg" &&
      !body_.scopes->variable(*node.args[0]))
    return constant_type(node);
  for (size_t i = 1; i < node.args.size(); ++i) // Tuple{Vararg{T,N}}
    if (node.args[i]->is(Head::Curly) && node.args[i]->args[0]->is(Head::Identifier) &&
        node.args[i]->args[0]->name.text() == "Vararg") {
      const Syntax &vararg = *node.args[i];
      if (node.args.size() == 2 && vararg.args.size() == 3 && is_plain_name(*node.args[0], "Tuple")) {
        // Make NTuple{N, T}, for which apply_type takes parameters that are only known at run time.
        Operand element = value(*vararg.args[1]), count = value(*vararg.args[2]);
        b_.set_span(node.at);
        Operand ntuple = b_.constant(Value::type_value(shared_.types, shared_.types.builtins().NTuple));
        return b_.call(intrinsic(Intrinsic::apply_type), {ntuple, count, element});
      }
      return constant_type(node);
    }
  return apply(intrinsic(Intrinsic::apply_type), {}, std::span(node.args));
}

Operand Lowerer::tuple(const Syntax &node) {
  if (node.args.size() == 1 && node.args[0]->is(Head::Parameters))
    return named_tuple(node, std::span(node.args[0]->args));
  return apply(intrinsic(Intrinsic::tuple), {}, std::span(node.args));
}

} // namespace kiln::julia
