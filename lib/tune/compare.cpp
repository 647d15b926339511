// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <thread>

namespace kiln {

namespace {

constexpr size_t chunk_bytes = size_t(1) << 18; ///< per thread at a time
constexpr unsigned max_threads = 16;

double from_half(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const double mantissa = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * HUGE_VAL;
  return sign * (exponent ? std::ldexp(mantissa + 1024, exponent - 25) : std::ldexp(mantissa, -24));
}

template <class T> T load(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

} // namespace

double ArrayComparison::read(Number number, const std::byte *at) {
  switch (number) {
  case Number::Float16: return from_half(load<uint16_t>(at));
  case Number::BFloat16: return std::bit_cast<float>(uint32_t(load<uint16_t>(at)) << 16);
  case Number::Float32: return load<float>(at);
  case Number::Float64: return load<double>(at);
  case Number::Exact: break;
  }
  return 0;
}

ArrayComparison::ArrayComparison(TypeContext &types, TypeRef element, std::vector<int64_t> dims,
                                 std::vector<std::byte> expected, double tolerance)
    : dims_(std::move(dims)), expected_(std::move(expected)) {
  const Layout *layout = layout_of(types, element);
  stride_ =
      layout ? std::max<uint64_t>(1, (layout->size + layout->align - 1) / layout->align * layout->align) : 1;
  count_ = expected_.size() / stride_;
  add_parts(types, element, 0, tolerance);
  for (Part &part : parts_)
    if (part.number != Number::Exact) part.floor = mean(part);
}

void ArrayComparison::add_parts(TypeContext &types, TypeRef type, uint64_t offset, double tolerance) {
  const Layout *layout = layout_of(types, type);
  const DataType *data = type->as<DataType>();
  if (!layout || layout->size == 0) return;
  if (data && !types.field_types(data).empty() && layout->offsets.size() == types.field_types(data).size()) {
    const auto fields = types.field_types(data);
    for (size_t i = 0; i < fields.size(); i++)
      add_parts(types, fields[i], offset + layout->offsets[i], tolerance);
    return;
  }
  Part part{.offset = offset, .size = layout->size};
  const std::string name = to_string(type);
  double digits = 0; // significand digits of the type
  if (name == "Float64")
    part.number = Number::Float64, digits = 52;
  else if (name == "Float32")
    part.number = Number::Float32, digits = 23;
  else if (name == "Float16")
    part.number = Number::Float16, digits = 10;
  else if (name == "BFloat16" || name.ends_with(".BFloat16"))
    part.number = Number::BFloat16, digits = 7;
  part.tolerance = tolerance < 0 ? std::exp2(-digits / 2) : tolerance;
  parts_.push_back(part);
}

double ArrayComparison::mean(const Part &part) const {
  double sum = 0;
  size_t finite = 0;
  // Use a sample of a large array, since the result only sets a scale.
  const size_t step = std::max<size_t>(1, count_ / (size_t(1) << 16));
  for (size_t i = 0; i < count_; i += step) {
    const double value = std::abs(read(part.number, expected_.data() + i * stride_ + part.offset));
    if (!std::isfinite(value)) continue;
    sum += value;
    finite++;
  }
  return finite ? sum / double(finite) : 0;
}

bool ArrayComparison::is_equal(const Part &part, const std::byte *actual, const std::byte *expected) const {
  if (std::memcmp(actual + part.offset, expected + part.offset, part.size) == 0) return true;
  if (part.number == Number::Exact) return false;
  const double a = read(part.number, actual + part.offset), b = read(part.number, expected + part.offset);
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  // An infinity only equals itself.
  return std::isfinite(a) && std::isfinite(b) &&
         std::abs(a - b) <= part.tolerance * std::max(std::abs(b), part.floor);
}

std::optional<size_t> ArrayComparison::first_difference(std::span<const std::byte> actual, size_t begin,
                                                        size_t end) const {
  const std::byte *a = actual.data() + begin * stride_, *b = expected_.data() + begin * stride_;
  if (std::memcmp(a, b, (end - begin) * stride_) == 0) return std::nullopt;
  if (parts_.size() == 1 && parts_[0].number == Number::Float32 && stride_ == 4) { // common case, vectorised
    const auto tolerance = float(parts_[0].tolerance), floor = float(parts_[0].floor);
    bool is_near = true;
    for (size_t i = 0; i < end - begin; i++) {
      const float x = load<float>(a + 4 * i), y = load<float>(b + 4 * i);
      is_near &= std::abs(x - y) <= tolerance * std::max(std::abs(y), floor) && std::abs(y) < HUGE_VALF;
    }
    if (is_near) return std::nullopt;
  }
  for (size_t i = begin; i < end; i++, a += stride_, b += stride_)
    for (const Part &part : parts_)
      if (!is_equal(part, a, b)) return i;
  return std::nullopt;
}

std::optional<std::string> ArrayComparison::difference(std::span<const std::byte> actual) const {
  const size_t chunk = std::max<size_t>(1, chunk_bytes / stride_), chunks = (count_ + chunk - 1) / chunk;
  std::atomic<size_t> next{0}, first{count_};
  auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < chunks && i * chunk < first.load();) {
      const auto found = first_difference(actual, i * chunk, std::min(count_, (i + 1) * chunk));
      for (size_t known = first.load();
           found && *found < known && !first.compare_exchange_weak(known, *found);) {
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const size_t threads = std::min<size_t>({chunks / 4, std::thread::hardware_concurrency(), max_threads});
    for (size_t i = 1; i < threads; i++) others.emplace_back(work);
    work();
  }
  if (first == count_) return std::nullopt;
  const std::byte *a = actual.data() + first * stride_, *b = expected_.data() + first * stride_;
  for (const Part &part : parts_)
    if (!is_equal(part, a, b)) {
      if (part.number != Number::Exact)
        return fmt::format("{} is {}, and the reference has {}", place(first),
                           read(part.number, a + part.offset), read(part.number, b + part.offset));
      if (part.size <= 8) {
        uint64_t is = 0, must = 0;
        std::memcpy(&is, a + part.offset, part.size);
        std::memcpy(&must, b + part.offset, part.size);
        return fmt::format("{} is {:#x}, and the reference has {:#x}", place(first), is, must);
      }
      break;
    }
  return fmt::format("{} is not as in the reference", place(first));
}

std::string ArrayComparison::place(size_t element) const {
  std::string out = "[";
  for (size_t i = 0; i < dims_.size(); i++) {
    const auto extent = size_t(std::max<int64_t>(1, dims_[i]));
    out += fmt::format("{}{}", i ? ", " : "", (i + 1 < dims_.size() ? element % extent : element) + 1);
    element /= extent;
  }
  return out + "]";
}

} // namespace kiln
