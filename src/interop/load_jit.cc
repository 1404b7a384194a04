// load_jit: binds the flat arguments and results of an imported Program to the leaves of a user's structs.
#include "baton/load_jit.h"

#include "base/text.h"
#include "baton/stablehlo.h"
#include "trace/trace.h"

namespace baton::core {

class LoadedProgram {
 public:
  std::string path;
  Program program;
};

std::shared_ptr<const LoadedProgram> load_program(const std::string& path, const LoadOptions& options,
                                                  Where where) {
  const auto placed = [&](std::string text) {  // before what to do
    return text.insert(std::min(text.find('\n'), text.size()), called_at(where));
  };
  try {
    return std::make_shared<LoadedProgram>(LoadedProgram{path, load_stablehlo(path, options.function)});
  } catch (const UnsupportedError& e) {
    throw UnsupportedError(placed(e.what()));
  } catch (const UsageError& e) {
    throw UsageError(placed(e.what()));
  }
}

void run_loaded(const LoadedProgram& loaded, TreeRef arguments, TreeRef result, Where where) {
  const Arrays leaves = flatten(arguments);
  const std::vector<std::string> names = paths(arguments, "args"), result_names = paths(result, "result");
  const Types inputs = loaded.program.inputs(), outputs = loaded.program.outputs();
  const std::string who = "load_jit: " + loaded.path;
  if (const Where call = TracedCall::innermost(); call.known()) where = call;  // of the loaded function
  if (leaves.size() != inputs.size())
    throw UsageError(who + " takes " + std::to_string(inputs.size()) +
                     " arguments, and the C++ arguments have " + std::to_string(leaves.size()) + " leaves." +
                     called_at(where));
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::string found = leaves[i].empty() ? "empty" : show(leaves[i].type());
    if (found != show(inputs[i]))
      throw UsageError(who + ": argument " + std::to_string(i) + " must be " + show(inputs[i]) +
                       ", found leaf " + names[i] + " " + found + "." + called_at(where));
  }
  if (result_names.size() != outputs.size())
    throw UsageError(who + " gives " + std::to_string(outputs.size()) + " results, and the C++ result has " +
                     std::to_string(result_names.size()) + " leaves." + called_at(where));
  const Arrays results = splice(loaded.program, leaves, where);
  // The part of the result that began as an argument says which types it expects.
  const Arrays expected = flatten(result);
  for (std::size_t k = 0; k < results.size(); ++k)
    if (!expected[k].empty() && expected[k].type() != results[k].type())
      throw UsageError(who + ": result " + std::to_string(k) + " is " + show(results[k].type()) +
                       ", and leaf " + result_names[k] + " must be " + show(expected[k].type()) + "." +
                       called_at(where));
  assign(result, results);
}

}  // namespace baton::core
