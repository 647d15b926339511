# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/io; when: cd, cp, mv, stat, lstat, mtime, ctime, filemode, filesize, islink, isfifo, ischardev, isblockdev, issocket, issetuid, issetgid, issticky, ismount, samefile, symlink, hardlink, readlink, realpath, chmod, touch, walkdir, normpath, relpath, abspath, isabspath, isdirpath, homedir, expanduser, contractuser, operm, uperm, gperm, withenv, Filesystem, Sys
# Files by name: attributes, copies, links, the working folder, and paths.

function __checked_file_call(what, path, other="")
    reason = __file_call(what, path, other)
    reason === nothing || throw(IOError(string(what, "(", repr(path), isempty(other) ? "" : string(", ", repr(other)), "): ", reason), 0))
    return nothing
end
struct StatStruct
    desc::String
    device::UInt
    inode::UInt
    mode::UInt
    nlink::Int
    uid::UInt
    gid::UInt
    size::Int
    mtime::Float64
    ctime::Float64
end
__stat(path, follow) = StatStruct(path, __file_status(path, follow)...)
stat(path::AbstractString) = __stat(String(path), true)
lstat(path::AbstractString) = __stat(String(path), false)
stat(parts::AbstractString...) = stat(joinpath(parts...))
mtime(s::StatStruct) = s.mtime
ctime(s::StatStruct) = s.ctime
filesize(s::StatStruct) = s.size
filemode(s::StatStruct) = s.mode
for f in (:mtime, :ctime, :filesize, :filemode)
    @eval $f(path::String) = $f(stat(path))
end
for (f, kind) in ((:isfifo, 0x1), (:ischardev, 0x2), (:isblockdev, 0x6), (:issocket, 0xc))
    @eval $f(s::StatStruct) = s.mode >> 12 == $kind
    @eval $f(path::String) = $f(stat(path))
end
isfile(s::StatStruct) = s.mode >> 12 == 0x8
isdir(s::StatStruct) = s.mode >> 12 == 0x4
ispath(s::StatStruct) = s.mode != 0
islink(s::StatStruct) = s.mode >> 12 == 0xa
islink(path::String) = islink(lstat(path))
for (f, bit) in ((:issetuid, 0x800), (:issetgid, 0x400), (:issticky, 0x200))
    @eval $f(s::StatStruct) = s.mode & $bit != 0
    @eval $f(path::String) = $f(stat(path))
end
for (f, shift) in ((:uperm, 6), (:gperm, 3), (:operm, 0))
    @eval $f(s::StatStruct) = UInt8((s.mode >> $shift) & 0x7)
    @eval $f(path::String) = $f(stat(path))
end
isreadable(path::String) = __file_call("access", path, "r") === nothing
iswritable(path::String) = __file_call("access", path, "w") === nothing
samefile(a::String, b::String) = ispath(a) && ispath(b) && stat(a).inode == stat(b).inode && stat(a).device == stat(b).device
ismount(path::String) = isdir(path) && (stat(path).device != stat(joinpath(path, "..")).device || stat(path).inode == stat(joinpath(path, "..")).inode)

cd(path::AbstractString=homedir()) = __checked_file_call("chdir", String(path))
function cd(f::Function, path::AbstractString=homedir())
    before = pwd()
    cd(path)
    try
        return f()
    finally
        cd(before)
    end
end
function cp(from::String, to::String; force::Bool=false, follow_symlinks::Bool=false)
    __clear_place(to, force, "cp")
    __checked_file_call("copy", from, to)
    return to
end
function mv(from::String, to::String; force::Bool=false)
    __clear_place(to, force, "mv")
    __checked_file_call("rename", from, to)
    return to
end
function __clear_place(to, force, what)
    ispath(to) || islink(to) || return nothing
    force || throw(ArgumentError(string("'", to, "' exists. `force=true` is required to remove '", to, "' before ", what == "cp" ? "copying." : "moving.")))
    return rm(to; recursive=true)
end
symlink(target::String, link::String; dir_target::Bool=false) = __checked_file_call("symlink", target, link)
hardlink(from::String, to::String) = __checked_file_call("link", from, to)
readlink(path::String) = __path_call("readlink", path)
realpath(path::String) = __path_call("realpath", path)
chmod(path::String, mode::Integer; recursive::Bool=false) = (__checked_file_call("chmod", path, string(Int(mode))); path)
touch(path::String) = (__checked_file_call("touch", path); path)
function walkdir(root::String="."; topdown::Bool=true, follow_symlinks::Bool=false, onerror=throw)
    found = Tuple{String,Vector{String},Vector{String}}[]
    __walk!(found, root, topdown)
    return found
end
function __walk!(found, folder, topdown)
    names = readdir(folder)
    inner = filter(n -> isdir(joinpath(folder, n)), names)
    entry = (folder, inner, filter(n -> !(n in inner), names))
    topdown && push!(found, entry)
    for name in inner
        islink(joinpath(folder, name)) || __walk!(found, joinpath(folder, name), topdown)
    end
    topdown || push!(found, entry)
    return nothing
end

# ---- paths
homedir() = get(ENV, "HOME", "/")
expanduser(path::String) = path == "~" || startswith(path, "~/") ? string(homedir(), path[2:end]) : path
contractuser(path::String) = path == homedir() ? "~" : startswith(path, string(homedir(), "/")) ? string("~", path[ncodeunits(homedir())+1:end]) : path
isabspath(path::AbstractString) = startswith(path, "/")
isdirpath(path::String) = isempty(path) || endswith(path, "/") || basename(path) in (".", "..")
function normpath(path::String)
    kept = String[]
    for part in split(path, '/')
        if part == ".." && !isempty(kept) && kept[end] != ".."
            pop!(kept)
        elseif part == ".." && startswith(path, "/")
            continue
        elseif !isempty(part) && part != "."
            push!(kept, part)
        end
    end
    text = string(startswith(path, "/") ? "/" : "", join(kept, "/"))
    isempty(text) && return isdirpath(path) && path != "." && path != "" ? "./" : "."
    return isdirpath(path) && !endswith(text, "/") && !isempty(kept) && !(kept[end] == "..") ? string(text, "/") : text
end
normpath(first_part::AbstractString, parts::AbstractString...) = normpath(joinpath(first_part, parts...))
abspath(path::String) = normpath(startswith(path, "/") ? path : joinpath(pwd(), path))
abspath(first_part::AbstractString, parts::AbstractString...) = abspath(joinpath(first_part, parts...))
function relpath(path::String, start::String=".")
    (to, from) = (split(abspath(path), '/'; keepempty=false), split(abspath(start), '/'; keepempty=false))
    n = 0
    while n < min(length(to), length(from)) && to[n+1] == from[n+1]
        n += 1
    end
    parts = vcat(fill("..", length(from) - n), to[n+1:end])
    return isempty(parts) ? "." : join(parts, "/")
end
function withenv(f, changes::Pair...)
    before = [c.first => get(ENV, c.first, nothing) for c in changes]
    for c in changes
        c.second === nothing ? delete!(ENV, c.first) : (ENV[c.first] = c.second)
    end
    try
        return f()
    finally
        for c in before
            c.second === nothing ? delete!(ENV, c.first) : (ENV[c.first] = c.second)
        end
    end
end
module Filesystem
import Base: cd, cp, mv, rm, stat, lstat, mkdir, mkpath, readdir, walkdir, joinpath, normpath, realpath, StatStruct
end
