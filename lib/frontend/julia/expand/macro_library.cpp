// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions by which macros and @generated bodies make code: Expr(head, args...), esc(x), gensym(), and
// eval(module, code) while top-level code runs.
#include "expander.h"
#include "quote.h"
#include "type_expr.h"

#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/internal/stage_timer.h>
#include <kiln/extension/language/interpreter.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/subtype.h>

namespace kiln::julia {

/// Binds the functions that read code in programs: __parse(text, file) and __expand_call(module, call).
static Result<void> add_code_readers(Shared &shared) {
  Interpreter &interpreter = shared.interpreter;
  KILN_CHECK(interpreter.add_host_function(
      *shared.world.base(), "__parse",
      [&shared](Interpreter &, std::span<const Value> args) -> Result<Value> {
        const std::string *text = args.size() == 2 ? args[0].as_string() : nullptr;
        const std::string *name = text ? args[1].as_string() : nullptr;
        if (!name) return Value();
        auto unit = std::make_shared<Unit>();
        unit->file = shared.world.sources().add(*name, *text);
        auto tree = parse_file(shared.types, unit->arena, *unit->file);
        if (!tree.ok()) return Value::string(shared.types, tree.error().what());
        return syntax_to_value(shared, **tree);
      }));
  return interpreter.add_host_function(
      *shared.world.base(), "__expand_call",
      [&shared](Interpreter &, std::span<const Value> args) -> Result<Value> {
        const Module *module = args.size() == 2 ? args[0].as_module() : nullptr;
        if (!module) return Value();
        auto owner = shared.shared_from_this();
        SyntaxArena arena;
        KILN_TRY(Syntax * call, value_to_syntax(shared, arena, args[1], Span()));
        if (!call->is(Head::MacroCall)) return args[1];
        const Symbol name = macro_name(*call);
        auto macro = shared.find_macro(macro_module(owner, *call, *module), name);
        if (!macro) return args[1]; // a built-in macro is a form of the language
        KILN_TRY(Syntax * expanded, expand_user_macro(owner, arena, *macro, *call, *module));
        return syntax_to_value(shared, *expanded);
      });
}

Result<void> add_macro_library(Shared &shared) {
  if (std::exchange(shared.has_macro_library, true)) return {};
  CompilerWorld &world = shared.world;
  Interpreter &interpreter = shared.interpreter;
  TypeContext &types = shared.types;
  KILN_CHECK(interpreter.add_host_function(
      *world.core(), "#expr", [&shared](Interpreter &, std::span<const Value> args) -> Result<Value> {
        if (args.empty() || !args[0].as_symbol())
          return make_error(ErrorCode::TypeError, "Expr needs a Symbol as its head");
        auto expr = std::make_shared<ExprObject>();
        expr->head = args[0].as_symbol();
        expr->args.assign(args.begin() + 1, args.end());
        return Value::expr(shared.types, std::move(expr));
      }));
  KILN_CHECK(interpreter.add_host_function(
      *world.base(), "esc", [&shared](Interpreter &, std::span<const Value> args) -> Result<Value> {
        if (args.size() != 1) return make_error(ErrorCode::MethodError, "esc takes one argument");
        auto expr = std::make_shared<ExprObject>();
        expr->head = shared.symbol("escape");
        expr->args = {args[0]};
        return Value::expr(shared.types, std::move(expr));
      }));
  KILN_CHECK(interpreter.add_host_function(
      *world.core(), "#expr_at", [&shared](Interpreter &, std::span<const Value> args) -> Result<Value> {
        auto expr = std::make_shared<ExprObject>();
        expr->at = {uint32_t(args[0].low_bits()), uint32_t(args[1].low_bits()), uint32_t(args[2].low_bits())};
        expr->head = args[3].as_symbol();
        expr->args.assign(args.begin() + 4, args.end());
        return Value::expr(shared.types, std::move(expr));
      }));
  for (Module *module : {world.base(), world.core()})
    KILN_CHECK(interpreter.add_host_function(
        *module, "eval", [&shared](Interpreter &, std::span<const Value> args) -> Result<Value> {
          const Module *into = args.size() == 2     ? args[0].as_module()
                               : shared.eval_module ? shared.eval_module
                                                    : shared.world.main();
          if (!into || args.empty() || args.size() > 2) return input_error("eval takes a module and code");
          // Use a deep stack: evaluated code may nest as deeply as a program's text.
          return shared.interpreter.on_deep_stack([&]() -> Result<Value> {
            if (shared.run_eval) return shared.run_eval(Shared::writable(*into), args.back());
            // No program runs: a macro evaluates an expression that it was given, or defines something.
            auto unit = std::make_shared<Unit>();
            KILN_TRY(Syntax * code, value_to_syntax(shared, unit->arena, args.back(), Span()));
            if (!may_define(*code)) return shared.interpret(*into, *code);
            KILN_CHECK(shared.define(Shared::writable(*into), unit, *code));
            return shared.types.nothing();
          });
        }));
  KILN_CHECK(interpreter.add_host_function(
      *world.base(), "gensym", [&shared](Interpreter &, std::span<const Value>) -> Result<Value> {
        Shared::Gensyms &names = shared.gensyms;
        return Value::symbol(shared.types,
                             shared.symbol(fmt::format("##{}{}", names.in_body ? "" : "top", ++names.count)));
      }));
  KILN_CHECK(add_code_readers(shared));
  KILN_CHECK(interpreter.add_host_function(
      *world.core(), "#quoted", [&shared](Interpreter &, std::span<const Value> args) -> Result<Value> {
        auto expr = std::make_shared<ExprObject>();
        expr->head = shared.symbol("inert");
        expr->args = {args[0]};
        return Value::expr(shared.types, std::move(expr));
      }));
  // Define the constructors Expr(args...) = #expr(args...) and QuoteNode(x) = #quoted(x).
  for (auto [type, host] :
       {std::pair(types.builtins().Expr, "#expr"), std::pair(types.builtins().QuoteNode, "#quoted")}) {
    KILN_TRY(Value make, world.function(*world.core(), shared.symbol(host), {}));
    auto method = std::make_unique<Method>();
    method->name = shared.symbol(to_string(type));
    method->module = world.core();
    method->signature = types.tuple({types.type_of_type(type), types.vararg(types.builtins().Any)});
    method->argument_names = {shared.symbol("args")};
    method->nargs = 2;
    method->is_vararg = true;
    method->lower = [&shared, make, name = method->name]() -> Result<CodeInfo> {
      CodeBuilder b(shared.types, name, {});
      b.add_argument(shared.symbol("#self#"));
      Operand args = Operand::slot(b.add_argument(shared.symbol("args")));
      b.code().is_vararg = true;
      Operand splat = b.constant(shared.intrinsic(Intrinsic::_apply_iterate));
      b.return_(
          b.call(splat, {b.global(shared.world.base(), shared.symbol("iterate")), b.constant(make), args}));
      return b.finish();
    };
    KILN_TRY(const Method *defined, world.define(std::move(method)));
    (void)defined;
  }
  return {};
}

Syntax *Expander::quoted(const Syntax &body) {
  if (auto added = add_macro_library(*shared_); !added.ok())
    return error(body.at, added.error().diagnostics().front().message);
  return quote_to_calls(*this, body);
}

} // namespace kiln::julia
