// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of arguments: in the World, as text, and in memory.
#include "arguments.h"

#include <algorithm>

namespace kiln::python {

Result<TypeRef> type_of(Engine &engine, uint32_t code, bool is_julia) {
  const ArgumentType &type = argument_type(code);
  if (type.kind == ArgumentType::Kind::Tuple) {
    std::vector<TypeRef> items;
    for (uint32_t item : type.items) {
      KILN_TRY(TypeRef each, type_of(engine, item, is_julia));
      items.push_back(each);
    }
    if (type.name.empty() || is_julia) return engine.types().tuple(items);
    return engine.named_tuple_type(type.name, engine.types().tuple(items));
  }
  KILN_TRY(TypeRef element, engine.type(type.name));
  if (type.kind == ArgumentType::Kind::Scalar) return element;
  if (is_julia) return kiln::array_type(engine.world(), element, type.rank);
  return engine.array_type(type.layout, element, type.rank, type.is_read_only);
}

std::string describe(uint32_t code) {
  const ArgumentType &type = argument_type(code);
  if (type.kind == ArgumentType::Kind::Tuple) {
    std::string all;
    for (uint32_t item : type.items) all += (all.empty() ? "" : ", ") + describe(item);
    return "Tuple(" + all + ")";
  }
  std::string name = type.name;
  if (name == "ComplexF32") name = "complex64";
  if (name == "ComplexF64") name = "complex128";
  for (char &c : name)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  if (type.kind == ArgumentType::Kind::Scalar) return name;
  return "array(" + name + ", " + std::to_string(type.rank) + "d, " + type.layout +
         (type.is_read_only ? ", readonly)" : ")");
}

size_t size_of(std::string_view scalar) {
  const bool is_complex = scalar.starts_with("ComplexF");
  const size_t digits = scalar.find_first_of("0123456789");
  if (scalar == "Bool") return 1;
  if (scalar.starts_with("LLVMPtr")) return 8;
  if (scalar.starts_with("Record{"))
    return size_t(std::stoull(std::string(scalar.substr(scalar.rfind(',') + 1))));
  if (scalar.starts_with("Text{")) // its characters, of 4 bytes or one
    return size_t(std::stoi(std::string(scalar.substr(digits)))) * (scalar.ends_with("UInt32}") ? 4 : 1);
  return digits == scalar.npos ? 8
                               : size_t(std::stoi(std::string(scalar.substr(digits)))) / (is_complex ? 4 : 8);
}

/// Its bytes and alignment within a tuple.
std::pair<size_t, size_t> memory_of(uint32_t code) {
  const ArgumentType &type = argument_type(code);
  if (type.kind == ArgumentType::Kind::Array)
    return {8 * (1 + size_t(type.rank) * (type.layout == 'A' ? 2 : 1)), 8};
  if (type.kind == ArgumentType::Kind::Scalar) {
    const size_t size = size_of(type.name);
    return {size, !type.name.starts_with("Complex") ? size : type.name == "ComplexF32" ? 4 : 8};
  }
  size_t end = 0, align = 1;
  for (uint32_t item : type.items) {
    const auto [size, own] = memory_of(item);
    end = (end + own - 1) / own * own + size;
    align = std::max(align, own);
  }
  return {(end + align - 1) / align * align, align};
}

} // namespace kiln::python
