// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies matrices on a program's device by a library: cuBLAS on GPUs, OpenBLAS on the CPU. Without it,
// Kiln's own kernels multiply (runtime/library/program/cuda/linear.jl).
#include "cuda.h"

#include <host/host.h>

#include <bit>
#include <climits>

namespace kiln {

/// __multiply(T, (m, n, k), A's memory, offset, form, B's memory, offset, form, C's memory, offset, alpha,
/// its imaginary part, beta, its imaginary part, whether it repays the start of cuBLAS): C = alpha * A * B +
/// beta * C. False: no library, or an unsupported number type. Forms: 0 unchanged, 1 transposed, 2 adjoint.
Result<Value> CudaLibrary::multiply(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  const bool on_host = device_.kind() == DeviceKind::Cpu;
  const bool on_gpu = device_.kind() == DeviceKind::Cuda && args[14].low_bits() != 0;
  if (is_blas_missing_ || !(on_host || on_gpu)) return types_.boolean(false);
  static constexpr std::pair<std::string_view, MatrixProduct::Number> Names[] = {
      {"Float16", MatrixProduct::Number::Float16},
      {"BFloat16", MatrixProduct::Number::BFloat16},
      {"Float32", MatrixProduct::Number::Float32},
      {"Float64", MatrixProduct::Number::Float64},
      {"Complex{Float32}", MatrixProduct::Number::ComplexF32},
      {"Complex{Float64}", MatrixProduct::Number::ComplexF64}};
  const std::string element = to_string(args[0].as_type());
  const auto *number = std::ranges::find(Names, element, [](const auto &each) { return each.first; });
  const Layout *layout = number != std::end(Names) ? layout_of(types_, args[0].as_type()) : nullptr;
  if (!layout) return types_.boolean(false);
  MatrixProduct product{.number = number->second};
  const std::vector<Value> &dims = *args[1].fields();
  for (int MatrixProduct::*extent : {&MatrixProduct::m, &MatrixProduct::n, &MatrixProduct::k}) {
    const uint64_t value = dims[extent == &MatrixProduct::m   ? 0
                                : extent == &MatrixProduct::n ? 1
                                                              : 2]
                               .low_bits();
    if (value > INT_MAX) return types_.boolean(false);
    product.*extent = int(value);
  }
  const uint64_t m = uint64_t(product.m), n = uint64_t(product.n), k = uint64_t(product.k);
  KILN_TRY(uint8_t *a, place(args[2], args[3], m * k * layout->size));
  KILN_TRY(uint8_t *b, place(args[5], args[6], k * n * layout->size));
  KILN_TRY(uint8_t *c, place(args[8], args[9], m * n * layout->size));
  auto address = [](const uint8_t *place) { return uint64_t(reinterpret_cast<uintptr_t>(place)); };
  product.a = {address(a), MatrixProduct::Form(args[4].low_bits())};
  product.b = {address(b), MatrixProduct::Form(args[7].low_bits())};
  product.c = address(c);
  auto scale = [&](size_t at) {
    return std::complex<double>(std::bit_cast<double>(args[at].low_bits()),
                                std::bit_cast<double>(args[at + 1].low_bits()));
  };
  product.alpha = scale(10);
  product.beta = scale(12);

  if (on_host) return multiply_on_host(product, *queue);
  KILN_TRY(auto driver, CudaDriver::open());
  KILN_CHECK(
      driver->check(driver->ContextSetCurrent(device_.native_context()), "entering the GPU's context"));
  if (!cublas_) {
    auto opened = Cublas::open();
    if (!opened.ok()) {
      jobs_.log().log.info("matrix products are made without cuBLAS: {}", opened.error().what());
      is_blas_missing_ = true;
      return types_.boolean(false);
    }
    cublas_ = std::move(*opened);
  }
  KILN_CHECK(cublas_->multiply(queue->stream.native_handle(), product));
  return types_.boolean(true);
}

/// Waits for the queue's kernels, then multiplies on this thread and the library's own.
Result<Value> CudaLibrary::multiply_on_host(const MatrixProduct &product, Queue &queue) {
  if (!HostBlas::has(product.number)) return types_.boolean(false);
  if (!host_blas_) {
    auto opened = HostBlas::open();
    if (!opened.ok()) {
      jobs_.log().log.info("matrix products are made without OpenBLAS: {}", opened.error().what());
      is_blas_missing_ = true;
      return types_.boolean(false);
    }
    host_blas_ = *opened;
  }
  const Event before; // not synchronize(), which would take an exception of a kernel from the program
  KILN_CHECK(queue.stream.record(before));
  before.wait();
  host_blas_->multiply(product);
  return types_.boolean(true);
}

} // namespace kiln
