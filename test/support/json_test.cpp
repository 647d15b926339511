// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>
#include <support/support.h>

using namespace kiln;

namespace {

Result<JsonValue> read(const std::string &text) { return parse_json(std::make_shared<const SourceFile>(0, "x.json", text)); }

std::string fault_of(const std::string &text) {
  auto value = read(text);
  if (value.ok()) return "none";
  const Diagnostic &d = value.error().diagnostics()[0];
  LineColumn at = d.at.file->position(d.at.begin);
  return fmt::format("{}:{} {}", at.line, at.column, d.message);
}

} // namespace

TEST_CASE("values of every kind, with their places") {
  auto value = read(" {\"a\": [1, -2.5e3, true, false, null], \"b\": {\"c\": \"d\"}} ");
  REQUIRE(value.ok());
  CHECK(value->is(JsonValue::Kind::Object));
  const JsonValue *a = value->find("a");
  REQUIRE(a);
  REQUIRE(a->items.size() == 5);
  CHECK(a->items[0].text == "1");
  CHECK(a->items[1].text == "-2.5e3");
  CHECK(a->items[1].at.begin == 11);
  CHECK(a->items[1].at.end == 17);
  CHECK(a->items[2].boolean);
  CHECK_FALSE(a->items[3].boolean);
  CHECK(a->items[4].is(JsonValue::Kind::Null));
  REQUIRE(value->find("b"));
  REQUIRE(value->find("b")->find("c"));
  CHECK(value->find("b")->find("c")->text == "d");
  CHECK(value->find("c") == nullptr);
  CHECK(value->names[1].at.begin == 39);
}

TEST_CASE("strings: escapes of RFC 8259, characters beyond the first plane") {
  auto text = [](const std::string &json) {
    auto value = read(json);
    return value.ok() ? value->text : "fault";
  };
  CHECK(text(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(text(R"("\u0041\u00e9\u20AC\ud83d\ude00")") == "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(text("\"\xC3\xA9\"") == "\xC3\xA9");
  CHECK(text(R"("\u0000x")") == std::string("\0x", 2));
  // What json_string writes is read as it was.
  std::string all;
  for (int c = 0; c < 128; c++) all += char(c);
  CHECK(text(json_string(all)) == all);
}

TEST_CASE("what is no JSON is told with its place") {
  CHECK(fault_of("") == "1:1 a value was expected: a string in quotes, a number, true, false, [...] or {...}: the text ends here");
  CHECK(fault_of("[1,\n 2,]") == "2:4 a value was expected: a string in quotes, a number, true, false, [...] or {...}");
  CHECK(fault_of("{\"a\" 1}") == "1:6 a : was expected");
  CHECK(fault_of("{a: 1}") == "1:2 a name in quotes was expected");
  CHECK(fault_of("{\"a\": 1 \"b\": 2}") == "1:9 a , or } was expected");
  CHECK(fault_of("{\"a\": 1,\n\"a\": 2}") == "2:1 a stands here twice");
  CHECK(fault_of("[1 2]") == "1:4 a , or ] was expected");
  CHECK(fault_of("1 2") == "1:3 there is more behind the value");
  for (const char *wrong : {"01", "+1", ".5", "1.", "1e", "-", "nul", "tru", "'a'", "\"a", "\"\n\"", R"("\x")", R"("\u12g4")", R"("\ud800")", R"("\ud800\u0041")", R"("\udc00")", "[", "{", "{\"a\":"}) {
    INFO(wrong);
    CHECK_FALSE(read(wrong).ok());
  }
  std::string deep(10'000, '[');
  CHECK(fault_of(deep) == "1:66 more than 64 values inside each other");
}

TEST_CASE("a part of a file is read as a whole") {
  auto file = std::make_shared<const SourceFile>(0, "x", "[1]\n{\"a\": 2}\n");
  auto line = parse_json(file, 4, 12);
  REQUIRE(line.ok());
  REQUIRE(line->find("a"));
  CHECK(line->find("a")->text == "2");
  CHECK_FALSE(parse_json(file).ok());
}
