// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches may take a coarse entry, by shape, arguments and options: CoarsePlan, with hand-made
// kernels.
#include <catch2/catch.hpp>

#include <session/session.h>

using namespace kiln;

namespace {

/// A kernel of Float32 arrays y and x, each a parameter of its own, and a launch of it.
struct Launch {
  std::vector<MemoryPart> memory{
      {.parameter = 0, .is_array = true, .offset = 0, .rank = 1, .element_bytes = 4},
      {.parameter = 1, .is_array = true, .offset = 0, .rank = 1, .element_bytes = 4}};
  Coarsening coarsening{.factor = 4,
                        .entry = {},
                        .arrays = {{.parameter = 0, .stride = 4, .is_written = true, .is_wide = true},
                                   {.parameter = 1, .stride = 4, .is_wide = true}},
                        .in_step = true};
  uint64_t least = 0;
  LaunchShape shape{.blocks = {1000, 1, 1}, .threads = {256, 1, 1}};
  LaunchOptions options;
  abi::ArrayHeader<1> y = array(0x10000, 1000), x = array(0x20000, 1000);

  static abi::ArrayHeader<1> array(uint64_t address, int64_t length) {
    return {reinterpret_cast<void *>(uintptr_t(address)), 4 * length, {length}, length};
  }
  bool fits() const {
    auto plan = CoarsePlan::make(coarsening, memory, least);
    REQUIRE(plan);
    const void *arguments[] = {&y, &x};
    return plan->fits(shape, arguments, options);
  }
  bool fits(const LaunchShape &other) {
    shape = other;
    return fits();
  }
};

} // namespace

TEST_CASE("a launch of one dimension takes the coarse entry, on a fraction of the blocks") {
  Launch launch;
  CHECK(launch.fits());
  auto plan = CoarsePlan::make(launch.coarsening, launch.memory, 0);
  CHECK(plan->coarse_shape(launch.shape) == LaunchShape{.blocks = {250, 1, 1}, .threads = {256, 1, 1}});
  CHECK(plan->coarse_shape({.blocks = {1001, 1, 1}}).blocks[0] == 251);
  CHECK(plan->coarse_shape({.blocks = {1, 1, 1}}).blocks[0] == 1);
  CHECK_FALSE(launch.fits({.blocks = {1000, 2, 1}, .threads = {256, 1, 1}}));
  CHECK_FALSE(launch.fits({.blocks = {1000, 1, 2}, .threads = {256, 1, 1}}));
  CHECK_FALSE(launch.fits({.blocks = {1000, 1, 1}, .threads = {16, 16, 1}}));
  CHECK_FALSE(launch.fits({.blocks = {1000, 1, 1}, .threads = {16, 1, 16}}));
  CHECK_FALSE(launch.fits({.blocks = {1000, 1, 1}, .threads = {256, 1, 1}, .shared_bytes = 4}));
}

TEST_CASE("a launch has to be large enough, and its index one of 32 bits") {
  Launch launch;
  launch.least = 256 * 1000;
  CHECK(launch.fits());
  launch.least++;
  CHECK_FALSE(launch.fits());
  launch.least = 0;
  CHECK(launch.fits({.blocks = {(1u << 21) - 64, 1, 1}, .threads = {1024, 1, 1}}));
  CHECK_FALSE(launch.fits({.blocks = {(1u << 21) - 63, 1, 1}, .threads = {1024, 1, 1}}));
  CHECK_FALSE(launch.fits({.blocks = {1u << 31, 1, 1}, .threads = {1024, 1, 1}}));
}

TEST_CASE("launches with needs of their own run the kernel as written") {
  Launch launch;
  for (auto change :
       {+[](LaunchOptions &o) { o.coarsen = false; }, +[](LaunchOptions &o) { o.cooperative = true; },
        +[](LaunchOptions &o) { o.programmatic_serialization = true; },
        +[](LaunchOptions &o) { o.cluster = {2, 1, 1}; }}) {
    launch.options = {};
    CHECK(launch.fits());
    change(launch.options);
    CHECK_FALSE(launch.fits());
  }
}

TEST_CASE("arrays accessed by 16 bytes begin at a multiple of 16") {
  Launch launch;
  for (uint64_t shift : {4, 8, 12}) {
    launch.x = Launch::array(0x20000 + shift, 1000);
    CHECK_FALSE(launch.fits());
    launch.coarsening.arrays[1].is_wide = false;
    CHECK(launch.fits());
    launch.coarsening.arrays[1].is_wide = true;
  }
  launch.x = Launch::array(0x20000, 1000);
  launch.y = Launch::array(0x10008, 1000);
  CHECK_FALSE(launch.fits());
}

TEST_CASE("an array that is written to overlaps no other, or is the same one in step") {
  Launch launch;
  auto at = [&](uint64_t x) {
    launch.x = Launch::array(x, 1000);
    return launch.fits();
  };
  CHECK(at(0x10000 + 4000));       // right behind y
  CHECK(at(0x10000 - 4000));       // right in front of it
  CHECK_FALSE(at(0x10000 + 3984)); // four elements are both's
  CHECK_FALSE(at(0x10000 - 3984));
  CHECK_FALSE(at(0x10010));
  CHECK(at(0x10000)); // the same array
  launch.coarsening.in_step = false;
  CHECK_FALSE(at(0x10000));
  CHECK(at(0x10000 + 4000));
  launch.coarsening.in_step = true;
  launch.coarsening.arrays[1].stride = 0; // x[index[i]]
  CHECK_FALSE(at(0x10000));
  launch.coarsening.arrays[1].stride = 8; // pairs
  CHECK_FALSE(at(0x10000));
  launch.coarsening.arrays[1].stride = 4;
  launch.coarsening.arrays[1].shift = 16; // x[i + 4]
  CHECK_FALSE(at(0x10000));
}

TEST_CASE("arrays that are only read may overlap, and those of no elements lie anywhere") {
  Launch launch;
  launch.coarsening.arrays[0].is_written = false;
  launch.x = Launch::array(0x10010, 1000);
  CHECK(launch.fits());
  launch.coarsening.arrays[0].is_written = true;
  CHECK_FALSE(launch.fits());
  launch.x = Launch::array(0, 0);
  CHECK(launch.fits());
}

TEST_CASE("there is no plan where the parameters do not tell an array's memory") {
  Launch launch;
  CHECK(CoarsePlan::make(launch.coarsening, launch.memory, 0));
  launch.memory[1].is_array = false;
  CHECK_FALSE(CoarsePlan::make(launch.coarsening, launch.memory, 0));
  launch.memory.pop_back();
  CHECK_FALSE(CoarsePlan::make(launch.coarsening, launch.memory, 0));
  CHECK_FALSE(CoarsePlan::make(Coarsening(), launch.memory, 0));
  CHECK_FALSE(CoarsePlan::make(Coarsening{.factor = 1}, launch.memory, 0)); // it writes nothing
}

TEST_CASE("an entry for arrays that are apart takes launches of any shape") {
  Launch launch;
  launch.coarsening = {.factor = 1,
                       .entry = {},
                       .arrays = {{.parameter = 0, .is_written = true}, {.parameter = 1}},
                       .in_step = false};
  CHECK(launch.fits());
  CHECK(launch.fits({.blocks = {3, 4, 5}, .threads = {8, 4, 2}, .shared_bytes = 1024}));
  CHECK(launch.fits({.blocks = {1u << 31, 1, 1}, .threads = {1024, 1, 1}}));
  auto plan = CoarsePlan::make(launch.coarsening, launch.memory, 0);
  CHECK(plan->coarse_shape(launch.shape) == launch.shape);
  launch.least = 3 * 4 * 5 * 64;
  CHECK(launch.fits({.blocks = {3, 4, 5}, .threads = {8, 4, 2}}));
  CHECK_FALSE(launch.fits({.blocks = {3, 4, 4}, .threads = {8, 4, 2}}));
  launch.x = Launch::array(0x10004, 1000);
  CHECK_FALSE(launch.fits());
  launch.x = launch.y; // the same array is written and read
  CHECK_FALSE(launch.fits());
  launch.x = Launch::array(0x10000 + 4004, 1000); // not aligned to 16
  launch.least = 0;
  CHECK(launch.fits());
  launch.options.coarsen = false;
  CHECK_FALSE(launch.fits());
}

TEST_CASE("arrays of wide accesses begin at a multiple of them") {
  Launch launch;
  const void *arguments[] = {&launch.y, &launch.x};
  for (uint64_t bytes : {16, 32}) {
    const auto plan = CoarsePlan::make(launch.coarsening, launch.memory, 0, bytes);
    REQUIRE(plan);
    launch.x = Launch::array(0x20000, 1000);
    CHECK(plan->fits(launch.shape, arguments, launch.options));
    launch.x = Launch::array(0x20010, 1000);
    CHECK(plan->fits(launch.shape, arguments, launch.options) == (bytes == 16));
    launch.x = Launch::array(0x20008, 1000);
    CHECK_FALSE(plan->fits(launch.shape, arguments, launch.options));
  }
}
