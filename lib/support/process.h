// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects in about a nanosecond that the code runs in a child of fork(). A child has none of its parent's
// other threads, but locks that these held stay locked. The child must therefore not use the parent's open
// objects. Kiln needs no fork handler: the kernel clears a marked page in each child (MADV_WIPEONFORK).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace kiln {

namespace detail {
struct ProcessPage {
  std::atomic<uint64_t> token; ///< 0: no token yet
};
extern std::atomic<ProcessPage *> process_page; ///< null: no token yet
uint64_t new_process_token();
} // namespace detail

/// Returns a number that identifies this process. It is not 0, and differs from the numbers of all processes
/// from which this one was forked. Lock-free.
inline uint64_t process_token() {
  if (const detail::ProcessPage *page = detail::process_page.load(std::memory_order_acquire)) [[likely]]
    if (const uint64_t token = page->token.load(std::memory_order_relaxed)) [[likely]]
      return token;
  return detail::new_process_token();
}

/// Like std::make_shared, but a forked child never destroys the object: there, the destructor would wait for
/// threads that do not exist, or for their locks.
template <class T, class... Arguments> std::shared_ptr<T> make_of_process(Arguments &&...arguments) {
  return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...),
                            [process = process_token()](T *object) {
                              if (process == process_token()) delete object;
                            });
}

} // namespace kiln
