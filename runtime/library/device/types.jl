# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: base/atomix
# Module CUDA, first file: type names, address spaces, literals with a suffix such as 1i32.

struct AddressSpaces
    Generic::Int
    Global::Int
    Shared::Int
    Constant::Int
    Local::Int
end
const AS = AddressSpaces(0, 1, 3, 4, 5)

# Suffix of a literal: `2i32` parses as 2 * i32, and the product with a LiteralSuffix converts the number.
struct LiteralSuffix{T} end
const i8 = LiteralSuffix{Int8}()
const i16 = LiteralSuffix{Int16}()
const i32 = LiteralSuffix{Int32}()
const i64 = LiteralSuffix{Int64}()
const u8 = LiteralSuffix{UInt8}()
const u16 = LiteralSuffix{UInt16}()
const u32 = LiteralSuffix{UInt32}()
const u64 = LiteralSuffix{UInt64}()
@inline Base.:*(x::Number, ::LiteralSuffix{T}) where {T} = T(x)

export AS, i8, i16, i32, i64, u8, u16, u32, u64
