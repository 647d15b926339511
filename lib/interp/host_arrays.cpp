// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_arrays.h"
#include "fold.h"
#include "state.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace kiln {

namespace {

using Args = std::span<const Value>;
constexpr uint64_t max_length = std::numeric_limits<int64_t>::max();
constexpr size_t max_items = 10'000'000; // of an iterator, outside programs

uint64_t element_bytes(TypeContext &types, TypeRef element) {
  return types.is_isbits(element) ? layout_of(types, element)->size : sizeof(Value);
}

Error index_error(const HostArray &array, int64_t index) {
  return {ErrorCode::BoundsError,
          fmt::format("attempt to access an array of {} elements at index [{}]", array.length(), index + 1)};
}

} // namespace

Value array_value(TypeContext &types, std::shared_ptr<HostArray> array) {
  TypeRef params[] = {array->element, types.constant(int64_t(array->dims.size()))};
  return Value::array(types.data(*types.builtins().ArrayName, params), std::move(array));
}

Result<void> charge_elements(Interpreter &interpreter, TypeRef element, uint64_t count) {
  Interpreter::State &state = state_of(interpreter);
  const uint64_t size = element_bytes(interpreter.world().types(), element);
  if (size && count > state.limits.bytes / size)
    return make_error(ErrorCode::OutOfMemoryError,
                      fmt::format("an array of {} elements of {} is larger than the limit of {} bytes", count,
                                  spell(element), state.limits.bytes));
  return state.charge(count * size);
}

Result<Value> make_array(Interpreter &interpreter, TypeRef element, std::vector<int64_t> dims) {
  TypeContext &types = interpreter.world().types();
  uint64_t count = 1;
  for (int64_t d : dims) {
    if (d < 0 || (d > 0 && count > max_length / uint64_t(d)))
      return make_error(ErrorCode::ArgumentError, "invalid Array dimensions");
    count *= uint64_t(d);
  }
  KILN_CHECK(charge_elements(interpreter, element, count));
  auto array = std::make_shared<HostArray>();
  array->element = element;
  array->dims = std::move(dims);
  if (types.is_isbits(element))
    array->bytes.resize(count * element_bytes(types, element));
  else
    array->values.resize(count);
  return array_value(types, std::move(array));
}

Result<Value> make_array_from(Interpreter &interpreter, Args values, TypeRef element,
                              std::optional<std::vector<int64_t>> dims) {
  TypeContext &types = interpreter.world().types();
  if (!element) {
    for (const Value &v : values) element = element ? join_types(types, element, v.type()) : v.type();
    if (!element) element = types.builtins().Any;
  }
  if (!dims) dims = {int64_t(values.size())};
  KILN_TRY(Value made, make_array(interpreter, element, std::move(*dims)));
  for (size_t i = 0; i < values.size(); ++i) {
    KILN_CHECK(state_of(interpreter).check_interrupt());
    KILN_TRY(Value converted, interpreter.convert(element, values[i]));
    KILN_CHECK(set_element(types, *made.as_array(), int64_t(i), converted));
  }
  return made;
}

Result<Value> copy_array(Interpreter &interpreter, const Value &array) {
  const HostArray &from = *array.as_array();
  KILN_TRY(Value made, make_array(interpreter, from.element, from.dims));
  made.as_array()->bytes = from.bytes;
  made.as_array()->values = from.values;
  return made;
}

Result<Value> get_element(TypeContext &types, const HostArray &array, int64_t index) {
  if (!types.is_isbits(array.element)) {
    if (uint64_t(index) >= array.values.size()) return index_error(array, index);
    if (!array.values[size_t(index)])
      return make_error(ErrorCode::UndefRefError, "access to undefined reference");
    return array.values[size_t(index)];
  }
  const size_t size = layout_of(types, array.element)->size;
  if (uint64_t(index) >= (size ? array.bytes.size() / size : uint64_t(array.length())))
    return index_error(array, index);
  return from_bytes(types, array.element, array.bytes.data() + size_t(index) * size);
}

Result<void> set_element(TypeContext &types, HostArray &array, int64_t index, const Value &value) {
  if (!types.is_isbits(array.element)) {
    if (uint64_t(index) >= array.values.size()) return index_error(array, index);
    array.values[size_t(index)] = value;
    return {};
  }
  if (value.type() != array.element)
    return internal_error(
        fmt::format("a {} is stored in an array of {}", spell(value.type()), spell(array.element)));
  const size_t size = layout_of(types, array.element)->size;
  if (size == 0) return {};
  if (uint64_t(index) >= array.bytes.size() / size) return index_error(array, index);
  std::byte *out = array.bytes.data() + size_t(index) * size;
  if (value.is_primitive()) {
    std::memcpy(out, value.bits().data(), size);
    return {};
  }
  KILN_TRY(auto bytes, to_bytes(types, value));
  std::memcpy(out, bytes.data(), size);
  return {};
}

Result<void> insert_elements(Interpreter &interpreter, HostArray &vector, int64_t index, Args values) {
  TypeContext &types = interpreter.world().types();
  std::vector<Value> converted;
  converted.reserve(values.size());
  for (const Value &v : values) {
    KILN_TRY(Value one, interpreter.convert(vector.element, v));
    converted.push_back(std::move(one));
  }
  const auto size = int64_t(element_bytes(types, vector.element)), count = int64_t(values.size());
  KILN_CHECK(charge_elements(interpreter, vector.element, uint64_t(count)));
  index = std::min(index, vector.dims[0]); // a convert method of the program may have shortened the vector
  vector.dims[0] += count;
  if (!types.is_isbits(vector.element)) {
    vector.values.insert(vector.values.begin() + index, std::make_move_iterator(converted.begin()),
                         std::make_move_iterator(converted.end()));
    return {};
  }
  const std::vector<std::byte> zeros(size_t(size * count));
  vector.bytes.insert(vector.bytes.begin() + index * size, zeros.begin(), zeros.end());
  for (int64_t k = 0; k < count; ++k) KILN_CHECK(set_element(types, vector, index + k, converted[size_t(k)]));
  return {};
}

void erase_elements(TypeContext &types, HostArray &vector, int64_t index, int64_t count) {
  const int64_t size = int64_t(element_bytes(types, vector.element));
  if (types.is_isbits(vector.element))
    vector.bytes.erase(vector.bytes.begin() + index * size, vector.bytes.begin() + (index + count) * size);
  else
    vector.values.erase(vector.values.begin() + index, vector.values.begin() + index + count);
  vector.dims[0] -= count;
}

Result<std::vector<Value>> collect_elements(Interpreter &interpreter, const Value &items) {
  TypeContext &types = interpreter.world().types();
  std::vector<Value> elements;
  if (const HostArray *array = items.as_array()) {
    for (int64_t i = 0, n = array->length(); i < n; ++i) {
      KILN_CHECK(state_of(interpreter).check_interrupt());
      KILN_TRY(Value element, get_element(types, *array, i));
      elements.push_back(std::move(element));
    }
    return elements;
  }
  const DataType *type = items.type()->as<DataType>();
  if (items.fields() && type && type->is_tuple()) return *items.fields();
  KILN_TRY(Value iterate, find_base(interpreter, "iterate"));
  std::vector<Value> args{items};
  for (;;) {
    KILN_TRY(Value next, interpreter.call(iterate, args));
    const std::vector<Value> *pair = next.fields();
    if (!pair || pair->size() != 2) return elements; // nothing
    if (elements.size() == max_items && !interpreter.runs_program())
      return make_error(ErrorCode::OutOfMemoryError,
                        fmt::format("a collection has more than {} elements", max_items));
    elements.push_back((*pair)[0]);
    args = {items, (*pair)[1]};
  }
}

TypeRef join_types(TypeContext &types, TypeRef a, TypeRef b) {
  if (a == b) return a;
  std::vector<TypeRef> gaps; // Nothing and Missing stay members of a Union
  auto without_gaps = [&](TypeRef type) {
    std::vector<TypeRef> rest;
    const auto *both = type->as<UnionType>();
    for (TypeRef member : both ? both->members() : std::span<const TypeRef>(&type, 1)) {
      const auto *data = member->as<DataType>();
      const bool is_gap =
          member == types.builtins().Nothing || (data && data->name().name == types.symbol("Missing"));
      (is_gap ? gaps : rest).push_back(member);
    }
    return types.union_of(rest);
  };
  a = without_gaps(a);
  b = without_gaps(b);
  gaps.push_back(join(types, a, b));
  return types.union_of(gaps);
}

std::optional<int64_t> integer_of(TypeContext &types, const Value &v) {
  const auto &b = types.builtins();
  if (!v.is_primitive() || !types.is_integer(v.type())) return std::nullopt;
  const auto low = int64_t(v.low_bits());
  if (v.type() == b.Int32) return int32_t(low);
  if (v.type() == b.Int16) return int16_t(low);
  if (v.type() == b.Int8) return int8_t(low);
  const bool is_wide = v.type() == b.Int128 || v.type() == b.UInt128;
  const uint64_t high = low < 0 ? ~uint64_t(0) : 0; // high word of a 128-bit integer that fits into 64 bits
  if (is_wide && (v.bits()[1] != high || (v.type() == b.UInt128 && high))) return std::nullopt;
  return low;
}

std::optional<std::vector<int64_t>> read_dims(TypeContext &types, Args args) {
  const DataType *type = args.size() == 1 ? args[0].type()->as<DataType>() : nullptr;
  if (type && type->is_tuple()) args = args[0].fields() ? Args(*args[0].fields()) : Args();
  std::vector<int64_t> dims;
  for (const Value &v : args) {
    const auto n = integer_of(types, v);
    if (!n) return std::nullopt;
    dims.push_back(*n);
  }
  return dims;
}

} // namespace kiln
