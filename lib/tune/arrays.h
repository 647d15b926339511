// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays of a search's arguments: a copy of each that kernels work on, and one that stays as it was.
#pragma once

#include <session/session.h>

namespace kiln {

/// One thread at a time. Buffers go with it, so it must not be destroyed on a device that is lost.
class TunedArrays {
public:
  struct Array {
    uint64_t first = 0; ///< the caller's address, as it stands in arguments' bytes
    uint64_t bytes = 0;
    TypeRef element = nullptr;
    std::vector<int64_t> dims;
    std::vector<size_t> arguments;   ///< counted from 1; none: a parameter's value brought it
    std::shared_ptr<HostArray> host; ///< keeps the memory; null: it is the device's, and the caller's
    Buffer work, original;
  };

  TunedArrays(Session &session, Device device) : session_(session), device_(std::move(device)) {}
  Result<void> open(); ///< before all else
  /// Copies it, unless it lies in one that is known. Errors: Machine; Usage, where two overlap in part.
  Result<void> add(Array array);
  /// The working copies as they were at first. Does not wait.
  Result<void> restore();
  /// A working copy's bytes on the host. Waits. Errors: those of what the stream did before.
  Result<std::span<const std::byte>> download(const Array &array);
  /// What it held at first.
  Result<std::vector<std::byte>> original(const Array &array);
  /// `bytes` with pointers into the arrays replaced by what `place` gives for them. Error: Usage, for a
  /// pointer that leads into none.
  Result<void> redirect(TypeRef type, std::vector<std::byte> &bytes,
                        const std::function<uint64_t(const Array &)> &place) const;
  const std::vector<Array> &all() const { return arrays_; }
  const Array *of_argument(size_t argument) const; ///< the first; null: it has none
  Stream &stream() { return stream_; }
  const Device &device() const { return device_; }

private:
  Session &session_;
  Device device_;
  Stream stream_;
  Buffer staging_; ///< pinned
  std::vector<Array> arrays_;
};

} // namespace kiln
