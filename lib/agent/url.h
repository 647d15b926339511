// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// URLs of remotes, and the hiding of credentials in messages.
#pragma once

#include <support/support.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct RemoteUrl {
  enum class Scheme : uint8_t { Http, Https, Redis, File, S3 };
  Scheme scheme = Scheme::File;
  std::string user, password; ///< percent-decoded; empty: none in the URL
  std::string host;           ///< an IPv6 address without brackets; for S3, the bucket
  uint16_t port = 0;          ///< Redis only; default 6379
  std::string path;           ///< of the folder (file), the database number (Redis), the prefix (S3)
  std::string shown;          ///< without credentials, for messages and statistics
  /// For libcurl: without credentials and without a final slash.
  std::string address;
};

/// Parses a URL. Error (Usage): an unknown scheme, rediss, a missing host, a port or database that is no
/// number, a bucket with a user or a port.
Result<RemoteUrl> read_remote_url(std::string_view url);

/// Decodes %41. Empty: a % without two hexadecimal digits, or an encoded NUL.
std::optional<std::string> percent_decoded(std::string_view text);

/// Secrets of an agent: tokens and passwords. Each message and each statistic passes through hide().
class Secrets {
public:
  /// Adds a secret. Ignores texts of fewer than four characters, which would hide ordinary words.
  void add(std::string_view secret);
  /// Replaces each secret, and the user information of each URL, by ***.
  std::string hide(std::string_view text) const;

private:
  std::vector<std::string> secrets_;
};

} // namespace kiln
