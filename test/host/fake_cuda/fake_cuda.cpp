// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA driver without a GPU, for tests: the functions of runtime/host/cuda_functions.def on host memory. It
// counts calls, knows every handle that lives, and refuses what the driver refuses (wrong contexts, unknown
// handles, what a capture does not take). Kernels do not run; a launch notes its parameters. Environment,
// read at each call:
//   KILN_FAKE_CUDA_DEVICES  how many there are (2)            KILN_FAKE_CUDA_VERSION  13000
//   KILN_FAKE_CUDA_SM       compute capability x 10 (90)      KILN_FAKE_CUDA_MEMORY   bytes of each device
//   (2^30) KILN_FAKE_CUDA_FAIL     "cuMemAllocFromPoolAsync=2,...": what these functions return; * is all of
//   them
#include "fake_cuda.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Context {
  int device;
  int users = 0;
};
struct Block {
  size_t bytes;
  int device;
  bool pinned;
};
struct Node {
  std::string kernel;
  uint64_t record;
};
struct FakeStream {
  Context *context;
  bool capturing = false;
  FakeStream *origin = nullptr;
  std::thread::id thread;
  std::vector<Node> nodes;
};
struct FakeEvent {
  Context *context;
  FakeStream *captured_in = nullptr;
  bool recorded = false;
  uint64_t at = 0;
};
struct Module {
  std::string text;
  std::map<std::string, std::vector<char>> globals;
  std::map<std::string, std::unique_ptr<struct Entry>> entries;
};
struct Entry {
  Module *module;
  std::string name;
};
struct Function {
  Entry *entry;
  Context *context;
  int dynamic_shared = 0;
};
struct FakeLink {
  char *errors, *info;
  std::string text;
};
struct FakeGraph {
  std::vector<Node> nodes;
};
struct Pool {
  int device;
  uint64_t threshold = 0;
};

struct Fake {
  std::mutex mutex;
  std::map<std::string, uint64_t> counts;
  bool logging = false;
  std::string log;
  std::map<int, std::unique_ptr<Context>> primary;
  std::set<std::unique_ptr<Context>> others;
  std::map<uint64_t, Block> memory;
  std::map<int, uint64_t> used;
  std::set<FakeStream *> streams;
  std::set<FakeEvent *> events;
  std::set<Module *> modules;
  std::set<FakeGraph *> graphs, executables;
  std::set<Pool *> pools;
  std::set<FakeLink *> links;
  std::map<std::pair<Entry *, Context *>, std::unique_ptr<Function>> functions;
  std::set<Function *> living;
  uint64_t clock = 0;
  size_t record_parameters = 0;
  std::vector<uint64_t> parameters;
  FakeLaunch last{};
  bool throws = false;
  FakeException exception{};
} fake;

thread_local Context *current = nullptr;

uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Counts the call; what it must return, if it has to fail.
int enter(const char *name) {
  fake.counts[name]++;
  if (fake.logging) fake.log += (fake.log.empty() ? "" : " ") + std::string(name);
  const char *fail = std::getenv("KILN_FAKE_CUDA_FAIL");
  if (!fail) return 0;
  std::string all = std::string(",") + fail + ",";
  for (std::string key : {"," + std::string(name) + "=", std::string(",*=")})
    if (size_t at = all.find(key); at != std::string::npos) return std::atoi(all.c_str() + at + key.size());
  return 0;
}

void run(const Node &node) {
  fake.clock += 1000;
  if (!fake.throws || !node.record) return;
  struct Record {
    uint32_t status, kind, thread[3], block[3];
    uint64_t name, location;
  };
  auto *record = reinterpret_cast<Record *>(node.record);
  fake.throws = false;
  if (record->status) return;
  record->kind = fake.exception.kind;
  record->thread[0] = 5;
  record->block[0] = 2;
  record->name = reinterpret_cast<uint64_t>(fake.exception.name);
  record->location = reinterpret_cast<uint64_t>(fake.exception.location);
  record->status = 2;
}

bool capturing_here() {
  return std::any_of(fake.streams.begin(), fake.streams.end(), [](FakeStream *s) {
    return s->capturing && s->origin == s && s->thread == std::this_thread::get_id();
  });
}

int device_of_current() { return current ? current->device : -1; }

} // namespace

#define ENTER(name)                                                                                          \
  std::lock_guard lock(fake.mutex);                                                                          \
  if (int failure = enter(#name)) return failure
#define EXPORT extern "C" __attribute__((visibility("default")))
enum {
  Ok = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  CaptureUnsupported = 900,
  CaptureUnmatched = 903,
  CaptureUnjoined = 904,
  WrongThread = 908
};

// ---- what tests ask
EXPORT uint64_t fake_cuda_count(const char *name) {
  std::lock_guard lock(fake.mutex);
  return fake.counts[name];
}
EXPORT void fake_cuda_log(int on) {
  std::lock_guard lock(fake.mutex);
  fake.logging = on;
  fake.log.clear();
}
EXPORT const char *fake_cuda_calls() { return fake.log.c_str(); }
EXPORT FakeLiving fake_cuda_living() {
  std::lock_guard lock(fake.mutex);
  FakeLiving l{};
  for (auto &[address, block] : fake.memory) (block.pinned ? l.pinned_blocks : l.device_blocks)++;
  for (auto &[device, context] : fake.primary) l.contexts += uint64_t(context->users > 0);
  l.streams = fake.streams.size();
  l.events = fake.events.size();
  l.modules = fake.modules.size();
  l.graphs = fake.graphs.size() + fake.executables.size();
  l.pools = fake.pools.size();
  l.links = fake.links.size();
  return l;
}
EXPORT void fake_cuda_throw(const FakeException *exception) {
  std::lock_guard lock(fake.mutex);
  fake.throws = exception != nullptr;
  if (exception) fake.exception = *exception;
}
EXPORT void fake_cuda_record_parameters(uint64_t count) { fake.record_parameters = count; }
EXPORT FakeLaunch fake_cuda_last_launch() { return fake.last; }

// ---- the driver
EXPORT int cuInit(unsigned) {
  ENTER(cuInit);
  return Ok;
}
EXPORT int cuDriverGetVersion(int *version) {
  *version = int(setting("KILN_FAKE_CUDA_VERSION", 13000));
  return Ok;
}
EXPORT int cuGetErrorName(int status, const char **name) {
  *name = status == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : status == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                          : "CUDA_ERROR";
  return Ok;
}
EXPORT int cuGetErrorString(int status, const char **text) {
  *text = status == 2     ? "out of memory"
          : status == 700 ? "an illegal memory access was encountered"
                          : "it failed";
  return Ok;
}
EXPORT int cuDeviceGetCount(int *count) {
  *count = int(setting("KILN_FAKE_CUDA_DEVICES", 2));
  return Ok;
}
EXPORT int cuDeviceGet(int *device, int number) {
  ENTER(cuDeviceGet);
  *device = 100 + number; // a handle is no number
  return Ok;
}
EXPORT int cuDeviceGetName(char *name, int bytes, int device) {
  std::snprintf(name, size_t(bytes), "Fake GPU %d", device - 100);
  return Ok;
}
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = setting("KILN_FAKE_CUDA_MEMORY", 1 << 30);
  return Ok;
}
EXPORT int cuDeviceGetAttribute(int *value, int which, int) {
  int sm = int(setting("KILN_FAKE_CUDA_SM", 90));
  static const std::map<int, int> values{
      {1, 1024},  {2, 1024},    {3, 1024}, {4, 64},      {5, 2147483647}, {6, 65535},
      {7, 65535}, {8, 49152},   {10, 32},  {12, 65536},  {16, 132},       {38, 1 << 20},
      {39, 2048}, {81, 233472}, {95, 1},   {97, 232448}, {115, 1},        {120, 1}};
  auto it = values.find(which);
  *value = which == 75          ? sm / 10
           : which == 76        ? sm % 10
           : which == 120       ? sm >= 90
           : it == values.end() ? 0
                                : it->second;
  return Ok;
}
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) {
  ENTER(cuDevicePrimaryCtxRetain);
  auto &primary = fake.primary[device];
  if (!primary) primary.reset(new Context{device - 100});
  primary->users++;
  *context = primary.get();
  return Ok;
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
  ENTER(cuDevicePrimaryCtxRelease_v2);
  if (!fake.primary[device] || fake.primary[device]->users-- == 0) return InvalidContext;
  return Ok;
}
EXPORT void *fake_cuda_new_context(int device) {
  std::lock_guard lock(fake.mutex);
  return fake.others.insert(std::make_unique<Context>(Context{device, 1})).first->get();
}
EXPORT int cuCtxGetCurrent(void **context) {
  *context = current;
  return Ok;
}
EXPORT int cuCtxSetCurrent(void *context) {
  ENTER(cuCtxSetCurrent);
  auto is = [&](const auto &each) { return each.get() == context; };
  bool known = !context || std::any_of(fake.others.begin(), fake.others.end(), is) ||
               std::any_of(fake.primary.begin(), fake.primary.end(),
                           [&](const auto &each) { return is(each.second); });
  if (!known) return InvalidContext;
  current = static_cast<Context *>(context);
  return Ok;
}
EXPORT int cuCtxGetDevice(int *device) {
  *device = 100 + device_of_current();
  return current ? Ok : InvalidContext;
}
EXPORT int cuCtxSynchronize() {
  ENTER(cuCtxSynchronize);
  return current ? Ok : InvalidContext;
}

// ---- memory
static int allocate(uint64_t *address, size_t bytes, bool pinned) {
  if (!current) return InvalidContext;
  uint64_t &used = fake.used[current->device];
  if (!pinned && used + bytes > setting("KILN_FAKE_CUDA_MEMORY", 1 << 30)) return OutOfMemory;
  *address = reinterpret_cast<uint64_t>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  fake.memory[*address] = {bytes, current->device, pinned};
  if (!pinned) used += bytes;
  return Ok;
}
static int release(uint64_t address, bool pinned) {
  auto it = fake.memory.find(address);
  if (it == fake.memory.end() || it->second.pinned != pinned) return InvalidValue;
  if (!pinned) fake.used[it->second.device] -= it->second.bytes;
  std::free(reinterpret_cast<void *>(address));
  fake.memory.erase(it);
  return Ok;
}
static int check_stream(FakeStream *stream) {
  if (!fake.streams.count(stream)) return InvalidHandle;
  return stream->context == current ? Ok : InvalidContext;
}
EXPORT int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  ENTER(cuMemAlloc_v2);
  return capturing_here() ? CaptureUnsupported : allocate(address, bytes, false);
}
EXPORT int cuMemFree_v2(uint64_t address) {
  ENTER(cuMemFree_v2);
  return release(address, false);
}
EXPORT int cuMemPoolCreate(void **pool, const void *properties) {
  ENTER(cuMemPoolCreate);
  const int *p = static_cast<const int *>(properties); // CUmemPoolProps: PINNED, no handles, on a device
  if (p[0] != 1 || p[1] != 0 || p[2] != 1) return InvalidValue;
  *pool = *fake.pools.insert(new Pool{p[3] - 100}).first;
  return Ok;
}
EXPORT int cuMemPoolDestroy(void *pool) {
  ENTER(cuMemPoolDestroy);
  if (!fake.pools.erase(static_cast<Pool *>(pool))) return InvalidHandle;
  delete static_cast<Pool *>(pool);
  return Ok;
}
EXPORT int cuMemPoolSetAttribute(void *pool, int which, void *value) {
  ENTER(cuMemPoolSetAttribute);
  if (which != 4) return InvalidValue;
  static_cast<Pool *>(pool)->threshold = *static_cast<uint64_t *>(value);
  return Ok;
}
EXPORT int cuMemPoolGetAttribute(void *pool, int which, void *value) {
  ENTER(cuMemPoolGetAttribute);
  *static_cast<uint64_t *>(value) = which == 5 ? fake.used[static_cast<Pool *>(pool)->device] : 0;
  return Ok;
}
EXPORT int cuMemPoolTrimTo(void *pool, size_t) {
  ENTER(cuMemPoolTrimTo);
  return fake.pools.count(static_cast<Pool *>(pool)) ? Ok : InvalidHandle;
}
EXPORT int cuMemAllocFromPoolAsync(uint64_t *address, size_t bytes, void *pool, void *stream) {
  ENTER(cuMemAllocFromPoolAsync);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  if (!fake.pools.count(static_cast<Pool *>(pool))) return InvalidHandle;
  return s->capturing ? CaptureUnsupported : allocate(address, bytes, false);
}
EXPORT int cuMemFreeAsync(uint64_t address, void *stream) {
  ENTER(cuMemFreeAsync);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  return s->capturing ? InvalidValue : release(address, false);
}
EXPORT int cuMemGetInfo_v2(size_t *available, size_t *total) {
  ENTER(cuMemGetInfo_v2);
  *total = setting("KILN_FAKE_CUDA_MEMORY", 1 << 30);
  *available = *total - fake.used[device_of_current()];
  return Ok;
}
EXPORT int cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  ENTER(cuMemHostAlloc);
  uint64_t address = 0;
  int status = allocate(&address, bytes, true);
  *memory = reinterpret_cast<void *>(address);
  return status;
}
EXPORT int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned) {
  ENTER(cuMemHostGetDevicePointer_v2);
  *address = reinterpret_cast<uint64_t>(memory);
  return fake.memory.count(*address) ? Ok : InvalidValue;
}
EXPORT int cuMemFreeHost(void *memory) {
  ENTER(cuMemFreeHost);
  return release(reinterpret_cast<uint64_t>(memory), true);
}
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  ENTER(cuMemcpyDtoH_v2);
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return Ok;
}
EXPORT int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  ENTER(cuMemcpyAsync);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  if (!s->capturing) std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
  return Ok;
}
EXPORT int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
  ENTER(cuMemsetD8Async);
  if (int status = check_stream(static_cast<FakeStream *>(stream))) return status;
  std::memset(reinterpret_cast<void *>(to), value, bytes);
  return Ok;
}
EXPORT int cuPointerGetAttribute(void *value, int which, uint64_t address) {
  ENTER(cuPointerGetAttribute);
  auto it = fake.memory.upper_bound(address);
  if (it == fake.memory.begin() || address >= std::prev(it)->first + std::prev(it)->second.bytes)
    return InvalidValue;
  const Block &block = std::prev(it)->second;
  *static_cast<int *>(value) = which == 2 ? (block.pinned ? 1 : 2) : which == 9 ? block.device : 0;
  return Ok;
}

#include "fake_streams.h"
