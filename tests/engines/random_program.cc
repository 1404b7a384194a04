// random_program: equations are run by the reference as they are added, so that each row gets operands in
// its range.
#include "engines/random_program.h"

#include "engines/program_writer.h"

namespace baton::testing {

RandomProgram random_program(std::uint64_t seed) {
  constexpr int depth = 3;  // of loops and branches
  Random random(std::to_string(seed));
  ProgramWriter writer(random, depth);
  return writer.write(2 + random.bits() % 6);
}

RandomProgram large_program(std::uint64_t seed) {
  Random random("large " + std::to_string(seed));
  ProgramWriter writer(random, 0);
  return writer.write_large();
}

}  // namespace baton::testing
