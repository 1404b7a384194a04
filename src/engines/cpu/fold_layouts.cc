// fold_layouts: what an equation that only rearranges does to strides is asked of its `element`. A result
// goes first: where it is only rearranged, the product writes it so. Then operands, through as many equations
// as can be. All of it only where matrices stay matrices (layout.h).
#include "engines/cpu/fold_layouts.h"

#include <algorithm>
#include <optional>

#include "engines/cpu/strided_product.h"
#include "ops/rules.h"
#include "passes/rewrite.h"

namespace baton::cpu {
namespace {

using Strides = std::vector<std::int64_t>;

using ops::at;
using ops::strides_of;

/// Listens to a rule that asks for one element of operand 0 and does nothing else.
class Listener final : public ElementWriter {
 public:
  Listener(const Type& operand, const Type& result) : operand_(operand), result_(result) {}
  std::optional<Position> heard() const { return failed_ ? std::nullopt : heard_; }

  std::size_t operands() const override { return 1; }
  const Type& operand_type(std::size_t) const override { return operand_; }
  const Type& result_type(std::size_t) const override { return result_; }
  Scalar operand(std::size_t which, std::span<const Position> at) override {
    if (which != 0 || heard_) failed_ = true;
    heard_ = flat(at, operand_.shape);
    return {this, 0};
  }
  Scalar number(Dtype, double) override { return fail(); }
  Scalar integer(Dtype, std::int64_t) override { return fail(); }
  Scalar literal(Dtype, const void*) override { return fail(); }
  Scalar count(const Position&, Dtype) override { return fail(); }
  Position position(Scalar, Range) override { return failed_ = true, Position(0); }
  Scalar emit(Do, Dtype, Scalar, Scalar, Scalar) override { return fail(); }
  Dtype dtype(Scalar) const override { return operand_.dtype; }
  Scalar guarded(Scalar, FunctionRef<Scalar()>, Scalar) override { return fail(); }
  std::vector<Scalar> fold(const Fold& f) override { return std::vector<Scalar>(f.start.size(), fail()); }

 private:
  Scalar fail() { return failed_ = true, Scalar{this, 0}; }

  const Type &operand_, &result_;
  std::optional<Position> heard_;
  bool failed_ = false;
};

/// Where the elements of a result lie in the memory of the operand.
struct Mapped {
  Strides strides;  // for each axis of the result
  std::int64_t offset = 0;
};

std::optional<Mapped> mapped(const ProgramData& p, const Equation& e) {
  const Primitive& primitive = *e.primitive;
  if (!primitive.rearranges || !primitive.element || e.inputs.size() != 1 || e.outputs.size() != 1) return {};
  const Type &from = p.type(e.inputs[0]), &to = p.type(e.outputs[0]);
  if (from.dtype != to.dtype || to.size() == 0) return {};
  if (primitive.views) return Mapped{strides_of(to.shape), 0};
  std::vector<Position> place;
  for (std::size_t i = 0; i < to.shape.size(); ++i)
    place.push_back(Position::variable(static_cast<int>(i), {0, to.shape[i] - 1}));
  Listener listener(from, to);
  primitive.element(listener, 0, place, e.params);
  const auto heard = listener.heard();
  if (!heard) return {};
  Mapped m{Strides(to.shape.size()), heard->constant()};
  for (const Position::Term& t : heard->terms()) {
    if (t.atom->kind != Atom::Kind::variable || t.factor <= 0) return {};
    m.strides[at(t.atom->id)] = t.factor;
  }
  for (std::size_t i = 0; i < to.shape.size(); ++i)
    if (to.shape[i] > 1 && m.strides[i] == 0) return {};  // the same element many times
  return m;
}

/// Moves one array of the product from memory with dense axes of this shape to memory where these axes have
/// other strides. Axes of the product are split where the shape splits them. false: it cannot be.
bool move(ProductAxes& axes, std::int64_t& offset, ProductStride array, const Shape& shape,
          const Mapped& to) {
  const Strides from = strides_of(shape);
  Strides reach(shape.size());  // the greatest index on each axis
  std::int64_t begin = to.offset;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    reach[i] = offset / from[i] % shape[i];
    begin += reach[i] * to.strides[i];
  }
  ProductAxes moved;
  for (const ProductAxis& axis : axes) {
    if (axis.*array == 0 || axis.extent == 1) {
      moved.push_back(axis);
      continue;
    }
    ProductAxis rest = axis;
    ProductAxes parts;  // inner to outer
    for (std::size_t i = shape.size(); i-- > 0 && rest.extent > 1;) {
      const std::int64_t step = rest.*array;
      if (shape[i] == 1 || step < from[i] || step >= from[i] * shape[i]) continue;
      if (step % from[i]) return false;
      const std::int64_t within = step / from[i];
      ProductAxis part = rest;
      part.*array = within * to.strides[i];
      if ((rest.extent - 1) * within >= shape[i]) {
        if (shape[i] % within || rest.extent % (shape[i] / within)) return false;
        part.extent = shape[i] / within;
        for (ProductStride s : strides_of_arrays) rest.*s *= part.extent;
        rest.extent /= part.extent;
      } else {
        rest.extent = 1;
      }
      reach[i] += (part.extent - 1) * within;
      parts.push_back(part);
    }
    if (rest.extent > 1) return false;
    moved.insert(moved.end(), parts.rbegin(), parts.rend());
  }
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (reach[i] >= shape[i]) return false;  // it would run on into the next row
  axes = std::move(moved);
  offset = begin;
  return true;
}

class Folding {
 public:
  explicit Folding(const Program& program)
      : p_(*program),
        rewrite_(program),
        maker_(p_.types.size()),
        user_(p_.types.size()),
        uses_(p_.types.size()),
        written_(p_.types.size()) {
    for (const Equation& e : p_.equations) {
      for (Var v : e.inputs) ++uses_[at(v)], user_[at(v)] = &e;
      for (Var v : e.outputs) maker_[at(v)] = &e;
    }
    for (Var v : p_.outputs) ++uses_[at(v)], user_[at(v)] = nullptr;
  }

  Program run() {
    for (const Equation& e : p_.equations) {
      if (!e.outputs.empty() && written_[at(e.outputs[0])]) continue;
      if (is_product(e) && p_.type(e.outputs[0]).size() > 0 && !has_empty_operand(e)) {
        const Folded f = fold(e);
        for (Var v : f.replaced) written_[at(v)] = true;
        if (f.changed) {
          const Type& type = p_.type(f.result);
          rewrite_.set(f.result,
                       rewrite_.builder().equation(strided_product, strided(f.product, type.shape),
                                                   {rewrite_(f.lhs), rewrite_(f.rhs)}, {type}, e.number)[0]);
          continue;
        }
      }
      rewrite_.set(e.outputs, rewrite_.copy(e, e.params));
    }
    return rewrite_.finish();
  }

 private:
  struct Folded {
    Product product;
    Var lhs, rhs, result;
    std::vector<Var> replaced;  // results that nobody needs now, and the result
    bool changed = false;
  };

  bool has_empty_operand(const Equation& e) const {
    return std::any_of(e.inputs.begin(), e.inputs.end(), [&](Var v) { return p_.type(v).size() == 0; });
  }

  Folded fold(const Equation& e) const {
    Folded f{product_of(p_, e), e.inputs[0], e.inputs[1], e.outputs[0], {}, false};
    Layout best = layout_of(f.product);
    fold_result(f, best);
    fold_operand(f, best, &ProductAxis::lhs, &Product::lhs_offset, f.lhs);
    fold_operand(f, best, &ProductAxis::rhs, &Product::rhs_offset, f.rhs);
    return f;
  }

  /// Follows the result while it has one use and that rearranges it.
  void fold_result(Folded& f, Layout& best) const {
    Product product = f.product;
    Var result = f.result;
    std::vector<Var> passed;
    while (uses_[at(result)] == 1 && user_[at(result)]) {
      const Equation& next = *user_[at(result)];
      const auto m = mapped(p_, next);
      const Type &from = p_.type(result), &to = p_.type(next.outputs[0]);
      if (!m || from.size() != to.size()) return;
      if (!next.primitive->views) {
        const auto axes = inverse(*m, from.shape, to.shape);
        std::int64_t begin = 0;
        if (!axes || !move(product.axes, begin, &ProductAxis::out, from.shape, {*axes, 0})) return;
      }
      passed.push_back(result);
      result = next.outputs[0];
      Layout now = layout_of(product);
      if (now.copies > best.copies || now.cost > best.cost + copy_cost(from)) continue;
      if (!next.primitive->views || f.changed) best = std::move(now), f.changed = true;
      if (!f.changed) continue;
      f.product = product, f.result = result, f.replaced = passed;
      f.replaced.push_back(result);
    }
  }

  /// For each axis of the operand its stride in the dense result, whose axes have these strides in the
  /// operand.
  static std::optional<Strides> inverse(const Mapped& m, const Shape& from, const Shape& to) {
    const Strides dense_from = strides_of(from), dense_to = strides_of(to);
    Strides strides(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] == 1) continue;
      std::size_t j = 0;
      while (j < to.size() && (to[j] != from[i] || m.strides[j] != dense_from[i])) ++j;
      if (j == to.size()) return {};
      strides[i] = dense_to[j];
    }
    return strides;
  }

  /// Follows an operand back to where it was made.
  void fold_operand(Folded& f, Layout& best, ProductStride array, std::int64_t Product::*offset,
                    Var& operand) const {
    Product product = f.product;
    Var v = operand;
    bool rearranged = false;
    for (const Equation* e = maker_[at(v)]; e && !written_[at(v)]; e = maker_[at(v)]) {
      const auto m = mapped(p_, *e);
      if (!m) return;
      const Type& type = p_.type(v);
      if (!e->primitive->views) {
        if (!move(product.axes, product.*offset, array, type.shape, *m)) return;
        rearranged = true;
      }
      v = e->inputs[0];
      if (!rearranged) continue;
      Layout now = layout_of(product);
      const double saved = uses_[at(operand)] == 1 ? copy_cost(type) : 0;
      if (now.copies > best.copies || now.cost > best.cost * 1.02 + saved) continue;
      best = std::move(now), f.changed = true;
      f.product = product, operand = v;
    }
  }

  /// About the nanoseconds of a copy that is saved.
  static double copy_cost(const Type& t) { return static_cast<double>(t.size()); }

  const ProgramData& p_;
  Rewrite rewrite_;
  std::vector<const Equation*> maker_, user_;
  std::vector<int> uses_;
  std::vector<bool> written_;  // by a product that took up the equation that made it
};

}  // namespace

Program fold_layouts(const Program& program) { return Folding(program).run(); }

}  // namespace baton::cpu
