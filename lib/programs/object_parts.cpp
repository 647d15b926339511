// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of objects. Parts at an offset in bytes are for pointers that come from pointer_from_objref: the
// interpreter's objects have no address, so a pointer is the object and an offset. Values that are made of
// fields without a constructor are for Serialization.
#include "library.h"

#include <kiln/extension/language/layout.h>

namespace kiln {

namespace {

/// A field, and where its bytes begin in the object.
struct FieldPlace {
  size_t index = 0;
  uint64_t offset = 0;
  TypeRef type = nullptr;
};

uint64_t size_in_object(TypeContext &types, TypeRef type) {
  const Layout *layout = layout_of(types, type);
  return layout ? layout->size : sizeof(void *);
}

/// Finds the field that holds all bytes from `begin` to `end`.
std::optional<FieldPlace> field_over(TypeContext &types, const DataType *type, uint64_t begin, uint64_t end) {
  const std::span<const TypeRef> fields = types.field_types(type);
  if (const Layout *layout = layout_of(types, type)) {
    size_t after = size_t(std::ranges::upper_bound(layout->offsets, begin) - layout->offsets.begin());
    if (!after) return std::nullopt;
    const FieldPlace place{after - 1, layout->offsets[after - 1], fields[after - 1]};
    if (end > place.offset + size_in_object(types, place.type)) return std::nullopt;
    return place;
  }
  uint64_t offset = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    const Layout *layout = layout_of(types, fields[i]);
    const uint64_t size = size_in_object(types, fields[i]), align = layout ? layout->align : sizeof(void *);
    offset = (offset + align - 1) / align * align;
    if (offset <= begin && end <= offset + size) return FieldPlace{i, offset, fields[i]};
    offset += size;
  }
  return std::nullopt;
}

const std::vector<Value> *fields_of(const Value &value) {
  if (const MutableObject *object = value.as_mutable()) return &object->fields;
  return value.fields();
}

/// Returns the value of a field. A field of bits that no constructor has set is zero.
Result<Value> read_field(TypeContext &types, const std::vector<Value> &fields, const FieldPlace &place) {
  if (place.index < fields.size() && fields[place.index]) return fields[place.index];
  const Layout *layout = layout_of(types, place.type);
  if (!layout) return make_error(ErrorCode::UndefRefError, "access to undefined reference");
  const std::vector<std::byte> zeros(layout->size);
  return from_bytes(types, place.type, zeros.data());
}

Error no_part(const Value &object, int64_t offset) {
  return make_error(ErrorCode::ArgumentError, fmt::format("an object of type {} has no element at byte {}",
                                                          spell(object.type()), offset));
}

/// Returns the part of type `type` at `offset`. If no field has this type, reads the bytes as `type`.
Result<Value> part_at(TypeContext &types, const Value &object, TypeRef type, int64_t offset) {
  if (offset == 0 && is_subtype(types, object.type(), type)) return object;
  if (offset < 0) return no_part(object, offset);
  const uint64_t begin = uint64_t(offset), end = begin + size_in_object(types, type);
  const DataType *data = object.type()->as<DataType>();
  if (const std::vector<Value> *fields = data ? fields_of(object) : nullptr)
    if (auto place = field_over(types, data, begin, end)) {
      KILN_TRY(Value field, read_field(types, *fields, *place));
      return part_at(types, field, type, int64_t(begin - place->offset));
    }
  const Layout *layout = layout_of(types, object.type());
  if (!layout || !layout_of(types, type) || end > layout->size) return no_part(object, offset);
  KILN_TRY(auto bytes, to_bytes(types, object));
  return from_bytes(types, type, bytes.data() + begin);
}

/// Returns `object` with `part` at `offset`. A mutable object is changed, and returned itself.
Result<Value> with_part(TypeContext &types, const Value &object, const Value &part, int64_t offset) {
  if (offset == 0 && object.type() == part.type()) return part;
  if (offset < 0) return no_part(object, offset);
  const uint64_t begin = uint64_t(offset), end = begin + size_in_object(types, part.type());
  const DataType *data = object.type()->as<DataType>();
  if (const std::vector<Value> *fields = data ? fields_of(object) : nullptr)
    if (auto place = field_over(types, data, begin, end)) {
      KILN_TRY(Value field, read_field(types, *fields, *place));
      KILN_TRY(field, with_part(types, field, part, int64_t(begin - place->offset)));
      if (MutableObject *changed = object.as_mutable()) {
        changed->fields[place->index] = std::move(field);
        return object;
      }
      std::vector<Value> copy = *fields;
      copy[place->index] = std::move(field);
      return Value::structure(object.type(), std::move(copy));
    }
  const Layout *layout = layout_of(types, object.type());
  if (!layout || end > layout->size) return no_part(object, offset);
  KILN_TRY(auto bytes, to_bytes(types, object));
  KILN_TRY(const auto written, to_bytes(types, part));
  std::ranges::copy(written, bytes.begin() + offset);
  return from_bytes(types, object.type(), bytes.data());
}

} // namespace

/// Makes a value without a constructor. A mutable object may get fewer fields: the others are undefined.
static Result<Value> new_object(TypeContext &types, TypeRef type, Args fields) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data || !types.is_concrete(data) || data->is_primitive())
    return make_error(ErrorCode::ArgumentError, fmt::format("values of {} cannot be made of fields",
                                                            type ? spell(type) : "what is no type"));
  const std::span<const TypeRef> wanted = types.field_types(data);
  if (fields.size() > wanted.size() || (fields.size() < wanted.size() && !data->name().is_mutable))
    return make_error(ErrorCode::ArgumentError,
                      fmt::format("{} has {} fields, not {}", spell(type), wanted.size(), fields.size()));
  for (size_t i = 0; i < fields.size(); ++i)
    if (!is_subtype(types, types.type_of(fields[i]), wanted[i]))
      return make_error(ErrorCode::TypeError, fmt::format("field {} of {} cannot hold a value of type {}",
                                                          i + 1, spell(type), spell(fields[i].type())));
  std::vector<Value> values(fields.begin(), fields.end());
  values.resize(wanted.size());
  if (data->name().is_mutable) return Value::mutable_structure(type, std::move(values));
  if (types.is_singleton(type)) return types.singleton_value(data);
  return Value::structure(type, std::move(values));
}

void add_object_parts(Library &l) {
  TypeContext &types = l.types;
  // __is_singleton(x): true for the only value of its type
  l.add("__is_singleton", 1, [&types](Interpreter &, Args a) -> Result<Value> {
    const TypeRef type = types.type_of(a[0]);
    return types.boolean(types.is_singleton(type) && !a[0].as_object() && !a[0].as_mutable());
  });
  // __new_object(T, fields...): a value of T, made without a constructor
  l.add_any("__new_object", [&types](Interpreter &, Args a) -> Result<Value> {
    return a.empty() ? Value() : new_object(types, a[0].as_type(), a.subspan(1));
  });
  // __set_field(object, i, value): also sets a constant field
  l.add("__set_field", 3, [&types](Interpreter &, Args a) -> Result<Value> {
    MutableObject *object = a[0].as_mutable();
    const DataType *data = a[0].type() ? a[0].type()->as<DataType>() : nullptr;
    const uint64_t index = a[1].low_bits() - 1;
    if (!object || !data || index >= object->fields.size())
      return make_error(ErrorCode::ArgumentError, "this object has no such field");
    if (!is_subtype(types, types.type_of(a[2]), types.field_types(data)[index]))
      return make_error(ErrorCode::TypeError, fmt::format("field {} of {} cannot hold a value of type {}",
                                                          index + 1, spell(data), spell(a[2].type())));
    object->fields[index] = a[2];
    return a[0];
  });
  // __part_at(object, T, offset): the part of type T
  l.add("__part_at", 3, [&types](Interpreter &, Args a) -> Result<Value> {
    return part_at(types, a[0], a[1].as_type(), int64_t(a[2].low_bits()));
  });
  // __put_part(object, value, offset): changes the mutable object
  l.add("__put_part", 3, [&types](Interpreter &, Args a) -> Result<Value> {
    if (!a[0].as_mutable())
      return make_error(ErrorCode::ArgumentError,
                        fmt::format("an object of type {} cannot be changed", spell(a[0].type())));
    return with_part(types, a[0], a[1], int64_t(a[2].low_bits()));
  });
}

} // namespace kiln
