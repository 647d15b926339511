// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for BigFloat, by MPFR. The library is opened when a program first computes with a BigFloat.
// Source of its interface: the GNU MPFR manual, 4.2, chapter 5 (5.16 for the parts of a number).
#include "big_integers.h"
#include "exact_numbers.h"

namespace kiln {

namespace {

/// MPFR's mpfr_t.
struct MpfrNumber {
  long precision; ///< bits
  int sign;
  long exponent; ///< special values for 0, Inf and NaN
  unsigned long *limbs;
};
using F = MpfrNumber;

constexpr int nearest = 0, to_zero = 1; // mpfr_rnd_t

/// The functions of MPFR. Immutable and thread-safe.
struct Mpfr {
  /// Opens libmpfr.so.6 at the first call. It stays loaded until the process ends. Error: Machine.
  static Result<const Mpfr *> get() {
    static const Result<Mpfr> opened = open();
    if (!opened.ok()) return opened.error();
    return &*opened;
  }
  using Unary = int(F *, const F *, int);
  using Binary = int(F *, const F *, const F *, int);
  using Relation = int(const F *, const F *);
  template <class Function> Function *function(const char *name) const {
    return reinterpret_cast<Function *>(library.symbol(name));
  }

  DynamicLibrary library;
  int (*set_double)(F *, double, int);
  int (*set_integer)(F *, const GmpInteger *, int);
  int (*set_text)(F *, const char *, int base, int);
  double (*to_double)(const F *, int);
  float (*to_single)(const F *, int);
  int (*to_integer)(GmpInteger *, const F *, int);
  int (*scale)(F *, const F *, long, int);
  int (*is_regular)(const F *);
  int (*is_nan)(const F *);
  int (*is_infinite)(const F *);
  char *(*text)(char *, long *exponent, int base, size_t digits, const F *, int);
  void (*free_text)(char *);
  int (*fused)(F *, const F *, const F *, const F *, int);

private:
  static Result<Mpfr> open() {
    auto library = DynamicLibrary::open({"libmpfr.so.6"});
    if (!library.ok())
      return machine_error("BigFloat needs the library MPFR: " +
                               library.error().diagnostics().front().message,
                           "install libmpfr6, or compute with Float64");
    Mpfr mpfr{.library = *library};
    bool is_whole = true;
    const auto load = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library->symbol(name));
      is_whole &= function != nullptr;
    };
    load(mpfr.set_double, "mpfr_set_d");
    load(mpfr.set_integer, "mpfr_set_z");
    load(mpfr.set_text, "mpfr_set_str");
    load(mpfr.to_double, "mpfr_get_d");
    load(mpfr.to_single, "mpfr_get_flt");
    load(mpfr.to_integer, "mpfr_get_z");
    load(mpfr.scale, "mpfr_mul_2si");
    load(mpfr.is_regular, "mpfr_regular_p");
    load(mpfr.is_nan, "mpfr_nan_p");
    load(mpfr.is_infinite, "mpfr_inf_p");
    load(mpfr.text, "mpfr_get_str");
    load(mpfr.free_text, "mpfr_free_str");
    load(mpfr.fused, "mpfr_fma");
    if (!is_whole)
      return machine_error(fmt::format("{} is not MPFR: functions are missing", library->path()));
    return mpfr;
  }
};

/// The field of a BigFloat: precision, exponent and sign, 8 bytes each; then the limbs, unless the number is
/// 0, Inf or NaN.
constexpr size_t header_size = 24;

/// A number of MPFR while a host function computes.
class BigFloat {
public:
  explicit BigFloat(long precision) : limbs_(size_t((precision + 63) / 64)) {
    number_ = {.precision = precision, .sign = 1, .exponent = 0, .limbs = limbs_.data()};
  }
  explicit BigFloat(const std::string &field) : BigFloat(long(part(field, 0))) {
    number_.exponent = long(part(field, 1));
    number_.sign = int(part(field, 2));
    std::memcpy(limbs_.data(), field.data() + header_size,
                std::min(field.size() - header_size, limbs_.size() * sizeof(unsigned long)));
  }
  BigFloat(BigFloat &&) = delete;
  operator F *() { return &number_; }
  long precision() const { return number_.precision; }
  bool is_negative() const { return number_.sign < 0; }
  long exponent() const { return number_.exponent; }
  std::string field(const Mpfr &mpfr) const {
    const bool is_regular = mpfr.is_regular(&number_);
    const int64_t parts[] = {number_.precision, number_.exponent, mpfr.is_nan(&number_) ? 1 : number_.sign};
    std::string made(reinterpret_cast<const char *>(parts), header_size);
    if (is_regular)
      made.append(reinterpret_cast<const char *>(limbs_.data()), limbs_.size() * sizeof(unsigned long));
    return made;
  }

private:
  static int64_t part(const std::string &field, size_t i) {
    int64_t value;
    std::memcpy(&value, field.data() + 8 * i, sizeof value);
    return value;
  }
  std::vector<unsigned long> limbs_;
  F number_;
};

const std::string *field_of(const Value &v) {
  const std::string *field = big_field(v);
  return field && field->size() >= header_size ? field : nullptr;
}

bool is_big_float(const Value &v) {
  const DataType *type = field_of(v) ? v.type()->as<DataType>() : nullptr;
  return type && type->name().name.text() == "BigFloat" && type->name().module == "Base";
}

constexpr const char *unary[] = {
    "neg",   "abs",        "set",       "sqrt",       "cbrt",       "exp",           "exp2",  "exp10",
    "expm1", "log",        "log2",      "log10",      "log1p",      "sin",           "cos",   "tan",
    "asin",  "acos",       "atan",      "sinh",       "cosh",       "tanh",          "asinh", "acosh",
    "atanh", "rint_floor", "rint_ceil", "rint_trunc", "rint_round", "rint_roundeven"};
constexpr const char *binary[] = {"add", "sub", "mul", "div", "pow", "atan2", "hypot", "fmod"};
constexpr const char *relations[] = {"equal", "less", "lessequal"};

} // namespace

std::optional<ExactNumber> exact_big_float(const Value &v) {
  const auto mpfr = Mpfr::get();
  if (!is_big_float(v) || !mpfr.ok()) return std::nullopt;
  const std::string &field = *field_of(v);
  BigFloat x(field);
  if ((*mpfr)->is_nan(x)) return ExactNumber{.kind = ExactNumber::Kind::NaN};
  if ((*mpfr)->is_infinite(x))
    return ExactNumber{.kind = ExactNumber::Kind::Infinite, .is_negative = x.is_negative()};
  std::string limbs = field.substr(header_size); // none of 0
  const int64_t exponent = limbs.empty() ? 0 : x.exponent() - 8 * int64_t(limbs.size());
  return ExactNumber::finite(x.is_negative(), std::move(limbs), exponent);
}

Result<std::string> format_big_float(const Value &v, const std::string &prefix, char kind) {
  if (!is_big_float(v)) return std::string();
  const std::string *field = field_of(v);
  KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
  auto *const print = mpfr->function<int(char *, size_t, const char *, ...)>("mpfr_snprintf");
  if (!print) return machine_error("MPFR has no function mpfr_snprintf");
  BigFloat x(*field);
  const std::string format = prefix + "R" + kind;
  F *const number = x;
  const int size = print(nullptr, 0, format.c_str(), number);
  if (size < 0) return machine_error("MPFR cannot print a number: it has no memory");
  std::string text(size_t(size) + 1, '\0');
  print(text.data(), text.size(), format.c_str(), number);
  text.resize(size_t(size));
  return text;
}

void add_big_floats(Library &l) {
  TypeContext &types = l.types;
  const auto made = [&l](const Mpfr &mpfr, const BigFloat &x) {
    return Value::mutable_structure(l.type("BigFloat"), {l.text(x.field(mpfr))});
  };
  const auto missing = [](std::string_view name) {
    return machine_error(fmt::format("MPFR has no function {}: install MPFR 4.2 or later", name));
  };
  // The last argument of a function that makes a BigFloat is its precision.
  for (const char *name : unary)
    l.add(std::string("__wide_") + name, 2, [=](Interpreter &, Args a) -> Result<Value> {
      const std::string *x = field_of(a[0]);
      if (!x) return Value();
      KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
      const std::string symbol = std::string("mpfr_") + name;
      auto *const function = mpfr->function<Mpfr::Unary>(symbol.c_str());
      if (!function) return missing(symbol);
      BigFloat of(*x), r(long(a[1].low_bits()));
      function(r, of, nearest);
      return made(*mpfr, r);
    });
  for (const char *name : binary)
    l.add(std::string("__wide_") + name, 3, [=](Interpreter &, Args a) -> Result<Value> {
      const std::string *x = field_of(a[0]), *y = field_of(a[1]);
      if (!x || !y) return Value();
      KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
      const std::string symbol = std::string("mpfr_") + name;
      auto *const function = mpfr->function<Mpfr::Binary>(symbol.c_str());
      if (!function) return missing(symbol);
      BigFloat first(*x), second(*y), r(long(a[2].low_bits()));
      function(r, first, second, nearest);
      return made(*mpfr, r);
    });
  for (const char *name : relations)
    l.add(std::string("__wide_") + name, 2, [=, &types](Interpreter &, Args a) -> Result<Value> {
      const std::string *x = field_of(a[0]), *y = field_of(a[1]);
      if (!x || !y) return Value();
      KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
      const std::string symbol = fmt::format("mpfr_{}_p", name);
      auto *const function = mpfr->function<Mpfr::Relation>(symbol.c_str());
      if (!function) return missing(symbol);
      BigFloat first(*x), second(*y);
      return types.boolean(function(first, second) != 0);
    });
  l.add("__wide_fma", 4, [=](Interpreter &, Args a) -> Result<Value> {
    const std::string *x = field_of(a[0]), *y = field_of(a[1]), *z = field_of(a[2]);
    if (!x || !y || !z) return Value();
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    BigFloat first(*x), second(*y), third(*z), r(long(a[3].low_bits()));
    mpfr->fused(r, first, second, third, nearest);
    return made(*mpfr, r);
  });
  l.add("__wide_scale", 3, [=](Interpreter &, Args a) -> Result<Value> { // x * 2^n
    const std::string *x = field_of(a[0]);
    if (!x) return Value();
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    BigFloat of(*x), r(long(a[2].low_bits()));
    mpfr->scale(r, of, long(a[1].low_bits()), nearest);
    return made(*mpfr, r);
  });
  l.add("__wide_of_float", 2, [=](Interpreter &, Args a) -> Result<Value> {
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    BigFloat r(long(a[1].low_bits()));
    mpfr->set_double(r, std::bit_cast<double>(a[0].low_bits()), nearest);
    return made(*mpfr, r);
  });
  l.add("__wide_of_integer", 2, [=](Interpreter &, Args a) -> Result<Value> { // of a BigInt
    if (!is_big_integer(a[0])) return Value();
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    KILN_TRY(const Gmp *const gmp, Gmp::get());
    BigNumber of(*gmp, *big_field(a[0]));
    BigFloat r(long(a[1].low_bits()));
    mpfr->set_integer(r, of, nearest);
    return made(*mpfr, r);
  });
  // __wide_of_text(text, precision): nothing if the text is no number
  l.add("__wide_of_text", 2, [=, &l](Interpreter &, Args a) -> Result<Value> {
    const std::string *text = a[0].as_string();
    if (!text) return Value();
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    BigFloat r(long(a[1].low_bits()));
    if (mpfr->set_text(r, text->c_str(), 10, nearest)) return l.nothing();
    return made(*mpfr, r);
  });
  // __wide_constant(name, precision): pi, euler, catalan, log2
  l.add("__wide_constant", 2, [=](Interpreter &, Args a) -> Result<Value> {
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    const std::string symbol = "mpfr_const_" + std::string(a[0].as_symbol().text());
    auto *const function = mpfr->function<int(F *, int)>(symbol.c_str());
    if (!function) return missing(symbol);
    BigFloat r(long(a[1].low_bits()));
    function(r, nearest);
    return made(*mpfr, r);
  });
  l.add("__wide_to_float", 2, [&types](Interpreter &, Args a) -> Result<Value> { // to type T, rounded once
    const std::string *x = field_of(a[1]);
    if (!x) return Value();
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    BigFloat of(*x);
    if (a[0].as_type() == types.builtins().Float32) return types.float32(mpfr->to_single(of, nearest));
    return types.float64(mpfr->to_double(of, nearest));
  });
  // __wide_to_integer(x): the BigInt, rounded towards zero; nothing for Inf and NaN
  l.add("__wide_to_integer", 1, [&l](Interpreter &, Args a) -> Result<Value> {
    const std::string *x = field_of(a[0]);
    if (!x) return Value();
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    KILN_TRY(const Gmp *const gmp, Gmp::get());
    BigFloat of(*x);
    if (mpfr->is_nan(of) || mpfr->is_infinite(of)) return l.nothing();
    if (mpfr->is_regular(of) && of.exponent() > (long(1) << 33))
      return make_error(ErrorCode::OutOfMemoryError, "an integer of more than 1 GiB");
    BigNumber r(*gmp);
    mpfr->to_integer(r, of, to_zero);
    return Value::mutable_structure(l.type("BigInt"), {l.text(r.digits())});
  });
  // __wide_parts(x): (precision, is negative, kind, exponent); kind: 0: 0, 1: regular, 2: Inf, 3: NaN
  l.add("__wide_parts", 1, [&types](Interpreter &, Args a) -> Result<Value> {
    const std::string *x = field_of(a[0]);
    if (!x) return Value();
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    BigFloat of(*x);
    const int64_t kind = mpfr->is_regular(of) ? 1 : mpfr->is_nan(of) ? 3 : mpfr->is_infinite(of) ? 2 : 0;
    const auto &b = types.builtins();
    const TypeRef parts[] = {b.Int64, b.Bool, b.Int64, b.Int64};
    return Value::structure(types.tuple(parts),
                            {types.int64(of.precision()), types.boolean(of.is_negative()), types.int64(kind),
                             types.int64(kind == 1 ? of.exponent() : 0)});
  });
  // __wide_digits(x, count): (digits without a point, exponent e): 0.digits * 10^e. count 0: as many as x
  // needs
  l.add("__wide_digits", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *x = field_of(a[0]);
    if (!x) return Value();
    KILN_TRY(const Mpfr *const mpfr, Mpfr::get());
    BigFloat of(*x);
    long exponent = 0;
    char *const text = mpfr->text(nullptr, &exponent, 10, size_t(a[1].low_bits()), of, nearest);
    if (!text) return Value();
    Value digits = l.text(text);
    mpfr->free_text(text);
    const TypeRef parts[] = {types.builtins().String, types.builtins().Int64};
    return Value::structure(types.tuple(parts), {std::move(digits), types.int64(exponent)});
  });
}

} // namespace kiln
