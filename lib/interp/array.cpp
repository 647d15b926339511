// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of host arrays in the interpreter: zeros, ones, fill, rand, size, length, indexing.
#include "fold.h"
#include "host_arrays.h"
#include "state.h"

#include <algorithm>
#include <cstring>

namespace kiln {

namespace {

using Args = std::span<const Value>;

bool is_static_array(Interpreter &interpreter, const Value &value) {
  TypeRef type = value.as_type() ? find_base_type(interpreter, "StaticArray") : nullptr;
  return type && is_subtype(interpreter.world().types(), value.as_type(), type);
}

Result<std::vector<int64_t>> dimensions(TypeContext &types, std::string_view function, Args args) {
  if (auto dims = read_dims(types, args)) return std::move(*dims);
  const Value tuple = tuple_value(types, args);
  return make_error(ErrorCode::MethodError,
                    fmt::format("{}: dimensions must be integers, not {}", function, spell(tuple)));
}

// Removes a leading element type from `args` and returns it; Float64 if there is none.
TypeRef element_type(TypeContext &types, Args &args) {
  if (!args.empty())
    if (TypeRef type = args[0].as_type()) {
      args = args.subspan(1);
      return type;
    }
  return types.builtins().Float64;
}

Result<Value> filled(Interpreter &interpreter, const Value &value, std::vector<int64_t> dims) {
  TypeContext &types = interpreter.world().types();
  KILN_TRY(Value array, make_array(interpreter, value.type(), std::move(dims)));
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

// Random floats in [0, 1), or random integers over the whole range of their type.
Result<Value> random(Interpreter &interpreter, Args args) {
  TypeContext &types = interpreter.world().types();
  if (!args.empty() && is_static_array(interpreter, args[0])) return Value();
  if (interpreter.runs_program() && !args.empty() && !args[0].is_primitive() && !args[0].as_type())
    return Value(); // the first argument is a generator: a library method handles the call
  const auto &b = types.builtins();
  auto &engine = state_of(interpreter).random;
  TypeRef type = element_type(types, args);
  bool scalar = args.empty();
  const bool is_number = types.is_float(type) || types.is_integer(type);
  if (!is_number && interpreter.runs_program()) return Value(); // a method draws it
  if (!is_number)
    return make_error(ErrorCode::MethodError,
                      fmt::format("rand of {} is not supported: take a number type", spell(type)));
  if (type == b.BFloat16 && interpreter.runs_program()) return Value(); // a library method handles it
  if (type == b.BFloat16) return make_error(ErrorCode::MethodError, "rand of BFloat16 is not supported");
  KILN_TRY(auto dims, dimensions(types, "rand", args));
  KILN_TRY(Value array, make_array(interpreter, type, scalar ? std::vector<int64_t>{1} : std::move(dims)));
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
  return scalar ? get_element(types, a, 0) : Result<Value>(array);
}

Result<Value> get_index(Interpreter &interpreter, Args args) {
  TypeContext &types = interpreter.world().types();
  const HostArray &array = *args[0].as_array();
  if (const auto place = find_place(types, array, args.subspan(1))) return get_element(types, array, *place);
  KILN_TRY(auto indices, read_indices(interpreter, args[0], args.subspan(1)));
  const std::vector<int64_t> places = list_places(array, indices);
  std::vector<int64_t> dims;
  for (const ArrayIndex &index : indices) dims.insert(dims.end(), index.dims.begin(), index.dims.end());
  if (std::ranges::all_of(indices, &ArrayIndex::is_scalar)) return get_element(types, array, places[0]);
  KILN_TRY(Value made, make_array(interpreter, array.element, std::move(dims)));
  HostArray &out = *made.as_array();
  const size_t size = types.is_isbits(array.element) ? layout_of(types, array.element)->size : 0;
  for (size_t i = 0; i < places.size(); ++i)
    if (size && size_t(places[i]) >= array.bytes.size() / size)
      return get_element(types, array, places[i]); // an error: an index's iterator shortened the array
    else if (size)
      std::memcpy(out.bytes.data() + i * size, array.bytes.data() + size_t(places[i]) * size, size);
    else if (!array.values.empty())
      out.values[i] = array.values[size_t(places[i])];
  return made;
}

Result<Value> set_index(Interpreter &interpreter, Args args) {
  if (args.size() < 2) return Value();
  TypeContext &types = interpreter.world().types();
  HostArray &array = *args[0].as_array();
  const Value &value = args[1];
  auto store = [&](int64_t place) -> Result<Value> {
    KILN_TRY(Value converted, interpreter.convert(array.element, value));
    KILN_CHECK(set_element(types, array, place, converted));
    return args[0];
  };
  if (const auto place = find_place(types, array, args.subspan(2))) return store(*place);
  KILN_TRY(auto indices, read_indices(interpreter, args[0], args.subspan(2)));
  const std::vector<int64_t> places = list_places(array, indices);
  if (std::ranges::all_of(indices, &ArrayIndex::is_scalar)) return store(places[0]);
  TypeRef abstract =
      value.as_array() || value.is_primitive() ? nullptr : find_base_type(interpreter, "AbstractArray");
  if (!value.as_array() && !(abstract && is_subtype(types, value.type(), abstract)))
    return make_error(
        ErrorCode::ArgumentError,
        "indexed assignment with a single value to possibly many locations is not supported; perhaps use broadcasting `.=` instead?");
  KILN_TRY(auto source, collect_elements(interpreter, value));
  if (source.size() != places.size())
    return make_error(
        ErrorCode::DimensionMismatch,
        fmt::format("tried to assign {} elements to {} destinations", source.size(), places.size()));
  for (Value &v : source) {
    KILN_TRY(v, interpreter.convert(array.element, v));
  }
  for (size_t i = 0; i < places.size(); ++i) KILN_CHECK(set_element(types, array, places[i], source[i]));
  return args[0];
}

// Makes the vector [a, b, ...]. Elements are promoted to a common type. Outside programs only numbers are;
// other elements get the join of their types.
Result<Value> vect(Interpreter &interpreter, Args args) {
  TypeContext &types = interpreter.world().types();
  TypeRef number = types.builtins().Number, element = nullptr;
  auto is_number = [&](const Value &v) { return is_subtype(types, v.type(), number); };
  if (!interpreter.runs_program() && !std::ranges::all_of(args, is_number))
    return make_array_from(interpreter, args, nullptr);
  for (const Value &v : args) {
    if (element && element != v.type()) {
      Value two[] = {Value::type_value(types, element), Value::type_value(types, v.type())};
      KILN_TRY(Value common, call_base(interpreter, "promote_type", two));
      element = common.as_type();
    } else {
      element = v.type();
    }
  }
  return make_array_from(interpreter, args, element);
}

} // namespace

Result<void> add_host_library(Interpreter &interpreter) {
  CompilerWorld &world = compiler_world(interpreter.world());
  TypeContext &types = world.types();
  Module &base = *world.base();
  auto add = [&](std::string_view name, auto function) {
    return interpreter.add_host_function(base, name, function);
  };
  auto on_array = [](auto body) { // wraps a function for calls with a host array as first argument
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
      if (i.runs_program() && !read_dims(i.world().types(), args)) return Value(); // a package's axes
      KILN_TRY(auto dims, dimensions(i.world().types(), name, args));
      if (std::find(dims.begin(), dims.end(), 0) != dims.end())
        return make_array(i, type, std::move(dims)); // T[] for any T
      const Value of_type = Value::type_value(i.world().types(), type);
      KILN_TRY(Value element, call_base(i, value, std::span(&of_type, 1)));
      return filled(i, element, std::move(dims));
    }));
  }
  KILN_CHECK(add("fill", [](Interpreter &i, Args args) -> Result<Value> {
    if (args.size() < 2 || is_static_array(i, args[1])) return Value();
    if (i.runs_program() && !read_dims(i.world().types(), args.subspan(1)))
      return Value(); // a package's axes
    KILN_TRY(auto dims, dimensions(i.world().types(), "fill", args.subspan(1)));
    return filled(i, args[0], std::move(dims));
  }));
  KILN_CHECK(add("size", on_array([&types](Interpreter &, Args args) -> Result<Value> {
                   const HostArray &a = *args[0].as_array();
                   if (args.size() == 2) {
                     auto d = integer_of(types, args[1]);
                     if (!d || *d < 1)
                       return make_error(ErrorCode::BoundsError, "size: a dimension counts from 1");
                     return types.int64(*d <= int64_t(a.dims.size()) ? a.dims[size_t(*d - 1)] : 1);
                   }
                   std::vector<Value> dims;
                   for (int64_t d : a.dims) dims.push_back(types.int64(d));
                   return tuple_value(types, dims);
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
  KILN_CHECK(add("getindex", on_array(get_index)));
  KILN_CHECK(add("setindex!", on_array(set_index)));
  KILN_CHECK(add("vect", vect));
  KILN_CHECK(add("undef_array", [](Interpreter &i, Args args) -> Result<Value> {
    if (args.empty() || !args[0].as_type()) return Value();
    KILN_TRY(auto dims, dimensions(i.world().types(), "undef_array", args.subspan(1)));
    return make_array(i, args[0].as_type(), std::move(dims));
  }));
  // The function unit_at returns the byte of a string at an index. Compiled code loads it from constant
  // memory.
  KILN_CHECK(add("unit_at", [&types](Interpreter &, Args args) -> Result<Value> {
    const std::string *text = args.size() == 2 ? args[0].as_string() : nullptr;
    auto k = text ? integer_of(types, args[1]) : std::nullopt;
    if (!k || *k < 0 || *k >= int64_t(text->size())) return Value();
    return Value::primitive(types.builtins().UInt8, {static_cast<unsigned char>((*text)[size_t(*k)]), 0});
  }));
  KILN_CHECK(add("string", [&types](Interpreter &i, Args args) -> Result<Value> {
    std::string text;
    for (const Value &v : args)
      text += v.as_string()   ? *v.as_string()
              : v.as_symbol() ? std::string(v.as_symbol().text())
                              : to_string(v);
    if (text.size() > state_of(i).limits.string_bytes)
      return make_error(ErrorCode::OutOfMemoryError,
                        fmt::format("a string of more than {} bytes", state_of(i).limits.string_bytes), {},
                        "strings are for names and messages");
    return Value::string(types, std::move(text));
  }));
  return {};
}

} // namespace kiln
