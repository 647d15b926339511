// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "edge_types.h"

#include <support/strong_digest.h>

namespace kiln {

namespace {

constexpr int max_depth = 200;
constexpr uint8_t known_tag = 0x7f;
constexpr uint32_t new_name = ~0u;
enum class ValueTag : uint8_t { Primitive, Type, Symbol, String, Structure, Singleton };

Fingerprint definition_digest(TypeContext &types, const TypeName &name) {
  Fingerprinter digest;
  if (name.wrapper) types.digest(digest, name.wrapper);
  return digest.finish();
}

} // namespace

const TypeName *find_type_name(CompilerWorld &world, std::string_view module, Symbol name, WorldAge age,
                               bool &is_library) {
  is_library = false;
  if (const Module *in = world.find_module(module)) {
    CompilerWorld::Meaning meaning = world.meaning(*in, name, age);
    if (meaning.kind == CompilerWorld::Meaning::Kind::Library ||
        meaning.kind == CompilerWorld::Meaning::Kind::Value) {
      auto value = world.lookup(*in, name, age);
      if (value.ok() && *value) {
        TypeRef type = (*value)->as_type();
        while (type && type->is<UnionAllType>()) type = type->as<UnionAllType>()->body();
        if (!type) type = (*value)->type();
        const DataType *data = type->as<DataType>();
        if (data && data->name().name == name && data->name().module == module) {
          is_library = meaning.kind == CompilerWorld::Meaning::Kind::Library;
          return &data->name();
        }
      }
    }
  }
  return world.types().find_type_name(module, name); // a closure's type: no name is bound to it
}

void TypeWriter::add_name(const TypeName &name) {
  if (auto found = names_.find(&name); found != names_.end()) {
    out_.add(found->second);
    return;
  }
  bool is_library = false;
  if (find_type_name(world_, name.module, name.name, age_, is_library) != &name) {
    failed_ = true;
    return;
  }
  names_.emplace(&name, uint32_t(names_.size()));
  out_.add(new_name).add(name.module).add(name.name.text()).add(uint8_t(is_library));
  if (!is_library) out_.add(definition_digest(types_, name));
}

const TypeName *TypeReader::name() {
  uint32_t index = in_.number<uint32_t>();
  if (index != new_name) {
    if (index < names_.size()) return names_[index];
    in_.fail();
    return nullptr;
  }
  std::string_view module = in_.text();
  Symbol name = types_.symbol(in_.text());
  bool was_library = in_.boolean(), is_library = false;
  Fingerprint digest = was_library ? Fingerprint() : in_.fingerprint();
  const TypeName *found = in_.failed() ? nullptr : find_type_name(world_, module, name, age_, is_library);
  if (!in_.failed() && !found && !was_library && name.text().starts_with('#')) {
    names_.push_back(nullptr);
    return nullptr;
  }
  if (!found || is_library != was_library ||
      (!is_library && !same_content(definition_digest(types_, *found), digest))) {
    if (!in_.failed()) lost_ = fmt::format("{}.{}", module, name.text());
    in_.fail();
    return nullptr;
  }
  names_.push_back(found);
  return found;
}

void TypeWriter::add(TypeRef type) {
  if (failed_) return;
  if (auto found = known_.find(type); found != known_.end()) {
    out_.add(known_tag).add(found->second);
    return;
  }
  out_.add(type->kind());
  switch (type->kind()) {
  case TypeKind::Bottom: break;
  case TypeKind::Data: {
    const auto *data = type->as<DataType>();
    add_name(data->name());
    out_.add(uint32_t(data->params().size()));
    for (TypeRef param : data->params()) add(param);
    break;
  }
  case TypeKind::Union: {
    auto members = type->as<UnionType>()->members();
    out_.add(uint32_t(members.size()));
    for (TypeRef member : members) add(member);
    break;
  }
  case TypeKind::UnionAll: {
    const auto *all = type->as<UnionAllType>();
    out_.add(all->var()->name().text());
    add(all->var()->lower());
    add(all->var()->upper());
    bound_.push_back(all->var());
    add(all->body());
    bound_.pop_back();
    break;
  }
  case TypeKind::Var: {
    auto place = std::find(bound_.begin(), bound_.end(), type->as<TypeVar>());
    if (place == bound_.end()) failed_ = true;
    out_.add(uint32_t(place - bound_.begin()));
    break;
  }
  case TypeKind::Vararg: {
    const auto *vararg = type->as<VarargType>();
    add(vararg->element());
    out_.add(uint8_t(vararg->count() != nullptr));
    if (vararg->count()) add(vararg->count());
    break;
  }
  case TypeKind::Const: add_value(type->as<ConstType>()->value()); break;
  }
  if (!type->has_free_vars()) known_.emplace(type, uint32_t(known_.size()));
}

TypeRef TypeReader::type() {
  if (in_.failed() || depth_ >= max_depth) {
    in_.fail();
    return nullptr;
  }
  const bool outer = std::exchange(absent_, false);
  depth_++;
  TypeRef type = read();
  depth_--;
  if (in_.failed()) return nullptr;
  if (depth_ > 0) absent_ |= outer;
  return type;
}

TypeRef TypeReader::read() {
  uint8_t tag = in_.number<uint8_t>();
  if (tag == known_tag) {
    uint32_t index = in_.number<uint32_t>();
    if (index < known_.size()) {
      absent_ = known_absent_[index];
      return known_[index];
    }
    in_.fail();
    return nullptr;
  }
  auto list = [&] {
    std::vector<TypeRef> types(in_.count(1));
    for (TypeRef &each : types) each = type();
    return types;
  };
  TypeRef made = nullptr;
  switch (TypeKind(tag)) {
  case TypeKind::Bottom: made = types_.bottom(); break;
  case TypeKind::Data: {
    const TypeName *of = name();
    std::vector<TypeRef> params = list();
    if (in_.failed()) return nullptr;
    if (!of) {
      absent_ = true;
      made = types_.builtins().Function;
      if (std::any_of(params.begin(), params.end(), [](TypeRef each) { return each->has_free_vars(); }))
        return made; // keeps the writer's numbering
    } else if (of->is_tuple)
      made = types_.tuple(params);
    else if (params.size() == of->params.size())
      made = types_.data(*of, params);
    break;
  }
  case TypeKind::Union: {
    std::vector<TypeRef> members = list();
    if (!in_.failed()) made = types_.union_of(members);
    break;
  }
  case TypeKind::UnionAll: {
    Symbol variable = types_.symbol(in_.text());
    TypeRef lower = type(), upper = type();
    if (in_.failed()) return nullptr;
    const TypeVar *var = types_.new_var(variable, lower, upper);
    bound_.push_back(var);
    TypeRef body = type();
    bound_.pop_back();
    if (body) made = types_.union_all(var, body);
    break;
  }
  case TypeKind::Var:
    if (uint32_t index = in_.number<uint32_t>(); index < bound_.size()) made = bound_[index];
    break;
  case TypeKind::Vararg: {
    TypeRef element = type(), count = in_.boolean() ? type() : nullptr;
    if (!in_.failed()) made = types_.vararg(element, count);
    break;
  }
  case TypeKind::Const:
    if (Value constant = value()) made = types_.constant(constant);
    break;
  }
  if (!made) {
    in_.fail();
    return nullptr;
  }
  if (!made->has_free_vars()) {
    known_.push_back(made);
    known_absent_.push_back(absent_);
  }
  return made;
}

void TypeWriter::add_value(const Value &value) {
  if (value.is_primitive()) {
    out_.add(ValueTag::Primitive);
    add(value.type());
    out_.add(value.bits()[0]).add(value.bits()[1]);
  } else if (TypeRef type = value.as_type()) {
    out_.add(ValueTag::Type);
    add(type);
  } else if (Symbol symbol = value.as_symbol()) {
    out_.add(ValueTag::Symbol).add(symbol.text());
  } else if (const std::string *text = value.as_string()) {
    out_.add(ValueTag::String).add(*text);
  } else if (const auto *fields = value.fields(); fields && !fields->empty()) {
    out_.add(ValueTag::Structure);
    add(value.type());
    out_.add(uint32_t(fields->size()));
    for (const Value &field : *fields) add_value(field);
  } else if (value && types_.is_singleton(value.type())) {
    out_.add(ValueTag::Singleton);
    add(value.type());
  } else {
    failed_ = true;
  }
}

Value TypeReader::value() {
  if (depth_ >= max_depth) in_.fail();
  depth_++;
  Value made;
  switch (ValueTag(in_.number_up_to(uint8_t(ValueTag::Singleton)))) {
  case ValueTag::Primitive: {
    TypeRef of = type();
    uint64_t low = in_.number<uint64_t>(), high = in_.number<uint64_t>();
    if (const DataType *data = of ? of->as<DataType>() : nullptr; data && !in_.failed())
      made = Value::primitive(of, {low, high});
    break;
  }
  case ValueTag::Type:
    if (TypeRef of = type()) made = Value::type_value(types_, of);
    break;
  case ValueTag::Symbol: made = Value::symbol(types_, types_.symbol(in_.text())); break;
  case ValueTag::String: made = Value::string(types_, std::string(in_.text())); break;
  case ValueTag::Structure: {
    TypeRef of = type();
    std::vector<Value> fields(in_.count(1));
    for (Value &field : fields) field = value();
    if (of && !in_.failed() && of->is<DataType>()) made = Value::structure(of, std::move(fields));
    break;
  }
  case ValueTag::Singleton:
    if (TypeRef of = type(); of && types_.is_singleton(of)) made = types_.singleton_value(of);
    break;
  }
  depth_--;
  if (!made) in_.fail();
  return in_.failed() ? Value() : made;
}

} // namespace kiln
