// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From values of a language to the parameters of a launch: kernel_value (calls.h) returns the value as a
// kernel sees it, encode its bytes, EntryParameters the addresses that a launch takes. On a GPU, add_arrays
// and redirect replace host arrays by copies (kiln/host_mirror.h).
#pragma once

#include <kiln/argument.h>
#include <kiln/export.h>
#include <kiln/extension/language/type_context.h>
#include <kiln/extension/language/value.h>
#include <kiln/forward.h>
#include <kiln/host_mirror.h>
#include <kiln/result.h>

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace kiln {

struct LoadedKernel;

/// The bytes of each value that has some, in order. Types and singletons have none.
using ParameterBytes = std::vector<std::vector<std::byte>>;

/// Encodes values as a kernel sees them: the function first, then its arguments. Errors: Input, for a value
/// that is not plain data.
KILN_API Result<ParameterBytes> encode(TypeContext &types, std::span<const Value> values);
/// Encodes one value; empty for one without bytes.
KILN_API Result<std::vector<std::byte>> encode(TypeContext &types, const Value &value);
/// Calls `visit` on each pointer to device memory in a value's bytes.
KILN_API void for_each_pointer(TypeContext &types, TypeRef type, std::byte *bytes,
                               const std::function<void(std::byte *)> &visit);

/// Adds the memory of every host array in the value, also in nested ones.
KILN_API void add_arrays(HostMirror &mirror, const Value &value);
/// Replaces the pointers in a parameter's bytes by those of the copies, by HostMirror's rule.
KILN_API void redirect(const HostMirror &mirror, TypeContext &types, TypeRef type, std::byte *bytes);

/// Matches arguments with the parameters of an entry. Holds addresses into them: they must stay unchanged
/// until the launch. Allocates nothing for up to 32 parameters. Not thread-safe.
class KILN_API EntryParameters {
public:
  EntryParameters() = default;
  EntryParameters(const EntryParameters &) = delete;
  EntryParameters &operator=(const EntryParameters &) = delete;

  /// From arguments that name their types; `call` is for messages. Errors: Usage, for a size that differs
  /// from the entry's, or an array without memory.
  Result<void> read(std::string_view call, const LoadedKernel &kernel, std::span<const Argument> arguments);
  /// From the encoded values that the entry was compiled for. Error: Internal, if they differ.
  Result<void> read(const Artifact &artifact, const ParameterBytes &bytes);

  std::span<void *const> addresses() const { return {all_, count_}; }

private:
  void reserve(size_t parameters);
  void add(const std::vector<std::byte> &bytes) {
    all_[count_++] = const_cast<std::byte *>(bytes.data()); // compiled code only reads them
  }
  std::array<void *, 32> few_;
  std::vector<void *> many_;
  void **all_ = few_.data();
  size_t count_ = 0;
};

} // namespace kiln
