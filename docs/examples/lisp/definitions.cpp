// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "definitions.h"

namespace lisp {

using namespace kiln;

Result<void> Definer::form(const Node &node, Symbol overlay) {
  if (node.starts("define") && node.items.size() > 1 && node.items[1].is_name()) return constant(node);
  if (node.starts("define") || node.starts("kernel")) return function(node, overlay);
  if (node.starts("struct") || node.starts("abstract")) return type(node);
  if (node.starts("overlay")) return this->overlay(node);
  KILN_TRY(Value value, evaluate(node));
  if (on_value) on_value(value);
  return {};
}

Module &Definer::home(Symbol name) {
  if (is_library_) names_.add_to_library(name);
  return names_.home(into_, name);
}

/// Reads (T), (T (U Real)): type variables, each with its upper bound.
Result<TypeVariables> Definer::variables(const Node &list, size_t first) {
  TypeVariables all;
  for (size_t i = first; i < list.items.size(); i++) {
    const Node &item = list.items[i];
    const bool is_bounded = item.is_list() && item.items.size() == 2 && item.items[0].is_name();
    if (!item.is_name() && !is_bounded) return error(item, "a type variable is `T` or `(T Bound)`");
    TypeRef bound = names_.types.builtins().Any;
    if (is_bounded) {
      KILN_TRY(bound, names_.type(into_, item.items[1], all));
    }
    all.push_back(
        names_.types.new_var(is_bounded ? item.items[0].name : item.name, names_.types.bottom(), bound));
  }
  return all;
}

/// Defines (define (name parameters...) [:where (T...)] [:call] body...). A kernel returns nothing. :call
/// prevents inlining; Kiln inlines short functions anyway.
Result<void> Definer::function(const Node &node, Symbol overlay) {
  if (node.items.size() < 2 || !node.items[1].is_list() || node.items[1].items.empty() ||
      !node.items[1].items[0].is_name())
    return error(node, "a definition is (define (name parameters...) body...) or (define name value)");
  const Node &head = node.items[1];
  MethodDefinition method{.name = head.items[0].name, .at = node.at, .overlay = overlay};
  size_t first = 2;
  for (; first < node.items.size() && node.items[first].text().starts_with(':'); first++) {
    if (node.items[first].text() == ":call") {
      method.hints.noinline = true;
    } else if (node.items[first].text() == ":where" && first + 1 < node.items.size()) {
      KILN_TRY(method.where, variables(node.items[++first], 0));
    } else {
      return error(node.items[first], "there are :where (T...) and :call");
    }
  }
  method.module = &home(method.name);
  // (unchecked ...) also applies inside the library: atomic-add! calls pointer, which checks.
  method.hints.inline_ = method.hints.propagate_inbounds = is_library_;
  KILN_TRY(method.parameters, parameters(names_, into_, head, 1, method.where));
  Surroundings in{names_, into_, {}, method.where};
  for (const Parameter &parameter : method.parameters) in.parameters.push_back(parameter.name);
  const auto file = names_.world.sources().file(node.at.file);
  const std::string_view text = file->text().substr(node.at.begin, node.at.end - node.at.begin);
  in.identity = std::string(method.name.text()) + "#" +
                fingerprint_of(std::string(overlay.text()) + " " + std::string(text)).hex().substr(0, 8);
  const bool is_kernel = node.starts("kernel");
  method.body = [in, node, first, is_kernel](BodyBuilder &code) -> Result<Operand> {
    KILN_TRY(Operand value, lower(code, in, node, first));
    return is_kernel ? Operand() : value;
  };
  KILN_CHECK(define_function(names_.world, std::move(method)));
  report_.methods++;
  return {};
}

Result<void> Definer::constant(const Node &node) {
  if (node.items.size() != 3) return error(node, "a constant is (define name value)");
  KILN_TRY(Value value, evaluate(node.items[2]));
  const Symbol name = node.items[1].name;
  return names_.world.set_constant(home(name), name, std::move(value), node.items[1].at);
}

/// Defines (struct Name [:is Super] (field Type)...), (struct (Name T...) ...), (abstract Name [:is Super]).
Result<void> Definer::type(const Node &node) {
  const bool is_generic = node.items.size() > 1 && node.items[1].is_list() && !node.items[1].items.empty();
  if (node.items.size() < 2 || !(is_generic ? node.items[1].items[0] : node.items[1]).is_name())
    return error(node, "a type is (struct Name (field Type)...) or (abstract Name)");
  TypeDefinition definition{.name = is_generic ? node.items[1].items[0].name : node.items[1].name,
                            .at = node.at};
  definition.module = &home(definition.name);
  definition.is_abstract = node.starts("abstract");
  if (is_generic) {
    KILN_TRY(definition.params, variables(node.items[1], 1));
  }
  size_t first = 2;
  if (node.items.size() > 3 && node.items[2].text() == ":is") {
    KILN_TRY(definition.super, names_.type(into_, node.items[3], definition.params));
    first = 4;
  }
  if (definition.is_abstract && first < node.items.size())
    return error(node, "an abstract type has no fields");
  KILN_TRY(definition.fields, parameters(names_, into_, node, first, definition.params));
  KILN_CHECK(define_type(names_.world, definition));
  report_.types++;
  return {};
}

/// Defines (overlay name definitions...): methods that jobs of that target search first; `kernels`: jobs of
/// every target.
Result<void> Definer::overlay(const Node &node) {
  if (node.items.size() < 2 || !node.items[1].is_name()) return error(node, "(overlay name definitions...)");
  std::string name(node.items[1].text()), known = "kernels";
  for (const std::string &each : overlays_) known += ", " + each;
  if (name == "kernels") {
    name = override_overlay;
  } else if (std::find(overlays_.begin(), overlays_.end(), name) == overlays_.end()) {
    return error(node.items[1], "there is no overlay " + name + ": there are " + known);
  }
  for (size_t i = 2; i < node.items.size(); i++) {
    if (!node.items[i].starts("define"))
      return error(node.items[i], "an overlay holds definitions of functions");
    KILN_CHECK(form(node.items[i], names_.types.symbol(name)));
  }
  return {};
}

Result<Value> Definer::evaluate(const Node &expression) {
  Node body;
  body.items.push_back(expression);
  body.at = expression.at;
  const auto file = names_.world.sources().file(expression.at.file);
  const std::string identity = "top level#" + fingerprint_of(file->text()).hex().substr(0, 8) + "#" +
                               std::to_string(expression.at.begin);
  const Surroundings in{names_, into_, {}, {}, {}, identity};
  return run_body(interpreter_, into_, names_.types.symbol("top level"), expression.at,
                  [&](BodyBuilder &code) { return lower(code, in, body, 0); });
}

} // namespace lisp
