// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans and searches device arrays tile by tile, without the interpreter. The kernels are in Julia
// (runtime/library/program/cuda/scan_blocks.jl).
#include "cuda.h"

namespace kiln {
namespace {
constexpr uint32_t scan_threads = 256; ///< as in Julia

uint64_t divided_up(uint64_t n, uint64_t by) { return (n + by - 1) / by; }
} // namespace

Result<CudaLibrary::Tiles> CudaLibrary::tiles_of(const Value &items, const Value &each) {
  KILN_TRY(Value seen, converted(items, false));
  return Tiles{std::move(seen), scan_threads * each.low_bits()};
}

Result<void> CudaLibrary::put_tiles(const Value &kernel, std::vector<Value> arguments, uint64_t blocks) {
  if (blocks > INT32_MAX)
    return make_error(ErrorCode::ArgumentError, "an array has more tiles than a grid may have blocks");
  KILN_TRY(Queue * queue, main_queue());
  KILN_TRY(const Code *code, code_of(kernel, arguments, {}, false));
  return put(*queue, *code, kernel, arguments,
             {.blocks = {uint32_t(blocks), 1, 1}, .threads = {scan_threads, 1, 1}});
}

/// Scans the lines of `source` into `out`, which may be `source`. Reduces each tile, scans these results to
/// the tiles' offsets, then scans each tile from its offset.
Result<void> CudaLibrary::scan_into(const Value &op, TypeRef element, const Value &out, const Value &source,
                                    const Lines &lines, const Tiles &tiles) {
  const uint64_t each = divided_up(lines.extent, tiles.elements), all = each * lines.count;
  KILN_TRY(Queue * queue, main_queue());
  auto number = [&](uint64_t n) { return types_.int64(int64_t(n)); };
  Value sums = out; // placeholder, not read if a line has a single tile
  Buffer memory;
  if (each > 1) {
    KILN_TRY(memory, queue->stream.allocate(all * layout_of(types_, element)->size));
    const int64_t dims[] = {int64_t(all)};
    KILN_TRY(sums, device_array(element, dims, uint64_t(reinterpret_cast<uintptr_t>(memory.data()))));
    KILN_CHECK(put_tiles(
        sum_tiles_, {sums, op, source, number(lines.extent), number(lines.stride), number(each), tiles.items},
        all));
    KILN_CHECK(scan_into(op, element, sums, sums, {.extent = each, .count = lines.count}, tiles));
  }
  return put_tiles(
      scan_tiles_,
      {out, op, source, sums, number(lines.extent), number(lines.stride), number(each), tiles.items}, all);
}

/// __scan(op, to, from, elements of a line, their distance, lines, Val(K), K): scans the lines of `from` into
/// `to`
Result<Value> CudaLibrary::scan(Args args) {
  KILN_TRY(Value out, converted(args[1], false));
  KILN_TRY(Value source, converted(args[2], false));
  KILN_TRY(Value op, converted(args[0], false));
  KILN_TRY(Tiles tiles, tiles_of(args[6], args[7]));
  const Lines lines{.extent = args[3].low_bits(), .stride = args[4].low_bits(), .count = args[5].low_bits()};
  KILN_CHECK(scan_into(op, out.type()->as<DataType>()->params()[0], out, source, lines, tiles));
  return types_.nothing();
}

/// __find(+, mask, index type, size, Val(K), K): an array with the indices of the true elements, or the text
/// of an earlier kernel's exception as a string
Result<Value> CudaLibrary::find(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  KILN_TRY(Value mask, converted(args[1], false));
  KILN_TRY(Value plus, converted(args[0], false));
  KILN_TRY(Value size, converted(args[3], false));
  KILN_TRY(Tiles tiles, tiles_of(args[4], args[5]));
  uint64_t extent = 1;
  if (const auto *dims = args[3].fields())
    for (const Value &d : *dims) extent *= d.low_bits();
  const uint64_t count = divided_up(extent, tiles.elements);
  const TypeRef integer = types_.builtins().Int64;
  KILN_TRY(Buffer memory, queue->stream.allocate(count * sizeof(int64_t)));
  auto *running = static_cast<int64_t *>(memory.data());
  const int64_t dims[] = {int64_t(count)};
  KILN_TRY(Value sums, device_array(integer, dims, uint64_t(reinterpret_cast<uintptr_t>(running))));
  auto number = [&](uint64_t n) { return types_.int64(int64_t(n)); };
  KILN_CHECK(put_tiles(sum_tiles_, {sums, plus, mask, number(extent), number(1), number(count), tiles.items},
                       count));
  KILN_CHECK(scan_into(plus, integer, sums, sums, {.extent = count}, tiles));
  int64_t found = 0;
  KILN_CHECK(queue->stream.copy(&found, running + count - 1, sizeof found));
  KILN_TRY(std::string thrown, wait_for(*queue));
  if (!thrown.empty()) return Value::string(types_, std::move(thrown));
  const TypeRef place = args[2].as_type();
  KILN_TRY(Value array, array_of(place, Value::structure(types_.tuple({integer}), {types_.int64(found)}),
                                 uint64_t(found) * layout_of(types_, place)->size));
  if (found == 0) return array;
  KILN_TRY(Value out, converted(array, false));
  KILN_CHECK(put_tiles(scatter_tiles_, {out, mask, sums, size, tiles.items}, count));
  return array;
}

} // namespace kiln
