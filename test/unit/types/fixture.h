// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types written as in Julia: t("Tuple{T, Array{S, N}} where {T<:Real, S, N}"). Besides the built-ins there
// are
//   Box{T}, Two{A, B} (mutable);  Shape{T} > Point{T} (x, y);  Val{x};  typeof(f), typeof(g)
#pragma once

#include <catch2/catch.hpp>
#include <types/types.h>

#include <cctype>
#include <map>
#include <string>

namespace kiln_test {

using namespace kiln;

struct Fixture {
  TypeContext types;
  std::map<std::string, TypeRef, std::less<>> names;

  Fixture() {
    for (auto [name, type] : types.builtin_bindings()) names[name.str()] = type;
    const auto &b = types.builtins();
    define("Box", {"T"}, {}, [](TypeName &n, auto &) { n.is_mutable = true; });
    define("Two", {"A", "B"}, {}, [](TypeName &n, auto &) { n.is_mutable = true; });
    define("Shape", {"T"}, {}, [](TypeName &n, auto &) { n.is_abstract = true; });
    define("Point", {"T"}, {}, [&](TypeName &n, auto &vars) {
      TypeRef params[] = {vars[0]};
      n.super = types.apply(names["Shape"], params).value();
      n.field_names = {types.symbol("x"), types.symbol("y")};
      n.field_types = {vars[0], vars[0]};
    });
    define("Val", {"x"}, {}, [](TypeName &, auto &) {});
    names["typeof(f)"] = types.new_function_type(types.symbol("f"), "Main");
    names["typeof(g)"] = types.new_function_type(types.symbol("g"), "Main");
    (void)b;
  }

  template <class Configure>
  TypeRef define(std::string name, std::vector<std::string> params,
                 std::vector<std::pair<std::string, TypeRef>> fields, Configure configure,
                 std::string module = "Main") {
    TypeName *made = types.new_type_name(types.symbol(name), std::move(module));
    for (const std::string &p : params)
      made->params.push_back(types.new_var(types.symbol(p), types.bottom(), types.builtins().Any));
    for (auto &[field, type] : fields) {
      made->field_names.push_back(types.symbol(field));
      made->field_types.push_back(type);
    }
    made->fields_defined = true;
    configure(*made, made->params);
    return names[name] = types.finish_type_name(*made);
  }
  TypeRef structure(std::string name, std::vector<std::pair<std::string, TypeRef>> fields,
                    std::string module = "Main") {
    return define(std::move(name), {}, std::move(fields), [](TypeName &, auto &) {}, std::move(module));
  }

  TypeRef t(std::string_view text) {
    text_ = text;
    at_ = 0;
    Node node = parse();
    INFO(text << " at " << at_);
    REQUIRE(at_ == text_.size());
    Scope scope;
    return evaluate(node, scope, node.wheres.size());
  }
  bool sub(std::string_view a, std::string_view b) { return is_subtype(types, t(a), t(b)); }

private:
  struct Node;
  struct Declaration {
    std::string name;
    std::vector<Node> lower, upper; // none or one
  };
  struct Node {
    std::string name;
    bool applied = false, bound = false; // bound: <:name
    std::vector<Node> args;
    std::vector<std::vector<Declaration>> wheres; // innermost first
  };
  using Scope = std::vector<const TypeVar *>;
  std::string_view text_;
  size_t at_ = 0;

  bool eat(std::string_view word) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return true;
  }
  Node primary() {
    Node node;
    if (eat("(")) {
      node = parse();
      REQUIRE(eat(")"));
      return node;
    }
    node.bound = eat("<:");
    if (eat("typeof(")) {
      node.name = std::string("typeof(") + text_[at_] + ")";
      at_ += 2;
    } else {
      while (at_ < text_.size() && (std::isalnum((unsigned char)text_[at_]) || text_[at_] == ':' ||
                                    text_[at_] == '_' || text_[at_] == '-'))
        node.name += text_[at_++];
    }
    if (eat("{")) {
      node.applied = true;
      while (!eat("}")) {
        node.args.push_back(parse());
        eat(",");
      }
    }
    return node;
  }
  Declaration declaration() {
    Declaration d;
    Node first = primary();
    if (!eat("<:")) {
      d.name = first.name;
      return d;
    }
    Node second = primary();
    if (eat("<:")) { // lower <: T <: upper
      d.lower.push_back(first);
      d.name = second.name;
      d.upper.push_back(primary());
    } else {
      d.name = first.name;
      d.upper.push_back(second);
    }
    return d;
  }
  Node parse() {
    Node node = primary();
    while (eat("where ")) {
      node.wheres.emplace_back();
      if (eat("{")) {
        while (!eat("}")) {
          node.wheres.back().push_back(declaration());
          eat(",");
        }
      } else {
        node.wheres.back().push_back(declaration());
      }
    }
    return node;
  }
  TypeRef evaluate(const Node &node, Scope &scope) { return evaluate(node, scope, node.wheres.size()); }
  TypeRef evaluate(const Node &node, Scope &scope, size_t wheres) {
    if (wheres) {
      size_t outer = scope.size();
      for (const Declaration &d : node.wheres[wheres - 1]) {
        TypeRef lower = d.lower.empty() ? types.bottom() : evaluate(d.lower[0], scope);
        TypeRef upper = d.upper.empty() ? types.builtins().Any : evaluate(d.upper[0], scope);
        scope.push_back(types.new_var(types.symbol(d.name), lower, upper));
      }
      TypeRef type = evaluate(node, scope, wheres - 1);
      for (; scope.size() > outer; scope.pop_back()) type = types.union_all(scope.back(), type);
      return type;
    }
    if (!node.applied) return leaf(node.name, scope);
    std::vector<TypeRef> args;
    Scope unnamed;
    for (const Node &arg : node.args) {
      TypeRef type = evaluate(arg, scope);
      if (arg.bound) {
        unnamed.push_back(types.new_var(types.symbol("#s"), types.bottom(), type));
        type = unnamed.back();
      }
      args.push_back(type);
    }
    TypeRef type = types.apply(leaf(node.name, scope), args).value();
    for (; !unnamed.empty(); unnamed.pop_back()) type = types.union_all(unnamed.back(), type);
    return type;
  }
  TypeRef leaf(const std::string &name, const Scope &scope) {
    for (size_t i = scope.size(); i-- > 0;)
      if (scope[i]->name().text() == name) return scope[i];
    if (name[0] == ':') return types.constant(Value::symbol(types, types.symbol(name.substr(1))));
    if (name == "true" || name == "false") return types.constant(types.boolean(name == "true"));
    if (std::isdigit((unsigned char)name[0]) || name[0] == '-')
      return types.constant(int64_t(std::stoll(name)));
    INFO("type name " << name);
    auto it = names.find(name);
    REQUIRE(it != names.end());
    return it->second;
  }
};

} // namespace kiln_test
