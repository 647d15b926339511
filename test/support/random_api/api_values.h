// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an ApiProgram passes: programs, types, functions, numbers, of which many are wrong, and its memory.
#pragma once

#include <climits>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln::fuzz {

inline constexpr size_t arena_floats = 4096;
/// What all launches read and write: as long as the process.
alignas(64) inline float arena[arena_floats];

inline constexpr const char *library = R"(
using CUDA
function scale(y, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * y[i]
    end
    return
end
function fill2(y)
    if threadIdx().x <= size(y, 1)
        y[threadIdx().x, 1] = 1f0
    end
    return
end
function throws(y)
    y[length(y) + 1] = 1f0
    return
end
function meets(y)
    s = CuStaticSharedArray(Float32, 32)
    s[(threadIdx().x - 1) % 32 + 1] = 1f0
    sync_threads()
    if threadIdx().x == 1 && length(y) > 0
        y[1] = s[1]
    end
    return
end
struct Pair2
    a::Float32
    b::Float32
end
named(s, y) = (y[1] = s === :a ? 1f0 : 2f0; return)
plain(a, b) = a + b
empty() = return
)";

inline const std::vector<std::string> texts{library,
                                            "scale(y, a) = (y[1] = a; return)",
                                            "plain(a, b) = a * b",
                                            "",
                                            "f(x) =",
                                            "function",
                                            "x = ",
                                            std::string("nul(x) = x\0 + 1", 15),
                                            "@macro [",
                                            "struct S; a::Nowhere; end",
                                            "empty() = throw(1)",
                                            "using Nowhere",
                                            "named(s, y) = 1",
                                            "scale(y) = nothing"};
inline const std::vector<std::string> types{"CuDeviceVector{Float32,1}",
                                            "CuDeviceArray{Float32,2,1}",
                                            "Float32",
                                            "Int64",
                                            "Pair2",
                                            "Symbol",
                                            "Nowhere",
                                            "",
                                            "Int64, Int64",
                                            "Float32) (",
                                            "Array{Float32}",
                                            "1",
                                            "Val{3}",
                                            std::string("Int\0", 4),
                                            "CuDeviceVector",
                                            "Union{}",
                                            "LLVMPtr{Float32,1}"};
inline const std::vector<std::string> functions{"scale",
                                                "fill2",
                                                "throws",
                                                "meets",
                                                "named",
                                                "plain",
                                                "empty",
                                                "nowhere",
                                                "",
                                                "(",
                                                "Base.:+",
                                                "Pair2",
                                                std::string("sca\0le", 6),
                                                "1",
                                                "scale(",
                                                "x -> x"};

inline const std::vector<int64_t> lengths{0, 1, 3, 64, 100, -1, INT64_MIN, INT64_MAX, int64_t(1) << 62, 4096};
inline const std::vector<uint32_t> sizes{1, 2, 32, 64, 0, 3, 1024, 1025, 65536, UINT32_MAX};
inline const std::vector<int> numbers{0, 1, 2, 3, -1, 4, -5, 99, INT_MIN, INT_MAX, 90, 35};
inline const std::vector<uint64_t> amounts{
    0, 16, 256, 4096, 48 << 10, 300 << 10, UINT64_MAX, uint64_t(1) << 40, 1};

} // namespace kiln::fuzz
