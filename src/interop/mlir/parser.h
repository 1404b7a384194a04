#pragma once
// parser: recursive descent over the forms that MLIR prints, pretty and generic.
#include "interop/mlir/scanner.h"

namespace baton::mlir {

/// Guards against files that nest without end.
class Depth {
 public:
  Depth(int& depth, const Scanner& scan) : depth_(depth) {
    if (++depth_ > 200) {
      --depth_;
      scan.fail("brackets nest more than 200 deep.");
    }
  }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;

 private:
  int& depth_;
};

class Parser {
 public:
  Parser(ModuleSyntax& module, std::size_t begin, std::size_t end)
      : module_(module), scan_(*module.source, begin, end, module.file) {}
  /// Everything up to the end: functions, aliases, resources.
  void parse();

  Attribute attribute(bool typed);  // typed: a number may be followed by `: type`
  TypeSyntax type();
  Fields fields();  // key = value, ... up to the end

 private:
  void top_level(bool in_module);
  void resources();
  void function();
  void add(Function);
  void generic_function(Op&);
  std::vector<BlockArgument> parameters();
  std::vector<TypeSyntax> result_list();
  Region region();
  void block_arguments(Region&);
  Op op();
  void generic(Op&);
  void pretty(Op&);
  void group(Op&, bool inits);
  void word_form(Op&, bool& operand_next, bool& done);
  void signature(Op&);
  Use use();
  Attribute number(bool typed);
  Attribute hash_attribute();
  void dict(Fields&);
  void tensor(TypeSyntax&);
  void skip_location();
  void apply_loop_region(Op&, Text word);

  ModuleSyntax& module_;
  Scanner scan_;
  int depth_ = 0;
  std::map<Text, TypeSyntax> type_aliases_;
};

/// A decimal number and nothing else, whatever the locale; too large a one is infinite, too small a one 0.
bool read_real(Text, double&);

/// The dtype of an MLIR element type such as f32 or ui8; nothing for those that Baton does not have.
std::optional<Dtype> element_type(Text name);

}  // namespace baton::mlir
