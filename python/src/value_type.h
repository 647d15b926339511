// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that C++ and Python exchange: interned values with a layout, kiln._kiln.Type in Python.
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

/// The structure of a type; a kind uses the members that its comment names.
struct TypeStructure {
  enum class Kind : uint8_t {
    Number,     ///< name, of Numba: "float32"
    Datetime,   ///< name, the unit of NumPy: "D"
    Timedelta,  ///< name
    Text,       ///< count of characters, character_size in bytes
    Record,     ///< fields, count of bytes
    Nested,     ///< element, shape: a field that is an array
    Vector,     ///< element, count
    Pointer,    ///< element
    Array,      ///< element, rank, layout, is_read_only
    Tuple,      ///< fields
    NamedTuple, ///< fields
    None,
    Other, ///< name, as Kiln prints it: only as the result of a function
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

/// A type of values in kernels. Equal types are one object, which lives as long as the process.
struct ValueType : TypeStructure {
  uint64_t size = 0;  ///< bytes of a value as an argument, an element or a field
  uint32_t align = 1; ///< in bytes
};

/// The one type of this structure, with its layout. It sets the offsets of a tuple's items. With the GIL.
const ValueType *intern(TypeStructure structure);
/// The number type of a name of Numba; null: there is none.
const ValueType *number_type(std::string_view name);
const ValueType *array_type(const ValueType *element, int rank, char layout, bool is_read_only);
/// As Python prints it: "float32", "array(float32, 1d, C)".
std::string to_text(const ValueType &type);
/// The unit in the library of a unit of NumPy: "day" of "D"; empty: there is none.
std::string_view library_unit(std::string_view unit);
/// The type that a kiln._kiln.Type is; null: the object is none. Works without the tables of nanobind, which
/// a failed import in another interpreter replaces.
const ValueType *type_of_object(PyObject *object);
/// The same; throws TypeError.
const ValueType *checked_type(nanobind::handle object);

/// The class Type, in the module.
void add_types(nanobind::module_ &m);

} // namespace kiln::python
