// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam for languages, proven by a second language: a toy whose programs are lines "name: p v" that store
// v at p. It makes lowered code with CodeBuilder and reaches PTX without frontend/julia and without
// runtime/base.
#pragma once

#include <frontend/frontend.h>
#include <pipeline/pipeline.h>
#include <targets/targets.h>

#include <sstream>

namespace kiln::test {

class StoreFrontend final : public Frontend {
public:
  std::string_view name() const override { return "store"; }

  Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) override {
    LoadReport report;
    std::istringstream lines{std::string(file->text())};
    std::string line;
    for (uint32_t begin = 0; std::getline(lines, line); begin += uint32_t(line.size()) + 1) {
      size_t colon = line.find(':');
      Span at{file->id(), begin, begin + uint32_t(line.size())};
      if (colon == std::string::npos)
        return input_error("syntax error", "a line is `name: pointer value`", world.sources().locate(at));
      KILN_TRY(Value function, world.function(into, world.types().symbol(line.substr(0, colon)), at));
      KILN_CHECK(define(world, function, world.types().symbol(line.substr(0, colon)), at));
      report.methods++;
    }
    return report;
  }
  Result<Value> evaluate(World &, Module &, std::string_view, std::string_view) override {
    return input_error("error", "this language has no expressions");
  }
  Result<LoadReport> load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) override {
    return input_error("error", "this language has no overlays");
  }

private:
  // f(p::LLVMPtr{T,A}, v::T) where {T, A} = pointer_store(p, v, 0, Val(0)), then nothing.
  Result<void> define(World &world, const Value &function, Symbol name, Span at) {
    TypeContext &types = world.types();
    const auto &b = types.builtins();
    const TypeVar *element = types.new_var(types.symbol("T"), types.bottom(), b.Any);
    const TypeVar *space = types.new_var(types.symbol("A"), types.bottom(), b.Any);
    TypeRef params[] = {element, space};
    TypeRef signature = types.tuple({function.type(), types.data(*b.LLVMPtrName, params), element});
    signature = types.union_all(element, types.union_all(space, signature));

    auto method = std::make_unique<Method>();
    method->name = name;
    method->module = world.main();
    method->signature = signature;
    method->at = at;
    method->lower = [&world, name, at, element, space]() -> Result<CodeInfo> {
      TypeContext &types = world.types();
      CodeBuilder code(types, name, at);
      code.code().static_params = {element, space};
      code.add_argument(types.symbol("#self#"));
      uint32_t pointer = code.add_argument(types.symbol("p"));
      uint32_t value = code.add_argument(types.symbol("v"));
      TypeName *val = types.new_type_name(types.symbol("Val"), "Toy");
      val->params.push_back(types.new_var(types.symbol("N"), types.bottom(), types.builtins().Any));
      val->fields_defined = true;
      types.finish_type_name(*val);
      TypeRef zero[] = {types.constant(int64_t(0))};
      code.call(code.constant(world.intrinsic_value(Intrinsic::pointer_store)),
                {Operand::slot(pointer), Operand::slot(value), code.constant(types.int64(0)),
                 code.constant(Value::singleton(types.data(*val, zero)))});
      code.return_(code.constant(types.nothing()));
      return code.finish();
    };
    auto defined = world.define(std::move(method));
    if (!defined.ok()) return defined.take_error();
    return {};
  }
};

struct Toy {
  SourceMap sources;
  TypeContext types;
  World world{types, sources};
  CodeInstanceTable code{world};
  ObjectCache objects;
  WorkerPoolPtr workers = make_worker_pool();
  Assemblers assemblers;
  Compiler compiler{.world = world,
                    .code = code,
                    .objects = objects,
                    .workers = *workers,
                    .assemblers = assemblers,
                    .timer = nullptr,
                    .observer = nullptr,
                    .toolchain = toolchain_id("test")};

  Result<CompilerJob> job(std::string_view function, TypeRef element, int64_t space) {
    KILN_TRY(auto f, world.lookup(*world.main(), types.symbol(function), world.age()));
    if (!f) return input_error("UndefVarError", "no such function");
    TypeRef params[] = {element, types.constant(space)};
    TypeRef arguments = types.tuple({f->type(), types.data(*types.builtins().LLVMPtrName, params), element});
    KILN_TRY(MethodMatch match, world.lookup_method(arguments, world.age(), Symbol()));
    if (!match.method) return input_error("MethodError", "no method");
    CompilerJob job{.source = world.instance(*match.method, arguments, match.static_params),
                    .config = {},
                    .world = world.age()};
    job.config.target = PtxOptions();
    return job;
  }
};

} // namespace kiln::test
