// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands the definition of a method of a global function inside of local code. An example is
// Base.length(::typeof(f)) = n in a @testset with a local f. The definition becomes code that eval() gets.
//
// Names in it may be local variables, which is known only after the analysis of scopes. Each name therefore
// becomes an interpolation of @#local, which lowering replaces. In the signature it gives the variable's
// value, in the body the call of a closure that reads the variable. Other names stay names.
#include "expander.h"

#include <unordered_set>

namespace kiln::julia {

namespace {

class LocalNames {
public:
  LocalNames(Expander &expander, SyntaxArena &arena) : x_(expander), arena_(arena) {}

  Syntax *definition(const Syntax &node, const SignatureSyntax &signature) {
    for (const std::vector<Parameter> *list : {&signature.positional, &signature.keywords})
      for (const Parameter &parameter : *list) {
        if (parameter.name) bound_.insert(parameter.name);
        if (parameter.pattern) bind_names(*parameter.pattern);
      }
    for (const Syntax *where : signature.wheres) {
      const Syntax *name = where;
      while (!name->is(Head::Identifier) && !name->args.empty())
        name = name->is(Head::Comparison) && name->args.size() == 5 ? name->args[2] : name->args[0];
      bound_.insert(name->name);
    }
    if (signature.callee->is(Head::TypeAssert) && signature.callee->args.size() == 2)
      bind_names(*signature.callee->args[0]); // (self::T)(x)
    bind_targets(body_of(node));
    Syntax *copy = copy_tree(arena_, node);
    replace(copy->args[0], false);
    replace(copy->args.back(), true);
    return copy;
  }

private:
  void bind_names(const Syntax &node) {
    if (node.is(Head::Identifier)) bound_.insert(node.name);
    for (const Syntax *child : node.args) bind_names(*child);
  }
  /// Collects the names that code assigns or declares, and the parameters of its functions.
  void bind_targets(const Syntax &node) {
    switch (node.head) {
    case Head::Quote: return;
    case Head::OpAssign: bind_names(*node.args[1]); break;
    case Head::Assign:
    case Head::Kw:
    case Head::Arrow:
    case Head::Function: bind_names(*node.args[0]); break;
    case Head::Local:
    case Head::Global: bind_names(node); break;
    case Head::Do: bind_names(*node.args[1]); break;
    case Head::Try: bind_names(*node.args[1]); break;
    default: break;
    }
    for (const Syntax *child : node.args) bind_targets(*child);
  }

  void replace(Syntax *&node, bool in_body) {
    size_t from = 0;
    switch (node->head) {
    case Head::Identifier:
      if (node->scope != BaseScope && node->scope != CoreScope && !bound_.contains(node->name))
        node = local(*node, in_body);
      return;
    case Head::Quote:
    case Head::QuotedSymbol:
    case Head::Literal:
    case Head::MacroName: return;
    case Head::Dot: // the second part is the name of a field
      replace(node->args[0], in_body);
      return;
    case Head::OpAssign: // the first part is an operator
    case Head::DotOpAssign:
    case Head::Kw:
    case Head::MacroCall: from = 1; break;
    default: break;
    }
    for (size_t i = from; i < node->args.size(); ++i) replace(node->args[i], in_body);
  }

  Syntax *local(const Syntax &name, bool in_body) {
    auto copy = [&] { return copy_tree(arena_, name); };
    Syntax *macro = arena_.make(Head::MacroName, name.at);
    macro->name = x_.intern("@#local");
    std::vector<Syntax *> parts{macro, copy()};
    if (in_body)
      parts.push_back(arena_.make(Head::Arrow, name.at, {arena_.make(Head::Tuple, name.at, {}), copy()}));
    return arena_.make(Head::Interpolation, name.at,
                       {arena_.make(Head::MacroCall, name.at, std::move(parts))});
  }

  Expander &x_;
  SyntaxArena &arena_;
  std::unordered_set<Symbol> bound_;
};

} // namespace

/// Notes the name of a type, which is global: T(x) = ... after it is a constructor, and no local function.
void Expander::note_type(const Syntax &definition) {
  const Syntax *name = definition.args[definition.is(Head::Struct) ? 1 : 0];
  while (!name->is(Head::Identifier) && !name->args.empty()) name = name->args[0];
  if (name->is(Head::Identifier)) new_types_.insert(name->name);
}

/// Returns null if the node is no method definition of a global function: Base.f(x) = ..., (self::T)(x) = ...
/// `macro`: the macro call around the definition, such as @generated.
Syntax *Expander::global_method(const Syntax &node, const Syntax *macro) {
  if (!runs_eval() || !is_function_definition(node) || node.args.size() < 2) return nullptr;
  auto signature = shared_->signature(*node.args[0]);
  if (!signature.ok() || !signature->callee) return nullptr;
  if (signature->callee->is(Head::Identifier) && !new_types_.contains(signature->callee->name))
    return nullptr;
  Syntax *definition = LocalNames(*this, arena_).definition(node, *signature);
  return at_top_level(macro ? *make(Head::MacroCall, macro->at, {macro->args[0], definition}) : *definition);
}

} // namespace kiln::julia
