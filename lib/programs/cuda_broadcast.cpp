// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs dotted calls on device arrays. A nest of dotted calls is one kernel, compiled for the nest's type.
// Shapes and repeated dimensions are determined when the kernel runs.
#include "cuda.h"

namespace kiln {

namespace {

std::string axes_text(std::span<const int64_t> dims) {
  std::string text;
  for (int64_t d : dims) text += fmt::format("{}Base.OneTo({})", text.empty() ? "" : ", ", d);
  return fmt::format("({}{})", text, dims.size() == 1 ? "," : "");
}

} // namespace

const std::vector<Value> *CudaLibrary::nest_arguments(const Value &nest) const {
  return (*nest.fields())[nest_arguments_].fields();
}

Result<std::vector<int64_t>> CudaLibrary::size_of(const Value &array) {
  std::vector<int64_t> dims;
  const std::vector<Value> *extents = nullptr;
  Value asked;
  if (const HostArray *host = array.as_array()) return host->dims;
  if (const auto *fields = array_fields(array)) {
    extents = (*fields)[2].fields();
  } else {
    KILN_TRY(auto size, world_.lookup(*world_.base(), types_.symbol("size"), world_.age()));
    if (!size) return internal_error("Base has no function size");
    KILN_TRY(asked, interpreter_.call(*size, std::span(&array, 1)));
    extents = asked.fields();
  }
  if (extents)
    for (const Value &extent : *extents) dims.push_back(int64_t(extent.low_bits()));
  return dims;
}

bool CudaLibrary::is_array(TypeRef type) {
  auto array = world_.lookup(*world_.base(), types_.symbol("AbstractArray"), world_.age());
  return array.ok() && *array && (*array)->as_type() && is_subtype(types_, type, (*array)->as_type());
}

/// Broadcasts the shape of a dotted call's argument into `shape`: extents of 1 and missing dimensions are
/// repeated.
Result<void> CudaLibrary::meet(Shape &shape, const Value &node) {
  if (node.is_primitive() || node.as_type() || !node.type()) return {};
  const DataType *type = node.type()->as<DataType>();
  if (!type) return {};
  std::vector<int64_t> own;
  if (type->is_tuple()) {
    own = {int64_t(types_.field_count(type))};
  } else if (&type->name() == broadcasted_) {
    // Determines the shape of the inner call's arguments first, for error messages.
    const auto *args = nest_arguments(node);
    Shape inner;
    if (args)
      for (const Value &arg : *args) KILN_CHECK(meet(inner, arg));
    own = std::move(inner.dims);
  } else if (node.as_array() || is_array(node.type())) {
    KILN_TRY(own, size_of(node));
  } else {
    return {};
  }
  std::vector<int64_t> &dims = shape.dims;
  const std::vector<int64_t> before = dims;
  if (own.size() > dims.size()) dims.resize(own.size(), 1);
  for (size_t i = 0; i < own.size(); i++) {
    if (dims[i] == own[i] || own[i] == 1) continue;
    if (dims[i] != 1)
      return make_error(
          ErrorCode::DimensionMismatch,
          fmt::format("arrays could not be broadcast to a common size: a has axes Base.OneTo({}) and "
                      "b has axes Base.OneTo({})",
                      before[i], own[i]));
    dims[i] = own[i];
  }
  return {};
}

/// Returns true if no array in the nest is repeated: all take the same linear index as the result.
bool CudaLibrary::is_linear(const Value &node, std::span<const int64_t> dims) {
  if (node.is_primitive() || node.as_type() || !node.type()) return true;
  const DataType *type = node.type()->as<DataType>();
  if (!type) return true;
  if (type->is_tuple()) {
    const auto n = int64_t(types_.field_count(type));
    return n == 1 || (dims.size() == 1 && dims[0] == n);
  }
  if (&type->name() == broadcasted_) {
    if (const auto *args = nest_arguments(node))
      for (const Value &arg : *args)
        if (!is_linear(arg, dims)) return false;
    return true;
  }
  if (&type->name() != cu_array_ && !is_array(node.type())) return true;
  auto own = size_of(node);
  if (!own.ok()) return false;
  if (own->empty()) return true;
  if (!std::equal(own->begin(), own->end(), dims.begin(), dims.end())) return false;
  return &type->name() == cu_array_ || own->size() == 1;
}

/// __broadcast_size(nest): its dimensions
Result<Value> CudaLibrary::broadcast_size(Args args) {
  KILN_CHECK(open());
  Shape shape;
  KILN_CHECK(meet(shape, args[0]));
  std::vector<Value> dims;
  for (int64_t d : shape.dims) dims.push_back(types_.int64(d));
  std::vector<TypeRef> ints(dims.size(), types_.builtins().Int64);
  TypeRef tuple = types_.tuple(ints);
  return dims.empty() ? Value::singleton(tuple) : Value::structure(tuple, std::move(dims));
}

/// __broadcast_element(nest): the element type of a nest's result, by inference alone
Result<Value> CudaLibrary::broadcast_element(Args args) {
  KILN_CHECK(open());
  KILN_TRY(Value seen, converted(args[0], false));
  TypeRef arguments[] = {types_.type_of(seen), types_.builtins().Int64};
  KILN_TRY(TypeRef type, inferred(element_function_, arguments));
  return Value::type_value(types_, type);
}

/// __broadcast_into(destination, nest)
Result<Value> CudaLibrary::broadcast_into(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  const Value &array = args[0], &nest = args[1];
  if (array_fields(array)) {
    KILN_TRY(NestFacts * facts, facts_of(nest));
    Extents shape;
    if (facts->is_plain && meet_extents(shape, nest)) {
      KILN_TRY(bool done, launch_nest(array, nest, shape));
      if (done) return array;
    }
  }
  KILN_TRY(std::vector<int64_t> dims, size_of(array));
  Shape shape;
  KILN_CHECK(meet(shape, nest));
  bool fits = true;
  for (size_t i = 0; i < shape.dims.size(); i++)
    fits &= shape.dims[i] == 1 || (i < dims.size() && shape.dims[i] == dims[i]);
  if (!fits)
    return make_error(ErrorCode::DimensionMismatch,
                      fmt::format("destination axes {} are not compatible with source axes {}",
                                  axes_text(dims), axes_text(shape.dims)));
  uint64_t count = 1;
  for (int64_t d : dims) count *= uint64_t(d);
  if (count == 0) return array;
  Destination into{.array = array};
  if (auto at = extent(array)) std::tie(into.first, into.end) = *at;
  KILN_TRY(Value to, converted(array, false));
  KILN_TRY(Value from, converted(nest, false, &into));
  const Value &kernel = is_linear(array, dims) && is_linear(nest, dims) ? linear_kernel_ : cartesian_kernel_;
  Value arguments[] = {std::move(to), std::move(from)};
  KILN_TRY(const Code *code, code_of_statement(kernel, arguments, count));
  constexpr uint64_t threads = 256;
  const uint64_t used = std::min(count, threads);
  LaunchShape launch{.blocks = {uint32_t((count + used - 1) / used), 1, 1},
                     .threads = {uint32_t(used), 1, 1}};
  KILN_CHECK(put(*queue, *code, kernel, arguments, launch));
  return array;
}

} // namespace kiln
