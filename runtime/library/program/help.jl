# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/errors, program/dict; when: __help, code_lowered, code_typed, code_warntype, code_llvm, code_native, code_ptx
# Help of the prompt (`?name`), and macros that print the code of a call on the host.

const __help_of_prompt = """
Statements run as you type them. `ans` is the last value; a `;` at the end hides it.

?name          what a name is: its docstring, its methods and their places
Tab            complete a name; twice: list the names
Up, Ctrl-R     earlier lines; search them
Ctrl-C         end the statement that runs
Ctrl-D, exit() leave

@code_llvm f(x)               code of a call on the CPU; also _lowered, _typed, _warntype, _native
@device_code_ptx @cuda f(x)   code of a kernel; also _lowered, _typed, _warntype, _llvm, _sass
using P                       a package, with `kiln repl --project DIR`
"""
const __keywords = ("abstract", "baremodule", "begin", "break", "catch", "const", "continue", "do", "else", "elseif", "end", "export", "finally", "for",
    "function", "global", "if", "import", "in", "isa", "let", "local", "macro", "module", "mutable", "primitive", "quote", "return", "struct", "try", "type",
    "using", "where", "while")
# One line about each function that kernels have beside the language, in CUDA.jl's terms.
const __device_help = Dict{String,String}(
    "threadIdx" => "Index of the thread in its block, from 1: `threadIdx().x`, `.y`, `.z`, each an Int32.",
    "blockIdx" => "Index of the block in the grid, from 1: `blockIdx().x`, `.y`, `.z`, each an Int32.",
    "blockDim" => "Number of threads of a block: `blockDim().x`, `.y`, `.z`, each an Int32.",
    "gridDim" => "Number of blocks of the grid: `gridDim().x`, `.y`, `.z`, each an Int32.",
    "warpsize" => "Number of threads of a warp: 32.",
    "laneid" => "Number of the thread in its warp, from 1 to 32.",
    "sync_threads" => "Waits until all threads of the block are here. Memory written before is visible to them after.",
    "sync_threads_count" => "As sync_threads; returns how many threads of the block gave a true value.",
    "sync_threads_and" => "As sync_threads; returns whether all threads of the block gave a true value.",
    "sync_threads_or" => "As sync_threads; returns whether any thread of the block gave a true value.",
    "sync_warp" => "Waits until all threads of the warp that the mask names are here.",
    "threadfence" => "Orders this thread's writes for all threads of the device.",
    "threadfence_block" => "Orders this thread's writes for the threads of its block.",
    "threadfence_system" => "Orders this thread's writes for the device and the host.",
    "shfl_sync" => "shfl_sync(mask, value, lane, width=32): the value of another lane of the warp; lanes count from 1.",
    "shfl_up_sync" => "shfl_up_sync(mask, value, delta, width=32): the value of the lane that is `delta` lower.",
    "shfl_down_sync" => "shfl_down_sync(mask, value, delta, width=32): the value of the lane that is `delta` higher.",
    "shfl_xor_sync" => "shfl_xor_sync(mask, value, bits, width=32): the value of the lane whose number differs by `bits`.",
    "vote_all_sync" => "Returns whether the predicate holds in all lanes of the mask.",
    "vote_any_sync" => "Returns whether the predicate holds in a lane of the mask.",
    "vote_uni_sync" => "Returns whether the predicate is equal in all lanes of the mask.",
    "vote_ballot_sync" => "A bit for each lane of the mask: 1 where the predicate holds.",
    "active_mask" => "A bit for each lane of the warp that runs.",
    "lanemask" => "lanemask(<), lanemask(==), ...: a bit for each lane whose number compares so with this lane's.",
    "atomic_add!" => "CUDA.atomic_add!(pointer, value): adds, and returns the old value. Relaxed, for the device.",
    "atomic_cas!" => "CUDA.atomic_cas!(pointer, expected, new): stores `new` if the old value is `expected`; returns the old value.",
    "@atomic" => "CUDA.@atomic a[i] += x: updates an element of an array in one step. Relaxed, for the device.",
    "@cuda" => "@cuda threads=N blocks=M f(arguments): launches a kernel. Also shmem, stream, name, always_inline, maxregs, dynamic, launch=false.",
    "@cuStaticSharedMem" => "@cuStaticSharedMem(T, dims): an array in the shared memory of a block.",
    "@cuDynamicSharedMem" => "@cuDynamicSharedMem(T, dims, offset=0): an array in the shared memory that the launch requests (shmem).",
    "@cuprintln" => "@cuprintln(values...): prints a line from a kernel.",
    "@cuprintf" => "@cuprintf(format, values...): prints from a kernel by C's format.",
    "@inbounds" => "@inbounds expression: leaves out bounds checks.",
    "CuArray" => "CuArray(array), CuArray{T}(undef, dims): an array in the memory of the device.",
    "CuDeviceArray" => "An array as kernels see it: CuDeviceArray{T, N, A} with the address space A.")
const __max_methods = 12

function __print_methods(f)
    all = methods(f)
    n = length(all)
    __show_methods(stdout, all, min(n, __max_methods))
    println(n > __max_methods ? string("\nand ", n - __max_methods, " more: methods(", __callee_name(f), ")") : "")
end
function __print_type(T)
    println("  ", __type_text(T), isabstracttype(T) ? ", an abstract type" : isprimitivetype(T) ? ", a primitive type" : ", a type")
    T isa DataType && println("  supertype: ", __type_text(supertype(T)))
    if T isa DataType && isstructtype(T) && fieldcount(T) > 0
        println("  fields:")
        for i in 1:fieldcount(T)
            println("    ", fieldname(T, i), "::", __type_text(fieldtype(T, i)))
        end
    end
end
function __help(text::String)
    name = String(strip(text))
    isempty(name) && return print(__help_of_prompt)
    short = String(last(split(name, ".")))
    known = get(__device_help, short, "")
    name in __keywords && return println("  `", name, "` is a keyword of the language.")
    found = __find_name(name)
    if found === nothing
        if startswith(short, "@") && __is_builtin_macro(short)
            println("  ", isempty(known) ? string(short, " is a macro that Kiln brings.") : known)
        else
            println("  `", name, "` is not defined: `using P` loads a package P, Tab lists names.")
        end
        return nothing
    end
    value, place = found
    docs = __docs(value)
    isempty(docs) || println(rstrip(docs), "\n")
    isempty(known) || println("  ", known, "\n")
    place == "Main" || '.' in name || isdefined(Main, Symbol(name)) || println("  Write `", place, ".", name, "`.\n")
    if value isa Function && startswith(short, "@")
        isempty(docs) && isempty(known) && println("  ", short, " is a macro.")
    elseif value isa Function
        __print_methods(value)
    elseif value isa Type
        __print_type(value)
    elseif value isa Module
        isempty(docs) && println("  ", value, " is a module: type ", name, ". and Tab for its names.")
    else
        println("  ", name, " is a value of type ", __type_text(typeof(value)), ".")
    end
    return nothing
end

function __code_macro(form, call)
    call isa Expr && call.head === :call || throw(ArgumentError(string("@code_", form, " takes a call: @code_", form, " f(x)")))
    rest = call.args[2:end]
    any(x -> x isa Expr && (x.head === :parameters || x.head === :kw), rest) &&
        throw(ArgumentError(string("@code_", form, " takes a call without keyword arguments")))
    return :(Base.__show_code($form, $(esc(call.args[1])), ($(map(esc, rest)...),)))
end
macro code_lowered(call) __code_macro("lowered", call) end
macro code_typed(call) __code_macro("typed", call) end
macro code_warntype(call) __code_macro("warntype", call) end
macro code_llvm(call) __code_macro("llvm", call) end
macro code_native(call) __code_macro("native", call) end
macro code_ptx(call)
    throw(ArgumentError("@code_ptx: the host has no PTX. Write @device_code_ptx @cuda f(x), or run kiln compile FILE 'f(T)' --target ptx"))
end
__is_on_device(x) = startswith(__type_text(typeof(x)), "CuArray")
function __show_code(form, f, args)
    any(__is_on_device, args) &&
        throw(ArgumentError(string("@code_", form, " shows code of the host, and an argument is an array of the device: write @device_code_",
                                   form, " @cuda f(x)")))
    print(__code_text(form, f, args))
    return nothing
end
