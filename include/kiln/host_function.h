// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions: C functions of the embedder that compiled code for the CPU can call, in kernels and plain
// functions. Session::define_host_function declares one, and Julia's ccall(:name, R, (A, B), a, b) calls one
// by name. Code for a GPU cannot call them: HostFunctionError[159]. docs/guide/embed-cpp.md has an example.
//
// Signature. Types are those of the language. How C sees them:
//   Bool bool   Int8 ... Int64, UInt8 ... UInt64 int8_t ... uint64_t
//   Float32 float   Float64 double   Float16 _Float16   Ptr{T}, LLVMPtr{T,A} T *   Nothing void
// Structs and tuples of more than 16 bytes are passed by value, arrays too: CuDeviceArray{T,N,1} is
// kiln::abi::ArrayHeader<N>. Pass smaller structs by pointer (Ptr{T}). A struct as a result needs
// HostSignature::raises, which returns it through a pointer.
//
// Contract of a host function:
//   - It must not throw or longjmp.
//   - Any thread may call it, several at once: kernels run on the worker threads of the CPU device.
//   - It reports a failure by a status (HostSignature::raises).
//   - Called by a kernel, it must not call the session, nor wait for a launch or a compile: these are Usage
//     errors, and Event::wait returns at once. Called by a plain function, it may call the session.
//   - It must not wait for another thread of its own launch. Kiln does not detect this error.
//   - It must not close the session. If it does so within a kernel, the session's memory is never freed.
//   - Its address must stay valid as long as the session and all loaded code of the session.
//
// Cache keys contain the function's name and signature, but not its address. Loaded code reads the address at
// each call, so a call costs as much as one through a C function pointer.
#pragma once

#include <kiln/version.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// Signature of a host function: the types of its arguments and result, and its exceptions.
struct HostSignature {
  std::vector<std::string> arguments = {}; ///< types of the arguments: "Float64", "Ptr{Float32}"
  std::string returns = "Nothing";         ///< type of the call's result
  /// Exceptions by status. If not empty, the C function returns an int32_t status and writes its result
  /// through an additional last parameter `R *result`. R is any type without references; for Nothing there is
  /// no such parameter. Status 0 is success. Status i raises the exception raises[i - 1] at the line of the
  /// call; a larger or negative status raises the last one. An exception is a kind, or a kind with a text:
  /// "DomainError", "ErrorException: the table is full". Kinds: ArgumentError, AssertionError, BoundsError,
  /// DivideError, DomainError, ErrorException, InexactError, MethodError, OutOfMemoryError, OverflowError,
  /// TypeError, UndefVarError.
  std::vector<std::string> raises = {};
};

/// Addresses of host functions by name. They serve functions that define_host_function does not define in
/// this process: those called by cached code, by bundles, and by ccall.
using HostSymbols = std::map<std::string, void *>;
/// Returns the address of a host function that HostSymbols lacks, or null. Kiln calls it while it loads code,
/// on any thread, several at once. Within it, calls of the session are Usage errors.
using FindHostSymbol = std::function<void *(const std::string &name)>;

} // namespace kiln::inline KILN_API_VERSION
