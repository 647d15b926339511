// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.h"

#include "context_state.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace kiln {

namespace {

uint64_t hash_address(const void *object) { return mix(0x0b, reinterpret_cast<uintptr_t>(object)); }

} // namespace

// ---- destruction

/// Destroys nested values without recursion: a list of a million nodes needs no more stack than a list of
/// two.
static void release(std::vector<Value> &values) {
  thread_local std::vector<Value> *waiting = nullptr; // values that the outermost release() destroys
  if (std::ranges::none_of(values, [](const Value &v) { return v.is_last_holder(); })) return;
  std::vector<Value> own;
  std::vector<Value> &into = waiting ? *waiting : own;
  for (Value &value : values)
    if (value.is_last_holder()) into.push_back(std::move(value));
  if (waiting) return;
  waiting = &own;
  while (!own.empty()) {
    const Value ended = std::move(own.back());
    own.pop_back();
  }
  waiting = nullptr;
}

HostArray::~HostArray() { release(values); }
MutableObject::~MutableObject() { release(fields); }

namespace {

struct StructFields {
  explicit StructFields(std::vector<Value> of) : values(std::move(of)) {}
  StructFields(const StructFields &) = delete;
  ~StructFields() { release(values); }
  std::vector<Value> values;
};

} // namespace

bool Value::is_last_holder() const { return kind_ > Kind::String && shared_.use_count() == 1; }

// ---- constructors

static PrimitiveBits pointer_bits(const void *pointer) {
  return {static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer)), 0};
}

Value Value::primitive(TypeRef type, PrimitiveBits bits) {
  return type ? Value(type, Kind::Primitive, bits) : Value();
}

Value Value::singleton(TypeRef type) { return {type, Kind::Singleton, PrimitiveBits()}; }

Value Value::structure(TypeRef type, std::vector<Value> fields) {
  if (!type) return {};
  if (fields.empty()) return singleton(type); // the type's singleton, so that equal values are identical
  auto owner = std::make_shared<StructFields>(std::move(fields));
  const std::vector<Value> *values = &owner->values;
  return {type, Kind::Structure, Shared(std::move(owner), values)};
}

Value Value::mutable_structure(TypeRef type, std::vector<Value> fields) {
  return type ? Value(type, Kind::Mutable, std::make_shared<MutableObject>(std::move(fields))) : Value();
}

Value Value::type_value(TypeContext &types, TypeRef value) {
  if (!value) return {};
  const TypeContext::Builtins &b = types.builtins();
  TypeRef type = b.DataType;
  switch (value->kind()) {
  case TypeKind::Bottom: type = b.TypeofBottom; break;
  case TypeKind::Union: type = b.Union; break;
  case TypeKind::UnionAll: type = b.UnionAll; break;
  case TypeKind::Var: type = b.TypeVar; break;
  default: break;
  }
  return {type, Kind::Type, pointer_bits(value)};
}

Value Value::symbol(TypeContext &types, Symbol symbol) {
  return {types.builtins().Symbol, Kind::Symbol, pointer_bits(symbol.id())};
}

Value Value::string(TypeContext &types, std::string text) {
  return {types.builtins().String, Kind::String, std::make_shared<const std::string>(std::move(text))};
}

Value Value::module(TypeContext &types, const Module *module) {
  return module ? Value(types.builtins().Module, Kind::Module, pointer_bits(module)) : Value();
}

Value Value::array(TypeRef type, std::shared_ptr<HostArray> array) {
  return type && array ? Value(type, Kind::Array, std::move(array)) : Value();
}

Value Value::expr(TypeContext &types, std::shared_ptr<ExprObject> expr) {
  if (!expr) return {};
  const bool is_quote_node = expr->args.size() == 1 && expr->head.text() == "inert";
  return {is_quote_node ? types.builtins().QuoteNode : types.builtins().Expr, Kind::Expr, std::move(expr)};
}

Value Value::object(TypeRef type, std::shared_ptr<HostObject> object) {
  return type && object ? Value(type, Kind::Object, std::move(object)) : Value();
}

HostObject::~HostObject() = default;

// ---- access

const std::vector<Value> &Value::no_fields() {
  static const std::vector<Value> none;
  return none;
}

std::shared_ptr<HostArray> Value::shared_array() const {
  HostArray *array = as_array();
  return array ? std::shared_ptr<HostArray>(shared_, array) : nullptr;
}

std::shared_ptr<const std::string> Value::shared_string() const {
  const std::string *text = as_string();
  return text ? std::shared_ptr<const std::string>(shared_, text) : nullptr;
}

std::shared_ptr<HostObject> Value::shared_object() const {
  HostObject *object = as_object();
  return object ? std::shared_ptr<HostObject>(shared_, object) : nullptr;
}

// ---- identity

bool egal(const Value &a, const Value &b) {
  if (a.type_ != b.type_ || a.kind_ != b.kind_) return false;
  if (!a.is_shared()) return a.bits_ == b.bits_;
  if (const std::string *text = a.as_string()) return *text == *b.as_string();
  // modules, arrays and mutable objects are compared by identity
  if (a.kind_ != Value::Kind::Structure) return a.shared_ == b.shared_;
  const std::vector<Value> &x = *a.fields(), &y = *b.fields();
  if (&x == &y) return true;
  if (x.size() != y.size()) return false;
  for (size_t i = 0; i < x.size(); ++i)
    if (!egal(x[i], y[i])) return false;
  return true;
}

uint64_t Value::hash() const {
  uint64_t h = mix(uint64_t(kind_), type_ ? type_->hash() : 0);
  if (is_primitive()) return mix(mix(h, bits()[0]), bits()[1]);
  if (TypeRef t = as_type()) return mix(h, t->hash());
  if (Symbol s = as_symbol()) return mix(h, hash_text(s.text()));
  if (const std::string *s = as_string()) return mix(h, hash_text(*s));
  if (const Module *m = as_module()) return mix(h, hash_text(m->full_name()));
  if (const std::vector<Value> *f = fields()) {
    for (const Value &x : *f) h = mix(h, x.hash());
    return h;
  }
  if (HostArray *a = as_array()) return mix(h, hash_address(a));
  if (MutableObject *m = as_mutable()) return mix(h, hash_address(m));
  if (ExprObject *e = as_expr()) return mix(h, hash_address(e));
  if (HostObject *o = as_object()) return mix(h, hash_address(o));
  return h;
}

ArrayBytes::ArrayBytes(const ArrayBytes &other)
    : bytes_(other.bytes_ ? std::make_shared<std::vector<std::byte>>(other.begin(), other.end()) : nullptr) {}

ArrayBytes &ArrayBytes::operator=(const ArrayBytes &other) {
  if (this == &other || (bytes_ == other.bytes_ && first_ == other.first_ && count_ == other.count_))
    return *this;
  if (size() == other.size() && size())
    std::memmove(data(), other.data(), size()); // parts of the same bytes may overlap
  else
    *this = ArrayBytes(other);
  return *this;
}

void ArrayBytes::erase(const std::byte *first, const std::byte *last) {
  const auto from = first - data(), to = last - data();
  auto &own = this->own();
  own.erase(own.begin() + from, own.begin() + to);
}

ArrayBytes ArrayBytes::share() const {
  ArrayBytes same;
  same.bytes_ = bytes_;
  same.first_ = first_;
  same.count_ = count_;
  return same;
}

ArrayBytes ArrayBytes::share(size_t first, size_t count) const {
  ArrayBytes part = share();
  part.first_ += first;
  part.count_ = count;
  return part;
}

std::vector<std::byte> &ArrayBytes::own() {
  const bool is_part = first_ != 0 || count_ != SIZE_MAX;
  if (!bytes_)
    bytes_ = std::make_shared<std::vector<std::byte>>();
  else if (bytes_.use_count() > 1 || is_part)
    bytes_ = std::make_shared<std::vector<std::byte>>(begin(), end());
  first_ = 0;
  count_ = SIZE_MAX;
  return *bytes_;
}

int64_t HostArray::length() const {
  int64_t n = 1;
  for (int64_t d : dims) n *= d;
  return n;
}

// ---- bytes

namespace {

/// Writes `value` into a field of type `type`. A type in a field of type Type{T} takes no space.
Result<void> put(TypeContext &types, TypeRef type, const Value &value, std::byte *out) {
  if (types.type_parameter(type)) return {};
  if (value.type() != type)
    return usage_error(
        fmt::format("a value of type {} where one of type {} is declared", spell(value.type()), spell(type)));
  const Layout *layout = layout_of(types, value.type());
  if (!layout)
    return internal_error("a value of type " + spell(value.type()) + " has no bytes: it is not isbits");
  if (value.is_primitive()) {
    std::memcpy(out, value.bits().data(), std::min(layout->size, uint64_t(sizeof(PrimitiveBits))));
    return {};
  }
  const std::vector<Value> *fields = value.fields();
  if (!fields || fields->size() != layout->offsets.size())
    return usage_error("a value of type " + spell(value.type()) + " does not hold its type's fields");
  std::span<const TypeRef> field_types = types.field_types(value.type()->as<DataType>());
  for (size_t i = 0; i < fields->size(); ++i)
    KILN_CHECK(put(types, field_types[i], (*fields)[i], out + layout->offsets[i]));
  return {};
}

} // namespace

Result<std::vector<std::byte>> to_bytes(TypeContext &types, const Value &value) {
  if (!value) return usage_error("to_bytes: there is no value");
  if (value.as_type()) return std::vector<std::byte>();
  const Layout *layout = layout_of(types, value.type());
  std::vector<std::byte> out(layout ? layout->size : 0); // zeroed: padding must not vary
  KILN_CHECK(put(types, value.type(), value, out.data()));
  return out;
}

Result<Value> from_bytes(TypeContext &types, TypeRef type, const std::byte *bytes) {
  if (!type) return usage_error("from_bytes: the type is null");
  if (types.type_parameter(type)) return types.singleton_value(type);
  const Layout *layout = layout_of(types, type);
  if (!layout)
    return internal_error("no value of type " + spell(type) + " can be read from bytes: it is not isbits");
  if (!bytes && layout->size) return usage_error("from_bytes: the bytes are null");
  if (type->as<DataType>()->is_primitive()) {
    PrimitiveBits bits{};
    std::memcpy(bits.data(), bytes, layout->size);
    return Value::primitive(type, bits);
  }
  std::span<const TypeRef> field_types = types.field_types(type->as<DataType>());
  std::vector<Value> fields;
  fields.reserve(field_types.size());
  for (size_t i = 0; i < field_types.size(); ++i) {
    KILN_TRY(Value field, from_bytes(types, field_types[i], bytes + layout->offsets[i]));
    fields.push_back(std::move(field));
  }
  return Value::structure(type, std::move(fields));
}

} // namespace kiln
