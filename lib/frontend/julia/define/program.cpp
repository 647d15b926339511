// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the top level of a program, statement by statement. Definitions are evaluated as in any file, all
// other statements run in the interpreter. The first statement that fails ends the program.
#include "define.h"

#include <filesystem>

namespace kiln::julia {

namespace {

/// True for a definition that is allowed only at top level. A block that contains one runs statement by
/// statement.
bool is_definition(const Syntax &node) {
  switch (node.head) {
  case Head::Module:
  case Head::Import:
  case Head::Using:
  case Head::Export:
  case Head::Struct:
  case Head::Abstract:
  case Head::Primitive:
  case Head::Macro: return true;
  case Head::Block:
  case Head::Toplevel:
    return std::ranges::any_of(node.args, [](const Syntax *child) { return is_definition(*child); });
  case Head::Call: return node.args[0]->is(Head::Identifier) && node.args[0]->name.text() == "include";
  default: return false;
  }
}

/// True for the signature of an anonymous function: a tuple of parameters.
bool is_anonymous(const Syntax &signature) {
  const Syntax *at = &signature;
  while (at->is(Head::Where) || (at->is(Head::TypeAssert) && at->args.size() == 2)) at = at->args[0];
  return at->is(Head::Tuple);
}

/// Sets the function that eval(module, code) calls, until the object is destroyed.
class EvalScope {
public:
  EvalScope(Shared &shared, Shared::Eval eval)
      : shared_(shared), before_(std::exchange(shared.run_eval, std::move(eval))) {}
  ~EvalScope() { shared_.run_eval = std::move(before_); }
  EvalScope(const EvalScope &) = delete;

private:
  Shared &shared_;
  Shared::Eval before_;
};

} // namespace

Result<Value> Definer::run(Module &into, const Syntax &tree, const Frontend::Run &how) {
  KILN_CHECK(add_macro_library(*shared_));
  program_ = &how;
  value_ = shared_->types.nothing();
  statement(into, tree);
  program_ = nullptr;
  if (failure_) return std::move(*failure_);
  return value_;
}

void Definer::fail(Error error, const Syntax &node) {
  if (failure_) return;
  for (Diagnostic &diagnostic : error.diagnostics())
    if (!diagnostic.at) diagnostic.at = shared_->locate(node.at);
  failure_ = std::move(error);
}

/// Handles the report of a definition in a program: a fault ends the program, and warnings are shown.
void Definer::settle(const Syntax &node) {
  const bool missing = failures_ > 0;
  failures_ = 0;
  if (!faults_.empty()) {
    fail(Error(std::exchange(faults_, {})), node);
  } else if (!report_.unresolved.empty()) {
    fail(Error(std::move(report_.unresolved.front())), node);
  } else if (missing && !in_try_) {
    Diagnostic d{.code = ErrorCode::ArgumentError,
                 .message = "what is named here is not there",
                 .at = shared_->locate(node.at)};
    if (!report_.warnings.empty())
      d = std::move(report_.warnings.back());
    else if (!report_.skipped.empty())
      d.message = report_.skipped.back().what;
    d.code = ErrorCode::ArgumentError;
    fail(Error(std::move(d)), node);
    report_.warnings.clear();
  }
  for (const Diagnostic &warning : report_.warnings)
    if (program_ && program_->warn) program_->warn(warning);
  report_.unresolved.clear();
  report_.warnings.clear();
  report_.skipped.clear();
}

Result<Value> Definer::thunk(Module &module, const Syntax &node) {
  using Mode = Shared::ProgramMode;
  auto lowered = [&]() -> Result<CodeInfo> {
    const Mode before = std::exchange(
        shared_->program, program_ && program_->is_interactive ? Mode::Interactive : Mode::Script);
    const Module *in = std::exchange(shared_->program_module, &module);
    auto code = lower_expression(shared_, module, node, unit_);
    shared_->program = before;
    shared_->program_module = in;
    return code;
  };
  const EvalScope scope(*shared_, eval_at(node.at)); // macros evaluate code during lowering
  KILN_TRY(CodeInfo code, lowered());
  const StageScope stage(shared_->timer, Stage::HostInterpretation);
  return shared_->interpreter.run(code, module);
}

/// Returns the function that eval(module, code) calls while the statement at `at` is lowered and runs.
Shared::Eval Definer::eval_at(Span at) {
  return [this, at](Module &into, const Value &quoted) -> Result<Value> {
    KILN_TRY(Syntax * syntax, value_to_syntax(*shared_, unit_->arena, quoted, at));
    LoadReport report;
    const ExpansionScope expansions(*shared_);
    Definer inner(shared_, unit_, report, overlay_);
    KILN_TRY(Value value, inner.run(into, *syntax, program_ ? *program_ : Frontend::Run()));
    value_ = value;
    return value;
  };
}

void Definer::evaluate(Module &module, const Syntax &node) {
  auto result = thunk(module, node);
  if (result.ok())
    value_ = std::move(*result);
  else
    fail(result.take_error(), node);
}

/// Continues after a failed statement if the package Test writes a log (`kiln script --test-log`): adds the
/// failure to the log. exit() and interrupts still end the program.
void Definer::note_and_go_on(const Syntax &node) {
  const ErrorCode code = failure_->code();
  if (code == ErrorCode::Exit || code == ErrorCode::InterruptException || in_try_) return;
  CompilerWorld &world = shared_->world;
  auto test = world.lookup(*world.base(), shared_->types.symbol("Test"), world.age());
  if (!test.ok() || !*test || !(*test)->as_module()) return;
  auto noted = world.lookup(*(*test)->as_module(), shared_->types.symbol("statement_failed"), world.age());
  if (!noted.ok() || !*noted || (*noted)->type() == shared_->types.builtins().Nothing) return;
  const Location at = shared_->locate(node.at);
  auto text = [&](std::string_view of) { return Value::string(shared_->types, std::string(of)); };
  const Value args[] = {shared_->interpreter.exception_of(*failure_), text(failure_->what()),
                        text(at.file_name()), shared_->types.int64(int64_t(at.line()))};
  failure_.reset();
  if (auto done = shared_->interpreter.call(**noted, args); !done.ok()) fail(done.take_error(), node);
}

/// Value that a prompt shows for a definition: the function, macro or module that it defines, else nothing.
Value Definer::value_of_definition(const Module &module, const Syntax &node) {
  Symbol name;
  if (node.is(Head::Doc)) return value_of_definition(module, *node.args.back());
  if (node.is(Head::Module)) {
    name = node.args[1]->name;
  } else if (node.is(Head::MacroCall) && macro_name(node).text() != "@kernel" && node.args.size() > 1) {
    return value_of_definition(module, *node.args.back()); // @inline f(x) = ...
  } else if (is_function_definition(node) || node.is(Head::Macro)) {
    const Syntax *callee = node.args[0]->is(Head::Identifier) ? node.args[0] : callee_of(signature_of(node));
    if (callee && callee->is(Head::Identifier)) name = callee->name;
    if (name && node.is(Head::Macro)) name = shared_->symbol(fmt::format("@{}", name.text()));
  }
  if (!name) return shared_->types.nothing();
  auto found = shared_->world.lookup(module, name, shared_->world.age());
  return found.ok() && *found ? **found : shared_->types.nothing();
}

/// Returns the identity under which the docstring of a value is kept; null: the value can have none.
const void *doc_key(TypeContext &types, const Value &value) {
  if (TypeRef type = value.as_type()) return type;
  if (const Module *module = value.as_module()) return module;
  TypeRef type = types.type_of(value);
  return types.is_singleton(type) ? type : nullptr;
}

/// Keeps the docstring of a definition for the prompt's help. Docstrings with interpolated values are
/// dropped.
void Definer::note_doc(const Module &module, const Syntax &node) {
  const std::string *text = node.args[0]->is(Head::Literal) ? node.args[0]->literal.as_string() : nullptr;
  if (failure_ || !text) return;
  const Syntax *of = node.args.back();
  Value documented;
  if (of->is(Head::Struct) || of->is(Head::Abstract)) {
    if (auto head = type_head(*of->args[of->is(Head::Struct) ? 1 : 0]); head.ok())
      if (auto found = shared_->world.lookup(module, head->name, shared_->world.age()); found.ok() && *found)
        documented = **found;
  } else {
    documented = value_of_definition(module, *of);
  }
  const void *key = documented ? doc_key(shared_->types, documented) : nullptr;
  if (!key || documented.type() == shared_->types.builtins().Nothing) return;
  std::string &kept = shared_->docs[key];
  kept += (kept.empty() ? "" : "\n\n") + *text;
}

/// Runs the statements of a block. `goes_on`: those of a file or module, which a test log lets go on.
void Definer::program_statements(Module &module, const Syntax &block, bool goes_on) {
  for (const Syntax *child : block.args) {
    if (failure_) break;
    statement(module, *child);
    if (failure_ && goes_on) note_and_go_on(*child);
  }
}

/// Runs one statement of a program. Returns false if the statement is a definition, which define() handles.
bool Definer::program_statement(Module &module, const Syntax &node) {
  if (failure_) return true;
  switch (node.head) {
  case Head::Toplevel:
  case Head::Block:
    if (std::ranges::any_of(node.args, [](const Syntax *child) { return child->is(Head::Local); }))
      break; // the block's own variables
    program_statements(module, node, node.is(Head::Toplevel));
    return true;
  case Head::Assign:
    if (is_function_definition(node) || node.args[0]->is(Head::Curly)) return false;
    break;
  case Head::Const: return const_statement(module, node);
  case Head::Function:
    if (is_anonymous(*node.args[0])) break;
    return false;
  case Head::Doc:
  case Head::Module:
  case Head::Import:
  case Head::Using:
  case Head::Export:
  case Head::Public:
  case Head::Struct:
  case Head::Abstract:
  case Head::Primitive:
  case Head::Macro: return false;
  case Head::MacroCall: return program_macro(module, node);
  case Head::If:
  case Head::ElseIf: {
    auto condition = thunk(module, *node.args[0]);
    if (!condition.ok()) {
      fail(condition.take_error(), *node.args[0]);
      return true;
    }
    if (condition->type() != shared_->types.builtins().Bool) {
      fail(shared_->error(
               ErrorCode::TypeError,
               fmt::format("non-boolean ({}) used in boolean context", to_string(condition->type())),
               node.args[0]->at),
           node);
      return true;
    }
    value_ = shared_->types.nothing();
    if (condition->low_bits() & 1)
      statement(module, *node.args[1]);
    else if (node.args.size() > 2)
      statement(module, *node.args[2]);
    return true;
  }
  case Head::Try:
    if (is_definition(*node.args[0])) {
      program_attempt(module, node);
      return true;
    }
    break;
  case Head::Call:
    if (is_definition(node) && node.args.size() >= 2 && node.args.size() <= 4) {
      include_program(module, node);
      return true;
    }
    break;
  default: break;
  }
  evaluate(module, node);
  return true;
}

bool Definer::const_statement(Module &module, const Syntax &node) {
  for (const Syntax *child : node.args) {
    while (child->is(Head::Global) && child->args.size() == 1) child = child->args[0];
    if (!child->is(Head::Assign) || is_function_definition(*child) || child->args[0]->is(Head::Curly))
      return false;
    if (named_macro(*child->args[1])) return false; // set_global
    auto value = thunk(module, *child->args[1]);
    if (!value.ok()) {
      fail(value.take_error(), *child);
      return true;
    }
    const Syntax *lhs = child->args[0];
    if (lhs->is(Head::TypeAssert)) lhs = lhs->args[0];
    auto bind = [&](const Syntax &name, const Value &bound) {
      if (name.is(Head::Identifier))
        if (auto done = shared_->world.set_constant(module, name.name, bound, name.at); !done.ok())
          fail(done.take_error(), name);
    };
    if (lhs->is(Head::Tuple) && value->fields()) {
      for (size_t i = 0; i < lhs->args.size() && i < value->fields()->size(); ++i)
        bind(*lhs->args[i], (*value->fields())[i]);
    } else {
      bind(*lhs, *value);
    }
    value_ = std::move(*value);
  }
  return true;
}

bool Definer::program_macro(Module &module, const Syntax &node) {
  Symbol name = macro_name(node);
  if (auto macro = shared_->find_macro(macro_module(shared_, node, module), name)) {
    if (shared_->expansions.levels == 0) shared_->expansions.nodes = 0;
    auto expanded = [&] {
      const EvalScope scope(*shared_, eval_at(node.at));
      return expand_user_macro(shared_, unit_->arena, *macro, node, module);
    }();
    const ExpansionLevel level(*shared_);
    if (!expanded.ok())
      fail(expanded.take_error(), node);
    else if (may_define(**expanded))
      statement(module, **expanded);
    else
      evaluate(module, **expanded); // as a whole: its statements share the expansion's own variables
    return true;
  }
  const std::string_view text = shared_->built_in_macro(module, name).text();
  const Syntax *last = node.args.size() > 1 ? node.args.back() : nullptr;
  while (last && last->is(Head::Doc)) last = last->args.back();
  if (!skipped_macro(text).empty() || text == "@reexport" || text == "@static" ||
      text == "@device_override" || text == "@eval" || text == "@kwdef" || text == "@doc" ||
      text == "@__doc__")
    return false;
  if (text == "@kernel" && last && is_function_definition(*last)) return false;
  const bool is_known = Expander::is_built_in(text) || is_transparent(text);
  if (is_known && last && (is_function_definition(*last) || last->is(Head::Struct)))
    return false; // @inline f(x) = ...
  if (text == "@views" && last && may_define(*last)) return false;
  evaluate(module, node);
  return true;
}

/// Runs a try statement that contains definitions. A statement that fails ends the body, and the catch block
/// gets the exception.
void Definer::program_attempt(Module &module, const Syntax &node) {
  statement(module, *node.args[0]);
  if (failure_ && node.args[2]->is(Head::Block)) {
    Error error = std::move(*failure_);
    failure_.reset();
    if (error.code() == ErrorCode::Exit) {
      failure_ = std::move(error);
      return;
    }
    const Syntax *handler = node.args[2];
    if (node.args[1]->is(Head::Identifier)) {
      Syntax *bound = unit_->arena.make(
          Head::Assign, node.at,
          {unit_->arena.identifier(node.args[1]->name, node.args[1]->at),
           unit_->arena.literal(shared_->interpreter.exception_of(error), node.args[1]->at)});
      handler = unit_->arena.make(Head::Let, node.at, {bound, const_cast<Syntax *>(node.args[2])});
    }
    statement(module, *handler);
  } else if (!failure_ && node.args[4]->is(Head::Block)) {
    statement(module, *node.args[4]);
  }
  if (node.args[3]->is(Head::Block)) {
    std::optional<Error> failed = std::exchange(failure_, std::nullopt);
    statement(module, *node.args[3]);
    if (failed) failure_ = std::move(failed);
  }
}

} // namespace kiln::julia
