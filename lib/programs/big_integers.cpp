// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for BigInt, by GMP. The library is opened when a program first computes with a BigInt, so
// that no other program needs it. Source of its interface: the GNU MP manual, 6.2, chapters 5 and 16.2.
#include "big_integers.h"

#include <bit>

namespace kiln {

Result<const Gmp *> Gmp::get() {
  static const Result<Gmp> opened = open();
  if (!opened.ok()) return opened.error();
  return &*opened;
}

Result<Gmp> Gmp::open() {
  auto library = DynamicLibrary::open({"libgmp.so.10"});
  if (!library.ok())
    return machine_error("BigInt needs the library GMP: " + library.error().diagnostics().front().message,
                         "install libgmp10, or compute with Int128, which goes to 1.7e38");
  Gmp gmp(*library);
  bool is_whole = true;
  const auto load = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library->symbol(name));
    is_whole &= function != nullptr;
  };
  load(gmp.init, "__gmpz_init");
  load(gmp.clear, "__gmpz_clear");
  load(gmp.import_bytes, "__gmpz_import");
  load(gmp.export_bytes, "__gmpz_export");
  load(gmp.negate, "__gmpz_neg");
  load(gmp.size_in_base, "__gmpz_sizeinbase");
  load(gmp.text, "__gmpz_get_str");
  load(gmp.set_text, "__gmpz_set_str");
  load(gmp.shift_left, "__gmpz_mul_2exp");
  load(gmp.shift_right, "__gmpz_fdiv_q_2exp");
  load(gmp.power, "__gmpz_pow_ui");
  load(gmp.power_modulo, "__gmpz_powm");
  load(gmp.invert, "__gmpz_invert");
  load(gmp.square_root, "__gmpz_sqrt");
  load(gmp.factorial, "__gmpz_fac_ui");
  load(gmp.binomial, "__gmpz_bin_ui");
  load(gmp.compare, "__gmpz_cmp");
  load(gmp.count_ones, "__gmpz_popcount");
  load(gmp.first_one, "__gmpz_scan1");
  if (!is_whole) return machine_error(fmt::format("{} is not GMP: functions are missing", library->path()));
  return gmp;
}

BigNumber::BigNumber(const Gmp &gmp) : gmp_(gmp) { gmp_.init(&z_); }
BigNumber::BigNumber(const Gmp &gmp, std::string_view digits) : BigNumber(gmp) {
  if (digits.size() < 2) return;
  gmp_.import_bytes(&z_, digits.size() - 1, -1, 1, 0, 0, digits.data() + 1);
  if (digits[0] == '-') gmp_.negate(&z_, &z_);
}
BigNumber::~BigNumber() { gmp_.clear(&z_); }

std::string BigNumber::digits() const {
  std::string text(1 + (bits() + 7) / 8, z_.size < 0 ? '-' : '+');
  size_t count = 0;
  gmp_.export_bytes(text.data() + 1, &count, -1, 1, 0, 0, &z_);
  text.resize(1 + count);
  return text;
}

size_t BigNumber::bits() const { return z_.size ? gmp_.size_in_base(&z_, 2) : 0; }

namespace {

constexpr uint64_t max_bits = uint64_t(1) << 33; // GMP ends the process if it gets no memory

Error too_large() { return make_error(ErrorCode::OutOfMemoryError, "an integer of more than 1 GiB"); }

/// Functions of two integers that give a third.
struct Operation {
  const char *name, *gmp;
  bool divides = false, adds_bits = false;
};
constexpr Operation operations[] = {
    {.name = "__big_add", .gmp = "__gmpz_add"},
    {.name = "__big_subtract", .gmp = "__gmpz_sub"},
    {.name = "__big_multiply", .gmp = "__gmpz_mul", .adds_bits = true},
    {.name = "__big_div", .gmp = "__gmpz_tdiv_q", .divides = true},
    {.name = "__big_rem", .gmp = "__gmpz_tdiv_r", .divides = true},
    {.name = "__big_fld", .gmp = "__gmpz_fdiv_q", .divides = true},
    {.name = "__big_mod", .gmp = "__gmpz_fdiv_r", .divides = true},
    {.name = "__big_cld", .gmp = "__gmpz_cdiv_q", .divides = true},
    {.name = "__big_gcd", .gmp = "__gmpz_gcd"},
    {.name = "__big_lcm", .gmp = "__gmpz_lcm", .adds_bits = true},
    {.name = "__big_and", .gmp = "__gmpz_and"},
    {.name = "__big_or", .gmp = "__gmpz_ior"},
    {.name = "__big_xor", .gmp = "__gmpz_xor"},
};

} // namespace

const std::string *big_field(const Value &v) {
  const MutableObject *object = v.as_mutable();
  return object && object->fields.size() == 1 ? object->fields[0].as_string() : nullptr;
}

bool is_big_integer(const Value &v) {
  const DataType *type = v.type() ? v.type()->as<DataType>() : nullptr;
  return big_field(v) && type->name().name.text() == "BigInt" && type->name().module == "Base";
}

std::optional<__int128> small_big_integer(const Value &v) {
  if (!is_big_integer(v)) return std::nullopt;
  const std::string *digits = big_field(v);
  if (digits->size() > 17 || (digits->size() == 17 && uint8_t(digits->back()) > 127)) return std::nullopt;
  unsigned __int128 size = 0;
  for (size_t i = digits->size(); i-- > 1;) size = size << 8 | uint8_t((*digits)[i]);
  return (*digits)[0] == '-' ? -__int128(size) : __int128(size);
}

void add_big_integers(Library &l) {
  TypeContext &types = l.types;
  const auto made = [&l](std::string digits) {
    return Value::mutable_structure(l.type("BigInt"), {l.text(std::move(digits))});
  };
  // Binds a function of BigInts, which are its first `count` arguments.
  const auto add = [&l](std::string_view name, size_t arguments, size_t count, auto function) {
    l.add(name, arguments, [count, function](Interpreter &, Args a) -> Result<Value> {
      const std::string *digits[3] = {};
      for (size_t i = 0; i < count; ++i)
        if (digits[i] = big_field(a[i]); !digits[i]) return Value();
      KILN_TRY(const Gmp *const gmp, Gmp::get());
      const auto number = [&](size_t i) {
        return BigNumber(*gmp, i < count ? *digits[i] : std::string_view());
      };
      return function(*gmp, a, number(0), number(1), number(2));
    });
  };
  for (const Operation &operation : operations)
    add(operation.name, 2, 2,
        [made, operation](const Gmp &gmp, Args, BigNumber x, BigNumber y, BigNumber) -> Result<Value> {
          auto *const function = gmp.operation(operation.gmp);
          if (!function) return machine_error(fmt::format("GMP has no function {}", operation.gmp));
          if (operation.divides && y.bits() == 0)
            return make_error(ErrorCode::DivideError, "integer division error");
          if (operation.adds_bits && x.bits() + y.bits() > max_bits) return too_large();
          BigNumber r(gmp);
          function(r, x, y);
          return made(r.digits());
        });
  // Machine integers need no GMP.
  l.add("__big_of_integer", 1, [made, &types](Interpreter &, Args a) -> Result<Value> {
    if (!a[0].is_primitive()) return Value();
    unsigned __int128 size = (unsigned __int128)(a[0].bits()[1]) << 64 | a[0].bits()[0];
    const auto n = wide_integer_of(types, a[0]); // empty: UInt128 from 2^127 on
    if (n) size = *n < 0 ? -(unsigned __int128)(*n) : (unsigned __int128)(*n);
    std::string digits(1, n && *n < 0 ? '-' : '+');
    for (; size; size >>= 8) digits += char(uint8_t(size));
    return made(std::move(digits));
  });
  // __big_low(x): the low 128 bits in two's complement
  l.add("__big_low", 1, [&types](Interpreter &, Args a) -> Result<Value> {
    const std::string *digits = big_field(a[0]);
    if (!digits) return Value();
    unsigned __int128 low = 0;
    for (size_t i = std::min<size_t>(digits->size(), 17); i-- > 1;) low = low << 8 | uint8_t((*digits)[i]);
    if ((*digits)[0] == '-') low = -low;
    return Value::primitive(types.builtins().UInt128, {uint64_t(low), uint64_t(low >> 64)});
  });
  // __big_sign(x): -1, 0 or 1
  l.add("__big_sign", 1, [&types](Interpreter &, Args a) -> Result<Value> {
    const std::string *digits = big_field(a[0]);
    if (!digits) return Value();
    return types.int64(digits->size() < 2 ? 0 : (*digits)[0] == '-' ? -1 : 1);
  });
  add("__big_negate", 1, 1, [made](const Gmp &gmp, Args, BigNumber x, BigNumber, BigNumber) -> Result<Value> {
    gmp.negate(x, x);
    return made(x.digits());
  });
  add("__big_compare", 2, 2,
      [&types](const Gmp &gmp, Args, BigNumber x, BigNumber y, BigNumber) -> Result<Value> {
        const int order = gmp.compare(x, y);
        return types.int64(order < 0 ? -1 : order > 0);
      });
  // __big_shift(x, n): x * 2^n, rounded down
  add("__big_shift", 2, 1,
      [made](const Gmp &gmp, Args a, BigNumber x, BigNumber, BigNumber) -> Result<Value> {
        const int64_t n = int64_t(a[1].low_bits());
        const size_t bits = x.bits();
        BigNumber r(gmp);
        if (n >= 0 && bits) {
          if (uint64_t(n) > max_bits - bits) return too_large();
          gmp.shift_left(r, x, uint64_t(n));
        } else if (n < 0) {
          gmp.shift_right(r, x, -uint64_t(n));
        }
        return made(r.digits());
      });
  // __big_power(x, n): n >= 0
  add("__big_power", 2, 1,
      [made](const Gmp &gmp, Args a, BigNumber x, BigNumber, BigNumber) -> Result<Value> {
        const uint64_t n = a[1].low_bits(), bits = x.bits();
        if (bits > 1 && n > max_bits / bits) return too_large();
        BigNumber r(gmp);
        gmp.power(r, x, bits > 1 ? n : n ? 2 - n % 2 : 0); // 0, 1 and -1 to any power
        return made(r.digits());
      });
  // __big_power_modulo(x, n, m): n >= 0, or x has an inverse
  add("__big_power_modulo", 3, 3,
      [made, &l](const Gmp &gmp, Args, BigNumber x, BigNumber n, BigNumber m) -> Result<Value> {
        if (m.bits() == 0) return make_error(ErrorCode::DivideError, "integer division error");
        BigNumber r(gmp);
        if (n.is_negative() && !gmp.invert(r, x, m)) return l.nothing();
        gmp.power_modulo(r, x, n, m);
        return made(r.digits());
      });
  add("__big_root", 1, 1, [made](const Gmp &gmp, Args, BigNumber x, BigNumber, BigNumber) -> Result<Value> {
    if (x.is_negative()) return Value();
    gmp.square_root(x, x);
    return made(x.digits());
  });
  add("__big_factorial", 1, 0,
      [made](const Gmp &gmp, Args a, BigNumber r, BigNumber, BigNumber) -> Result<Value> {
        const uint64_t n = a[0].low_bits();
        if (n > max_bits / 32) return too_large(); // n! has at most n * log2(n) bits
        gmp.factorial(r, n);
        return made(r.digits());
      });
  add("__big_binomial", 2, 1,
      [made](const Gmp &gmp, Args a, BigNumber n, BigNumber, BigNumber) -> Result<Value> {
        const uint64_t k = a[1].low_bits();
        if (k > max_bits / std::max<uint64_t>(n.bits(), 1)) return too_large();
        BigNumber r(gmp);
        gmp.binomial(r, n, k);
        return made(r.digits());
      });
  add("__big_count_ones", 1, 1,
      [&types](const Gmp &gmp, Args, BigNumber x, BigNumber, BigNumber) -> Result<Value> {
        return types.int64(int64_t(gmp.count_ones(x)));
      });
  add("__big_trailing_zeros", 1, 1,
      [&types](const Gmp &gmp, Args, BigNumber x, BigNumber, BigNumber) -> Result<Value> {
        return types.int64(int64_t(gmp.first_one(x, 0)));
      });
  l.add("__big_bits", 1, [&types](Interpreter &, Args a) -> Result<Value> { // of the absolute value
    const std::string *digits = big_field(a[0]);
    if (!digits) return Value();
    const size_t bytes = digits->size() - 1;
    return types.int64(bytes ? int64_t(8 * bytes) - std::countl_zero(uint8_t(digits->back())) : 0);
  });
  // __big_text(x, base): base 2 to 62
  add("__big_text", 2, 1, [&l](const Gmp &gmp, Args a, BigNumber x, BigNumber, BigNumber) -> Result<Value> {
    const int base = int(a[1].low_bits());
    std::string text(gmp.size_in_base(x, base) + 2, '\0');
    gmp.text(text.data(), base, x);
    text.resize(std::strlen(text.data()));
    return l.text(std::move(text));
  });
  // __big_of_text(text, base): base 2 to 62, digits after an optional sign; nothing if the text is no integer
  add("__big_of_text", 2, 0,
      [made, &l](const Gmp &gmp, Args a, BigNumber r, BigNumber, BigNumber) -> Result<Value> {
        const std::string *text = a[0].as_string();
        if (!text) return Value();
        std::string_view digits = *text;
        const bool is_negative = digits.starts_with('-');
        if (is_negative || digits.starts_with('+')) digits.remove_prefix(1);
        if (digits.empty() || !std::isalnum((unsigned char)digits[0]) || // GMP skips spaces and a second sign
            digits.find_first_of(std::string_view(" \t\n\v\f\r\0", 7)) != digits.npos ||
            gmp.set_text(r, std::string(digits).c_str(), int(a[1].low_bits())))
          return l.nothing();
        if (is_negative) gmp.negate(r, r);
        return made(r.digits());
      });
}

} // namespace kiln
