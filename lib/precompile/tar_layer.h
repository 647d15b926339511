// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the layer of an OCI image: a tar archive (POSIX ustar), compressed as files are added. Owner, modes
// and times are constant, so that equal contents give equal bytes.
#pragma once

#include <support/strong_digest.h>
#include <support/support.h>

#include <zlib.h>

namespace kiln {

/// SHA-256 of bytes, as OCI writes it: "sha256:" and 64 hexadecimal digits.
class OciDigest {
public:
  OciDigest();
  void update(std::string_view bytes) { hash_->update(bytes.data(), bytes.size()); }
  std::string text() const;

private:
  const std::unique_ptr<StrongHash> hash_;
};

class TarLayer {
public:
  TarLayer();
  ~TarLayer();
  TarLayer(const TarLayer &) = delete;
  TarLayer &operator=(const TarLayer &) = delete;

  // `name`: a relative path of at most 100 bytes. All users may read the file or folder, and only root may
  // write it.
  void add_folder(const std::string &name);
  void add_file(const std::string &name, std::string_view content);

  struct Finished {
    std::string bytes;  ///< gzip
    std::string digest; ///< of the tar archive
  };
  Finished finish(); ///< call it once, last

private:
  enum class Kind : char { File = '0', Folder = '5' };
  void add_header(const std::string &name, Kind kind, unsigned mode, uint64_t size);
  void write(std::string_view bytes, int flush = Z_NO_FLUSH);

  OciDigest digest_;
  z_stream stream_{};
  std::string bytes_;
};

} // namespace kiln
