// Threads that share out the pieces of one task after another, for as long as the crew lives.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace maxmin {

class Crew {
 public:
  // `threads` counts the caller's own; fewer are used if the machine does not start so many.
  explicit Crew(std::size_t threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  std::size_t size() const { return workers_.size() + 1; }

  // Call task(piece, member) for each piece from 0 to n_pieces - 1, each on any member of the crew (0 is the caller),
  // and return when all are done. Tasks throw nothing. At most 2^31 pieces.
  template <typename Task>
  void share(std::size_t n_pieces, const Task& task) {
    if (workers_.empty() || n_pieces < 2) {
      for (std::size_t piece = 0; piece < n_pieces; ++piece) task(piece, 0);
    } else {
      hand_out(n_pieces, std::cref(task));
    }
  }

 private:
  using Call = std::function<void(std::size_t piece, std::size_t member)>;

  void hand_out(std::size_t n_pieces, const Call& task);
  // Do pieces until none is left; returns the ticket that says so.
  std::uint64_t work(std::size_t member);
  void serve(std::size_t member);

  const Call* task_ = nullptr;          // read only by who holds a piece, so never while it is set
  std::atomic<std::uint64_t> ticket_ = 0;  // pieces of the task (high half), and how many of them are taken
  std::atomic<std::size_t> done_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace maxmin
