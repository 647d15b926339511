// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "space.h"

#include <kiln/extension/language/internal/hint.h>
#include <support/read_number.h>

#include <algorithm>

namespace kiln {

namespace {

Error space_error(std::string message, std::string hint = {}) {
  return make_error(ErrorCode::SpaceError, std::move(message), {}, std::move(hint));
}

bool is_name(std::string_view text) {
  return !text.empty() && (text[0] < '0' || text[0] > '9') && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

} // namespace

/// Scope of parameters and sizes.
class SpacePlan::Scope : public ExpressionScope {
public:
  Scope(const SpacePlan &plan, const PointValues *values) : plan_(plan), values_(values) {}
  Result<int64_t> value(std::string_view name) const override {
    if (auto found = plan_.size_values_.find(name); found != plan_.size_values_.end()) return found->second;
    const auto index = plan_.parameter(name);
    if (!index || !values_) return space_error(fmt::format("`{}` has no value here", name));
    const std::string &text = (*values_)[*index];
    if (text == "true" || text == "false") return int64_t(text == "true");
    if (const auto number = read_number<int64_t>(text)) return *number;
    return space_error(fmt::format("{} is `{}`, which is no whole number", name, text));
  }
  Result<int64_t> size(int64_t argument, int64_t dimension) const override {
    if (!plan_.arguments_) return space_error("there are no arguments to ask");
    return plan_.arguments_(argument, dimension);
  }

private:
  const SpacePlan &plan_;
  const PointValues *values_; ///< null: sizes only
};

Result<ShapePlan> ShapePlan::parse(const TuneShape &shape,
                                   const std::function<bool(std::string_view)> &is_known) {
  ShapePlan plan;
  for (size_t i = 0; i < 3; i++) {
    KILN_TRY(plan.threads[i], Expression::parse("threads", shape.threads[i], is_known, 1));
    KILN_TRY(plan.blocks[i], Expression::parse("blocks", shape.blocks[i], is_known, 1));
  }
  KILN_TRY(plan.shared_bytes, Expression::parse("shmem", shape.shared_bytes, is_known, 0));
  return plan;
}

Result<LaunchShape> ShapePlan::evaluate(const ExpressionScope &scope) const {
  LaunchShape shape;
  for (auto [from, to, what] :
       {std::tuple(&threads, &shape.threads, "threads"), std::tuple(&blocks, &shape.blocks, "blocks")})
    for (size_t i = 0; i < 3; i++) {
      KILN_TRY(const int64_t extent, (*from)[i].evaluate(scope));
      if (extent < 1 || extent > UINT32_MAX)
        return make_error(ErrorCode::ExpressionError, fmt::format("{} are from 1 to 2^32 - 1, not {}: {}",
                                                                  what, extent, (*from)[i].text()));
      (*to)[i] = uint32_t(extent);
    }
  KILN_TRY(const int64_t shared, shared_bytes.evaluate(scope));
  if (shared < 0)
    return make_error(ErrorCode::ExpressionError,
                      fmt::format("shmem is {} bytes: {}", shared, shared_bytes.text()));
  shape.shared_bytes = uint64_t(shared);
  return shape;
}

bool SpacePlan::is_size(std::string_view name) const {
  return std::ranges::any_of(sizes_, [&](const auto &size) { return size.first == name; });
}

std::optional<size_t> SpacePlan::parameter(std::string_view name) const {
  for (size_t i = 0; i < space_.parameters.size(); i++)
    if (space_.parameters[i].name == name) return i;
  return std::nullopt;
}

Result<SpacePlan> SpacePlan::make(const TuneSpace &space) {
  SpacePlan plan;
  plan.space_ = space;
  for (const TuneParameter &each : space.parameters) {
    if (!is_name(each.name))
      return space_error(
          fmt::format("`{}` is no name of a parameter: it is made of letters, digits and _", each.name));
    if (std::ranges::count(space.parameters, each.name, &TuneParameter::name) > 1)
      return space_error(fmt::format("the parameter {} is there twice", each.name));
    if (each.values.empty() && space.candidates.empty())
      return space_error(fmt::format("the parameter {} has no values", each.name),
                         parameter_hint("", each.name));
  }
  for (const auto &[name, text] : space.sizes) {
    if (!is_name(name)) return space_error(fmt::format("`{}` is no name of a size", name));
    if (plan.parameter(name) || plan.is_size(name))
      return space_error(fmt::format("the name {} is there twice", name));
    KILN_TRY(Expression size, Expression::parse("sizes: " + name, text, [](auto) { return false; }, 0));
    plan.sizes_.emplace_back(name, std::move(size));
  }
  const auto is_known = [&](std::string_view name) {
    return plan.is_size(name) || plan.parameter(name).has_value();
  };
  for (const std::string &text : space.constraints) {
    KILN_TRY(Expression constraint, Expression::parse("constraint", text, is_known, 1));
    plan.constraints_.push_back(std::move(constraint));
  }
  KILN_TRY(plan.shape_, ShapePlan::parse(space.shape, is_known));
  for (const auto &candidate : space.candidates) KILN_CHECK(plan.values_of(candidate));
  size_t count = 1;
  for (const TuneParameter &each : space.parameters)
    if (space.candidates.empty() && (count *= each.values.size()) > max_points)
      return space_error(fmt::format("the space has more than {} candidates", max_points),
                         "fewer values, or a list of candidates");
  return plan;
}

Result<void> SpacePlan::measure(const ArgumentSizes &arguments) {
  arguments_ = arguments;
  const Scope scope(*this, nullptr);
  for (const auto &[name, expression] : sizes_) {
    KILN_TRY(const int64_t value, expression.evaluate(scope));
    size_values_[name] = value;
  }
  return {};
}

Result<PointValues> SpacePlan::values_of(const std::vector<TuneSetting> &settings) const {
  PointValues values(space_.parameters.size());
  std::vector<bool> given(values.size());
  for (const auto &[name, value] : settings) {
    const auto index = parameter(name);
    if (!index)
      return space_error(fmt::format("a candidate has a value for {}, which is no parameter", name));
    values[*index] = value;
    given[*index] = true;
  }
  for (size_t i = 0; i < values.size(); i++)
    if (!given[i])
      return space_error(
          fmt::format("a candidate has no value for the parameter {}", space_.parameters[i].name));
  return values;
}

Result<std::vector<PointValues>> SpacePlan::points(size_t &excluded) const {
  std::vector<PointValues> all;
  std::set<PointValues> seen;
  auto add = [&](PointValues values) -> Result<void> {
    const Scope scope(*this, &values);
    for (const Expression &constraint : constraints_) {
      KILN_TRY(const int64_t holds, constraint.evaluate(scope));
      if (holds) continue;
      excluded++;
      return {};
    }
    if (seen.insert(values).second) all.push_back(std::move(values));
    return {};
  };
  for (const auto &candidate : space_.candidates) {
    KILN_TRY(PointValues values, values_of(candidate));
    KILN_CHECK(add(std::move(values)));
  }
  if (!space_.candidates.empty()) return all;
  std::vector<size_t> turn(space_.parameters.size());
  for (bool has_next = true; has_next;) {
    PointValues values;
    for (size_t i = 0; i < turn.size(); i++) values.push_back(space_.parameters[i].values[turn[i]]);
    KILN_CHECK(add(std::move(values)));
    has_next = false;
    for (size_t i = turn.size(); i-- > 0 && !has_next;) { // the last parameter varies fastest
      has_next = ++turn[i] < space_.parameters[i].values.size();
      if (!has_next) turn[i] = 0;
    }
  }
  return all;
}

Result<LaunchShape> SpacePlan::shape(const PointValues &values) const {
  return shape_.evaluate(Scope(*this, &values));
}

Result<LaunchShape> SpacePlan::shape_of(const TuneShape &shape) const {
  KILN_TRY(ShapePlan plan, ShapePlan::parse(shape, [&](std::string_view name) { return is_size(name); }));
  return plan.evaluate(Scope(*this, nullptr));
}

Result<std::string> SpacePlan::filled(std::string_view text, const PointValues &values) const {
  return fill_names(text, [&](std::string_view name) {
    const auto index = parameter(name);
    return index ? &values[*index] : nullptr;
  });
}

std::string SpacePlan::describe(const PointValues &values) const {
  std::string out;
  for (size_t i = 0; i < values.size(); i++)
    out += fmt::format("{}{}={}", i ? " " : "", space_.parameters[i].name, values[i]);
  return out.empty() ? "the only candidate" : out;
}

} // namespace kiln
