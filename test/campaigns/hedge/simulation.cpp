// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulation.h"

#include <algorithm>

namespace kiln::hedge_test {

namespace {

constexpr Micros ms = 1'000;
constexpr Micros greeting_limit = 20 * ms, first_pause = 100 * ms; // as AgentClient's

/// A step of a launch: it asks for an entry, and does the work if none has come.
struct Step {
  Micros cost;
  Micros usual_cost; ///< as the session estimates it
  bool is_raced;     ///< the work ends when the entry comes; without it the request is dropped when the work
                     ///< begins
};

/// A process with one launch, as AgentClient and RemoteLookup do it.
class Launch : public std::enable_shared_from_this<Launch> {
public:
  using Done = std::function<void(Micros time, bool has_hit)>;
  Launch(World &world, Node &node, std::vector<Step> steps, bool is_stored, Done done)
      : world_(world), node_(node), steps_(std::move(steps)), is_stored_(is_stored), done_(std::move(done)) {}

  void begin() {
    began_ = world_.now();
    const auto silence = node_.mark_age();
    is_marked_ = silence.has_value();
    if (silence && std::chrono::microseconds(*silence) > Patience::answer_limit) patience_.doubt();
    link_ = node_.connect();
    next_step();
  }

private:
  /// A request under way.
  struct Fetch {
    uint64_t number;
    std::optional<Outcome> outcome;
  };

  void next_step() {
    if (at_ == steps_.size()) return put();
    asked_ = world_.now();
    if (is_ready()) {
      fetch_ = Fetch{++number_, std::nullopt};
      node_.get(link_, number_, is_stored_);
      patience_.on_sent(node_.time());
      link_->on_letter = [self = shared_from_this()] { self->wait(); };
    }
    wait();
  }

  bool is_ready() {
    if (world_.now() < quiet_until_) return false;
    if (patience_.is_silent(node_.time())) look();
    if (patience_.is_silent(node_.time())) {
      leave_alone();
      return false;
    }
    if (!link_) link_ = node_.connect();
    return link_ != nullptr;
  }

  /// Reads what has come. The first look after a break ends the request.
  void look() {
    if (!link_) return;
    for (const Link::Letter &letter : std::exchange(link_->inbox, {})) {
      link_->is_greeted = true;
      patience_.on_message();
      if (letter.kind != Link::Letter::Kind::Taken) patience_.set_expected(letter.patience_us);
      if (std::exchange(is_marked_, false)) node_.remove_mark();
      if (letter.kind == Link::Letter::Kind::Answer && fetch_ && fetch_->number == letter.number)
        fetch_->outcome = letter.outcome;
      if (letter.kind == Link::Letter::Kind::Taken) is_taken_ = true;
    }
    if (!link_->is_broken) return;
    if (fetch_ && !fetch_->outcome) fetch_->outcome = Outcome::Failed;
    leave_alone();
  }

  void leave_alone() {
    quiet_until_ = world_.now() + first_pause;
    if (link_) link_->on_letter = nullptr;
    link_.reset();
    patience_.on_break();
  }

  void wait() {
    look();
    if (!fetch_ || fetch_->outcome) return end_of_wait();
    const Micros until = asked_ + patience_.wait(std::chrono::microseconds(steps_[at_].usual_cost)).count();
    if (world_.now() >= until) {
      patience_.on_left();
      return end_of_wait();
    }
    world_.after(until - world_.now(), [self = shared_from_this(), number = number_] {
      if (self->fetch_ && self->fetch_->number == number && self->is_waiting()) self->wait();
    });
  }
  bool is_waiting() const { return link_ && link_->on_letter; }

  void end_of_wait() {
    if (link_) link_->on_letter = nullptr;
    if (fetch_ && fetch_->outcome == Outcome::Found) return end_step(true);
    const Step &step = steps_[at_];
    if (!step.is_raced) drop_fetch();
    work_until_ = world_.now() + step.cost;
    slice_ = std::clamp<Micros>(step.cost / 8, 1, 5 * ms); // borders of stages, looks of waits for a worker
    work();
  }

  void work() {
    if (fetch_) look();
    if (fetch_ && fetch_->outcome == Outcome::Found) return end_step(true);
    if (world_.now() >= work_until_) return end_step(false);
    world_.after(std::min(slice_, work_until_ - world_.now()), [self = shared_from_this()] { self->work(); });
  }

  void drop_fetch() {
    look();
    if (fetch_ && !fetch_->outcome && link_) {
      if (!link_->is_greeted && patience_.silence(node_.time()) > std::chrono::microseconds(greeting_limit))
        note_silence();
      if (link_) node_.cancel(link_, fetch_->number);
    }
    fetch_.reset();
  }

  void note_silence() {
    const auto age = node_.mark_age();
    node_.set_mark();
    is_marked_ = true;
    patience_.doubt();
    if (age && *age > std::chrono::microseconds(Patience::answer_limit).count()) leave_alone();
  }

  void end_step(bool is_hit) {
    has_hit_ |= is_hit;
    drop_fetch();
    at_++;
    next_step();
  }

  /// The process ends when the agent has taken its entries, or when it no longer waits for that. It does not
  /// wait for an agent that has not answered.
  void put() {
    if (!is_ready()) return finish();
    node_.put(link_);
    patience_.on_sent(node_.time());
    if (patience_.is_doubted() || !patience_.is_met()) return finish();
    link_->on_letter = [self = shared_from_this()] {
      self->look();
      if (self->is_taken_ || !self->link_) self->finish();
    };
    world_.after(200 * ms, [self = shared_from_this()] { self->finish(); });
  }

  void finish() {
    if (!std::exchange(is_finished_, true)) done_(world_.now() - began_, has_hit_);
    if (link_) link_->on_letter = nullptr;
  }

  World &world_;
  Node &node_;
  const std::vector<Step> steps_;
  const bool is_stored_;
  const Done done_;
  Patience patience_;
  std::shared_ptr<Link> link_;
  std::optional<Fetch> fetch_;
  uint64_t number_ = 0;
  size_t at_ = 0;
  Micros began_ = 0, asked_ = 0, work_until_ = 0, slice_ = 0, quiet_until_ = 0;
  bool is_marked_ = false, has_hit_ = false, is_taken_ = false, is_finished_ = false;
};

double percentile(std::vector<Micros> &values, double share) {
  if (values.empty()) return 0;
  const size_t rank = std::min(values.size() - 1, size_t(share * double(values.size())));
  std::nth_element(values.begin(), values.begin() + ptrdiff_t(rank), values.end());
  return double(values[rank]);
}

} // namespace

Ratios run_launches(Fault fault, bool assembles, uint64_t count, uint64_t seed) {
  World world(seed, false);
  Node node(world, fault, assembles);
  std::vector<Micros> with, without;
  Ratios ratios;
  uint64_t begun = 0;
  std::function<void()> begin_group = [&] {
    // Ranks of a node start together.
    for (Micros i = world.random(0, 2) ? 1 : world.random(2, 8); i > 0 && begun < count; i--, begun++) {
      const Micros compile = world.random(6 * ms, 20 * ms), inference = compile * world.random(2, 5) / 10;
      std::vector<Step> steps{{inference, 50 * ms, false}, {compile - inference, 20 * ms, true}};
      Micros alone = compile;
      if (assembles) {
        const Micros assembling = world.random(500 * ms, 5'000 * ms);
        steps.push_back({assembling, 500 * ms, true});
        alone += assembling;
      }
      auto launch = std::make_shared<Launch>(
          world, node, std::move(steps), world.random(0, 1) == 0, [&, alone](Micros time, bool has_hit) {
            ratios.launches++;
            if (has_hit) {
              ratios.hits++;
            } else {
              with.push_back(time);
              without.push_back(alone);
              ratios.longest_delay = std::max(ratios.longest_delay, time - alone);
            }
            if (ratios.launches == count) node.end();
          });
      world.after(world.random(0, 1'000), [launch] { launch->begin(); });
    }
    const Micros scale = assembles ? 20 : 1;
    if (begun < count)
      world.after(scale * (world.random(0, 3) ? world.random(5 * ms, 200 * ms) : world.random(0, 3'000 * ms)),
                  begin_group);
  };
  begin_group();
  world.run(INT64_MAX);
  ratios.median = percentile(with, 0.5) / percentile(without, 0.5);
  ratios.p99 = percentile(with, 0.99) / percentile(without, 0.99);
  ratios.events = world.events();
  return ratios;
}

} // namespace kiln::hedge_test
