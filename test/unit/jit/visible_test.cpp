// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gdb and perf are told of loaded code: gdb's JIT interface (its manual, "JIT Compilation Interface"),
// and perf's jitdump (tools/perf/Documentation/jitdump-specification.txt).
#include "host_cpu.h"
#include "must.h"
#include "scratch.h"
#include "test_objects.h"

#include <jit/jit.h>

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

using namespace kiln;
using namespace kiln::test;

extern "C" {
struct jit_entry {
  jit_entry *next, *previous;
  const char *object;
  uint64_t bytes;
};
struct jit_list {
  uint32_t version, action;
  jit_entry *relevant, *first;
};
extern jit_list gdb_list __asm__("__jit_debug_descriptor");
}

namespace {

size_t entries() {
  size_t count = 0;
  for (const jit_entry *each = gdb_list.first; each; each = each->next) count++;
  return count;
}

template <class T> T read(std::string_view bytes, size_t at) {
  T value;
  REQUIRE(at + sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The code of each function that a jitdump has a record of (JIT_CODE_LOAD).
std::map<std::string, std::string> functions_of(const std::string &dump) {
  std::map<std::string, std::string> found;
  REQUIRE(read<uint32_t>(dump, 0) == 0x4A695444); // "JiTD"
  REQUIRE(read<uint32_t>(dump, 4) == 1);
  REQUIRE(read<uint32_t>(dump, 12) == host_elf_machine);
  REQUIRE(read<uint32_t>(dump, 20) == uint32_t(::getpid()));
  for (size_t at = read<uint32_t>(dump, 8); at < dump.size();) {
    const auto id = read<uint32_t>(dump, at), size = read<uint32_t>(dump, at + 4);
    REQUIRE(size >= 16);
    if (id == 0) {
      const size_t code_size = read<uint64_t>(dump, at + 40), name_at = at + 56;
      const std::string name(dump.c_str() + name_at);
      REQUIRE(56 + name.size() + 1 + code_size == size);
      found[name] = dump.substr(name_at + name.size() + 1, code_size);
    }
    at += size;
  }
  return found;
}

} // namespace

TEST_CASE("gdb has an object as long as its code lives") {
  const size_t before = entries();
  NativeLoader loader(must(VisibleCode::open(true, "")));
  auto code = must(loader.load(test_object("counter"), "next"));
  REQUIRE(entries() == before + 1);
  CHECK(std::string_view(gdb_list.first->object, 4) == "\x7f"
                                                       "ELF");
  auto second = must(loader.load(test_object("counter"), "next"));
  CHECK(entries() == before + 2);
  REQUIRE(!loader.load(test_object("missing"), "lost").ok());
  CHECK(entries() == before + 2);
  code.reset();
  second.reset();
  CHECK(entries() == before);
  NativeLoader quiet;
  auto unseen = must(quiet.load(test_object("counter"), "next"));
  CHECK(entries() == before);
}

TEST_CASE("perf's dump has each function's name and bytes") {
  Scratch folder;
  NativeLoader loader(must(VisibleCode::open(false, folder.path.string())));
  auto code = must(loader.load(test_object("counter"), "prime"));
  std::ifstream file(folder.path / ("jit-" + std::to_string(::getpid()) + ".dump"), std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  const auto functions = functions_of(bytes.str());
  CHECK(functions.count("next") == 1);
  CHECK(functions.count("apply") == 1);
  REQUIRE(functions.count("prime") == 1);
  const std::string &prime = functions.at("prime");
  REQUIRE(!prime.empty());
  CHECK(std::memcmp(prime.data(), code->entry(), prime.size()) == 0);
}
