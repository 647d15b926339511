// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands built-in macros, found by name: those of Base and CUDA.jl that kernels use.
#include "expander.h"
#include "type_expr.h"

namespace kiln::julia {

std::span<const Expander::Entry> Expander::builtin_macros() {
  static constexpr Entry Table[] = {
      // Lowering handles these macros, which mark a region or ask for it.
      {"@inbounds", &Expander::keep},
      {"@inline", &Expander::keep},
      {"@noinline", &Expander::keep},
      {"@boundscheck", &Expander::keep},
      {"@isdefined", &Expander::keep},
      {"@view", &Expander::keep},
      {"@goto", &Expander::keep},
      {"@label", &Expander::keep},
      {"@#local", &Expander::keep}, // global_methods.cpp
      // Hints without effect here.
      {"@simd", &Expander::last_argument},
      {"@ivdep", &Expander::last_argument},
      {"@unroll", &Expander::last_argument},
      {"@loopinfo", &Expander::last_argument},
      {"@propagate_inbounds", &Expander::last_argument},
      {"@constprop", &Expander::last_argument},
      {"@assume_effects", &Expander::last_argument},
      {"@pure", &Expander::last_argument},
      {"@nospecializeinfer", &Expander::last_argument},
      {"@doc", &Expander::last_argument},
      {"@__doc__", &Expander::last_argument},
      {"@uniform", &Expander::last_argument},
      {"@nospecialize", &Expander::nothing},
      {"@specialize", &Expander::nothing},
      {"@_inline_meta", &Expander::nothing},
      {"@_noinline_meta", &Expander::nothing},
      {"@_propagate_inbounds_meta", &Expander::nothing},
      // Rewritten.
      {"@something", &Expander::first_value},
      {"@coalesce", &Expander::first_value},
      {"@assert", &Expander::assertion},
      {"@cuassert", &Expander::assertion},
      {"@static", &Expander::static_if},
      {"@fastmath", &Expander::fastmath},
      {"@views", &Expander::views},
      {"@.", &Expander::dot_macro},
      {"@__dot__", &Expander::dot_macro},
      {"@cuda", &Expander::kernel_launch}, // programs have their own (runtime/library/program/cuda/launch.jl)
      {"@cuStaticSharedMem", &Expander::shared_memory},
      {"@cuDynamicSharedMem", &Expander::shared_memory},
      {"@atomic", &Expander::atomic},
      {"@Atomix.atomic", &Expander::atomic}, // meaning of `using Atomix: @atomic`
      {"@atomicswap", &Expander::atomic_exchange},
      {"@atomicreplace", &Expander::atomic_exchange},
      {"@cuprintf", &Expander::print},
      {"@cuprint", &Expander::print},
      {"@cuprintln", &Expander::print},
      {"@print", &Expander::print},
      // KernelAbstractions
      {"@kernel", &Expander::kernel},
      {"@index", &Expander::kernel_index},
      {"@groupsize", &Expander::kernel_query},
      {"@ndrange", &Expander::kernel_query},
      {"@context", &Expander::kernel_query},
      {"@localmem", &Expander::kernel_memory},
      {"@private", &Expander::kernel_memory},
      {"@synchronize", &Expander::kernel_barrier},
      {"@cushow", &Expander::show},
      {"@device_code", &Expander::device_code},
      {"@device_code_lowered", &Expander::device_code},
      {"@device_code_typed", &Expander::device_code},
      {"@device_code_warntype", &Expander::device_code},
      {"@device_code_llvm", &Expander::device_code},
      {"@device_code_ptx", &Expander::device_code},
      {"@device_code_native", &Expander::device_code},
      {"@device_code_sass", &Expander::device_code},
      {"@nexprs", &Expander::nexprs},
      {"@ntuple", &Expander::nexprs},
      {"@ncall", &Expander::nexprs},
      {"@nref", &Expander::nexprs},
      {"@nall", &Expander::nexprs},
      {"@nany", &Expander::nexprs},
      {"@nif", &Expander::nif},
      {"@nloops", &Expander::nloops},
      {"@nextract", &Expander::nextract},
      {"@NamedTuple", &Expander::named_tuple_type},
      {"@static_assert", &Expander::static_assertion},
      {"@__MODULE__", &Expander::module_macro},
      {"@__FILE__", &Expander::place_macro},
      {"@__DIR__", &Expander::place_macro},
      {"@__LINE__", &Expander::place_macro},
      {"@cmd", &Expander::no_macro},
      {"@eval", &Expander::eval},
      {"@generated", &Expander::generated},
      {"@preserve", &Expander::last_argument},
      {"@lazy_str", &Expander::last_argument},
      {"@device_override", &Expander::no_macro},
      {"@device_function", &Expander::no_macro},
      {"@device_functions", &Expander::no_macro},
  };
  return Table;
}

bool Expander::is_built_in(std::string_view name) {
  if (name == "@kwdef") return true; // a definition, expanded where structs are defined
  std::span<const Entry> table = builtin_macros();
  return std::any_of(table.begin(), table.end(), [&](const Entry &entry) { return entry.name == name; });
}

const Module &macro_module(const std::shared_ptr<Shared> &shared, const Syntax &node, const Module &module) {
  const Syntax &path = *node.args[0];
  const Module &where = shared->module_of(path.scope, module);
  if (!path.is(Head::MacroName) || path.args.size() != 2) return where;
  TypeEvaluator evaluator(shared, where);
  evaluator.set_quick(true);
  auto named = evaluator.module(*path.args[0]);
  return named.ok() ? **named : where;
}

Syntax *Expander::expand_macro(const Syntax &node) {
  Symbol name = macro_name(node);
  std::span<Syntax *const> args = std::span(node.args).subspan(1);
  // A macro of the user hides a built-in macro of the same name.
  const Module *where = &macro_module(shared_, node, *module_);
  if (auto macro = shared_->find_macro(*where, name)) {
    auto expanded = expand_user_macro(shared_, arena_, *macro, node, *module_);
    if (!expanded.ok()) {
      const std::string &message = expanded.error().diagnostics().front().message;
      const std::string named = fmt::format("macro {}", name.text());
      return error(node.at, message.starts_with(named) ? message : fmt::format("{}: {}", named, message));
    }
    const ExpansionLevel level(*shared_);
    return expand(**expanded);
  }
  name = shared_->built_in_macro(*where, name);
  for (const Entry &entry : builtin_macros())
    if (entry.name == name.text()) return (this->*entry.handler)(node, args);
  return no_macro(node, args);
}

Syntax *Expander::keep(const Syntax &node, std::span<Syntax *const> args) {
  Syntax *copy = make(Head::MacroCall, node.at, {});
  Syntax *name = arena_.make(Head::MacroName, node.args[0]->at);
  name->name = shared_->built_in_macro(macro_module(shared_, node, *module_), macro_name(node));
  copy->args.push_back(name);
  bool views = std::exchange(views_, views_ && name->name.text() != "@view");
  for (const Syntax *arg : args) copy->args.push_back(expand(*arg));
  views_ = views;
  return copy;
}

Syntax *Expander::last_argument(const Syntax &node, std::span<Syntax *const> args) {
  return args.empty() ? nothing(node, args) : expand(*args.back());
}

Syntax *Expander::nothing(const Syntax &node, std::span<Syntax *const>) {
  return literal(shared_->types.nothing(), node.at);
}

/// Expands the condition @generated to false, so that `if @generated` takes its second branch. Julia may
/// choose that branch, too. A generated method of a global function is defined at top level.
Syntax *Expander::generated(const Syntax &node, std::span<Syntax *const> args) {
  if (args.empty()) return literal(shared_->types.boolean(false), node.at);
  Syntax *global = args.size() == 1 ? global_method(*args[0], &node) : nullptr;
  return global ? global : no_macro(node, args);
}

Syntax *Expander::module_macro(const Syntax &node, std::span<Syntax *const>) {
  return literal(Value::module(shared_->types, module_), node.at);
}

/// Expands @something and @coalesce. An argument is evaluated only if all before it are nothing (or missing).
Syntax *Expander::first_value(const Syntax &node, std::span<Syntax *const> args) {
  bool something = macro_name(node).text() == "@something";
  Syntax *value = call(base(something ? "something" : "coalesce", node.at), {}, node.at);
  for (size_t i = args.size(); i-- > 0;) {
    auto kept = [&] { return identifier(fmt::format("#value {} at {}#", i, node.at.begin), 0, node.at); };
    Syntax *assigned = make(Head::Assign, node.at, {kept(), expand(*args[i])});
    Syntax *lacks = call(base(something ? "isnothing" : "ismissing", node.at), {kept()}, node.at);
    Syntax *taken = something ? call(base("something", node.at), {kept()}, node.at) : kept();
    value = make(Head::Block, node.at, {assigned, make(Head::If, node.at, {lacks, value, taken})});
  }
  return value;
}

Syntax *Expander::static_if(const Syntax &node, std::span<Syntax *const> args) {
  if (args.size() != 1) return error(node.at, "@static without an expression");
  const Syntax *at = args[0];
  while (at->is(Head::If) || at->is(Head::ElseIf)) {
    TypeEvaluator evaluator(shared_, *module_);
    auto condition = evaluator.value(*at->args[0]);
    if (!condition.ok())
      return error(node.at, fmt::format("@static condition `{}`: {}", brief(*at->args[0]),
                                        condition.error().diagnostics().front().message));
    if (condition->type() != shared_->types.builtins().Bool)
      return error(node.at, fmt::format("@static condition `{}` is not a Bool", brief(*at->args[0])));
    if (condition->low_bits() & 1) return expand(*at->args[1]);
    if (at->args.size() < 3) return literal(shared_->types.nothing(), node.at);
    at = at->args[2];
  }
  return expand(*at);
}

// ---- @fastmath: replaces the same functions as Base.FastMath

static std::string fast_name(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> Operators[] = {
      {"*", "mul"}, {"+", "add"}, {"-", "sub"}, {"/", "div"},  {"==", "eq"}, {"!=", "ne"},
      {"≠", "ne"},  {"<", "lt"},  {"<=", "le"}, {"≤", "le"},   {">", "gt"},  {">=", "ge"},
      {"≥", "ge"},  {"%", "rem"}, {"^", "pow"}, {"rem", "rem"}};
  static constexpr std::string_view Functions[] = {
      "abs",  "abs2",  "cmp",    "conj", "inv",    "sign",  "isfinite", "isinf", "isnan", "issubnormal",
      "acos", "acosh", "angle",  "asin", "asinh",  "atan",  "atanh",    "cbrt",  "cis",   "cos",
      "cosh", "exp10", "exp2",   "exp",  "expm1",  "hypot", "log10",    "log1p", "log2",  "log",
      "max",  "min",   "minmax", "sin",  "sincos", "sinh",  "sqrt",     "tan",   "tanh"};
  for (auto &[op, fast] : Operators)
    if (op == name) return std::string(fast) + "_fast";
  for (std::string_view function : Functions)
    if (function == name) return std::string(function) + "_fast";
  return {};
}

Syntax *Expander::fast_operator(const Syntax &callee, size_t) {
  if (!callee.is(Head::Identifier)) return nullptr;
  std::string name = fast_name(callee.name.text());
  if (name.empty()) return nullptr;
  Module *base_module = shared_->world.base();
  auto module = shared_->world.lookup(*base_module, shared_->symbol("FastMath"), shared_->world.age());
  const Module *fast = module.ok() && *module ? (*module)->as_module() : nullptr;
  if (!fast || !shared_->world.is_defined(*fast, shared_->symbol(name))) return nullptr;
  return dot(dot(base("Base", callee.at), "FastMath", callee.at), name, callee.at);
}

Syntax *Expander::fastmath(const Syntax &node, std::span<Syntax *const> args) {
  if (args.empty()) return error(node.at, "@fastmath without an expression");
  bool before = std::exchange(fastmath_, true);
  Syntax *result = expand(*args.back());
  fastmath_ = before;
  return result;
}

Syntax *Expander::views(const Syntax &node, std::span<Syntax *const> args) {
  if (args.empty()) return error(node.at, "@views without an expression");
  bool before = std::exchange(views_, true);
  Syntax *result = expand(*args.back());
  views_ = before;
  return result;
}

/// Expands @NamedTuple{a::Int, b} to NamedTuple{(:a, :b), Tuple{Int, Any}}.
Syntax *Expander::named_tuple_type(const Syntax &node, std::span<Syntax *const> args) {
  Syntax *names = make(Head::Tuple, node.at, {}),
         *types = make(Head::Curly, node.at, {core("Tuple", node.at)});
  auto fields = named_tuple_fields(node);
  if (args.size() != 1 || !fields) return error(node.at, "@NamedTuple needs its fields as {name::Type, ...}");
  for (auto &[name, type] : *fields) {
    names->args.push_back(symbol(name, node.at));
    types->args.push_back(type ? expand(*type) : core("Any", node.at));
  }
  return make(Head::Curly, node.at, {core("NamedTuple", node.at), names, types});
}

/// Expands @. by adding a dot to every call, operator and assignment. `$x` becomes x, and a call of `$f` gets
/// no dot. `a:b`, and the bindings of a loop or `let` (is_binding), are unchanged.
Syntax *Expander::with_dots(const Syntax &node, bool is_binding) {
  if (node.is(Head::Interpolation)) return copy_tree(arena_, *node.args[0]);
  if (node.is(Head::Comparison)) {
    Syntax *copy = make(Head::Comparison, node.at, {});
    for (size_t i = 0; i < node.args.size(); ++i) {
      bool is_plain =
          i % 2 && node.args[i]->is(Head::Identifier) && !node.args[i]->name.text().starts_with(".");
      copy->args.push_back(is_plain ? arena_.identifier(intern(fmt::format(".{}", node.args[i]->name.text())),
                                                        node.args[i]->at)
                                    : with_dots(*node.args[i]));
    }
    return copy;
  }
  Syntax *copy = copy_node(arena_, node);
  const Syntax *callee = node.is(Head::Call) ? node.args[0] : nullptr;
  bool is_definition = node.is(Head::Assign) && is_function_definition(node);
  bool keeps_first = node.is(Head::DotCall) || node.is(Head::OpAssign) || node.is(Head::DotOpAssign) ||
                     node.is(Head::Function) || is_definition || (callee && !callee->is(Head::Interpolation));
  bool binds = node.is(Head::For) || node.is(Head::Let) || node.is(Head::Generator) ||
               node.is(Head::Filter) || (is_binding && node.is(Head::Block));
  for (size_t i = 0; i < node.args.size(); ++i) {
    bool is_bound =
        binds && (is_binding || (node.is(Head::Generator) || node.is(Head::Filter) ? i > 0 : i == 0));
    copy->args.push_back(keeps_first && i == 0 ? copy_tree(arena_, *node.args[0])
                                               : with_dots(*node.args[i], is_bound));
  }
  if (callee && !callee->is(Head::Interpolation) &&
      !(callee->is(Head::Identifier) && callee->name.text() == ":"))
    copy->head = Head::DotCall;
  else if (node.is(Head::Assign) && !is_binding && !is_definition)
    copy->head = Head::DotAssign;
  else if (node.is(Head::OpAssign))
    copy->head = Head::DotOpAssign;
  else if (node.is(Head::And) || node.is(Head::Or))
    return make(
        Head::DotCall, node.at,
        {arena_.identifier(intern(node.is(Head::And) ? "&&" : "||"), node.at), copy->args[0], copy->args[1]});
  return copy;
}

Syntax *Expander::dot_macro(const Syntax &node, std::span<Syntax *const> args) {
  if (args.empty()) return error(node.at, "@. without an expression");
  return expand(*with_dots(*args.back()));
}

// ---- CUDA.jl

Syntax *Expander::cuda(std::string_view name, Span at) {
  Module *module = shared_->world.find_root_module(shared_->symbol("CUDA"));
  if (!module) return error(at, fmt::format("CUDA.{} where module CUDA is not loaded", name));
  return dot(literal(Value::module(shared_->types, module), at), name, at);
}

Syntax *Expander::shared_memory(const Syntax &node, std::span<Syntax *const> args) {
  bool dynamic = macro_name(node).text() == "@cuDynamicSharedMem";
  if (args.size() < 2 || args.size() > (dynamic ? 3u : 2u))
    return error(node.at, fmt::format("{} takes a type and dimensions", macro_name(node).text()));
  std::vector<Syntax *> values;
  for (const Syntax *arg : args) values.push_back(expand(*arg));
  return call(cuda(dynamic ? "CuDynamicSharedArray" : "CuStaticSharedArray", node.at), std::move(values),
              node.at);
}

// Passes a text as a type parameter, Val(:text). The device library assembles formats of such texts, and
// places them in memory.
Syntax *Expander::text_value(std::string_view text, Span at) {
  return call(base("Val", at), {symbol(shared_->symbol(text), at)}, at);
}

/// Escapes a text that a printf format shall print as it is.
static std::string in_format(std::string_view text) {
  std::string out;
  for (char c : text) out.append(c == '%' ? 2 : 1, c);
  return out;
}

Syntax *Expander::print(const Syntax &node, std::span<Syntax *const> args) {
  std::string name = "_" + std::string(macro_name(node).text().substr(1));
  if (name == "_print") // of KernelAbstractions
    name = "_cuprint";
  bool is_format = name == "_cuprintf";
  std::vector<Syntax *> values;
  if (is_format && (args.empty() || !args[0]->is(Head::Literal) || !args[0]->literal.as_string()))
    return error(node.at, "@cuprintf needs a format string literal");
  for (const Syntax *arg : args) {
    std::vector<const Syntax *> parts{arg};
    if (arg->is(Head::StringInterpolation)) parts.assign(arg->args.begin(), arg->args.end());
    for (const Syntax *part : parts)
      if (const std::string *text = part->is(Head::Literal) ? part->literal.as_string() : nullptr)
        values.push_back(text_value(is_format ? *text : in_format(*text), part->at));
      else
        values.push_back(expand(*part));
  }
  return call(cuda(name, node.at), std::move(values), node.at);
}

Syntax *Expander::show(const Syntax &node, std::span<Syntax *const> args) {
  Syntax *block = make(Head::Block, node.at, {});
  for (const Syntax *arg : args)
    block->args.push_back(call(cuda("_cushow", node.at),
                               {text_value(in_format(brief(*arg, 200) + " = "), arg->at), expand(*arg)},
                               node.at));
  return block->args.empty() ? nothing(node, args) : block;
}

} // namespace kiln::julia
