// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy files. The expected bytes are written out by hand from the description of the format.
#include <host/host.h>

#include <catch2/catch.hpp>

#include <cstring>

using namespace kiln;

namespace {

/// A file of the given version around a header text and data.
std::string file(std::string header, std::string data, int version = 1) {
  size_t start = version == 1 ? 10 : 12;
  while ((start + header.size() + 1) % 64) header += ' ';
  header += '\n';
  std::string out = "\x93NUMPY";
  out += {char(version), '\0', char(header.size() & 0xff), char(header.size() >> 8)};
  if (version > 1) out += std::string(2, '\0');
  return out + header + data;
}

std::string of_type(const std::string &descr, const std::string &shape, size_t bytes) {
  return file("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }",
              std::string(bytes, '\1'));
}

template <class T> std::string raw(std::initializer_list<T> values) {
  std::string out;
  for (T v : values) out.append(reinterpret_cast<const char *>(&v), sizeof v);
  return out;
}

template <class T> std::vector<T> values(const NpyArray &array) {
  std::vector<T> out(array.bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), array.bytes.data(), array.bytes.size());
  return out;
}

std::string message(const std::string &bytes) {
  auto parsed = parse_npy(bytes, "a.npy");
  REQUIRE_FALSE(parsed.ok());
  CHECK(parsed.error().kind() == ErrorKind::Input);
  CHECK(parsed.error().what().find("a.npy: ") != std::string::npos);
  return parsed.error().what();
}

NpyArray parsed(const std::string &bytes) {
  auto array = parse_npy(bytes, "a.npy");
  INFO((array.ok() ? "" : array.error().what()));
  REQUIRE(array.ok());
  return *array;
}

} // namespace

using Catch::Contains;

TEST_CASE("a vector as numpy.save writes it") {
  NpyArray array =
      parsed(file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", raw<float>({1, 2, -3})));
  CHECK(array.type == NpyType{'f', 4, {}});
  CHECK(array.shape == std::vector<uint64_t>{3});
  CHECK_FALSE(array.fortran_order);
  CHECK(values<float>(array) == std::vector<float>{1, 2, -3});
}

TEST_CASE("all versions, a scalar, no elements") {
  for (int version : {1, 2, 3})
    CHECK(
        parsed(file("{'descr': '|i1', 'fortran_order': True, 'shape': (), }", "\5", version)).shape.empty());
  NpyArray none = parsed(file(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 0, 9223372036854775807), }",
      ""));
  CHECK(none.bytes.empty());
  CHECK(to_column_major(none).shape == none.shape);
  // Other spellings of the same dict: other order and quotes, no last comma, Python 2's long integers.
  CHECK(parsed(file("{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"=i2\"}", raw<int16_t>({1, 2})))
            .shape == std::vector<uint64_t>{2});
}

TEST_CASE("element types") {
  struct Case {
    const char *descr;
    char kind;
    uint64_t size;
  };
  for (Case c : {Case{"'<f2'", 'f', 2},
                 {"'<f4'", 'f', 4},
                 {"'<f8'", 'f', 8},
                 {"'=f8'", 'f', 8},
                 {"'|b1'", 'b', 1},
                 {"'|i1'", 'i', 1},
                 {"'|u1'", 'u', 1},
                 {"'>u1'", 'u', 1},
                 {"'<i1'", 'i', 1},
                 {"'<i2'", 'i', 2},
                 {"'<i4'", 'i', 4},
                 {"'<i8'", 'i', 8},
                 {"'<u2'", 'u', 2},
                 {"'<u4'", 'u', 4},
                 {"'<u8'", 'u', 8},
                 {"'<c8'", 'c', 8},
                 {"'<c16'", 'c', 16},
                 {"'|V5'", 'V', 5}})
    CHECK(parsed(of_type(c.descr, "(2, 3)", 6 * c.size)).type == NpyType{c.kind, c.size, {}});

  CHECK_THAT(message(of_type("'>f4'", "(1,)", 4)), Contains("'>f4' are big-endian"));
  CHECK_THAT(message(of_type("'|O'", "(1,)", 8)), Contains("Python objects"));
  CHECK_THAT(message(of_type("'<U5'", "(1,)", 20)), Contains("'<U5' are text"));
  CHECK_THAT(message(of_type("'|S5'", "(1,)", 5)), Contains("byte strings"));
  CHECK_THAT(message(of_type("'<M8[ns]'", "(1,)", 8)), Contains("dates"));
  CHECK_THAT(message(of_type("'<f16'", "(1,)", 16)), Contains("'<f16' are not supported"));
  CHECK_THAT(message(of_type("'<i3'", "(1,)", 3)), Contains("'<i3' are not supported"));
  CHECK_THAT(message(of_type("'|f4'", "(1,)", 4)), Contains("byte order"));
  CHECK_THAT(message(of_type("'<V99999999999999999999'", "(1,)", 4)), Contains("too large"));
  CHECK_THAT(message(of_type("''", "(1,)", 4)), Contains("no dtype"));
  CHECK_THAT(message(of_type("('<f4', (2,))", "(1,)", 8)), Contains("arrays themselves"));
  CHECK_THAT(message(of_type("7", "(1,)", 8)), Contains("neither a string nor a list"));
}

TEST_CASE("structs: fields, padding, structs in structs") {
  NpyArray flat = parsed(of_type("[('x', '<f4'), ('n', '|u1'), ('', '|V3'), ('y', '<f8')]", "(2,)", 32));
  CHECK(flat.type ==
        NpyType{'V', 16, {{"x", {'f', 4, {}}, 0}, {"n", {'u', 1, {}}, 4}, {"y", {'f', 8, {}}, 8}}});
  NpyArray nested = parsed(
      of_type("[('p', [('x', '<i2'), ('y', '<i2')]), (('a title', 'q'), '<i4'), ('', '|V8')]", "(1,)", 16));
  NpyType point{'V', 4, {{"x", {'i', 2, {}}, 0}, {"y", {'i', 2, {}}, 2}}};
  CHECK(nested.type == NpyType{'V', 16, {{"p", point, 0}, {"q", {'i', 4, {}}, 4}}});
  // Fields that are arrays: the size is the whole field's, the elements are in C order; NumPy writes (3,) and
  // takes 3.
  NpyArray arrays = parsed(of_type(
      "[('v', '<f4', (3,)), ('m', [('x', '|u1'), ('y', '|i1')], (2, 3)), ('k', '<i2', 2)]", "(1,)", 28));
  CHECK(arrays.type ==
        NpyType{'V',
                28,
                {{"v", {'f', 12, {}, {3}}, 0},
                 {"m", {'V', 12, {{"x", {'u', 1, {}}, 0}, {"y", {'i', 1, {}}, 1}}, {2, 3}}, 12},
                 {"k", {'i', 4, {}, {2}}, 24}}});
  CHECK(parse_npy(format_npy(arrays), "again")->type == arrays.type);
  for (const NpyArray &array : {flat, nested}) CHECK(parsed(format_npy(array)).type == array.type);

  CHECK_THAT(message(of_type("[('x', '<f4', (3, 0))]", "(1,)", 0)),
             Contains("field 'x' is an array without elements"));
  CHECK_THAT(message(of_type("[('x', '<f4', ('y',))]", "(1,)", 12)),
             Contains("the shape of field 'x' holds what is no length"));
  CHECK_THAT(message(of_type("[('x', '<f4', (4294967296, 4294967296))]", "(1,)", 12)), Contains("too large"));
  CHECK_THAT(message(of_type("[('x', '<f4'), ('x', '<f4')]", "(1,)", 8)),
             Contains("two fields of its dtype are called 'x'"));
  CHECK_THAT(message(of_type("[]", "(1,)", 0)), Contains("without fields"));
  CHECK_THAT(message(of_type("['<f4']", "(1,)", 4)), Contains("no tuple of name and type"));
  CHECK_THAT(message(of_type("[('x', '>i4')]", "(1,)", 4)), Contains("big-endian"));
}

TEST_CASE("names outside of ASCII") {
  // Version 1 is Latin-1, version 3 UTF-8: the same name.
  auto header = [](const char *name) {
    return std::string("{'descr': [('") + name + "', '|u1')], 'fortran_order': False, 'shape': (1,), }";
  };
  for (const NpyArray &array : {parsed(file(header("\xe4"), "a")), parsed(file(header("\xc3\xa4"), "a", 3)),
                                parsed(file(header("\\xe4"), "a"))}) {
    CHECK(array.type.fields.at(0).name == "\xc3\xa4");
    CHECK(format_npy(array)[6] == 3);
    CHECK(parsed(format_npy(array)).type == array.type);
  }
}

TEST_CASE("damaged files") {
  std::string good =
      file("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }", raw<int32_t>({1, 2, 3, 4}));
  for (size_t n = 0; n < good.size(); n++) message(good.substr(0, n));
  CHECK_THAT(message(good + "x"), Contains("16 bytes of elements, but 17 follow"));
  CHECK_THAT(message("PK\3\4 an archive"), Contains("no NumPy file"));
  CHECK_THAT(message("\x93NUMPY" + std::string("\4\0\0\0\0\0", 6)), Contains("version 4.0"));
  CHECK_THAT(message("\x93NUMPY" + std::string("\2\0\xff\xff\xff\xff", 6)), Contains("cut off"));
  CHECK_THAT(message(of_type("'<f4'", "(4611686018427387904, 4)", 16)), Contains("more than 2^64"));
  CHECK_THAT(message(of_type("'<f4'", "(9223372036854775808,)", 16)), Contains("no length"));
  CHECK_THAT(message(of_type("'<f4'", "(99999999999999999999,)", 16)), Contains("too large"));
  CHECK_THAT(message(of_type("'<f4'", "(-1,)", 16)), Contains("no literal"));
  CHECK_THAT(message(of_type("'<f4'", "3", 12)), Contains("'shape' is no tuple"));
  CHECK_THAT(message(of_type(std::string(2000, '['), "(1,)", 4)), Contains("nests too deep"));
  CHECK_THAT(message(file("{'descr': '<f4', 'shape': (1,), }", "1234")), Contains("must have the keys"));
  CHECK_THAT(message(file("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "1234")),
             Contains("neither True nor False"));
  CHECK_THAT(message(file("{'descr': '<f4', 'descr': '<f4', 'shape': (1,)}", "1234")),
             Contains("'descr' a second time"));
  CHECK_THAT(message(file("{'descr': '<f4'} x", "1234")), Contains("text after its end"));
  CHECK_THAT(message(file("__import__('os')", "")), Contains("no literal"));
  CHECK_THAT(message(file("{'descr': 'f", "")), Contains("without an end"));
}

TEST_CASE("a file as it is written") {
  NpyArray array;
  array.type = {'f', 4, {}};
  array.shape = {2, 3};
  float data[] = {1, 2, 3, 4, 5, 6};
  array.bytes.resize(sizeof data);
  std::memcpy(array.bytes.data(), data, sizeof data);
  // 10 bytes before the header; header with spaces and line end up to byte 128.
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  header += std::string(118 - header.size() - 1, ' ') + "\n";
  std::string expected = "\x93NUMPY" + std::string("\1\0\x76\0", 4) + header + raw<float>({1, 2, 3, 4, 5, 6});
  CHECK(format_npy(array) == expected);

  array.shape = {6};
  CHECK(format_npy(array).find("'shape': (6,), }") != std::string::npos);
  array.type = {'i', 1, {}};
  array.shape = {};
  array.bytes.resize(1);
  CHECK(format_npy(array).find("'|i1', 'fortran_order': False, 'shape': (), }") != std::string::npos);

  // A header that needs version 2.
  array.type = {'V', 0, {}};
  for (int i = 0; i < 5000; i++)
    array.type.fields.push_back({"field" + std::to_string(i), {'u', 1, {}}, array.type.size++});
  array.bytes.resize(5000);
  std::string long_file = format_npy(array);
  CHECK(long_file[6] == 2);
  CHECK(parsed(long_file).type == array.type);
}

TEST_CASE("C order and column-major order") {
  // a[i][j] = 10 i + j; in column-major order j runs slowest.
  NpyArray a = parsed(file("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }",
                           raw<int32_t>({0, 1, 2, 10, 11, 12})));
  NpyArray columns = to_column_major(a);
  CHECK(values<int32_t>(columns) == std::vector<int32_t>{0, 10, 1, 11, 2, 12});
  CHECK(columns.shape == a.shape);
  CHECK(columns.fortran_order);
  CHECK(to_column_major(columns).bytes == columns.bytes);
  CHECK(to_row_major(columns).bytes == a.bytes);
  CHECK(to_row_major(columns).shape == a.shape);

  NpyArray cube;
  cube.type = {'u', 2, {}};
  cube.shape = {2, 3, 2, 2};
  std::string data;
  for (uint16_t i = 0; i < 2; i++)
    for (uint16_t j = 0; j < 3; j++)
      for (uint16_t k = 0; k < 2; k++)
        for (uint16_t l = 0; l < 2; l++) data += raw<uint16_t>({uint16_t(1000 * i + 100 * j + 10 * k + l)});
  const auto *first = reinterpret_cast<const std::byte *>(data.data());
  cube.bytes.assign(first, first + data.size());
  std::vector<uint16_t> expected;
  for (uint16_t l = 0; l < 2; l++)
    for (uint16_t k = 0; k < 2; k++)
      for (uint16_t j = 0; j < 3; j++)
        for (uint16_t i = 0; i < 2; i++) expected.push_back(uint16_t(1000 * i + 100 * j + 10 * k + l));
  CHECK(values<uint16_t>(to_column_major(cube)) == expected);
  CHECK(to_row_major(to_column_major(cube)).bytes == cube.bytes);
}

TEST_CASE("larger than a block of the transposition, odd element size") {
  NpyArray a;
  a.type = {'V', 3, {}};
  uint64_t rows = 70, columns = 45;
  a.shape = {rows, columns};
  for (uint64_t i = 0; i < rows * columns; i++)
    for (uint64_t b = 0; b < 3; b++) a.bytes.push_back(std::byte(i * 7 + b * 31));
  NpyArray f = to_column_major(a);
  bool same = true;
  for (uint64_t i = 0; i < rows; i++)
    for (uint64_t j = 0; j < columns; j++)
      for (uint64_t b = 0; b < 3; b++)
        same &= f.bytes[(i + j * rows) * 3 + b] == a.bytes[(i * columns + j) * 3 + b];
  CHECK(same);
}
