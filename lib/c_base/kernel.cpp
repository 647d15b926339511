// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the C functions of loaded kernels, and helpers that read the parameters of a launch.
#include "call.h"

#include <kiln/array_header.h>
#include <kiln/tensor_map.h>

#include <algorithm>
#include <cmath>

using namespace kiln;
using namespace kiln::c;

namespace kiln::c {

/// 0: none.
Result<std::chrono::nanoseconds> time_limit(double seconds) {
  if (seconds == 0) return std::chrono::nanoseconds(0);
  if (!(seconds > 0) || seconds > 1e9)
    return usage_error(fmt::format("a time limit of {} seconds: it is above 0 and at most 1e9", seconds));
  return std::chrono::nanoseconds(std::max<int64_t>(int64_t(seconds * 1e9), 1));
}

Result<void> read_shape(const kiln_shape *shape, Launch &out) {
  kiln_shape copy;
  KILN_TRY(const kiln_shape *given, view_struct(shape, "kiln_shape", copy));
  out.shape = {extents(given->blocks), extents(given->threads), given->shared_bytes};
  out.options = {.cluster = {given->cluster[0], given->cluster[1], given->cluster[2]},
                 .cooperative = given->cooperative != 0,
                 .programmatic_serialization = given->programmatic_serialization != 0};
  if (given->stop) [[unlikely]]
    KILN_CHECK(read_stop(given->stop, out));
  if (given->time_limit == 0) [[likely]]
    return {};
  KILN_TRY(out.options.time_limit, time_limit(given->time_limit));
  return {};
}

Result<void> read_stop(const kiln_stop_source *given, Launch &out) {
  KILN_PIN(StopSourceObject, object, given);
  out.stop = object->value;
  out.options.stop = &*out.stop;
  return {};
}

} // namespace kiln::c

extern "C" {

int kiln_kernel_suggest(const kiln_kernel *kernel, uint64_t shared_bytes, unsigned *threads, unsigned *blocks,
                        kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(KernelObject, object, kernel);
    KILN_TRY(LaunchSuggestion suggestion, object->value.suggest(shared_bytes));
    if (threads) *threads = suggestion.threads;
    if (blocks) *blocks = suggestion.blocks;
    return {};
  });
}

int kiln_kernel_launch(kiln_kernel *kernel, kiln_stream *stream, const kiln_shape *shape,
                       const void *const *arguments, size_t count, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(KernelObject, object, kernel);
    KILN_NOT_NULL("kiln_kernel_launch", shape);
    if (count) KILN_NOT_NULL("kiln_kernel_launch", arguments);
    Launch launch;
    KILN_CHECK(read_shape(shape, launch));
    KILN_PIN(StreamObject, queue, stream);
    return queue->value.launch(object->value, launch.shape, {arguments, count}, launch.options);
  });
}

int kiln_array_header(void *out, size_t out_size, void *data, size_t element_size, int ndim,
                      const int64_t *dims, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_array_header", out);
    KILN_NOT_NULL("kiln_array_header", dims);
    if (ndim < 1 || ndim > 32) return usage_error(fmt::format("{} dimensions; an array has 1 to 32", ndim));
    if (element_size == 0) return usage_error("an element of 0 bytes");
    const size_t wanted = array_header_bytes(size_t(ndim));
    if (out_size < wanted)
      return usage_error(fmt::format("the header of an array of {} dimensions has {} bytes, and `out` {}",
                                     ndim, wanted, out_size));
    const bool is_empty = std::count(dims, dims + ndim, 0) != 0;
    int64_t bytes = int64_t(std::min<size_t>(element_size, INT64_MAX));
    for (int i = 0; i < ndim; i++) {
      if (dims[i] < 0) return usage_error(fmt::format("dims[{}] is {}, and counts elements", i, dims[i]));
      if (!is_empty && __builtin_mul_overflow(bytes, dims[i], &bytes))
        return usage_error("an array of these dimensions has more bytes than there are");
    }
    write_array_header(out, data, {dims, size_t(ndim)}, element_size);
    return {};
  });
}

int kiln_tensor_map(const kiln_device *device, const kiln_tensor_map_options *options, void *out,
                    size_t out_size, char **type, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    if (type) *type = nullptr;
    KILN_NOT_NULL("kiln_tensor_map", out);
    KILN_NOT_NULL("kiln_tensor_map", options);
    KILN_PIN(DeviceObject, on, device);
    KILN_TRY(kiln_tensor_map_options read, read_struct(options, "kiln_tensor_map_options"));
    if (out_size != TensorMap::bytes)
      return usage_error(fmt::format("kiln_tensor_map: `out_size` is {}, and a tensor map has {} bytes",
                                     out_size, TensorMap::bytes));
    constexpr int max_dims = 5;
    if (read.ndim < 1 || read.ndim > max_dims)
      return usage_error(
          fmt::format("kiln_tensor_map: {} dimensions; an array has 1 to {} here", read.ndim, max_dims));
    KILN_NOT_NULL("kiln_tensor_map", read.element);
    KILN_NOT_NULL("kiln_tensor_map", read.lengths);
    KILN_NOT_NULL("kiln_tensor_map", read.box);
    TensorMapOptions array{.element = read.element,
                           .data = read.data,
                           .lengths = {read.lengths, read.lengths + read.ndim},
                           .strides = {},
                           .box = {read.box, read.box + read.ndim},
                           .swizzle_bytes = read.swizzle_bytes,
                           .nan_outside = read.nan_outside != 0};
    if (read.strides) array.strides.assign(read.strides, read.strides + read.ndim - 1);
    KILN_TRY(TensorMap map, TensorMap::make(on->value, array));
    if (type) KILN_CHECK(give_text(type, map.type()));
    std::memcpy(out, map.data(), TensorMap::bytes);
    return {};
  });
}

void kiln_kernel_free(kiln_kernel *kernel) { free_handle(HandleKind::Kernel, kernel); }
}
