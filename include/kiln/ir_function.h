// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR functions: functions whose body is LLVM IR from the embedder (Session::define_ir). They are compiled,
// cached, timed and launched like functions of the language, and code of the language can call them.
// docs/guide/embed-a-target.md explains them in full.
//
// How the IR takes its arguments: one parameter for each number and pointer, in order. A struct or tuple is
// passed field by field; arguments without bytes are left out. An array, CuDeviceArray{T,N,1}, is (ptr, i64
// bytes, N x i64 dimensions, i64 length). Bool is i1, the integers are iN, Float32 and Float64 are float and
// double. A pointer is `ptr addrspace(1)` on GPUs and `ptr` on the CPU; the IR may say `ptr` everywhere. A
// result of one number is returned as that LLVM value, several numbers as a literal struct, Nothing as void.
//
// Functions that the IR may call besides LLVM's intrinsics and those of linked files:
//   i32 @kiln.thread_idx.x()    index from 0; also .y, .z, and block_idx, block_dim, grid_dim likewise
//   void @kiln.barrier()        barrier of all threads of the block, like sync_threads()
//   @"kiln.call:f(Float32)"     the language's function f for these argument types, with arguments as above
// Shared memory of a block is a global variable in addrspace(3). Dynamic shared memory is
// `@kiln_dynamic_shared = external addrspace(3) global [0 x i8]`. Atomics are LLVM's instructions.
#pragma once

#include <kiln/version.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

struct IrFunction {
  std::string name;                   ///< in module Main: "scale"
  std::vector<std::string> arguments; ///< types of the arguments: "CuDeviceVector{Float32,1}", "Float32"
  std::string returns = "Nothing";    ///< a kernel returns nothing
  std::string ir; ///< a module as LLVM text or bitcode; a target triple in it restricts it to that target
  std::string symbol = {}; ///< name of the function in the IR module; empty: `name`
  std::string file = {};   ///< file name in messages; empty: `name` with ".ll" or ".bc"
  uint32_t line = 1;       ///< line of `file` at which the text begins
};

} // namespace kiln::inline KILN_API_VERSION
