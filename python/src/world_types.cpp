// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts types of Python values (ValueType) to types of the World, and back.
#include "engine.h"

#include <kiln/extension/language/layout.h>
#include <kiln/extension/language/print.h>

namespace kiln::python {

namespace {

using Builtins = TypeContext::Builtins;

struct Builtin {
  std::string_view name;
  TypeRef Builtins::*type;
};
constexpr Builtin builtin_numbers[] = {
    {"int8", &Builtins::Int8},       {"int16", &Builtins::Int16},     {"int32", &Builtins::Int32},
    {"int64", &Builtins::Int64},     {"uint8", &Builtins::UInt8},     {"uint16", &Builtins::UInt16},
    {"uint32", &Builtins::UInt32},   {"uint64", &Builtins::UInt64},   {"float16", &Builtins::Float16},
    {"float32", &Builtins::Float32}, {"float64", &Builtins::Float64}, {"bfloat16", &Builtins::BFloat16},
    {"bool", &Builtins::Bool}};

/// Prints a type of the World without module names.
std::string plain_text(TypeRef type) {
  const auto *data = type->as<DataType>();
  if (!data) return to_string(type);
  std::string parameters;
  for (TypeRef each : data->params()) parameters += (parameters.empty() ? "" : ", ") + plain_text(each);
  return data->name().name.str() + (parameters.empty() ? "" : "{" + parameters + "}");
}

/// Returns NumPy's name of the time unit that is a Date's or Span's parameter. Empty if there is none.
std::string unit_of(TypeRef parameter) {
  const auto *constant = parameter->as<ConstType>();
  const Symbol name = constant ? constant->value().as_symbol() : Symbol();
  if (!name) return {};
  for (const char *unit : {"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "generic"})
    if (name.text() == library_unit(unit)) return unit;
  return {};
}

} // namespace

Result<TypeRef> Engine::library_type(std::string_view name) {
  {
    std::lock_guard lock(mutex_);
    if (auto found = library_types_.find(std::string(name)); found != library_types_.end())
      return found->second;
  }
  KILN_TRY(const auto value, world_->lookup(*library_, symbol(name), world_->age()));
  const TypeRef type = value ? value->as_type() : nullptr;
  if (!type) return internal_error(std::string(name) + " is no type of the library");
  std::lock_guard lock(mutex_);
  library_types_.emplace(std::string(name), type);
  return type;
}

Result<TypeRef> Engine::apply(std::string_view name, std::initializer_list<TypeRef> parameters) {
  KILN_TRY(TypeRef type, library_type(name));
  return types().apply(type, std::span<const TypeRef>(parameters.begin(), parameters.size()));
}

/// Returns the names of fields as a constant type: a tuple of symbols.
TypeRef Engine::symbols(const std::vector<TypeField> &fields) {
  std::vector<Value> names;
  for (const TypeField &field : fields) names.push_back(Value::symbol(types(), symbol(field.name)));
  const std::vector<TypeRef> kinds(names.size(), types().builtins().Symbol);
  return types().constant(Value::structure(types().tuple(kinds), std::move(names)));
}

Result<TypeRef> Engine::make_record(const ValueType &type) {
  std::vector<TypeRef> fields;
  std::vector<Value> offsets;
  for (const TypeField &field : type.fields) {
    KILN_TRY(TypeRef each, this->type(*field.type));
    fields.push_back(each);
    offsets.push_back(types().int64(int64_t(field.offset)));
  }
  const std::vector<TypeRef> kinds(offsets.size(), types().builtins().Int64);
  const TypeRef places = types().constant(Value::structure(types().tuple(kinds), std::move(offsets)));
  return apply("Record",
               {symbols(type.fields), types().tuple(fields), places, types().constant(int64_t(type.size))});
}

Result<TypeRef> Engine::make_type(const ValueType &type, bool is_julia) {
  const Builtins &builtins = types().builtins();
  TypeRef element = nullptr;
  if (type.element) {
    KILN_TRY(element, this->type(*type.element, is_julia));
  }
  std::vector<TypeRef> items;
  if (type.kind == ValueKind::Tuple || type.kind == ValueKind::NamedTuple)
    for (const TypeField &field : type.fields) {
      KILN_TRY(TypeRef item, this->type(*field.type, is_julia));
      items.push_back(item);
    }
  switch (type.kind) {
  case ValueKind::Number:
    for (const Builtin &each : builtin_numbers)
      if (type.name == each.name) return builtins.*each.type;
    return apply("Complex", {type.name == "complex64" ? builtins.Float32 : builtins.Float64});
  case ValueKind::Datetime:
  case ValueKind::Timedelta: {
    const TypeRef unit = types().constant(Value::symbol(types(), symbol(library_unit(type.name))));
    return apply(type.kind == ValueKind::Datetime ? "Date" : "Span", {unit});
  }
  case ValueKind::Text:
    return apply("Text", {types().constant(int64_t(type.count)),
                          type.character_size == 4 ? builtins.UInt32 : builtins.UInt8});
  case ValueKind::Record: return make_record(type);
  case ValueKind::Nested: {
    std::vector<Value> shape;
    for (int64_t n : type.shape) shape.push_back(types().int64(n));
    const std::vector<TypeRef> kinds(shape.size(), builtins.Int64);
    const TypeRef dims = types().constant(Value::structure(types().tuple(kinds), std::move(shape)));
    return apply("Nested", {element, dims, types().constant(int64_t(type.size))});
  }
  case ValueKind::Vector: return apply("Vec", {element, types().constant(int64_t(type.count))});
  case ValueKind::Pointer: {
    const TypeRef parameters[] = {element, types().constant(int64_t(0))};
    return types().apply(builtins.LLVMPtr, parameters);
  }
  case ValueKind::Array:
    if (is_julia) return kiln::array_type(world(), element, type.rank);
    return apply(type.layout == 'C'   ? "CArray"
                 : type.layout == 'F' ? "FArray"
                                      : "SArray",
                 {element, types().constant(int64_t(type.rank)), types().constant(int64_t(1)),
                  types().constant(types().boolean(type.is_read_only))});
  case ValueKind::Tuple: return types().tuple(items);
  case ValueKind::NamedTuple:
    if (is_julia) return types().tuple(items);
    return apply("Named", {symbols(type.fields), types().tuple(items)});
  case ValueKind::None: return builtins.Nothing;
  case ValueKind::Other: break;
  }
  return internal_error("a value of type " + type.name + " is no argument of kernels");
}

Result<TypeRef> Engine::type(const ValueType &type, bool is_julia) {
  auto &known = is_julia ? julia_types_ : types_;
  {
    std::lock_guard lock(mutex_);
    if (auto found = known.find(&type); found != known.end()) return found->second;
  }
  KILN_TRY(TypeRef made, make_type(type, is_julia));
  const Layout *layout = is_julia || type.kind == ValueKind::Nested ? nullptr : layout_of(types(), made);
  if (layout && (layout->size != type.size || layout->align != type.align))
    return internal_error("type " + to_text(type) + " has another layout in Kiln than in Python");
  std::lock_guard lock(mutex_);
  known.emplace(&type, made);
  return made;
}

const ValueType *Engine::value_type(TypeRef type) {
  const Builtins &builtins = types().builtins();
  if (type == builtins.Nothing || type == types().bottom()) return intern({.kind = ValueKind::None});
  for (const Builtin &each : builtin_numbers)
    if (type == builtins.*each.type) return number_type(each.name);
  const auto *data = type->as<DataType>();
  const std::string name = data ? data->name().name.str() : std::string();
  if (data && data->is_tuple()) {
    TypeStructure made{.kind = ValueKind::Tuple};
    for (TypeRef item : data->params()) made.fields.push_back({.type = value_type(item)});
    return intern(std::move(made));
  }
  if (name == "Complex" && data->params().size() == 1) {
    if (data->params()[0] == builtins.Float32) return number_type("complex64");
    if (data->params()[0] == builtins.Float64) return number_type("complex128");
  }
  if ((name == "Date" || name == "Span") && data->params().size() == 1)
    if (std::string unit = unit_of(data->params()[0]); !unit.empty())
      return intern(
          {.kind = name == "Date" ? ValueKind::Datetime : ValueKind::Timedelta, .name = std::move(unit)});
  return intern({.kind = ValueKind::Other, .name = plain_text(type)});
}

} // namespace kiln::python
