// info: what this build is.
#include <iostream>

#include "commands.h"
#include "interop/runner.h"

namespace baton::tool {

int info() {
  std::cout << "baton " << BATON_VERSION << " (Apache-2.0)\n";
  std::cout << "engines: reference, cpu\n";
  std::cout << "cpu features:";
#if defined(__x86_64__)
  __builtin_cpu_init();
  const std::pair<const char*, bool> features[] = {{"sse4.2", __builtin_cpu_supports("sse4.2")},
                                                   {"avx", __builtin_cpu_supports("avx")},
                                                   {"avx2", __builtin_cpu_supports("avx2")},
                                                   {"fma", __builtin_cpu_supports("fma")},
                                                   {"avx512f", __builtin_cpu_supports("avx512f")}};
  for (const auto& [name, has] : features)
    if (has) std::cout << " " << name;
#endif
  struct Library {
    const char *name, *version, *licence;
  };
  constexpr Library libraries[] = {
#include "third_party.inc"
  };
  std::cout << "\nlibraries:\n";
  for (const Library& l : libraries)
    std::cout << "  " << l.name << " " << l.version << " (" << l.licence << ")\n";
  std::size_t count = 0;
  const auto missing = primitives_without_kernel(count);
  std::cout << "primitives: " << count << ", without a kernel on reference: " << missing.size() << "\n";
  for (const std::string& name : missing) std::cout << "  " << name << "\n";
  return 0;
}

}  // namespace baton::tool
