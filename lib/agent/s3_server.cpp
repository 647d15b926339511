// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An S3 bucket, on AWS or a compatible server. An entry is PREFIX/ab/abcdef..., as in a folder server. `aws
// s3 sync` can therefore copy the entries of a folder to a bucket. libcurl signs the requests (SigV4).
#include "http_client.h"

#include <trust/trust.h>

#include <algorithm>
#include <cctype>

namespace kiln {

namespace {

/// SHA-256 of an empty body, as GET requests have.
constexpr std::string_view empty_sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr size_t max_fault_bytes = 64 * 1024;
constexpr std::string_view export_hint =
    "`aws configure export-credentials --format env` prints credentials; "
    "start the agent with them";

struct Hint {
  std::string_view code, hint;
};
constexpr Hint hints[] = {
    {"NoSuchBucket", "make the bucket, or correct the URL's name of it"},
    {"InvalidAccessKeyId", "set AWS_ACCESS_KEY_ID to a key that the server knows"},
    {"SignatureDoesNotMatch", "set AWS_SECRET_ACCESS_KEY to the secret of AWS_ACCESS_KEY_ID"},
    {"ExpiredToken", export_hint},
    {"InvalidToken", export_hint},
    {"RequestTimeTooSkewed", "set this machine's clock"},
    {"AccessDenied",
     "allow s3:GetObject and s3:ListBucket, and s3:PutObject to writers; without ListBucket, S3 "
     "denies what is missing"},
};

/// Returns the text of an XML element in S3's error message. Empty: the message lacks it.
std::string_view element(std::string_view xml, std::string_view name) {
  const std::string open = fmt::format("<{}>", name);
  const size_t begin = xml.find(open);
  if (begin == std::string_view::npos) return {};
  xml.remove_prefix(begin + open.size());
  const size_t end = xml.find("</");
  return end == std::string_view::npos ? std::string_view() : xml.substr(0, end);
}

/// Percent-encodes a key as SigV4 requires for the path, since libcurl signs the path as the URL has it.
std::string encoded_key(std::string_view key) {
  std::string out;
  for (char c : key)
    if (std::isalnum(uint8_t(c)) || std::string_view("-._~/").find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", uint8_t(c));
  return out;
}

class S3Server : public RemoteServer {
public:
  S3Server(EventLoop &loop, const RemoteUrl &url, const RemoteUrl &endpoint, const ServerSettings &settings)
      : loop_(loop), bucket_(url.host), settings_(settings.s3),
        client_(loop, endpoint, settings, {"Content-Type: application/octet-stream"},
                fmt::format("aws:amz:{}:s3", settings.s3.region)) {}

  void get(const RemoteName &name, std::chrono::milliseconds limit, GetDone done) override {
    client_.send({.path = path_of(name),
                  .deadline = EventLoop::now() + limit,
                  .max_reply_bytes = max_entry_bytes,
                  .headers = headers(empty_sha256)},
                 [this, done = std::move(done)](Result<HttpReply> reply) {
                   if (!reply.ok()) return done(reply.take_error());
                   if (reply->status == 404 && element(reply->body, "Code") == "NoSuchKey")
                     return done(std::optional<std::string>());
                   if (reply->status != 200) return done(fault("GET", *reply));
                   if (reply->body.empty()) return done(machine_error("an entry without bytes"));
                   done(std::optional(std::move(reply->body)));
                 });
  }

  void put(const RemoteName &name, std::string bytes, PutRule, std::chrono::milliseconds limit,
           PutDone done) override {
    const Result<Digest> digest = sha256(bytes);
    if (!digest.ok()) return loop_.defer([done, error = digest.error()] { done(error); });
    client_.send({.path = path_of(name),
                  .body = std::move(bytes),
                  .deadline = EventLoop::now() + limit,
                  .max_reply_bytes = max_fault_bytes,
                  .headers = headers(hex_text(*digest))},
                 [this, done = std::move(done)](Result<HttpReply> reply) {
                   if (!reply.ok()) return done(reply.take_error());
                   if (reply->status != 200) return done(fault("PUT", *reply));
                   done({});
                 });
  }

private:
  static std::string path_of(const RemoteName &name) {
    return fmt::format("/{:02x}/{}", unsigned(name[0]), hex_text(name));
  }

  /// Headers of a request, which are all signed. libcurl 7.88 also signs "Expect:", the form that removes
  /// this header.
  std::vector<std::string> headers(std::string_view payload_sha256) const {
    std::vector<std::string> out{"Content-Type: application/octet-stream"};
    if (settings_.key_id.empty()) return out;
    out.push_back(fmt::format("x-amz-content-sha256: {}", payload_sha256));
    if (!settings_.session_token.empty())
      out.push_back(fmt::format("x-amz-security-token: {}", settings_.session_token));
    return out;
  }

  Error fault(std::string_view method, const HttpReply &reply) const {
    const std::string_view code = element(reply.body, "Code");
    std::string_view message = element(reply.body, "Message");
    while (message.ends_with('.')) message.remove_suffix(1);
    const std::string_view region = element(reply.body, "Region"), place = element(reply.body, "Endpoint");
    const std::string_view other = region.empty() ? place : region;
    if (!other.empty() && other != settings_.region)
      return machine_error(fmt::format("the bucket {} is not in the region {}, but at {}", bucket_,
                                       settings_.region, printable(other)),
                           "set AWS_REGION to the bucket's region");
    const Hint *hint =
        std::find_if(std::begin(hints), std::end(hints), [&](const Hint &each) { return each.code == code; });
    return machine_error(fmt::format("{} of the bucket {} has the status {}{}{}{}{}", method, bucket_,
                                     reply.status, code.empty() ? "" : " ", printable(code),
                                     message.empty() ? "" : ": ", printable(message)),
                         std::string(hint == std::end(hints) ? std::string_view() : hint->hint));
  }

  EventLoop &loop_;
  const std::string bucket_;
  const S3Settings settings_;
  HttpClient client_;
};

Error settings_error(std::string message, std::string hint) {
  return make_error(ErrorCode::Usage, std::move(message), {}, std::move(hint));
}

Result<void> check_settings(const S3Settings &s3) {
  if (s3.key_id.empty() != s3.secret.empty())
    return settings_error(fmt::format("{} is set, and {} is not",
                                      s3.key_id.empty() ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID",
                                      s3.key_id.empty() ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY"),
                          "set both, or neither for a bucket that everybody can read");
  for (const std::string &each : {s3.key_id, s3.secret, s3.session_token})
    if (std::any_of(each.begin(), each.end(), [](char c) { return uint8_t(c) <= ' ' || c == 127; }))
      return settings_error("an AWS credential contains a blank or a line break", "set it to the key alone");
  const bool is_region =
      s3.region.size() <= 64 && std::all_of(s3.region.begin(), s3.region.end(),
                                            [](char c) { return std::isalnum(uint8_t(c)) || c == '-'; });
  if (!is_region)
    return settings_error(fmt::format("AWS_REGION is `{}`", printable(s3.region)),
                          "set it to a region such as eu-central-1");
  return {};
}

/// URL of the bucket. On AWS the host name begins with the bucket's name. A bucket with dots in its name goes
/// into the path instead, since AWS's certificate does not cover such a host.
Result<RemoteUrl> endpoint_of(const RemoteUrl &url, const S3Settings &s3) {
  std::string text = s3.endpoint;
  if (text.empty()) {
    const bool has_host = url.host.find('.') == std::string::npos;
    text = fmt::format("https://{}s3.{}.amazonaws.com{}", has_host ? url.host + "." : "", s3.region,
                       s3.region.starts_with("cn-") ? ".cn" : "");
    if (!has_host) text += "/" + url.host;
  }
  Result<RemoteUrl> endpoint = read_remote_url(text);
  using enum RemoteUrl::Scheme;
  if (!endpoint.ok() || (endpoint->scheme != Http && endpoint->scheme != Https) || !endpoint->user.empty())
    return settings_error(fmt::format("the endpoint of S3 is `{}`", Secrets().hide(printable(text))),
                          "set AWS_ENDPOINT_URL_S3 to http://host:port or https://host:port, without a user");
  if (!s3.endpoint.empty()) endpoint->address += "/" + url.host;
  if (!url.path.empty()) endpoint->address += "/" + encoded_key(url.path);
  endpoint->user = s3.key_id;
  endpoint->password = s3.secret;
  return endpoint;
}

} // namespace

Result<std::unique_ptr<RemoteServer>> make_s3_server(EventLoop &loop, const RemoteUrl &url,
                                                     const ServerSettings &settings) {
  KILN_CHECK(check_settings(settings.s3));
  KILN_TRY(const RemoteUrl endpoint, endpoint_of(url, settings.s3));
  return std::unique_ptr<RemoteServer>(std::make_unique<S3Server>(loop, url, endpoint, settings));
}

} // namespace kiln
