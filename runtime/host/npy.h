// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes NumPy's .npy files (numpy.lib.format, versions 1.0 to 3.0). Sizes are checked against the
// file before memory is allocated.
#pragma once

#include <kiln/result.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Type of an element or field: a letter of NumPy's array protocol and a size. 'f' float, 'i' int, 'u' uint,
/// 'b' bool, 'c' complex, 'V' raw bytes (a struct).
struct NpyType {
  char kind = 'f';
  uint64_t size = 4; ///< in bytes
  struct Field;
  std::vector<Field> fields; ///< fields of a structured dtype, in order; empty: no structured dtype
  /// Shape of a field that is an array, in C order. For such a field, `kind` and `fields` describe one
  /// element, and `size` counts the whole field. Empty for other types: NumPy moves an element type's
  /// dimensions into the array.
  std::vector<uint64_t> dims;
  bool operator==(const NpyType &) const;
  NpyType inner() const; ///< for a type with `dims`: the same type without its first dimension
};
struct NpyType::Field {
  std::string name;
  NpyType type;
  uint64_t offset = 0;
  bool operator==(const Field &) const = default;
};
inline bool NpyType::operator==(const NpyType &other) const {
  return kind == other.kind && size == other.size && fields == other.fields && dims == other.dims;
}

inline NpyType NpyType::inner() const {
  NpyType type = *this;
  type.size /= dims[0];
  type.dims.erase(type.dims.begin());
  return type;
}

/// An array with the bytes and the order of the file.
struct NpyArray {
  NpyType type;
  std::vector<uint64_t> shape;
  bool fortran_order = false;
  std::vector<std::byte> bytes;
};

/// Parses the bytes of a .npy file. `name` is for messages. Errors: Input (not a .npy file, truncated,
/// unsupported byte order or dtype, size that does not fit the file).
Result<NpyArray> parse_npy(std::string_view bytes, const std::string &name);
Result<NpyArray> read_npy(const std::string &path);
/// Writes a file of version 1.0, or 2.0 for a long header. The file appears atomically, through a temporary
/// file. Errors: those of write_file_atomically.
Result<void> write_npy(const std::string &path, const NpyArray &array);
std::string format_npy(const NpyArray &array);

/// Converts to column-major order and sets fortran_order. The shape stays: 1-based A[i,j] of the result is
/// 0-based a[i-1,j-1] of the file.
NpyArray to_column_major(NpyArray array);
/// Converts back to C order.
NpyArray to_row_major(NpyArray array);

} // namespace kiln
