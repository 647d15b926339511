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

/// The first bytes of a name as a number, by which names of up to 8 letters are told apart.
constexpr uint64_t packed(std::string_view name) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < name.size() && i < sizeof bytes; i++)
    bytes |= uint64_t(static_cast<unsigned char>(name[i])) << 8 * i;
  return bytes;
}

/// 0: none of the language's own numbers.
uint64_t size_of_named(std::string_view type) {
  if (type.size() > sizeof(uint64_t))
    return type == "ComplexF16" ? 4 : type == "ComplexF32" ? 8 : type == "ComplexF64" ? 16 : 0;
  switch (packed(type)) {
  case packed("Bool"):
  case packed("Int8"):
  case packed("UInt8"): return 1;
  case packed("Int16"):
  case packed("UInt16"):
  case packed("Float16"):
  case packed("BFloat16"): return 2;
  case packed("Int32"):
  case packed("UInt32"):
  case packed("Float32"):
  case packed("Char"): return 4;
  case packed("Int64"):
  case packed("UInt64"):
  case packed("Int"):
  case packed("UInt"):
  case packed("Float64"): return 8;
  case packed("Int128"):
  case packed("UInt128"): return 16;
  default: return 0;
  }
}

Result<void> read_argument(const kiln_argument &given, size_t number,
                           const ArgumentScratch::ExplainType &explain, Argument &out) {
  kiln_argument copy;
  KILN_TRY(const kiln_argument *view, view_struct(&given, "kiln_argument", copy));
  const kiln_argument &a = *view;
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
    if (out.type != type) out.type = type; // as a rule it is the last launch's
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
