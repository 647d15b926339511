// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Server in a folder of a network file system. An entry is FOLDER/ab/abcdef..., written to a temporary file
// and renamed, without locks.
#include "remote_server.h"

#include <support/bytes.h>
#include <support/descriptor.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

namespace {

/// A request to the helper thread. It reports once: the thread's result, or the deadline if that comes first.
template <class Done> struct FolderCall {
  Done done; ///< null: already reported
  EventLoop::TimerId timer = 0;
  SteadyTime deadline;
};

Error read_error(const std::string &path, int code) {
  return machine_error(fmt::format("cannot read {}: {}", path, std::generic_category().message(code)));
}

/// Reads a file, and returns its content or errno.
std::variant<std::string, int> read_entry(const std::string &path) {
  const OwnedDescriptor file(open_descriptor(path.c_str(), O_RDONLY | O_NONBLOCK));
  if (!file) return errno;
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  if (uint64_t(status.st_size) > max_entry_bytes) return EFBIG;
  std::string bytes(size_t(status.st_size), '\0');
  size_t used = 0;
  while (used < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return EIO; // the file has become shorter
    used += size_t(got);
  }
  return bytes;
}

Result<std::optional<std::string>> get_entry(const std::string &folder, const std::string &path) {
  std::variant<std::string, int> read = read_entry(path);
  // ESTALE: another machine replaced the file after it was opened. The second attempt opens the new file.
  if (std::holds_alternative<int>(read) && std::get<int>(read) == ESTALE) read = read_entry(path);
  if (std::string *bytes = std::get_if<std::string>(&read)) {
    if (bytes->empty()) return machine_error(fmt::format("cannot read {}: it is empty", path));
    return std::optional(std::move(*bytes));
  }
  const int code = std::get<int>(read);
  if (code != ENOENT) return read_error(path, code);
  // If the folder itself is missing, its file system is not mounted. That is an error, not a miss.
  if (::access(folder.c_str(), F_OK) != 0) return read_error(folder, errno);
  return std::optional<std::string>();
}

Result<void> put_entry(const std::string &subfolder, const std::string &path, const std::string &bytes) {
  // Make only the subfolder. A folder made in place of a missing mount would fill the local disk.
  if (::mkdir(subfolder.c_str(), 0777) != 0 && errno != EEXIST)
    return machine_error(
        fmt::format("cannot make the folder {}: {}", subfolder, std::generic_category().message(errno)));
  return write_file_atomically(path, bytes);
}

class FolderServer : public RemoteServer {
public:
  FolderServer(EventLoop &loop, std::string folder)
      : loop_(loop), folder_(std::move(folder)), alive_(std::make_shared<bool>(true)) {}
  ~FolderServer() override { *alive_ = false; }

  void get(const RemoteName &name, std::chrono::milliseconds limit, GetDone done) override {
    run<Result<std::optional<std::string>>>(
        std::move(done), limit, [folder = folder_, path = path_of(name)] { return get_entry(folder, path); });
  }
  void put(const RemoteName &name, std::string bytes, PutRule, std::chrono::milliseconds limit,
           PutDone done) override {
    run<Result<void>>(std::move(done), limit,
                      [subfolder = subfolder_of(name), path = path_of(name), bytes = std::move(bytes)] {
                        return put_entry(subfolder, path, bytes);
                      });
  }

private:
  std::string subfolder_of(const RemoteName &name) const {
    return fmt::format("{}/{:02x}", folder_, unsigned(name[0]));
  }
  std::string path_of(const RemoteName &name) const { return subfolder_of(name) + "/" + hex_text(name); }

  /// Calls `work` on the helper thread, and `done` with its result or with an error after `limit`. Skips
  /// `work` if the limit passed while it waited for the thread.
  template <class T, class Done, class Work> void run(Done done, std::chrono::milliseconds limit, Work work) {
    auto call = std::make_shared<FolderCall<Done>>();
    call->done = std::move(done);
    call->deadline = EventLoop::now() + limit;
    call->timer = loop_.after(limit, [call, alive = alive_, folder = folder_] {
      if (Done late = *alive ? std::exchange(call->done, nullptr) : nullptr)
        late(machine_error(fmt::format("the folder {} does not answer", folder)));
    });
    thread_.run([this, call, alive = alive_, mailbox = loop_.mailbox(), work = std::move(work)] {
      if (EventLoop::now() >= call->deadline) return;
      auto result = std::make_shared<T>(work());
      mailbox->post([this, call, alive, result] {
        if (!*alive || !call->done) return;
        loop_.cancel(call->timer);
        std::exchange(call->done, nullptr)(std::move(*result));
      });
    });
  }

  EventLoop &loop_;
  const std::string folder_;
  const std::shared_ptr<bool> alive_; ///< used by the loop's thread alone
  HelperThread thread_;
};

} // namespace

std::unique_ptr<RemoteServer> make_folder_server(EventLoop &loop, const RemoteUrl &url) {
  return std::make_unique<FolderServer>(loop, url.path);
}

} // namespace kiln
