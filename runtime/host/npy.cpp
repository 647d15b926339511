// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "npy.h"

#include "npy_literal.h"

#include <support/support.h>

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace kiln {

namespace {

using Literal = PythonLiteral;

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr uint64_t max_header = uint64_t(1) << 20;
constexpr uint64_t max_raw_bytes = uint64_t(1) << 31; // per field
constexpr size_t max_rank = 64;                       // NumPy's limit

std::string_view unsupported_kind(char kind) {
  switch (kind) {
  case 'O': return "Python objects";
  case 'S':
  case 'a': return "byte strings";
  case 'U': return "text";
  case 'M': return "dates (datetime64)";
  case 'm': return "time spans (timedelta64)";
  default: return {};
  }
}

class DtypeReader {
public:
  explicit DtypeReader(const std::string &name) : name_(name) {}

  Result<NpyType> read(const Literal &descr) const {
    if (descr.kind == Literal::Kind::String) return scalar(descr.text);
    if (descr.kind == Literal::Kind::List) return structure(descr);
    if (descr.kind == Literal::Kind::Tuple)
      return fault("elements that are arrays themselves are not supported");
    return fault("its 'descr' is neither a string nor a list of fields");
  }

private:
  Error fault(std::string_view what) const { return input_error(fmt::format("{}: {}", name_, what)); }

  Result<NpyType> scalar(const std::string &text) const {
    std::string_view rest = text;
    char order = '<';
    if (!rest.empty() && std::string_view("<>=|").find(rest[0]) != std::string_view::npos) {
      order = rest[0];
      rest.remove_prefix(1);
    }
    if (rest.empty()) return fault(fmt::format("no dtype: '{}'", text));
    NpyType type;
    type.kind = rest[0];
    if (std::string_view what = unsupported_kind(type.kind); !what.empty())
      return fault(fmt::format("elements of dtype '{}' are {}, which are not supported", text, what));
    type.size = 0;
    for (char c : rest.substr(1)) {
      if (c < '0' || c > '9') return fault(fmt::format("no dtype that is supported: '{}'", text));
      type.size = type.size * 10 + uint64_t(c - '0');
      if (type.size > max_raw_bytes) return fault(fmt::format("elements of dtype '{}' are too large", text));
    }
    auto one_of = [&](std::initializer_list<uint64_t> sizes) {
      for (uint64_t size : sizes)
        if (size == type.size) return true;
      return false;
    };
    bool known = false;
    switch (type.kind) {
    case 'b': known = one_of({1}); break;
    case 'i':
    case 'u': known = one_of({1, 2, 4, 8}); break;
    case 'f': known = one_of({2, 4, 8}); break;
    case 'c': known = one_of({8, 16}); break;
    case 'V': known = type.size > 0; break;
    default: break;
    }
    if (!known)
      return fault(fmt::format(
          "elements of dtype '{}' are not supported: b1, i1-i8, u1-u8, f2-f8, c8, c16 and structs of them are",
          text));
    if (order == '>' && type.size > 1 && type.kind != 'V')
      return fault(fmt::format(
          "elements of dtype '{}' are big-endian, which is not supported: save a.astype(a.dtype.newbyteorder('<'))",
          text));
    if (order == '|' && type.size > 1 && type.kind != 'V')
      return fault(fmt::format("dtype '{}' does not say its byte order", text));
    return type;
  }

  /// Reads the dimensions of a field that is an array: ('name', '<f4', (2, 3)).
  Result<void> add_dims(NpyType &field, const Literal &shape, const std::string &name) const {
    const bool is_tuple = shape.kind == Literal::Kind::Tuple;
    for (const Literal &extent : is_tuple ? std::span(shape.items) : std::span(&shape, 1)) {
      if (extent.kind != Literal::Kind::Integer)
        return fault(fmt::format("the shape of field '{}' holds what is no length", name));
      if (extent.integer == 0)
        return fault(fmt::format("field '{}' is an array without elements, which is not supported", name));
      field.dims.push_back(extent.integer);
      if (field.dims.size() > max_rank || __builtin_mul_overflow(field.size, extent.integer, &field.size) ||
          field.size > max_raw_bytes)
        return fault("its elements are too large");
    }
    return {};
  }

  Result<NpyType> structure(const Literal &list) const {
    NpyType type{'V', 0, {}, {}};
    for (const Literal &entry : list.items) {
      bool is_field =
          entry.kind == Literal::Kind::Tuple && (entry.items.size() == 2 || entry.items.size() == 3);
      if (!is_field) return fault("a field of its dtype is no tuple of name and type");
      // A titled field has a pair (title, name) in place of the name.
      const Literal &given = entry.items[0];
      const Literal &name =
          given.kind == Literal::Kind::Tuple && given.items.size() == 2 ? given.items[1] : given;
      if (name.kind != Literal::Kind::String)
        return fault("a field of its dtype has a name that is no string");
      KILN_TRY(NpyType field, read(entry.items[1]));
      if (entry.items.size() == 3) {
        KILN_CHECK(add_dims(field, entry.items[2], name.text));
      }
      uint64_t offset = type.size;
      type.size += field.size;
      if (type.size > max_raw_bytes) return fault("its elements are too large");
      if (name.text.empty() && field.kind == 'V' && field.fields.empty())
        continue; // padding of an aligned dtype
      for (const NpyType::Field &other : type.fields)
        if (other.name == name.text)
          return fault(fmt::format("two fields of its dtype are called '{}'", name.text));
      type.fields.push_back({name.text, std::move(field), offset});
    }
    if (type.fields.empty()) return fault("its dtype is a struct without fields");
    return type;
  }

  const std::string &name_;
};

Result<std::vector<uint64_t>> read_shape(const Literal &literal, const std::string &name) {
  if (literal.kind != Literal::Kind::Tuple) return input_error(name + ": its 'shape' is no tuple");
  if (literal.items.size() > max_rank)
    return input_error(fmt::format("{}: {} dimensions are more than the {} that NumPy has", name,
                                   literal.items.size(), max_rank));
  std::vector<uint64_t> shape;
  for (const Literal &item : literal.items) {
    if (item.kind != Literal::Kind::Integer || item.integer > uint64_t(INT64_MAX))
      return input_error(name + ": its 'shape' holds what is no length");
    shape.push_back(item.integer);
  }
  return shape;
}

/// Number of bytes of all elements; no value if it exceeds 64 bits.
std::optional<uint64_t> byte_count(const std::vector<uint64_t> &shape, uint64_t size) {
  for (uint64_t extent : shape)
    if (extent == 0) return 0; // whatever the other extents are
  uint64_t bytes = size;
  for (uint64_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  return bytes;
}

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | uint8_t(bytes[i]);
  return value;
}

void print_dtype(std::string &out, const NpyType &type) {
  if (type.fields.empty()) {
    uint64_t size = type.size;
    for (uint64_t extent : type.dims) size /= extent;
    char order = size == 1 || type.kind == 'V' ? '|' : '<';
    out += fmt::format("'{}{}{}'", order, type.kind, size);
    return;
  }
  // NumPy writes padding bytes as fields without a name.
  uint64_t at = 0;
  std::string_view separator = "";
  auto gap_until = [&](uint64_t offset) {
    if (offset > at) out += fmt::format("{}('', '|V{}')", std::exchange(separator, ", "), offset - at);
  };
  out += '[';
  for (const NpyType::Field &field : type.fields) {
    gap_until(field.offset);
    out += fmt::format("{}({}, ", std::exchange(separator, ", "), python_string(field.name));
    print_dtype(out, field.type);
    if (!field.type.dims.empty()) out += fmt::format(", ({},)", fmt::join(field.type.dims, ", "));
    out += ')';
    at = field.offset + field.type.size;
  }
  uint64_t size = type.size;
  for (uint64_t extent : type.dims) size /= extent;
  gap_until(size);
  out += ']';
}

} // namespace

Result<NpyArray> parse_npy(std::string_view bytes, const std::string &name) {
  if (!bytes.starts_with(magic))
    return input_error(name + ": no NumPy file: it does not start with the bytes \\x93NUMPY");
  auto truncated = [&] {
    return input_error(fmt::format("{}: cut off inside its header: {} bytes", name, bytes.size()));
  };
  if (bytes.size() < 8) return truncated();
  int major = uint8_t(bytes[6]), minor = uint8_t(bytes[7]);
  if (major < 1 || major > 3 || minor != 0)
    return input_error(fmt::format(
        "{}: version {}.{} of the NumPy format is not supported: 1.0, 2.0 and 3.0 are", name, major, minor));
  size_t length_bytes = major == 1 ? 2 : 4, start = 8 + length_bytes;
  if (bytes.size() < start) return truncated();
  uint64_t header_size = little_endian(bytes.substr(8, length_bytes));
  if (header_size > bytes.size() - start) return truncated();
  if (header_size > max_header)
    return input_error(fmt::format("{}: a header of {} bytes is not supported: at most {} are", name,
                                   header_size, max_header));

  KILN_TRY(Literal header, parse_python_literal(bytes.substr(start, header_size), major < 3, name));
  if (header.kind != Literal::Kind::Dict) return input_error(name + ": its header is no dict");
  const Literal *descr = header.find("descr"), *order = header.find("fortran_order"),
                *shape = header.find("shape");
  if (!descr || !order || !shape || header.items.size() != 6)
    return input_error(name +
                       ": its header must have the keys 'descr', 'fortran_order' and 'shape', and no others");
  if (order->kind != Literal::Kind::Boolean)
    return input_error(name + ": its 'fortran_order' is neither True nor False");

  NpyArray array;
  array.fortran_order = order->boolean;
  KILN_TRY(array.type, DtypeReader(name).read(*descr));
  KILN_TRY(array.shape, read_shape(*shape, name));
  std::string_view data = bytes.substr(start + header_size);
  std::optional<uint64_t> size = byte_count(array.shape, array.type.size);
  if (!size || *size != data.size())
    return input_error(fmt::format("{}: its header tells of {} bytes of elements, but {} follow", name,
                                   size ? std::to_string(*size) : "more than 2^64", data.size()));
  const auto *first = reinterpret_cast<const std::byte *>(data.data());
  array.bytes.assign(first, first + data.size());
  return array;
}

Result<NpyArray> read_npy(const std::string &path) {
  KILN_TRY(std::string bytes, read_file(path));
  return parse_npy(bytes, path);
}

std::string format_npy(const NpyArray &array) {
  std::string header = "{'descr': ";
  print_dtype(header, array.type);
  header += fmt::format(", 'fortran_order': {}, 'shape': (", array.fortran_order ? "True" : "False");
  for (size_t i = 0; i < array.shape.size(); ++i)
    header += fmt::format("{}{}", i ? ", " : "", array.shape[i]);
  header += array.shape.size() == 1 ? ",), }" : "), }";

  bool ascii = true;
  for (char c : header) ascii &= uint8_t(c) < 0x80;
  // Version 1 has a header length of two bytes, version 2 of four; version 3 is version 2 with UTF-8.
  // Elements start at a multiple of 64.
  int version = !ascii ? 3 : header.size() + 1 + 63 > 0xffff ? 2 : 1;
  size_t start = version == 1 ? 10 : 12;
  header.append((64 - (start + header.size() + 1) % 64) % 64, ' ');
  header += '\n';

  std::string out(magic);
  out.reserve(start + header.size() + array.bytes.size());
  out += char(version);
  out += '\0';
  for (size_t i = 0; i < start - 8; ++i) out += char(header.size() >> (8 * i));
  out += header;
  if (!array.bytes.empty())
    out.append(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
  return out;
}

Result<void> write_npy(const std::string &path, const NpyArray &array) {
  return write_file_atomically(path, format_npy(array));
}

} // namespace kiln
