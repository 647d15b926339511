// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function whose body is LLVM IR that the embedder made: Session::define_ir. It is compiled, cached, timed
// and launched like one of the language, which can call it too. docs/guide/embed-a-target.md has the whole
// story.
//
// How the IR takes its arguments: one parameter for each number and pointer, in order. A struct or tuple is
// passed field by field, what has no bytes is left out. An array, CuDeviceArray{T,N,1}, is (ptr, i64 bytes,
// N x i64 dimensions, i64 length). Bool is i1, the integers are iN, Float32 and Float64 are float and double.
// A pointer is `ptr addrspace(1)` on GPUs and `ptr` on the CPU; the IR may say `ptr` everywhere. One number
// returned is LLVM's value, several are a literal struct of them, Nothing is void.
//
// Functions that the IR may call, besides LLVM's intrinsics and functions of linked files:
//   i32 @kiln.thread_idx.x()    .y .z; so block_idx, block_dim, grid_dim: all count from 0
//   void @kiln.barrier()        all threads of the block, as sync_threads()
//   @"kiln.call:f(Float32)"     the function f of the language, for these argument types: arguments as above
// A global in addrspace(3) is memory that the threads of a block share. The dynamic shared memory of a launch
// is `@kiln_dynamic_shared = external addrspace(3) global [0 x i8]`. Atomics are LLVM's instructions.
#pragma once

#include <kiln/version.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

struct IrFunction {
  std::string name;                   ///< in module Main: "scale"
  std::vector<std::string> arguments; ///< their types: "CuDeviceVector{Float32,1}", "Float32"
  std::string returns = "Nothing";    ///< a kernel returns nothing
  std::string ir; ///< a module, as LLVM's text or bitcode; with a triple it is for that architecture alone
  std::string symbol = {}; ///< of the function in it; empty: `name`
  std::string file = {};   ///< the text's name in messages; empty: `name` with ".ll" or ".bc"
  uint32_t line = 1;       ///< first line of the text in `file`
};

} // namespace kiln::inline KILN_API_VERSION
