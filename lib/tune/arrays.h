// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of the arrays in a search's arguments: a working copy for kernels, and one with the original
// contents.
#pragma once

#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/launch.h>
#include <support/support.h>

namespace kiln {

/// Arrays of a search. Not thread-safe. Do not destroy the object if its device is lost: its buffers would
/// wait for the device.
class TunedArrays {
public:
  struct Array {
    uint64_t first = 0; ///< the caller's address, as in argument bytes
    uint64_t bytes = 0;
    TypeRef element = nullptr;
    std::vector<int64_t> dims;
    std::vector<size_t> arguments; ///< numbers of arguments from 1; empty: from a parameter's value
    /// Owner of the array; null: the caller owns it, and it may be on the device.
    std::shared_ptr<HostArray> host;
  };

  TunedArrays(Session &session, Device device) : session_(session), device_(std::move(device)) {}
  Result<void> open(); ///< call it first
  /// Adds an array, unless an array that was added contains it. The next upload() copies its memory.
  void add(Array array);
  /// Copies the memory of new arrays to the device and waits. Call it before other uses of new arrays.
  Result<void> upload();
  /// Restores the original contents of all working copies. Does not wait.
  Result<void> restore();
  /// Copies the working copy of an array to the host and waits. Errors: those of earlier work in the stream.
  Result<std::span<const std::byte>> download(const Array &array);
  /// Original contents of an array.
  Result<std::vector<std::byte>> original(const Array &array);
  /// Returns the original contents of all memory, one copy for each range. copied_array() finds an array in
  /// these copies.
  Result<std::vector<std::vector<std::byte>>> originals();
  std::span<const std::byte> copied_array(const std::vector<std::vector<std::byte>> &copies,
                                          const Array &array) const;
  /// Replaces pointers in a parameter's bytes by pointers into the working copies, or into `copies`. Error:
  /// Usage for a pointer that leads into no array, since the search could not restore its memory.
  Result<void> redirect(TypeRef type, std::vector<std::byte> &bytes,
                        const std::vector<std::vector<std::byte>> *copies = nullptr) const;
  const std::vector<Array> &all() const { return arrays_; }
  const Array *of_argument(size_t argument) const; ///< the first; null: none
  Stream &stream() { return stream_; }
  const Device &device() const { return device_; }

private:
  struct Original {
    const std::byte *first;
    Buffer content;
  };
  Session &session_;
  Device device_;
  Stream stream_;
  Buffer staging_; ///< pinned
  std::vector<Array> arrays_;
  HostMirror working_{stream_};
  std::vector<Original> originals_; ///< one per range of `working_`
};

} // namespace kiln
