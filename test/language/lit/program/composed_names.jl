# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Names are compared in Unicode's normalization form C: a letter with a mark is the same name as the single character. Julia's manual,
# "Allowed Variable Names".
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines
café = 1
# CHECK: 1
println(café)
struct Mäß{T}
    länge::T
end
# CHECK-NEXT: 3 true
println(Mäß(3).länge, " ", hasfield(Mäß, :länge))
# CHECK-NEXT: true true 4
println(:é === Symbol("é"), " ", :ṩ === :ṩ, " ", length(string(:ábcd)))
f(; réponse=1) = réponse
# CHECK-NEXT: 42
println(f(réponse=42))
# The signs of micro, Angstrom and ohm are letters, and so are syllables of Hangul.
# CHECK-NEXT: true true true true true
println(:µ === :μ, " ", :Å === :Å, " ", :Ω === :Ω, " ", :한 === :한, " ", :ɛ === :ε)
# Texts stay as they are.
# CHECK-NEXT: 2 1
println(length("é"), " ", length("é"))
