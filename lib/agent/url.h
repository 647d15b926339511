// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// URLs of remotes, and the one function that hides credentials in messages.
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
  std::string user, password; ///< percent-decoded; empty: the URL has none
  std::string host;           ///< an IPv6 address without its brackets; of S3, the bucket
  uint16_t port = 0;          ///< Redis alone: 6379 where the URL has none
  std::string path;           ///< of the folder (file), the number of the database (Redis), the prefix (S3)
  std::string shown;          ///< without credentials: what messages and statistics show
  /// For libcurl: without credentials, and without a slash at its end.
  std::string address;
};

/// Error (Usage): an unknown scheme, rediss, a missing host, a port or database that is no number, a bucket
/// with a user or a port.
Result<RemoteUrl> read_remote_url(std::string_view url);

/// Decodes %41. Nothing: a % without two hexadecimal digits after it, or an encoded NUL.
std::optional<std::string> percent_decoded(std::string_view text);

/// The secrets of an agent: tokens and passwords. Every message and every statistic passes through hide().
class Secrets {
public:
  /// Ignores empty texts and those of fewer than four characters, which would blank out ordinary words.
  void add(std::string_view secret);
  /// Replaces each secret by ***, and so the user information of every URL in the text.
  std::string hide(std::string_view text) const;

private:
  std::vector<std::string> secrets_;
};

} // namespace kiln
