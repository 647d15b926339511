// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of launches: each is the name of its type in the language and its bytes.
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

/// One argument of a launch: a value of the language as bytes in Julia's (and C's) layout. A launch fails
/// with Usage if the number of bytes differs from the type's size. It also fails for an array with a negative
/// dimension, a null pointer, or more bytes than memory can hold.
struct KILN_API Argument {
  std::string type; ///< "Float32", "CuDeviceArray{Float32, 2, 1}"
  std::vector<std::byte> bytes;

  /// An array argument in the caller's memory, column-major, with dims[i] elements in dimension i. The memory
  /// must outlive the launch. T is a C++ number type or bool.
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
  /// An array argument of structs. `element` is the struct's name in the loaded code.
  static Argument array_of(const std::string &element, void *data, const std::vector<int64_t> &dims,
                           size_t element_size);
  /// Turns this argument into an array argument like array_of. Reuses the memory of `type` and `bytes`.
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

/// The arguments of a launch: a vector, an array, a span or a braced list. It refers to the caller's memory
/// and must not be kept after the call.
class ArgumentList : public std::span<const Argument> {
public:
  using std::span<const Argument>::span;
  ArgumentList(std::span<const Argument> arguments) : span(arguments) {}
  ArgumentList(std::initializer_list<Argument> arguments) : span(arguments.begin(), arguments.end()) {}
};

} // namespace kiln::inline KILN_API_VERSION
