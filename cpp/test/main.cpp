#include "check.hpp"

std::vector<TestCase>& test_cases() {
  static std::vector<TestCase> cases;
  return cases;
}

int& failures() {
  static int count = 0;
  return count;
}

int main() {
  int failed = 0;
  for (const TestCase& test : test_cases()) {
    const int before = failures();
    test.run();
    if (failures() != before) {
      ++failed;
      std::printf("failed: %s\n", test.name);
    }
  }
  const int passed = static_cast<int>(test_cases().size()) - failed;
  std::printf("core: %d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
