// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "debug.h"

#include <llvm_support/llvm_support.h>

#include "emitter.h"

#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>

namespace kiln {

DebugInfo::DebugInfo(llvm::Module &module, TypeContext &types, const SourceMap &sources,
                     const CompilerJob &job, const Target &target)
    : module_(module), types_(types), sources_(sources), builder_(module, /*AllowUnresolved=*/false) {
  const bool directives = target.capabilities(job.config.target).one_line_an_instruction;
  full_ = job.config.debug_level >= 2;
  optimized_ = job.config.optimize && job.config.opt_level > 0;
  module.addModuleFlag(llvm::Module::Max, "Dwarf Version", target.dwarf_version());
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  uint32_t where = job.source && job.source->method ? job.source->method->at.file : 0;
  auto kind = full_        ? llvm::DICompileUnit::FullDebug
              : directives ? llvm::DICompileUnit::DebugDirectivesOnly
                           : llvm::DICompileUnit::LineTablesOnly;
  unit_ = builder_.createCompileUnit(llvm::dwarf::DW_LANG_Julia, file(where), "kiln", optimized_, "", 0, "",
                                     kind, 0, true, false, llvm::DICompileUnit::DebugNameTableKind::None);
  no_types_ = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
}

const SourceFile *DebugInfo::source(uint32_t id) {
  File &entry = files_[id];
  if (id && !entry.source) entry.source = sources_.file(id);
  return entry.source.get();
}

llvm::DIFile *DebugInfo::file(uint32_t id) {
  const SourceFile *known = source(id);
  File &entry = files_[id];
  if (!entry.file) {
    const bool has_name = known && !known->name().empty(); // LLVM's verifier rejects empty names
    entry.file = builder_.createFile(has_name ? known->name() : none_,
                                     known && known->is_library() ? LibraryFolder : "");
  }
  return entry.file;
}

LineColumn DebugInfo::position(Span at) {
  if (last_at_.file == at.file && last_at_.begin == at.begin && at) return last_position_;
  const SourceFile *known = source(at.file);
  if (!known) return {};
  last_at_ = at;
  return last_position_ = known->position(at.begin);
}

const std::string &DebugInfo::file_name(Span at) {
  const SourceFile *known = source(at.file);
  return known ? known->name() : none_;
}

bool DebugInfo::is_library(Span at) {
  const SourceFile *known = source(at.file);
  return known && known->is_library();
}

std::string frame_name(const CodeInstance &code) {
  // Name a constructor by the type T that it makes, not by its own type, Type{T}.
  if (code.instance && code.instance->arguments)
    if (const DataType *callee = code.instance->arguments->as<DataType>()->params()[0]->as<DataType>();
        callee && callee->name().is_type && callee->params().size() == 1 &&
        !callee->params()[0]->has_free_vars())
      return to_short_string(callee->params()[0]);
  return std::string(code.code->name.text());
}

llvm::DISubprogram *DebugInfo::subprogram(const CodeInstance &code, llvm::StringRef linkage_name) {
  // A code instance has one scope as a function, and another that all its inlined copies share.
  llvm::DISubprogram *own = nullptr, *&scope = linkage_name.empty() ? scopes_[&code] : own;
  if (scope) return scope;
  Span at = code.code->at                            ? code.code->at
            : code.instance && code.instance->method ? code.instance->method->at
                                                     : Span();
  llvm::DIFile *in = file(at.file);
  unsigned line = position(at).line;
  auto flags = llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagLocalToUnit;
  if (optimized_) flags |= llvm::DISubprogram::SPFlagOptimized;
  std::string name = frame_name(code);
  return scope = llvm::DISubprogram::getDistinct(module_.getContext(), in, name, linkage_name, in, line,
                                                 no_types_, line, nullptr, 0, 0, llvm::DINode::FlagZero,
                                                 flags, unit_);
}

llvm::DILocation *DebugInfo::location(llvm::DISubprogram *scope, uint32_t scope_file, Span at,
                                      llvm::DILocation *inlined_at, bool is_call) {
  llvm::LLVMContext &context = module_.getContext();
  LineColumn p = position(at);
  llvm::DILocalScope *in = scope;
  if (at && at.file != scope_file) // code made by a macro
    in = llvm::DILexicalBlockFile::get(context, scope, file(at.file), 0);
  if (is_call) return llvm::DILocation::getDistinct(context, p.line, p.column, in, inlined_at);
  return llvm::DILocation::get(context, p.line, p.column, in, inlined_at);
}

llvm::DIType *DebugInfo::type(TypeRef type) {
  llvm::DIType *&known = types_made_[type];
  if (known) return known;
  llvm::DIType *made = make_type(type);
  return types_made_[type] = made;
}

llvm::DIType *DebugInfo::make_type(TypeRef type) {
  const Layout *layout = layout_of(types_, type);
  auto *data = type->as<DataType>();
  if (!layout || !data) return nullptr;
  const auto &b = types_.builtins();
  std::string name = to_string(type);
  uint64_t bits = layout->size * 8;
  if (&data->name() == b.PtrName || &data->name() == b.LLVMPtrName)
    return builder_.createPointerType(nullptr, bits, 0, {}, name);
  if (data->is_primitive()) {
    unsigned encoding = type == b.Bool           ? llvm::dwarf::DW_ATE_boolean
                        : type == b.Char         ? llvm::dwarf::DW_ATE_unsigned_char
                        : types_.is_float(type)  ? llvm::dwarf::DW_ATE_float
                        : types_.is_signed(type) ? llvm::dwarf::DW_ATE_signed
                                                 : llvm::dwarf::DW_ATE_unsigned;
    return builder_.createBasicType(name, bits, encoding);
  }
  llvm::SmallVector<llvm::Metadata *, 8> members;
  auto fields = types_.field_types(data);
  auto names = types_.field_names(data);
  for (size_t i = 0; i < fields.size(); ++i) {
    llvm::DIType *field = this->type(fields[i]);
    const Layout *inner = layout_of(types_, fields[i]);
    if (!field || !inner || !inner->size) continue;
    std::string field_name = i < names.size() ? names[i].str() : std::to_string(i + 1);
    members.push_back(builder_.createMemberType(unit_, field_name, file(0), 0, inner->size * 8,
                                                inner->align * 8, layout->offsets[i] * 8,
                                                llvm::DINode::FlagZero, field));
  }
  return builder_.createStructType(unit_, name, file(0), 0, bits, layout->align * 8, llvm::DINode::FlagZero,
                                   nullptr, builder_.getOrCreateArray(members));
}

llvm::DILocalVariable *DebugInfo::variable(llvm::DISubprogram *scope, Symbol name, unsigned argument,
                                           TypeRef of, Span at) {
  llvm::DIType *described = type(of);
  if (!described) return nullptr;
  llvm::StringRef text(name.text());
  llvm::DIFile *in = scope->getFile();
  unsigned line = position(at).line;
  return argument ? builder_.createParameterVariable(scope, text, argument, in, line, described, true)
                  : builder_.createAutoVariable(scope, text, in, line, described, true);
}

void DebugInfo::describe(llvm::DILocalVariable *variable, const EmittedValue &value,
                         llvm::DILocation *location, llvm::BasicBlock *block) {
  // Each leaf becomes a DWARF fragment: a range of bits of the variable. A leaf that is the whole variable (a
  // struct with one field) needs no fragment.
  std::function<void(EmittedValue, uint64_t)> walk = [&](EmittedValue part, uint64_t offset) {
    if (part.is(Shape::Kind::Scalar)) {
      auto *expression = builder_.createExpression();
      if (part.shape->layout->size != value.shape->layout->size) {
        auto fragment = llvm::DIExpression::createFragmentExpression(expression, unsigned(offset * 8),
                                                                     unsigned(part.shape->layout->size * 8));
        if (!fragment) return;
        expression = *fragment;
      }
      builder_.insertDbgValueIntrinsic(part.scalar(), variable, expression, location, block);
      return;
    }
    for (size_t i = 0; i < part.shape->parts.size(); ++i)
      if (!part.shape->parts[i]->leaves.empty()) walk(part.part(i), offset + part.shape->layout->offsets[i]);
  };
  walk(value, 0);
}

void DebugInfo::declare(llvm::DILocalVariable *variable, llvm::Value *memory, llvm::DILocation *location,
                        llvm::BasicBlock *block) {
  builder_.insertDeclare(memory, variable, builder_.createExpression(), location, block);
}

void DebugInfo::finish() { builder_.finalize(); }

// ---- the emitter's side

llvm::DILocation *Emitter::location(Frame &frame, Span at, bool is_call) {
  if (!frame.scope) {
    frame.scope = debug_.subprogram(frame.code, {});
    frame.inlined_at = location(*frame.caller, frame.call_at, true);
  }
  const Span &definition = frame.code.code->at;
  return debug_.location(frame.scope, definition.file, at ? at : definition, frame.inlined_at, is_call);
}

void Emitter::describe_arguments(Frame &frame) {
  const CodeInfo &code = *frame.code.code;
  for (uint32_t i = 1; i < code.nargs; ++i)
    if (!frame.code.arguments[i].constant) describe(frame, i, frame.args[i], code.at);
}

void Emitter::describe_phis(Frame &frame, uint32_t block) {
  const SsaCode &ssa = *frame.code.ssa;
  for (uint32_t s = ssa.blocks[block].begin; s < ssa.blocks[block].end && ssa.stmts[s].op == Op::Phi; ++s)
    if (uint32_t slot = variables(frame).slot_of_phi[s];
        slot != 0 && !debug_.wants_memory()) // already in memory
      describe(frame, slot, frame.values[s], ssa.stmts[s].at);
}

const Variables &Emitter::variables(Frame &frame) {
  auto [it, fresh] = variables_.try_emplace(frame.code.ssa);
  if (fresh) it->second = variables_of(types_, *frame.code.ssa);
  return it->second;
}

void Emitter::describe_assignments(Frame &frame, uint32_t stmt) {
  const std::vector<Assignment> &all = variables(frame).assignments;
  auto at = std::lower_bound(all.begin(), all.end(), stmt,
                             [](const Assignment &a, uint32_t s) { return a.before < s; });
  for (; at != all.end() && at->before == stmt; ++at) {
    const Operand &from = at->value;
    const bool is_value = from.kind == Operand::Kind::Ssa || from.kind == Operand::Kind::Slot ||
                          from.kind == Operand::Kind::Const;
    const Value *constant = is_value ? known(frame, {from, -1}) : nullptr;
    if (!is_value || (constant && !types_.is_isbits(types_.type_of(*constant)))) continue;
    describe(frame, at->slot, operand(frame, from), at->at);
  }
}

/// Records that the variable in `slot` has this value after the current instruction.
void Emitter::describe(Frame &frame, uint32_t slot, const EmittedValue &value, Span at) {
  if (!value || value.leaves.empty() || !value.shape->layout || value.shape->has_mutable) return;
  if (!is_named(*frame.code.code, slot)) return;
  llvm::DILocation *here = location(frame, at);
  // A variable with values of two types becomes two debug variables, since a debugger needs one type each.
  // Each inlined copy of a function has its own. Only the variable of the passed type is the parameter, since
  // LLVM allows one variable per argument number.
  Frame::Variable &known = frame.variables[{slot, value.shape}];
  if (!known.variable) {
    const bool is_parameter =
        slot < frame.code.code->nargs && value.type() == frame.code.arguments[slot].type;
    Span declared = frame.code.code->at;
    if (!is_parameter) {
      auto first = variables(frame).declared_at.find(slot);
      declared = first == variables(frame).declared_at.end() ? at : first->second;
    }
    known.variable = debug_.variable(frame.scope, frame.code.code->slot_names[slot], is_parameter ? slot : 0,
                                     value.type(), declared);
    if (!known.variable) return;
    if (debug_.wants_memory()) {
      known.memory = stack_slot(shapes_.memory_type(value.shape), value.shape->layout->align);
      debug_.declare(known.variable, known.memory, here, b_.GetInsertBlock());
    }
  }
  if (!known.memory) return debug_.describe(known.variable, value, here, b_.GetInsertBlock());
  auto before = b_.getCurrentDebugLocation();
  b_.SetCurrentDebugLocation(here);
  store(value, known.memory, value.shape->layout->align);
  b_.SetCurrentDebugLocation(before);
}

void Emitter::set_location(Frame &frame, Span at) {
  frame.at = at;
  b_.SetCurrentDebugLocation(location(frame, at));
}

} // namespace kiln
