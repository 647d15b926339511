// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host arrays and the functions that make and read them: zeros, ones, fill, rand, size, length, indexing.
#include "fold.h"
#include "state.h"

#include <cstring>

namespace kiln {

static Result<void> check_index(const HostArray &array, int64_t index) {
  if (index >= 0 && index < array.length()) return {};
  return make_error(
      ErrorCode::BoundsError,
      fmt::format("attempt to access an array of {} elements at index [{}]", array.length(), index + 1));
}

Result<Value> array_element(TypeContext &types, const HostArray &array, int64_t index) {
  KILN_CHECK(check_index(array, index));
  if (!types.is_isbits(array.element)) {
    if (!array.values[size_t(index)])
      return make_error(ErrorCode::UndefRefError, "access to an element or a field that was not set");
    return array.values[size_t(index)];
  }
  return from_bytes(types, array.element,
                    array.bytes.data() + size_t(index) * layout_of(types, array.element)->size);
}

Result<void> set_array_element(TypeContext &types, HostArray &array, int64_t index, const Value &value) {
  KILN_CHECK(check_index(array, index));
  if (!types.is_isbits(array.element)) {
    array.values[size_t(index)] = value;
    return {};
  }
  if (value.type() != array.element)
    return internal_error(
        fmt::format("a {} is stored in an array of {}", to_string(value.type()), to_string(array.element)));
  KILN_TRY(auto bytes, to_bytes(types, value));
  std::memcpy(array.bytes.data() + size_t(index) * bytes.size(), bytes.data(), bytes.size());
  return {};
}

Result<Value> make_array(TypeContext &types, TypeRef element, std::vector<int64_t> dims,
                         Interpreter::State &state) {
  auto array = std::make_shared<HostArray>();
  array->element = element;
  uint64_t count = 1;
  for (int64_t d : dims) {
    if (d < 0 || (d > 0 && count > (uint64_t(1) << 48) / uint64_t(d)))
      return make_error(ErrorCode::ArgumentError, fmt::format("invalid array dimension {}", d));
    count *= uint64_t(d);
  }
  array->dims = std::move(dims);
  if (types.is_isbits(element)) {
    uint64_t size = layout_of(types, element)->size;
    if (size && count > state.limits.bytes / size)
      return make_error(ErrorCode::OutOfMemoryError,
                        fmt::format("an array of {} elements of {} is larger than the limit of {} bytes",
                                    count, to_string(element), state.limits.bytes));
    KILN_CHECK(state.charge(count * size));
    array->bytes.resize(count * size);
  } else {
    if (count > state.limits.bytes / sizeof(Value))
      return make_error(ErrorCode::OutOfMemoryError,
                        fmt::format("an array of {} elements is larger than the limit", count));
    KILN_CHECK(state.charge(count * sizeof(Value)));
    array->values.resize(count);
  }
  TypeRef params[] = {element, types.constant(int64_t(array->dims.size()))};
  return Value::array(types.data(*types.builtins().ArrayName, params), std::move(array));
}

namespace {

using Args = std::span<const Value>;

std::optional<int64_t> integer(TypeContext &types, const Value &v) {
  if (!v.is_primitive() || !types.is_integer(v.type())) return std::nullopt;
  uint64_t bits = v.low_bits();
  if (v.type() == types.builtins().Int32) return int32_t(bits);
  if (v.type() == types.builtins().Int16) return int16_t(bits);
  if (v.type() == types.builtins().Int8) return int8_t(bits);
  return int64_t(bits);
}

// Dimensions given as integers or as one tuple of them.
Result<std::vector<int64_t>> dimensions(TypeContext &types, std::string_view function, Args args) {
  std::vector<int64_t> dims;
  std::vector<Value> flat(args.begin(), args.end());
  if (flat.size() == 1 && flat[0].fields()) flat = std::vector<Value>(*flat[0].fields());
  for (const Value &v : flat) {
    auto n = integer(types, v);
    if (!n)
      return make_error(ErrorCode::MethodError,
                        fmt::format("{}: a dimension must be an integer, not {}", function, to_string(v)));
    dims.push_back(*n);
  }
  return dims;
}

// A leading element type, Float64 by default.
TypeRef element_type(TypeContext &types, Args &args) {
  if (!args.empty())
    if (TypeRef type = args[0].as_type()) {
      args = args.subspan(1);
      return type;
    }
  return types.builtins().Float64;
}

Result<Value> number_like(Interpreter &interpreter, std::string_view function, TypeRef type) {
  TypeContext &types = interpreter.world().types();
  KILN_TRY(auto f, interpreter.world().lookup(*interpreter.world().base(), types.symbol(function),
                                              interpreter.world().age()));
  if (!f) return internal_error(fmt::format("Base has no function `{}`", function));
  Value args[] = {Value::type_value(types, type)};
  return interpreter.call(*f, args);
}

Result<Value> filled(Interpreter &interpreter, const Value &value, std::vector<int64_t> dims) {
  TypeContext &types = interpreter.world().types();
  KILN_TRY(Value array, make_array(types, value.type(), std::move(dims), interpreter.state()));
  HostArray &a = *array.as_array();
  if (types.is_isbits(a.element)) {
    KILN_TRY(auto bytes, to_bytes(types, value));
    for (size_t i = 0; bytes.size() && i < a.bytes.size(); i += bytes.size())
      std::memcpy(a.bytes.data() + i, bytes.data(), bytes.size());
  } else {
    std::fill(a.values.begin(), a.values.end(), value);
  }
  return array;
}

// Uniform in [0, 1) for floats, over the whole range for integers.
Result<Value> random(Interpreter &interpreter, Args args) {
  TypeContext &types = interpreter.world().types();
  if (!args.empty() && is_static_array(interpreter, args[0])) return Value();
  if (interpreter.runs_program() && !args.empty() && !args[0].is_primitive() && !args[0].as_type())
    return Value(); // behind a generator that a method knows
  const auto &b = types.builtins();
  auto &engine = interpreter.state().random;
  TypeRef type = element_type(types, args);
  bool scalar = args.empty();
  if (!types.is_float(type) && !types.is_integer(type))
    return make_error(ErrorCode::MethodError,
                      fmt::format("rand of {} is not supported: take a number type", to_string(type)));
  if (type == b.BFloat16 && interpreter.runs_program()) return Value(); // a method of the library's draws it
  if (type == b.BFloat16) return make_error(ErrorCode::MethodError, "rand of BFloat16 is not supported");
  KILN_TRY(auto dims, dimensions(types, "rand", args));
  KILN_TRY(Value array,
           make_array(types, type, scalar ? std::vector<int64_t>{1} : std::move(dims), interpreter.state()));
  HostArray &a = *array.as_array();
  int64_t count = a.length();
  std::byte *out = a.bytes.data();
  for (int64_t i = 0; i < count; i++) {
    uint64_t bits = engine();
    if (type == b.Float64)
      reinterpret_cast<double *>(out)[i] = double(bits >> 11) * 0x1p-53;
    else if (type == b.Float32)
      reinterpret_cast<float *>(out)[i] = float(bits >> 40) * 0x1p-24f;
    else if (type == b.Float16)
      reinterpret_cast<_Float16 *>(out)[i] = _Float16(float(bits >> 53) * 0x1p-11f);
    else if (type == b.Bool)
      out[i] = std::byte(bits >> 63);
    else {
      size_t size = layout_of(types, type)->size;
      uint64_t words[2] = {bits, size > 8 ? engine() : 0};
      std::memcpy(out + size_t(i) * size, words, size);
    }
  }
  return scalar ? array_element(types, a, 0) : Result<Value>(array);
}

// Linear 0-based index of A[i, j, ...]; no value: not an index of integers.
Result<std::optional<int64_t>> linear_index(Interpreter &interpreter, const Value &array, Args indices) {
  TypeContext &types = interpreter.world().types();
  const HostArray &a = *array.as_array();
  int64_t linear = 0, stride = 1;
  for (size_t k = 0; k < indices.size(); k++) {
    auto i = integer(types, indices[k]);
    if (!i) return std::optional<int64_t>();
    int64_t extent = indices.size() == 1 ? a.length() : k < a.dims.size() ? a.dims[k] : 1;
    if (*i < 1 || *i > extent) return interpreter.bounds_error(array, tuple_value(types, indices));
    linear += (*i - 1) * stride;
    stride *= extent;
  }
  return std::optional<int64_t>(linear);
}

} // namespace

Result<void> add_host_library(Interpreter &interpreter) {
  World &world = interpreter.world();
  TypeContext &types = world.types();
  Module &base = *world.base();
  auto add = [&](std::string_view name, auto function) {
    return interpreter.add_host_function(base, name, function);
  };
  auto on_array = [](auto body) { // only for calls whose first argument is a host array
    return [body](Interpreter &i, Args args) -> Result<Value> {
      if (args.empty() || !args[0].as_array()) return Value();
      return body(i, args);
    };
  };
  KILN_CHECK(add("rand", [](Interpreter &i, Args args) { return random(i, args); }));
  for (std::string_view name : {"zeros", "ones"}) {
    const char *value = name == "zeros" ? "zero" : "one";
    KILN_CHECK(add(name, [name, value](Interpreter &i, Args args) -> Result<Value> {
      if (args.size() == 1 && is_static_array(i, args[0])) return Value();
      TypeRef type = element_type(i.world().types(), args);
      KILN_TRY(auto dims, dimensions(i.world().types(), name, args));
      if (std::find(dims.begin(), dims.end(), 0) != dims.end())
        return make_array(i.world().types(), type, std::move(dims), i.state()); // T[] of any T
      KILN_TRY(Value element, number_like(i, value, type));
      return filled(i, element, std::move(dims));
    }));
  }
  KILN_CHECK(add("fill", [](Interpreter &i, Args args) -> Result<Value> {
    if (args.size() < 2 || is_static_array(i, args[1])) return Value();
    KILN_TRY(auto dims, dimensions(i.world().types(), "fill", args.subspan(1)));
    return filled(i, args[0], std::move(dims));
  }));
  KILN_CHECK(add("size", on_array([&types](Interpreter &, Args args) -> Result<Value> {
                   const HostArray &a = *args[0].as_array();
                   if (args.size() == 2) {
                     auto d = integer(types, args[1]);
                     if (!d || *d < 1)
                       return make_error(ErrorCode::BoundsError, "size: a dimension counts from 1");
                     return types.int64(*d <= int64_t(a.dims.size()) ? a.dims[size_t(*d - 1)] : 1);
                   }
                   std::vector<Value> dims;
                   for (int64_t d : a.dims) dims.push_back(types.int64(d));
                   KILN_TRY(auto tuple, apply_builtin(types, Intrinsic::tuple, dims));
                   return std::move(*tuple);
                 })));
  KILN_CHECK(add("length", on_array([&types](Interpreter &, Args args) -> Result<Value> {
                   return types.int64(args[0].as_array()->length());
                 })));
  KILN_CHECK(add("ndims", on_array([&types](Interpreter &, Args args) -> Result<Value> {
                   return types.int64(int64_t(args[0].as_array()->dims.size()));
                 })));
  KILN_CHECK(add("eltype", on_array([&types](Interpreter &, Args args) -> Result<Value> {
                   return Value::type_value(types, args[0].as_array()->element);
                 })));
  KILN_CHECK(add_list_library(interpreter));
  KILN_CHECK(add_control_library(interpreter));
  KILN_CHECK(add("getindex", on_array([&types](Interpreter &i, Args args) -> Result<Value> {
                   if (args.size() == 2) {
                     KILN_TRY(auto slice, slice_of(i, args[0], args[1]));
                     if (slice) return std::move(*slice);
                   }
                   if (args.size() > 2 && std::ranges::any_of(args.subspan(1), [](const Value &v) {
                         return !v.is_primitive();
                       })) {
                     KILN_TRY(auto part, part_of(i, args[0], args.subspan(1)));
                     if (part) return std::move(*part);
                   }
                   KILN_TRY(auto index, linear_index(i, args[0], args.subspan(1)));
                   if (!index)
                     return make_error(ErrorCode::MethodError, "a host array is indexed by integers here");
                   return array_element(types, *args[0].as_array(), *index);
                 })));
  KILN_CHECK(add("setindex!", on_array([&types](Interpreter &i, Args args) -> Result<Value> {
                   if (args.size() < 2) return Value();
                   KILN_TRY(auto index, linear_index(i, args[0], args.subspan(2)));
                   if (!index)
                     return make_error(ErrorCode::MethodError, "a host array is indexed by integers here");
                   KILN_TRY(Value converted, i.convert(args[0].as_array()->element, args[1]));
                   KILN_CHECK(set_array_element(types, *args[0].as_array(), *index, converted));
                   return args[0];
                 })));
  // Array literals: [1, 2, 3].
  KILN_CHECK(add("vect", [&types](Interpreter &i, Args args) -> Result<Value> {
    if (args.empty()) return make_array(types, types.builtins().Any, {0}, i.state());
    TypeRef element = args[0].type();
    for (const Value &arg : args)
      if (arg.type() != element) element = types.builtins().Any;
    if (element == types.builtins().Any && std::all_of(args.begin(), args.end(), [&](const Value &v) {
          return is_subtype(types, v.type(), types.builtins().Number);
        })) {
      std::vector<Value> of;
      for (const Value &arg : args) of.push_back(Value::type_value(types, arg.type()));
      KILN_TRY(auto promote,
               i.world().lookup(*i.world().base(), types.symbol("promote_type"), i.world().age()));
      if (!promote) return internal_error("Base has no function `promote_type`");
      Value common = of[0];
      for (size_t k = 1; k < of.size(); k++) {
        Value two[] = {common, of[k]};
        KILN_TRY(common, i.call(*promote, two));
      }
      element = common.as_type();
    }
    KILN_TRY(Value array, make_array(types, element, {int64_t(args.size())}, i.state()));
    for (size_t k = 0; k < args.size(); k++) {
      KILN_TRY(Value one, i.convert(element, args[k]));
      KILN_CHECK(set_array_element(types, *array.as_array(), int64_t(k), one));
    }
    return array;
  }));
  KILN_CHECK(add(
      "unit_at",
      [&types](Interpreter &, Args args) -> Result<Value> { // what compiled code reads from constant memory
        const std::string *text = args.size() == 2 ? args[0].as_string() : nullptr;
        auto k = text ? integer(types, args[1]) : std::nullopt;
        if (!k || *k < 0 || *k >= int64_t(text->size())) return Value();
        return Value::primitive(types.builtins().UInt8, {static_cast<unsigned char>((*text)[size_t(*k)]), 0});
      }));
  KILN_CHECK(add("string", [&types](Interpreter &i, Args args) -> Result<Value> {
    std::string text;
    for (const Value &v : args)
      text += v.as_string()   ? *v.as_string()
              : v.as_symbol() ? std::string(v.as_symbol().text())
                              : to_string(v);
    if (text.size() > i.state().limits.string_bytes)
      return make_error(ErrorCode::OutOfMemoryError,
                        fmt::format("a string of more than {} bytes", i.state().limits.string_bytes), {},
                        "strings are for names and messages");
    return Value::string(types, std::move(text));
  }));
  return {};
}

} // namespace kiln
