// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays of a search's arguments: a copy that kernels work on, and one that keeps the first contents.
#pragma once

#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/launch.h>
#include <support/support.h>

namespace kiln {

/// One thread at a time. Do not destroy it on a device that is lost: its buffers would wait for the device.
class TunedArrays {
public:
  struct Array {
    uint64_t first = 0; ///< the caller's address, as it stands in arguments' bytes
    uint64_t bytes = 0;
    TypeRef element = nullptr;
    std::vector<int64_t> dims;
    std::vector<size_t> arguments;   ///< counted from 1; none: a parameter's value brought it
    std::shared_ptr<HostArray> host; ///< keeps the memory; null: the caller keeps it, maybe on the device
  };

  TunedArrays(Session &session, Device device) : session_(session), device_(std::move(device)) {}
  Result<void> open(); ///< before all else
  /// Adds an array, unless it lies in one that was added. Its memory is copied by the next `upload`.
  void add(Array array);
  /// Copies the memory of new arrays to the device. Waits. Before any other use of the arrays.
  Result<void> upload();
  /// Gives the working copies their first contents. Does not wait.
  Result<void> restore();
  /// A working copy's bytes on the host. Waits. Errors: those of what the stream did before.
  Result<std::span<const std::byte>> download(const Array &array);
  /// The first contents of an array.
  Result<std::vector<std::byte>> original(const Array &array);
  /// The first contents of all memory, a copy per range; copied_array finds an array in it.
  Result<std::vector<std::vector<std::byte>>> originals();
  std::span<const std::byte> copied_array(const std::vector<std::vector<std::byte>> &copies,
                                          const Array &array) const;
  /// Replaces the pointers in a parameter's bytes by those into the working copies, or into `copies`.
  /// Error: Usage, for a pointer into no array: the search could not restore its memory.
  Result<void> redirect(TypeRef type, std::vector<std::byte> &bytes,
                        const std::vector<std::vector<std::byte>> *copies = nullptr) const;
  const std::vector<Array> &all() const { return arrays_; }
  const Array *of_argument(size_t argument) const; ///< the first; null: it has none
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
  std::vector<Original> originals_; ///< of each range of `working_`
};

} // namespace kiln
