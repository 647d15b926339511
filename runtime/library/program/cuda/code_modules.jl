# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/adapt
# PTX and cubins that a program brings itself, loaded on a GPU (lib/programs/cuda_modules.cpp).
function check_gpu(what)
    functional() || error(string(what, ": PTX and cubins run on GPUs, and this program's device is the CPU: run it with --device cuda"))
    return nothing
end
struct CuModule
    code::String
    functions::Dict{Any,Any}                       # by name and argument types
    CuModule(code::String, options=nothing) = (check_gpu("CuModule"); new(code, Dict{Any,Any}()))
end
CuModule(code::Array{UInt8}, options=nothing) = CuModule(String(copy(code)))
CuModuleFile(path) = (check_gpu("CuModuleFile"); CuModule(open(io -> read(io, String), path)))
struct ModuleFunction
    md::CuModule
    name::String
end
(::Type{CuFunction})(md::CuModule, name::String) = ModuleFunction(md, name)
module_argument(::Type{CuPtr{T}}, A::AnyCuArray) where {T} = CuPtr{T}(pointer(A))
module_argument(::Type{T}, x) where {T} = convert(T, x)
cudacall(f::ModuleFunction, types::Tuple, args...; keywords...) = cudacall(f, Tuple{types...}, args...; keywords...)
function cudacall(f::ModuleFunction, types::Type, args...; threads=1, blocks=1, shmem=0, stream=nothing, cooperative=false, clustersize=1)
    fieldcount(types) == length(args) || throw(ArgumentError(string(f.name, " takes ", fieldcount(types), " arguments, not ", length(args))))
    values = ntuple(k -> module_argument(fieldtype(types, k), args[k]), length(args))
    fun = get!(() -> __load_code(f.md.code, f.name, __convert(values)), f.md.functions, (f.name, types))
    raise_thrown(__launch(fun, nothing, values, dim(blocks), dim(threads), Int(shmem), stream, cooperative, dim(clustersize), args))
    return nothing
end
launch(f::ModuleFunction, args...; keywords...) = cudacall(f, Tuple{map(typeof, args)...}, args...; keywords...)
