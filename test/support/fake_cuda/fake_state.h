// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fake CUDA driver knows: contexts, memory, streams, code. Every exported function holds its mutex
// (ENTER).
#pragma once

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

namespace fake_cuda {

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
  void (*kernel)(const FakeLaunch &) = nullptr;
  std::vector<uint64_t> parameters;
  FakeLaunch last{};
  bool throws = false;
  FakeException exception{};
};
inline Fake fake;

inline thread_local Context *current = nullptr;

inline uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Counts the call; what it must return, if it has to fail.
inline int enter(const char *name) {
  fake.counts[name]++;
  if (fake.logging) fake.log += (fake.log.empty() ? "" : " ") + std::string(name);
  const char *fail = std::getenv("KILN_FAKE_CUDA_FAIL");
  if (!fail) return 0;
  std::string all = std::string(",") + fail + ",";
  for (std::string key : {"," + std::string(name) + "=", std::string(",*=")})
    if (size_t at = all.find(key); at != std::string::npos) return std::atoi(all.c_str() + at + key.size());
  return 0;
}

inline void run(const Node &node) {
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

inline bool capturing_here() {
  return std::any_of(fake.streams.begin(), fake.streams.end(), [](FakeStream *s) {
    return s->capturing && s->origin == s && s->thread == std::this_thread::get_id();
  });
}

inline int device_of_current() { return current ? current->device : -1; }

inline int check_stream(FakeStream *stream) {
  if (!fake.streams.count(stream)) return InvalidHandle;
  return stream->context == current ? Ok : InvalidContext;
}

} // namespace fake_cuda

/// Every function of the driver begins with it: counts the call, and returns what a test wants it to fail
/// with.
#define ENTER(name)                                                                                          \
  std::lock_guard lock(fake.mutex);                                                                          \
  if (int failure = enter(#name)) return failure
#define EXPORT extern "C" __attribute__((visibility("default")))
