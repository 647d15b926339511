// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small contractions, torch.einsum's meaning (lightning-thunder issue 193): a specification and arrays in, a
// kernel that is generated from the specification runs. Made to show what a call costs on the host once its
// kernel is there.
#pragma once

#include <kiln/session.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace seeds {

enum class Dtype : uint8_t { F16, BF16, F32, F64 };

/// A row-major array in the device's memory, without gaps. Up to 8 dimensions; a size of 1 stands for as many
/// as the other operand has.
struct Tensor {
  void *data = nullptr;
  uint32_t rank = 0;
  std::array<int64_t, 8> sizes{};
};

/// Kernels by specification, element type and how many threads share an element of the result: all sizes use
/// the same one. For one thread at a time. The session and the stream outlive it.
class Einsum {
public:
  Einsum(kiln::Session &session, kiln::Device device, kiln::Stream &stream);
  ~Einsum();

  /// Puts out = einsum(spec, a, b) into the stream. `spec` is "bij,jk", whose result has the labels that
  /// stand once in alphabetical order, or "bij,jk->bik"; blanks do not count; one operand or two. Sums are of
  /// Float32, and of Float64 for F64. Errors: Input for what is no specification, Usage for arrays that do
  /// not fit it or hold more than 2^31 - 1 elements, compile's.
  kiln::Result<void> operator()(std::string_view spec, Dtype dtype, const Tensor &out, const Tensor &a,
                                const Tensor &b = {});
  /// The sizes of the result.
  kiln::Result<Tensor> shape(std::string_view spec, const Tensor &a, const Tensor &b = {});
  size_t compiled() const { return compiled_; } ///< kernels so far

private:
  struct Entry;
  kiln::Result<Entry *> entry(std::string_view spec);
  kiln::Result<const kiln::Kernel *> kernel(Entry &entry, Dtype dtype, uint32_t lanes);
  kiln::Session &session_;
  kiln::Device device_;
  kiln::Stream &stream_;
  std::vector<std::unique_ptr<Entry>>
      entries_; ///< a hash table of open addresses; its size is a power of two
  size_t used_ = 0, compiled_ = 0;
};

} // namespace seeds
