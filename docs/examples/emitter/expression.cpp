// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expression.h"

#include <cctype>
#include <cstdio>
#include <cstring>
#include <set>
#include <stdexcept>

namespace {

/// Recursive-descent parser. Each function returns the name of the value that its instructions compute.
class Emitter {
public:
  explicit Emitter(const std::string &text) : text_(text) {}

  std::string run() {
    const std::string result = sum();
    if (skip() != '\0') fail();
    std::string out;
    for (const std::string &name : called_) out += "declare float @" + quoted(name) + "(float)\n";
    return out + "define internal float @value(float %x) {\n" + code_ + "  ret float " + result + "\n}\n";
  }

private:
  static std::string quoted(const std::string &name) { return "\"kiln.call:" + name + "(Float32)\""; }
  [[noreturn]] void fail() const {
    throw std::runtime_error("no expression: " + text_.substr(0, at_) + " <here> " + text_.substr(at_));
  }
  char skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) { return skip() == c && ++at_; }
  std::string emit(const std::string &instruction) {
    std::string name = "%v" + std::to_string(count_++);
    code_ += "  " + name + " = " + instruction + "\n";
    return name;
  }

  std::string sum() {
    std::string value = product();
    for (;;)
      if (take('+'))
        value = emit("fadd float " + value + ", " + product());
      else if (take('-'))
        value = emit("fsub float " + value + ", " + product());
      else
        return value;
  }
  std::string product() {
    std::string value = factor();
    for (;;)
      if (take('*'))
        value = emit("fmul float " + value + ", " + factor());
      else if (take('/'))
        value = emit("fdiv float " + value + ", " + factor());
      else
        return value;
  }
  std::string factor() {
    if (take('-')) return emit("fneg float " + factor());
    if (take('(')) {
      std::string value = sum();
      if (!take(')')) fail();
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(skip()))) {
      size_t used = 0;
      const double number =
          float(std::stod(text_.substr(at_), &used)); // LLVM writes a float as the bits of a double
      at_ += used;
      unsigned long long bits;
      std::memcpy(&bits, &number, sizeof bits);
      char digits[20];
      std::snprintf(digits, sizeof digits, "0x%016llX", bits);
      return digits;
    }
    std::string name;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) name += text_[at_++];
    if (name == "x") return "%x";
    if (name.empty() || !take('(')) fail();
    std::string argument = sum();
    if (!take(')')) fail();
    called_.insert(name);
    return emit("call float @" + quoted(name) + "(float " + argument + ")");
  }

  const std::string &text_;
  size_t at_ = 0;
  int count_ = 0;
  std::string code_;
  std::set<std::string> called_;
};

// Thread indices for both kernels: %t in the block, %i in the grid. An array takes four parameters.
constexpr const char *indices = R"(  %b = call i32 @kiln.block_idx.x()
  %w = call i32 @kiln.block_dim.x()
  %t = call i32 @kiln.thread_idx.x()
  %first = mul i32 %b, %w
  %i32 = add i32 %first, %t
  %i = zext i32 %i32 to i64
  %inside = icmp ult i64 %i, %n
)";
constexpr const char *declarations = R"(declare i32 @kiln.block_idx.x()
declare i32 @kiln.block_dim.x()
declare i32 @kiln.thread_idx.x()
)";

} // namespace

std::string value_function(const std::string &expression) { return Emitter(expression).run(); }

std::string map_kernel(const std::string &expression) {
  return declarations + value_function(expression) + R"(
define void @map(ptr %out, i64 %out.bytes, i64 %out.dim, i64 %out.n, ptr %in, i64 %in.bytes, i64 %in.dim, i64 %n) {
entry:
)" + indices +
         R"(  br i1 %inside, label %body, label %end
body:
  %from = getelementptr inbounds float, ptr %in, i64 %i
  %x = load float, ptr %from
  %y = call float @value(float %x)
  %to = getelementptr inbounds float, ptr %out, i64 %i
  store float %y, ptr %to
  br label %end
end:
  ret void
}
)";
}

std::string sum_kernel(const std::string &expression) {
  return declarations + value_function(expression) + R"(
declare void @kiln.barrier()
@tile = internal addrspace(3) global [256 x float] undef

define void @sum(ptr %total, i64 %total.bytes, i64 %total.dim, i64 %total.n, ptr %in, i64 %in.bytes, i64 %in.dim, i64 %n) {
entry:
)" + indices +
         R"(  br i1 %inside, label %body, label %put
body:
  %from = getelementptr inbounds float, ptr %in, i64 %i
  %x = load float, ptr %from
  %y = call float @value(float %x)
  br label %put
put:
  %mine = phi float [ 0.0, %entry ], [ %y, %body ]
  %slot = getelementptr inbounds [256 x float], ptr addrspace(3) @tile, i32 0, i32 %t
  store float %mine, ptr addrspace(3) %slot
  call void @kiln.barrier()
  br label %loop
loop:
  %half = phi i32 [ 128, %put ], [ %next, %after ]
  %adds = icmp ult i32 %t, %half
  br i1 %adds, label %add, label %after
add:
  %partner = add i32 %t, %half
  %other = getelementptr inbounds [256 x float], ptr addrspace(3) @tile, i32 0, i32 %partner
  %left = load float, ptr addrspace(3) %slot
  %right = load float, ptr addrspace(3) %other
  %both = fadd float %left, %right
  store float %both, ptr addrspace(3) %slot
  br label %after
after:
  call void @kiln.barrier()
  %next = lshr i32 %half, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %last
last:
  %is_first = icmp eq i32 %t, 0
  br i1 %is_first, label %write, label %end
write:
  %of_block = load float, ptr addrspace(3) @tile
  %old = atomicrmw fadd ptr %total, float %of_block monotonic
  br label %end
end:
  ret void
}
)";
}
