# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/logging
# Module Test: @test, @test_throws, @testset.
module Test
mutable struct TestSet
    name::String
    passed::Int
    failed::Int
    errored::Int
    broken::Int
    inner::Any
end
TestSet(name) = TestSet(name, 0, 0, 0, 0, Any[])
struct TestSetException <: Exception
    pass::Int
    fail::Int
    error::Int
    broken::Int
end
struct FallbackTestSetException <: Exception
    msg::String
end
Base.showerror(io::Base.IO, e::FallbackTestSetException) = print(io, e.msg)
Base.showerror(io::Base.IO, e::TestSetException) =
    print(io, "Some tests did not pass: ", e.pass, " passed, ", e.fail, " failed, ", e.error, " errored, ", e.broken, " broken.")
# Results of tests. The fields are Julia's.
abstract type Result end
struct Pass <: Result
    test_type::Symbol
    orig_expr::Any
    data::Any
    value::Any
end
Base.show(io::Base.IO, ::Pass) = print(io, "Test Passed")
const active = Any[]
# `kiln script --test-log FILE` writes one JSON line per test that fails, per place whose test passes, and per failed
# statement of a file. With a log file, the script continues after a failed statement
# (lib/frontend/julia/define/program.cpp calls statement_failed).
log_file = nothing
const logged_passes = Set{Any}()                   # places: a loop may pass one a million times
statement_failed = nothing
failed_statements = 0                              # includes testsets
function log_to(path::String)
    global log_file = open(path, "w")
    global statement_failed = log_statement
    return nothing
end
function write_log(outcome, file, line, expression, reason)
    log_file === nothing && return nothing
    sets = join(map(set -> string(set.name), active), "/")
    fields = ("file" => string(file), "outcome" => outcome, "testset" => sets, "expression" => expression, "reason" => reason)
    print(log_file, "{\"line\": ", line, map(f -> string(", ", Base.__json(f.first), ": ", Base.__json(f.second)), fields)..., "}\n")
    flush(log_file)
    return nothing
end
function log_statement(exception, text, file, line)
    exception isa TestSetException || exception isa FallbackTestSetException || println("ERROR: ", text)
    global failed_statements += 1
    write_log("statement", file, line, "", text)
end
const no_place = ("", 0)
function record_pass(place, test_type=:test, expression=nothing, value=nothing)
    if log_file !== nothing && !(place in logged_passes)
        push!(logged_passes, place)
        write_log("pass", place[1], place[2], "", "")
    end
    isempty(active) || (active[end].passed += 1)
    return Pass(test_type, expression, nothing, value)
end
function record_failure(place, kind, text, details...)
    log_file === nothing || write_log(kind == "Test Failed" ? "fail" : "error", place[1], place[2], text, join(map(strip, details), "; "))
    set = isempty(active) ? nothing : active[end]
    println(set === nothing ? "" : string(set.name, ": "), kind, "\n  Expression: ", text, map(d -> string("\n   ", d), details)...)
    set === nothing && throw(FallbackTestSetException("There was an error during testing"))
    kind == "Test Failed" ? (set.failed += 1) : (set.errored += 1)
    return kind
end
function check(place, text, holds, values)
    try
        x = holds()
        x === true && return record_pass(place)
        x isa Bool || return record_failure(place, "Error During Test", text, string("non-Boolean value: ", repr(x)))
        return record_failure(place, "Test Failed", text, (values === nothing ? () : (string("Evaluated: ", values()),))...)
    catch e
        e isa InterruptException && rethrow()
        e isa FallbackTestSetException && rethrow()
        return record_failure(place, "Error During Test", text, string("Test threw exception: ", sprint(showerror, e)))
    end
end
place_of(source) = (string(source.file), source.line)
const comparisons = (:(==), :(!=), :<, :>, :<=, :>=, :≈, :≤, :≥, :≠, :(===), :isa, :isequal)
macro test(ex, rest...)
    place = place_of(__source__)
    marks = filter(k -> k isa Expr && k.args[1] in (:skip, :broken), collect(rest))
    plain = checked(place, ex, filter(k -> !(k isa Expr && k.args[1] in (:skip, :broken)), collect(rest)))
    isempty(marks) && return plain
    kind = marks[1].args[1] === :skip ? :skipped : :broken
    return :(Base.Test.$kind($place, $(Base.__expr_text(ex)), $(esc(marks[1].args[2])), () -> $(esc(ex)), () -> $plain))
end
# Code of `@test ex` with keywords of the call in `rest`.
function checked(place, ex, rest)
    text = Base.__expr_text(ex)
    if !isempty(rest) && ex isa Expr && ex.head === :call
        keywords = Expr(:parameters, map(k -> Expr(:kw, k.args[1], k.args[2]), rest)...)
        op = ex.args[1] === :≈ ? :isapprox : ex.args[1]
        call = Expr(:call, op, keywords, ex.args[2:end]...)
        return :(Base.Test.check($place, $text, () -> $(esc(call)), nothing))
    end
    if ex isa Expr && ex.head === :call && length(ex.args) == 3 && ex.args[1] in comparisons
        op = string(ex.args[1])
        return :(Base.Test.check($place, $text, () -> $(esc(ex)), () -> string(repr($(esc(ex.args[2]))), " ", $op, " ", repr($(esc(ex.args[3]))))))
    end
    return :(Base.Test.check($place, $text, () -> $(esc(ex)), nothing))
end
function check_throws(place, text, wanted, run, of_macro=false)
    try
        run()
    catch e
        e isa InterruptException && rethrow()
        had_other_type = of_macro && wanted === LoadError || wanted === ErrorException && e isa FieldError # in older Julia
        matches = had_other_type ? true :
                  wanted isa Type ? e isa wanted :
                  wanted isa String ? occursin(wanted, sprint(showerror, e)) :
                  wanted isa Function ? wanted(sprint(showerror, e)) :
                  typeof(e) === typeof(wanted) && sprint(showerror, e) == sprint(showerror, wanted)
        matches && return record_pass(place, :test_throws, text, e)
        return record_failure(place, "Test Failed", text, string(" Expected: ", wanted), string("   Thrown: ", typeof(e)))
    end
    return record_failure(place, "Test Failed", text, string(" Expected: ", wanted), "No exception thrown")
end
macro test_throws(wanted, ex)
    of_macro = ex isa Expr && ex.head in (:call, :macrocall) && ex.args[1] in (:macroexpand, Symbol("@macroexpand"), Symbol("@macroexpand1"))
    :(Base.Test.check_throws($(place_of(__source__)), $(Base.__expr_text(ex)), $(esc(wanted)), () -> $(esc(ex)), $of_macro))
end
function check_broken(place, text, run)
    try
        run() === true && return record_failure(place, "Error During Test", text, "Got correct result, please change to @test if no longer broken.")
    catch
    end
    log_file === nothing || write_log("broken", place[1], place[2], text, "")
    isempty(active) || (active[end].broken += 1)
    return "Test Broken"
end
skipped(place, text, skips, plain, test) = skips ? check_broken(place, text, () -> false) : test()
broken(place, text, is_broken, plain, test) = is_broken ? check_broken(place, text, plain) : test()
macro test_deprecated(exs...)                      # as in a Julia that does not report deprecated names, the default
    esc(exs[end])
end
macro test_broken(ex)
    :(Base.Test.check_broken($(place_of(__source__)), $(Base.__expr_text(ex)), () -> $(esc(ex))))
end
macro test_skip(ex...)
    :(Base.Test.check_broken($(place_of(__source__)), "skipped", () -> false))
end
macro inferred(exs...)
    esc(exs[end])
end
function run_set(name, body, place=no_place)
    set = begin_set(name)
    try
        body()
    catch e
        outside_test(set, e, place)
    finally
        pop!(active)
    end
    return end_set(set)
end
begin_set(name) = (set = TestSet(name); push!(active, set); set)
function outside_test(set, e, place)
    e isa InterruptException && rethrow()
    set.errored += 1
    log_file === nothing || write_log("outside", place[1], place[2], "", sprint(showerror, e))
    println(set.name, ": Error During Test\n  Got exception outside of a @test\n  ", sprint(showerror, e))
    return nothing
end
function end_set(set)
    if !isempty(active)
        push!(active[end].inner, set)
        return set
    end
    report(set)
    (p, f, e, b) = totals(set)
    if f + e > 0
        log_file === nothing && throw(TestSetException(p, f, e, b))
        global failed_statements += 1 # with a log file, the script continues, and so does a @testset loop
    end
    return set
end
function totals(set)
    t = (set.passed, set.failed, set.errored, set.broken)
    for inner in set.inner
        t = t .+ totals(inner)
    end
    return t
end
function report(set)
    t = totals(set)
    names = ("Pass", "Fail", "Error", "Broken")
    used = [k for k in 1:4 if t[k] > 0]
    rows = Any[]
    lines(set, 0, t[2] + t[3] > 0, rows)
    wide = max(13, maximum(r -> length(r[1]), rows))
    println(rpad("Test Summary:", wide), " |", join([string(" ", lpad(names[k], max(length(names[k]), length(string(t[k]))))) for k in used]), "  Total")
    for (name, counts) in rows
        println(rpad(name, wide), " |", join([string(" ", lpad(counts[k] == 0 ? "" : string(counts[k]), length(names[k]))) for k in used]), "  ", lpad(string(sum(counts)), 5))
    end
    return nothing
end
function lines(set, depth, all, rows)
    push!(rows, (string(repeat("  ", depth), set.name), totals(set)))
    for inner in set.inner
        t = totals(inner)
        all && t[2] + t[3] > 0 && lines(inner, depth + 1, all, rows)
    end
    return nothing
end
macro testset(parts...)
    name = "test set"
    for p in parts[1:end-1]
        if p isa String || (p isa Expr && p.head === :string)
            name = p
        end
    end
    body = parts[end]
    if body isa Expr && body.head === :for
        # An expression and not a function, so that `continue` and `break` affect the loop of @testset.
        round = quote
            local set = Base.Test.begin_set($(esc(name)))
            try
                $(esc(body.args[2]))
            catch e
                Base.Test.outside_test(set, e, $(place_of(__source__)))
            finally
                Base.pop!(Base.Test.active)
                Base.Test.end_set(set)
            end
        end
        return Expr(:for, esc(body.args[1]), round)
    end
    return :(Base.Test.run_set($(esc(name)), () -> $(esc(body)), $(place_of(__source__))))
end
export @test, @test_throws, @test_broken, @test_skip, @testset, @test_deprecated, @inferred
end
