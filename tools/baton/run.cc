// run: programs on arrays from files, and their derivatives.
#include <iostream>

#include "baton/engine.h"
#include "baton/error.h"
#include "baton/safetensors.h"
#include "baton/stablehlo.h"
#include "commands.h"
#include "interop/derivative.h"
#include "interop/runner.h"

namespace baton::tool {
namespace {

Array input(const Safetensors& file, const std::string& path, const std::string& key, const Type& type) {
  if (!file.contains(key))
    throw UsageError(path + ": the array `" + key + "` of type " + show(type) +
                     " is required, but it is not there.");
  if (file.type(key) != type)
    throw UsageError(path + ": the array `" + key + "` must be " + show(type) + ", found " +
                     show(file.type(key)) + ".");
  return file.array(key);
}

/// key.0, key.1, ... of those types that the mask names.
void read_inputs(Arrays& to, const Safetensors& file, const std::string& path, const std::string& key,
                 const Types& types, const std::vector<bool>& mask) {
  for (std::size_t i = 0; i < types.size(); ++i)
    if (mask[i]) to.push_back(input(file, path, key + "." + std::to_string(i), types[i]));
}
void write_results(NamedArrays& to, const Arrays& results, std::size_t first, const std::string& key,
                   const std::vector<bool>& mask) {
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i]) to[key + "." + std::to_string(i)] = results[first++];
}

std::vector<bool> donated(const RunOptions& o, std::size_t inputs) {
  std::vector<bool> marked(inputs);
  for (int i : o.donate) {
    if (i < 0 || static_cast<std::size_t>(i) >= inputs)
      throw OptionError("--donate: there is no input " + std::to_string(i) + "; " + o.program + " has " +
                        std::to_string(inputs) + ", counted from 0.");
    marked[static_cast<std::size_t>(i)] = true;
  }
  return marked;
}

}  // namespace

void require_engine(const std::string& name) {
  try {
    set_default_engine(engine_named(name, {}));
  } catch (const UsageError& e) {
    throw OptionError(std::string("--") + e.what());
  }
}

int run(const RunOptions& o) {
  require_engine(o.engine);
  const Program program = load_stablehlo(o.program);
  const Types types = program.inputs();
  Arrays inputs;
  {
    const Safetensors file(o.in);
    read_inputs(inputs, file, o.in, "in", types, std::vector<bool>(types.size(), true));
  }
  std::string report;
  const Arrays results =
      run_program(program, std::move(inputs), donated(o, types.size()), o.report ? &report : nullptr);
  std::cerr << report;
  NamedArrays out;
  write_results(out, results, 0, "out", std::vector<bool>(results.size(), true));
  save_safetensors(o.out, out);
  return 0;
}

int plan(const RunOptions& o) {
  const Program program = load_stablehlo(o.program);
  std::cout << plan_text(program, donated(o, program.inputs().size()));
  return 0;
}

int grad(const RunOptions& o) {
  require_engine(o.engine);
  const Program program = load_stablehlo(o.program);
  const Types in = program.inputs(), out = program.outputs();
  const Safetensors file(o.in);
  Arrays inputs;
  read_inputs(inputs, file, o.in, "in", in, std::vector<bool>(in.size(), true));
  if (o.jvp)
    read_inputs(inputs, file, o.in, "tan", in, inexact_mask(in));
  else
    read_inputs(inputs, file, o.in, "ct", out, inexact_mask(out));
  const Program derived = o.jvp ? jvp_program(program) : vjp_program(program);
  const Arrays results = run_program(derived, std::move(inputs));
  NamedArrays named;
  write_results(named, results, 0, "out", std::vector<bool>(out.size(), true));
  if (o.jvp)
    write_results(named, results, out.size(), "jvp", inexact_mask(out));
  else
    write_results(named, results, out.size(), "grad", inexact_mask(in));
  save_safetensors(o.out, named);
  return 0;
}

}  // namespace baton::tool
