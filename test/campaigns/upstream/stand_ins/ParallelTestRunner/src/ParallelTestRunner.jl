# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Stands for the package of this name, which starts a worker process for each test file. Here the files run one after
# the other in this process, each in a module of its own. Only suite.py's folder of packages lacks the real one.
module ParallelTestRunner
using Test
export runtests, find_tests, parse_args, filter_tests!

struct ParsedArgs
    custom::Dict{String,Any}
    positionals::Vector{String}
end

"Returns the files below a folder, but runtests.jl: name without .jl => expression that includes it."
function find_tests(folder::String)
    tests = Dict{String,Expr}()
    for (root, _, files) in walkdir(folder), file in files
        endswith(file, ".jl") && file != "runtests.jl" || continue
        path = joinpath(root, file)
        tests[chopsuffix(relpath(path, folder), ".jl")] = :(include($path))
    end
    return tests
end

function parse_args(args; custom=String[])
    given(name) = any(arg -> startswith(arg, "--$name"), args) ? "" : nothing
    return ParsedArgs(Dict{String,Any}(name => given(name) for name in custom), filter(arg -> !startswith(arg, "-"), args))
end

"Removes the tests that the arguments do not name. Returns true if they name none, so that the caller may choose."
function filter_tests!(tests, args::ParsedArgs)
    isempty(args.positionals) && return true
    filter!(test -> any(name -> startswith(test.first, name), args.positionals), tests)
    return false
end

function runtests(mod::Module, args=parse_args(ARGS); testsuite=find_tests(pwd()), init_code=:(), init_worker_code=:(), keywords...)
    for name in sort(collect(keys(testsuite)))
        sandbox = Core.eval(Main, Expr(:module, true, gensym(name), Expr(:block, :(using Test))))
        @testset "$name" begin
            Core.eval(sandbox, init_worker_code)
            Core.eval(sandbox, init_code)
            Core.eval(sandbox, testsuite[name])
        end
    end
    return nothing
end
end
