// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes debug information: line tables at every debug level, since validation reads them; variables and types
// at debug level 2.
#pragma once

#include <infer/infer.h>
#include <job/job.h>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace kiln {

struct EmittedValue;

/// Name of a code instance in stack frames: its function's name, or a constructor's type.
std::string frame_name(const CodeInstance &code);

class DebugInfo {
public:
  DebugInfo(llvm::Module &module, TypeContext &types, const SourceMap &sources, const CompilerJob &job,
            const Target &target);
  /// Makes the debug scope of a function. If `linkage_name` is empty, returns the scope that all inlined
  /// copies of the code share.
  llvm::DISubprogram *subprogram(const CodeInstance &code, llvm::StringRef linkage_name);
  /// Makes the debug location of `at`. `is_call`: a call that is inlined gets a distinct location, since two
  /// calls on one line are two inlined copies.
  llvm::DILocation *location(llvm::DISubprogram *scope, uint32_t scope_file, Span at,
                             llvm::DILocation *inlined_at, bool is_call);
  LineColumn position(Span at);
  const std::string &file_name(Span at);
  bool is_library(Span at);
  /// True if debug information includes variables and types.
  bool full() const { return full_; }
  /// True if variables are kept in memory while in scope, as debuggers of unoptimised code expect.
  bool wants_memory() const { return full_ && !optimized_; }
  /// Makes a variable of the source, declared at `at`. `argument`: position among the parameters, from 1; 0:
  /// a local variable. Null: debug information cannot describe its type.
  llvm::DILocalVariable *variable(llvm::DISubprogram *scope, Symbol name, unsigned argument, TypeRef type,
                                  Span at);
  /// Records at the end of `block` that the variable has `value`. The value must have leaves and a memory
  /// layout.
  void describe(llvm::DILocalVariable *variable, const EmittedValue &value, llvm::DILocation *location,
                llvm::BasicBlock *block);
  /// Records at the end of `block` that the variable is kept in `memory`.
  void declare(llvm::DILocalVariable *variable, llvm::Value *memory, llvm::DILocation *location,
               llvm::BasicBlock *block);
  void finish();

private:
  llvm::DIFile *file(uint32_t id);
  const SourceFile *source(uint32_t id);
  llvm::DIType *type(TypeRef type);
  llvm::DIType *make_type(TypeRef type);

  llvm::Module &module_;
  TypeContext &types_;
  const SourceMap &sources_;
  llvm::DIBuilder builder_;
  llvm::DICompileUnit *unit_ = nullptr;
  llvm::DISubroutineType *no_types_ = nullptr;
  bool full_ = false;
  bool optimized_ = false;
  struct File {
    std::shared_ptr<const SourceFile> source;
    llvm::DIFile *file = nullptr;
  };
  std::map<uint32_t, File> files_; ///< by id; a job uses few of a session's files
  Span last_at_;
  LineColumn last_position_;
  llvm::DenseMap<const CodeInstance *, llvm::DISubprogram *> scopes_; // looked up only
  llvm::DenseMap<TypeRef, llvm::DIType *> types_made_;                // looked up only
  std::string none_ = "none";
};

} // namespace kiln
