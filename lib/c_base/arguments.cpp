// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts launch arguments from C (kiln_argument) to the C++ class Argument.
#include "call.h"

#include <kiln/array_header.h>
#include <kiln/foreign.h>

#include <algorithm>

namespace kiln::c {

namespace {

constexpr int max_dimensions = 32;

using Dimensions = std::array<int64_t, max_dimensions>; ///< the first `ndim` are used

/// Returns true if the argument's strides leave no gaps between elements. The first dimension is the fastest,
/// or the last one if `reversed`. Dimensions of size 0 and 1 are ignored or count as 1, as in NumPy and
/// PyTorch.
bool is_compact(const kiln_argument &a, bool reversed) {
  uint64_t step = 1; // the product may wrap around, but the launch rejects such sizes
  for (int n = 0; n < a.ndim; n++) {
    const int i = reversed ? a.ndim - 1 - n : n;
    if (a.dims[i] > 1 && uint64_t(a.strides[i]) != step) return false;
    step *= std::max<uint64_t>(uint64_t(a.dims[i]), 1);
  }
  return true;
}

/// Returns the array's dimensions with the fastest first: unchanged for a column-major array, reversed for a
/// row-major one. Error: Usage if the strides have gaps or are in neither order.
Result<Dimensions> dimensions(const kiln_argument &a, size_t number) {
  if (a.ndim < 1 || a.ndim > max_dimensions)
    return usage_error(
        fmt::format("argument {}: {} dimensions; an array has 1 to {}", number, a.ndim, max_dimensions));
  if (!a.dims) return usage_error(fmt::format("argument {}: `dims` is a null pointer", number));
  Dimensions dims;
  std::copy_n(a.dims, a.ndim, dims.begin());
  if (!a.strides || is_compact(a, false)) return dims;
  if (!is_compact(a, true)) {
    if (std::count(a.dims, a.dims + a.ndim, 0)) return dims; // strides of an empty array do not matter
    return usage_error(
        fmt::format("argument {}: its strides leave gaps, or are in no order: copy the array", number));
  }
  std::reverse(dims.begin(), dims.begin() + a.ndim);
  return dims;
}

/// Returns true if the buffer is large enough for an array of these dimensions. `element_size` is in bytes.
bool holds(const Buffer &buffer, std::span<const int64_t> dims, uint64_t element_size) {
  uint64_t bytes = element_size;
  for (int64_t d : dims)
    if (d < 0 || __builtin_mul_overflow(bytes, uint64_t(d), &bytes)) return false;
  return bytes <= buffer.bytes();
}

/// Packs the first 8 characters of a type's name into a number, so that a switch can compare names.
constexpr uint64_t packed(std::string_view name) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < name.size() && i < sizeof bytes; i++)
    bytes |= uint64_t(static_cast<unsigned char>(name[i])) << 8 * i;
  return bytes;
}

/// Returns the size in bytes of a number type of the language, such as "Float32"; 0 for other names.
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

/// Returns true if a C string equals `other`. Most type names have about five letters, for which a loop is
/// faster than strcmp.
bool same_text(const char *text, const std::string &other) {
  const char *have = other.c_str();
  for (; *have; text++, have++)
    if (*text != *have) return false;
  return !*text;
}

} // namespace

/// Memory for the arguments of a launch. Each thread reuses one; a nested launch has one of its own.
struct ArgumentScratch::Memory {
  /// Description of the argument at the same index of the last launch. If the new one is equal, the type and
  /// size are reused.
  struct Description {
    int kind = -1; ///< -1: not comparable
    int ndim = 0;
    std::string type;
    uint64_t size = 0;         ///< as given
    uint64_t element_size = 0; ///< of an array
    bool is_same(const kiln_argument &a) const {
      return a.struct_size == sizeof a && a.kind == kind && a.ndim == ndim && a.size == size && a.type &&
             same_text(a.type, type);
    }
  };
  std::vector<Argument> all;
  std::vector<Description> descriptions; ///< per argument
  bool is_taken = true;

  Result<void> read(const kiln_argument &given, size_t index, ExplainType explain);
  /// Stores the new bytes of argument `index` if its description is the same as in the last launch. Returns
  /// false if it is not, so that read() must be called.
  bool rewrite(const kiln_argument &a, size_t index);
  static bool rewrite_array(const kiln_argument &a, const Description &before, std::byte *header);
};

/// Writes the new data pointer and dimensions of an array argument to its header. Returns false if read()
/// must be called.
[[gnu::noinline]] bool ArgumentScratch::Memory::rewrite_array(const kiln_argument &a,
                                                              const Description &before, std::byte *header) {
  if (!a.dims || (a.strides && !is_compact(a, false))) return false;
  const std::span<const int64_t> dims(a.dims, size_t(a.ndim));
  void *data = a.data;
  if (a.kind == KILN_BUFFER) {
    const Pinned<BufferObject> buffer(a.data);
    if (!buffer || !holds(buffer->value, dims, before.element_size)) return false;
    data = buffer->value.data();
  }
  write_array_header(header, data, dims, before.element_size);
  return true;
}

bool ArgumentScratch::Memory::rewrite(const kiln_argument &a, size_t index) {
  const Description &before = descriptions[index];
  if (!before.is_same(a)) return false;
  std::vector<std::byte> &bytes = all[index].bytes;
  if (a.kind == KILN_SCALAR) {
    if (!a.data) return false;
    if (before.element_size == 8) // A copy of constant size needs no call of memcpy.
      std::memcpy(bytes.data(), a.data, 8);
    else if (before.element_size == 4)
      std::memcpy(bytes.data(), a.data, 4);
    else
      std::memcpy(bytes.data(), a.data, before.element_size);
    return true;
  }
  return rewrite_array(a, before, bytes.data());
}

Result<void> ArgumentScratch::Memory::read(const kiln_argument &given, size_t index, ExplainType explain) {
  const size_t number = index + 1;
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
    if (const std::string why = explain ? (*explain)(type) : std::string(); !why.empty())
      return usage_error(fmt::format("argument {}: there is no type `{}`: {}", number, type, why));
    return usage_error(fmt::format(
        "argument {}: `{}` is none of the language's number types: where the program defines it, set `size` to "
        "the bytes of one",
        number, type));
  }

  Argument &out = all[index];
  Description &now = descriptions[index];
  now.kind = -1;
  switch (a.kind) {
  case KILN_SCALAR: {
    if (!a.data) return usage_error(fmt::format("argument {}: `data` is a null pointer", number));
    if (size > (1 << 16))
      return usage_error(fmt::format("argument {}: a value of {} bytes is no argument", number, size));
    out.type = type;
    out.bytes.resize(size);
    std::memcpy(out.bytes.data(), a.data, size);
    break;
  }
  case KILN_ARRAY:
  case KILN_BUFFER: {
    KILN_TRY(const Dimensions all_dims, dimensions(a, number));
    const std::span<const int64_t> dims(all_dims.data(), size_t(a.ndim));
    void *data = a.data;
    if (a.kind == KILN_BUFFER) {
      KILN_PIN(BufferObject, buffer, a.data);
      if (!holds(buffer->value, dims, size))
        return usage_error(fmt::format("argument {}: the array is larger than its buffer, which has {} bytes",
                                       number, buffer->value.bytes()));
      data = buffer->value.data();
    }
    out.set_array(type, data, dims, size);
    break;
  }
  default: return usage_error(fmt::format("argument {}: there is no kind {}", number, a.kind));
  }
  if (!a.type) return {}; // the next argument's dtype is read again
  now.type = type;
  now.ndim = a.ndim;
  now.size = a.size;
  now.element_size = size;
  now.kind = a.kind;
  return {};
}

// The TLS model initial-exec avoids a call of the dynamic linker (user_places.h).
[[gnu::tls_model("initial-exec")]] constinit thread_local ArgumentScratch::Memory *ArgumentScratch::kept_ =
    nullptr;

ArgumentScratch::Memory &ArgumentScratch::take() {
  if (Memory *memory = kept_; memory && !memory->is_taken) [[likely]] {
    memory->is_taken = true;
    return *memory;
  }
  static thread_local bool is_ending = false;
  struct Owner {
    ~Owner() {
      is_ending = true;
      delete std::exchange(kept_, nullptr);
    }
  };
  auto made = std::make_unique<Memory>();
  // Memory of the thread's first launch is kept. Memory of a nested launch is freed by give_back().
  if (!kept_ && !is_ending) {
    static thread_local const Owner owner;
    kept_ = made.get();
  }
  return *made.release();
}

void ArgumentScratch::give_back(Memory &memory) noexcept {
  constexpr size_t max_kept = 32;
  memory.is_taken = false;
  if (&memory != kept_)
    delete &memory;
  else if (memory.all.size() > max_kept) [[unlikely]] {
    memory.all = {};
    memory.descriptions = {};
  }
}

Result<std::span<const Argument>> ArgumentScratch::read(const kiln_argument *arguments, size_t count,
                                                        ExplainType explain) {
  if (count == 0) return std::span<const Argument>();
  if (!arguments) return usage_error("`arguments` is a null pointer");
  if (count > 100'000) return usage_error(fmt::format("{} arguments: too many for a kernel", count));
  // The size of the first element is the array's stride, since an earlier version of the structure is
  // smaller.
  const size_t step = arguments->struct_size;
  if (memory_.all.size() < count) {
    memory_.all.resize(count);
    memory_.descriptions.resize(count);
  }
  for (size_t i = 0; i < count; i++) {
    const auto &given =
        *reinterpret_cast<const kiln_argument *>(reinterpret_cast<const std::byte *>(arguments) + i * step);
    if (!memory_.rewrite(given, i)) KILN_CHECK(memory_.read(given, i, explain));
  }
  return std::span<const Argument>(memory_.all).first(count);
}

} // namespace kiln::c
