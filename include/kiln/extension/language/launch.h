// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns values of a language into the parameters of a launch. kernel_value (calls.h) converts a value to a
// kernel's form, encode makes its bytes, EntryParameters collects the addresses for the launch. On a GPU,
// add_arrays and redirect replace host arrays by their device copies (kiln/host_mirror.h).
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

/// The bytes of each parameter, in order. Values without bytes, such as types and singletons, are left out.
using ParameterBytes = std::vector<std::vector<std::byte>>;

/// Encodes the function and its arguments as parameters of a kernel. Error: Input for a value that is not
/// plain data.
KILN_API Result<ParameterBytes> encode(TypeContext &types, std::span<const Value> values);
/// Encodes one value; the result is empty for a value without bytes.
KILN_API Result<std::vector<std::byte>> encode(TypeContext &types, const Value &value);
/// Calls `visit` with the place of each pointer to device memory in a value's bytes.
KILN_API void for_each_pointer(TypeContext &types, TypeRef type, std::byte *bytes,
                               const std::function<void(std::byte *)> &visit);

/// Adds the memory of every host array in the value, also inside tuples and structs, to the mirror.
KILN_API void add_arrays(HostMirror &mirror, const Value &value);
/// Replaces host pointers in a parameter's bytes by pointers to the device copies, by the rule of HostMirror.
KILN_API void redirect(const HostMirror &mirror, TypeContext &types, TypeRef type, std::byte *bytes);

/// Matches arguments with the parameters of an entry. Holds addresses of the arguments' bytes, which must not
/// change or move until the launch. Allocates nothing for up to 32 parameters. Not thread-safe.
class KILN_API EntryParameters {
public:
  EntryParameters() = default;
  EntryParameters(const EntryParameters &) = delete;
  EntryParameters &operator=(const EntryParameters &) = delete;

  /// Reads arguments that name their types; `call` is for messages. Error: Usage for a size that differs from
  /// the entry's, or an array without memory.
  Result<void> read(std::string_view call, const LoadedKernel &kernel, std::span<const Argument> arguments);
  /// Reads encoded values of the types for which the entry was compiled. Error: Internal if sizes differ.
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
