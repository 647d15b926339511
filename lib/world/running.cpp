// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "running.h"

#include <mutex>
#include <unordered_map>

namespace kiln {
namespace {

struct Running { // of all Worlds: a method belongs to one
  std::mutex lock;
  std::unordered_map<const Method *, size_t> counts;
};

Running &running() {
  static Running all;
  return all;
}

} // namespace

RunningMethod::RunningMethod(const Method &method) : method_(method) {
  std::lock_guard hold(running().lock);
  ++running().counts[&method];
}

RunningMethod::~RunningMethod() {
  std::lock_guard hold(running().lock);
  auto it = running().counts.find(&method_);
  if (--it->second == 0) running().counts.erase(it);
}

bool is_running(const Method &method) {
  std::lock_guard hold(running().lock);
  return running().counts.contains(&method);
}

} // namespace kiln
