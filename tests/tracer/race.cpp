// Two threads count without a lock: what a build with ThreadSanitizer must report, or its silence about others means
// nothing.

#include <iostream>
#include <thread>

int main() {
  int count = 0;
  const auto add = [&count] {
    for (int i = 0; i < 1000; ++i) ++count;
  };
  std::thread one(add), other(add);
  one.join();
  other.join();
  std::cout << count << '\n';
}
