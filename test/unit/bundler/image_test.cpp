// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of the C compiler as images of bundles: loaded into this process they compute what they did in the
// object; what an entry does not reach is left out.
#include "bundle_fixture.h"
#include "test_objects.h"

#include <algorithm>
#include <cmath>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

namespace {

std::span<const std::byte> bytes_of(const std::string &image) {
  return {reinterpret_cast<const std::byte *>(image.data()), image.size()};
}
template <class Function> Function *function(const HostCode &code) {
  return reinterpret_cast<Function *>(code.entry());
}
std::shared_ptr<const HostCode> loaded(const std::string &object, const std::string &entry) {
  const std::string image = must(link_image(object, entry));
  return must(load_image(bytes_of(image)));
}
std::vector<std::string> imports(const std::string &object, const std::string &entry) {
  const std::string image = must(link_image(object, entry));
  auto names = imports_of(must(read_image(bytes_of(image))));
  std::ranges::sort(names);
  return names;
}

} // namespace

TEST_CASE("an image computes what its object does, each time it is loaded anew") {
  const std::string object = test_object("counter");
  auto one = loaded(object, "apply"), other = loaded(object, "apply");
  CHECK(function<long(long, long)>(*one)(0, 21) == 42);
  CHECK(function<long(long, long)>(*one)(1, 21) == -21);
  CHECK(function<long(long, long)>(*one)(2, 5) == 5); // counts, in memory of its own
  CHECK(function<long(long, long)>(*one)(2, 5) == 10);
  CHECK(function<long(long, long)>(*other)(2, 1) == 1);
  CHECK(function<long(long)>(*loaded(object, "prime"))(3) == 7);
}

TEST_CASE("an image names what it wants of the process") {
  const std::string object = test_object("library");
  CHECK(imports(object, "curve") == std::vector<std::string>{"exp", "sin"});
  CHECK(imports(object, "last_letter") == std::vector<std::string>{"strlen"});
  CHECK(imports(object, "rounds") == std::vector<std::string>{"kiln_native_rounds"});
  CHECK(imports(test_object("counter"), "apply").empty());
  auto curve = loaded(object, "curve");
  CHECK(function<double(double)>(*curve)(0.75) == std::sin(0.75) * std::exp(0.75));
  CHECK(function<void *()>(*loaded(object, "rounds"))() == find_host_symbol("kiln_native_rounds"));
}

TEST_CASE("zeros take no bytes of an image, and are zeros in memory") {
  const std::string object = test_object("pages"), image = must(link_image(object, "area_begin"));
  CHECK(image.size() < 5000); // of 50,000
  CHECK(must(read_image(bytes_of(image))).memory_bytes >= 50000);
  auto code = must(load_image(bytes_of(image)));
  const unsigned char *area = function<unsigned char *()>(*code)();
  CHECK(reinterpret_cast<uintptr_t>(area) % 256 == 0);
  CHECK(std::all_of(area, area + 50000, [](unsigned char byte) { return byte == 0; }));
  CHECK(must(link_image(object, "area_bytes")).size() < 5000); // does not reach the area at all
  const std::string bytes_alone = must(link_image(object, "area_bytes"));
  CHECK(must(read_image(bytes_of(bytes_alone))).memory_bytes <
        must(read_image(bytes_of(image))).memory_bytes);
}

TEST_CASE("functions that no process has are named") {
  auto lost = link_image(test_object("missing"), "lost");
  REQUIRE(!lost.ok());
  CHECK(lost.error().kind() == ErrorKind::Machine);
  CHECK_THAT(lost.error().what(), Contains("lost") && Contains("kiln_test_never, kiln_test_nowhere"));
  CHECK(function<int(int)>(*loaded(test_object("missing"), "found"))(2) == 3); // it does not reach them
}

TEST_CASE("equal objects give equal images") {
  for (const char *name : {"counter", "library", "pages"}) {
    const std::string object = test_object(name);
    const char *entry = name[0] == 'c' ? "apply" : name[0] == 'l' ? "curve" : "area_begin";
    const std::string first = must(link_image(object, entry));
    for (int i = 0; i < 5; i++) CHECK(must(link_image(object, entry)) == first);
  }
}

TEST_CASE("what is no object, or lacks the entry, is refused") {
  CHECK(!link_image("", "f").ok());
  CHECK(!link_image("this is text", "f").ok());
  const std::string object = test_object("counter");
  CHECK(!link_image(std::string_view(object).substr(0, object.size() / 2), "next").ok());
  auto none = link_image(object, "no_such_entry");
  REQUIRE(!none.ok());
  CHECK(none.error().kind() == ErrorKind::Internal);
}
