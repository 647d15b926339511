// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules on memory accesses: strides and bank conflicts.
//
// A warp's access of device memory is cheap if threads that are neighbours in threadIdx().x access
// neighbouring elements, since whole sectors of 32 bytes are then used. Shared memory has 32 banks of 4
// bytes. An access of shared memory takes one step for each different word that the warp needs from the most
// wanted bank.
//
// Only provable cases are reported: the address must be a polynomial of threadIdx().x and of values that are
// uniform in a warp.
#include "divergence.h"
#include "linear_form.h"
#include "rules.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace kiln {
namespace {

constexpr unsigned global_space = 1, shared_space = 3;
constexpr int64_t warp = 32, sector = 32, banks = 32, bank_bytes = 4;
/// Maximum stride in bytes at which other accesses nearby may use the rest of each sector.
constexpr int64_t small_struct = 64;
/// If the block shape is unknown, a bank conflict is reported from this number of ways on, in all shapes.
constexpr int64_t min_unsure_ways = 4;
constexpr size_t max_instructions = 50'000;

struct Access {
  const llvm::Instruction *instruction;
  Polynomial address, slope; ///< slope in threadIdx().x
  int64_t bytes;
  unsigned space;
};

/// Returns the bank conflict's number of ways: the maximum number of words that threads of a warp access in
/// one bank at a time. Strides are in bytes, and `width` is the block's number of threads in x. Accesses of 8
/// and 16 bytes are served for half and quarter warps.
int64_t bank_ways(int64_t stride, int64_t stride_y, int64_t bytes, int64_t width) {
  const int64_t words = std::max<int64_t>(1, bytes / bank_bytes);
  std::map<int64_t, std::set<int64_t>> wanted; // words by bank
  for (int64_t lane = 0; lane < warp / words; lane++) {
    const int64_t begin = lane % width * stride + lane / width * stride_y;
    for (int64_t word = 0; word < words; word++) {
      const int64_t at = begin / bank_bytes + word;
      wanted[((at % banks) + banks) % banks].insert(at);
    }
  }
  size_t max_words = 1;
  for (const auto &[bank, of_bank] : wanted) max_words = std::max(max_words, of_bank.size());
  return int64_t(max_words);
}

/// Returns the number of indices in the first brackets of the source expression at `at`, such as 2 for
/// tile[i, j]. 0: there are no brackets, or they continue on the next line.
size_t index_count(const Location &at) {
  if (!at) return 0;
  const std::string_view line = at.file->line(at.line());
  const size_t begin = line.find('[', size_t(at.begin) - size_t(line.data() - at.file->text().data()));
  size_t depth = 0, count = 1;
  for (size_t i = begin; begin != line.npos && i < line.size(); i++) {
    if (std::string_view("([{").find(line[i]) != std::string_view::npos) depth++;
    if (std::string_view(")]}").find(line[i]) != std::string_view::npos && --depth == 0)
      return line[i] == ']' ? count : 0;
    if (line[i] == ',' && depth == 1) count++;
  }
  return 0;
}

class StrideRule {
public:
  StrideRule(const KernelIr &ir, const llvm::Function &function, const GpuFacts &gpu, Findings &findings)
      : ir_(ir), function_(function), gpu_(gpu), findings_(findings),
        tree_(const_cast<llvm::Function &>(function)), loops_(tree_), divergence_(function, tree_, loops_),
        forms_(ir.module().getDataLayout(), loops_) {}

  void run() {
    for (const char *name : {"llvm.nvvm.read.ptx.sreg.tid.x", "llvm.nvvm.read.ptx.sreg.tid.y"})
      threads_.push_back(ir_.module().getFunction(name));
    if (!threads_[0]) return; // no declaration of this register: the kernel does not use thread indices
    for (const llvm::Instruction &instruction : llvm::instructions(function_))
      if (!is_cold(*instruction.getParent())) collect(instruction);
    report_strides();
    for (const Access &access : accesses_)
      if (access.space == shared_space) report_conflict(access);
  }

private:
  void collect(const llvm::Instruction &instruction) {
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || !statement_of(instruction)) return;
    pointer = pointer->stripPointerCasts();
    while (const auto *step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      if (step->getPointerAddressSpace() != 0) break;
      pointer = step->getPointerOperand()->stripPointerCasts();
    }
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    if (space != global_space && space != shared_space) return;
    const auto form = forms_.get(*llvm::getLoadStorePointerOperand(&instruction));
    if (!form || !is_known(*form, *instruction.getParent())) return;
    auto slope = slope_in(*form, threads_[0]);
    if (!slope) return;
    const llvm::TypeSize size = ir_.module().getDataLayout().getTypeStoreSize(
        llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&instruction)));
    accesses_.push_back({&instruction, *form, std::move(*slope), int64_t(size.getFixedValue()), space});
  }

  /// Returns true if the address `form` depends only on threadIdx().x and on values that are uniform in a
  /// warp.
  bool is_known(const Polynomial &form, const llvm::BasicBlock &user) const {
    for (const auto &[values, coefficient] : form)
      for (const llvm::Value *value : values)
        if (value != threads_[0] && !divergence_.is_uniform_at(*value, user)) return false;
    return true;
  }

  bool is_apart(const Access &access) const {
    if (access.space != global_space || access.slope.empty()) return false; // all threads access one element
    const auto stride = constant_of(access.slope);
    return !stride || (std::abs(*stride) > access.bytes && !uses_its_sectors(access, std::abs(*stride)));
  }

  /// Reports strided accesses. Accesses of one array with the same stride are reported once, at the first of
  /// them in the source.
  void report_strides() {
    std::map<std::pair<const llvm::Value *, Polynomial>, size_t> numbers; // looked up only
    std::vector<std::vector<const Access *>> groups;
    for (const Access &access : accesses_) {
      if (!is_apart(access)) continue;
      const size_t number =
          numbers.try_emplace({array_of(access), access.slope}, groups.size()).first->second;
      if (number == groups.size()) groups.emplace_back();
      groups[number].push_back(&access);
    }
    for (const std::vector<const Access *> &group : groups) {
      std::set<std::pair<unsigned, unsigned>> places;
      const Access *first = nullptr;
      for (const Access *access : group) {
        const llvm::DILocation *at = statement_of(*access->instruction);
        const std::pair place(at->getLine(), at->getColumn());
        if (places.empty() || place < *places.begin()) first = access;
        places.insert(place);
      }
      report_stride(*first, places.size() - 1);
    }
  }

  /// Returns the pointer that the access's address is based on. Null: there is none. The access's own
  /// instruction: there are several.
  static const llvm::Value *array_of(const Access &access) {
    const llvm::Value *array = nullptr;
    for (const auto &[values, coefficient] : access.address)
      for (const llvm::Value *value : values)
        if (value->getType()->isPointerTy() && !llvm::isa<llvm::Function>(value))
          array = array ? access.instruction : value;
    return array;
  }

  void report_stride(const Access &access, size_t others) {
    const auto stride = constant_of(access.slope);
    const int64_t best = std::max<int64_t>(1, warp * access.bytes / sector);
    const std::string more =
        others ? fmt::format(" (and so do {} more accesses of this array)", others) : std::string();
    if (!stride) {
      findings_.add(
          "stride", *access.instruction,
          fmt::format("threads side by side in threadIdx().x access elements that lie a distance known only "
                      "at run time apart: a warp moves up to {} sectors of 32 bytes where {} would do{}",
                      std::max(warp, best), best, more),
          "let threadIdx().x run along the first index, which is the one whose elements lie side by side, "
          "or bring a tile to shared memory in that order first");
      return;
    }
    const int64_t moved = std::min(std::max(warp, best), std::abs(*stride) * warp / sector);
    findings_.add(
        "stride", *access.instruction,
        fmt::format("threads side by side in threadIdx().x access {} bytes each, {} bytes apart: a warp "
                    "moves {} sectors of 32 bytes where {} would do{}",
                    access.bytes, std::abs(*stride), moved, best, more),
        "let threadIdx().x run along the first index with step 1, use an array for each field in place of "
        "an array of structs, or read all that lies between by one access (a tuple of VecElement)");
  }

  /// Returns true if nearby accesses use at least half of the `stride` bytes between neighbouring threads.
  /// Such accesses read other fields of a struct, for example.
  bool uses_its_sectors(const Access &access, int64_t stride) const {
    if (stride > small_struct) return false;
    std::vector<bool> used(size_t(stride), false);
    for (const Access &other : accesses_) {
      if (other.slope != access.slope || without_constant(other.address) != without_constant(access.address))
        continue;
      const auto found = other.address.find(Monomial());
      const int64_t begin = found == other.address.end() ? 0 : found->second;
      for (int64_t i = 0; i < other.bytes; i++)
        used[size_t((((begin + i) % stride) + stride) % stride)] = true;
    }
    return 2 * std::count(used.begin(), used.end(), true) >= stride;
  }

  /// Returns the size in bytes of the access in machine code. Contiguous accesses of a basic block are
  /// combined into one access of 8 or 16 bytes.
  int64_t joined_bytes(const Access &access) const {
    auto begin_of = [](const Access &some) {
      const auto found = some.address.find(Monomial());
      return found == some.address.end() ? int64_t(0) : found->second;
    };
    std::set<int64_t> beside; // start offsets in bytes of similar accesses in the same basic block
    for (const Access &other : accesses_)
      if (other.bytes == access.bytes && other.instruction->getParent() == access.instruction->getParent() &&
          other.instruction->getOpcode() == access.instruction->getOpcode() && other.slope == access.slope &&
          without_constant(other.address) == without_constant(access.address))
        beside.insert(begin_of(other));
    int64_t first = begin_of(access), end = first + access.bytes;
    while (beside.count(first - access.bytes)) first -= access.bytes;
    while (beside.count(end)) end += access.bytes;
    for (const int64_t wide : {16, 8})
      if (end - first >= wide && access.bytes < wide) return wide;
    return access.bytes;
  }

  void report_conflict(const Access &access) {
    const auto stride = constant_of(access.slope);
    if (!stride || *stride == 0) return;
    const auto in_y = threads_[1] ? slope_in(access.address, threads_[1]) : std::optional(Polynomial());
    const auto stride_y = in_y ? constant_of(*in_y) : std::nullopt;
    std::vector<int64_t> widths{warp};
    if (gpu_.threads[0])
      widths = {std::min<int64_t>(gpu_.threads[0], warp)};
    else if (stride_y.value_or(0) != 0)
      widths = {8, 16, warp}; // two-dimensional block of unknown shape
    if (widths.front() < warp && !stride_y) return;
    const int64_t bytes = joined_bytes(access);
    std::vector<int64_t> ways;
    for (int64_t width : widths) ways.push_back(bank_ways(*stride, stride_y.value_or(0), bytes, width));
    const auto [min_ways, max_ways] = std::minmax_element(ways.begin(), ways.end());
    if (*min_ways < (widths.size() > 1 ? min_unsure_ways : 2)) return;
    const std::string rows =
        gpu_.threads[0] && gpu_.threads[0] < warp
            ? fmt::format(", and rows of {} threads {} bytes", gpu_.threads[0], std::abs(*stride_y))
            : std::string();
    findings_.add(
        "bank-conflict", *access.instruction,
        fmt::format("threads side by side in threadIdx().x access shared memory {} bytes apart{}: {}{} of a "
                    "warp want the same bank and wait for one another",
                    std::abs(*stride), rows, gpu_.threads[0] ? "" : "up to ", *max_ways),
        conflict_hint(access, std::abs(*stride)));
  }

  /// Returns the advice against a bank conflict. It depends on the number of indices of the array, which is
  /// visible only in the source.
  std::string conflict_hint(const Access &access, int64_t stride) const {
    const size_t indices = index_count(findings_.place_of_statement(*access.instruction));
    const std::string padded = "make the array one element longer in its first dimension, as (33, 32) for "
                               "(32, 32), or let threadIdx().x run along the first index";
    if (indices > 1) return padded;
    const std::string spaced =
        stride % access.bytes
            ? std::string("use an array for each field in place of an array of structs")
            : fmt::format("let neighbouring threads access neighbouring elements, or elements an odd number "
                          "apart, {} in place of {}",
                          stride / access.bytes + 1, stride / access.bytes);
    return indices == 1 ? spaced : fmt::format("{}; of an array of two dimensions {}", spaced, padded);
  }

  const KernelIr &ir_;
  const llvm::Function &function_;
  const GpuFacts &gpu_;
  Findings &findings_;
  const llvm::DominatorTree tree_;
  const llvm::LoopInfo loops_;
  const Divergence divergence_;
  LinearForms forms_;
  /// LLVM functions that read threadIdx().x and threadIdx().y; null if the kernel does not read it.
  std::vector<const llvm::Function *> threads_;
  std::vector<Access> accesses_;
};

} // namespace

void find_strides(const KernelIr &ir, const GpuFacts &gpu, Findings &findings) {
  for (const llvm::Function *function : ir.functions())
    if (function->getInstructionCount() <= max_instructions) StrideRule(ir, *function, gpu, findings).run();
}

} // namespace kiln
