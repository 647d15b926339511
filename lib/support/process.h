// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which process this is, told for a nanosecond: a child that fork() made is another one than its parent. Its
// threads are gone and the locks that they held are not, so what the parent opened must not be touched there.
// No handler of fork is installed: a page of memory that the kernel empties in every child (MADV_WIPEONFORK)
// tells.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace kiln {

namespace detail {
struct ProcessPage {
  std::atomic<uint64_t> token; ///< 0: a process that has not asked yet
};
extern std::atomic<ProcessPage *> process_page; ///< null: nobody has asked yet
uint64_t new_process_token();
} // namespace detail

/// A number of this process; other than 0, and other than those of the processes that it was forked from.
/// Lock-free.
inline uint64_t process_token() {
  if (const detail::ProcessPage *page = detail::process_page.load(std::memory_order_acquire)) [[likely]]
    if (const uint64_t token = page->token.load(std::memory_order_relaxed)) [[likely]]
      return token;
  return detail::new_process_token();
}

/// Like make_shared, but in a child of the process that made it the object is left as it is: to destroy it
/// would wait for threads that are not there, or for locks that they hold.
template <class T, class... Arguments> std::shared_ptr<T> make_of_process(Arguments &&...arguments) {
  return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...),
                            [process = process_token()](T *object) {
                              if (process == process_token()) delete object;
                            });
}

} // namespace kiln
