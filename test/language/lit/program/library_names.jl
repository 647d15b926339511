# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Library files of programs load for the names in code, through each way that code comes in, and for no
# comment or text: rand, Dates, DelimitedFiles, CuArray, KernelAbstractions, Adapt, GPUArrays.
#
# RUN: %kiln script -vv %s none SVector > %t.out 2> %t.log
# RUN: %empty < %t.log
# RUN: %kiln script -vv %s eval Dates 2>&1 | %filecheck %s --check-prefix=DATES
# RUN: %kiln script -vv %s loop Dates 2>&1 | %filecheck %s --check-prefix=DATES
# RUN: %kiln script -vv %s member Dates 2>&1 | %filecheck %s --check-prefix=DATES
# RUN: %kiln script -vv %s file Dates 2>&1 | %filecheck %s --check-prefix=DATES
# RUN: %kiln script -vv %s macro Dates 2>&1 | %filecheck %s --check-prefix=DATES
# RUN: %kiln script -vv %s eval DelimitedFiles 2>&1 | %filecheck %s --check-prefix=DELIMITED
# RUN: %kiln script -vv %s loop DelimitedFiles 2>&1 | %filecheck %s --check-prefix=DELIMITED
# RUN: %kiln script -vv %s file DelimitedFiles 2>&1 | %filecheck %s --check-prefix=DELIMITED
# RUN: %kiln script -vv %s eval CUDA 2>&1 | %filecheck %s --check-prefix=CUDA
# RUN: %kiln script -vv %s eval CUDABackend 2>&1 | %filecheck %s --check-prefix=CUDA
# RUN: %kiln script -vv %s loop CuArray 2>&1 | %filecheck %s --check-prefix=CUDA
# RUN: %kiln script -vv %s file CuVector 2>&1 | %filecheck %s --check-prefix=CUDA
# RUN: %kiln script -vv %s file CuMatrix 2>&1 | %filecheck %s --check-prefix=CUDA
# RUN: %kiln script -vv %s eval KernelAbstractions 2>&1 | %filecheck %s --check-prefix=CUDA
# RUN: %kiln script -vv %s macro Adapt 2>&1 | %filecheck %s --check-prefix=CUDA
# RUN: %kiln script -vv %s file GPUArraysCore 2>&1 | %filecheck %s --check-prefix=CUDA
# RUN: %kiln script -vv %s file randn 2>&1 | %filecheck %s --check-prefix=RANDOM
# RUN: %kiln script -vv %s member Random 2>&1 | %filecheck %s --check-prefix=RANDOM
# RUN: %kiln script -vv %s file Diagonal 2>&1 | %filecheck %s --check-prefix=STRUCTURED
# RUN: %kiln script -vv %s eval ArrayStyle 2>&1 | %filecheck %s --check-prefix=STYLES
# DATES: runtime library: program/dates.jl is loaded
# DATES-NEXT: runtime library: program/dates_text.jl is loaded
# DELIMITED: runtime library: program/delimited.jl is loaded
# CUDA: runtime library: program/cuda/storage.jl is loaded
# CUDA: runtime library: program/cuda/show.jl is loaded
# CUDA: runtime library: program/cuda/abstractions.jl is loaded
# CUDA: runtime library: program/cuda/modules.jl is loaded
# RANDOM: runtime library: base/random.jl is loaded
# RANDOM: runtime library: program/random.jl is loaded
# STRUCTURED: runtime library: base/structured.jl is loaded
# STRUCTURED: runtime library: program/structured.jl is loaded
# STYLES: runtime library: base/broadcast_styles.jl is loaded
# STYLES: runtime library: program/cuda/storage.jl is loaded
# STYLES: runtime library: program/styles.jl is loaded
# STYLES: runtime library: program/cuda/styles.jl is loaded
door, name = ARGS
macro made(text)
    esc(Symbol(eval(text)))
end
if door == "eval"
    try
        eval(:(identity($(Symbol(name)))))
    catch
    end
elseif door == "loop"
    for half in (name,)
        @eval named() = $(Symbol(half))
    end
elseif door == "member"
    isdefined(Base, Symbol(name))
elseif door == "file"
    path = tempname()
    write(path, "named() = $name\n")
    include(path)
elseif door == "macro"
    eval(:(identity(@made name)))
else
    println("texts: $name", "rand Dates DelimitedFiles CUDA CuArray KernelAbstractions Adapt GPUArrays Diagonal")
end
