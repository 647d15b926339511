// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "key_rules.h"

#include "exact_numbers.h"
#include "library.h"

#include <support/stack.h>

#include <cmath>

namespace kiln {

namespace {

constexpr int max_hashed = 16;        // maximum depth of nested values in a hash; deeper ones hash alike
constexpr int max_types = 8;          // maximum depth of nested types that calls_methods() searches
constexpr size_t min_stack = 1 << 17; // bytes of stack that one level of a comparison needs

/// The type of a value that may have methods of its own: of a struct or an object of the host. Null: it is
/// none.
const DataType *struct_of(const Value &value) {
  if (!value.fields() && !value.as_mutable() && !value.as_object()) return nullptr;
  const DataType *type = value.type()->as<DataType>();
  return type && !type->is_tuple() && !type->name().is_function ? type : nullptr;
}

/// The number that a Rational or Complex number of the library equals, or the value itself.
const Value &plain(TypeContext &types, const Value &value) {
  const std::vector<Value> *fields = value.fields();
  const DataType *type = fields && fields->size() == 2 ? value.type()->as<DataType>() : nullptr;
  if (!type || type->name().module != "Base") return value;
  const std::string_view name = type->name().name.text();
  if (name != "Rational" && name != "Complex") return value;
  const auto second = exact_number(types, (*fields)[1]);
  return second && second->is(name == "Rational" ? 1 : 0) ? (*fields)[0] : value;
}

/// True if a method takes values of any type as its arguments from the first on.
bool is_general(TypeContext &types, const Method &method, size_t arguments) {
  const DataType *signature = method.signature->as<DataType>();
  if (!signature || signature->params().size() < arguments + 1) return false;
  for (size_t i = 1; i <= arguments; ++i)
    if (signature->params()[i] != types.builtins().Any) return false;
  return true;
}

} // namespace

KeyRules::KeyRules(Interpreter &interpreter, CompilerWorld &world)
    : types(world.types()), interpreter_(interpreter), world_(world) {}

uint64_t KeyRules::combine(uint64_t hash, uint64_t seed) {
  hash = (hash ^ (seed * 31)) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32); // tables use the low bits
}

Result<void> KeyRules::take_error() { return std::exchange(failure_, {}); }

KeyRules::Rules KeyRules::rules_of(TypeRef type) {
  const WorldAge age = world_.age();
  Rules &known = rules_[type];
  if (known.world == age) return known;
  Rules found{.world = age, .hash = Rule::Identity, .equality = Rule::Identity};
  const bool is_static_array = type->as<DataType>()->name().name.text() == "SArray";
  const TypeRef number = types.builtins().UInt64;
  const auto look_up = [&](std::string_view function, std::initializer_list<TypeRef> arguments,
                           size_t general, Rule &rule) {
    std::vector<TypeRef> call(arguments);
    auto name = find_base(interpreter_, function);
    if (!name.ok()) return;
    call.insert(call.begin(), name->type());
    const auto match = world_.lookup_method(types.tuple(call), age, world_.host_overlay());
    if (!match.ok() || !match->method || is_general(types, *match->method, general)) return;
    if (!match->method->is_library || (general == 1 && !is_static_array))
      rule = Rule::Methods;
    else if (rule == Rule::Identity)
      rule = Rule::Content;
  };
  look_up("hash", {type}, 1, found.hash);
  look_up("hash", {type, number}, 1, found.hash);
  look_up("isequal", {type, type}, 2, found.equality);
  look_up("==", {type, type}, 2, found.equality);
  if (found.hash == Rule::Methods) found.equality = Rule::Methods;
  if (found.hash == Rule::Identity && found.equality == Rule::Content) found.hash = Rule::Content;
  return rules_[type] = found;
}

bool KeyRules::calls_methods(TypeRef type) { return calls_methods(type, 0); }

bool KeyRules::calls_methods(TypeRef type, int level) {
  const DataType *data = type->as<DataType>();
  if (!data || !types.is_concrete(type) || level > max_types) return true;
  if (data->is_primitive() || type == types.builtins().String || type == types.builtins().Symbol)
    return false;
  if (&data->name() == types.builtins().ArrayName) return calls_methods(data->params()[0], level + 1);
  if (!data->is_tuple()) {
    const Rules rules = rules_of(type);
    if (rules.equality != Rule::Content) return rules.equality == Rule::Methods;
  }
  for (TypeRef field : types.field_types(data))
    if (calls_methods(field, level + 1)) return true;
  return false;
}

Value KeyRules::call(std::string_view function, std::span<const Value> args) {
  if (has_failed()) return {};
  auto callee = find_base(interpreter_, function);
  auto result = callee.ok() ? interpreter_.call(*callee, args) : std::move(callee);
  if (result.ok()) return *result;
  failure_ = result.error();
  return {};
}

uint64_t KeyRules::hash(const Value &key) {
  if (const DataType *type = struct_of(key); type && rules_of(type).hash == Rule::Methods) {
    const Value called = call("hash", std::span(&key, 1));
    return called.is_primitive() ? called.low_bits() : 0;
  }
  return combine(content_of(key, 0), 0);
}

uint64_t KeyRules::hash_of_content(const Value &value) {
  const DataType *type = struct_of(value);
  return type && rules_of(type).hash == Rule::Methods ? value.hash() : content_of(value, 0);
}

uint64_t KeyRules::content_of(const Value &value, int level) {
  if (level > max_hashed) return 1;
  const Value &key = plain(types, value);
  const auto add = [&](uint64_t &h, const Value &part) { h = h * 31 + content_of(part, level + 1); };
  if (auto text = text_of(key)) return std::hash<std::string_view>()(*text);
  if (auto n = wide_integer_of(types, key); n && key.type() != types.builtins().Char)
    return std::hash<double>()(double(*n));
  if (auto x = float_of(types, key)) return ExactNumber::hash_of_float(*x);
  if (auto x = exact_number(types, key)) return x->hash();
  if (const DataType *type = struct_of(key)) {
    const Rule rule = rules_of(type).hash;
    if (rule == Rule::Methods) return hash(key);
    if (rule == Rule::Identity) return key.hash();
  }
  if (const std::vector<Value> *fields = key.fields()) {
    const DataType *type = key.type()->as<DataType>();
    uint64_t h = type ? std::hash<const void *>()(&type->name()) : 1;
    for (const Value &field : *fields) add(h, field);
    return h;
  }
  if (const ExprObject *expr = key.as_expr()) {
    uint64_t h = std::hash<std::string_view>()(expr->head.text());
    for (const Value &arg : expr->args) add(h, arg);
    return h;
  }
  if (const HostArray *array = key.as_array()) {
    uint64_t h = uint64_t(array->length());
    for (int64_t i = 0; i < std::min<int64_t>(array->length(), 16); ++i)
      if (auto element = get_element(types, *array, i); element.ok()) add(h, *element);
    return h;
  }
  return key.hash();
}

bool KeyRules::equal(const Value &a, const Value &b) {
  if (egal(a, b)) return true;
  if (a.is_primitive() && a.type() == b.type() && types.is_integer(a.type())) return false;
  if (remaining_stack() < min_stack) return false; // both may contain themselves
  for (const Value *each : {&a, &b}) {
    const DataType *type = struct_of(*each);
    const Rule rule = type ? rules_of(type).equality : Rule::Content;
    if (rule == Rule::Methods) {
      const Value both[] = {a, b}; // a method may remove the key
      const Value called = call("isequal", both);
      return called.is_primitive() && (called.low_bits() & 1);
    }
  }
  return equal_contents(a, b);
}

bool KeyRules::equal_contents(const Value &first, const Value &second) {
  const Value &a = plain(types, first), &b = plain(types, second);
  if (auto s = text_of(a)) {
    auto t = text_of(b);
    return t && *s == *t;
  }
  auto x = wide_integer_of(types, a), y = wide_integer_of(types, b);
  if (x && y) return *x == *y;
  if (!a.is_primitive() || !b.is_primitive()) {
    const auto p = exact_number(types, a), q = exact_number(types, b);
    if (p && q) return *p == *q;
  }
  auto u = float_of(types, a), v = float_of(types, b);
  if (u && v) return (std::isnan(*u) && std::isnan(*v)) || (*u == *v && std::signbit(*u) == std::signbit(*v));
  if (const DataType *type = struct_of(a); type && rules_of(type).equality == Rule::Identity) return false;
  const auto *f = a.fields(), *g = b.fields();
  if (f && g) {
    const DataType *s = a.type()->as<DataType>(), *t = b.type()->as<DataType>();
    return !f->empty() && s && t && &s->name() == &t->name() &&
           std::ranges::equal(*f, *g, [&](const Value &p, const Value &q) { return equal(p, q); });
  }
  const ExprObject *d = a.as_expr(), *e = b.as_expr();
  if (d && e)
    return a.type() == b.type() && d->head == e->head &&
           std::ranges::equal(d->args, e->args, [&](const Value &p, const Value &q) { return equal(p, q); });
  const HostArray *m = a.as_array(), *n = b.as_array();
  if (!m || !n || m->dims != n->dims) return false;
  for (int64_t i = 0; i < m->length(); ++i) {
    auto p = get_element(types, *m, i), q = get_element(types, *n, i);
    if (!p.ok() || !q.ok() || !equal(*p, *q)) return false;
  }
  return true;
}

} // namespace kiln
