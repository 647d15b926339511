// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native code that gdb and perf can see, by option: gdb's list of objects in memory, perf's jitdump, read
// here as their documents say.
#include "host_cpu.h"
#include "must.h"
#include "scratch.h"

#include <kiln/kiln.h>

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace kiln;
using kiln::test::must;
using kiln::test::Scratch;

extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version, action_flag;
  jit_code_entry *relevant_entry, *first_entry;
};
extern jit_descriptor __jit_debug_descriptor;
}

namespace {

constexpr const char *twice_program = "function twice(y)\n    y[1] *= 2\n    return\nend\n";

SessionOptions without_cache() {
  SessionOptions options;
  options.cache_dir = "";
  return options;
}

void launch(Session &session) {
  must(session.load("twice.jl", twice_program));
  float y = 3;
  must(session.launch("twice", {}, {Argument::array(&y, {1})}));
  CHECK(y == 6);
}

int objects_of_gdb() {
  int count = 0;
  for (const jit_code_entry *each = __jit_debug_descriptor.first_entry; each; each = each->next_entry) {
    if (each->next_entry) CHECK(each->next_entry->prev_entry == each);
    count++;
  }
  return count;
}

template <class T> T read(const std::string &bytes, size_t at) {
  T value{};
  REQUIRE(at + sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

} // namespace

TEST_CASE("code is visible to nobody unless it is asked for") {
  Scratch scratch;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.path);
  {
    auto session = must(Session::open(without_cache()));
    launch(*session);
    CHECK(objects_of_gdb() == 0);
  }
  std::filesystem::current_path(before);
  CHECK(std::filesystem::is_empty(scratch.path));
}

TEST_CASE("gdb's list holds an object for each that is loaded, placed where its code runs, until that goes") {
  SessionOptions options = without_cache();
  options.gdb = true;
  auto session = must(Session::open(options));
  launch(*session);
  REQUIRE(__jit_debug_descriptor.version == 1);
  CHECK(__jit_debug_descriptor.action_flag == 0);
  REQUIRE(objects_of_gdb() == 1);
  const jit_code_entry &entry = *__jit_debug_descriptor.first_entry;
  const std::string object(entry.symfile_addr, entry.symfile_size);
  const auto header = read<Elf64_Ehdr>(object, 0);
  REQUIRE(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0);
  // The entry's symbol is in a section whose address the loader chose, and there are the section's bytes (the
  // entry itself has no relocation in its first bytes).
  auto section_at = [&](size_t i) {
    return read<Elf64_Shdr>(object, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  int found = 0;
  for (size_t i = 0; i < header.e_shnum; i++) {
    const Elf64_Shdr symbols = section_at(i);
    if (symbols.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr names = section_at(symbols.sh_link);
    for (size_t at = symbols.sh_offset; at < symbols.sh_offset + symbols.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = read<Elf64_Sym>(object, at);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      const std::string name = object.c_str() + names.sh_offset + symbol.st_name;
      const Elf64_Shdr section = section_at(symbol.st_shndx);
      REQUIRE(section.sh_addr != 0);
      const char *running = reinterpret_cast<const char *>(section.sh_addr + symbol.st_value);
      CHECK(std::memcmp(running, object.data() + section.sh_offset + symbol.st_value, 4) == 0);
      found += name.find("twice") != std::string::npos;
    }
  }
  CHECK(found > 0);
  must(session->load("more.jl", "function more(y)\n    y[1] = 1\n    return\nend\n"));
  Kernel kernel = must(session->prepare("more(CuDeviceVector{Float32,1})"));
  CHECK(objects_of_gdb() == 2);
  session.reset();
  CHECK(objects_of_gdb() == 1); // the handle's
  kernel = Kernel();
  CHECK(objects_of_gdb() == 0);
}

TEST_CASE("perf's jitdump tells of each function with its address and code") {
  Scratch scratch;
  SessionOptions options = without_cache();
  options.perf_dir = (scratch.path / "perf").string(); // is made
  const auto path = scratch.path / "perf" / ("jit-" + std::to_string(::getpid()) + ".dump");
  Kernel kernel;
  {
    auto session = must(Session::open(options)),
         second = must(Session::open(options)); // which share the file
    launch(*session);
    launch(*second);
    // perf learns of the file by an executable mapping of it.
    std::ifstream maps("/proc/self/maps");
    bool is_mapped = false;
    for (std::string line; std::getline(maps, line);)
      is_mapped |= line.find(path.string()) != std::string::npos && line.find("r-xp") != std::string::npos;
    CHECK(is_mapped);
  }
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  const std::string bytes = all.str();
  // jitdump-specification.txt: magic, version, size of the header, ELF machine, padding, process, time,
  // flags.
  REQUIRE(read<uint32_t>(bytes, 0) == 0x4a695444);
  CHECK(read<uint32_t>(bytes, 4) == 1);
  CHECK(read<uint32_t>(bytes, 8) == 40);
  CHECK(read<uint32_t>(bytes, 12) == host_elf_machine);
  CHECK(read<uint32_t>(bytes, 20) == uint32_t(::getpid()));
  int loads = 0, named = 0, closes = 0;
  uint64_t time = read<uint64_t>(bytes, 24);
  size_t at = 40;
  while (at < bytes.size()) {
    const auto id = read<uint32_t>(bytes, at), size = read<uint32_t>(bytes, at + 4);
    CHECK(read<uint64_t>(bytes, at + 8) >= time);
    time = read<uint64_t>(bytes, at + 8);
    REQUIRE(size >= 16);
    REQUIRE(at + size <= bytes.size());
    closes += id == 3;
    if (id == 0) { // JIT_CODE_LOAD: process, thread, vma, address, size, index, name, code
      CHECK(read<uint32_t>(bytes, at + 16) == uint32_t(::getpid()));
      CHECK(read<uint64_t>(bytes, at + 24) == read<uint64_t>(bytes, at + 32));
      CHECK(read<uint64_t>(bytes, at + 32) != 0);
      CHECK(read<uint64_t>(bytes, at + 48) == uint64_t(loads));
      const std::string name = bytes.c_str() + at + 56;
      CHECK(size == 56 + name.size() + 1 + read<uint64_t>(bytes, at + 40));
      CHECK(read<uint64_t>(bytes, at + 40) > 0);
      named += name.find("twice") != std::string::npos;
      loads++;
    }
    at += size;
  }
  CHECK(at == bytes.size());
  CHECK(named >= 2);
  CHECK(closes == 1);
}

TEST_CASE("a folder for perf that cannot be written to is an error of the machine") {
  SessionOptions options = without_cache();
  options.perf_dir = "/dev/null/perf";
  auto opened = Session::open(options);
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().kind() == ErrorKind::Machine);
  CHECK(opened.error().what().find("for perf cannot be opened") != std::string::npos);
}
