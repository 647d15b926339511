// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the result arrays of dotted calls, and reduces arrays, without the interpreter. The kernels are in
// Julia (runtime/library/program/cuda/broadcast.jl, reduce.jl).
#include "cuda.h"

namespace kiln {
namespace {
constexpr uint32_t tile_threads = 256; ///< as scan_threads in Julia
}

Result<Value> CudaLibrary::array_of(TypeRef element, const Value &dims, uint64_t bytes) {
  const std::vector<Value> *extents = dims.fields();
  TypeRef &type = array_types_[{element, extents ? extents->size() : 0}];
  if (!type) {
    KILN_TRY(TypeRef memory, named_type("DeviceMemory"));
    KILN_TRY(TypeRef array, named_type("CuArray"));
    TypeRef params[] = {element, types_.constant(int64_t(extents ? extents->size() : 0)), memory};
    KILN_TRY(type, types_.apply(array, params));
  }
  const Value count = types_.int64(int64_t(bytes));
  KILN_TRY(Value storage, allocate(std::span(&count, 1)));
  return Value::mutable_structure(type, {std::move(storage), types_.int64(0), dims, count});
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
  if (&type->name() == cu_array_) return to_string(type->params()[2]).ends_with("DeviceMemory");
  const std::vector<Value> *fields = node.fields();
  return !fields ||
         std::ranges::all_of(*fields, [&](const Value &field) { return is_in_device_memory(field); });
}

/// new_of_nest(nest): runs a dotted call into a new array. An empty Value: its result is a number, or an
/// array is in another kind of memory.
Result<Value> CudaLibrary::new_of_nest(Args args) {
  KILN_CHECK(open());
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
  Reduction made{.op = {}, .start = start, .order = in_order_, .tiles = {}};
  KILN_TRY(made.op, converted(op, false));
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
  KILN_TRY(const Code *code, code_of_statement(kernel, all, results * fold.folded));
  const uint64_t count = results * parts, used = by_blocks ? threads : std::min(count, threads);
  const uint64_t blocks = by_blocks ? count : divided_up(count, used);
  if (blocks > INT32_MAX)
    return make_error(ErrorCode::ArgumentError, "a reduction into too many elements for a grid");
  KILN_CHECK(put(*queue, *code, kernel, all,
                 {.blocks = {uint32_t(blocks), 1, 1}, .threads = {uint32_t(used), 1, 1}}));
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
  KILN_TRY(Value source, converted(args[2], false));
  KILN_TRY(Reduction reduction, reduction_of(args[0], args[1], args.subspan(3)));
  KILN_CHECK(
      reduce_into(reduction, true, source, fold, uint64_t(reinterpret_cast<uintptr_t>(result.data()))));
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
  std::vector<TypeRef> ints(kept.size(), types_.builtins().Int64);
  TypeRef tuple = types_.tuple(ints);
  KILN_TRY(Value array,
           array_of(element,
                    kept.empty() ? Value::singleton(tuple) : Value::structure(tuple, std::move(kept)),
                    fold.results() * layout->size));
  const auto at = extent(array);
  if (!at) return internal_error("an array that was made has no memory");
  KILN_TRY(Value source, converted(args[2], false));
  KILN_TRY(Reduction reduction, reduction_of(args[0], args[1], args.subspan(4)));
  KILN_CHECK(reduce_into(reduction, true, source, fold, at->first));
  return array;
}

} // namespace kiln
