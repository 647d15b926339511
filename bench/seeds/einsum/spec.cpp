// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spec.h"

#include <algorithm>
#include <cctype>

namespace seeds {

using kiln::Result;

static kiln::Error bad(std::string_view text, const std::string &why) {
  return kiln::named_error("einsum", "\"" + std::string(text) + "\": " + why, {},
                           "write letters for dimensions, as in \"bij,jk->bik\"");
}

Result<Spec> read_spec(std::string_view text) {
  std::string parts[3]; // two operands and the result
  Spec spec;
  bool result = false;
  uint32_t at = 0;
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (c == ' ') continue;
    if (c == ',' && !result) {
      if (++at == 2) return bad(text, "there are more than two operands");
    } else if (c == '-' && i + 1 < text.size() && text[i + 1] == '>' && !result) {
      result = true;
      i++;
    } else if (std::isalpha(static_cast<unsigned char>(c))) {
      parts[result ? 2 : at] += c;
    } else if (c == '.') {
      return bad(text, "an ellipsis is not supported");
    } else {
      return bad(text, std::string("`") + c + "` is no label");
    }
  }
  spec.operands = at + 1;
  const std::string all = parts[0] + parts[1];
  if (!result) {
    for (char c : all)
      if (std::count(all.begin(), all.end(), c) == 1) parts[2] += c;
    std::ranges::sort(parts[2]);
  }
  for (char c : parts[2]) {
    if (all.find(c) == std::string::npos)
      return bad(text, std::string("`") + c + "` of the result is in no operand");
    if (spec.names.find(c) != std::string::npos)
      return bad(text, std::string("`") + c + "` stands twice in the result");
    spec.names += c;
  }
  spec.kept = uint32_t(spec.names.size());
  for (char c : all)
    if (spec.names.find(c) == std::string::npos) spec.names += c;
  spec.labels = uint32_t(spec.names.size());
  if (spec.labels > Spec::max_labels ||
      std::max({parts[0].size(), parts[1].size(), parts[2].size()}) > Spec::max_rank)
    return bad(text, "an array has at most 8 dimensions, and a specification 16 labels");
  for (uint32_t o = 0; o < spec.operands; o++) {
    spec.rank[o] = uint32_t(parts[o].size());
    for (uint32_t d = 0; d < spec.rank[o]; d++) spec.label[o][d] = uint8_t(spec.names.find(parts[o][d]));
  }
  return spec;
}

/// Element number e of the result is `lanes` neighbouring threads', who share the innermost sum and add up by
/// shuffles; all 32 of a warp come there.
std::string kernel_text(const Spec &spec, const std::string &name, std::string_view element,
                        std::string_view sum) {
  const bool two = spec.operands == 2;
  std::string s = "using CUDA\nfunction " + name + "(o, a, " + (two ? "b, " : "") + "sizes, strides_a, " +
                  (two ? "strides_b, " : "") +
                  "count, ::Val{lanes}) where {lanes}\n"
                  "    thread = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x - 1i32\n"
                  "    lane, e = thread % Int32(lanes), thread ÷ Int32(lanes)\n"
                  "    rest = min(e, count - 1i32)\n    ia = 0i32\n";
  if (two) s += "    ib = 0i32\n";
  for (uint32_t l = spec.kept; l-- > 0;) {
    const std::string n = std::to_string(l + 1);
    s += l ? "    k = rest % sizes[" + n + "]\n    rest = rest ÷ sizes[" + n + "]\n"
           : std::string("    k = rest\n");
    s += "    ia += k * strides_a[" + n + "]\n";
    if (two) s += "    ib += k * strides_b[" + n + "]\n";
  }
  s += "    total = zero(" + std::string(sum) + ")\n";
  std::string offsets_a = "ia", offsets_b = "ib", indent = "    ";
  for (uint32_t l = spec.kept; l < spec.labels; l++) {
    const std::string n = std::to_string(l + 1), k = "k" + n;
    const bool last = l + 1 == spec.labels;
    s += indent + k + (last ? " = lane\n" : " = 0i32\n") + indent + "while " + k + " < sizes[" + n + "]\n";
    indent += "    ";
    offsets_a += " + " + k + " * strides_a[" + n + "]";
    offsets_b += " + " + k + " * strides_b[" + n + "]";
  }
  auto term = [&](const char *array, const std::string &offset) {
    return std::string(sum) + "(" + array + "[" + offset + " + 1i32])";
  };
  s += indent + "@inbounds total += " + term("a", offsets_a) + (two ? " * " + term("b", offsets_b) : "") +
       "\n";
  for (uint32_t l = spec.labels; l-- > spec.kept;) {
    s += indent + "k" + std::to_string(l + 1) + (l + 1 == spec.labels ? " += Int32(lanes)\n" : " += 1i32\n");
    indent.resize(indent.size() - 4);
    s += indent + "end\n";
  }
  s += "    for distance in (16, 8, 4, 2, 1)\n        if distance < lanes\n"
       "            total += CUDA.shfl_xor_sync(0xffffffff, total, distance)\n        end\n    end\n"
       "    if lane == 0i32 && e < count\n        @inbounds o[e + 1i32] = " +
       std::string(element) + "(total)\n    end\n    return\nend\n";
  return s;
}

} // namespace seeds
