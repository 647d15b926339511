// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that library files define when code first looks them up. Also remembers the names that were looked
// up, so that a file that loads later defines those at once. Protected by the World's lock.
#pragma once

#include <kiln/extension/language/internal/world.h>

namespace kiln {

class WaitingNames {
public:
  struct Definition {
    std::shared_ptr<NameDefiner> definer;
    uint32_t index = 0; ///< in the list of the definer's file
  };

  /// Adds a name. Returns false if the name was looked up before: the caller must define it.
  bool add(const std::shared_ptr<NameDefiner> &definer, const EmbeddedName &name, size_t index);
  /// Returns true if the name was looked up before, and all its definitions ran.
  bool is_defined(std::string_view name) const;
  /// Starts to define a name, and returns its definitions in the order in which they were added. Empty: no
  /// definition waits, or this thread runs them already.
  std::vector<Definition> start(std::string_view name);
  void finish(std::string_view name);
  /// The next name with definitions that wait, from the name with number `from` on. Moves `from` to it.
  /// Empty: there is none.
  std::string_view next(size_t &from) const;

private:
  enum class Step : uint8_t { Waits, Runs, Defined };
  static constexpr uint32_t none = UINT32_MAX;
  struct Name {
    std::string_view text;
    uint32_t hash = 0;
    uint32_t first = none, last = none; ///< its definitions
    Step step = Step::Waits;
  };
  struct Linked {
    uint32_t definer = 0, index = 0, next = none;
  };
  uint32_t find(std::string_view text, uint32_t hash) const;
  Name &find_or_add(std::string_view text, uint32_t hash);
  void grow();

  std::vector<Name> names_;
  std::vector<uint32_t> buckets_; ///< open addressing, a power of two: indices in names_
  std::vector<Linked> definitions_;
  std::vector<std::shared_ptr<NameDefiner>> definers_;
};

} // namespace kiln
