// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "remote_server.h"

#include <support/read_number.h>

namespace kiln {

namespace {

std::string first_of(std::string first, const std::string &second) { return first.empty() ? second : first; }

S3Settings read_s3_settings() {
  S3Settings s3{.endpoint =
                    first_of(environment_text("AWS_ENDPOINT_URL_S3"), environment_text("AWS_ENDPOINT_URL")),
                .region = first_of(environment_text("AWS_REGION"), environment_text("AWS_DEFAULT_REGION")),
                .key_id = environment_text("AWS_ACCESS_KEY_ID"),
                .secret = environment_text("AWS_SECRET_ACCESS_KEY"),
                .session_token = environment_text("AWS_SESSION_TOKEN")};
  if (s3.region.empty()) s3.region = "us-east-1";
  return s3;
}

} // namespace

Result<ServerSettings> read_server_settings() {
  ServerSettings settings{
      .token = environment_text("KILN_REMOTE_TOKEN"),
      .certificate = environment_text("KILN_REMOTE_CERT"),
      .key = environment_text("KILN_REMOTE_KEY"),
      .authorities = environment_text("KILN_REMOTE_CA"),
      .s3 = read_s3_settings(),
  };
  if (settings.token.find_first_of("\r\n") != std::string::npos)
    return make_error(ErrorCode::Usage, "KILN_REMOTE_TOKEN contains a line break", {},
                      "set it to the token alone");
  if (const std::string expiry = environment_text("KILN_REMOTE_EXPIRY"); !expiry.empty()) {
    const auto seconds = read_number<uint32_t>(expiry);
    if (!seconds || *seconds == 0)
      return make_error(ErrorCode::Usage, fmt::format("KILN_REMOTE_EXPIRY is `{}`", expiry), {},
                        "set it to a number of seconds above 0: 2592000 for 30 days");
    settings.expiry = std::chrono::seconds(*seconds);
  }
  return settings;
}

Result<std::unique_ptr<RemoteServer>> make_server(EventLoop &loop, const RemoteUrl &url,
                                                  const ServerSettings &settings) {
  switch (url.scheme) {
  case RemoteUrl::Scheme::Http:
  case RemoteUrl::Scheme::Https: return make_http_server(loop, url, settings);
  case RemoteUrl::Scheme::Redis: return make_redis_server(loop, url, settings);
  case RemoteUrl::Scheme::S3: return make_s3_server(loop, url, settings);
  case RemoteUrl::Scheme::File: break;
  }
  return make_folder_server(loop, url);
}

std::string printable(std::string_view text) {
  std::string out(text.substr(0, 200));
  for (char &c : out)
    if (uint8_t(c) < ' ' || uint8_t(c) >= 127) c = '?';
  return out;
}

} // namespace kiln
