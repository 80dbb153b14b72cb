#include "maxmin/crew.hpp"

#include <system_error>

namespace maxmin {
namespace {

constexpr std::uint64_t kOver = ~std::uint64_t{0};

// Passes follow each other within microseconds, so look a while before going to sleep; others may have the processor.
constexpr int kLooks = 200;

std::uint64_t n_pieces(std::uint64_t ticket) { return ticket >> 32; }
std::uint64_t taken(std::uint64_t ticket) { return ticket & 0xffffffffULL; }

}  // namespace

Crew::Crew(std::size_t threads) {
  workers_.reserve(threads);  // once a thread runs, nothing below may fail but the start of another
  try {
    for (std::size_t member = 1; member < threads; ++member) workers_.emplace_back([this, member] { serve(member); });
  } catch (const std::system_error&) {  // no more threads to be had
  }
}

Crew::~Crew() {
  ticket_.store(kOver, std::memory_order_release);
  ticket_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Crew::hand_out(std::size_t n, const Call& task) {
  task_ = &task;
  done_.store(0, std::memory_order_relaxed);
  ticket_.store(std::uint64_t{n} << 32, std::memory_order_release);
  ticket_.notify_all();
  work(0);
  while (done_.load(std::memory_order_acquire) < n) std::this_thread::yield();
}

std::uint64_t Crew::work(std::size_t member) {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  while (taken(ticket) < n_pieces(ticket)) {
    // Whoever takes a piece keeps the task from ending, and with it `task_`.
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
    (*task_)(taken(ticket), member);
    done_.fetch_add(1, std::memory_order_release);
    ticket = ticket_.load(std::memory_order_acquire);
  }
  return ticket;
}

void Crew::serve(std::size_t member) {
  for (std::uint64_t last = 0; last != kOver;) {
    for (int look = 0; look < kLooks && ticket_.load(std::memory_order_relaxed) == last; ++look) {
      std::this_thread::yield();
    }
    ticket_.wait(last, std::memory_order_acquire);
    last = work(member);
  }
}

}  // namespace maxmin
