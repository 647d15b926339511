// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands and analyses the body of a definition, and lowers the macros that mark a region of it.
#include "lowerer.h"

namespace kiln::julia {

Result<std::shared_ptr<Body>> analyse(MethodSource source, bool is_top_level) {
  auto body = std::make_shared<Body>();
  body->source = std::move(source);
  MethodSource &s = body->source;
  if (s.unit && s.body->is(Head::Unread)) {
    KILN_TRY(s.body, read_body(s.shared->types, body->arena, *s.unit->file, *s.body));
  }
  GensymScope names(*s.shared);
  ExpansionScope expansions(*s.shared);
  Expander expander(s.shared, *s.module, body->arena);
  struct TopLevel { // sets Shared's mode during expansion and analysis
    bool &flag, before;
    TopLevel(bool &f, bool now) : flag(f), before(std::exchange(f, now)) {}
    ~TopLevel() { flag = before; }
  } top_level(s.shared->is_top_level, is_top_level);
  const Syntax *expanded = expander.expand(*s.body);
  if (s.signature.return_type) s.signature.return_type = expander.expand(*s.signature.return_type);
  body->scopes.emplace(*s.shared);
  KILN_TRY(body->root, body->scopes->method(s.signature, *expanded, s.statics));
  return body;
}

Result<CodeInfo> lower_function(Body &body, FunctionScope &function) {
  StageScope stage(body.source.shared->timer, Stage::Lower);
  return Lowerer(body, function).run();
}

Result<CodeInfo> lower_expression(const std::shared_ptr<Shared> &shared, const Module &module,
                                  const Syntax &node, std::shared_ptr<Unit> unit) {
  MethodSource source;
  source.shared = shared;
  source.module = &module;
  source.name = shared->symbol("top-level");
  source.signature.at = node.at;
  source.body = &node;
  source.unit = std::move(unit);
  KILN_TRY(std::shared_ptr<Body> body, analyse(std::move(source), true));
  define_closures(body);
  return lower_function(*body, *body->root);
}

Operand Lowerer::kept_macro(const Syntax &node) {
  std::string_view name = node.args[0]->name.text();
  if (name == "@inbounds" || name == "@inline" || name == "@noinline") {
    if (node.args.size() < 2) return nothing(); // without an argument it is a hint for the whole function
    uint8_t before = b_.flags();
    b_.set_flags(before | (name == "@inbounds" ? flags::Inbounds
                           : name == "@inline" ? flags::Inline
                                               : flags::NoInline));
    Operand result = value(*node.args[1]);
    b_.set_flags(before);
    return result;
  }
  if (name == "@boundscheck" && node.args.size() == 2) {
    Label end = b_.new_label();
    b_.go_to_if_not(b_.bounds_check(), end);
    effect(*node.args[1]);
    b_.place(end);
    return nothing();
  }
  if (name == "@isdefined" && node.args.size() == 2 && node.args[1]->is(Head::Identifier)) {
    const Syntax &what = *node.args[1];
    if (Variable *variable = body_.scopes->variable(what)) {
      Operand slot = read(*variable);
      return b_.is_defined(slot.index);
    }
    if (StaticParam *param = body_.scopes->static_param(what)) {
      for (uint32_t i = 0; i < function_.code_statics.size(); ++i)
        if (function_.code_statics[i] == param)
          return b_.call(b_.constant(shared_.intrinsic(Intrinsic::static_defined)),
                         {Operand::static_param(i)});
      return b_.constant(shared_.types.boolean(false));
    }
    return b_.constant(shared_.types.boolean(shared_.world.is_defined(module_of(what), what.name)));
  }
  if (name == "@#local") { // expand/global_methods.cpp
    const Syntax &local = *node.args[1];
    if (body_.scopes->function(*node.args.back())) {
      Operand reader = closure(*node.args.back());
      return b_.call(b_.global(shared_.world.core(), shared_.symbol("#expr")),
                     {symbol(shared_.symbol("call")), reader});
    }
    if (body_.scopes->variable(local) || body_.scopes->static_param(local)) return identifier(local);
    return symbol(local.name);
  }
  if ((name == "@goto" || name == "@label") && node.args.size() == 2 && node.args[1]->is(Head::Identifier))
    return jump_mark(name == "@label", *node.args[1]);
  if (name == "@view" && node.args.size() == 2 && node.args[1]->is(Head::Ref))
    return index_call("view", value(*node.args[1]->args[0]), {}, *node.args[1]);
  if (name == "@#maybeview") return index_call("maybeview", value(*node.args[1]->args[0]), {}, *node.args[1]);
  return missing(node, fmt::format("macro {}", name));
}

Operand Lowerer::jump_mark(bool is_label, const Syntax &name) {
  auto at = std::ranges::find_if(marks_, [&](const Mark &mark) { return mark.first->name == name.name; });
  if (at == marks_.end()) at = marks_.insert(at, {&name, b_.new_label(), false});
  Mark &mark = *at;
  if (!is_label) {
    b_.set_span(name.at);
    b_.go_to(mark.label);
  } else if (std::exchange(mark.placed, true)) {
    return missing(name, fmt::format("label {} a second time", name.name.text()));
  } else {
    b_.place(mark.label);
  }
  return nothing();
}

void Lowerer::place_missing_marks() {
  for (const Mark &mark : marks_)
    if (!mark.placed) {
      b_.place(mark.label);
      missing(*mark.first,
              fmt::format("@goto {}, as there is no such label in the function", mark.first->name.text()));
      return_value(nothing());
    }
}

} // namespace kiln::julia
