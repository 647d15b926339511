// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the entry of a job: checks its signature, and passes parameters in their memory layout to its body.
#include "emitter.h"

#include <job/job.h>

namespace kiln {

/// True if a value of this shape contains a field, at any depth, whose value is a type.
static bool holds_type(const Shape &shape) {
  return std::ranges::any_of(
      shape.parts, [](const Shape *part) { return part->kind == Shape::Kind::Opaque || holds_type(*part); });
}

Result<void> Emitter::check_entry(const CodeInstance &code) {
  const MethodInstance &instance = *code.instance;
  Location at = sources_.locate(instance.method->at);
  for (TypeRef parameter : instance.static_params)
    if (auto *var = parameter->as<TypeVar>())
      return make_error(ErrorCode::KernelError,
                        "method captures typevar '" + var->name().str() +
                            "' (you probably use an unbound type variable)",
                        at);

  auto arguments = instance.arguments->as<DataType>()->params();
  std::vector<Diagnostic> wrong;
  for (size_t i = 0; i < arguments.size(); ++i) {
    TypeRef type = arguments[i];
    const Shape *shape = shapes_.get(type);
    const bool is_isbits = types_.is_isbits(type),
               has_type_field = is_isbits && !types_.type_parameter(type) && holds_type(*shape);
    const bool is_symbol = type == types_.builtins().Symbol; // passed by identity
    if ((is_isbits && !has_type_field) || is_symbol || shape->leaves.empty()) continue;
    Diagnostic d{.code = ErrorCode::KernelError, .message = "passing non-bitstype argument", .at = at};
    std::string which =
        i == 0 ? "The function itself" : "Argument " + std::to_string(i) + " to your kernel function";
    size_t name = i - 1;
    if (i > 0 && name < instance.method->argument_names.size() && instance.method->argument_names[name])
      which = "Argument " + std::to_string(i) + " (`" + instance.method->argument_names[name].str() +
              "`) to your kernel function";
    std::string text = which + " is of type " + spell(type) + ", which is not a bitstype:";
    if (has_type_field) text += "\n  a field of it holds a type.";
    for (const FieldPath &path :
         has_type_field ? std::vector<FieldPath>() : non_isbits_fields(types_, type)) {
      text += "\n  ";
      for (const std::string &field : path.names) text += "." + field;
      text += (path.names.empty() ? "it is of type " : " is of type ") +
              (path.type ? spell(path.type) : spell(type)) + " which is not isbits.";
    }
    d.notes.push_back({std::move(text), {}});
    d.hint =
        has_type_field
            ? "A field that holds a type has no place in memory: make the type a parameter of the struct, or pass it as an argument of its own."
            : "Only bitstypes, which are \"plain data\" types that are immutable and contain no "
              "references to other values, can be used in GPU kernels: pass a CuArray for an array, and "
              "numbers for other objects.";
    wrong.push_back(std::move(d));
  }
  if (!wrong.empty()) return Error(std::move(wrong));

  const Lattice &result = code.result;
  // The fault that spoilt the result is reported where it occurred.
  if (result.poison || result.is_bottom()) return {};
  if (job_.config.kernel && result.type != types_.builtins().Nothing)
    return make_error(ErrorCode::KernelResult, "kernel returns a value of type `" + spell(result.type) + "`",
                      at, "Make sure your kernel function ends in `return`, `return nothing` or `nothing`.");
  if (!job_.config.kernel && !types_.is_isbits(result.type) && !shapes_.get(result.type)->leaves.empty())
    return make_error(ErrorCode::KernelError,
                      "function returns a value of type `" + spell(result.type) +
                          "`, which is not a bitstype",
                      at, "Only values of bitstypes can be returned to the host.");
  return {};
}

void Emitter::start_function(llvm::Function *function, const CodeInstance &code, Frame &frame) {
  function_ = function;
  statements_ = 0;
  own_statements_ = code.ssa->stmts.size();
  function_code_ = &code;
  frame.scope = debug_.subprogram(code, function->getName());
  function->setSubprogram(frame.scope);
  b_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function));
  set_location(frame, code.code->at);
}

llvm::Function *Emitter::emit_entry(const CodeInstance &code, EmittedModule &into) {
  auto arguments = code.instance->arguments->as<DataType>()->params();
  llvm::SmallVector<llvm::Type *, 8> parameters;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Shape *shape = shapes_.get(arguments[i]);
    if (shape->leaves.empty() || types_.type_parameter(arguments[i])) continue; // nothing to pass
    parameters.push_back(shapes_.memory_type(shape));
    uint64_t size = shape->layout ? shape->layout->size : 8;
    uint32_t align = shape->layout ? shape->layout->align : 8;
    into.parameters.push_back({uint32_t(i), size, align});
  }
  bool returns = !job_.config.kernel && code.result.type;
  return_shape_ = shapes_.get(returns ? code.result.type : types_.bottom());
  entry_returns_ = true;
  into.return_size = return_shape_->layout ? return_shape_->layout->size : 0;
  llvm::Type *result = return_shape_->leaves.empty() ? b_.getVoidTy() : shapes_.memory_type(return_shape_);

  into.entry = entry_name(types_, job_);
  auto *function = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                          llvm::GlobalValue::ExternalLinkage, into.entry, *module_);
  function->setDoesNotThrow();
  function->addFnAttr("kiln.entry");
  if (job_.config.kernel) function->addFnAttr("kiln.kernel");
  if (capabilities_.convergent_calls) function->setConvergent();

  Frame frame{.code = code};
  start_function(function, code, frame);
  llvm::SmallVector<EmittedValue, 8> values;
  auto parameter = function->arg_begin();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Shape *shape = shapes_.get(arguments[i]);
    if (TypeRef type = types_.type_parameter(arguments[i])) { // Type{T}: the type itself
      kept_.push_back(Value::type_value(types_, type));
      values.push_back(constant(frame, kept_.back(), arguments[i]));
      continue;
    }
    llvm::SmallVector<llvm::Value *, 8> leaves;
    if (!shape->leaves.empty()) {
      if (i < code.code->slot_names.size() && i < code.code->nargs && code.code->slot_names[i])
        parameter->setName(llvm::StringRef(code.code->slot_names[i].text()));
      unpack(&*parameter++, shape, leaves);
    }
    values.push_back(make(shape, leaves));
  }
  frame.args = bind(frame, code, values, false);
  emit_frame(frame);
  return function;
}

llvm::Value *Emitter::pack(EmittedValue value) {
  llvm::Type *type = shapes_.memory_type(value.shape);
  if (value.is(Kind::Scalar))
    return value.shape->is_bool ? b_.CreateZExt(value.scalar(), type) : value.scalar();
  if (value.is(Kind::Opaque) || value.is(Kind::Mutable)) return value.scalar();
  llvm::Value *all = llvm::PoisonValue::get(type);
  if (value.is(Kind::Union)) {
    for (unsigned i = 0; i < value.leaves.size(); ++i) all = b_.CreateInsertValue(all, value.leaves[i], i);
    return all;
  }
  for (size_t i = 0; i < value.shape->parts.size(); ++i)
    if (int at = value.shape->memory_index[i]; at >= 0 && !value.shape->parts[i]->leaves.empty())
      all = b_.CreateInsertValue(all, pack(value.part(i)), unsigned(at));
  return all;
}

void Emitter::unpack(llvm::Value *memory, const Shape *shape, llvm::SmallVectorImpl<llvm::Value *> &leaves) {
  switch (shape->kind) {
  case Kind::Never:
  case Kind::Ghost: return;
  case Kind::Scalar:
    leaves.push_back(shape->is_bool ? b_.CreateTrunc(memory, shape->leaves[0]) : memory);
    return;
  case Kind::Opaque:
  case Kind::Mutable: leaves.push_back(memory); return;
  case Kind::Union:
    for (unsigned i = 0; i < shape->leaves.size(); ++i) leaves.push_back(b_.CreateExtractValue(memory, i));
    return;
  case Kind::Aggregate:
    shapes_.memory_type(shape);
    for (size_t i = 0; i < shape->parts.size(); ++i)
      if (int at = shape->memory_index[i]; at >= 0 && !shape->parts[i]->leaves.empty())
        unpack(b_.CreateExtractValue(memory, unsigned(at)), shape->parts[i], leaves);
    return;
  }
}

} // namespace kiln
