// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/extension/language/launch.h>

#include <kiln/argument.h>

namespace kiln {

Result<std::vector<std::byte>> encode(TypeContext &types, const Value &value) {
  if (value.as_type() || types.is_singleton(value.type())) return std::vector<std::byte>();
  if (Symbol symbol = value.as_symbol()) return Argument::symbol(symbol.text()).bytes;
  return to_bytes(types, value);
}

Result<ParameterBytes> encode(TypeContext &types, std::span<const Value> values) {
  ParameterBytes all;
  for (const Value &value : values) {
    KILN_TRY(std::vector<std::byte> bytes, encode(types, value));
    if (!bytes.empty()) all.push_back(std::move(bytes));
  }
  return all;
}

} // namespace kiln
