// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln_argument to Argument.
#include "call.h"

#include <kiln/foreign.h>

#include <algorithm>

namespace kiln::c {

namespace {

constexpr int max_dimensions = 32;

using Dimensions = std::array<int64_t, max_dimensions>; ///< the first `ndim` of them

/// Dimensions in the order in which memory has them, the fastest first: as they are for column-major arrays,
/// reversed for row-major ones. Error: Usage for strides that leave gaps, or are of neither order.
Result<Dimensions> dimensions(const kiln_argument &a, size_t number) {
  if (a.ndim < 1 || a.ndim > max_dimensions)
    return usage_error(
        fmt::format("argument {}: {} dimensions; an array has 1 to {}", number, a.ndim, max_dimensions));
  if (!a.dims) return usage_error(fmt::format("argument {}: `dims` is a null pointer", number));
  Dimensions dims;
  std::copy_n(a.dims, a.ndim, dims.begin());
  if (!a.strides) return dims;
  auto is_compact = [&](bool reversed) {
    uint64_t step = 1; // wraps for sizes that the launch refuses
    for (int n = 0; n < a.ndim; n++) {
      int i = reversed ? a.ndim - 1 - n : n;
      if (dims[size_t(i)] > 1 && uint64_t(a.strides[i]) != step) return false;
      step *= uint64_t(dims[size_t(i)]);
    }
    return true;
  };
  if (is_compact(false)) return dims;
  if (!is_compact(true))
    return usage_error(
        fmt::format("argument {}: its strides leave gaps, or are in no order: copy the array", number));
  std::reverse(dims.begin(), dims.begin() + a.ndim);
  return dims;
}

uint64_t size_of_named(std::string_view type) {
  static constexpr std::pair<std::string_view, uint64_t> sizes[] = {
      {"Bool", 1},       {"Int8", 1},       {"UInt8", 1},      {"Int16", 2},   {"UInt16", 2},  {"Int32", 4},
      {"UInt32", 4},     {"Int64", 8},      {"UInt64", 8},     {"Int", 8},     {"UInt", 8},    {"Int128", 16},
      {"UInt128", 16},   {"Float16", 2},    {"BFloat16", 2},   {"Float32", 4}, {"Float64", 8}, {"Char", 4},
      {"ComplexF16", 4}, {"ComplexF32", 8}, {"ComplexF64", 16}};
  for (const auto &[name, size] : sizes)
    if (name == type) return size;
  return 0;
}

Result<void> read_argument(const kiln_argument &given, size_t number,
                           const ArgumentScratch::ExplainType &explain, Argument &out) {
  KILN_TRY(kiln_argument a, read_struct(&given, "kiln_argument"));
  std::string named_type;
  std::string_view type;
  if (a.type) {
    type = a.type;
  } else {
    auto named = language_type(dlpack::DataType{a.dtype.code, a.dtype.bits, a.dtype.lanes});
    if (!named.ok())
      return usage_error(fmt::format("argument {}: {}", number, named.error().diagnostics()[0].message));
    named_type = *named;
    type = named_type;
  }
  uint64_t size = a.size ? a.size : size_of_named(type);
  if (!size) {
    if (const std::string why = explain ? explain(type) : std::string(); !why.empty())
      return usage_error(fmt::format("argument {}: there is no type `{}`: {}", number, type, why));
    return usage_error(fmt::format(
        "argument {}: `{}` is none of the language's number types: where the program defines it, set `size` to "
        "the bytes of one",
        number, type));
  }

  switch (a.kind) {
  case KILN_SCALAR: {
    if (!a.data) return usage_error(fmt::format("argument {}: `data` is a null pointer", number));
    if (size > (1 << 16))
      return usage_error(fmt::format("argument {}: a value of {} bytes is no argument", number, size));
    out.type = type;
    out.bytes.resize(size);
    std::memcpy(out.bytes.data(), a.data, size);
    return {};
  }
  case KILN_ARRAY:
  case KILN_BUFFER: {
    KILN_TRY(const Dimensions all, dimensions(a, number));
    const std::span<const int64_t> dims(all.data(), size_t(a.ndim));
    void *data = a.data;
    if (a.kind == KILN_BUFFER) {
      KILN_PIN(BufferObject, buffer, a.data);
      data = buffer->value.data();
      uint64_t bytes = size;
      for (int64_t d : dims)
        if (d < 0 || __builtin_mul_overflow(bytes, uint64_t(d), &bytes)) bytes = UINT64_MAX;
      if (bytes > buffer->value.bytes())
        return usage_error(fmt::format("argument {}: the array is larger than its buffer, which has {} bytes",
                                       number, buffer->value.bytes()));
    }
    out.set_array(type, data, dims, size);
    return {};
  }
  default: return usage_error(fmt::format("argument {}: there is no kind {}", number, a.kind));
  }
}

} // namespace

std::vector<Argument> &ArgumentScratch::of_thread() {
  thread_local std::vector<Argument> kept;
  return kept;
}

ArgumentScratch::~ArgumentScratch() {
  constexpr size_t most_kept = 32;
  if (all_.size() <= most_kept) std::swap(all_, of_thread());
}

Result<std::span<const Argument>> ArgumentScratch::read(const kiln_argument *arguments, size_t count,
                                                        const ExplainType &explain) {
  if (count == 0) return std::span<const Argument>();
  if (!arguments) return usage_error("`arguments` is a null pointer");
  if (count > 100'000) return usage_error(fmt::format("{} arguments: too many for a kernel", count));
  // All are of the first one's size: those of an earlier version lie closer together.
  size_t step = arguments->struct_size;
  if (all_.size() < count) all_.resize(count);
  for (size_t i = 0; i < count; i++) {
    const auto *at =
        reinterpret_cast<const kiln_argument *>(reinterpret_cast<const std::byte *>(arguments) + i * step);
    KILN_CHECK(read_argument(*at, i + 1, explain, all_[i]));
  }
  return std::span<const Argument>(all_).first(count);
}

} // namespace kiln::c
