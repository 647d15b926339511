// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "url.h"

#include <support/read_number.h>

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace kiln {

namespace {

constexpr std::string_view hidden = "***";
constexpr std::string_view hint =
    "use http://host/prefix, https://host/prefix, s3://bucket/prefix, redis://host:port/database or "
    "file:///folder";

Error url_error(std::string_view url, std::string_view what, std::string_view help = hint) {
  return make_error(ErrorCode::Usage, fmt::format("the remote `{}` {}", Secrets().hide(url), what), {},
                    std::string(help));
}

std::optional<RemoteUrl::Scheme> scheme_of(std::string_view name) {
  using enum RemoteUrl::Scheme;
  if (name == "http") return Http;
  if (name == "https") return Https;
  if (name == "redis") return Redis;
  if (name == "file") return File;
  if (name == "s3") return S3;
  return std::nullopt;
}

/// Reads "user:password@" before the host. Returns false for an invalid % sequence.
bool read_user(std::string_view text, RemoteUrl &url) {
  const size_t colon = text.find(':');
  const auto user = percent_decoded(text.substr(0, colon));
  const auto password =
      percent_decoded(colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1));
  if (!user || !password) return false;
  url.user = *user;
  url.password = *password;
  return true;
}

/// Reads "[::1]:6379" or "host:6379". Returns false if the port is no number, or a bracket is not closed.
bool read_host(std::string_view text, RemoteUrl &url) {
  std::string_view rest;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return false;
    url.host = text.substr(1, end - 1);
    rest = text.substr(end + 1);
  } else {
    const size_t colon = text.find(':');
    url.host = text.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  if (rest.empty()) return true;
  const auto port = rest.starts_with(':') ? read_number<uint16_t>(rest.substr(1)) : std::nullopt;
  if (!port || *port == 0) return false;
  url.port = *port;
  return true;
}

Result<RemoteUrl> read_folder(std::string_view whole, std::string_view rest, RemoteUrl url) {
  if (rest.starts_with("localhost/")) rest.remove_prefix(std::string_view("localhost").size());
  const auto path = percent_decoded(rest);
  if (!path || !path->starts_with('/')) return url_error(whole, "names no absolute path");
  url.path = *path;
  while (url.path.size() > 1 && url.path.ends_with('/')) url.path.pop_back();
  url.shown = "file://" + url.path;
  return url;
}

bool is_bucket_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(uint8_t(c)) || c == '.' || c == '-' || c == '_';
  });
}

Result<RemoteUrl> read_bucket(std::string_view whole, std::string_view rest, RemoteUrl url) {
  while (rest.ends_with('/')) rest.remove_suffix(1);
  const size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view bucket = rest.substr(0, slash);
  if (rest.find('@') != std::string_view::npos && bucket.find_first_of(":@") != std::string_view::npos)
    return url_error(whole, "names a user", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  if (!is_bucket_name(bucket))
    return url_error(whole, "names no bucket",
                     "use s3://bucket/prefix; the server's address is in AWS_ENDPOINT_URL_S3");
  const auto prefix = percent_decoded(rest.substr(std::min(slash + 1, rest.size())));
  if (!prefix) return url_error(whole, "has a % that encodes no character");
  url.host = bucket;
  url.path = *prefix;
  url.shown = fmt::format("s3://{}", rest);
  return url;
}

} // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const auto value = i + 2 < text.size() ? read_number<uint8_t>(text.substr(i + 1, 2), 16) : std::nullopt;
    if (!value || *value == 0) return std::nullopt;
    out += char(*value);
    i += 2;
  }
  return out;
}

Result<RemoteUrl> read_remote_url(std::string_view text) {
  const size_t colon = text.find("://");
  if (colon == std::string_view::npos) return url_error(text, "is no URL");
  const std::string_view name = text.substr(0, colon);
  if (name == "rediss")
    return url_error(text, "asks for TLS, which the agent does not speak with Redis",
                     "run stunnel beside the agent and name its port: redis://localhost:PORT");
  const auto scheme = scheme_of(name);
  if (!scheme) return url_error(text, fmt::format("has the unknown scheme `{}`", name));
  if (std::any_of(text.begin(), text.end(), [](char c) { return uint8_t(c) <= ' ' || c == 127; }))
    return url_error(text, "contains a blank or a control character", "write it as %20");
  std::string_view rest = text.substr(colon + 3);
  RemoteUrl url{.scheme = *scheme};
  if (*scheme == RemoteUrl::Scheme::File) return read_folder(text, rest, std::move(url));
  if (*scheme == RemoteUrl::Scheme::S3) return read_bucket(text, rest, std::move(url));

  const size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash), path = rest.substr(slash);
  if (const size_t at = authority.rfind('@'); at != std::string_view::npos) {
    if (!read_user(authority.substr(0, at), url)) return url_error(text, "has a % that encodes no character");
    authority.remove_prefix(at + 1);
  }
  if (!read_host(authority, url)) return url_error(text, "has no valid port");
  if (url.host.empty()) return url_error(text, "names no host");
  if (path.find_first_of("?#") != std::string_view::npos || authority.find_first_of("?#") < authority.size())
    return url_error(text, "has a query or a fragment");
  while (path.ends_with('/')) path.remove_suffix(1);
  if (*scheme == RemoteUrl::Scheme::Redis) {
    if (url.port == 0) url.port = 6379;
    if (!path.empty()) path.remove_prefix(1);
    if (!path.empty() && !read_number<uint16_t>(path)) return url_error(text, "has no valid database number");
    url.path = path;
  }
  url.address = fmt::format("{}://{}{}{}", name, authority,
                            *scheme == RemoteUrl::Scheme::Redis && !path.empty() ? "/" : "", path);
  url.shown = url.address;
  return url;
}

void Secrets::add(std::string_view secret) {
  if (secret.size() < 4 || std::find(secrets_.begin(), secrets_.end(), secret) != secrets_.end()) return;
  secrets_.emplace_back(secret);
  // Replace long secrets first, since a short one may be part of a long one.
  std::stable_sort(secrets_.begin(), secrets_.end(),
                   [](const std::string &a, const std::string &b) { return a.size() > b.size(); });
}

std::string Secrets::hide(std::string_view text) const {
  std::string out(text);
  for (size_t at = 0; (at = out.find("://", at)) != std::string::npos;) {
    at += 3;
    // Hide everything up to the word's last @: a password may contain an @, and a malformed URL a slash
    // before it.
    const size_t end = std::min(out.find_first_of(" \t\n\"'`<>", at), out.size());
    const size_t mark = end == 0 ? std::string::npos : out.rfind('@', end - 1);
    if (mark == std::string::npos || mark < at) continue;
    out.replace(at, mark - at, hidden);
  }
  for (const std::string &secret : secrets_)
    for (size_t at = 0; (at = out.find(secret, at)) != std::string::npos; at += hidden.size())
      out.replace(at, secret.size(), hidden);
  return out;
}

} // namespace kiln
