// Loops that share short work with other threads again and again, with a little in between that they do
// alone.
#pragma once

namespace hedgerow {

// As long as there is one, threads that help stay awake between calls of run_together for up to a tenth of a
// millisecond: to wake up takes longer than what they have to do.
class StayAwake {
 public:
  explicit StayAwake(int threads);
  ~StayAwake();
  StayAwake(const StayAwake&) = delete;
  StayAwake& operator=(const StayAwake&) = delete;

 private:
  bool counts_;
};

}  // namespace hedgerow
