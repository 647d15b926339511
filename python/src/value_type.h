// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types shared by C++ and Python: interned, with a layout. In Python: kiln._kiln.Type.
#pragma once

#include <nanobind/nanobind.h>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::python {

struct ValueType;

/// A field of a record or an item of a tuple. `offset` is in bytes.
struct TypeField {
  std::string name;
  const ValueType *type = nullptr;
  uint64_t offset = 0;
  bool operator==(const TypeField &) const = default;
};

/// Structure of a type. Each kind uses the members in its comment.
struct TypeStructure {
  enum class Kind : uint8_t {
    Number,     ///< name in Numba: "float32"
    Datetime,   ///< name: NumPy's unit, "D"
    Timedelta,  ///< name
    Text,       ///< count of characters, character_size in bytes
    Record,     ///< fields, count of bytes
    Nested,     ///< element, shape: an array as a field
    Vector,     ///< element, count
    Pointer,    ///< element
    Array,      ///< element, rank, layout, is_read_only
    Tuple,      ///< fields
    NamedTuple, ///< fields
    None,
    Other, ///< name as printed by Kiln; only for results of functions
  } kind = Kind::Number;
  char layout = 'C'; ///< 'C', 'F' or 'A'
  bool is_read_only = false;
  uint8_t character_size = 0;
  int rank = 0;
  uint64_t count = 0;
  const ValueType *element = nullptr;
  std::string name;
  std::vector<int64_t> shape;
  std::vector<TypeField> fields;
  bool operator==(const TypeStructure &) const = default;
};

using ValueKind = TypeStructure::Kind;

/// A type of values in kernels. Interned: equal types are one object, which is never freed.
struct ValueType : TypeStructure {
  uint64_t size = 0;  ///< bytes as an argument, element or field
  uint32_t align = 1; ///< in bytes
};

/// Interns a structure, and computes its layout and the offsets of a tuple's items. Call it with the GIL.
const ValueType *intern(TypeStructure structure);
/// Number type of a Numba name. Null if there is none.
const ValueType *number_type(std::string_view name);
const ValueType *array_type(const ValueType *element, int rank, char layout, bool is_read_only);
/// Python's text of a type: "float32", "array(float32, 1d, C)".
std::string to_text(const ValueType &type);
/// Library name of a NumPy unit: "day" for "D". Empty if there is none.
std::string_view library_unit(std::string_view unit);
/// The type in a kiln._kiln.Type. Null for other objects. Does not use nanobind's tables, which a failed
/// import in another interpreter replaces.
const ValueType *type_of_object(PyObject *object);
/// As type_of_object, but throws TypeError.
const ValueType *checked_type(nanobind::handle object);

/// Adds the class Type to the module.
void add_types(nanobind::module_ &m);

} // namespace kiln::python
