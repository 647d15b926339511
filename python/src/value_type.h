// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of Python values in kernels, shared by C++ and Python: interned, with a layout. Their Python class is
// kiln._kiln.Type.
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

/// Structure of a type. The comment beside a kind lists the members that the kind uses.
struct TypeStructure {
  enum class Kind : uint8_t {
    Number,     ///< name in Numba: "float32"
    Datetime,   ///< name: NumPy's unit, "D"
    Timedelta,  ///< name
    Text,       ///< count: number of characters; character_size: bytes of each
    Record,     ///< fields; count: size in bytes
    Nested,     ///< an array as a field: element, shape
    Vector,     ///< element, count
    Pointer,    ///< element
    Array,      ///< element, rank, layout, is_read_only
    Tuple,      ///< fields
    NamedTuple, ///< fields
    None,
    Other, ///< any other result of a function; name: as Kiln prints it
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
  uint64_t size = 0;  ///< in bytes, as an argument, element or field
  uint32_t align = 1; ///< in bytes
};

/// Returns the one type with this structure, with its layout and the offsets of a tuple's items. Call it with
/// the GIL.
const ValueType *intern(TypeStructure structure);
/// Finds a number type by its Numba name: "float32". Null if there is none.
const ValueType *number_type(std::string_view name);
const ValueType *array_type(const ValueType *element, int rank, char layout, bool is_read_only);
/// Prints a type as Python does: "float32", "array(float32, 1d, C)".
std::string to_text(const ValueType &type);
/// Returns the name in python/library of a NumPy time unit: "day" for "D". Empty if there is none.
std::string_view library_unit(std::string_view unit);
/// Returns the type that a Python object of class kiln._kiln.Type holds. Null for other objects. Does not use
/// nanobind's tables, which a failed import in another interpreter replaces.
const ValueType *type_of_object(PyObject *object);
/// As type_of_object, but throws TypeError.
const ValueType *checked_type(nanobind::handle object);

/// Adds the class kiln._kiln.Type to the Python module.
void add_types(nanobind::module_ &m);

} // namespace kiln::python
