// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The addresses of the bytes that an entry takes.
#pragma once

#include "encode.h"

#include <devices/devices.h>
#include <kiln/argument.h>

#include <array>

namespace kiln {

/// Matches what a caller gives with the parameters of an entry. Allocates nothing for up to 32 parameters.
/// Holds addresses into what was read, which has to stay as it is until the launch.
class EntryParameters {
public:
  EntryParameters() = default;
  EntryParameters(const EntryParameters &) = delete;
  EntryParameters &operator=(const EntryParameters &) = delete;

  /// From arguments that name their types. `call` is for messages.
  /// Errors: Usage, for arguments of another size than the entry takes, or arrays without memory.
  Result<void> read(std::string_view call, const LoadedKernel &kernel, std::span<const Argument> arguments);
  /// From values of which the entry was compiled. Error: Internal, for a difference between the two.
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
