// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "http_client.h"

#include <kiln/version.h>

#include <mutex>
#include <sys/epoll.h>
#include <unistd.h>

namespace kiln {

namespace {

constexpr long max_redirects = 3;
constexpr long max_connections = 32;
constexpr long max_s3_connections = 128; ///< S3 takes tens of ms per request: 1,024 gets must end within 2 s

bool user_has_netrc() {
  const std::string home = environment_text("HOME");
  return !home.empty() && ::access((home + "/.netrc").c_str(), R_OK) == 0;
}

void initialize_curl() {
  static std::once_flag once;
  std::call_once(once, [] { ::curl_global_init(CURL_GLOBAL_DEFAULT); });
}

} // namespace

struct HttpClient::Transfer {
  HttpRequest request;
  Done done;
  CURL *easy = nullptr;
  curl_slist *headers = nullptr; ///< null: the client's
  size_t sent = 0;               ///< of the request's body
  std::string reply;
  bool is_too_large = false;
  char error[CURL_ERROR_SIZE] = "";

  Transfer() = default;
  Transfer(const Transfer &) = delete;
  Transfer &operator=(const Transfer &) = delete;
  ~Transfer() {
    ::curl_easy_cleanup(easy);
    ::curl_slist_free_all(headers);
  }

  static size_t on_reply(char *bytes, size_t, size_t size, void *transfer) {
    Transfer &self = *static_cast<Transfer *>(transfer);
    self.is_too_large = self.reply.size() + size > self.request.max_reply_bytes;
    if (self.is_too_large) return 0;
    self.reply.append(bytes, size);
    return size;
  }
  static size_t on_body(char *to, size_t, size_t size, void *transfer) {
    Transfer &self = *static_cast<Transfer *>(transfer);
    const size_t copied = self.request.body->copy(to, size, self.sent);
    self.sent += copied;
    return copied;
  }
  /// Called by libcurl to send the body again, after a redirection or a broken connection.
  static int on_seek(void *transfer, curl_off_t offset, int origin) {
    Transfer &self = *static_cast<Transfer *>(transfer);
    if (origin != SEEK_SET || offset < 0 || size_t(offset) > self.request.body->size())
      return CURL_SEEKFUNC_CANTSEEK;
    self.sent = size_t(offset);
    return CURL_SEEKFUNC_OK;
  }
};

HttpClient::HttpClient(EventLoop &loop, const RemoteUrl &url, const ServerSettings &settings,
                       const std::vector<std::string> &headers, std::optional<std::string> s3_scope)
    : loop_(loop), url_(url), settings_(settings), s3_scope_(std::move(s3_scope)),
      has_netrc_(user_has_netrc()) {
  initialize_curl();
  multi_ = ::curl_multi_init();
  ::curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, on_socket);
  ::curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  ::curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, on_timer);
  ::curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  const long connections = s3_scope_ ? max_s3_connections : max_connections;
  ::curl_multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, connections);
  ::curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, connections);
  headers_ = ::curl_slist_append(headers_, "Expect:"); // some servers never answer "100 Continue"
  for (const std::string &each : headers) headers_ = ::curl_slist_append(headers_, each.c_str());
}

HttpClient::~HttpClient() {
  for (auto &[easy, transfer] : transfers_) ::curl_multi_remove_handle(multi_, easy);
  transfers_.clear();
  ::curl_multi_cleanup(multi_);
  loop_.cancel(timer_);
  ::curl_slist_free_all(headers_);
}

void HttpClient::send(HttpRequest request, Done done) {
  auto transfer = std::make_unique<Transfer>();
  transfer->request = std::move(request);
  transfer->done = std::move(done);
  transfer->easy = ::curl_easy_init();
  CURL *easy = transfer->easy;
  set_options(*transfer);
  transfers_.emplace(easy, std::move(transfer));
  if (const CURLMcode code = ::curl_multi_add_handle(multi_, easy); code != CURLM_OK)
    loop_.defer([this, easy] { finish(easy, CURLE_FAILED_INIT); });
}

void HttpClient::set_options(Transfer &transfer) {
  CURL *easy = transfer.easy;
  const char *scheme = url_.scheme == RemoteUrl::Scheme::Https ? "https" : "http";
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(transfer.request.deadline - EventLoop::now());
  const long limit = long(std::max<int64_t>(left.count(), 1)); // 0 means no limit
  ::curl_easy_setopt(easy, CURLOPT_URL, (url_.address + transfer.request.path).c_str());
  ::curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, scheme);
  ::curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, scheme);
  ::curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, s3_scope_ ? 0L : 1L);
  ::curl_easy_setopt(easy, CURLOPT_MAXREDIRS, max_redirects);
  ::curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // Without this option, ending a transfer blocks the event loop until the server's name is resolved.
  ::curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  ::curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, limit);
  ::curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, limit);
  ::curl_easy_setopt(easy, CURLOPT_USERAGENT, "kiln-agent/" KILN_VERSION);
  for (const std::string &header : transfer.request.headers)
    transfer.headers = ::curl_slist_append(transfer.headers, header.c_str());
  ::curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer.headers ? transfer.headers : headers_);
  ::curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.error);
  ::curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, Transfer::on_reply);
  ::curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  if (transfer.request.body) {
    const curl_off_t size = curl_off_t(transfer.request.body->size());
    ::curl_easy_setopt(easy, transfer.request.is_post ? CURLOPT_POST : CURLOPT_UPLOAD, 1L);
    ::curl_easy_setopt(
        easy, transfer.request.is_post ? CURLOPT_POSTFIELDSIZE_LARGE : CURLOPT_INFILESIZE_LARGE, size);
    ::curl_easy_setopt(easy, CURLOPT_READFUNCTION, Transfer::on_body);
    ::curl_easy_setopt(easy, CURLOPT_READDATA, &transfer);
    ::curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, Transfer::on_seek);
    ::curl_easy_setopt(easy, CURLOPT_SEEKDATA, &transfer);
  }
  set_credentials(easy);
}

void HttpClient::set_credentials(CURL *easy) {
  if (!settings_.certificate.empty())
    ::curl_easy_setopt(easy, CURLOPT_SSLCERT, settings_.certificate.c_str());
  if (!settings_.key.empty()) ::curl_easy_setopt(easy, CURLOPT_SSLKEY, settings_.key.c_str());
  if (!settings_.authorities.empty()) ::curl_easy_setopt(easy, CURLOPT_CAINFO, settings_.authorities.c_str());
  if (s3_scope_) {
    ::curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L); // a key may contain ".."
    if (url_.user.empty()) return;
    ::curl_easy_setopt(easy, CURLOPT_AWS_SIGV4, s3_scope_->c_str());
  }
  if (!url_.user.empty() || !url_.password.empty()) {
    ::curl_easy_setopt(easy, CURLOPT_USERNAME, url_.user.c_str());
    ::curl_easy_setopt(easy, CURLOPT_PASSWORD, url_.password.c_str());
  } else if (!settings_.token.empty()) {
    ::curl_easy_setopt(easy, CURLOPT_HTTPAUTH, long(CURLAUTH_BEARER));
    ::curl_easy_setopt(easy, CURLOPT_XOAUTH2_BEARER, settings_.token.c_str());
  } else if (has_netrc_) {
    ::curl_easy_setopt(easy, CURLOPT_NETRC, long(CURL_NETRC_OPTIONAL));
  }
}

int HttpClient::on_socket(CURL *, curl_socket_t socket, int what, void *client, void *watched) {
  HttpClient &self = *static_cast<HttpClient *>(client);
  if (what == CURL_POLL_REMOVE) {
    self.loop_.unwatch(socket);
    return 0;
  }
  const uint32_t events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
  if (watched) {
    self.loop_.set_events(socket, events);
    return 0;
  }
  ::curl_multi_assign(self.multi_, socket, &self); // marks the socket as known
  self.loop_.watch(socket, events, [&self, socket](uint32_t ready) {
    self.act(socket, (ready & EPOLLIN ? CURL_CSELECT_IN : 0) | (ready & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                         (ready & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0));
  });
  return 0;
}

int HttpClient::on_timer(CURLM *, long milliseconds, void *client) {
  HttpClient &self = *static_cast<HttpClient *>(client);
  self.loop_.cancel(self.timer_);
  if (milliseconds >= 0)
    self.timer_ = self.loop_.after(std::chrono::milliseconds(milliseconds), [&self] {
      self.timer_ = 0;
      self.act(CURL_SOCKET_TIMEOUT, 0);
    });
  return 0;
}

void HttpClient::act(curl_socket_t socket, int events) {
  int running = 0;
  ::curl_multi_socket_action(multi_, socket, events, &running);
  int left = 0;
  while (CURLMsg *message = ::curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL *easy = message->easy_handle;
    const CURLcode code = message->data.result; // the message dies with remove_handle
    ::curl_multi_remove_handle(multi_, easy);
    finish(easy, code);
  }
}

void HttpClient::finish(CURL *easy, CURLcode code) {
  auto found = transfers_.extract(easy);
  Transfer &transfer = *found.mapped();
  HttpReply reply;
  const char *method = nullptr;
  ::curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &reply.status);
  ::curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_METHOD, &method);
  if (transfer.is_too_large) {
    transfer.done(
        machine_error(fmt::format("a reply has more than {} bytes", transfer.request.max_reply_bytes)));
  } else if (code != CURLE_OK) {
    transfer.done(machine_error(printable(*transfer.error ? transfer.error : ::curl_easy_strerror(code))));
  } else if (transfer.request.body &&
             (!method || std::string_view(method) != (transfer.request.is_post ? "POST" : "PUT"))) {
    transfer.done(machine_error("a redirection turned the upload into another request"));
  } else {
    reply.body = std::move(transfer.reply);
    transfer.done(std::move(reply));
  }
}

} // namespace kiln
