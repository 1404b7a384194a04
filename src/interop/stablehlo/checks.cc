// checks: operations of the check dialect put their operands beside the outputs of the function that holds
// them.
#include "interop/stablehlo/handlers.h"

namespace baton::stablehlo {
namespace {

double real_of_attribute(const Context& c, Text key, double otherwise) {
  const Attribute* a = c.find(key);
  if (!a) return otherwise;
  if (a->kind != Attribute::Kind::real && a->kind != Attribute::Kind::integer)
    c.fail("`" + std::string(key) + "` must be a number.");
  return a->real;
}

void require(Context& c, const Check& check, const Array& actual, const Array& expected) {
  if (!c.importer.checks) c.unsupported("`" + c.name() + "` checks values; run the file with `baton check`.");
  if (Trace::current()->outer() != nullptr)
    c.unsupported("`" + c.name() + "` inside a region is not supported.");
  c.importer.checks->push_back(check);
  c.importer.checked.push_back(actual);
  c.importer.checked.push_back(expected);
}

}  // namespace

void read_check(Context& c) {
  const bool call = c.op.name == "stablehlo.custom_call";
  Text name = call ? (c.op.symbol.empty() ? c.need("call_target_name").text : c.op.symbol) : c.op.name;
  Check check;
  check.line = c.where.line;
  Array expected;
  const Narrow* narrow = nullptr;
  if (name.ends_with("_const")) {
    Attribute a = c.op.values.empty() ? c.need("value") : c.resolve(c.op.values[0]);
    if (!a.type.type)
      c.unsupported(c.name() + ": the type " + std::string(a.type.text) + " is not supported.");
    narrow = a.type.narrow;
    const mlir::Elements e = mlir::decode(a, c.importer.module);
    const Array scalar_or_all(e.splat ? Type{e.type.dtype, {}} : e.type, e.bytes.data(), c.where);
    expected = e.splat ? lax::broadcast_in_dim({scalar_or_all, c.where}, e.type.shape, {}) : scalar_or_all;
    name.remove_suffix(Text("_const").size());
  } else {
    expected = c.array(1);
    narrow = c.narrow(1);
  }
  if (narrow != c.narrow(0)) c.fail("two operands of one type are required.");
  const bool inexact = is_inexact(expected.dtype());
  if (name == "check.expect_eq" || (name == "check.eq" && !inexact)) {
    check.kind = Check::Kind::equal;
  } else if (name == "check.expect_almost_eq" || name == "check.eq") {
    check.kind = Check::Kind::almost_equal;
    check.tolerance = real_of_attribute(c, "tolerance", call && name != "check.eq" ? 1e-3 : 1e-4);
    if (!inexact) c.fail("a floating type is required, found " + show(expected.type()) + ".");
  } else {
    if (narrow) c.refuse_narrow();  // its units in the last place are not the carrier's
    check.kind = Check::Kind::close;
    check.max_ulp = static_cast<std::uint64_t>(c.integer("max_ulp_difference", call ? 3 : 1));
    check.min_ulp = static_cast<std::uint64_t>(c.integer("min_ulp_difference", 0));
    if (!inexact) c.fail("a floating type is required, found " + show(expected.type()) + ".");
  }
  require(c, check, c.array(0), expected);
  if (name == "check.eq") c.give(Array(true, c.where));
}

void read_probe(Context& c) {
  if (Trace::current()->outer() != nullptr)
    c.unsupported("`" + c.name() + "` inside a region is not supported.");
  c.importer.probes.emplace_back(c.need("probe_id").text, c.array(0));
  c.give(c.array(0));
}

void read_serialized_check(Context& c) {
  std::int64_t skip = c.integer(c.find("iter") ? "iter" : "iteration", 0);
  for (const auto& [id, array] : c.importer.probes)
    if (id == c.need("probe_id").text && skip-- == 0) {
      require(c, {.kind = Check::Kind::equal, .line = c.where.line}, array, c.array(0));
      return;
    }
  c.fail("no probe `" + std::string(c.need("probe_id").text) +
         "` comes before, or not as often as `iter` asks.");
}

}  // namespace baton::stablehlo
