#pragma once
// executable: a Program that an engine has made ready to run.
#include <memory>
#include <span>

#include "baton/array.h"
#include "baton/program.h"

namespace baton {

class Executable {
 public:
  virtual ~Executable() = default;
  /// The results. Inputs are taken over: one that nobody else holds dies at its last use.
  virtual Arrays run(Arrays inputs) const = 0;
  /// That it takes, without the memory of runs: what bounds of caches count.
  virtual std::size_t bytes() const = 0;
};
using ExecutablePtr = std::shared_ptr<const Executable>;

}  // namespace baton
