// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the result arrays of dotted calls, and reduces arrays, without the interpreter. The kernels are in
// Julia (runtime/library/program/cuda/broadcast.jl, reduce.jl).
#include "cuda.h"

namespace kiln {
namespace {
constexpr uint32_t tile_threads = 256; ///< as scan_threads in Julia
}

Result<TypeRef> CudaLibrary::array_type(TypeRef element, size_t rank) {
  KILN_CHECK(open());
  TypeRef &type = array_types_[{element, rank}];
  if (!type) {
    KILN_TRY(TypeRef array, named_type("CuArray"));
    TypeRef params[] = {element, types_.constant(int64_t(rank)), device_memory_};
    KILN_TRY(type, types_.apply(array, params));
  }
  return type;
}

Result<Value> CudaLibrary::array_of(TypeRef element, const Value &dims, uint64_t bytes) {
  KILN_TRY(TypeRef type, array_type(element, dims.fields() ? dims.fields()->size() : 0));
  const Value count = types_.int64(int64_t(bytes));
  KILN_TRY(Value storage, allocate(std::span(&count, 1)));
  return Value::mutable_structure(type, {std::move(storage), types_.int64(0), dims, count});
}

Value CudaLibrary::tuple_of_ints(std::vector<Value> numbers) {
  while (int_tuples_.size() <= numbers.size())
    int_tuples_.push_back(types_.tuple(std::vector<TypeRef>(int_tuples_.size(), types_.builtins().Int64)));
  const TypeRef type = int_tuples_[numbers.size()];
  return numbers.empty() ? Value::singleton(type) : Value::structure(type, std::move(numbers));
}

/// new_array(T, dims): a device array. An empty Value: dims is not a tuple of Ints, or is invalid.
Result<Value> CudaLibrary::new_array(Args args) {
  TypeRef element = args[0].as_type();
  if (args.size() != 2 || !element || !args[1].type()->as<DataType>() ||
      !args[1].type()->as<DataType>()->is_tuple() || !types_.is_isbits(element))
    return Value();
  const Layout *layout = layout_of(types_, element);
  if (!layout) return Value();
  uint64_t bytes = layout->size;
  if (const auto *extents = args[1].fields())
    for (const Value &extent : *extents)
      if (extent.type() != types_.builtins().Int64 || int64_t(extent.low_bits()) < 0 ||
          __builtin_mul_overflow(bytes, extent.low_bits(), &bytes) || bytes > uint64_t(INT64_MAX))
        return Value();
  return array_of(element, args[1], bytes);
}

/// Returns true if all arrays of a dotted call are in ordinary device memory. Its result is then too.
bool CudaLibrary::is_in_device_memory(const Value &node) {
  const DataType *type = node.type() ? node.type()->as<DataType>() : nullptr;
  if (!type) return true;
  if (&type->name() == cu_array_) return type->params()[2] == device_memory_;
  const std::vector<Value> *fields = node.fields();
  return !fields ||
         std::ranges::all_of(*fields, [&](const Value &field) { return is_in_device_memory(field); });
}

/// Returns the extents of a dotted call's arrays, if all have one size and are contiguous. Otherwise empty.
Result<std::optional<std::vector<int64_t>>> CudaLibrary::plain_size(const Value &nest) {
  std::optional<std::vector<int64_t>> dims;
  const std::vector<Value> *arrays = nest_arguments(nest);
  if (!arrays) return dims;
  for (const Value &array : *arrays) {
    const DataType *type = array.type() ? array.type()->as<DataType>() : nullptr;
    if (!type || &type->name() != cu_array_) return std::nullopt;
    KILN_TRY(std::vector<int64_t> own, size_of(array));
    if (dims && *dims != own) return std::nullopt;
    dims = std::move(own);
  }
  return dims;
}

Result<CudaLibrary::Reduction> CudaLibrary::reduction_of(const Value &op, const Value &start, Args shape) {
  Reduction made{.op = op, .start = start, .order = in_order_, .tiles = {}};
  if (shape.size() < 3) return made;
  made.order = shape[0];
  KILN_TRY(made.tiles, tiles_of(shape[1], shape[2]));
  made.has_gpu_shape = true;
  return made;
}

/// Reduces the middle one of three extents to `fold.results()` elements at address `out`. A block reduces
/// together if its threads read neighbours along that extent; otherwise each thread reduces alone. If there
/// are few results, several parts share one, and a second launch reduces the partial results. `counts`:
/// include the initial value.
Result<void> CudaLibrary::reduce_into(const Reduction &reduction, bool counts, const Value &source,
                                      const Fold &fold, uint64_t out) {
  const TypeRef element = types_.type_of(reduction.start);
  const uint64_t bytes = layout_of(types_, element)->size, results = fold.results();
  const bool on_gpu = reduction.has_gpu_shape;
  const bool is_ordered = reduction.order.type() == in_order_.type();
  const uint64_t processors = on_gpu ? std::max<uint64_t>(device_.info().multiprocessors, 1) : 1;
  const bool by_blocks = on_gpu && fold.before < 32 && fold.folded >= 64 &&
                         (is_ordered ? reduction.tiles.elements > 0 : bytes <= widest_partial);
  const uint64_t tile = by_blocks && is_ordered ? reduction.tiles.elements : 0;
  const uint64_t threads = tile ? tile_threads : !by_blocks ? 256 : fold.folded < 1024 ? 64 : 256;
  // The number of parts must fill the device, and each part needs enough work. A CPU prefers long loops.
  const uint64_t wanted = by_blocks ? 8 * processors : on_gpu ? 2048 * processors : 256;
  const uint64_t work = by_blocks ? 8 * threads : on_gpu ? 16 : 4096;
  const auto divided_up = [](uint64_t n, uint64_t by) { return (n + by - 1) / by; };
  uint64_t parts = std::max<uint64_t>(
      std::min(divided_up(wanted, results),
               std::min<uint64_t>(divided_up(fold.folded, work), on_gpu ? UINT32_MAX : 64)),
      1);
  if (tile)
    parts = divided_up(fold.folded, tile);
  else if (is_ordered) // no empty part: the kernel's function parts_in divides likewise
    parts = divided_up(fold.folded, divided_up(fold.folded, parts));
  KILN_TRY(Queue * queue, main_queue());
  Buffer partial;
  if (parts > 1) {
    KILN_TRY(partial, queue->stream.allocate(results * parts * bytes));
  }
  const int64_t dims[] = {int64_t(results * parts)};
  KILN_TRY(Value to, device_array(element, dims,
                                  parts > 1 ? uint64_t(reinterpret_cast<uintptr_t>(partial.data())) : out));
  auto number = [&](uint64_t n) { return types_.int64(int64_t(n)); };
  std::vector<Value> all{to, reduction.op, reduction.start};
  if (tile)
    all.insert(all.end(), {types_.boolean(counts), source, number(fold.folded), number(fold.before),
                           number(parts), reduction.tiles.items});
  else if (by_blocks)
    all.insert(all.end(), {source, number(fold.before), number(fold.folded), number(results), number(parts)});
  else
    all.insert(all.end(), {reduction.order, types_.boolean(counts), source, number(fold.before),
                           number(fold.folded), number(results), number(parts)});
  const Value &kernel = tile ? reduce_tiles_ : by_blocks ? reduce_blocks_ : reduce_threads_;
  const uint64_t count = results * parts, used = by_blocks ? threads : std::min(count, threads);
  const uint64_t blocks = by_blocks ? count : divided_up(count, used);
  if (blocks > INT32_MAX)
    return make_error(ErrorCode::ArgumentError, "a reduction into too many elements for a grid");
  const LaunchShape shape{.blocks = {uint32_t(blocks), 1, 1}, .threads = {uint32_t(used), 1, 1}};
  KILN_TRY(Launched launched, launch_prepared(*queue, kernel, all, shape, results * fold.folded));
  if (!launched) {
    for (Value &argument : all) {
      KILN_TRY(argument, converted(argument, false));
    }
    KILN_TRY(const Code *code, code_of_statement(kernel, all, results * fold.folded));
    KILN_CHECK(put(*queue, *code, kernel, all, shape));
  }
  if (parts == 1) return {};
  // Order of the partial results: tiles of one line are adjacent; without tiles, results of one part are
  // adjacent.
  const Fold rest = tile ? Fold{.folded = parts, .after = results} : Fold{.before = results, .folded = parts};
  return reduce_into(reduction, false, to, rest, out);
}

/// __reduce_all(op, initial value, nest[, order, Val(K), K]): the result, or the text of a kernel's exception
/// as a string. Nothing: the nest has arrays of several sizes, parts of arrays, or no elements.
Result<Value> CudaLibrary::reduce_all(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  const TypeRef element = types_.type_of(args[1]);
  const Layout *layout = types_.is_isbits(element) ? layout_of(types_, element) : nullptr;
  KILN_TRY(auto dims, plain_size(args[2]));
  Fold fold;
  for (int64_t d : dims.value_or(std::vector<int64_t>())) fold.folded *= uint64_t(d);
  if (!layout || !layout->size || !dims || !fold.folded) return types_.nothing();
  KILN_TRY(Buffer result, queue->stream.allocate(layout->size));
  KILN_TRY(Reduction reduction, reduction_of(args[0], args[1], args.subspan(3)));
  KILN_CHECK(
      reduce_into(reduction, true, args[2], fold, uint64_t(reinterpret_cast<uintptr_t>(result.data()))));
  std::vector<std::byte> bytes(layout->size);
  KILN_CHECK(queue->stream.copy(bytes.data(), result.data(), layout->size));
  KILN_TRY(std::string thrown, wait_for(*queue));
  if (!thrown.empty()) return Value::string(types_, std::move(thrown));
  return from_bytes(types_, element, bytes.data());
}

/// __reduce_dims(op, initial value, nest, dims[, order, Val(K), K]): an array with extent 1 in `dims`.
/// Nothing: in the cases of __reduce_all, or if `dims` are not adjacent.
Result<Value> CudaLibrary::reduce_dims(Args args) {
  KILN_CHECK(open());
  const TypeRef element = types_.type_of(args[1]);
  const Layout *layout = types_.is_isbits(element) ? layout_of(types_, element) : nullptr;
  KILN_TRY(auto dims, plain_size(args[2]));
  const std::vector<Value> *wanted = args[3].fields();
  if (!layout || !layout->size || !dims || !wanted) return types_.nothing();
  std::vector<Value> kept;
  Fold fold;
  bool is_folding = false, is_after = false;
  for (size_t d = 0; d < dims->size(); d++) {
    const bool folds =
        std::ranges::any_of(*wanted, [&](const Value &each) { return each.low_bits() == d + 1; });
    const auto extent = uint64_t((*dims)[d]);
    kept.push_back(types_.int64(folds ? 1 : int64_t(extent)));
    if (extent == 0) return types_.nothing();
    if (extent == 1) continue; // belongs to any part
    is_after |= is_folding && !folds;
    is_folding |= folds;
    if (folds && is_after) return types_.nothing();
    (folds ? fold.folded : is_after ? fold.after : fold.before) *= extent;
  }
  KILN_TRY(Value array, array_of(element, tuple_of_ints(std::move(kept)), fold.results() * layout->size));
  const auto at = extent(array);
  if (!at) return internal_error("an array that was made has no memory");
  KILN_TRY(Reduction reduction, reduction_of(args[0], args[1], args.subspan(4)));
  KILN_CHECK(reduce_into(reduction, true, args[2], fold, at->first));
  return array;
}

/// Finds the initial value of a reduction from an operator's neutral element, and its launch shape on a GPU.
/// Both follow from types.
Result<const CudaLibrary::Start *> CudaLibrary::start_of(const Value &op, const Value &nest,
                                                         const Value &none) {
  Start &known = starts_[{op.type(), nest.type()}];
  if (known.world == world_.age()) return &known;
  Start found;
  auto ask = [&](std::string_view name, Args args) -> Result<Value> {
    KILN_TRY(auto function, world_.lookup(*cuda_, types_.symbol(name), world_.age()));
    if (!function) return internal_error(fmt::format("module CUDA has no function {}", name));
    return interpreter_.call(*function, args);
  };
  const Value of[] = {op, nest, none};
  KILN_TRY(found.value, ask("initial", of));
  if (device_.is_gpu()) {
    const Value types[] = {op, Value::type_value(types_, types_.type_of(found.value))};
    KILN_TRY(Value shape, ask("gpu_order", types));
    if (shape.fields()) found.shape = *shape.fields();
  }
  found.world = world_.age();
  return &(starts_[{op.type(), nest.type()}] = std::move(found));
}

/// reduce_to(op, nest, dims, initial value): reduces from the operator's neutral element. An empty Value: the
/// Julia method reduces, or reports the error.
Result<Value> CudaLibrary::reduce_to(Args args) {
  KILN_CHECK(open());
  const bool is_whole = args.size() == 4 && args[2].type() == colon_;
  if (args.size() != 4 || args[3].type() != no_initial_value_ || !types_.is_singleton(args[0].type()) ||
      args[0].as_type() || !args[1].fields() || !(is_whole || args[2].type() == types_.builtins().Int64) ||
      (!is_whole && int64_t(args[2].low_bits()) < 1))
    return Value();
  auto start = start_of(args[0], args[1], args[3]);
  if (!start.ok()) return Value();
  std::vector<Value> call{args[0], (*start)->value, args[1]};
  if (!is_whole) call.push_back(tuple_of_ints({args[2]}));
  call.insert(call.end(), (*start)->shape.begin(), (*start)->shape.end());
  KILN_TRY(Value result, is_whole ? reduce_all(call) : reduce_dims(call));
  if (result.type() == types_.builtins().Nothing) return Value();
  if (!result.as_string()) return result;
  KILN_TRY(auto check, world_.lookup(*cuda_, types_.symbol("checked_load"), world_.age()));
  return check ? interpreter_.call(*check, std::span(&result, 1)) : Value();
}

/// part(A, T, offset in bytes, dims): an array of T that shares the memory of A. An empty Value: the Julia
/// method makes it.
Result<Value> CudaLibrary::part(Args args) {
  const TypeRef element = args.size() == 4 ? args[1].as_type() : nullptr;
  const std::vector<Value> *array = element ? array_fields(args[0]) : nullptr;
  const std::vector<Value> *dims = array ? args[3].fields() : nullptr;
  if (!dims || args[2].type() != types_.builtins().Int64 || !is_in_device_memory(args[0]) ||
      !types_.is_isbits(element) || !args[3].type()->as<DataType>()->is_tuple())
    return Value();
  uint64_t bytes = layout_of(types_, element) ? layout_of(types_, element)->size : 0;
  for (const Value &extent : *dims) {
    if (extent.type() != types_.builtins().Int64) return Value();
    bytes *= extent.low_bits();
  }
  KILN_TRY(TypeRef type, array_type(element, dims->size()));
  return Value::mutable_structure(type, {(*array)[0], args[2], args[3], types_.int64(int64_t(bytes))});
}

} // namespace kiln
