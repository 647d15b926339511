// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies matrices on a program's device by a library: cuBLAS on GPUs, OpenBLAS on the CPU. Without it,
// Kiln's own kernels multiply (runtime/library/program/cuda/linear.jl).
#include "cuda.h"

#include <host/host.h>

#include <algorithm>
#include <bit>
#include <climits>

namespace kiln {

/// __multiply(T, (m, n, k), A's memory, offset, form, B's memory, offset, form, C's memory, offset, alpha,
/// its imaginary part, beta, its imaginary part, whether it repays the start of cuBLAS): C = alpha * A * B +
/// beta * C. False: no library, or an unsupported number type. Forms: 0 unchanged, 1 transposed, 2 adjoint.
Result<Value> CudaLibrary::multiply(Args args) {
  KILN_CHECK(open());
  const auto number = number_of(args[0].as_type());
  if (!number) return types_.boolean(false);
  const uint64_t bytes = layout_of(types_, args[0].as_type())->size;
  MatrixProduct product{.number = *number};
  const std::vector<Value> &dims = *args[1].fields();
  const uint64_t m = dims[0].low_bits(), n = dims[1].low_bits(), k = dims[2].low_bits();
  if (std::max({m, n, k}) > INT_MAX) return types_.boolean(false);
  product.m = int(m), product.n = int(n), product.k = int(k);
  KILN_TRY(uint8_t *a, place(args[2], args[3], m * k * bytes));
  KILN_TRY(uint8_t *b, place(args[5], args[6], k * n * bytes));
  KILN_TRY(uint8_t *c, place(args[8], args[9], m * n * bytes));
  product.a = {address_of(a), MatrixProduct::Form(args[4].low_bits())};
  product.b = {address_of(b), MatrixProduct::Form(args[7].low_bits())};
  product.c = address_of(c);
  auto scale = [&](size_t at) {
    return std::complex<double>(std::bit_cast<double>(args[at].low_bits()),
                                std::bit_cast<double>(args[at + 1].low_bits()));
  };
  product.alpha = scale(10);
  product.beta = scale(12);
  KILN_TRY(bool done, multiply(product, args[14].low_bits() != 0));
  return types_.boolean(done);
}

std::optional<MatrixProduct::Number> CudaLibrary::number_of(TypeRef element) {
  auto [found, is_new] = numbers_.try_emplace(element);
  if (!is_new) return found->second;
  static constexpr std::pair<std::string_view, MatrixProduct::Number> Names[] = {
      {"Float16", MatrixProduct::Number::Float16},
      {"BFloat16", MatrixProduct::Number::BFloat16},
      {"Float32", MatrixProduct::Number::Float32},
      {"Float64", MatrixProduct::Number::Float64},
      {"Complex{Float32}", MatrixProduct::Number::ComplexF32},
      {"Complex{Float64}", MatrixProduct::Number::ComplexF64}};
  const std::string text = to_string(element);
  for (auto [name, number] : Names)
    if (name == text && layout_of(types_, element)) found->second = number;
  return found->second;
}

Result<bool> CudaLibrary::multiply(const MatrixProduct &product, bool repays_cublas) {
  KILN_TRY(Queue * queue, main_queue());
  if (is_blas_missing_) return false;
  if (device_.kind() == DeviceKind::Cpu) return multiply_on_host(product, *queue);
  if (device_.kind() != DeviceKind::Cuda || !repays_cublas) return false;
  KILN_TRY(auto driver, CudaDriver::open());
  KILN_CHECK(
      driver->check(driver->ContextSetCurrent(device_.native_context()), "entering the GPU's context"));
  if (!cublas_) {
    auto opened = Cublas::open();
    if (!opened.ok()) {
      jobs_.log().log.info("matrix products are made without cuBLAS: {}", opened.error().what());
      is_blas_missing_ = true;
      return false;
    }
    cublas_ = std::move(*opened);
  }
  KILN_CHECK(cublas_->multiply(queue->stream.native_handle(), product));
  return true;
}

CudaLibrary::Factor CudaLibrary::factor_of(const Value &value) const {
  Factor factor;
  const DataType *type = value.type()->as<DataType>();
  const bool is_adjoint = type && &type->name() == adjoint_,
             is_transpose = type && &type->name() == transpose_;
  const Value &array = is_adjoint || is_transpose ? (*value.fields())[0] : value;
  factor.array = array_fields(array);
  if (!factor.array) return factor;
  factor.element = array.type()->as<DataType>()->params()[0];
  const std::vector<Value> &dims = *(*factor.array)[2].fields();
  factor.rank = dims.size();
  if (factor.rank > 0) factor.rows = dims[0].low_bits();
  if (factor.rank > 1) factor.columns = dims[1].low_bits();
  if (!is_adjoint && !is_transpose) return factor;
  if (factor.rank != 2) factor.array = nullptr; // a row
  factor.form = is_adjoint ? MatrixProduct::Form::Adjoint : MatrixProduct::Form::Transposed;
  std::swap(factor.rows, factor.columns);
  return factor;
}

/// product(A, B, minimum work of a library, and of cuBLAS): A * B as a new array. Work is the number of
/// multiplications. An empty Value: the Julia method multiplies.
Result<Value> CudaLibrary::product(Args args) {
  KILN_CHECK(open());
  if (args.size() != 4) return Value();
  const Factor a = factor_of(args[0]), b = factor_of(args[1]);
  if (!a.array || !b.array || a.rank != 2 || b.rank == 0 || b.rank > 2 || a.element != b.element ||
      a.columns != b.rows || !is_in_device_memory(args[0]) || !is_in_device_memory(args[1]))
    return Value();
  const auto number = number_of(a.element);
  const uint64_t bytes = number ? layout_of(types_, a.element)->size : 0;
  if (!number || std::max({a.rows, a.columns, b.columns}) > INT_MAX) return Value();
  const uint64_t length = a.rows * b.columns, work = length * a.columns;
  const bool on_gpu = device_.is_gpu();
  const bool has_library =
      !is_blas_missing_ &&
      (on_gpu ? work >= args[3].low_bits() : work >= args[2].low_bits() && HostBlas::has(*number));
  if (work == 0 || (!has_library && (!on_gpu || b.rank != 2))) return Value();
  std::vector<Value> dims{types_.int64(int64_t(a.rows))};
  if (b.rank == 2) dims.push_back(types_.int64(int64_t(b.columns)));
  KILN_TRY(Value made, array_of(a.element, tuple_of_ints(std::move(dims)), length * bytes));
  const std::vector<Value> &c = *array_fields(made);
  MatrixProduct product{.number = *number};
  product.m = int(a.rows), product.n = int(b.columns), product.k = int(a.columns);
  KILN_TRY(uint8_t *from_a, place((*a.array)[0], (*a.array)[1], a.rows * a.columns * bytes));
  KILN_TRY(uint8_t *from_b, place((*b.array)[0], (*b.array)[1], b.rows * b.columns * bytes));
  KILN_TRY(uint8_t *to, place(c[0], c[1], length * bytes));
  product.a = {address_of(from_a), a.form};
  product.b = {address_of(from_b), b.form};
  product.c = address_of(to);
  product.alpha = 1;
  if (has_library) {
    KILN_TRY(bool done, multiply(product, true));
    if (done) return made;
  }
  if (!on_gpu || b.rank != 2) return Value();
  const uint64_t threads = std::min<uint64_t>(length, 256);
  const LaunchShape shape{.blocks = {uint32_t((length + threads - 1) / threads), 1, 1},
                          .threads = {uint32_t(threads), 1, 1}};
  const Value arguments[] = {made, args[0], args[1], types_.boolean(true), types_.boolean(false)};
  KILN_TRY(Launched launched, launch_prepared(*main_, matrix_product_, arguments, shape, work));
  return launched ? made : Value();
}

/// Waits for the queue's kernels, then multiplies on this thread and the library's own.
Result<bool> CudaLibrary::multiply_on_host(const MatrixProduct &product, Queue &queue) {
  if (!HostBlas::has(product.number)) return false;
  if (!host_blas_) {
    auto opened = HostBlas::open();
    if (!opened.ok()) {
      jobs_.log().log.info("matrix products are made without OpenBLAS: {}", opened.error().what());
      is_blas_missing_ = true;
      return false;
    }
    host_blas_ = *opened;
  }
  if (!queue.stream.idle()) {
    const Event before; // not synchronize(), which would take an exception of a kernel from the program
    KILN_CHECK(queue.stream.record(before));
    before.wait();
  }
  host_blas_->multiply(product);
  return true;
}

} // namespace kiln
