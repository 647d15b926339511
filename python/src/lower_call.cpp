// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers calls. Functions of the program and of python/library accept keywords, because their parameters are
// known.
#include "lowerer.h"

namespace kiln::python {

Result<Operand> Lowerer::call(const Node &node) {
  const Node &callee = node.items[0];
  bool is_spread = false, has_keyword = false;
  for (size_t i = 1; i < node.items.size(); i++) is_spread |= node.items[i].kind == Kind::Starred;
  for (Symbol name : node.names) has_keyword |= bool(name);
  if (callee.kind == Kind::Known && !is_spread) return call_known(node, *callee.function);
  if (has_keyword) {
    if (is_spread || callee.kind != Kind::Known)
      return error(node, ErrorCode::UnsupportedError,
                   "keyword arguments are for functions that are known by name, without `*` arguments");
  }
  if (callee.kind == Kind::Attribute) { // a method: array.sum()
    KILN_TRY(Operand object, expression(callee.items[0]));
    KILN_TRY(Operand name, text(callee.name.text()));
    KILN_TRY(auto arguments, expressions(node, 1));
    arguments.insert(arguments.begin(), {object, name});
    code_.set_span(node.at);
    return library("method", arguments);
  }
  KILN_TRY(Operand function, expression(callee));
  if (is_spread) return call_spread(node, function);
  KILN_TRY(auto arguments, expressions(node, 1));
  code_.set_span(node.at);
  if (callee.kind == Kind::Library || callee.kind == Kind::Known) return code_.call(function, arguments);
  if (callee.kind == Kind::Constant) { // a type: float32(x)
    arguments.insert(arguments.begin(), function);
    return library("construct", arguments);
  }
  return code_.call(function, arguments);
}

/// Lowers a call of a function with known parameters. Binds positional arguments, then keywords, then
/// defaults, as Python does.
Result<Operand> Lowerer::call_known(const Node &node, const Function &callee) {
  const size_t named = callee.parameters.size() - (callee.is_vararg ? 1 : 0);
  std::vector<const Node *> bound(named, nullptr);
  std::vector<const Node *> rest;
  for (size_t i = 1; i < node.items.size(); i++) {
    const Symbol keyword = node.names[i - 1];
    size_t place = i - 1;
    if (keyword) {
      for (place = 0; place < named && callee.parameters[place].name != keyword;) place++;
      if (place == named)
        return error(node.items[i], ErrorCode::TypingError,
                     callee.name.str() + "() has no parameter `" + keyword.str() + "`");
    }
    if (place >= named) {
      if (!callee.is_vararg)
        return error(node, ErrorCode::TypingError,
                     callee.name.str() + "() takes " + std::to_string(named) + " arguments, not " +
                         std::to_string(node.items.size() - 1));
      rest.push_back(&node.items[i]);
      continue;
    }
    if (bound[place])
      return error(node.items[i], ErrorCode::TypingError,
                   callee.name.str() + "() gets two values for `" + callee.parameters[place].name.str() +
                       "`");
    bound[place] = &node.items[i];
  }
  std::vector<Operand> arguments;
  for (size_t i = 0; i < named; i++) {
    const Node *value = bound[i];
    if (!value && callee.parameters[i].standard) value = &*callee.parameters[i].standard;
    if (!value)
      return error(node, ErrorCode::TypingError,
                   callee.name.str() + "() lacks its argument `" + callee.parameters[i].name.str() + "`");
    KILN_TRY(Operand operand, expression(*value));
    arguments.push_back(operand);
  }
  for (const Node *value : rest) {
    KILN_TRY(Operand operand, expression(*value));
    arguments.push_back(operand);
  }
  code_.set_span(node.at);
  return code_.call(constant(callee.value), arguments);
}

/// Lowers f(a, *t), where t is a tuple, to a call of Julia's builtin for splatting.
Result<Operand> Lowerer::call_spread(const Node &node, Operand callee) {
  KILN_TRY(Operand iterate, library_function("spread"));
  std::vector<Operand> parts{iterate, callee}, plain;
  auto flush = [&] {
    if (!plain.empty()) parts.push_back(code_.intrinsic(Intrinsic::tuple, plain));
    plain.clear();
  };
  for (size_t i = 1; i < node.items.size(); i++) {
    const bool is_star = node.items[i].kind == Kind::Starred;
    KILN_TRY(Operand value, expression(is_star ? node.items[i].items[0] : node.items[i]));
    if (!is_star) {
      plain.push_back(value);
      continue;
    }
    flush();
    code_.set_span(node.items[i].at);
    KILN_TRY(Operand tuple, library("tuple", {value}));
    parts.push_back(tuple);
  }
  flush();
  code_.set_span(node.at);
  return code_.call(constant(engine_.world().intrinsic_value(Intrinsic::_apply_iterate)), parts);
}

} // namespace kiln::python
