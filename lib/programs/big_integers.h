// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of any size, by GMP.
#pragma once

#include "library.h"

#include <support/support.h>

namespace kiln {

/// GMP's mpz_t.
struct GmpInteger {
  int allocated, size; ///< size: number of limbs; negative for a negative integer
  unsigned long *limbs;
};

/// The functions of GMP. Immutable and thread-safe.
class Gmp {
public:
  /// Opens libgmp.so.10 at the first call. It stays loaded until the process ends. Error: Machine.
  static Result<const Gmp *> get();
  using Z = GmpInteger;
  using Operation = void(Z *, const Z *, const Z *);
  /// Returns a function such as __gmpz_add. Null if there is none.
  Operation *operation(const char *name) const {
    return reinterpret_cast<Operation *>(library_.symbol(name));
  }

  void (*init)(Z *);
  void (*clear)(Z *);
  void (*import_bytes)(Z *, size_t count, int order, size_t size, int endian, size_t nails, const void *);
  void *(*export_bytes)(void *, size_t *count, int order, size_t size, int endian, size_t nails, const Z *);
  void (*negate)(Z *, const Z *);
  size_t (*size_in_base)(const Z *, int base);
  char *(*text)(char *, int base, const Z *);
  int (*set_text)(Z *, const char *, int base);
  void (*shift_left)(Z *, const Z *, unsigned long);
  void (*shift_right)(Z *, const Z *, unsigned long); ///< rounds down
  void (*power)(Z *, const Z *, unsigned long);
  void (*power_modulo)(Z *, const Z *, const Z *, const Z *);
  int (*invert)(Z *, const Z *, const Z *);
  void (*square_root)(Z *, const Z *);
  void (*factorial)(Z *, unsigned long);
  void (*binomial)(Z *, const Z *, unsigned long);
  int (*compare)(const Z *, const Z *);
  unsigned long (*count_ones)(const Z *);
  unsigned long (*first_one)(const Z *, unsigned long);

private:
  explicit Gmp(DynamicLibrary library) : library_(std::move(library)) {}
  static Result<Gmp> open();
  DynamicLibrary library_;
};

/// An integer of GMP while a host function computes.
class BigNumber {
public:
  explicit BigNumber(const Gmp &gmp);
  /// `digits`: the field of a BigInt, which is a sign and the bytes of the absolute value, the lowest first.
  BigNumber(const Gmp &gmp, std::string_view digits);
  BigNumber(BigNumber &&) = delete;
  ~BigNumber();
  operator GmpInteger *() { return &z_; }
  std::string digits() const;
  size_t bits() const; ///< of the absolute value; 0 for 0
  bool is_negative() const { return z_.size < 0; }

private:
  const Gmp &gmp_;
  GmpInteger z_;
};

bool is_big_integer(const Value &v);
/// Returns the text that holds the number of a BigInt or a BigFloat. Null: another value. Each of them is an
/// object of its own, as in Julia.
const std::string *big_field(const Value &v);
/// Formats a BigFloat as C's printf does: `prefix` is the directive without its last letter, `kind`. Empty
/// for other values.
Result<std::string> format_big_float(const Value &v, const std::string &prefix, char kind);
/// Returns the value of a BigInt between -2^127 and 2^127, both exclusive. Empty for other values.
std::optional<__int128> small_big_integer(const Value &v);

} // namespace kiln
