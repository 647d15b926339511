// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies matrices on a program's device by cuBLAS. Without cuBLAS, Kiln's own kernels multiply
// (runtime/library/program/cuda/linear.jl).
#include "cuda.h"

#include <host/host.h>

#include <bit>
#include <climits>

namespace kiln {

/// __multiply(T, (m, n, k), A's memory, offset, form, B's memory, offset, form, C's memory, offset, alpha,
/// its imaginary part, beta, its imaginary part): C = alpha * A * B + beta * C. False: no cuBLAS, or an
/// unsupported number type. Forms: 0 unchanged, 1 transposed, 2 adjoint.
Result<Value> CudaLibrary::multiply(Args args) {
  KILN_TRY(Queue * queue, main_queue());
  if (device_.kind() != DeviceKind::Cuda || is_cublas_missing_) return types_.boolean(false);
  static constexpr std::pair<std::string_view, Cublas::Number> Names[] = {
      {"Float16", Cublas::Number::Float16},
      {"BFloat16", Cublas::Number::BFloat16},
      {"Float32", Cublas::Number::Float32},
      {"Float64", Cublas::Number::Float64},
      {"Complex{Float32}", Cublas::Number::ComplexF32},
      {"Complex{Float64}", Cublas::Number::ComplexF64}};
  const std::string element = to_string(args[0].as_type());
  const auto *number = std::ranges::find(Names, element, [](const auto &each) { return each.first; });
  const Layout *layout = number != std::end(Names) ? layout_of(types_, args[0].as_type()) : nullptr;
  if (!layout) return types_.boolean(false);
  Cublas::Product product{.number = number->second};
  const std::vector<Value> &dims = *args[1].fields();
  for (int Cublas::Product::*extent : {&Cublas::Product::m, &Cublas::Product::n, &Cublas::Product::k}) {
    const uint64_t value = dims[extent == &Cublas::Product::m   ? 0
                                : extent == &Cublas::Product::n ? 1
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
  product.a = {address(a), Cublas::Form(args[4].low_bits())};
  product.b = {address(b), Cublas::Form(args[7].low_bits())};
  product.c = address(c);
  auto scale = [&](size_t at) {
    return std::complex<double>(std::bit_cast<double>(args[at].low_bits()),
                                std::bit_cast<double>(args[at + 1].low_bits()));
  };
  product.alpha = scale(10);
  product.beta = scale(12);

  KILN_TRY(auto driver, CudaDriver::open());
  KILN_CHECK(
      driver->check(driver->ContextSetCurrent(device_.native_context()), "entering the GPU's context"));
  if (!cublas_) {
    auto opened = Cublas::open();
    if (!opened.ok()) {
      jobs_.log().log.info("matrix products are made without cuBLAS: {}", opened.error().what());
      is_cublas_missing_ = true;
      return types_.boolean(false);
    }
    cublas_ = std::move(*opened);
  }
  KILN_CHECK(cublas_->multiply(queue->stream.native_handle(), product));
  return types_.boolean(true);
}

} // namespace kiln
