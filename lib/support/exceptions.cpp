// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exceptions.h"

#include <exception>

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

} // namespace kiln
