// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of launches as values: a type of the language and bytes.
#pragma once

#include <kiln/abi.h>
#include <kiln/export.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// One argument of a launch: a value of the language as bytes in Julia's (and C's) layout. A launch refuses
/// invalid arguments (Usage): bytes of another size than the type's, negative dimensions, more bytes than the
/// memory has, or a null pointer.
struct KILN_API Argument {
  std::string type; ///< "Float32", "CuDeviceArray{Float32, 2, 1}"
  std::vector<std::byte> bytes;

  /// An array in the caller's memory: column-major, `dims` elements; must outlive the launch. Element types:
  /// the C++ number types and bool.
  template <class T> static Argument array(T *data, const std::vector<int64_t> &dims) {
    return array_of(language_type<std::remove_const_t<T>>(), const_cast<std::remove_const_t<T> *>(data), dims,
                    sizeof(T));
  }
  template <class T> static Argument scalar(T value) {
    Argument a{language_type<T>(), std::vector<std::byte>(sizeof(T))};
    std::memcpy(a.bytes.data(), &value, sizeof(T));
    return a;
  }
  static Argument symbol(std::string_view name) {
    Argument a{"Symbol", std::vector<std::byte>(sizeof(uint64_t))};
    uint64_t identity = abi::symbol_identity(name);
    std::memcpy(a.bytes.data(), &identity, sizeof identity);
    return a;
  }
  /// An array whose elements are a struct that the loaded code defines under the name `element`.
  static Argument array_of(const std::string &element, void *data, const std::vector<int64_t> &dims,
                           size_t element_size);
  /// Makes it such an array, in the memory that it has.
  void set_array(std::string_view element, void *data, std::span<const int64_t> dims, size_t element_size);

  template <class T> static std::string language_type() {
    if constexpr (std::is_same_v<T, bool>)
      return "Bool";
    else if constexpr (std::is_same_v<T, float>)
      return "Float32";
    else if constexpr (std::is_same_v<T, double>)
      return "Float64";
    else {
      static_assert(std::is_integral_v<T>, "a number type; use array_of for structs");
      return (std::is_signed_v<T> ? "Int" : "UInt") + std::to_string(8 * sizeof(T));
    }
  }
};

/// The arguments of a launch: a vector, an array, a span or a braced list. Valid during the call.
class ArgumentList : public std::span<const Argument> {
public:
  using std::span<const Argument>::span;
  ArgumentList(std::span<const Argument> arguments) : span(arguments) {}
  ArgumentList(std::initializer_list<Argument> arguments) : span(arguments.begin(), arguments.end()) {}
};

} // namespace kiln::inline KILN_API_VERSION
