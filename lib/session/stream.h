// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is behind the handles of kiln/stream.h.
#pragma once

#include "session.h"

#include <kiln/stream.h>

namespace kiln {

struct Kernel::State {
  PreparedFunction prepared;
  std::vector<uint64_t> sizes; ///< of the parameters, in bytes
};

struct Event::State : HostEvent {};

struct Stream::State {
  explicit State(Session::State &of) : session(of), queue(of.executor) {}
  Session::State &session;
  HostStream queue;
};

} // namespace kiln
