// machine: LLVM IR is written as the code stands, vectors of 16 lanes whatever the processor has, and goes
// through the code generator at level 1 without any pass over the IR: the code is as simple as it will get.
// What comes out is linked in scratch memory and copied to pages that hold nothing else; of LLVM stays
// nothing.
#include "engines/cpu/code/machine.h"

#include <dlfcn.h>
#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

#include <cstring>
#include <mutex>

#include "base/cache_line.h"
#include "base/counters.h"
#include "base/text.h"
#include "engines/cpu/code/library.h"
#include "engines/cpu/instructions.h"

namespace baton::cpu {
namespace {

template <class T>
T value_of(llvm::Expected<T> e) {
  if (!e) internal_error("code generator: " + llvm::toString(e.takeError()));
  return std::move(*e);
}

/// One kernel as an LLVM function.
class Writer {
 public:
  Writer(llvm::Module& module, const Code& code, const std::string& name)
      : code_(code), b_(module.getContext()), values_(code.values.size()) {
    llvm::Type* pointer = b_.getPtrTy();
    f_ = llvm::Function::Create(
        llvm::FunctionType::get(b_.getVoidTy(), {pointer, b_.getInt64Ty(), b_.getInt64Ty()}, false),
        llvm::Function::ExternalLinkage, name, module);
    f_->addFnAttr(llvm::Attribute::NoUnwind);
    b_.SetInsertPoint(llvm::BasicBlock::Create(b_.getContext(), "entry", f_));
    write(code.top);
    b_.CreateRetVoid();
  }

 private:
  unsigned lanes() const { return static_cast<unsigned>(code_.lanes); }
  llvm::Value* at(int v) const { return values_[static_cast<std::size_t>(v)]; }
  const Instruction& made(int v) const { return code_.values[static_cast<std::size_t>(v)]; }

  llvm::Type* scalar(Dtype d) {
    switch (d) {
      case f32:
        return b_.getFloatTy();
      case f64:
        return b_.getDoubleTy();
      case f16:
        return b_.getHalfTy();
      case boolean:
        return b_.getInt1Ty();
      default:
        return b_.getIntNTy(static_cast<unsigned>(8 * size_of(d)));
    }
  }
  llvm::Type* type(const Instruction& i) {
    if (is_complex(i.dtype))  // the parts side by side
      return llvm::FixedVectorType::get(scalar(real_of(i.dtype)), i.wide ? 2 * lanes() : 2);
    return i.wide ? static_cast<llvm::Type*>(llvm::FixedVectorType::get(scalar(i.dtype), lanes()))
                  : scalar(i.dtype);
  }
  /// As it lies in memory: a bool is a byte.
  llvm::Type* stored(const Instruction& i) {
    if (is_complex(i.dtype)) return type(i);
    llvm::Type* t = i.dtype == boolean ? b_.getInt8Ty() : scalar(i.dtype);
    return i.wide ? static_cast<llvm::Type*>(llvm::FixedVectorType::get(t, lanes())) : t;
  }
  llvm::Type* element(Dtype d) {
    if (is_complex(d)) return llvm::ArrayType::get(scalar(real_of(d)), 2);
    return d == boolean ? b_.getInt8Ty() : scalar(d);
  }
  llvm::Align align(Dtype d) { return llvm::Align(size_of(is_complex(d) ? real_of(d) : d)); }

  /// Each lane twice, or, of two vectors, lanes in turn.
  llvm::Value* in_turn(llvm::Value* x, llvm::Value* y) {
    std::vector<int> from;
    const int n = code_.lanes;
    for (int l = 0; l < n; ++l) from.push_back(l), from.push_back(x == y ? l : n + l);
    return b_.CreateShuffleVector(x, y, from);
  }
  /// The mask of complex numbers, for their parts.
  llvm::Value* mask_for(Dtype d, llvm::Value* mask) { return is_complex(d) ? in_turn(mask, mask) : mask; }
  llvm::Value* join(bool wide, llvm::Value* x, llvm::Value* y) {
    if (wide) return in_turn(x, y);
    llvm::Value* both = llvm::PoisonValue::get(llvm::FixedVectorType::get(x->getType(), 2));
    return b_.CreateInsertElement(b_.CreateInsertElement(both, x, std::uint64_t{0}), y, std::uint64_t{1});
  }
  llvm::Value* part(bool wide, llvm::Value* x, std::int64_t which) {
    if (!wide) return b_.CreateExtractElement(x, static_cast<std::uint64_t>(which));
    std::vector<int> from;
    for (int l = 0; l < code_.lanes; ++l) from.push_back(2 * l + static_cast<int>(which));
    return b_.CreateShuffleVector(x, from);
  }
  llvm::Value* gather(const Instruction& i, llvm::Value* addresses, llvm::Value* mask) {
    if (!is_complex(i.dtype)) {
      llvm::Type* t = stored(i);
      return b_.CreateMaskedGather(t, addresses, align(i.dtype), mask, llvm::Constant::getNullValue(t));
    }
    llvm::Type* real = scalar(real_of(i.dtype));
    llvm::Type* t = llvm::FixedVectorType::get(real, lanes());
    const auto part = [&](std::uint64_t which) {
      return b_.CreateMaskedGather(t, b_.CreateConstGEP1_64(real, addresses, which), align(i.dtype), mask,
                                   llvm::Constant::getNullValue(t));
    };
    llvm::Value* first = part(0);
    return in_turn(first, part(1));
  }

  llvm::Value* from_memory(const Instruction& i, llvm::Value* loaded) {
    return i.dtype == boolean ? b_.CreateICmpNE(loaded, llvm::Constant::getNullValue(loaded->getType()))
                              : loaded;
  }

  void write(const Block& block) {
    for (int item : block)
      if (item < 0)
        write(code_.loops[static_cast<std::size_t>(-1 - item)]);
      else
        values_[static_cast<std::size_t>(item)] = write(made(item));
  }

  void write(const Loop& loop) {
    llvm::LLVMContext& c = b_.getContext();
    auto* head = llvm::BasicBlock::Create(c, "head", f_);
    auto* body = llvm::BasicBlock::Create(c, "body", f_);
    auto* end = llvm::BasicBlock::Create(c, "end", f_);
    llvm::BasicBlock* before = b_.GetInsertBlock();
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    auto* variable = b_.CreatePHI(b_.getInt64Ty(), 2);
    variable->addIncoming(at(loop.from), before);
    values_[static_cast<std::size_t>(loop.variable)] = variable;
    std::vector<llvm::PHINode*> carried;
    for (const Loop::Carry& k : loop.carries) {
      carried.push_back(b_.CreatePHI(at(k.first)->getType(), 2));
      carried.back()->addIncoming(at(k.first), before);
      values_[static_cast<std::size_t>(k.inside)] = carried.back();
    }
    b_.CreateCondBr(b_.CreateICmpSLT(variable, at(loop.to)), body, end);
    b_.SetInsertPoint(body);
    write(loop.body);
    llvm::BasicBlock* last = b_.GetInsertBlock();
    variable->addIncoming(b_.CreateNSWAdd(variable, b_.getInt64(static_cast<std::uint64_t>(loop.step))),
                          last);
    for (std::size_t i = 0; i < carried.size(); ++i) carried[i]->addIncoming(at(loop.carries[i].next), last);
    b_.CreateBr(head);
    b_.SetInsertPoint(end);
    for (std::size_t i = 0; i < carried.size(); ++i)
      if (loop.carries[i].result >= 0) values_[static_cast<std::size_t>(loop.carries[i].result)] = carried[i];
  }

  /// The functions of the C library, one lane after the other.
  llvm::Value* call_library(const Instruction& i) {
    const bool two = i.in[1] >= 0;
    llvm::Type* t = scalar(i.dtype);
    const std::vector<llvm::Type*> parameters(two ? 2 : 1, t);
    const LibraryFunction& function = library_function(i.what);
    const auto address =
        two ? reinterpret_cast<std::uint64_t>(function.two) : reinterpret_cast<std::uint64_t>(function.one);
    const llvm::FunctionCallee f(llvm::FunctionType::get(t, parameters, false),
                                 b_.CreateIntToPtr(b_.getInt64(address), b_.getPtrTy()));
    const auto call = [&](llvm::Value* x, llvm::Value* y) -> llvm::Value* {
      return two ? b_.CreateCall(f, {x, y}) : b_.CreateCall(f, {x});
    };
    llvm::Value *x = at(i.in[0]), *y = two ? at(i.in[1]) : nullptr;
    if (!i.wide) return call(x, y);
    llvm::Value* all = llvm::PoisonValue::get(type(i));
    for (unsigned l = 0; l < lanes(); ++l)
      all = b_.CreateInsertElement(
          all, call(b_.CreateExtractElement(x, l), y ? b_.CreateExtractElement(y, l) : nullptr), l);
    return all;
  }

  llvm::Value* upper_product(const Instruction& i, llvm::Value* x, llvm::Value* y) {
    const unsigned width = static_cast<unsigned>(8 * size_of(i.dtype));
    const bool with_sign = baton::is_signed(i.dtype);
    llvm::Type* t = b_.getIntNTy(2 * width);
    if (i.wide) t = llvm::FixedVectorType::get(t, lanes());
    const auto longer = [&](llvm::Value* v) { return b_.CreateIntCast(v, t, with_sign); };
    return b_.CreateTrunc(b_.CreateLShr(b_.CreateMul(longer(x), longer(y)), width), type(i));
  }

  llvm::Value* min_or_max(bool least, bool floating, bool is_signed, llvm::Value* x, llvm::Value* y) {
    if (!floating)
      return b_.CreateBinaryIntrinsic(least ? (is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin)
                                            : (is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax),
                                      x, y);
    // x where it is the one, or NaN; y else: one instruction, which takes subnormal numbers for zero. What is
    // zero has the right sign, and no other bits. Zeros of two signs meet only where no constant says
    // otherwise.
    if (llvm::isa<llvm::Constant>(x)) std::swap(x, y);
    llvm::Value* chosen = b_.CreateSelect(least ? b_.CreateFCmpOLT(x, y) : b_.CreateFCmpOGT(x, y), x, y);
    if (!decides_among_zeros(least, y)) {
      llvm::Value *x_bits = bits_of(x), *y_bits = bits_of(y);
      llvm::Value* signs = least ? b_.CreateOr(x_bits, y_bits) : b_.CreateAnd(x_bits, y_bits);
      const auto sign = llvm::APInt::getSignMask(x->getType()->getScalarSizeInBits());
      llvm::Value* zero = b_.CreateAnd(signs, llvm::ConstantInt::get(signs->getType(), sign));
      chosen = b_.CreateSelect(b_.CreateFCmpOEQ(chosen, llvm::ConstantFP::getZero(x->getType())),
                               b_.CreateBitCast(zero, x->getType()), chosen);
    }
    return b_.CreateSelect(b_.CreateFCmpUNO(x, x), x, chosen);
  }
  /// Of a float or of a vector of them, as integers.
  llvm::Value* bits_of(llvm::Value* x) {
    return b_.CreateBitCast(x,
                            x->getType()->getWithNewType(b_.getIntNTy(x->getType()->getScalarSizeInBits())));
  }
  /// All bits of the one or of the other: were these floats, LLVM would make an instruction of some that
  /// takes subnormal numbers for zero, which those that stand alone do not.
  llvm::Value* select(llvm::Value* condition, llvm::Value* x, llvm::Value* y) {
    if (!x->getType()->isFPOrFPVectorTy() || !llvm::isa<llvm::FCmpInst>(condition))
      return b_.CreateSelect(condition, x, y);
    return b_.CreateBitCast(b_.CreateSelect(condition, bits_of(x), bits_of(y)), x->getType());
  }
  /// Whether y is a constant which is no zero, or the zero that is the least (or the greatest) of both.
  static bool decides_among_zeros(bool least, llvm::Value* y) {
    if (auto* vector = llvm::dyn_cast<llvm::Constant>(y)) {
      if (auto* splat = vector->getType()->isVectorTy() ? vector->getSplatValue() : vector) {
        const auto* number = llvm::dyn_cast<llvm::ConstantFP>(splat);
        return number && (!number->isZero() || number->isNegative() == least);
      }
    }
    return false;
  }

  /// Of two values of one dtype.
  llvm::Value* arithmetic(const Instruction& i, llvm::Value* x, llvm::Value* y) {
    const bool floating = x->getType()->isFPOrFPVectorTy();
    const bool with_sign = baton::is_signed(i.dtype);
    switch (i.what) {
      case Do::add:
        return floating ? b_.CreateFAdd(x, y) : b_.CreateAdd(x, y);
      case Do::sub:
        return floating ? b_.CreateFSub(x, y) : b_.CreateSub(x, y);
      case Do::mul:
        return floating ? b_.CreateFMul(x, y) : b_.CreateMul(x, y);
      case Do::div:
        return floating ? b_.CreateFDiv(x, y) : with_sign ? b_.CreateSDiv(x, y) : b_.CreateUDiv(x, y);
      case Do::rem:
        return floating ? b_.CreateFRem(x, y) : with_sign ? b_.CreateSRem(x, y) : b_.CreateURem(x, y);
      case Do::min:
      case Do::max:
        return min_or_max(i.what == Do::min, floating, with_sign, x, y);
      default:
        internal_error("code: no arithmetic of two values");
    }
  }

  llvm::Value* compare(const Instruction& i) {
    llvm::Value *x = at(i.in[0]), *y = at(i.in[1]);
    using P = llvm::CmpInst::Predicate;
    const int k = static_cast<int>(i.what) - static_cast<int>(Do::eq);
    if (x->getType()->isFPOrFPVectorTy()) {
      const P predicates[] = {P::FCMP_OEQ, P::FCMP_UNE, P::FCMP_OLT, P::FCMP_OLE, P::FCMP_OGT, P::FCMP_OGE};
      return b_.CreateFCmp(predicates[k], x, y);
    }
    const P of_signed[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_SLT, P::ICMP_SLE, P::ICMP_SGT, P::ICMP_SGE};
    const P of_unsigned[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
    return b_.CreateICmp(baton::is_signed(made(i.in[0]).dtype) ? of_signed[k] : of_unsigned[k], x, y);
  }

  llvm::Value* convert(const Instruction& i) {
    llvm::Value* x = at(i.in[0]);
    const Dtype from = made(i.in[0]).dtype, to = i.dtype;
    llvm::Type* t = type(i);
    const bool from_float = is_inexact(from), to_float = is_inexact(to);
    if (from_float && to_float) return b_.CreateFPCast(x, t);
    if (to == boolean) return b_.CreateIsNotNull(x);
    if (from_float) return baton::is_signed(to) ? b_.CreateFPToSI(x, t) : b_.CreateFPToUI(x, t);
    if (to_float) return baton::is_signed(from) ? b_.CreateSIToFP(x, t) : b_.CreateUIToFP(x, t);
    return b_.CreateIntCast(x, t, baton::is_signed(from));
  }

  llvm::Value* address(int pointer, int index) {
    return b_.CreateGEP(element(made(pointer).dtype), at(pointer), at(index));
  }

  /// Asks for the cache lines that a load will read later.
  void fetch_ahead(llvm::Value* from, const Instruction& load) {
    const auto bytes = static_cast<std::int64_t>(lanes() * size_of(load.dtype));
    for (std::int64_t at = load.imm; at < load.imm + bytes; at += static_cast<std::int64_t>(cache_line))
      b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {b_.getPtrTy()},
                         {b_.CreateConstGEP1_64(b_.getInt8Ty(), from, static_cast<std::uint64_t>(at)),
                          b_.getInt32(0), b_.getInt32(3), b_.getInt32(1)});  // a read, to be kept, of data
  }

  /// On the stack, from the beginning of the call.
  llvm::Value* own_memory(std::int64_t bytes) {
    llvm::BasicBlock& entry = f_->getEntryBlock();
    llvm::IRBuilder<> first(&entry, entry.begin());
    llvm::AllocaInst* memory =
        first.CreateAlloca(llvm::ArrayType::get(b_.getInt8Ty(), static_cast<std::uint64_t>(bytes)));
    memory->setAlignment(llvm::Align(64));
    return memory;
  }

  llvm::Value* write(const Instruction& i) {
    const auto x = [&](int k) { return at(i.in[static_cast<std::size_t>(k)]); };
    const auto one = [&](llvm::Intrinsic::ID id) { return b_.CreateUnaryIntrinsic(id, x(0)); };
    const bool floating = i.in[0] >= 0 && x(0) && x(0)->getType()->isFPOrFPVectorTy();
    if (is_function(i.what)) return call_library(i);
    switch (i.what) {
      case Do::constant: {
        llvm::Constant* bits =
            b_.getIntN(i.dtype == boolean ? 1 : static_cast<unsigned>(8 * size_of(i.dtype)),
                       static_cast<std::uint64_t>(i.imm));
        return is_inexact(i.dtype) ? b_.CreateBitCast(bits, scalar(i.dtype)) : bits;
      }
      case Do::pointer:
        if (i.imm < 0) return own_memory(code_.own_memory[static_cast<std::size_t>(-1 - i.imm)]);
        return b_.CreateLoad(b_.getPtrTy(), b_.CreateConstGEP1_64(b_.getPtrTy(), f_->getArg(0),
                                                                  static_cast<std::uint64_t>(i.imm)));
      case Do::from:
        return f_->getArg(1);
      case Do::until:
        return f_->getArg(2);
      case Do::lane: {
        std::vector<llvm::Constant*> all;
        for (unsigned l = 0; l < lanes(); ++l)
          all.push_back(llvm::ConstantInt::get(scalar(i.dtype), static_cast<std::uint64_t>(l)));
        return llvm::ConstantVector::get(all);
      }
      case Do::repeat:
        if (is_complex(i.dtype)) {
          std::vector<int> from;
          for (int l = 0; l < 2 * code_.lanes; ++l) from.push_back(l % 2);
          return b_.CreateShuffleVector(x(0), from);
        }
        return b_.CreateVectorSplat(lanes(), x(0));
      case Do::load: {
        llvm::Value* from = address(i.in[0], i.in[1]);
        llvm::Type* t = stored(i);
        if (i.imm) fetch_ahead(from, i);
        return from_memory(i, i.in[2] < 0
                                  ? static_cast<llvm::Value*>(b_.CreateAlignedLoad(t, from, align(i.dtype)))
                                  : b_.CreateMaskedLoad(t, from, align(i.dtype), mask_for(i.dtype, x(2)),
                                                        llvm::Constant::getNullValue(t)));
      }
      case Do::gather: {
        llvm::Value* mask =
            i.in[2] < 0 ? llvm::ConstantInt::getTrue(llvm::FixedVectorType::get(b_.getInt1Ty(), lanes()))
                        : x(2);
        return from_memory(i, gather(i, address(i.in[0], i.in[1]), mask));
      }
      case Do::store: {
        llvm::Value* value = i.dtype == boolean ? b_.CreateZExt(x(0), stored(i)) : x(0);
        llvm::Value* to = address(i.in[1], i.in[2]);
        if (i.imm < 0) return b_.CreateAlignedStore(value, to, align(i.dtype));
        return b_.CreateMaskedStore(value, to, align(i.dtype),
                                    mask_for(i.dtype, at(static_cast<int>(i.imm))));
      }
      case Do::moved: {
        std::vector<int> from;
        const int by = static_cast<int>(i.imm);
        for (int l = 0; l < code_.lanes; ++l) from.push_back(l < by ? l + by : l);
        return b_.CreateShuffleVector(x(0), from);
      }
      case Do::first:
        return b_.CreateExtractElement(x(0), std::uint64_t{0});
      case Do::any:
        return made(i.in[0]).wide ? b_.CreateOrReduce(x(0)) : x(0);
      case Do::join:
        return join(i.wide, x(0), x(1));
      case Do::part:
        return part(i.wide, x(0), i.imm);
      case Do::mulhi:
        return upper_product(i, x(0), x(1));
      case Do::leading_zeros:
        return b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x(0), b_.getFalse());
      case Do::ones:
        return one(llvm::Intrinsic::ctpop);
      case Do::add:
      case Do::sub:
      case Do::mul:
      case Do::div:
      case Do::rem:
      case Do::min:
      case Do::max:
        return arithmetic(i, x(0), x(1));
      case Do::fma:
        return b_.CreateIntrinsic(llvm::Intrinsic::fma, {type(i)}, {x(0), x(1), x(2)});
      case Do::neg:
        return floating ? b_.CreateFNeg(x(0)) : b_.CreateNeg(x(0));
      case Do::abs:
        return floating ? static_cast<llvm::Value*>(one(llvm::Intrinsic::fabs))
                        : b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x(0), b_.getFalse());
      case Do::sqrt:
        return one(llvm::Intrinsic::sqrt);
      case Do::floor:
        return one(llvm::Intrinsic::floor);
      case Do::ceil:
        return one(llvm::Intrinsic::ceil);
      case Do::trunc:
        return one(llvm::Intrinsic::trunc);
      case Do::nearest:
        return one(llvm::Intrinsic::nearbyint);
      case Do::bit_and:
        return b_.CreateAnd(x(0), x(1));
      case Do::bit_or:
        return b_.CreateOr(x(0), x(1));
      case Do::bit_xor:
        return b_.CreateXor(x(0), x(1));
      case Do::bit_not:
        return b_.CreateNot(x(0));
      case Do::shift_left:
        return b_.CreateShl(x(0), x(1));
      case Do::shift_right_logical:
        return b_.CreateLShr(x(0), x(1));
      case Do::shift_right_arithmetic:
        return b_.CreateAShr(x(0), x(1));
      case Do::eq:
      case Do::ne:
      case Do::lt:
      case Do::le:
      case Do::gt:
      case Do::ge:
        return compare(i);
      case Do::select:
        return select(x(0), x(1), x(2));
      case Do::convert:
        return convert(i);
      case Do::bits:
        return b_.CreateBitCast(x(0), type(i));
      default:
        internal_error("code: an instruction that no processor has");
    }
  }

  const Code& code_;
  llvm::IRBuilder<> b_;
  llvm::Function* f_ = nullptr;
  std::vector<llvm::Value*> values_;
};

/// Targets that are kept: a TargetMachine serves one thread at a time.
class Targets {
 public:
  Targets() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // Positions are sums of loop variables, which the processor's addresses can mostly be: to look for better
    // ones takes a quarter of the time and finds few. There is no other way to leave that out.
    for (const char* option : {"disable-lsr", "disable-cgp"}) {
      const auto known = llvm::cl::getRegisteredOptions().find(option);
      if (known == llvm::cl::getRegisteredOptions().end()) continue;
      static_cast<llvm::cl::opt<bool>*>(known->second)->setValue(true);
    }
    std::string error;
    target_ = llvm::TargetRegistry::lookupTarget(triple_, error);
    if (!target_) internal_error("code generator: " + error);
    for (const auto& feature : llvm::sys::getHostCPUFeatures())
      features_.AddFeature(feature.first(), feature.second);
    options_.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // nothing is contracted behind our back
  }
  std::unique_ptr<llvm::TargetMachine> take() {
    std::lock_guard lock(mutex_);
    if (instructions() < instructions_of_processor())  // in tests: what every processor with AVX2 has
      return made("x86-64-v3", "");
    if (idle_.empty()) return made(llvm::sys::getHostCPUName(), features_.getString());
    std::unique_ptr<llvm::TargetMachine> target = std::move(idle_.back());
    idle_.pop_back();
    return target;
  }
  void give_back(std::unique_ptr<llvm::TargetMachine> target) {
    std::lock_guard lock(mutex_);
    if (target->getTargetCPU() == llvm::sys::getHostCPUName()) idle_.push_back(std::move(target));
  }

 private:
  std::unique_ptr<llvm::TargetMachine> made(llvm::StringRef processor, llvm::StringRef features) const {
    return std::unique_ptr<llvm::TargetMachine>(
        target_->createTargetMachine(triple_, processor, features, options_, llvm::Reloc::PIC_,
                                     llvm::CodeModel::Small, llvm::CodeGenOptLevel::Less, /*JIT=*/true));
  }

  std::mutex mutex_;
  const std::string triple_ = llvm::sys::getProcessTriple();
  const llvm::Target* target_ = nullptr;
  llvm::SubtargetFeatures features_;
  llvm::TargetOptions options_;
  std::vector<std::unique_ptr<llvm::TargetMachine>> idle_;
};
Targets& targets() {
  static Targets& instance = *new Targets;
  return instance;
}

std::string name_of_kernel(std::size_t which) { return "kernel" + std::to_string(which); }

using Object = llvm::SmallVector<char, 0>;

/// The object file of a module. Nothing else calls the code generator.
Object object_of(std::span<const Code* const> codes) {
  std::unique_ptr<llvm::TargetMachine> target = targets().take();
  llvm::LLVMContext context;
  llvm::Module module("kernels", context);
  module.setDataLayout(target->createDataLayout());
  module.setTargetTriple(target->getTargetTriple().str());
  for (std::size_t k = 0; k < codes.size(); ++k) Writer(module, *codes[k], name_of_kernel(k));
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    f.addFnAttr("target-cpu", target->getTargetCPU());
    f.addFnAttr("target-features", target->getTargetFeatureString());
  }
  Object object;
  llvm::raw_svector_ostream out(object);
  {
    llvm::legacy::PassManager passes;
    llvm::MCContext* mc = nullptr;
    if (target->addPassesToEmitMC(passes, mc, out)) internal_error("code generator: it writes no objects");
    passes.run(module);
  }
  count().code_modules.fetch_add(1, std::memory_order_relaxed);
  targets().give_back(std::move(target));
  return object;
}

/// Where the linker finds what the code generator calls by itself, such as fmod: in the process.
class OfTheProcess final : public llvm::LegacyJITSymbolResolver {
  llvm::JITSymbol findSymbolInLogicalDylib(const std::string&) override { return nullptr; }
  llvm::JITSymbol findSymbol(const std::string& name) override {
    const auto address = reinterpret_cast<std::uint64_t>(dlsym(RTLD_DEFAULT, name.c_str()));
    if (!address) return nullptr;
    return {address, llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  }
};

/// The sections of a module while it is linked, for the place where they will lie.
class Sections final : public llvm::RuntimeDyld::MemoryManager {
 public:
  /// Memory for all of them; from now on their addresses there hold.
  std::shared_ptr<CodeMemory> place(llvm::RuntimeDyld& linker) {
    std::size_t end = 0;
    for (Section& s : sections_) {
      s.at = llvm::alignTo(end, s.align);
      end = s.at + s.bytes;
    }
    auto memory = std::make_shared<CodeMemory>(end);
    for (const Section& s : sections_)
      linker.mapSectionAddress(s.data, reinterpret_cast<std::uint64_t>(memory->data() + s.at));
    return memory;
  }
  /// What `place` gave, filled.
  void copy_to(CodeMemory& memory) const {
    for (const Section& s : sections_) std::memcpy(memory.data() + s.at, s.data, s.bytes);
  }

  std::uint8_t* allocateCodeSection(std::uintptr_t bytes, unsigned align, unsigned,
                                    llvm::StringRef) override {
    return section(bytes, align);
  }
  std::uint8_t* allocateDataSection(std::uintptr_t bytes, unsigned align, unsigned, llvm::StringRef,
                                    bool) override {
    return section(bytes, align);
  }
  void registerEHFrames(std::uint8_t*, std::uint64_t, std::size_t) override {}  // kernels do not throw
  void deregisterEHFrames() override {}
  bool finalizeMemory(std::string*) override { return false; }

 private:
  struct Section {
    std::uint8_t* data;
    std::size_t bytes;
    llvm::Align align;
    std::size_t at = 0;  // in the memory of all
  };
  std::uint8_t* section(std::size_t bytes, unsigned align) {
    const llvm::Align a(std::max(align, 1u));
    sections_.push_back({static_cast<std::uint8_t*>(scratch_.Allocate(bytes, a)), bytes, a});
    return sections_.back().data;
  }
  llvm::BumpPtrAllocator scratch_;
  std::vector<Section> sections_;
};

}  // namespace

Module compile_module(std::span<const Code* const> codes) {
  const Object object = object_of(codes);
  const auto file = value_of(
      llvm::object::ObjectFile::createObjectFile({llvm::StringRef(object.data(), object.size()), "kernels"}));
  Sections sections;
  OfTheProcess symbols;
  llvm::RuntimeDyld linker(sections, symbols);
  linker.loadObject(*file);
  const std::shared_ptr<CodeMemory> memory = sections.place(linker);
  linker.resolveRelocations();
  if (linker.hasError()) internal_error("linker of kernels: " + linker.getErrorString().str());
  sections.copy_to(*memory);
  memory->seal();
  Module module{memory, {}};
  for (std::size_t k = 0; k < codes.size(); ++k)
    module.functions.push_back(reinterpret_cast<Function>(linker.getSymbol(name_of_kernel(k)).getAddress()));
  return module;
}

}  // namespace baton::cpu
