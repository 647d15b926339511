// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host arrays as arguments of a launch on a GPU: arrays that share memory share the copy on the device.
#include "gpu_fixture.h"

#include <cstring>
#include <kiln/extension/language.h>
#include <session/session.h>

using namespace kiln;
using namespace kiln::test;

namespace {

/// A kernel with two arrays of Int64: x[1] = 41, then y[1] += 1. Parameters: the kernel state, x, y.
void store_then_add(const FakeLaunch &launch) {
  // NOLINTBEGIN(performance-no-int-to-ptr): addresses of the fake device
  auto *x = reinterpret_cast<int64_t *>(launch.parameters[1]);
  auto *y = reinterpret_cast<int64_t *>(launch.parameters[2]);
  // NOLINTEND(performance-no-int-to-ptr)
  *x = 41;
  *y += 1;
}

/// Another array of the same bytes, in other dimensions, as reshape makes it.
Value reshaped(TypeContext &types, const Value &array, std::vector<int64_t> dims) {
  auto made = std::make_shared<HostArray>();
  made->element = array.as_array()->element;
  made->dims = std::move(dims);
  made->bytes = array.as_array()->bytes.share();
  TypeRef params[] = {made->element, types.constant(int64_t(made->dims.size()))};
  return Value::array(types.data(*types.builtins().ArrayName, params), std::move(made));
}

int64_t first_of(const Value &array) {
  int64_t value = 0;
  std::memcpy(&value, array.as_array()->bytes.data(), sizeof value);
  return value;
}

} // namespace

TEST_CASE("Arrays that share memory see each other's stores in a launch on a GPU") {
  Fake fake;
  Gpu gpu;
  take(gpu.session->load("mirrors.jl", "function kernel(x, y)\n  x[1] = 41\n  y[1] += 1\n  return\nend\n"));
  const Value function = take(evaluate(*gpu.session, "function", "kernel"));
  const Value x = take(evaluate(*gpu.session, "x", "zeros(Int64, 6)"));
  const Value y = reshaped(definitions_of(*gpu.session).types(), x, {2, 3});
  const Value other = take(evaluate(*gpu.session, "other", "zeros(Int64, 6)"));
  fake.record_parameters(3);
  fake.function<fake_cuda_kernel_t>("fake_cuda_kernel")(store_then_add);
  done(launch(*gpu.session, gpu.device, function, {}, std::vector<Value>{x, y}));
  CHECK(first_of(x) == 42);
  CHECK(first_of(y) == 42);
  done(launch(*gpu.session, gpu.device, function, {}, std::vector<Value>{x, other})); // memory of its own
  CHECK(first_of(x) == 41);
  CHECK(first_of(other) == 1);
  fake.function<fake_cuda_kernel_t>("fake_cuda_kernel")(nullptr);
  fake.record_parameters(0);
}
