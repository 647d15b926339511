// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of values, and their bytes.
#include <catch2/catch.hpp>

#include <kiln/extension/language/calls.h>
#include <kiln/kiln.h>
#include <launch/launch.h>
#include <session/session.h>

#include <cstring>

namespace values_test {

using namespace kiln;

namespace {

struct Fixture {
  Fixture() {
    auto opened = Session::open();
    if (!opened.ok()) FAIL(opened.error().what());
    session = std::move(*opened);
    auto loaded = session->load("values.jl", R"(
using CUDA
struct Pair{A}
  items::A
  n::Int32
end
struct Fixed
  items::Vector{Int64}
end
)");
    if (!loaded.ok()) FAIL(loaded.error().what());
  }
  Value value(const std::string &text) {
    auto made = evaluate(*session, "value", text);
    if (!made.ok()) FAIL(made.error().what());
    return *made;
  }
  Value view(const std::string &text) {
    kept = value(text);
    auto made = kernel_view(definitions_of(*session).world(), kept);
    if (!made.ok()) FAIL(made.error().what());
    return *made;
  }
  std::vector<std::byte> bytes(const Value &of) {
    auto made = encode(definitions_of(*session).types(), of);
    if (!made.ok()) FAIL(made.error().what());
    return *made;
  }
  template <class T> T at(const std::vector<std::byte> &bytes, size_t offset) {
    T made;
    REQUIRE(offset + sizeof made <= bytes.size());
    std::memcpy(&made, bytes.data() + offset, sizeof made);
    return made;
  }
  std::unique_ptr<Session> session;
  Value kept; // views point into its arrays
};

} // namespace

TEST_CASE_METHOD(Fixture, "values have the bytes of their layout; types and singletons have none") {
  CHECK(bytes(value("Float32")).empty());
  CHECK(bytes(value("nothing")).empty());
  CHECK(bytes(value("sin")).empty());
  CHECK(at<int16_t>(bytes(value("Int16(-2)")), 0) == -2);
  const auto tuple = bytes(value("(Int8(1), 2.5)"));
  CHECK(tuple.size() == 16);
  CHECK(at<double>(tuple, 8) == 2.5);
  const auto symbol = bytes(value(":name"));
  CHECK(symbol == Argument::symbol("name").bytes);
  CHECK_FALSE(encode(definitions_of(*session).types(), value("\"text\"")).ok());

  const std::vector<Value> all{value("sin"), value("1f0"), value("Int"), value("UInt8(7)")};
  auto made = encode(definitions_of(*session).types(), all);
  REQUIRE(made.ok());
  REQUIRE(made->size() == 2);
  CHECK(at<float>((*made)[0], 0) == 1.0f);
  CHECK(at<uint8_t>((*made)[1], 0) == 7);
}

TEST_CASE_METHOD(Fixture, "a host array is seen as a device array of its memory") {
  const Value seen = view("reshape(collect(Int32(1):Int32(6)), 2, 3)");
  CHECK(to_string(seen.type()) == "CuDeviceArray{Int32, 2, 1}");
  const auto header = bytes(seen); // pointer, bytes, dimensions, length
  REQUIRE(header.size() == 40);
  const auto *first = reinterpret_cast<const int32_t *>(uintptr_t(at<uint64_t>(header, 0))); // NOLINT
  CHECK(first[5] == 6);
  CHECK(at<int64_t>(header, 8) == 24);
  CHECK(at<int64_t>(header, 16) == 2);
  CHECK(at<int64_t>(header, 24) == 3);
  CHECK(at<int64_t>(header, 32) == 6);
}

TEST_CASE_METHOD(Fixture, "a struct follows the views of its fields") {
  CHECK(to_string(view("(zeros(3), 1)").type()) == "Tuple{CuDeviceArray{Float64, 1, 1}, Int64}");
  CHECK(to_string(view("(a = zeros(3), b = (1, ones(Int8, 2)))").type()).find("CuDeviceArray{Int8, 1, 1}") !=
        std::string::npos);
  CHECK(to_string(view("Pair(zeros(Float32, 2), Int32(4))").type()) == "Pair{CuDeviceArray{Float32, 1, 1}}");
  CHECK(to_string(view("(1, 2.0)").type()) == "Tuple{Int64, Float64}");

  auto refused = kernel_view(definitions_of(*session).world(), value("Fixed([1, 2])"));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code() == ErrorCode::KernelError);
  auto strings = kernel_view(definitions_of(*session).world(), value("[\"a\"]"));
  REQUIRE_FALSE(strings.ok());
  CHECK(strings.error().code() == ErrorCode::KernelError);
}

TEST_CASE_METHOD(Fixture, "a policy decides first, also for fields") {
  class Doubled final : public ViewPolicy {
  public:
    explicit Doubled(TypeContext &types) : types_(types) {}
    Result<Value> view(const Value &value) override {
      if (!value.is_primitive() || value.type() != types_.builtins().Int64) return Value();
      return types_.int64(2 * int64_t(value.low_bits()));
    }

  private:
    TypeContext &types_;
  };
  Doubled policy(definitions_of(*session).types());
  auto seen = kernel_view(definitions_of(*session).world(), value("21"), &policy);
  REQUIRE(seen.ok());
  CHECK(int64_t(seen->low_bits()) == 42);
  kept = value("Fixed([1, 2])");
  auto left = kernel_view(definitions_of(*session).world(), kept,
                          &policy); // the compiler reports what cannot be passed
  REQUIRE(left.ok());
  CHECK(left->type() == kept.type());
}

TEST_CASE_METHOD(Fixture, "parameters have to fit the entry") {
  Artifact artifact;
  artifact.entry = "f";
  artifact.parameters.push_back({.size = 4});
  artifact.parameters.push_back({.size = 8});
  const ParameterBytes fits{std::vector<std::byte>(4), std::vector<std::byte>(8)},
      other_size{std::vector<std::byte>(4), std::vector<std::byte>(4)}, fewer{std::vector<std::byte>(4)};
  EntryParameters entry;
  REQUIRE(entry.read(artifact, fits).ok());
  REQUIRE(entry.addresses().size() == 2);
  CHECK(entry.addresses()[1] == fits[1].data());
  for (const ParameterBytes &wrong : {other_size, fewer}) {
    auto read = entry.read(artifact, wrong);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().kind() == ErrorKind::Internal);
  }
  artifact.parameters.assign(40, {.size = 1}); // more than lie in the object itself
  const ParameterBytes many(40, std::vector<std::byte>(1));
  REQUIRE(entry.read(artifact, many).ok());
  CHECK(entry.addresses().size() == 40);
}

} // namespace values_test
