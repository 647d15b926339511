// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/extension/language/symbol.h>

namespace kiln {

Symbol SymbolTable::intern(std::string_view text) {
  std::lock_guard lock(mutex_);
  auto found = texts_.find(text);
  if (found == texts_.end()) {
    auto owned = std::make_unique<const std::string>(text);
    std::string_view key = *owned; // refers to the string on the heap, which never moves
    found = texts_.emplace(key, std::move(owned)).first;
  }
  return Symbol(found->second.get());
}

} // namespace kiln
