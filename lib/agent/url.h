// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses URLs of remotes, and hides credentials in messages.
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
  std::string user, password; ///< without % sequences; empty: the URL has none
  std::string host;           ///< for S3, the bucket; an IPv6 address has no brackets
  uint16_t port = 0;          ///< Redis only; default 6379
  std::string path;           ///< the folder (file), the database number (Redis), or the key's prefix (S3)
  std::string shown;          ///< URL without credentials, for messages and statistics
  /// URL for libcurl, without credentials and without a slash at the end.
  std::string address;
};

/// Parses a URL. Errors (Usage): an unknown scheme, rediss, a missing host, a port or database that is no
/// number, a bucket with a user or a port.
Result<RemoteUrl> read_remote_url(std::string_view url);

/// Decodes % sequences, such as %41. Empty: a % without two hexadecimal digits, or an encoded NUL.
std::optional<std::string> percent_decoded(std::string_view text);

/// The agent's secrets: tokens and passwords. hide() removes them from each message and each statistic.
class Secrets {
public:
  /// Adds a secret. Ignores texts of fewer than four characters, because hiding these would hide ordinary
  /// words.
  void add(std::string_view secret);
  /// Replaces each secret, and the user information in each URL, by ***.
  std::string hide(std::string_view text) const;

private:
  std::vector<std::string> secrets_;
};

} // namespace kiln
