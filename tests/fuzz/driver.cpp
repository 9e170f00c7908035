// A small fuzzer for compilers without libFuzzer, with the flags of libFuzzer that `make fuzz` uses:
//
//   fuzz_readers [-max_total_time=SECONDS] [-seed=N] [-max_len=BYTES] [-dict=FILE] [-artifact_prefix=PATH]
//   INPUT...
//
// INPUT is a file or a folder of files. Files alone are run once each; with a folder, inputs are mutated for
// the given time, and those that reach new code (gcc's -fsanitize-coverage=trace-pc) join the corpus, which
// is kept in the first folder.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>

#include "mutator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace hedgerow::fuzz;
using Clock = std::chrono::steady_clock;

constexpr unsigned hang_seconds = 20;

std::uint8_t visited[1 << 16];  // places of the program, hashed
std::size_t places = 0;

struct Settings {
  long seconds = 60;
  std::uint64_t seed = 1;
  std::size_t max_length = 1024;
  std::string artifact_prefix;
  Inputs dictionary;
  Inputs corpus;
  std::filesystem::path folder;  // of the corpus; inputs are mutated if there is one
};

// The input under way, in memory that outlives the process that runs it.
struct Shared {
  std::size_t size;
  std::size_t executions;
  char data[1 << 20];
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Number>
Number number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    std::fprintf(stderr, "expected a number, found '%.*s'\n", static_cast<int>(text.size()), text.data());
    std::exit(2);
  }
  return value;
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto value = [&](std::string_view flag) { return argument.substr(flag.size()); };
    if (argument.starts_with("-max_total_time=")) {
      settings.seconds = number<long>(value("-max_total_time="));
    } else if (argument.starts_with("-seed=")) {
      settings.seed = number<std::uint64_t>(value("-seed="));
    } else if (argument.starts_with("-max_len=")) {
      settings.max_length = std::min(number<std::size_t>(value("-max_len=")), sizeof(Shared::data));
    } else if (argument.starts_with("-dict=")) {
      settings.dictionary = parse_dictionary(read_file(value("-dict=")));
    } else if (argument.starts_with("-artifact_prefix=")) {
      settings.artifact_prefix = value("-artifact_prefix=");
    } else if (argument.starts_with("-")) {
      std::fprintf(stderr, "unknown flag %s\n", argv[i]);
      std::exit(2);
    } else if (std::filesystem::is_directory(argument)) {
      if (settings.folder.empty()) settings.folder = argument;
      for (const auto& entry : std::filesystem::directory_iterator(argument))
        settings.corpus.push_back(read_file(entry.path()));
    } else {
      settings.corpus.push_back(read_file(argument));
    }
  }
  // A folder lists its files in no particular order; results should depend on the seed only.
  std::sort(settings.corpus.begin(), settings.corpus.end());
  if (settings.corpus.empty()) settings.corpus.emplace_back();
  return settings;
}

// Runs one input; true when it reached new code.
bool run(std::string_view input, Shared& shared) {
  shared.size = std::min(input.size(), sizeof shared.data);
  std::memcpy(shared.data, input.data(), shared.size);
  ++shared.executions;
  const std::size_t before = places;
  alarm(hang_seconds);
  // A copy of its own, so that the sanitizer sees a byte read too far.
  const std::vector<std::uint8_t> bytes(shared.data, shared.data + shared.size);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  return places > before;
}

void keep(std::string input, Settings& settings) {
  const auto name = std::to_string(std::hash<std::string>()(input));
  std::ofstream(settings.folder / name, std::ios::binary) << input;
  settings.corpus.push_back(std::move(input));
}

void fuzz(Settings& settings, Shared& shared) {
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const auto report = [&] {
    std::printf("%.0f s: %zu executions, %.0f a second, %zu places reached, %zu inputs kept\n", elapsed(),
                shared.executions, static_cast<double>(shared.executions) / elapsed(), places,
                settings.corpus.size());
    std::fflush(stdout);
  };
  for (const std::string& input : settings.corpus) run(input, shared);
  if (!settings.folder.empty()) {
    Mutator mutator(settings.dictionary, settings.seed);
    for (double next_report = 15; elapsed() < static_cast<double>(settings.seconds);) {
      std::string input = mutator.mutate(settings.corpus, settings.max_length);
      if (run(input, shared)) keep(std::move(input), settings);
      if (elapsed() >= next_report) {
        report();
        next_report += 15;
      }
    }
  }
  alarm(0);
  report();
}

}  // namespace

// The readers allocate a lot: no stack traces, and a quarantine that fits into the cache and holds what one
// input frees, make that several times faster. To see where memory came from, run the input again with
// ASAN_OPTIONS=malloc_context_size=30.
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=1:quarantine_size_mb=1:thread_local_quarantine_size_kb=64:max_malloc_fill_size="
         "0";
}

// Called by instrumented code at every branch, so it must not be instrumented itself.
extern "C" __attribute__((no_sanitize("address", "undefined"))) void __sanitizer_cov_trace_pc() {
  const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  std::uint8_t& seen = visited[(place ^ (place >> 16)) % sizeof visited];
  if (seen != 0) return;
  seen = 1;
  ++places;
}

int main(int argc, char** argv) {
  Settings settings = parse(argc, argv);
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("mmap");
    return 2;
  }
  auto& shared = *new (memory) Shared;

  // The readers run in a process of their own: whatever kills it, the input survives here.
  const pid_t child = fork();
  if (child < 0) {
    std::perror("fork");
    return 2;
  }
  if (child == 0) {
    fuzz(settings, shared);
    std::exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;

  const std::string path = settings.artifact_prefix + "crash-" + std::to_string(shared.executions);
  std::ofstream(path, std::ios::binary).write(shared.data, static_cast<std::streamsize>(shared.size));
  const bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  std::fprintf(stderr, "%s after %zu executions; the input is in %s\n",
               hung ? "an input took too long" : "the readers failed", shared.executions, path.c_str());
  return 1;
}
