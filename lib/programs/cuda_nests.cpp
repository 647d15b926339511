// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dotted calls of device arrays, numbers and functions alone. Facts that follow from the nest's type are
// found once; a call then only compares extents.
#include "cuda.h"

namespace kiln {

namespace {
constexpr size_t max_nests = 10'000; // types; facts are found anew then
}

/// Returns true if the nest has only device arrays and values that count as scalars.
bool CudaLibrary::is_plain_nest(const Value &node) {
  if (node.is_primitive() || node.as_type() || array_fields(node)) return true;
  const DataType *type = node.type() ? node.type()->as<DataType>() : nullptr;
  const std::vector<Value> *fields = node.fields();
  if (!type || !fields) return false;
  if (&type->name() == broadcasted_) {
    const std::vector<Value> *args = nest_arguments(node);
    return args && std::ranges::all_of(*args, [&](const Value &arg) { return is_plain_nest(arg); });
  }
  return fields->empty() && !type->is_tuple() && !is_array(type);
}

Result<CudaLibrary::NestFacts *> CudaLibrary::facts_of(const Value &nest) {
  KILN_CHECK(open());
  NestFacts &facts = nests_[nest.type()];
  if (facts.world == world_.age()) return &facts;
  if (nests_.size() > max_nests) nests_.clear();
  NestFacts found;
  found.is_plain = is_plain_nest(nest);
  found.is_in_device_memory = found.is_plain && is_in_device_memory(nest);
  if (found.is_plain && nest.type()->as<DataType>() && &nest.type()->as<DataType>()->name() == broadcasted_) {
    KILN_TRY(auto kind_of, world_.lookup(*world_.base(), types_.symbol("broadcast_kind"), world_.age()));
    if (!kind_of) return internal_error("Base has no function broadcast_kind");
    KILN_TRY(Value kind, interpreter_.call(*kind_of, std::span(&nest, 1)));
    KILN_TRY(TypeRef of_device, named_type("OfDevice"));
    found.is_of_device = kind.type() == of_device;
  }
  found.world = world_.age();
  return &(nests_[nest.type()] = found);
}

bool CudaLibrary::meet_extents(Extents &shape, const Value &node) const {
  if (node.is_primitive()) return true;
  const std::vector<Value> *array = array_fields(node);
  if (!array) {
    const DataType *type = node.type()->as<DataType>();
    if (!type || &type->name() != broadcasted_) return true;
    const std::vector<Value> *args = nest_arguments(node);
    return !args || std::ranges::all_of(*args, [&](const Value &arg) { return meet_extents(shape, arg); });
  }
  const std::vector<Value> &extents = *(*array)[2].fields();
  if (extents.size() > Extents::max_rank) return false;
  if (extents.empty()) return true; // a scalar
  if (!std::exchange(shape.has_array, true)) {
    shape.rank = extents.size();
    for (size_t i = 0; i < extents.size(); ++i) shape.dims[i] = int64_t(extents[i].low_bits());
    return true;
  }
  shape.is_uniform &= shape.rank == extents.size();
  for (; shape.rank < extents.size(); ++shape.rank) shape.dims[shape.rank] = 1;
  for (size_t i = 0; i < extents.size(); ++i) {
    const auto extent = int64_t(extents[i].low_bits());
    if (extent == shape.dims[i]) continue;
    shape.is_uniform = false;
    if (shape.dims[i] == 1)
      shape.dims[i] = extent;
    else if (extent != 1)
      return false;
  }
  return true;
}

Result<bool> CudaLibrary::launch_nest(const Value &array, const Value &nest, const Extents &shape) {
  const std::vector<Value> &dims = *(*array_fields(array))[2].fields();
  bool is_linear = shape.is_uniform && (!shape.has_array || shape.rank == dims.size());
  uint64_t count = 1;
  for (size_t i = 0; i < std::max(shape.rank, dims.size()); ++i) {
    const int64_t from = i < shape.rank ? shape.dims[i] : 1;
    const int64_t to = i < dims.size() ? int64_t(dims[i].low_bits()) : 1;
    if (from != 1 && from != to) return false;
    is_linear &= !shape.has_array || from == to;
    count *= uint64_t(to);
  }
  if (count == 0) return true;
  Destination into{.array = array};
  const auto at = extent(array);
  if (!at) return false;
  std::tie(into.first, into.end) = *at;
  const uint64_t threads = std::min<uint64_t>(count, 256);
  const LaunchShape launch{.blocks = {uint32_t((count + threads - 1) / threads), 1, 1},
                           .threads = {uint32_t(threads), 1, 1}};
  const Value arguments[] = {array, nest};
  KILN_TRY(Launched done, launch_prepared(*main_, is_linear ? linear_kernel_ : cartesian_kernel_, arguments,
                                          launch, count, &into));
  return bool(done);
}

/// Runs a plain nest into a new array. An empty Value: the result is a number, or the shapes differ.
Result<Value> CudaLibrary::new_of_plain_nest(NestFacts &facts, const Value &nest) {
  Extents shape;
  if (!meet_extents(shape, nest) || shape.rank == 0) return Value();
  if (!facts.element) {
    KILN_TRY(Value element, broadcast_element(std::span(&nest, 1)));
    facts.element = element.as_type();
  }
  const Layout *layout = types_.is_isbits(facts.element) ? layout_of(types_, facts.element) : nullptr;
  if (!layout) return Value(); // the Julia method reports the reason
  std::vector<Value> dims;
  uint64_t bytes = layout->size;
  for (size_t i = 0; i < shape.rank; ++i) {
    dims.push_back(types_.int64(shape.dims[i]));
    if (__builtin_mul_overflow(bytes, uint64_t(shape.dims[i]), &bytes)) return Value();
  }
  KILN_TRY(Value array, array_of(facts.element, tuple_of_ints(std::move(dims)), bytes));
  KILN_TRY(bool done, launch_nest(array, nest, shape));
  if (done) return array;
  const Value into[] = {std::move(array), nest};
  return broadcast_into(into);
}

/// materialize(nest) of Base: runs a nest of device arrays. An empty Value: the methods run it.
Result<Value> CudaLibrary::materialize(Args args) {
  const DataType *type =
      is_open_ && args.size() == 1 && args[0].fields() ? args[0].type()->as<DataType>() : nullptr;
  if (!type || &type->name() != broadcasted_) return Value();
  KILN_TRY(NestFacts * facts, facts_of(args[0]));
  if (!facts->is_of_device || !facts->is_in_device_memory) return Value();
  return new_of_plain_nest(*facts, args[0]);
}

/// new_of_nest(nest): runs a dotted call into a new array. An empty Value: its result is a number, or an
/// array is in another kind of memory.
Result<Value> CudaLibrary::new_of_nest(Args args) {
  KILN_TRY(NestFacts * facts, facts_of(args[0]));
  if (facts->is_in_device_memory) {
    KILN_TRY(Value made, new_of_plain_nest(*facts, args[0]));
    if (made) return made;
  }
  if (!is_in_device_memory(args[0])) return Value();
  KILN_TRY(Value dims, broadcast_size(args));
  if (!dims.fields() || dims.fields()->empty()) return Value();
  KILN_TRY(Value element, broadcast_element(args));
  const Value of[] = {std::move(element), std::move(dims)};
  KILN_TRY(Value array, new_array(of));
  if (!array) return array; // not made: the Julia method reports the reason
  const Value into[] = {std::move(array), args[0]};
  return broadcast_into(into);
}

} // namespace kiln
