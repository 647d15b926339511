// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_functions.h"

#include <fmt/format.h>

namespace kiln {

std::atomic<void *> *HostFunctions::find_cell(std::string_view symbol) const {
  auto found = cells_.find(symbol);
  return found == cells_.end() ? nullptr : found->second.get();
}

void HostFunctions::define(const std::string &name, const std::string &signature, void *address) {
  std::lock_guard lock(mutex_);
  // Update both symbols: a ccall uses the name without a signature and calls the newest function.
  for (const std::string &symbol : {name, name + signature}) {
    auto &cell = cells_[symbol];
    if (!cell) cell = std::make_unique<std::atomic<void *>>(nullptr);
    cell->store(address, std::memory_order_release);
  }
}

Result<std::atomic<void *> *> HostFunctions::cell(std::string_view symbol) {
  const std::string name(symbol.substr(0, symbol.find('(')));
  {
    std::lock_guard lock(mutex_);
    if (auto *known = find_cell(symbol)) return known;
  }
  void *address = nullptr;
  if (auto listed = symbols_.find(name); listed != symbols_.end()) address = listed->second;
  if (!address && find_) { // look up outside the mutex: find_ calls the embedder
    KILN_TRY(address, find_(name));
  }
  if (!address)
    return make_error(ErrorCode::HostFunctionMissing,
                      fmt::format("the code calls the host function `{}`, whose address is "
                                  "not known here",
                                  symbol),
                      {},
                      "define it with define_host_function, or give its address in the options: symbols, "
                      "find_symbol");
  std::lock_guard lock(mutex_);
  auto &cell = cells_[std::string(symbol)];
  if (!cell) cell = std::make_unique<std::atomic<void *>>(address); // concurrent define() wins
  return cell.get();
}

} // namespace kiln
