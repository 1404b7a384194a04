// formats: safetensors, npy and npz, round trips and bad files.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "baton/error.h"
#include "baton/npy.h"
#include "baton/safetensors.h"

namespace baton {
namespace {

class Formats : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("baton_formats_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string bytes(const std::string& name) const {
    std::ifstream f(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(f), std::istreambuf_iterator<char>()};
  }
  void put(const std::string& name, const std::string& data) const {
    std::ofstream(path(name), std::ios::binary) << data;
  }
  template <class F>
  static std::string error(F f) {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }
  std::string safetensors(const std::string& header, const std::string& data) const {
    const std::uint64_t n = header.size();
    std::string all(8, '\0');
    std::memcpy(all.data(), &n, 8);
    put("f", all + header + data);
    std::string e = error([&] { load_safetensors(path("f")); });
    const std::size_t at = e.find(path("f"));
    return at == std::string::npos ? e : e.replace(at, path("f").size(), "f");
  }
  static NamedArrays some() {
    NamedArrays a;
    a["a"] = Array({1.f, -2.5f, 3.f, 4.f, 5.f, 6.f}, {2, 3});
    a["scalar"] = Array(std::int64_t{-7});
    a["flags"] = Array({true, false, true}, {3});
    a["empty"] = Array(std::vector<double>{}, {0, 4});
    a["z"] = Array(std::complex<float>(1, 2));
    a["half"] = Array(Type{f16, {2}}, "\0\x3c\0\x40");
    a["byte"] = Array({std::uint8_t{255}}, {1});
    return a;
  }
  static void expect_equal(const NamedArrays& x, const NamedArrays& y) {
    ASSERT_EQ(x.size(), y.size());
    for (const auto& [name, a] : x) {
      ASSERT_TRUE(y.contains(name)) << name;
      const Array& b = y.at(name);
      ASSERT_EQ(a.type(), b.type()) << name;
      if (a.size()) EXPECT_EQ(std::memcmp(a.data(), b.data(), a.type().bytes()), 0) << name;
    }
  }

  std::filesystem::path folder;
};

TEST_F(Formats, SafetensorsRoundTrip) {
  NamedArrays a = some();
  a["brain"] = Array(Type{bf16, {1}}, "\x80\x3f");
  a["big"] = Array(std::vector<float>(500000, 2.f), {500000});  // mapped
  save_safetensors(path("f"), a, {{"format", "pt"}});
  expect_equal(a, load_safetensors(path("f")));
  EXPECT_EQ(Safetensors(path("f")).metadata().at("format"), "pt");
  Array big = Safetensors(path("f")).array("big");
  big.write(std::vector<float>(500000, 3.f));  // the file keeps its values
  EXPECT_EQ(load_safetensors(path("f")).at("big").read<float>()[7], 2.f);
}

TEST_F(Formats, BadSafetensorsAreRefused) {
  EXPECT_EQ(safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "12345678"), "no error");
  EXPECT_EQ(safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "1234567"),
            "safetensors: f: byte 8: the entry `a` has the offsets 0 and 8; there are 7 bytes of data.");
  EXPECT_EQ(safetensors(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", "12345678"),
            "safetensors: f: byte 8: the entry `a` is f32[3], but its offsets span 8 bytes.");
  EXPECT_EQ(
      safetensors(
          R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
          "123456"),
      "safetensors: f: byte 115: two arrays overlap.");
  EXPECT_NE(
      safetensors(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})", "12345678")
          .find("shape"),
      std::string::npos);
  EXPECT_NE(safetensors(R"({"a":{"dtype":"F32","shape":[2147483648,2147483648,4],"data_offsets":[0,8]}})",
                        "12345678")
                .find("span 8 bytes"),
            std::string::npos);
  EXPECT_EQ(safetensors("{\"a\":", ""), "safetensors: f: byte 13: the header is not JSON.");
  EXPECT_EQ(safetensors("[1]", ""), "safetensors: f: byte 8: the header must be a JSON object.");
  EXPECT_EQ(safetensors("{}", "12"), "safetensors: f: byte 10: no array covers the last 2 bytes.");
  EXPECT_NE(safetensors(std::string(100000, '['), "").find("not JSON"), std::string::npos);
  put("f", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10));
  EXPECT_NE(error([&] { load_safetensors(path("f")); }).find("byte 0"), std::string::npos);
  EXPECT_NE(error([&] { load_safetensors(path("none")); }).find("cannot be opened"), std::string::npos);
}

TEST_F(Formats, TruncatedFilesAreRefused) {
  save_safetensors(path("s"), some());
  save_npy(path("n"), some().at("a"));
  save_npz(path("z"), some(), true);
  const std::string s = bytes("s"), n = bytes("n"), z = bytes("z");
  for (std::size_t k = 0; k < s.size(); ++k) {
    put("t", s.substr(0, k));
    EXPECT_THROW(load_safetensors(path("t")), UsageError) << k;
  }
  for (std::size_t k = 0; k < n.size(); ++k) {
    put("t", n.substr(0, k));
    EXPECT_THROW(load_npy(path("t")), UsageError) << k;
  }
  for (std::size_t k = 0; k < z.size(); ++k) {
    put("t", z.substr(0, k));
    EXPECT_THROW(load_npz(path("t")), UsageError) << k;
  }
}

TEST_F(Formats, ChangedArchivesNeverCrash) {
  save_npz(path("z"), some(), true);
  const std::string z = bytes("z");
  for (std::size_t k = 0; k < z.size(); ++k) {
    std::string changed = z;
    changed[k] = static_cast<char>(changed[k] ^ 0xff);
    put("t", changed);
    try {
      load_npz(path("t"));
    } catch (const Error&) {
      continue;
    }
  }
}

TEST_F(Formats, NpyRoundTrip) {
  for (const auto& [name, a] : some()) {
    save_npy(path(name), a);
    expect_equal({{name, a}}, {{name, load_npy(path(name))}});
  }
  EXPECT_NE(error([&] {
              save_npy(path("b"), Array(Type{bf16, {1}}, "\x80\x3f"));
            }).find("no dtype for bf16[1]"),
            std::string::npos);
}

std::string npy(std::string header, const std::string& data) {
  const auto n = static_cast<char>(header.size());
  return std::string("\x93NUMPY\x01\0", 8) + n + '\0' + header + data;
}

TEST_F(Formats, NpyOrders) {
  put("f", npy("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }",
               std::string("\1\0\4\0\2\0\5\0\3\0\6\0", 12)));
  EXPECT_EQ(load_npy(path("f")).read<std::int16_t>().vector(), (std::vector<std::int16_t>{1, 2, 3, 4, 5, 6}));
  put("f", npy("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", std::string("\0\1\0\2", 4)));
  EXPECT_EQ(load_npy(path("f")).read<std::int16_t>().vector(), (std::vector<std::int16_t>{1, 2}));
}

TEST_F(Formats, BadNpyIsRefused) {
  put("f", npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", "123"));
  EXPECT_NE(error([&] { load_npy(path("f")); }).find("does not take the 3 bytes"), std::string::npos);
  put("f", npy("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (2,), }", "1234"));
  EXPECT_NE(error([&] { load_npy(path("f")); }).find("structured arrays"), std::string::npos);
  put("f", npy("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", "1234"));
  EXPECT_NE(error([&] { load_npy(path("f")); }).find("'|O' is not one"), std::string::npos);
}

TEST_F(Formats, NpzRoundTrip) {
  for (bool compressed : {false, true}) {
    save_npz(path("z"), some(), compressed);
    expect_equal(some(), load_npz(path("z")));
  }
}

}  // namespace
}  // namespace baton
