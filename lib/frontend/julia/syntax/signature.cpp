// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "signature.h"

#include <algorithm>
#include <set>

namespace kiln::julia {

static Error syntax_error(const SourceMap &sources, std::string message, Span at) {
  return make_error(ErrorCode::SyntaxError, std::move(message), sources.locate(at));
}

static const Syntax *below_annotations(const Syntax &signature) {
  const Syntax *node = &signature;
  while ((node->is(Head::Where) || (node->is(Head::TypeAssert) && node->args.size() == 2)) &&
         !node->args.empty())
    node = node->args[0];
  return node;
}

const Syntax *callee_of(const Syntax &signature) {
  const Syntax *node = below_annotations(signature);
  return node->is(Head::Call) && !node->args.empty() ? node->args[0] : nullptr;
}

bool is_function_definition(const Syntax &node) {
  if (node.is(Head::Function)) return true;
  return node.is(Head::Assign) && node.args.size() == 2 && below_annotations(*node.args[0])->is(Head::Call) &&
         !node.args[0]->is(Head::Identifier);
}

const Syntax &signature_of(const Syntax &definition) { return *definition.args[0]; }
const Syntax &body_of(const Syntax &definition) { return *definition.args.back(); }

/// True for the types Vararg, Vararg{T} and Vararg{T, N}.
static bool is_vararg_type(const Syntax &type) {
  const Syntax &name = type.is(Head::Curly) ? *type.args[0] : type;
  return name.is(Head::Identifier) && name.name.text() == "Vararg";
}

static Result<Parameter> parse_parameter(TypeContext &types, const SourceMap &sources, const Syntax &node) {
  Parameter parameter;
  parameter.at = node.at;
  const Syntax *at = &node;
  while (at->is(Head::MacroCall) && at->args.size() >= 2) // @nospecialize(x), @specialize
    at = at->args.back();
  if (at->is(Head::MacroCall) &&
      macro_name(*at).text() == "@context") { // KernelAbstractions: argument that @kernel adds
    parameter.name = types.symbol("__ctx__");
    return parameter;
  }
  if ((at->is(Head::Kw) || at->is(Head::Assign)) && at->args.size() == 2) {
    parameter.default_value = at->args[1];
    at = at->args[0];
  }
  if (at->is(Head::Splat)) {
    parameter.vararg = true;
    at = at->args[0];
  }
  while (at->is(Head::MacroCall) && at->args.size() >= 2) at = at->args.back();
  if (at->is(Head::TypeAssert)) {
    parameter.type = at->args.back();
    parameter.vararg |= is_vararg_type(*parameter.type);
    if (at->args.size() == 1) return parameter;
    at = at->args[0];
  }
  if (at->is(Head::Identifier)) {
    parameter.name = at->name;
    parameter.scope = at->scope;
  } else if (at->is(Head::Tuple)) {
    parameter.pattern = at;
  } else {
    return syntax_error(sources, fmt::format("`{}` is not a parameter", brief(node)), node.at);
  }
  return parameter;
}

/// Finds the first parameter that has the name of an earlier one; null: all names differ.
static const Parameter *repeated(std::span<const Parameter> parameters) {
  auto has_name = [](const Parameter &parameter) { return parameter.name && parameter.name.text() != "_"; };
  constexpr size_t max_pairwise = 16; // up to this number, comparing all pairs is cheaper than a set
  if (parameters.size() <= max_pairwise) {
    for (size_t i = 0; i < parameters.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (has_name(parameters[i]) && parameters[i].name == parameters[j].name &&
            parameters[i].scope == parameters[j].scope)
          return &parameters[i];
    return nullptr;
  }
  std::set<std::pair<std::string_view, uint32_t>> seen;
  for (const Parameter &parameter : parameters)
    if (has_name(parameter) && !seen.emplace(parameter.name.text(), parameter.scope).second)
      return &parameter;
  return nullptr;
}

Result<SignatureSyntax> parse_signature(TypeContext &types, const SourceMap &sources,
                                        const Syntax &signature) {
  SignatureSyntax result;
  result.at = signature.at;
  const Syntax *node = &signature;
  for (;;) {
    if (node->is(Head::Where)) {
      result.wheres.insert(result.wheres.end(), node->args.begin() + 1, node->args.end());
      node = node->args[0];
    } else if (node->is(Head::TypeAssert) && node->args.size() == 2 &&
               (node->args[0]->is(Head::Call) || node->args[0]->is(Head::Where))) {
      result.return_type = node->args[1];
      node = node->args[0];
    } else {
      break;
    }
  }
  std::vector<const Syntax *> parameters;
  if (node->is(Head::Call)) {
    result.callee = node->args[0];
    parameters.assign(node->args.begin() + 1, node->args.end());
  } else if (node->is(Head::Tuple) || node->is(Head::Block)) {
    parameters.assign(node->args.begin(), node->args.end());
  } else {
    parameters.push_back(node); // x -> ...
  }
  for (const Syntax *parameter : parameters) {
    if (parameter->is(Head::Parameters)) {
      for (const Syntax *keyword : parameter->args) {
        KILN_TRY(Parameter parsed, parse_parameter(types, sources, *keyword));
        if (!parsed.name) return syntax_error(sources, "a keyword argument needs a name", keyword->at);
        result.keywords.push_back(parsed);
      }
      continue;
    }
    KILN_TRY(Parameter parsed, parse_parameter(types, sources, *parameter));
    if (!result.positional.empty() && result.positional.back().vararg)
      return syntax_error(sources, "only the last parameter may be a Vararg or be followed by ...",
                          parameter->at);
    if (!parsed.default_value && !result.positional.empty() && result.positional.back().default_value &&
        !parsed.vararg)
      return syntax_error(sources, "optional positional arguments must come last", parameter->at);
    result.positional.push_back(parsed);
  }
  if (const Parameter *again = repeated(result.positional))
    return syntax_error(sources, fmt::format("the argument name `{}` is not unique", again->name.text()),
                        again->at);
  return result;
}

bool may_define(const Syntax &node) {
  switch (node.head) {
  case Head::Function:
  case Head::Macro:
  case Head::Struct:
  case Head::Abstract:
  case Head::Primitive:
  case Head::Module:
  case Head::Import:
  case Head::Using:
  case Head::Export:
  case Head::Public:
  case Head::Toplevel:
  case Head::Const: return true;
  case Head::Assign: return is_function_definition(node);
  case Head::MacroCall: {
    const std::string_view name = macro_name(node).text();
    if (name == "@eval" || name == "@enum" || name == "@kwdef" || name == "@reexport" || name == "@kernel")
      return true;
    break;
  }
  case Head::Block:
  case Head::If:
  case Head::ElseIf:
  case Head::Doc: break;
  default: return false;
  }
  return std::ranges::any_of(node.args, [](const Syntax *part) { return part && may_define(*part); });
}

} // namespace kiln::julia
