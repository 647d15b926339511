// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program against kiln/c.h that a string of bytes decides: what api_program.h is for C++. Handles that are
// null, freed, of another kind, or no handles at all; structures of every size; strings that are null. Used
// by the fuzzer (c_api.cpp) and by a short test of the suite (test/unit/c_api/random_test.cpp).
#pragma once

#include "api_program.h"

#include <kiln/c_compile.h>

namespace kiln::fuzz {

class CProgram {
public:
  /// `fault` is told of what may not be: an internal error, a failure without an error or a text, a result
  /// beside a failure.
  CProgram(Decisions decisions, std::function<void(const std::string &)> fault)
      : d_(decisions), fault_(std::move(fault)) {}
  ~CProgram(); ///< frees what lives
  CProgram(const CProgram &) = delete;
  CProgram &operator=(const CProgram &) = delete;
  void run(size_t max_steps = 64);
  size_t accepted = 0, refused = 0; ///< calls that succeeded, and that answered with an error

private:
  void step();
  void open();
  void use_session();
  void use_kernels();
  void use_streams();
  void use_devices();
  void walk();
  void reports();
  void free_one();
  // c_language_program.cpp
  void define();
  void define_method();
  void use_jobs();
  // c_more_program.cpp
  void use_more();
  void use_futures();
  void use_values();
  void read_types();
  void use_lists();
  void use_tools();
  kiln_compile_request request();
  /// Any handle of the kind, or what is none.
  template <class Handle> Handle *any() { return static_cast<Handle *>(any_handle()); }
  void *any_handle();
  template <class Handle> void keep(Handle *handle) {
    if (handle) handles_.push_back(handle);
  }
  /// What every call with an error answers; the error is walked and freed.
  void judge(const char *what, int status, kiln_error *error, const void *out = nullptr);
  size_t size_of(size_t right); ///< a struct_size
  kiln_argument argument();

  Decisions d_;
  std::function<void(const std::string &)> fault_;
  std::vector<void *> handles_; ///< of all kinds, freed ones too
  int64_t dims_[4] = {8, 2, 2, 2};
  int64_t strides_[4] = {1, 8, 16, 32};
};

/// Of kiln/c_language.h; nothing for what is none.
void free_language_handle(void *handle);
/// Of kiln/c_compile.h and kiln/c_cache.h; nothing for what is none.
void free_other_handle(void *handle);

} // namespace kiln::fuzz
