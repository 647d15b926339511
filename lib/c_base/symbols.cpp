// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the addresses of host functions that a C caller supplies for sessions and bundles.
#include "call.h"

namespace kiln::c {

Result<void> read_symbols(const kiln_host_symbols *given, HostSymbols &table, FindHostSymbol &find) {
  if (!given) return {};
  KILN_TRY(const kiln_host_symbols read, read_struct(given, "kiln_host_symbols"));
  std::shared_ptr<void> user(read.user, [closed = read.closed](void *p) {
    if (closed) closed(p);
  });
  if (read.count && !read.table) return usage_error("kiln_host_symbols.table is a null pointer");
  for (size_t i = 0; i < read.count; i++) {
    if (!read.table[i].name)
      return usage_error(fmt::format("kiln_host_symbols.table[{}].name is a null pointer", i));
    table[read.table[i].name] = read.table[i].function;
  }
  // The look-up function always owns `user`, since functions of the table use it even if the caller supplied
  // no look-up.
  find = [look_up = read.find, user](const std::string &name) {
    return look_up ? look_up(name.c_str(), user.get()) : nullptr;
  };
  return {};
}

} // namespace kiln::c
