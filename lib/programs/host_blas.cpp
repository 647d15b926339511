// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_blas.h"

namespace kiln {

namespace {

constexpr int ColumnMajor = 102; // enum CBLAS_ORDER

/// enum CBLAS_TRANSPOSE
int cblas_form(MatrixProduct::Form form) {
  switch (form) {
  case MatrixProduct::Form::AsItIs: return 111;
  case MatrixProduct::Form::Transposed: return 112;
  case MatrixProduct::Form::Adjoint: break;
  }
  return 113;
}

Result<DynamicLibrary> open_library() {
  const std::string named = environment_text("KILN_BLAS");
  if (named == "none") return machine_error("KILN_BLAS=none: no library multiplies matrices on the CPU");
  return DynamicLibrary::open({named.empty() ? "libopenblas.so.0" : named});
}

} // namespace

Result<HostBlas> HostBlas::open() {
  KILN_TRY(const DynamicLibrary library, open_library());
  HostBlas blas;
  const auto load = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
    return function != nullptr;
  };
  if (!load(blas.single_, "cblas_sgemm") || !load(blas.double_, "cblas_dgemm") ||
      !load(blas.complex_single_, "cblas_cgemm") || !load(blas.complex_double_, "cblas_zgemm"))
    return machine_error(
        fmt::format("{} has no C interface of BLAS (cblas_sgemm and others)", library.path()));
  return blas;
}

bool HostBlas::has(MatrixProduct::Number number) {
  return number != MatrixProduct::Number::Float16 && number != MatrixProduct::Number::BFloat16;
}

void HostBlas::multiply(const MatrixProduct &p) const {
  const auto call = [&]<class Number>(auto *gemm, auto alpha, auto beta, Number *c) {
    const auto matrix = [](uint64_t address) { return reinterpret_cast<const Number *>(uintptr_t(address)); };
    gemm(ColumnMajor, cblas_form(p.a.form), cblas_form(p.b.form), p.m, p.n, p.k, alpha, matrix(p.a.address),
         p.a.rows(p.m, p.k), matrix(p.b.address), p.b.rows(p.k, p.n), beta, c, std::max(p.m, 1));
  };
  void *const c = reinterpret_cast<void *>(uintptr_t(p.c));
  switch (p.number) {
  case MatrixProduct::Number::Float32:
    return call(single_, float(p.alpha.real()), float(p.beta.real()), static_cast<float *>(c));
  case MatrixProduct::Number::Float64:
    return call(double_, p.alpha.real(), p.beta.real(), static_cast<double *>(c));
  case MatrixProduct::Number::ComplexF32: {
    const std::complex<float> alpha(p.alpha), beta(p.beta);
    return call(complex_single_, static_cast<const void *>(&alpha), static_cast<const void *>(&beta), c);
  }
  case MatrixProduct::Number::ComplexF64:
    return call(complex_double_, static_cast<const void *>(&p.alpha), static_cast<const void *>(&p.beta), c);
  default: return; // has() is false
  }
}

} // namespace kiln
