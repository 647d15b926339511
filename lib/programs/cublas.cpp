// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cublas.h"

#include <ptx/ptx.h>

namespace kiln {

// Functions of the loaded cuBLAS library. Declared as in cublas_api.h and library_types.h; equal in CUDA 12
// and 13.
struct Cublas::Library {
  explicit Library(DynamicLibrary opened) : file(std::move(opened)) {}
  DynamicLibrary file;
  int (*create)(void **handle) = nullptr;
  int (*destroy)(void *handle) = nullptr;
  int (*set_stream)(void *handle, void *stream) = nullptr;
  int (*gemm)(void *handle, int form_a, int form_b, int m, int n, int k, const void *alpha, const void *a,
              int type_a, int rows_a, const void *b, int type_b, int rows_b, const void *beta, void *c,
              int type_c, int rows_c, int compute, int algorithm) = nullptr;
  const char *(*status_name)(int status) = nullptr;

  Result<void> check(int status, std::string_view what) const {
    if (status == 0) return {};
    return machine_error(
        fmt::format("cuBLAS, {}: {} ({})", what, status_name ? status_name(status) : "status", status));
  }
};

namespace {

enum CudaDataType { R32F = 0, R64F = 1, R16F = 2, C32F = 4, C64F = 5, R16BF = 14 };
enum ComputeType { Compute32F = 68, Compute64F = 70 };
constexpr int default_algorithm = -1;

struct Numbers {
  CudaDataType data;
  ComputeType compute;
  bool is_complex;
};

Numbers numbers_of(MatrixProduct::Number number) {
  switch (number) {
  case MatrixProduct::Number::Float16: return {R16F, Compute32F, false};
  case MatrixProduct::Number::BFloat16: return {R16BF, Compute32F, false};
  case MatrixProduct::Number::Float32: return {R32F, Compute32F, false};
  case MatrixProduct::Number::Float64: return {R64F, Compute64F, false};
  case MatrixProduct::Number::ComplexF32: return {C32F, Compute32F, true};
  case MatrixProduct::Number::ComplexF64: break;
  }
  return {C64F, Compute64F, true};
}

/// A scaling factor (alpha or beta) as cuBLAS reads it: in the number type of the sums.
class Scale {
public:
  Scale(std::complex<double> value, const Numbers &numbers) {
    if (numbers.compute == Compute64F)
      double_ = value; // for real numbers, cuBLAS reads the first half
    else
      single_ = std::complex<float>(value);
    is_double_ = numbers.compute == Compute64F;
  }
  const void *data() const { return is_double_ ? static_cast<const void *>(&double_) : &single_; }

private:
  std::complex<double> double_;
  std::complex<float> single_;
  bool is_double_ = false;
};

Result<DynamicLibrary> open_library() {
  if (const std::string named = environment_text("KILN_CUBLAS"); named == "none")
    return machine_error("KILN_CUBLAS=none: cuBLAS is not used");
  else if (!named.empty())
    return DynamicLibrary::open({named});
  std::vector<std::string> candidates;
  if (const Found found = find_cublas(); !found.path.empty()) candidates.push_back(found.path);
  candidates.insert(candidates.end(), {"libcublas.so.13", "libcublas.so.12"});
  return DynamicLibrary::open(candidates);
}

} // namespace

Result<std::unique_ptr<Cublas>> Cublas::open() {
  KILN_TRY(DynamicLibrary file, open_library());
  auto library = std::make_shared<Library>(std::move(file));
  auto load = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library->file.symbol(name));
    return function != nullptr;
  };
  load(library->status_name, "cublasGetStatusName");
  if (!load(library->create, "cublasCreate_v2") || !load(library->destroy, "cublasDestroy_v2") ||
      !load(library->set_stream, "cublasSetStream_v2") || !load(library->gemm, "cublasGemmEx"))
    return machine_error(fmt::format("{} is no cuBLAS of CUDA 12 or newer", library->file.path()));
  std::unique_ptr<Cublas> made(new Cublas(library));
  KILN_CHECK(library->check(library->create(&made->handle_), "starting"));
  return made;
}

Cublas::~Cublas() {
  if (handle_) library_->destroy(handle_);
}

Result<void> Cublas::multiply(void *stream, const MatrixProduct &p) const {
  const Numbers numbers = numbers_of(p.number);
  const Scale alpha(p.alpha, numbers), beta(p.beta, numbers);
  auto pointer = [](uint64_t address) { return reinterpret_cast<void *>(uintptr_t(address)); };
  KILN_CHECK(library_->check(library_->set_stream(handle_, stream), "taking a stream"));
  return library_->check(library_->gemm(handle_, int(p.a.form), int(p.b.form), p.m, p.n, p.k, alpha.data(),
                                        pointer(p.a.address), numbers.data, p.a.rows(p.m, p.k),
                                        pointer(p.b.address), numbers.data, p.b.rows(p.k, p.n), beta.data(),
                                        pointer(p.c), numbers.data, std::max(p.m, 1), numbers.compute,
                                        default_algorithm),
                         "a product of matrices");
}

} // namespace kiln
