// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens files so that their descriptors are never 0 to 2, even if the process has closed its standard
// streams. Otherwise output of the program could be written into a cache file, a lock or a user's file.
#pragma once

#include <kiln/export.h>

#include <cstdio>
#include <string_view>
#include <sys/types.h>
#include <utility>

namespace kiln {

/// Closes a descriptor at the end of its scope.
class OwnedDescriptor {
public:
  OwnedDescriptor() = default;
  explicit OwnedDescriptor(int descriptor) : descriptor_(descriptor) {}
  OwnedDescriptor(OwnedDescriptor &&other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OwnedDescriptor &operator=(OwnedDescriptor &&other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~OwnedDescriptor() { (void)close(); }
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }
  /// Closes the descriptor. Returns 0, or an errno: network file systems report a full disk only here.
  int close();

private:
  int descriptor_ = -1;
};

/// Duplicates a descriptor in 0 to 2 to a higher number with close-on-exec, and closes the old one. Returns
/// the new number, or -1 with errno. Returns other descriptors unchanged; a negative one leaves errno
/// unchanged.
int above_standard_streams(int descriptor);

/// Like open(2) and openat(2) with O_CLOEXEC, but never return a descriptor from 0 to 2.
int open_descriptor(const char *path, int flags, mode_t mode = 0);
int open_descriptor_at(int folder, const char *path, int flags, mode_t mode = 0);
/// Writes all bytes, with several calls of write(2) if needed. Returns 0 or errno.
int write_all(int descriptor, std::string_view bytes);
/// Like fopen(3) with O_CLOEXEC, but the descriptor is never 0 to 2.
KILN_PROGRAMS_API std::FILE *open_stream(const char *path, const char *mode);

/// Opens /dev/null for closed standard streams at a program's start. Standard output is opened for reading,
/// so that each write to it fails: a lost result is an error.
void reserve_standard_streams();

} // namespace kiln
