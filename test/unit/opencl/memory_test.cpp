// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices with shared virtual memory in place of unified shared memory: kernels must be told of each block.
#include "opencl_fixture.h"

using namespace kiln;
using namespace kiln::test;

TEST_CASE("kernels follow pointers to shared virtual memory", "[.device]") {
  {
    OnOpenCl skips_without_a_device;
  }
  const auto driver = must(OpenClDriver::open());
  const auto device = must(OpenClDevice::open(driver, 0, OpenClMemory::Svm));
  if (device->has_usm()) return; // the device has no shared virtual memory
  OpenClPrograms programs;
  const auto artifact = scale_kernel();
  const auto kernel =
      must(OpenClKernel::make(device, must(programs.get(device, artifact)), artifact, "scale"));
  CHECK(must(programs.get(device, artifact)) == must(programs.get(device, artifact)));
  const auto stream = must(OpenClStream::make(device));
  for (int round = 0; round < 3; round++) { // later rounds allocate after the first launch
    void *array = must(device->allocate(4096 << round, stream->handle()));
    std::vector<float> values(64, 2.0f);
    must(stream->copy(array, values.data(), 256));
    ScaleArguments arguments{array, 64, 5};
    must(stream->launch(*kernel, {.threads = {64, 1, 1}}, arguments.pointers));
    must(stream->copy(values.data(), array, 256));
    CHECK(!must(stream->synchronize()));
    for (float value : values) REQUIRE(value == 10.0f);
    device->release(array, 4096 << round, stream->handle());
  }
  device->trim(0);
  CHECK(device->counters().reserved_bytes == 0);
}
