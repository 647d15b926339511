// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visible_code.h"

#include "perf_dump.h"

#include <cstring>
#include <elf.h>
#include <mutex>

// ---- gdb's JIT interface ("JIT Compilation Interface" in gdb's manual). gdb sets a breakpoint in the
// function below and reads the list of objects at each stop there. The symbols are weak: a program may link
// another JIT with the same symbols statically. They are exported, so that gdb finds them in a library
// without a local symbol table.

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
[[gnu::weak, gnu::visibility("default")]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
[[gnu::weak, gnu::noinline, gnu::visibility("default")]] void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
}

namespace kiln {

namespace {

enum : uint32_t { NoAction = 0, Register = 1, Unregister = 2 };

std::mutex &gdb_mutex() {
  static std::mutex mutex; // shared by all sessions, since the process has one list
  return mutex;
}

class GdbEntry final : public VisibleCode::Entry {
public:
  explicit GdbEntry(std::string object) : object_(std::move(object)) {
    entry_.symfile_addr = object_.data();
    entry_.symfile_size = object_.size();
    std::lock_guard lock(gdb_mutex());
    jit_descriptor &list = __jit_debug_descriptor;
    entry_.prev_entry = nullptr;
    entry_.next_entry = list.first_entry;
    if (list.first_entry) list.first_entry->prev_entry = &entry_;
    list.first_entry = &entry_;
    tell(Register);
  }
  ~GdbEntry() override {
    std::lock_guard lock(gdb_mutex());
    if (entry_.next_entry) entry_.next_entry->prev_entry = entry_.prev_entry;
    (entry_.prev_entry ? entry_.prev_entry->next_entry : __jit_debug_descriptor.first_entry) =
        entry_.next_entry;
    tell(Unregister);
  }

private:
  void tell(uint32_t action) {
    __jit_debug_descriptor.relevant_entry = &entry_;
    __jit_debug_descriptor.action_flag = action;
    __jit_debug_register_code();
    __jit_debug_descriptor.action_flag = NoAction;
    __jit_debug_descriptor.relevant_entry = nullptr;
  }
  const std::string object_;
  jit_code_entry entry_{};
};

/// Copies a structure from an object's bytes. Returns false if the structure extends beyond the object.
template <class T> bool read_at(std::string_view bytes, uint64_t at, T &out) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return false;
  std::memcpy(&out, bytes.data() + at, sizeof(T));
  return true;
}

} // namespace

std::string with_addresses(std::string_view object, const std::map<std::string, uint64_t> &sections) {
  Elf64_Ehdr header;
  if (!read_at(object, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr))
    return {};
  std::string made(object);
  auto section_at = [&](uint64_t index) { return header.e_shoff + index * sizeof(Elf64_Shdr); };
  Elf64_Shdr names;
  if (!read_at(object, section_at(header.e_shstrndx), names)) return {};
  for (uint64_t i = 0; i < header.e_shnum; i++) {
    Elf64_Shdr section;
    if (!read_at(object, section_at(i), section)) return {};
    if (!(section.sh_flags & SHF_ALLOC)) continue;
    const uint64_t name = names.sh_offset + section.sh_name;
    if (name >= object.size()) return {};
    const std::string_view rest = object.substr(name);
    auto found = sections.find(std::string(rest.substr(0, rest.find('\0'))));
    if (found == sections.end()) continue;
    section.sh_addr = found->second;
    std::memcpy(made.data() + section_at(i), &section, sizeof section);
  }
  return made;
}

Result<std::shared_ptr<VisibleCode>> VisibleCode::open(bool gdb, const std::string &perf_folder) {
  if (!gdb && perf_folder.empty()) return std::shared_ptr<VisibleCode>();
  std::shared_ptr<VisibleCode> made(new VisibleCode());
  made->gdb_ = gdb;
  if (!perf_folder.empty()) {
    KILN_TRY(made->perf_, PerfDump::open(perf_folder));
  }
  return made;
}

std::unique_ptr<VisibleCode::Entry> VisibleCode::add(std::string_view object,
                                                     const LinkedCode &linked) const {
  if (perf_)
    for (const LinkedCode::Function &function : linked.functions)
      perf_->add(function.name, function.address, function.code);
  if (!gdb_) return nullptr;
  std::string placed = with_addresses(object, linked.sections);
  return placed.empty() ? nullptr : std::make_unique<GdbEntry>(std::move(placed));
}

} // namespace kiln
