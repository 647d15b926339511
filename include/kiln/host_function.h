// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions: C functions of the embedder that compiled code for the CPU calls, plain functions and
// kernels alike. Session::define_host_function declares one, and Julia's ccall(:name, R, (A, B), a, b) calls
// one by name. Code for a GPU cannot call them: HostFunctionError[159]. docs/guide/embed-cpp.md has an
// example.
//
// Signature. Types are those of the language. C sees them as:
//   Bool: bool              Int8 ... UInt64: int8_t ... uint64_t      Float16: _Float16
//   Float32: float          Float64: double                           Nothing: void
//   Ptr{T}, LLVMPtr{T,A}: T *
// A struct or tuple of more than 16 bytes is an argument by value, and so is an array: CuDeviceArray{T,N,1}
// is kiln::abi::ArrayHeader<N>. Smaller structs, and structs as results, go through a pointer.
//
// Contract:
//   - It does not throw, and does not jump out of its frame.
//   - Any thread may call it, several at once: kernels run on the worker threads of the CPU device.
//   - It reports a failure by a status (HostSignature::raises).
//   - Within a kernel it must not call the session, nor wait for a launch or a compile: these are Usage
//     errors, and Event::wait returns at once. Within a plain function it may call the session.
//   - It must not wait for another thread of its own launch: nothing detects that.
//   - It never closes the session. One that does so within a kernel leaves it in memory.
//   - The address is valid as long as the session, and all code of it that is loaded.
//
// Keys of the cache hold the name and the signature, and no address. Loaded code reads the address at each
// call: a call costs about as much as one through a pointer of C.
#pragma once

#include <kiln/version.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// Types of a host function's arguments and result in C.
struct HostSignature {
  std::vector<std::string> arguments = {}; ///< their types: "Float64", "Ptr{Float32}"
  std::string returns = "Nothing";         ///< the type of the call's value
  /// Not empty: the C function returns an int32_t status, and writes its result through a last parameter
  /// `R *result`, of any type without references; there is none for Nothing. 0 is success. Status i raises
  /// the exception raises[i - 1] at the line of the call, and any other status the last one. An exception is
  /// a kind, or a kind with a text: "DomainError", "ErrorException: the table is full". Kinds: ArgumentError,
  /// AssertionError, BoundsError, DivideError, DomainError, ErrorException, InexactError, MethodError,
  /// OutOfMemoryError, OverflowError, TypeError, UndefVarError.
  std::vector<std::string> raises = {};
};

/// Addresses by name, for functions that no define_host_function declares in this process: entries of a cache
/// and of a bundle, and ccall.
using HostSymbols = std::map<std::string, void *>;
/// Looks up a name that HostSymbols lacks; null: there is none. Any thread may call it, several at once,
/// while code is loaded. It must not call the session (Usage).
using FindHostSymbol = std::function<void *(const std::string &name)>;

} // namespace kiln::inline KILN_API_VERSION
