// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_device.h on the CPU: limits, memory, and whose a stream is.
#include <kiln/c_device.h>

#include <catch2/catch.hpp>
#include <cstring>

TEST_CASE("the CPU's number, threads, limits and memory from C") {
  kiln_error *error = nullptr;
  kiln_runtime_options options = {};
  options.struct_size = sizeof options;
  options.cpu_threads = 3;
  kiln_runtime *runtime = nullptr;
  REQUIRE(kiln_runtime_open(&options, &runtime, &error) == KILN_OK);
  kiln_device *cpu = nullptr, *of_stream = nullptr;
  REQUIRE(kiln_runtime_device(runtime, "cpu", &cpu, &error) == KILN_OK);
  CHECK(kiln_device_number(cpu) == -1);
  CHECK(kiln_device_multiprocessors(cpu) == 3);
  kiln_device_limits limits = {};
  limits.struct_size = sizeof limits;
  REQUIRE(kiln_device_read_limits(cpu, &limits, &error) == KILN_OK);
  CHECK(limits.threads_of_block == 1024); // as a GPU's, so that kernels run on both
  CHECK(limits.warp == 32);
  CHECK(limits.clusters == 0);

  kiln_stream *stream = nullptr;
  REQUIRE(kiln_runtime_stream(runtime, cpu, &stream, &error) == KILN_OK);
  REQUIRE(kiln_stream_device(stream, &of_stream, &error) == KILN_OK);
  CHECK(kiln_device_multiprocessors(of_stream) == 3);
  kiln_buffer *buffer = nullptr;
  REQUIRE(kiln_stream_allocate(stream, 4096, &buffer, &error) == KILN_OK);
  kiln_memory_counters memory = {};
  memory.struct_size = sizeof memory;
  REQUIRE(kiln_device_memory(of_stream, &memory, &error) == KILN_OK);
  CHECK(memory.current_bytes == 4096);
  CHECK(memory.peak_bytes == 4096);
  CHECK(memory.allocations == 1);
  kiln_buffer_free(buffer);
  REQUIRE(kiln_device_memory(cpu, &memory, &error) == KILN_OK);
  CHECK(memory.current_bytes == 0);
  CHECK(memory.peak_bytes == 4096);
  CHECK(kiln_device_set_kept_memory(cpu, 0, &error) == KILN_OK);

  memory.struct_size = sizeof memory + 8;
  CHECK(kiln_device_memory(cpu, &memory, &error) == KILN_USAGE);
  CHECK(std::strstr(kiln_error_text(error), "kiln_memory_counters.struct_size"));
  kiln_error_free(error);
  CHECK(kiln_device_read_limits(cpu, nullptr, nullptr) == KILN_USAGE);
  CHECK(kiln_device_read_limits(nullptr, &limits, nullptr) == KILN_USAGE);
  CHECK(kiln_device_number(nullptr) == -1);
  void *address = &limits;
  uint64_t bytes = 1;
  CHECK(kiln_kernel_global(nullptr, "x", &address, &bytes, nullptr) == KILN_USAGE);
  CHECK(address == nullptr);
  CHECK(bytes == 0);
  CHECK(kiln_kernel_device(nullptr, &of_stream, nullptr) == KILN_USAGE);
  kiln_stream_free(stream);
  kiln_device_free(cpu);
  kiln_runtime_close(runtime);
}
