# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/test; when: test_logs, test_warn, test_nowarn, TestLogger, LogRecord, collect_test_logs
# Tests of log messages and warnings: https://docs.julialang.org/en/v1/stdlib/Test/
module Test
struct LogRecord
    level::Any
    message::Any
    _module::Any
    group::Any
    id::Any
    file::Any
    line::Any
    kwargs::Any
end
mutable struct TestLogger <: Base.Logging.AbstractLogger
    logs::Vector{LogRecord}
    min_level::Any
end
TestLogger(; min_level=Base.Logging.Info, keywords...) = TestLogger(LogRecord[], as_level(min_level))
const levels = Dict(:debug => Base.Logging.Debug, :info => Base.Logging.Info, :warn => Base.Logging.Warn, :error => Base.Logging.Error)
as_level(level) = level isa Symbol ? get(() -> throw(ArgumentError(string("unknown log level ", repr(level), ": it is :debug, :info, :warn or :error"))), levels, level) : level
Base.Logging.min_enabled_level(logger::TestLogger) = logger.min_level
function Base.Logging.handle_message(logger::TestLogger, level, message, m, group, id, file, line; keywords...)
    push!(logger.logs, LogRecord(level, message, m, group, id, file, line, keywords))
    return nothing
end
function collect_test_logs(f; keywords...)
    logger = TestLogger(; keywords...)
    value = Base.Logging.with_logger(f, logger)
    return (logger.logs, value)
end
struct Ignored end
matches_field(field, wanted) = wanted isa Regex ? occursin(wanted, string(field)) : wanted isa Ignored || isequal(field, wanted)
matches_level(level, wanted) = wanted isa Ignored || level == as_level(wanted)
fields_of(r) = (r.level, r.message, r._module, r.group, r.id, r.file, r.line)
matches_log(r, wanted::Symbol) = matches_level(r.level, wanted)
matches_log(r, wanted::Tuple) = matches_level(r.level, first(wanted)) && all(k -> matches_field(fields_of(r)[k], wanted[k]), 2:length(wanted))
matches_log(r, wanted) = throw(ArgumentError(string("@test_logs: ", repr(wanted), " is no pattern: write (:level, message) or :level")))
show_logs(logs) = isempty(logs) ? "none" : join([string(r.level, " ", repr(r.message)) for r in logs], ", ")
function check_logs(place, text, patterns, run; match_mode=:all, keywords...)
    match_mode in (:all, :any) || throw(ArgumentError(string("@test_logs: match_mode is :all or :any, not ", repr(match_mode))))
    result = nothing
    try
        result = collect_test_logs(run; keywords...)
    catch e
        e isa InterruptException && rethrow()
        record_failure(place, "Error During Test", text, string("Test threw exception: ", sprint(showerror, e)))
        return nothing
    end
    (logs, value) = result
    holds = match_mode === :all ? length(logs) == length(patterns) && all(k -> matches_log(logs[k], patterns[k]), 1:length(logs)) :
            all(wanted -> any(r -> matches_log(r, wanted), logs), patterns)
    if holds
        record_pass(place)
    else
        record_failure(place, "Test Failed", text, string("Expected: ", join(map(repr, patterns), ", ")), string("     Got: ", show_logs(logs)))
    end
    return value
end
is_keyword(x) = x isa Expr && x.head === :(=)
macro test_logs(exs...)
    keywords = [Expr(:kw, x.args[1], esc(x.args[2])) for x in exs[1:end-1] if is_keyword(x)]
    patterns = Expr(:tuple, [esc(x) for x in exs[1:end-1] if !is_keyword(x)]...)
    return Expr(:call, :(Base.Test.check_logs), Expr(:parameters, keywords...), place_of(__source__), Base.__expr_text(exs[end]), patterns, :(() -> $(esc(exs[end]))))
end
contains_warning(output, wanted::Union{AbstractString,Regex}) = occursin(wanted, output)
contains_warning(output, wanted::Function) = wanted(output)
contains_warning(output, wanted) = all(w -> contains_warning(output, w), wanted)
# Runs a function, whose value is the result. What it writes to stderr, and its log messages, must hold.
function check_warnings(place, text, expected, holds, run)
    io = IOBuffer()
    value = Base.redirect_stderr(() -> Base.Logging.with_logger(run, Base.Logging.ConsoleLogger(io)), io)
    output = String(take!(io))
    if holds(output)
        record_pass(place)
    else
        record_failure(place, "Test Failed", text, string("Expected: ", expected), string("     Got: ", repr(output)))
    end
    return value
end
macro test_warn(wanted, ex)
    :(Base.Test.check_warnings($(place_of(__source__)), $(Base.__expr_text(ex)), $(esc(wanted)), output -> Base.Test.contains_warning(output, $(esc(wanted))), () -> $(esc(ex))))
end
macro test_nowarn(ex)
    :(Base.Test.check_warnings($(place_of(__source__)), $(Base.__expr_text(ex)), "nothing", isempty, () -> $(esc(ex))))
end
export @test_logs, @test_warn, @test_nowarn, TestLogger, LogRecord, collect_test_logs
end
