// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "perf_dump.h"

#include <support/descriptor.h>
#include <support/support.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace kiln {

namespace {

struct Header {
  uint32_t magic = 0x4a695444, version = 1, total_size = sizeof(Header);
  uint32_t machine = 0, pad = 0, process = 0;
  uint64_t timestamp = 0, flags = 0;
};
static_assert(sizeof(Header) == 40);

enum : uint32_t { CodeLoad = 0, CodeClose = 3 };
struct Prefix {
  uint32_t id, total_size;
  uint64_t timestamp;
};
struct Load {
  Prefix prefix;
  uint32_t process, thread;
  uint64_t virtual_address, code_address, code_size, code_index;
};
static_assert(sizeof(Load) == 56);

constexpr uint32_t machine_of_host =
#if defined(__aarch64__)
    EM_AARCH64;
#else
    EM_X86_64;
#endif

/// Time in nanoseconds by the clock of `perf record -k 1`.
uint64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + uint64_t(time.tv_nsec);
}

template <class T> std::string_view bytes_of(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

} // namespace

Result<std::shared_ptr<PerfDump>> PerfDump::open(const std::string &folder) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<PerfDump>> opened;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  const auto path = std::filesystem::path(folder) / fmt::format("jit-{}.dump", ::getpid());
  auto cannot = [&](std::string_view what) {
    return machine_error(
        fmt::format("the file {} for perf cannot be {}: {}", path.string(), what, std::strerror(errno)),
        "name a folder that can be written to (the option perf_dir)");
  };
  std::lock_guard lock(mutex);
  std::weak_ptr<PerfDump> &known = opened[path.string()];
  if (auto dump = known.lock()) return dump;
  std::shared_ptr<PerfDump> dump(new PerfDump());
  dump->file_ = open_descriptor(path.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_NOFOLLOW, 0600);
  if (dump->file_ < 0) return cannot("opened");
  const Header header{.machine = machine_of_host, .process = uint32_t(::getpid()), .timestamp = now()};
  dump->write(bytes_of(header));
  if (dump->is_full_) return cannot("written");
  // Map the file: perf learns its name from this mapping, which must be executable.
  void *mapped =
      ::mmap(nullptr, size_t(::sysconf(_SC_PAGESIZE)), PROT_READ | PROT_EXEC, MAP_PRIVATE, dump->file_, 0);
  if (mapped == MAP_FAILED) return cannot("mapped");
  dump->mapped_ = mapped;
  known = dump;
  return dump;
}

PerfDump::~PerfDump() {
  if (file_ >= 0 && mapped_) {
    const Prefix close{CodeClose, sizeof close, now()};
    write(bytes_of(close));
  }
  if (mapped_) ::munmap(mapped_, size_t(::sysconf(_SC_PAGESIZE)));
  if (file_ >= 0) ::close(file_);
}

void PerfDump::write(std::string_view record) {
  while (!record.empty() && !is_full_) {
    const ssize_t written = ::write(file_, record.data(), record.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      is_full_ = true;
    else
      record.remove_prefix(size_t(written));
  }
}

void PerfDump::add(std::string_view name, uint64_t address, std::string_view code) {
  std::lock_guard lock(mutex_);
  const Load load{.prefix = {CodeLoad, uint32_t(sizeof(Load) + name.size() + 1 + code.size()), now()},
                  .process = uint32_t(::getpid()),
                  .thread = uint32_t(::gettid()),
                  .virtual_address = address,
                  .code_address = address,
                  .code_size = code.size(),
                  .code_index = functions_++};
  std::string record(bytes_of(load));
  record.append(name).append(1, '\0').append(code);
  write(record);
}

} // namespace kiln
