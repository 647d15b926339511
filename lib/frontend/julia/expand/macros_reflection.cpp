// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands macros of CUDA.jl that show code, such as @device_code_llvm expression. At top level such a macro
// becomes Core.#device_code(macro, keyword, value, ..., () -> expression). That function of the session
// collects the jobs that the expression requests, and shows their code. In a function's body, or without a
// session, the macro becomes the expression alone.
#include "expander.h"
#include "type_expr.h"

#include <filesystem>

namespace kiln::julia {

Syntax *Expander::device_code(const Syntax &node, std::span<Syntax *const> args) {
  const Symbol name = macro_name(node);
  if (args.empty()) return error(node.at, fmt::format("{} without an expression", name.text()));
  const Symbol host = shared_->symbol("#device_code");
  auto has_session = shared_->world.lookup(*shared_->world.core(), host, shared_->world.age());
  if (!shared_->is_top_level || !has_session.ok() || !*has_session) return last_argument(node, args);
  auto symbol = [&](Symbol text) { return literal(Value::symbol(shared_->types, text), node.at); };
  std::vector<Syntax *> values{symbol(name)};
  for (const Syntax *keyword : args.first(args.size() - 1)) {
    if (!keyword->is(Head::Assign) || !keyword->args[0]->is(Head::Identifier))
      return error(keyword->at, fmt::format("{} takes keyword = value, then one expression, not `{}`",
                                            name.text(), brief(*keyword)));
    values.push_back(symbol(keyword->args[0]->name));
    values.push_back(expand(*keyword->args[1]));
  }
  Syntax *body = make(Head::Block, node.at, {expand(*args.back())});
  values.push_back(make(Head::Arrow, node.at, {make(Head::Tuple, node.at, {}), body}));
  return call(core(host.text(), node.at), std::move(values), node.at);
}

Syntax *Expander::no_macro(const Syntax &node, std::span<Syntax *const>) {
  const Symbol name = macro_name(node);
  std::string hint = shared_->world.undefined_hint(macro_module(shared_, node, *module_), name);
  const bool is_qualified = node.args[0]->is(Head::MacroName) && node.args[0]->args.size() == 2;
  if (is_qualified && hint.empty()) hint = "the module lacks it: write a function or a macro of your own";
  if (!hint.empty() || is_built_in(name.text()))
    return error(node.at, fmt::format("macro {}{}{}", name.text(), hint.empty() ? "" : ": ", hint));
  return identifier(name.text(), node.args[0]->scope, node.at); // throws UndefVarError
}

/// True if code may make definitions when it runs: top-level code of a library, and programs.
bool Expander::runs_eval() const { return shared_->run_eval || shared_->interpreter.runs_program(); }

/// Wraps code in a call of eval, so that a body that a program runs (such as a @testset) can make
/// definitions.
Syntax *Expander::at_top_level(const Syntax &node) {
  return call(base("eval", node.at), {module_macro(node, {}), quoted(node)}, node.at);
}

/// Expands @eval [module] code, where code may make definitions when it runs.
Syntax *Expander::eval(const Syntax &node, std::span<Syntax *const> args) {
  if (!runs_eval() || args.empty() || args.size() > 2) return no_macro(node, args);
  Syntax *into = args.size() == 2 ? expand(*args[0]) : module_macro(node, {});
  return call(base("eval", node.at), {into, quoted(*args.back())}, node.at);
}

Syntax *Expander::place_macro(const Syntax &node, std::span<Syntax *const>) {
  const Location at = shared_->locate(node.at);
  if (!at) return no_macro(node, {});
  const std::string_view name = macro_name(node).text();
  if (name == "@__LINE__") return literal(shared_->types.int64(at.line()), node.at);
  const auto file =
      std::filesystem::absolute(std::filesystem::path(at.file->base()) / at.file->name()).lexically_normal();
  return literal(shared_->string((name == "@__DIR__" ? file.parent_path() : file).string()), node.at);
}

} // namespace kiln::julia
