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
#include "fake_state.h"

using namespace fake_cuda;

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
EXPORT void fake_cuda_kernel(void (*kernel)(const FakeLaunch &)) { fake.kernel = kernel; }

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
