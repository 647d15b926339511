// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ types with the layout of the language's types, for the header of wrappers.
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

/// A struct defined in a header.
struct CppStruct {
  std::string name, of; ///< of: type in the language
  uint64_t size = 0;
  uint32_t align = 1;
  struct Field {
    std::string type, name;
    uint64_t offset = 0;
  };
  std::vector<Field> fields; ///< empty: an opaque byte array, since a part has no C++ form
};

/// C++ type for an isbits type. Appends the structs that it needs, dependencies first, each once.
CppType cpp_type(TypeContext &types, TypeRef type, std::vector<CppStruct> &structs);

} // namespace kiln
