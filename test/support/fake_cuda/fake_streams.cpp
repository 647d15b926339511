// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake CUDA driver: streams, events, graphs, code.
#include "fake_state.h"

using namespace fake_cuda;

EXPORT int cuStreamCreate(void **stream, unsigned) {
  ENTER(cuStreamCreate);
  if (!current) return InvalidContext;
  *stream = *fake.streams.insert(new FakeStream{current, false, nullptr, {}, {}}).first;
  return Ok;
}
EXPORT int cuStreamSynchronize(void *stream) {
  ENTER(cuStreamSynchronize);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  return s->capturing ? CaptureUnsupported : Ok;
}
EXPORT int cuStreamQuery(void *stream) {
  ENTER(cuStreamQuery);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  return s->capturing ? CaptureUnsupported : Ok;
}
EXPORT int cuStreamDestroy_v2(void *stream) {
  ENTER(cuStreamDestroy_v2);
  if (!fake.streams.erase(static_cast<FakeStream *>(stream))) return InvalidHandle;
  delete static_cast<FakeStream *>(stream);
  return Ok;
}
EXPORT int cuStreamBeginCapture_v2(void *stream, int mode) {
  ENTER(cuStreamBeginCapture_v2);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  if (mode != 1 || s->capturing) return CaptureUnsupported;
  s->capturing = true;
  s->origin = s;
  s->thread = std::this_thread::get_id();
  s->nodes.clear();
  return Ok;
}
EXPORT int cuStreamEndCapture(void *stream, void **graph) {
  ENTER(cuStreamEndCapture);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  if (!s->capturing || s->origin != s) return CaptureUnmatched;
  if (s->thread != std::this_thread::get_id()) return WrongThread;
  for (FakeStream *each : fake.streams)
    if (each->origin == s) {
      each->capturing = false;
      each->origin = nullptr;
    }
  *graph = *fake.graphs.insert(new FakeGraph{std::move(s->nodes)}).first;
  s->nodes.clear();
  return Ok;
}
EXPORT int cuStreamWaitEvent(void *stream, void *event, unsigned) {
  ENTER(cuStreamWaitEvent);
  auto *s = static_cast<FakeStream *>(stream);
  auto *e = static_cast<FakeEvent *>(event);
  if (int status = check_stream(s)) return status;
  if (!fake.events.count(e)) return InvalidHandle;
  if (e->captured_in && !s->capturing) {
    s->capturing = true;
    s->origin = e->captured_in->origin;
  }
  return Ok;
}
EXPORT int cuEventCreate(void **event, unsigned) {
  ENTER(cuEventCreate);
  if (!current) return InvalidContext;
  *event = *fake.events.insert(new FakeEvent{current}).first;
  return Ok;
}
EXPORT int cuEventRecord(void *event, void *stream) {
  ENTER(cuEventRecord);
  auto *s = static_cast<FakeStream *>(stream);
  auto *e = static_cast<FakeEvent *>(event);
  if (int status = check_stream(s)) return status;
  if (!fake.events.count(e) || e->context != s->context) return InvalidHandle;
  e->captured_in = s->capturing ? s : nullptr;
  e->recorded = !s->capturing;
  e->at = ++fake.clock;
  return Ok;
}
EXPORT int cuEventQuery(void *event) {
  ENTER(cuEventQuery);
  return fake.events.count(static_cast<FakeEvent *>(event)) ? Ok : InvalidHandle;
}
EXPORT int cuEventSynchronize(void *event) {
  ENTER(cuEventSynchronize);
  return fake.events.count(static_cast<FakeEvent *>(event)) ? Ok : InvalidHandle;
}
/// The clock counts a microsecond a launch.
EXPORT int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  ENTER(cuEventElapsedTime);
  auto *a = static_cast<FakeEvent *>(from), *b = static_cast<FakeEvent *>(to);
  if (!a->recorded || !b->recorded) return InvalidHandle;
  *milliseconds = float(double(b->at - a->at) / 1e6);
  return Ok;
}
EXPORT int cuEventDestroy_v2(void *event) {
  ENTER(cuEventDestroy_v2);
  if (!fake.events.erase(static_cast<FakeEvent *>(event))) return InvalidHandle;
  delete static_cast<FakeEvent *>(event);
  return Ok;
}
EXPORT int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  ENTER(cuGraphInstantiateWithFlags);
  if (!fake.graphs.count(static_cast<FakeGraph *>(graph))) return InvalidHandle;
  *executable = *fake.executables.insert(new FakeGraph(*static_cast<FakeGraph *>(graph))).first;
  return Ok;
}
EXPORT int cuGraphLaunch(void *executable, void *stream) {
  ENTER(cuGraphLaunch);
  if (int status = check_stream(static_cast<FakeStream *>(stream))) return status;
  auto *g = static_cast<FakeGraph *>(executable);
  if (!fake.executables.count(g)) return InvalidHandle;
  for (const Node &node : g->nodes) {
    fake.counts["kernels run"]++;
    run(node);
  }
  return Ok;
}
EXPORT int cuGraphDestroy(void *graph) {
  ENTER(cuGraphDestroy);
  if (!fake.graphs.erase(static_cast<FakeGraph *>(graph))) return InvalidHandle;
  delete static_cast<FakeGraph *>(graph);
  return Ok;
}
EXPORT int cuGraphExecDestroy(void *executable) {
  ENTER(cuGraphExecDestroy);
  if (!fake.executables.erase(static_cast<FakeGraph *>(executable))) return InvalidHandle;
  delete static_cast<FakeGraph *>(executable);
  return Ok;
}

// ---- code: PTX is looked through for its entries and variables; a cubin has whatever it is asked for
// The cubin of a link is its PTX behind the magic of one.
EXPORT int cuLinkCreate_v2(unsigned count, int *options, void **values, void **link) {
  ENTER(cuLinkCreate_v2);
  if (!current) return InvalidContext;
  auto *made = new FakeLink{nullptr, nullptr,
                            "\x7f"
                            "ELF"};
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == 3) made->info = static_cast<char *>(values[i]);
    if (options[i] == 5) made->errors = static_cast<char *>(values[i]);
    if (options[i] == 9) made->text += " sm_" + std::to_string(reinterpret_cast<size_t>(values[i])) + "\n";
  }
  fake.links.insert(made);
  *link = made;
  return Ok;
}
EXPORT int cuLinkAddData_v2(void *link, int kind, void *data, size_t size, const char *, unsigned, int *,
                            void **) {
  std::lock_guard lock(fake.mutex);
  auto *made = static_cast<FakeLink *>(link);
  if (int failure = enter("cuLinkAddData_v2")) {
    std::strcpy(made->errors, "ptxas kernel.ptx, line 3; error   : it is not what it should be\n");
    return failure;
  }
  const char *bytes = static_cast<const char *>(data);
  if (kind == 1 && (size == 0 || bytes[size - 1] != 0 || !std::strstr(bytes, ".version")))
    return InvalidImage;
  made->text.append(bytes, size);
  return Ok;
}
EXPORT int cuLinkComplete(void *link, void **code, size_t *size) {
  ENTER(cuLinkComplete);
  auto *made = static_cast<FakeLink *>(link);
  size_t at = made->text.find(".entry ");
  std::string entry = made->text.substr(at + 7, made->text.find('(', at) - at - 7);
  std::strcpy(
      made->info,
      ("ptxas info    : Compiling entry function '" + entry +
       "' for 'sm_90'\nptxas info    : Function properties for " + entry +
       "\n    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\nptxas info    : Used 21 registers, 256 bytes smem\n")
          .c_str());
  *code = made->text.data();
  *size = made->text.size();
  return Ok;
}
EXPORT int cuLinkDestroy(void *link) {
  ENTER(cuLinkDestroy);
  auto *made = static_cast<FakeLink *>(link);
  if (!fake.links.erase(made)) return InvalidHandle;
  delete made;
  return Ok;
}
EXPORT int cuLibraryLoadData(void **library, const void *data, int *options, void **values, unsigned count,
                             int *, void **, unsigned) {
  std::lock_guard lock(fake.mutex);
  if (int failure = enter("cuLibraryLoadData")) {
    for (unsigned i = 0; i < count; i++)
      if (options[i] == 5) std::strcpy(static_cast<char *>(values[i]), "what the assembler says");
    return failure;
  }
  if (capturing_here()) return CaptureUnsupported;
  const char *bytes = static_cast<const char *>(data);
  bool cubin = std::memcmp(bytes,
                           "\x7f"
                           "ELF",
                           4) == 0;
  if (!cubin && !std::strstr(bytes, ".version")) return InvalidImage;
  *library = *fake.modules.insert(new Module{cubin ? "" : bytes, {}, {}}).first;
  return Ok;
}
EXPORT int cuLibraryUnload(void *library) {
  ENTER(cuLibraryUnload);
  auto *module = static_cast<Module *>(library);
  if (!fake.modules.erase(module)) return InvalidHandle;
  for (auto it = fake.functions.begin(); it != fake.functions.end();)
    if (it->first.first->module == module) {
      fake.living.erase(it->second.get());
      it = fake.functions.erase(it);
    } else {
      ++it;
    }
  delete module;
  return Ok;
}
EXPORT int cuLibraryGetKernel(void **kernel, void *library, const char *name) {
  ENTER(cuLibraryGetKernel);
  auto *module = static_cast<Module *>(library);
  if (!fake.modules.count(module)) return InvalidHandle;
  if (!module->text.empty() && module->text.find(std::string(".entry ") + name) == std::string::npos)
    return NotFound;
  auto &entry = module->entries[name];
  if (!entry) entry.reset(new Entry{module, name});
  *kernel = entry.get();
  return Ok;
}
EXPORT int cuLibraryGetGlobal(uint64_t *address, size_t *bytes, void *library, const char *name) {
  ENTER(cuLibraryGetGlobal);
  auto *module = static_cast<Module *>(library);
  size_t at = module->text.find(" " + std::string(name) + "[");
  if (at == std::string::npos) return NotFound;
  auto &memory = module->globals[name];
  if (memory.empty()) memory.resize(size_t(std::atoi(module->text.c_str() + at + std::strlen(name) + 2)));
  *address = reinterpret_cast<uint64_t>(memory.data());
  *bytes = memory.size();
  return Ok;
}
EXPORT int cuKernelGetFunction(void **function, void *kernel) {
  ENTER(cuKernelGetFunction);
  if (!current) return InvalidContext;
  auto &made = fake.functions[{static_cast<Entry *>(kernel), current}];
  if (!made) made.reset(new Function{static_cast<Entry *>(kernel), current});
  fake.living.insert(made.get());
  *function = made.get();
  return Ok;
}
EXPORT int cuFuncLoad(void *) {
  ENTER(cuFuncLoad);
  return Ok;
}
EXPORT int cuFuncGetAttribute(int *value, int which, void *function) {
  ENTER(cuFuncGetAttribute);
  if (!fake.living.count(static_cast<Function *>(function))) return InvalidHandle;
  *value = which == 0   ? 512
           : which == 1 ? 1024
           : which == 4 ? 100
                        : 0; // threads of a block, static shared memory, registers
  return Ok;
}
EXPORT int cuFuncSetAttribute(void *function, int which, int value) {
  ENTER(cuFuncSetAttribute);
  if (which == 8) static_cast<Function *>(function)->dynamic_shared = value;
  return Ok;
}
EXPORT int cuOccupancyMaxPotentialBlockSize(int *blocks, int *threads, void *, size_t (*)(int), size_t shared,
                                            int) {
  ENTER(cuOccupancyMaxPotentialBlockSize);
  *threads = shared ? 128 : 256;
  *blocks = 132 * 4;
  return Ok;
}

static int launch(FakeLaunch &l, void **parameters) {
  auto *stream = static_cast<FakeStream *>(l.stream);
  if (int status = check_stream(stream)) return status;
  auto *function = static_cast<Function *>(l.function);
  if (!fake.living.count(function)) return InvalidHandle;
  if (function->context != current) return InvalidContext;
  if (int(l.shared_bytes) > std::max(function->dynamic_shared, 48 * 1024 - 1024)) return InvalidValue;
  for (size_t i = 0; i < fake.record_parameters && i < 8; i++)
    std::memcpy(&l.parameters[i], parameters[i], 8);
  fake.last = l;
  // The kernel state comes first, where a test has set up an exception.
  Node node{function->entry->name, 0};
  if (fake.throws || stream->capturing) {
    if (fake.record_parameters) std::memcpy(&node.record, parameters[0], 8);
  }
  if (stream->capturing) {
    stream->origin->nodes.push_back(node);
  } else {
    fake.counts["kernels run"]++;
    if (fake.kernel) fake.kernel(l);
    run(node);
  }
  return Ok;
}
EXPORT int cuLaunchKernel(void *function, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty,
                          unsigned tz, unsigned shared, void *stream, void **parameters, void **) {
  ENTER(cuLaunchKernel);
  FakeLaunch l{function, stream, {bx, by, bz}, {tx, ty, tz}, shared, {}, 0, 0, {}};
  return launch(l, parameters);
}
EXPORT int cuLaunchKernelEx(const void *config, void *function, void **parameters, void **) {
  ENTER(cuLaunchKernelEx);
  struct Attribute {
    int id, pad;
    uint32_t values[16];
  };
  struct Config {
    uint32_t blocks[3], threads[3], shared;
    void *stream;
    Attribute *attributes;
    uint32_t count;
  };
  const auto &c = *static_cast<const Config *>(config);
  FakeLaunch l{function,
               c.stream,
               {c.blocks[0], c.blocks[1], c.blocks[2]},
               {c.threads[0], c.threads[1], c.threads[2]},
               c.shared,
               {},
               0,
               0,
               {}};
  for (uint32_t i = 0; i < c.count; i++) {
    const Attribute &a = c.attributes[i];
    if (a.id == 4)
      std::copy(a.values, a.values + 3, l.cluster);
    else if (a.id == 2)
      l.cooperative = a.values[0];
    else if (a.id == 6)
      l.programmatic = a.values[0];
    else
      return InvalidValue;
  }
  return launch(l, parameters);
}
