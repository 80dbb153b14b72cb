// A test is a function that a TEST block registers; CHECK counts failures and says where.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

struct TestCase {
  const char* name;
  void (*run)();
};

std::vector<TestCase>& test_cases();
int& failures();

struct Register {
  Register(const char* name, void (*run)()) { test_cases().push_back({name, run}); }
};

#define TEST(name)                               \
  static void name();                            \
  static const Register register_##name(#name, name); \
  static void name()

#define CHECK(condition)                                                         \
  do {                                                                           \
    if (!(condition)) {                                                          \
      ++failures();                                                              \
      std::printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);      \
    }                                                                            \
  } while (false)

#define CHECK_NEAR(a, b, tolerance) CHECK(std::abs((a) - (b)) <= (tolerance))

#define CHECK_THROWS(statement, error) \
  do {                                 \
    bool thrown = false;               \
    try {                              \
      statement;                       \
    } catch (const error&) {           \
      thrown = true;                   \
    }                                  \
    CHECK(thrown);                     \
  } while (false)
