// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends HTTP requests from the agent's event loop, by libcurl's multi interface with connections that stay
// open.
#pragma once

#include "remote_server.h"

#include <curl/curl.h>
#include <unordered_map>

namespace kiln {

struct HttpRequest {
  std::string path;                ///< after the URL's own path; begins with a slash
  std::optional<std::string> body; ///< PUT, or POST; empty: GET
  bool is_post = false;
  SteadyTime deadline;
  size_t max_reply_bytes = 0;
  std::vector<std::string> headers = {}; ///< replace the usual ones
};

struct HttpReply {
  long status = 0;
  std::string body;
};

/// HTTP client of one remote. Used only by the event loop's thread.
class HttpClient {
public:
  using Done = std::function<void(Result<HttpReply>)>;
  /// `headers`: sent with each request. `s3_scope`: "aws:amz:REGION:s3" for requests to S3, which are signed
  /// if the URL has a user. They follow no redirections, which would need a new signature.
  HttpClient(EventLoop &loop, const RemoteUrl &url, const ServerSettings &settings,
             const std::vector<std::string> &headers = {"Content-Type: application/octet-stream"},
             std::optional<std::string> s3_scope = std::nullopt);
  ~HttpClient(); ///< drops pending requests without calling `done`
  HttpClient(const HttpClient &) = delete;
  HttpClient &operator=(const HttpClient &) = delete;

  /// Sends a request and calls `done` with the reply. Errors (Machine): no reply in time, no connection, too
  /// large a reply, a redirection that is not followed.
  void send(HttpRequest request, Done done);

private:
  struct Transfer;
  void set_options(Transfer &transfer);
  void set_credentials(CURL *easy);
  void act(curl_socket_t socket, int events);
  void finish(CURL *easy, CURLcode code);
  static int on_socket(CURL *easy, curl_socket_t socket, int what, void *client, void *watched);
  static int on_timer(CURLM *multi, long milliseconds, void *client);

  EventLoop &loop_;
  const RemoteUrl url_;
  const ServerSettings settings_;
  const std::optional<std::string> s3_scope_;
  const bool has_netrc_;
  CURLM *multi_ = nullptr;
  curl_slist *headers_ = nullptr;
  EventLoop::TimerId timer_ = 0;
  std::unordered_map<CURL *, std::unique_ptr<Transfer>> transfers_;
};

} // namespace kiln
