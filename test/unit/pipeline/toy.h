// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam for languages, proven by a second language: a toy whose programs are lines "name: p v" that store
// v at p. It makes lowered code with CodeBuilder and reaches PTX without frontend/julia and without
// runtime/library/base.
#pragma once

#include "store_language.h"
#include <frontend/frontend.h>

#include <pipeline/pipeline.h>
#include <targets/targets.h>

namespace kiln::test {

struct Toy {
  SourceMap sources;
  TypeContext types;
  CompilerWorld world{types, sources};
  CodeInstanceTable code{world};
  ObjectCache objects;
  WorkerPoolPtr workers = make_worker_pool();
  Assemblers assemblers;
  TargetList targets; ///< of nested configs
  Compiler compiler{.world = world,
                    .code = code,
                    .objects = objects,
                    .workers = *workers,
                    .assemblers = assemblers,
                    .targets = targets,
                    .timer = nullptr,
                    .observer = nullptr,
                    .toolchain = toolchain_id("test")};

  Result<CompilerJob> job(std::string_view function, TypeRef element, int64_t space) {
    KILN_TRY(auto f, world.lookup(*world.main(), types.symbol(function), world.age()));
    if (!f) return make_error(ErrorCode::UndefVarError, "no such function");
    TypeRef params[] = {element, types.constant(space)};
    TypeRef arguments = types.tuple({f->type(), types.data(*types.builtins().LLVMPtrName, params), element});
    KILN_TRY(MethodMatch match, world.lookup_method(arguments, world.age(), Symbol()));
    if (!match.method) return make_error(ErrorCode::MethodError, "no method");
    CompilerJob job{.source = world.instance(*match.method, arguments, match.static_params),
                    .config = {},
                    .world = world.age()};
    job.config.target = PtxOptions();
    return job;
  }
};

} // namespace kiln::test
