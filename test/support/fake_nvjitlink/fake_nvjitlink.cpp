// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvJitLink's functions without an assembler: a cubin is the options and the text. What is not fast compile
// waits or fails as the test says.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Link {
  std::string options, text, error;
  bool fast = false;
};

std::mutex mutex;
std::condition_variable changed;
bool blocked = false, failing = false;
std::atomic<uint64_t> waiting{0}, fast_links{0}, full_links{0};

void copy(const std::string &text, char *into) { std::memcpy(into, text.c_str(), text.size() + 1); }

} // namespace

EXPORT void fake_jitlink_block(int on) {
  std::lock_guard lock(mutex);
  blocked = on != 0;
  changed.notify_all();
}
EXPORT void fake_jitlink_fail(int on) {
  std::lock_guard lock(mutex);
  failing = on != 0;
}
EXPORT uint64_t fake_jitlink_waiting() { return waiting; }
EXPORT uint64_t fake_jitlink_fast() { return fast_links; }
EXPORT uint64_t fake_jitlink_full() { return full_links; }

EXPORT int nvJitLinkCreate(void **handle, uint32_t count, const char **options) {
  auto *link = new Link;
  for (uint32_t i = 0; i < count; i++) {
    link->options += std::string(options[i]) + " ";
    link->fast |= std::strcmp(options[i], "-Xptxas=-Ofc=max") == 0;
  }
  *handle = link;
  return 0;
}
EXPORT int nvJitLinkDestroy(void **handle) {
  delete static_cast<Link *>(*handle);
  *handle = nullptr;
  return 0;
}
EXPORT int nvJitLinkAddData(void *handle, int, const void *data, size_t size, const char *) {
  static_cast<Link *>(handle)->text.assign(static_cast<const char *>(data), size - 1);
  return 0;
}
EXPORT int nvJitLinkComplete(void *handle) {
  auto *link = static_cast<Link *>(handle);
  if (link->fast) {
    fast_links++;
    return 0;
  }
  std::unique_lock lock(mutex);
  waiting++;
  changed.wait(lock, [] { return !blocked; });
  waiting--;
  full_links++;
  if (failing) link->error = "ptxas fatal : it fails because the test says so";
  return failing ? 1 : 0;
}
EXPORT int nvJitLinkGetErrorLogSize(void *handle, size_t *size) {
  *size = static_cast<Link *>(handle)->error.size() + 1;
  return 0;
}
EXPORT int nvJitLinkGetErrorLog(void *handle, char *text) {
  copy(static_cast<Link *>(handle)->error, text);
  return 0;
}
EXPORT int nvJitLinkGetInfoLogSize(void *, size_t *size) {
  *size = 1;
  return 0;
}
EXPORT int nvJitLinkGetInfoLog(void *, char *text) {
  *text = '\0';
  return 0;
}
static std::string cubin_of(void *handle) {
  auto *link = static_cast<Link *>(handle);
  return "\x7f"
         "ELF " +
         link->options + "\n" + link->text;
}
EXPORT int nvJitLinkGetLinkedCubinSize(void *handle, size_t *size) {
  *size = cubin_of(handle).size();
  return 0;
}
EXPORT int nvJitLinkGetLinkedCubin(void *handle, void *into) {
  const std::string cubin = cubin_of(handle);
  std::memcpy(into, cubin.data(), cubin.size());
  return 0;
}
EXPORT int nvJitLinkVersion(unsigned *major, unsigned *minor) {
  *major = 13;
  *minor = 9;
  return 0;
}
