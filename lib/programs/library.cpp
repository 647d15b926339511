// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library.h"

#include <support/memory.h>

namespace kiln {

constexpr uint64_t few_bytes = uint64_t(64) << 20; // which are not asked for

Result<Value> host_array(TypeContext &types, TypeRef element, std::vector<int64_t> dims) {
  auto array = std::make_shared<HostArray>();
  array->element = element;
  uint64_t count = 1;
  for (int64_t d : dims) {
    if (d < 0 || (d > 0 && count > (uint64_t(1) << 40) / uint64_t(d)))
      return make_error(ErrorCode::ArgumentError, "invalid Array dimensions");
    count *= uint64_t(d);
  }
  array->dims = std::move(dims);
  const uint64_t bytes = count * (types.is_isbits(element) ? layout_of(types, element)->size : sizeof(Value));
  if (bytes > few_bytes && !fits_memory(bytes, usable_memory()))
    return make_error(ErrorCode::OutOfMemoryError,
                      fmt::format("there is no memory for an array of {} bytes", bytes));
  if (types.is_isbits(element))
    array->bytes.resize(count * layout_of(types, element)->size);
  else
    array->values.resize(count);
  TypeRef params[] = {element, types.constant(int64_t(array->dims.size()))};
  return Value::array(types.data(*types.builtins().ArrayName, params), std::move(array));
}

Result<Value> element_at(TypeContext &types, const HostArray &array, int64_t index) {
  if (!types.is_isbits(array.element)) {
    const Value &element = array.values[size_t(index)];
    if (!element) return make_error(ErrorCode::UndefRefError, "access to undefined reference");
    return element;
  }
  return from_bytes(types, array.element,
                    array.bytes.data() + size_t(index) * layout_of(types, array.element)->size);
}

Result<void> put_element(TypeContext &types, HostArray &array, int64_t index, const Value &value) {
  if (!types.is_isbits(array.element)) {
    array.values[size_t(index)] = value;
    return {};
  }
  KILN_TRY(auto bytes, to_bytes(types, value));
  std::memcpy(array.bytes.data() + size_t(index) * bytes.size(), bytes.data(), bytes.size());
  return {};
}

Value Library::vector_of(TypeRef element, std::vector<Value> values) const {
  auto made = host_array(types, element, {int64_t(values.size())});
  if (!made.ok()) return {};
  if (!types.is_isbits(element))
    made->as_array()->values = std::move(values);
  else
    for (size_t i = 0; i < values.size(); ++i)
      if (!put_element(types, *made->as_array(), int64_t(i), values[i]).ok()) return {};
  return std::move(*made);
}

Value Library::bytes_vector(std::string_view bytes) const {
  auto made = host_array(types, types.builtins().UInt8, {int64_t(bytes.size())});
  if (!made.ok()) return {};
  if (!bytes.empty()) std::memcpy(made->as_array()->bytes.data(), bytes.data(), bytes.size());
  return std::move(*made);
}

Result<void> add_host_functions(Program::State &program) {
  auto kept = std::make_shared<Library>(program);
  program.library = kept;
  Library &library = *kept;
  add_texts(library);
  add_characters(library);
  add_strings(library);
  add_parsing(library);
  add_splitting(library);
  add_streams(library);
  add_dicts(library);
  add_arrays(library);
  add_broadcasting(library);
  add_system(library);
  add_random(library);
  add_regex(library);
  add_reflection(library);
  return std::move(library.done);
}

TypeRef Library::type(std::string_view name) const {
  auto bound = world.lookup(*world.base(), types.symbol(name), world.age());
  return bound.ok() && *bound ? (*bound)->as_type() : nullptr;
}

} // namespace kiln
