// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the language as C++ has them, byte for byte: for the header of wrappers.
#pragma once

#include <kiln/bundle_writer.h>
#include <types/types.h>

#include <string>
#include <vector>

namespace kiln {

struct CppType {
  std::string text;             ///< "float", "kiln::DeviceArray<float, 1>", "Point_Float32"
  bool is_by_reference = false; ///< passed as const &
};

/// A struct that a header defines.
struct CppStruct {
  std::string name, of; ///< of: the language's type
  uint64_t size = 0;
  uint32_t align = 1;
  struct Field {
    std::string type, name;
    uint64_t offset = 0;
  };
  std::vector<Field> fields; ///< none: bytes alone, as its parts have no form in C++
};

/// Of an isbits type; structs that it needs are appended, those that others need first, each once.
CppType cpp_type(TypeContext &types, TypeRef type, std::vector<CppStruct> &structs);

} // namespace kiln
