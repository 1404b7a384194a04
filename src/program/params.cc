// params: questions about any Params struct.
#include "program/params.h"

namespace baton {
namespace {

class Programs final : public FieldVisitorOfSome {
 public:
  std::vector<Program> found;
  void program(std::string_view, Program& p) override { found.push_back(p); }
  void programs(std::string_view, std::vector<Program>& ps) override {
    found.insert(found.end(), ps.begin(), ps.end());
  }
};

}  // namespace

std::vector<Program> programs_of(const Params& params) {
  Programs programs;
  params.visit(programs);
  return std::move(programs.found);
}

}  // namespace baton
