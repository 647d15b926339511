// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower.h"

namespace lisp {

using namespace kiln;

Result<std::vector<Parameter>> parameters(Names &names, Module &into, const Node &list, size_t first,
                                          const TypeVariables &variables) {
  std::vector<Parameter> all;
  for (size_t i = first; i < list.items.size(); i++) {
    const Node &item = list.items[i];
    const bool is_typed = item.is_list() && item.items.size() >= 2 && item.items[0].is_name();
    const bool is_rest = is_typed && item.items.size() == 3 && item.items[2].text() == "...";
    if (!item.is_name() && !(is_typed && (item.items.size() == 2 || is_rest)))
      return fault(names.world.sources(), item, ErrorCode::SyntaxError,
                   "a parameter is `name` or `(name Type)`");
    if (is_rest && i + 1 < list.items.size())
      return fault(names.world.sources(), item, ErrorCode::SyntaxError,
                   "a parameter that collects the rest comes last");
    Parameter parameter{item.is_name() ? item.name : item.items[0].name, nullptr};
    for (const Parameter &other : all)
      if (other.name == parameter.name)
        return fault(names.world.sources(), item, ErrorCode::SyntaxError, "two parameters have this name");
    if (is_typed) {
      KILN_TRY(parameter.type, names.type(into, item.items[1], variables));
      if (is_rest) parameter.type = names.types.vararg(parameter.type);
    }
    all.push_back(parameter);
  }
  return all;
}

namespace {

class Lowerer {
public:
  Lowerer(BodyBuilder &code, const Surroundings &in) : code_(code), in_(in), types_(code.types()) {
    for (uint32_t i = 0; i < in.parameters.size(); i++)
      variables_.push_back({in.parameters[i], code.argument(i)});
    for (Symbol name : in.captures) variables_.push_back({name, code.field(code.self(), name)});
    for (uint32_t i = 0; i < in.variables.size(); i++)
      variables_.push_back({in.variables[i]->name(), Operand::static_param(i)});
  }

  Result<Operand> body(const Node &form, size_t first, bool is_wanted = true) {
    Operand last;
    for (size_t i = first; i < form.items.size(); i++) {
      KILN_TRY(last, expression(form.items[i], is_wanted && i + 1 == form.items.size()));
    }
    return last ? last : code_.nothing();
  }

private:
  struct Variable {
    Symbol name;
    Operand value; ///< a slot if set! changes the variable; else a constant value
  };
  using Form = Result<Operand> (Lowerer::*)(const Node &, bool is_wanted);

  Error error(const Node &at, std::string message, std::string hint = {}) {
    return fault(in_.names.world.sources(), at, ErrorCode::SyntaxError, std::move(message), std::move(hint));
  }
  Result<void> expect(const Node &form, bool is_right, const char *shape) {
    if (is_right) return {};
    return error(form, std::string("this form is ") + shape);
  }
  Variable *find(Symbol name) {
    for (size_t i = variables_.size(); i-- > 0;)
      if (variables_[i].name == name) return &variables_[i];
    return nullptr;
  }
  Operand read(Operand value) { // reads a slot now, not at the operand's use
    return value.kind == Operand::Kind::Slot ? code_.copy(value) : value;
  }
  Node library_name(std::string_view name, const Node &at) {
    Node node{Node::Kind::Name, types_.symbol(name), {}, {}, at.at};
    return node;
  }
  Result<Operand> library_call(std::string_view name, const Node &at, std::vector<Operand> arguments) {
    KILN_TRY(Operand function, in_.names.operand(code_, in_.into, library_name(name, at)));
    return code_.call(function, std::move(arguments));
  }

  /// `is_wanted`: the value is used. Branches with an unused value may have different types.
  Result<Operand> expression(const Node &node, bool is_wanted = true) {
    code_.set_span(node.at);
    if (node.kind == Node::Kind::Literal) return code_.constant(node.literal);
    if (node.is_name()) {
      if (Variable *variable = find(node.name)) return read(variable->value);
      return in_.names.operand(code_, in_.into, node);
    }
    if (node.items.empty()) return error(node, "an empty list calls nothing");
    static const std::unordered_map<std::string_view, Form> forms = {{"begin", &Lowerer::begin},
                                                                     {"let", &Lowerer::let},
                                                                     {"set!", &Lowerer::set},
                                                                     {"if", &Lowerer::if_},
                                                                     {"when", &Lowerer::when},
                                                                     {"cond", &Lowerer::cond},
                                                                     {"and", &Lowerer::and_or},
                                                                     {"or", &Lowerer::and_or},
                                                                     {"while", &Lowerer::while_},
                                                                     {"for", &Lowerer::for_},
                                                                     {"return", &Lowerer::return_},
                                                                     {"lambda", &Lowerer::lambda},
                                                                     {"unchecked", &Lowerer::unchecked},
                                                                     {"bounds-check", &Lowerer::bounds_check},
                                                                     {"foreign", &Lowerer::foreign},
                                                                     {"val", &Lowerer::val_},
                                                                     {"type", &Lowerer::type}};
    const Node &head = node.items[0];
    if (head.is_name() && !find(head.name)) {
      if (auto form = forms.find(head.text()); form != forms.end())
        return (this->*form->second)(node, is_wanted);
      if (head.text()[0] == '.' && head.text().size() > 1) return field(node);
    }
    KILN_TRY(Operand callee, expression(head));
    return call(node, callee, 1);
  }
  Result<Operand> call(const Node &node, Operand callee, size_t first) {
    std::vector<Operand> arguments;
    for (size_t i = first; i < node.items.size(); i++) {
      KILN_TRY(Operand argument, expression(node.items[i]));
      arguments.push_back(argument);
    }
    code_.set_span(node.at);
    return code_.call(callee, std::move(arguments));
  }

  Result<Operand> begin(const Node &node, bool is_wanted) { return body(node, 1, is_wanted); }

  /// Lowers (let ((name value)...) body...): each value sees the earlier names.
  Result<Operand> let(const Node &node, bool is_wanted) {
    const size_t outer = variables_.size();
    KILN_CHECK(
        expect(node, node.items.size() > 1 && node.items[1].is_list(), "(let ((name value)...) body...)"));
    for (const Node &binding : node.items[1].items) {
      KILN_CHECK(expect(binding, binding.items.size() == 2 && binding.items[0].is_name(), "(name value)"));
      KILN_TRY(Operand value, expression(binding.items[1]));
      variables_.push_back({binding.items[0].name, new_slot(binding.items[0].name, value)});
    }
    KILN_TRY(Operand value, body(node, 2, is_wanted));
    variables_.resize(outer);
    return value;
  }
  Operand new_slot(Symbol name, Operand value) {
    const uint32_t slot = code_.add_slot(name);
    code_.set_slot(slot, value);
    return Operand::slot(slot);
  }

  /// Lowers (set! name value) and (set! (ref array indices...) value).
  Result<Operand> set(const Node &node, bool) {
    KILN_CHECK(expect(node, node.items.size() == 3, "(set! place value)"));
    const Node &place = node.items[1];
    if (place.starts("ref")) {
      std::vector<Operand> arguments;
      for (size_t i = 1; i < place.items.size(); i++) {
        KILN_TRY(Operand argument, expression(place.items[i]));
        arguments.push_back(argument);
      }
      KILN_TRY(Operand value, expression(node.items[2]));
      arguments.insert(arguments.begin() + !arguments.empty(), value); // (set-ref! array value indices...)
      code_.set_span(node.at);
      return library_call("set-ref!", node, std::move(arguments));
    }
    Variable *variable = place.is_name() ? find(place.name) : nullptr;
    if (!variable) return error(place, "set! changes a local variable or an element, (ref array i)");
    if (variable->value.kind != Operand::Kind::Slot)
      return error(place, "`" + std::string(place.text()) +
                              "` is held by a closure, or is a type: it stays as it is");
    KILN_TRY(Operand value, expression(node.items[2]));
    code_.set_slot(variable->value.index, value);
    return code_.nothing();
  }

  /// The value of one of two branches. A null `otherwise` gives nothing.
  template <class Then, class Else>
  Result<Operand> branch(Operand condition, bool is_wanted, Then then, Else otherwise) {
    const auto at_else = code_.new_label(), at_end = code_.new_label();
    const uint32_t result = is_wanted ? code_.add_slot(types_.symbol("#value")) : 0;
    code_.go_to_if_not(condition, at_else);
    KILN_TRY(Operand value, then());
    if (is_wanted && !code_.terminated()) code_.set_slot(result, value);
    if (!code_.terminated()) code_.go_to(at_end);
    code_.place(at_else);
    KILN_TRY(Operand other, otherwise());
    if (is_wanted && !code_.terminated()) code_.set_slot(result, other);
    code_.place(at_end);
    return is_wanted ? code_.copy(Operand::slot(result)) : code_.nothing();
  }
  Result<Operand> if_(const Node &node, bool is_wanted) {
    KILN_CHECK(expect(node, node.items.size() == 3 || node.items.size() == 4, "(if condition then else)"));
    KILN_TRY(Operand condition, expression(node.items[1]));
    return branch(
        condition, is_wanted, [&] { return expression(node.items[2], is_wanted); },
        [&] { return body(node, 3, is_wanted); });
  }
  Result<Operand> when(const Node &node, bool is_wanted) {
    KILN_CHECK(expect(node, node.items.size() >= 2, "(when condition body...)"));
    KILN_TRY(Operand condition, expression(node.items[1]));
    return branch(
        condition, is_wanted, [&] { return body(node, 2, is_wanted); },
        [&]() -> Result<Operand> { return code_.nothing(); });
  }
  Result<Operand> cond(const Node &node, bool is_wanted) { return clause(node, 1, is_wanted); }
  Result<Operand> clause(const Node &node, size_t i, bool is_wanted) {
    if (i == node.items.size()) return code_.nothing();
    const Node &at = node.items[i];
    KILN_CHECK(expect(at, at.is_list() && !at.items.empty(), "(condition body...) or (else body...)"));
    if (at.items[0].text() == "else") return body(at, 1, is_wanted);
    KILN_TRY(Operand condition, expression(at.items[0]));
    return branch(
        condition, is_wanted, [&] { return body(at, 1, is_wanted); },
        [&] { return clause(node, i + 1, is_wanted); });
  }
  Result<Operand> and_or(const Node &node, bool) { return both(node, 1, node.starts("and")); }
  Result<Operand> both(const Node &node, size_t i, bool is_and) {
    if (i >= node.items.size()) return code_.constant(types_.boolean(is_and));
    KILN_TRY(Operand first, expression(node.items[i]));
    auto rest = [&] { return both(node, i + 1, is_and); };
    auto known = [&]() -> Result<Operand> { return code_.constant(types_.boolean(!is_and)); };
    return is_and ? branch(first, true, rest, known) : branch(first, true, known, rest);
  }

  Result<Operand> while_(const Node &node, bool) {
    KILN_CHECK(expect(node, node.items.size() >= 2, "(while condition body...)"));
    return loop([&] { return expression(node.items[1]); }, [&] { return body(node, 2, false); });
  }
  template <class Condition, class Body> Result<Operand> loop(Condition condition, Body body) {
    const auto again = code_.new_label(), done = code_.new_label();
    code_.place(again);
    KILN_TRY(Operand holds, condition());
    code_.go_to_if_not(holds, done);
    KILN_TRY(Operand ignored, body());
    (void)ignored;
    if (!code_.terminated()) code_.go_to(again);
    code_.place(done);
    return code_.nothing();
  }
  /// Lowers (for (i from end) body...) and (for (i from end step) body...): i < end, with the library's < and
  /// +.
  Result<Operand> for_(const Node &node, bool) {
    const bool fits =
        node.items.size() > 1 && node.items[1].items.size() >= 3 && node.items[1].items.size() <= 4;
    KILN_CHECK(
        expect(node, fits && node.items[1].items[0].is_name(), "(for (name from end [step]) body...)"));
    const Node &range = node.items[1];
    KILN_TRY(Operand from, expression(range.items[1]));
    KILN_TRY(Operand end, expression(range.items[2]));
    Operand step;
    if (range.items.size() == 4) {
      KILN_TRY(step, expression(range.items[3]));
    }
    const Operand i = new_slot(range.items[0].name, from);
    variables_.push_back({range.items[0].name, i});
    KILN_TRY(Operand done, loop([&] { return library_call("<", range, {code_.copy(i), end}); },
                                [&]() -> Result<Operand> {
                                  KILN_TRY(Operand value, body(node, 2, false));
                                  code_.set_span(range.at);
                                  KILN_TRY(Operand next,
                                           step ? library_call("+", range, {code_.copy(i), step})
                                                : library_call("successor", range, {code_.copy(i)}));
                                  code_.set_slot(i.index, next);
                                  return value;
                                }));
    variables_.pop_back();
    return done;
  }
  Result<Operand> return_(const Node &node, bool) {
    KILN_TRY(Operand value, body(node, 1));
    code_.return_(value);
    return code_.nothing();
  }

  /// Lowers (lambda (parameters...) body...): a closure over the values that its body uses.
  Result<Operand> lambda(const Node &node, bool) {
    KILN_CHECK(
        expect(node, node.items.size() >= 2 && node.items[1].is_list(), "(lambda (parameters...) body...)"));
    KILN_TRY(auto taken, parameters(in_.names, in_.into, node.items[1], 0, {}));
    Surroundings inner{in_.names, in_.into, {}};
    for (const Parameter &parameter : taken) inner.parameters.push_back(parameter.name);
    std::vector<Operand> values;
    for (size_t i = 2; i < node.items.size(); i++) capture(node.items[i], inner, values);
    const std::string name = in_.identity + "#" + std::to_string(++lambdas_);
    inner.identity = name;
    MethodDefinition definition{
        .module = &in_.into, .name = types_.symbol(name), .parameters = taken, .at = node.at};
    definition.hints.inline_ = true;
    definition.body = [inner, node](BodyBuilder &code) { return lower(code, inner, node, 2); };
    KILN_TRY(TypeRef closure, define_closure(in_.names.world, inner.captures, std::move(definition)));
    code_.set_span(node.at);
    return code_.new_closure(code_.type(closure), std::move(values));
  }
  void capture(const Node &node, Surroundings &inner, std::vector<Operand> &values) {
    for (const Node &item : node.items) capture(item, inner, values);
    if (!node.is_name()) return;
    for (Symbol own : inner.parameters)
      if (own == node.name) return;
    for (Symbol known : inner.captures)
      if (known == node.name) return;
    if (Variable *variable = find(node.name)) {
      inner.captures.push_back(node.name);
      values.push_back(read(variable->value));
    }
  }

  /// Lowers (unchecked body...): removes bounds checks from inlined calls.
  Result<Operand> unchecked(const Node &node, bool is_wanted) {
    const uint8_t before = code_.flags();
    code_.set_flags(before | flags::Inbounds);
    KILN_TRY(Operand value, body(node, 1, is_wanted));
    code_.set_flags(before);
    return value;
  }
  Result<Operand> bounds_check(const Node &, bool) { return code_.bounds_check(); }

  Result<Operand> field(const Node &node) {
    KILN_CHECK(expect(node, node.items.size() == 2, "(.field value)"));
    KILN_TRY(Operand object, expression(node.items[1]));
    code_.set_span(node.at);
    return code_.field(object, types_.symbol(node.items[0].text().substr(1)));
  }

  /// Lowers (foreign "llvm.sqrt.f32" Result (Type...) arguments...): an LLVM intrinsic, or a linked function.
  Result<Operand> foreign(const Node &node, bool) {
    const bool fits = node.items.size() >= 4 && node.items[1].literal.as_string() && node.items[3].is_list();
    KILN_CHECK(expect(node, fits, "(foreign \"name\" Result (Type...) arguments...)"));
    KILN_TRY(TypeRef result, in_.names.type(in_.into, node.items[2]));
    std::vector<TypeRef> taken;
    for (const Node &item : node.items[3].items) {
      KILN_TRY(TypeRef type, in_.names.type(in_.into, item));
      taken.push_back(type);
    }
    const Symbol name = types_.symbol(*node.items[1].literal.as_string());
    std::vector<Operand> all{code_.constant(Value::symbol(types_, name)), code_.type(result),
                             code_.type(types_.tuple(taken))};
    for (size_t i = 4; i < node.items.size(); i++) {
      KILN_TRY(Operand argument, expression(node.items[i]));
      all.push_back(argument);
    }
    code_.set_span(node.at);
    return code_.intrinsic(Intrinsic::foreign_call, std::move(all));
  }
  /// Lowers (val 16): a constant as a type, for intrinsics.
  Result<Operand> val_(const Node &node, bool) {
    KILN_CHECK(
        expect(node, node.items.size() == 2 && node.items[1].kind == Node::Kind::Literal, "(val literal)"));
    KILN_TRY(Value value, val(in_.names.world, node.items[1].literal));
    return code_.constant(std::move(value));
  }
  /// Lowers (type (Array f32)): a compound type as a value.
  Result<Operand> type(const Node &node, bool) {
    KILN_CHECK(expect(node, node.items.size() == 2, "(type Type)"));
    KILN_TRY(TypeRef type, in_.names.type(in_.into, node.items[1]));
    return code_.type(type);
  }

  BodyBuilder &code_;
  const Surroundings &in_;
  TypeContext &types_;
  std::vector<Variable> variables_;
  size_t lambdas_ = 0;
};

} // namespace

Result<Operand> lower(BodyBuilder &code, const Surroundings &in, const Node &body, size_t first) {
  return Lowerer(code, in).body(body, first);
}

} // namespace lisp
