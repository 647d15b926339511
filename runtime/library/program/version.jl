# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/statistics
# Version numbers, and properties of the machine.
struct VersionNumber
    major::UInt32
    minor::UInt32
    patch::UInt32
    prerelease::Tuple
    build::Tuple
    VersionNumber(major::Integer, minor::Integer=0, patch::Integer=0, prerelease::Tuple=(), build::Tuple=()) = new(UInt32(major), UInt32(minor), UInt32(patch), prerelease, build)
end
VersionNumber(v::VersionNumber) = v
VersionNumber(text::String) = parse(VersionNumber, text)
function parse(::Type{VersionNumber}, text::String)
    v = tryparse(VersionNumber, text)
    v === nothing && throw(ArgumentError(string("invalid version string: ", text)))
    return v
end
# Parses major[.minor[.patch]][-prerelease][+build]. A version that ends in - is the lowest one with these numbers,
# one that ends in + the highest.
function tryparse(::Type{VersionNumber}, text::String)
    rest = startswith(text, "v") ? text[2:end] : text
    build = ()
    prerelease = ()
    plus = findfirst('+', rest)
    if plus !== nothing
        build = __version_words(rest[plus+1:end])
        rest = rest[1:plus-1]
    end
    minus = findfirst('-', rest)
    if minus !== nothing
        prerelease = __version_words(rest[minus+1:end])
        rest = rest[1:minus-1]
    end
    (build === nothing || prerelease === nothing) && return nothing
    numbers = [tryparse(Int, w) for w in split(rest, ".")]
    (length(numbers) > 3 || any(n -> n === nothing || n < 0, numbers)) && return nothing
    return VersionNumber(numbers[1], length(numbers) > 1 ? numbers[2] : 0, length(numbers) > 2 ? numbers[3] : 0, prerelease, build)
end
function __version_words(text)
    isempty(text) && return ("",)
    words = map(String, split(text, "."))
    any(w -> isempty(w) || !all(c -> isascii(c) && (isletter(c) || isdigit(c) || c == '-'), w), words) && return nothing
    return Tuple([all(isdigit, w) ? UInt64(parse(Int, w)) : w for w in words])
end
function print(io::IO, v::VersionNumber)
    print(io, Int(v.major), ".", Int(v.minor), ".", Int(v.patch))
    isempty(v.prerelease) || (print(io, "-"); __print_words(io, v.prerelease))
    isempty(v.build) || (print(io, "+"); __print_words(io, v.build))
    return nothing
end
__print_words(io, words) = join(io, map(w -> w isa String ? w : string(Int(w)), words), ".")
show(io::IO, v::VersionNumber) = print(io, "v\"", string(v), "\"")
__word_order(a::Integer, b::Integer) = a < b ? -1 : a == b ? 0 : 1
__word_order(a::Integer, b::String) = isempty(b) ? 1 : -1
__word_order(a::String, b::Integer) = isempty(a) ? -1 : 1
__word_order(a::String, b::String) = isless(a, b) ? -1 : a == b ? 0 : 1
function __words_order(a, b)
    for (x, y) in zip(a, b)
        order = __word_order(x, y)
        order == 0 || return order
    end
    return __word_order(length(a), length(b))
end
function __version_order(a, b)
    for (x, y) in ((a.major, b.major), (a.minor, b.minor), (a.patch, b.patch))
        x == y || return x < y ? -1 : 1
    end
    if isempty(a.prerelease) != isempty(b.prerelease)
        return isempty(a.prerelease) ? 1 : -1
    end
    order = __words_order(a.prerelease, b.prerelease)
    order == 0 || return order
    if isempty(a.build) || isempty(b.build)        # v"1.2+" is greater than all builds
        a.build == b.build && return 0
        return isempty(a.build) ? -1 : 1
    end
    a.build == ("",) && return b.build == ("",) ? 0 : 1
    b.build == ("",) && return -1
    return __words_order(a.build, b.build)
end
isless(a::VersionNumber, b::VersionNumber) = __version_order(a, b) < 0
<(a::VersionNumber, b::VersionNumber) = __version_order(a, b) < 0
<=(a::VersionNumber, b::VersionNumber) = __version_order(a, b) <= 0
>(a::VersionNumber, b::VersionNumber) = __version_order(a, b) > 0
>=(a::VersionNumber, b::VersionNumber) = __version_order(a, b) >= 0
==(a::VersionNumber, b::VersionNumber) = __version_order(a, b) == 0
isequal(a::VersionNumber, b::VersionNumber) = __version_order(a, b) == 0
macro v_str(text)
    return VersionNumber(text)
end
# The Julia version whose semantics Kiln follows, also for packages.
const VERSION = VersionNumber(1, 11, 0)
const libllvm_version = VersionNumber(19, 1, 7)

module Sys
iswindows(os::Symbol=:Linux) = os === :Windows
islinux(os::Symbol=:Linux) = os === :Linux
isapple(os::Symbol=:Linux) = os === :Apple
isunix(os::Symbol=:Linux) = os !== :Windows
isbsd(os::Symbol=:Linux) = os === :Apple || os === :FreeBSD
isfreebsd(os::Symbol=:Linux) = os === :FreeBSD
const KERNEL = :Linux
const WORD_SIZE = 64
const CPU_THREADS = __machine(:threads)
const MACHINE = __machine(:machine)
const ARCH = __machine(:arch)
total_memory() = __machine(:memory)
free_memory() = __machine(:free_memory)
total_physical_memory() = total_memory()
free_physical_memory() = free_memory()
# Path of a program: a file of PATH, or the given path. nothing if there is none.
function which(name::AbstractString)
    occursin('/', name) && return isexecutable(name) ? String(name) : nothing
    for folder in split(get(Base.ENV, "PATH", ""), ':')
        isexecutable(joinpath(folder, name)) && isfile(joinpath(folder, name)) && return joinpath(String(folder), name)
    end
    return nothing
end
isexecutable(path::AbstractString) = Base.__file_call("access", String(path), "x") === nothing
end
gethostname() = __machine(:host)
getpid() = __machine(:pid)
# Path of a package's source file, if the program lies inside the package's folder, such as an example. nothing
# otherwise: packages that Kiln contains have no file.
function pathof(m::Module)
    name = string(m)
    folder = dirname(abspath(PROGRAM_FILE))
    while length(folder) > 1
        file = joinpath(folder, "src", string(name, ".jl"))
        isfile(file) && return file
        folder = dirname(folder)
    end
    return nothing
end
# Returns the main file of the package that a program means by a name; the name, if Kiln itself contains the package.
find_package(name::String) = name in ("CUDA", "KernelAbstractions", "Adapt", "GPUArrays", "GPUArraysCore") ? name : __package_file(name)
struct UUID
    value::UInt128
end
UUID(text::AbstractString) = UUID(parse(UInt128, replace(text, "-" => ""); base=16))
struct PkgId
    uuid::Union{UUID,Nothing}
    name::String
end
PkgId(name::AbstractString) = PkgId(nothing, name)
identify_package(name::String) = find_package(name) === nothing ? nothing : PkgId(name)
pkgdir(m::Module) = (file = pathof(m); file === nothing ? nothing : dirname(dirname(file)))
# include inside a function: the path is relative to the file of the running statement.
include(path::String) = eval(:(include($path)))
