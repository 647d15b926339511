// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exceptions.h"

#include <exception>
#include <new>
#include <utility>

namespace kiln {

std::string text_of_current_exception() {
  try {
    throw;
  } catch (const std::exception &e) {
    return e.what();
  } catch (...) {
    return "an exception of an unknown type";
  }
}

Error error_of_current_exception(std::string_view what_failed, Location at) {
  bool is_out_of_memory = false;
  std::string says;
  try {
    throw;
  } catch (const std::bad_alloc &) {
    is_out_of_memory = true;
    says = "out of memory";
  } catch (...) {
    says = text_of_current_exception();
  }
  return make_error(is_out_of_memory ? ErrorCode::OutOfMemory : ErrorCode::CallbackException,
                    std::string(what_failed) + ": " + says, std::move(at));
}

} // namespace kiln
