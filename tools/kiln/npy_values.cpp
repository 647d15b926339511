// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "npy_values.h"

#include <fmt/ranges.h>

namespace kiln::tool {

namespace {

struct NumberType {
  char kind;
  uint64_t size;
  TypeRef TypeContext::Builtins::*type;
};
using B = TypeContext::Builtins;
constexpr NumberType number_types[] = {{'b', 1, &B::Bool},    {'i', 1, &B::Int8},    {'i', 2, &B::Int16},
                                       {'i', 4, &B::Int32},   {'i', 8, &B::Int64},   {'u', 1, &B::UInt8},
                                       {'u', 2, &B::UInt16},  {'u', 4, &B::UInt32},  {'u', 8, &B::UInt64},
                                       {'f', 2, &B::Float16}, {'f', 4, &B::Float32}, {'f', 8, &B::Float64}};

std::string describe(const NpyType &type) {
  if (!type.dims.empty()) return fmt::format("an array of shape ({})", fmt::join(type.dims, ", "));
  if (!type.fields.empty()) return fmt::format("a struct of {} bytes", type.size);
  return fmt::format("{}{}", type.kind, type.size);
}

Error fault(const std::string &name, std::string message) {
  return input_error(fmt::format("{}: {}", name, message));
}

/// Returns the Julia type of a NumPy dtype without fields, such as Float32 for <f4. Null, if there is none.
Result<TypeRef> number_type(World &world, const NpyType &type) {
  for (const NumberType &n : number_types)
    if (n.kind == type.kind && n.size == type.size) return world.types().builtins().*n.type;
  if (type.kind != 'c') return TypeRef(nullptr);
  KILN_TRY(auto complex, world.lookup(*world.base(), world.types().symbol("Complex"), world.age()));
  if (!complex || !complex->as_type()) return internal_error("Base has no type Complex");
  TypeRef part[] = {type.size == 8 ? world.types().builtins().Float32 : world.types().builtins().Float64};
  return world.types().apply(complex->as_type(), part);
}

Result<void> check_layout(World &world, const NpyType &dtype, TypeRef type, const std::string &path,
                          const std::string &name);

/// Checks a subarray field of a NumPy dtype against a Julia type. The type must be a tuple of the same length
/// with one element type; several dimensions are nested tuples. A struct with one such tuple (SVector) also
/// fits.
Result<void> check_array_layout(World &world, const NpyType &dtype, const DataType &type,
                                const Layout &layout, const std::string &path, const std::string &name) {
  std::span<const TypeRef> types = world.types().field_types(&type);
  if (!type.is_primitive() && !type.is_tuple() && types.size() == 1 && types[0]->as<DataType>())
    return check_layout(world, dtype, types[0], path, name);
  auto is_first = [&](TypeRef each) { return each == types[0]; };
  if (!type.is_tuple() || types.size() != dtype.dims[0] || !std::all_of(types.begin(), types.end(), is_first))
    return fault(name,
                 fmt::format("{} is {} in the file, but {} in the program: an NTuple{{{}, ...}} would fit",
                             path, describe(dtype), spell(&type), dtype.dims[0]));
  KILN_CHECK(check_layout(world, dtype.inner(), types[0], path + "[1]", name));
  if (dtype.size != layout.size)
    return fault(name, fmt::format("{} has {} bytes in the file, but {} in {}", path, dtype.size, layout.size,
                                   spell(&type)));
  return {};
}

/// Checks that the NumPy `dtype` and the Julia `type` have equal fields at equal offsets, recursively.
/// Messages call the compared field `path` and the file `name`.
Result<void> check_layout(World &world, const NpyType &dtype, TypeRef type, const std::string &path,
                          const std::string &name) {
  const Layout *layout = layout_of(world.types(), type);
  const DataType *data = type->as<DataType>();
  if (!layout || !data)
    return fault(name, fmt::format("{} is {}, which is no type of plain bits", path, spell(type)));
  if (!dtype.dims.empty()) return check_array_layout(world, dtype, *data, *layout, path, name);
  if (dtype.fields.empty()) {
    KILN_TRY(TypeRef number, number_type(world, dtype));
    if (number == type) return {};
    return fault(name, fmt::format("{} is {} in the file, but {} in the program", path,
                                   number ? spell(number) : describe(dtype), spell(type)));
  }
  std::span<const TypeRef> types = world.types().field_types(data);
  std::span<const Symbol> names = world.types().field_names(data);
  if (data->is_primitive() || types.size() != dtype.fields.size())
    return fault(name, fmt::format("{} has {} fields in the file, but {} has {}", path, dtype.fields.size(),
                                   spell(type), data->is_primitive() ? 0 : types.size()));
  for (size_t i = 0; i < types.size(); i++) {
    const NpyType::Field &field = dtype.fields[i];
    if (!names.empty() && names[i].text() != field.name)
      return fault(name, fmt::format("field {} of {} is called {} in the file, but {} in {}", i + 1, path,
                                     field.name, names[i].text(), spell(type)));
    std::string inner = fmt::format("{}.{}", path, field.name);
    KILN_CHECK(check_layout(world, field.type, types[i], inner, name));
    if (field.offset != layout->offsets[i])
      return fault(
          name, fmt::format("{} lies at byte {} in the file, but at {} in {}: make the dtype with align=True",
                            inner, field.offset, layout->offsets[i], spell(type)));
  }
  if (dtype.size != layout->size)
    return fault(name,
                 fmt::format("{} has {} bytes in the file, but {} in {}: make the dtype with align=True",
                             path, dtype.size, layout->size, spell(type)));
  return {};
}

Result<NpyType> dtype_of(TypeContext &types, TypeRef type);

/// Returns the NumPy dtype of a struct field of this Julia type. A tuple with equal element types becomes a
/// subarray.
Result<NpyType> field_dtype(TypeContext &types, TypeRef type) {
  const DataType *data = type->as<DataType>();
  std::span<const TypeRef> elements = data && data->is_tuple() ? data->params() : std::span<const TypeRef>();
  if (elements.empty() ||
      !std::all_of(elements.begin(), elements.end(), [&](TypeRef each) { return each == elements[0]; }))
    return dtype_of(types, type);
  KILN_TRY(NpyType made, field_dtype(types, elements[0]));
  made.size *= elements.size();
  made.dims.insert(made.dims.begin(), elements.size());
  return made;
}

Result<NpyType> dtype_of(TypeContext &types, TypeRef type) {
  const TypeContext::Builtins &b = types.builtins();
  for (const NumberType &n : number_types)
    if (type == b.*n.type) return NpyType{n.kind, n.size, {}, {}};
  if (type == b.Char) return NpyType{'u', 4, {}, {}};
  const Layout *layout = layout_of(types, type);
  const DataType *data = type->as<DataType>();
  if (!layout || !data || data->is_primitive() || layout->size == 0)
    return input_error(fmt::format("NumPy has no type for elements of {}", spell(type)));
  std::span<const TypeRef> fields = types.field_types(data);
  std::span<const Symbol> names = types.field_names(data);
  if (data->name().name.text() == "Complex" && data->name().module == "Base" &&
      (fields[0] == b.Float32 || fields[0] == b.Float64))
    return NpyType{'c', layout->size, {}, {}};
  NpyType made{'V', layout->size, {}, {}};
  for (size_t i = 0; i < fields.size(); i++) {
    if (const Layout *inner = layout_of(types, fields[i]); inner && inner->size == 0) continue;
    KILN_TRY(NpyType field, field_dtype(types, fields[i]));
    made.fields.push_back({names.empty() ? fmt::format("f{}", i) : std::string(names[i].text()),
                           std::move(field), layout->offsets[i]});
  }
  return made;
}

} // namespace

Result<Value> array_from_npy(World &world, NpyArray array, TypeRef element, const std::string &name) {
  if (!element) {
    if (!array.type.fields.empty())
      return fault(
          name,
          fmt::format("its elements are structs: name the struct of the program, as in @{}:Name", name));
    KILN_TRY(element, number_type(world, array.type));
    if (!element)
      return fault(name,
                   fmt::format("its elements are {} raw bytes, which no type stands for", array.type.size));
  } else {
    KILN_CHECK(check_layout(world, array.type, element, "an element", name));
  }
  NpyArray columns = to_column_major(std::move(array));
  auto made = std::make_shared<HostArray>();
  made->element = element;
  made->dims.assign(columns.shape.begin(), columns.shape.end());
  made->bytes = std::move(columns.bytes);
  TypeRef params[] = {element, world.types().constant(int64_t(made->dims.size()))};
  return Value::array(world.types().data(*world.types().builtins().ArrayName, params), std::move(made));
}

Result<NpyArray> npy_from_array(TypeContext &types, const HostArray &array) {
  NpyArray made;
  KILN_TRY(made.type, dtype_of(types, array.element));
  made.shape.assign(array.dims.begin(), array.dims.end());
  made.fortran_order = true;
  made.bytes = array.bytes;
  return to_row_major(std::move(made));
}

} // namespace kiln::tool
