// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An open bundle whose header and index are checked: all offsets in records are valid. Blobs are checked at
// each use.
#pragma once

#include "format.h"

#include <kiln/result.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// Immutable and thread-safe.
class BundleReader {
public:
  /// Maps a file. Errors: Input (unreadable, not a bundle, truncated, altered, another version).
  static Result<std::shared_ptr<const BundleReader>> open(const std::string &path);
  /// Reads memory that outlives the reader, aligned to 8 bytes. `name` is for messages.
  static Result<std::shared_ptr<const BundleReader>> of_memory(std::span<const std::byte> bytes,
                                                               std::string name);
  ~BundleReader();
  BundleReader(const BundleReader &) = delete;
  BundleReader &operator=(const BundleReader &) = delete;

  const std::string &name() const { return name_; }
  std::span<const bundle::KernelRecord> kernels() const { return kernels_; }
  std::span<const bundle::ParameterRecord> parameters(const bundle::KernelRecord &kernel) const {
    return parameters_.subspan(kernel.parameters.first, kernel.parameters.count);
  }
  std::span<const bundle::PartRecord> parts(const bundle::ParameterRecord &parameter) const {
    return parts_.subspan(parameter.parts.first, parameter.parts.count);
  }
  std::span<const bundle::CodeRecord> codes(const bundle::KernelRecord &kernel) const {
    return codes_.subspan(kernel.codes.first, kernel.codes.count);
  }
  std::string_view text(uint32_t string) const { return strings_ + string; } ///< ends with NUL
  /// Returns the code's bytes. Checks their digest and the zero padding at each call. Error: Input.
  Result<std::span<const std::byte>> blob(const bundle::CodeRecord &code) const;

private:
  BundleReader() = default;
  Result<void> read();
  Result<void> read_index(std::span<const std::byte> index);
  bool is_without_gaps() const;
  Error refused(const std::string &why, std::string hint = {}) const;

  std::string name_;
  std::span<const std::byte> bytes_;
  bool is_mapped_ = false;
  uint64_t code_end_ = 0; ///< start of the index
  std::span<const bundle::KernelRecord> kernels_;
  std::span<const bundle::ParameterRecord> parameters_;
  std::span<const bundle::PartRecord> parts_;
  std::span<const bundle::CodeRecord> codes_;
  const char *strings_ = nullptr;
};

} // namespace kiln
