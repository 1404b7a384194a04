// control: calls, branches, loops, tuples and custom calls.
#include <algorithm>

#include "base/text.h"
#include "interop/stablehlo/handlers.h"
#include "jit/traced_tree.h"

namespace baton::stablehlo {
namespace {

Values operand_values(const Context& c) {
  Values values;
  for (std::size_t i = 0; i < c.count(); ++i) values.push_back(c.value(i));
  return values;
}

/// Regions without arguments as branches of one list of operands: all that any of them reads from outside.
Arrays branches_of(const Context& c, Operand index, const std::vector<std::size_t>& order) {
  std::vector<Closed> closed;
  core::CaptureUnion operands;
  std::vector<std::vector<std::size_t>> used;
  for (std::size_t r : order) {
    closed.push_back(c.region(r, {}));
    used.push_back(operands.add(closed.back().captures));
  }
  std::vector<Program> branches;
  const Types types = types_of(operands.all());
  for (std::size_t b = 0; b < closed.size(); ++b)
    branches.push_back(make_program("branch", types, [&](const Arrays& in) {
      Arrays mine;
      for (std::size_t at : used[b]) mine.push_back(in[at]);
      return splice(closed[b].program, mine);
    }));
  return lax::cond(index, branches, operands.all());
}

/// Reads `op` in the place of this operation, with the fields of one of its attributes for attributes.
void read_instead(Context& c, Op op, const char* fields, Handler handler) {
  if (const Attribute* a = c.find(fields))
    op.attributes.insert(op.attributes.end(), a->fields.begin(), a->fields.end());
  Context inner(c.importer, op, c.scope);
  handler(inner);
  c.results = inner.results;
}

}  // namespace

// ---- calls
// --------------------------------------------------------------------------------------------------------

void read_call(Context& c) {
  const Text callee = c.op.symbol.empty() ? c.need("callee").text : c.op.symbol;
  c.results = c.importer.call(callee, operand_values(c), c.op);
}

void read_composite(Context& c) {
  const Text name = c.op.string.empty() ? c.need("name").text : c.op.string;
  if (const Handler handler = name.starts_with("chlo.") ? find_handler(name) : nullptr) {
    Op op = c.op;
    op.name = name;
    return read_instead(c, op, "composite_attributes", handler);
  }
  c.results = c.importer.call(c.need("decomposition").text, operand_values(c), c.op);
}

/// The kind of machine whose programs have this custom call, by the names that JAX and XLA give them, or
/// nothing.
std::string platform_of(Text target) {
  for (const char* part : {"gpu", "cuda", "cudnn", "cublas", "cusolver", "cusparse", "nccl", "triton", "hip"})
    if (target.find(part) != Text::npos) return "GPU";
  if (target.starts_with("cu")) return "GPU";
  for (const char* name :
       {"Qr", "Eigh", "LuDecomposition", "ProductOfElementaryHouseholderReflectors", "tpu_custom_call"})
    if (target == name) return "TPU";
  return {};
}

void read_custom_call(Context& c) {
  const Text target = c.op.symbol.empty() ? c.need("call_target_name").text : c.op.symbol;
  if (const Handler handler = find_custom_call(target)) return handler(c);
  if (target.starts_with("mhlo.")) {  // @mhlo.topk {mhlo.attributes = {k = 3}}
    const std::string name = target == "mhlo.topk" ? "chlo.top_k" : "chlo." + std::string(target.substr(5));
    if (const Handler handler = find_handler(name)) return read_instead(c, c.op, "mhlo.attributes", handler);
  }
  const std::string platform = platform_of(target);
  c.unsupported("the custom call @" + std::string(target) +
                (platform.empty() ? " calls code that Baton does not have."
                                  : " belongs to a program that was lowered for a " + platform + ".") +
                "\n  Lower the program for the CPU" + (platform.empty() ? ", without this call" : "") +
                ": jax.jit(f).trace(x).lower(lowering_platforms=(\"cpu\",)).as_text()");
}

// ---- branches
// -----------------------------------------------------------------------------------------------------

void read_case(Context& c) {
  const Frame frame(c.where);
  const auto n = static_cast<std::int32_t>(c.op.regions.size());
  if (n == 0) c.fail("a branch is required.");
  std::vector<std::size_t> order;
  for (std::int32_t i = 0; i < n; ++i) order.push_back(static_cast<std::size_t>(i));
  // Any index out of range means the last branch.
  const Array& i = c.array(0);
  if (i.type() != Type{s32, {}}) c.fail("an index i32 is required, found " + show(i.type()) + ".");
  const Array inside = lax::bitwise_and(lax::ge(i, 0), lax::lt(i, n));
  const Array index = lax::select(inside, i, lax::full_like(i, n - 1));
  c.give(branches_of(c, index, order));
}

void read_if(Context& c) {
  if (c.op.regions.size() != 2)
    c.fail("two regions are required, found " + std::to_string(c.op.regions.size()) + ".");
  c.give(branches_of(c, c.in(0), {1, 0}));
}

// ---- loops
// --------------------------------------------------------------------------------------------------------

void read_while(Context& c) {
  const Arrays init = c.arrays();
  const Types types = types_of(init);
  const Closed cond = c.region(0, types), body = c.region(1, types);
  if (cond.program.outputs() != Types{{boolean, {}}}) c.fail("the condition must return one tensor<i1>.");
  if (body.program.outputs() != types) c.fail("the body must return the types that it takes.");
  if (auto scanned = counted_loop(cond, body, operand_values(c), c.where)) return c.give(*scanned);
  c.give(lax::while_loop(captures_first(cond, types.size()), cond.captures,
                         captures_first(body, types.size()), body.captures, init, c.where));
}

/// chlo.scan: (xs..., carry...) with a body (x..., carry...) -> (y..., carry...).
void read_scan(Context& c) {
  const Frame frame(c.where);
  std::size_t carries = c.op.inits.size();
  if (const auto sizes = c.integers("operandSegmentSizes"); sizes.size() == 2) {  // the generic form
    if (sizes[1] < 0 || static_cast<std::size_t>(sizes[1]) > c.count())
      c.fail("operandSegmentSizes does not fit the " + std::to_string(c.count()) + " operands.");
    carries = static_cast<std::size_t>(sizes[1]);
  }
  const std::size_t xs_count = c.count() - carries;
  if (xs_count == 0) c.fail("an operand to scan over is required.");
  const std::int64_t axis = c.integer("dimension");
  const Arrays init = c.arrays(xs_count, c.count());
  Arrays xs;
  Types types;
  for (std::size_t i = 0; i < xs_count; ++i) {
    const Array& x = c.array(i);
    if (axis < 0 || axis >= x.rank())
      c.fail("axis " + std::to_string(axis) + " is not one of " + show(x.type()) + ".");
    std::vector<std::int64_t> order{axis};
    for (int k = 0; k < x.rank(); ++k)
      if (k != axis) order.push_back(k);
    xs.push_back(lax::transpose(x, order));
    Shape rest(xs.back().shape().begin() + 1, xs.back().shape().end());
    types.push_back({x.dtype(), rest});
  }
  for (const Array& a : init) types.push_back(a.type());
  const Closed body = c.region(0, types);
  // lax::scan wants (consts..., carry..., x...) -> (carry..., y...).
  Types in = types_of(body.captures);
  const std::size_t consts = in.size();
  for (const Array& a : init) in.push_back(a.type());
  for (std::size_t i = 0; i < xs_count; ++i) in.push_back(types[i]);
  const Program turned = make_program("scan", in, [&](const Arrays& a) {
    Arrays order(a.begin() + static_cast<std::ptrdiff_t>(consts + carries), a.end());
    order.insert(order.end(), a.begin() + static_cast<std::ptrdiff_t>(consts),
                 a.begin() + static_cast<std::ptrdiff_t>(consts + carries));
    order.insert(order.end(), a.begin(), a.begin() + static_cast<std::ptrdiff_t>(consts));
    const Arrays out = splice(body.program, order);
    if (out.size() < carries) c.fail("the body must return the carry.");
    const auto ys = static_cast<std::ptrdiff_t>(out.size() - carries);
    Arrays result(out.begin() + ys, out.end());
    result.insert(result.end(), out.begin(), out.begin() + ys);
    return result;
  });
  const Arrays out = lax::scan(turned, body.captures, init, xs, {.reverse = c.flag("is_reverse")}, c.where);
  for (std::size_t i = carries; i < out.size(); ++i) {
    std::vector<std::int64_t> order;  // the scanned axis back to its place
    for (int k = 1; k < out[i].rank(); ++k) order.push_back(k);
    order.insert(order.begin() + std::min<std::ptrdiff_t>(axis, static_cast<std::ptrdiff_t>(order.size())),
                 0);
    c.give(lax::transpose(out[i], order));
  }
  for (std::size_t i = 0; i < carries; ++i) c.give(out[i]);
}

// ---- structure
// ----------------------------------------------------------------------------------------------------

void read_optimization_barrier(Context& c) { c.give(lax::optimization_barrier(c.in(0, c.count()))); }
void read_tuple(Context& c) { c.results.push_back({Array(), nullptr, -1, operand_values(c)}); }
void read_get_tuple_element(Context& c) {
  const std::int64_t i = c.op.values.empty() ? c.integer("index")
                         : c.op.values[0].items.size() == 1 && c.op.values[0].items[0].items.size() == 1
                             ? c.op.values[0].items[0].items[0].integer
                             : -1;
  const Values& tuple = c.value(0).tuple;
  if (i < 0 || static_cast<std::size_t>(i) >= tuple.size())
    c.fail("the tuple has no element " + std::to_string(i) + ".");
  c.results.push_back(tuple[static_cast<std::size_t>(i)]);
}
void read_token(Context& c) { c.results.push_back({}); }
void read_identity(Context& c) {
  for (std::size_t i = 0; i < c.result_count(); ++i) c.results.push_back(c.value(i));
}

}  // namespace baton::stablehlo
