// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds C++ types with the same layout as types of the language. The header of launch wrappers uses them.
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

/// A C++ struct that the header of launch wrappers defines.
struct CppStruct {
  std::string name, of; ///< of: type in the language
  uint64_t size = 0;
  uint32_t align = 1;
  struct Field {
    std::string type, name;
    uint64_t offset = 0;
  };
  /// Empty: the struct is an opaque byte array, since a field of the type has no C++ form.
  std::vector<Field> fields;
};

/// Returns the C++ type for an isbits type of the language. Appends the structs that it needs to `structs`,
/// each only once, and after the structs that it contains.
CppType cpp_type(TypeContext &types, TypeRef type, std::vector<CppStruct> &structs);

} // namespace kiln
