// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kiln calls of cuBLAS, on the fake driver's memory, which is the host's: sums in the order of k. A line
// on standard error for each product. FAKE_CUBLAS_STATUS: what cublasGemmEx ends with.
#include <complex>
#include <cstdio>
#include <cstdlib>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum { R32F = 0, R64F = 1, C32F = 4, C64F = 5, Compute32F = 68, Compute64F = 70 };

template <class T> T conjugate(T x) { return x; }
template <class T> std::complex<T> conjugate(std::complex<T> x) { return std::conj(x); }

template <class T>
void product(int form_a, int form_b, int m, int n, int k, const void *alpha, const void *a, int lda,
             const void *b, int ldb, const void *beta, void *c, int ldc) {
  auto element = [](const void *matrix, int ld, int form, int i, int j) {
    const T *at = static_cast<const T *>(matrix);
    if (form == 0) return at[i + long(j) * ld];
    const T value = at[j + long(i) * ld];
    return form == 2 ? conjugate(value) : value;
  };
  const T scale = *static_cast<const T *>(alpha), kept = *static_cast<const T *>(beta);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      T sum{};
      for (int l = 0; l < k; l++) sum += element(a, lda, form_a, i, l) * element(b, ldb, form_b, l, j);
      T &to = static_cast<T *>(c)[i + long(j) * ldc];
      to = kept == T{} ? scale * sum : scale * sum + kept * to;
    }
}

int handles = 0;

} // namespace

EXPORT int cublasCreate_v2(void **handle) {
  *handle = &handles;
  handles++;
  return 0;
}
EXPORT int cublasDestroy_v2(void *handle) { return handle == &handles && handles-- > 0 ? 0 : 1; }
EXPORT int cublasSetStream_v2(void *handle, void *) { return handle == &handles ? 0 : 1; }
EXPORT const char *cublasGetStatusName(int status) {
  return status == 13 ? "CUBLAS_STATUS_EXECUTION_FAILED" : "another status";
}
EXPORT int cublasGemmEx(void *handle, int form_a, int form_b, int m, int n, int k, const void *alpha,
                        const void *a, int type_a, int lda, const void *b, int type_b, int ldb,
                        const void *beta, void *c, int type_c, int ldc, int compute, int algorithm) {
  if (const char *status = std::getenv("FAKE_CUBLAS_STATUS")) return std::atoi(status);
  const bool is_double = type_a == R64F || type_a == C64F;
  if (handle != &handles || type_a != type_b || type_a != type_c || algorithm != -1 ||
      compute != (is_double ? Compute64F : Compute32F) || lda < (form_a ? k : m) || ldb < (form_b ? n : k) ||
      ldc < m)
    return 7; // CUBLAS_STATUS_INVALID_VALUE
  std::fprintf(stderr, "gemm %d %d %d %d %d %d\n", type_a, form_a, form_b, m, n, k);
  switch (type_a) {
  case R32F: product<float>(form_a, form_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); return 0;
  case R64F: product<double>(form_a, form_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); return 0;
  case C32F:
    product<std::complex<float>>(form_a, form_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    return 0;
  case C64F:
    product<std::complex<double>>(form_a, form_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    return 0;
  default: return 15; // CUBLAS_STATUS_NOT_SUPPORTED
  }
}
