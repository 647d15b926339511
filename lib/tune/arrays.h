// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of a search's arguments: a working copy for kernels, and one with the original contents.
#pragma once

#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/launch.h>
#include <support/support.h>

namespace kiln {

/// Not thread-safe. Do not destroy it on a lost device: its buffers would wait for the device.
class TunedArrays {
public:
  struct Array {
    uint64_t first = 0; ///< the caller's address, as in argument bytes
    uint64_t bytes = 0;
    TypeRef element = nullptr;
    std::vector<int64_t> dims;
    std::vector<size_t> arguments;   ///< numbers of arguments from 1; empty: from a parameter's value
    std::shared_ptr<HostArray> host; ///< null: the caller owns it, perhaps on the device
  };

  TunedArrays(Session &session, Device device) : session_(session), device_(std::move(device)) {}
  Result<void> open(); ///< call it first
  /// Adds an array, unless an added one contains it. The next upload() copies its memory.
  void add(Array array);
  /// Copies the memory of new arrays to the device and waits. Call it before any other use of the arrays.
  Result<void> upload();
  /// Restores the original contents of the working copies. Does not wait.
  Result<void> restore();
  /// Copies a working copy's bytes to the host and waits. Errors: those of earlier work in the stream.
  Result<std::span<const std::byte>> download(const Array &array);
  /// Original contents of an array.
  Result<std::vector<std::byte>> original(const Array &array);
  /// Original contents of all memory, one copy per range; copied_array finds an array in it.
  Result<std::vector<std::vector<std::byte>>> originals();
  std::span<const std::byte> copied_array(const std::vector<std::vector<std::byte>> &copies,
                                          const Array &array) const;
  /// Replaces pointers in a parameter's bytes by pointers into the working copies, or into `copies`. Error:
  /// Usage for a pointer into no array, whose memory the search could not restore.
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
