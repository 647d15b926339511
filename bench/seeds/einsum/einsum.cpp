// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "einsum.h"

#include "spec.h"

#include <kiln/abi.h>

#include <algorithm>
#include <climits>

namespace seeds {

using kiln::Result;

static constexpr std::array<const char *, 4> element_names = {"Float16", "BFloat16", "Float32", "Float64"},
                                             sum_names = {"Float32", "Float32", "Float32", "Float64"};
static constexpr std::array<int64_t, 4> element_sizes = {2, 2, 4, 8};
static constexpr uint32_t lane_kinds = 6; ///< 1, 2, 4 ... 32 threads an element

struct Einsum::Entry {
  std::string text;
  size_t hash = 0;
  Spec spec;
  std::array<std::array<kiln::Kernel, lane_kinds>, 4> kernels; ///< by Dtype and the logarithm of the lanes
};

Einsum::Einsum(kiln::Session &session, kiln::Device device, kiln::Stream &stream)
    : session_(session), device_(std::move(device)), stream_(stream), entries_(64) {}
Einsum::~Einsum() = default;

Result<Einsum::Entry *> Einsum::entry(std::string_view spec) {
  size_t hash = std::hash<std::string_view>()(spec);
  size_t at = hash & (entries_.size() - 1);
  for (; entries_[at]; at = (at + 1) & (entries_.size() - 1))
    if (entries_[at]->hash == hash && entries_[at]->text == spec) return entries_[at].get();
  auto made = std::make_unique<Entry>();
  KILN_TRY(made->spec, read_spec(spec));
  made->text = spec;
  made->hash = hash;
  if (2 * ++used_ > entries_.size()) { // half of the places stay empty
    std::vector<std::unique_ptr<Entry>> larger(2 * entries_.size());
    for (auto &e : entries_) {
      if (!e) continue;
      size_t to = e->hash & (larger.size() - 1);
      while (larger[to]) to = (to + 1) & (larger.size() - 1);
      larger[to] = std::move(e);
    }
    entries_ = std::move(larger);
    at = hash & (entries_.size() - 1);
    while (entries_[at]) at = (at + 1) & (entries_.size() - 1);
  }
  return (entries_[at] = std::move(made)).get();
}

Result<const kiln::Kernel *> Einsum::kernel(Entry &entry, Dtype dtype, uint32_t lanes) {
  kiln::Kernel &kernel = entry.kernels[size_t(dtype)][lanes];
  if (kernel) [[likely]]
    return &kernel;
  const std::string element = element_names[size_t(dtype)], n = std::to_string(entry.spec.labels);
  const std::string name = "einsum_" + std::to_string(++compiled_);
  KILN_TRY(auto loaded,
           session_.load(name + ".jl", kernel_text(entry.spec, name, element, sum_names[size_t(dtype)])));
  static_cast<void>(loaded);
  const bool two = entry.spec.operands == 2;
  const std::string array = "CuDeviceVector{" + element + ",1}, ", tuple = "NTuple{" + n + ",Int32}, ";
  KILN_TRY(kernel,
           session_.prepare(name + "(" + array + array + (two ? array : "") + tuple + tuple +
                                (two ? tuple : "") + "Int32, Val{" + std::to_string(1u << lanes) + "})",
                            {}, device_));
  return &kernel;
}

/// The sizes of all labels, and each operand's strides by label: 0 where it has one element for all.
struct Geometry {
  std::array<int32_t, Spec::max_labels> sizes{};
  std::array<std::array<int32_t, Spec::max_labels>, 2> strides{};
};

static Result<void> measure(const Spec &spec, std::string_view text,
                            const std::array<const Tensor *, 2> &given, Geometry &g) {
  for (uint32_t l = 0; l < spec.labels; l++) g.sizes[l] = 1;
  for (uint32_t o = 0; o < spec.operands; o++) {
    const Tensor &t = *given[o];
    if (t.rank != spec.rank[o])
      return kiln::usage_error("einsum \"" + std::string(text) + "\": operand " + std::to_string(o + 1) +
                               " has " + std::to_string(t.rank) + " dimensions; the specification names " +
                               std::to_string(spec.rank[o]));
    int64_t stride = 1;
    for (uint32_t d = t.rank; d-- > 0;) {
      const uint8_t l = spec.label[o][d];
      const int64_t size = t.sizes[d];
      if (size < 0 || size > INT_MAX || __builtin_mul_overflow(stride, std::max<int64_t>(size, 1), &stride) ||
          stride > INT_MAX)
        return kiln::usage_error("einsum \"" + std::string(text) + "\": operand " + std::to_string(o + 1) +
                                 " has a size below 0, or more than 2^31 - 1 elements");
      if (size != 1 && g.sizes[l] != 1 && g.sizes[l] != size)
        return kiln::usage_error("einsum \"" + std::string(text) + "\": `" + spec.names[l] + "` is " +
                                 std::to_string(g.sizes[l]) + " and " + std::to_string(size));
      if (size != 1) {
        g.sizes[l] = int32_t(size);
        g.strides[o][l] += int32_t(stride / std::max<int64_t>(size, 1));
      }
    }
  }
  return {};
}

Result<Tensor> Einsum::shape(std::string_view spec, const Tensor &a, const Tensor &b) {
  KILN_TRY(Entry * e, entry(spec));
  Geometry g;
  KILN_CHECK(measure(e->spec, spec, {&a, &b}, g));
  Tensor out{nullptr, e->spec.kept, {}};
  for (uint32_t l = 0; l < e->spec.kept; l++) out.sizes[l] = g.sizes[l];
  return out;
}

static kiln::abi::ArrayHeader<1> header(void *data, int64_t count, Dtype dtype) {
  return {data, count * element_sizes[size_t(dtype)], {count}, count};
}

Result<void> Einsum::operator()(std::string_view text, Dtype dtype, const Tensor &out, const Tensor &a,
                                const Tensor &b) {
  KILN_TRY(Entry * e, entry(text));
  const Spec &spec = e->spec;
  Geometry g;
  KILN_CHECK(measure(spec, text, {&a, &b}, g));
  int64_t count = 1;
  bool fits = out.rank == spec.kept;
  for (uint32_t l = 0; l < spec.kept && fits; l++) {
    fits = out.sizes[l] == g.sizes[l];
    count *= g.sizes[l];
    if (count > INT_MAX / 32)
      return kiln::usage_error("einsum \"" + std::string(text) +
                               "\": the result has more than 2^26 elements");
  }
  if (!fits)
    return kiln::usage_error("einsum \"" + std::string(text) + "\": the result's array has another shape");
  if (!count) return {};
  // Small results share an element's innermost sum among neighbouring threads.
  uint32_t lanes = 0;
  if (spec.labels > spec.kept && count < 16384)
    while (lanes + 1 < lane_kinds && (2 << lanes) <= g.sizes[spec.labels - 1]) lanes++;
  KILN_TRY(const kiln::Kernel *kernel, this->kernel(*e, dtype, lanes));
  int64_t sizes[2] = {1, 1};
  for (uint32_t o = 0; o < spec.operands; o++)
    for (uint32_t d = 0; d < spec.rank[o]; d++) sizes[o] *= (o ? b : a).sizes[d];
  const auto to = header(out.data, count, dtype), from_a = header(a.data, sizes[0], dtype),
             from_b = header(b.data, sizes[1], dtype);
  const int32_t elements = int32_t(count);
  const kiln::LaunchShape shape{.blocks = {uint32_t(((count << lanes) + 127) / 128), 1, 1},
                                .threads = {128, 1, 1}};
  if (!spec.labels)
    return kiln::usage_error("einsum \"" + std::string(text) + "\": arrays without dimensions");
  if (spec.operands == 1) {
    const void *given[] = {&to, &from_a, g.sizes.data(), g.strides[0].data(), &elements};
    return stream_.launch(*kernel, shape, given);
  }
  const void *given[] = {&to,      &from_a, &from_b, g.sizes.data(), g.strides[0].data(), g.strides[1].data(),
                         &elements};
  return stream_.launch(*kernel, shape, given);
}

} // namespace seeds
