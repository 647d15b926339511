// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints for the program's users, for embedders, and in Python.
#include <catch2/catch.hpp>
#include <kiln/extension/language/internal/hint.h>

using namespace kiln;

namespace {

/// Puts the door of the other tests back.
struct DoorScope {
  explicit DoorScope(HintDoor door) { set_hint_door(door); }
  ~DoorScope() { set_hint_door(HintDoor::Library); }
};

} // namespace

TEST_CASE("hints speak to embedders of the library, unless a program says otherwise") {
  CHECK(hint_door() == HintDoor::Library);
  CHECK(option_hint("maxregs") == "\"maxregs\"");
  CHECK(option_hint("maxregs", "32") == "\"maxregs\": 32");
  CHECK(option_hint("ptx-isa", "8.0") == "\"ptx-isa\": \"8.0\"");
  CHECK(product_hint("asm") == "the product \"asm\"");
  CHECK(device_hint("cpu") == "the device \"cpu\"");
  CHECK(by_door("a", "b", "c") == "b");
}

TEST_CASE("hints for the program name its flags") {
  const DoorScope door(HintDoor::Program);
  CHECK(option_hint("maxregs", "32") == "--maxregs 32");
  CHECK(option_hint("O", "3") == "-O 3");
  CHECK(product_hint("asm") == "--emit asm");
  CHECK(device_hint("cpu") == "--device cpu");
  CHECK(by_door("a", "b", "c") == "a");
}

TEST_CASE("hints in Python name keywords") {
  const DoorScope door(HintDoor::Python);
  CHECK(option_hint("ptx-isa", "8.0") == "ptx_isa=\"8.0\"");
  CHECK(option_hint("maxregs", "32") == "maxregs=32");
  CHECK(device_hint("cpu") == "device=\"cpu\"");
  CHECK(by_door("a", "b", "c") == "c");
}
