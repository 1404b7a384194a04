// formats: safetensors, npy and npz, round trips and bad files.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include "baton/baton.h"
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
  /// The message without the folder.
  template <class F>
  std::string named(F f) const {
    std::string e = error(f);
    for (std::size_t at; (at = e.find(folder.string() + "/")) != std::string::npos;)
      e.erase(at, folder.string().size() + 1);
    return e;
  }
  std::string safetensors(const std::string& header, const std::string& data) const {
    const std::uint64_t n = header.size();
    std::string all(8, '\0');
    std::memcpy(all.data(), &n, 8);
    put("f", all + header + data);
    return named([&] { load_safetensors(path("f")); });
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
  EXPECT_EQ(safetensors(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})",
                        "12345678"),
            "safetensors: f: byte 8: the entry `a` has a shape that is not a list of extents.");
  EXPECT_EQ(
      safetensors(R"({"a":{"dtype":"F32","shape":[2147483648,2147483648,4],"data_offsets":[0,8]}})",
                  "12345678"),
      "safetensors: f: byte 8: the entry `a` is f32[2147483648,2147483648,4], but its offsets span 8 bytes.");
  EXPECT_EQ(safetensors(R"({"a":{"shape":[2],"data_offsets":[0,8]}})", "12345678"),
            "safetensors: f: byte 8: the entry `a` must have dtype, shape and data_offsets.");
  EXPECT_EQ(
      safetensors(R"({"a":{"dtype":7,"shape":[2],"data_offsets":[0,8]}})", "12345678"),
      "safetensors: f: byte 8: the entry `a` must have a text dtype, a list shape and two data_offsets.");
  EXPECT_EQ(safetensors(R"({"__metadata__":{"k":1}})", ""),
            "safetensors: f: byte 8: the entry `__metadata__` must be an object of texts.");
  EXPECT_EQ(safetensors(R"({"a":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})", "12"),
            "safetensors: f: byte 66: the array `a` has the dtype F8_E4M3, which Baton does not have.");
  EXPECT_EQ(safetensors(R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", "\1\2"),
            "safetensors: f: byte 64: a byte of the bool array `a` is neither 0 nor 1.");
  EXPECT_EQ(safetensors(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", "1234"),
            "safetensors: f: byte 61: no array covers 2 bytes.");
  EXPECT_EQ(safetensors("{\"a\":", ""), "safetensors: f: byte 13: the header is not JSON.");
  EXPECT_EQ(safetensors("[1]", ""), "safetensors: f: byte 8: the header must be a JSON object.");
  EXPECT_EQ(safetensors("{}", "12"), "safetensors: f: byte 10: no array covers the last 2 bytes.");
  EXPECT_EQ(safetensors(std::string(100000, '['), ""),
            "safetensors: f: byte 100008: the header is not JSON.");
  put("f", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10));
  EXPECT_EQ(
      named([&] { load_safetensors(path("f")); }),
      "safetensors: f: byte 0: the header is said to have 9223372036854775807 bytes; the file has 2 after "
      "its length.");
  EXPECT_EQ(named([&] { load_safetensors(path("none")); }),
            "safetensors: none cannot be opened: No such file or directory.\n  Check the path.");
}

/// What the reader would refuse, or read under another name, is not written.
TEST_F(Formats, NamesThatCannotBeReadBackAreRefused) {
  EXPECT_EQ(named([&] {
              save_safetensors(path("f"), {{"__metadata__", Array(1.f)}});
            }),
            "safetensors: f: the name `__metadata__` is the format's own.\n  Give the array another.");
  EXPECT_EQ(named([&] {
              save_safetensors(path("f"), {{"\xff", Array(1.f)}, {"\xfe", Array(2.f)}});
            }),
            "safetensors: f: names and metadata must be UTF-8.\n  Rename what is not.");
  EXPECT_EQ(named([&] {
              save_safetensors(path("f"), {{"a", Array(1.f)}}, {{"k", "\xff"}});
            }),
            "safetensors: f: names and metadata must be UTF-8.\n  Rename what is not.");
  EXPECT_FALSE(std::filesystem::exists(path("f")));
  save_safetensors(path("f"), {{"größe", Array(1.f)}});
  EXPECT_EQ(load_safetensors(path("f")).at("größe").item(), 1.f);
  EXPECT_EQ(named([&] { Safetensors(path("f")).array("b"); }), "safetensors: f holds no array named `b`.");
}

TEST_F(Formats, TruncatedFilesAreRefused) {
  save_safetensors(path("s"), some());
  save_npy(path("n"), some().at("a"));
  save_npz(path("z"), some(), true);
  const std::string s = bytes("s"), n = bytes("n"), z = bytes("z");
  const auto refused_at_any_length = [&](const std::string& whole, auto load) {
    put("t", whole);
    for (std::size_t k = whole.size(); k-- > 0;) {
      std::filesystem::resize_file(path("t"), k);
      EXPECT_THROW(load(path("t")), UsageError) << k;
    }
  };
  refused_at_any_length(s, [](const std::string& f) { load_safetensors(f); });
  refused_at_any_length(n, [](const std::string& f) { load_npy(f); });
  refused_at_any_length(z, [](const std::string& f) { load_npz(f); });
}

TEST_F(Formats, ChangedArchivesNeverCrash) {
  save_npz(path("z"), some(), true);
  const std::string z = bytes("z");
  std::fstream file(path("z"), std::ios::binary | std::ios::in | std::ios::out);
  const auto write = [&](std::size_t at, char c) {
    file.seekp(static_cast<std::streamoff>(at));
    file.put(c).flush();
  };
  for (std::size_t k = 0; k < z.size(); ++k) {
    write(k, static_cast<char>(z[k] ^ 0xff));
    try {
      load_npz(path("z"));
    } catch (const Error&) {
    }
    write(k, z[k]);
  }
}

TEST_F(Formats, NpyRoundTrip) {
  for (const auto& [name, a] : some()) {
    save_npy(path(name), a);
    expect_equal({{name, a}}, {{name, load_npy(path(name))}});
  }
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

/// Each mistake by its whole message, with the byte where it was found.
TEST_F(Formats, BadNpyIsRefused) {
  const auto refused = [&](const std::string& bytes) {
    put("f", bytes);
    return named([&] { load_npy(path("f")); });
  };
  const auto header = [&](const std::string& text, const std::string& data = "1234") {
    return refused(npy(text, data));
  };
  EXPECT_EQ(refused("PK"), "npy: f: byte 0: the file does not begin as a .npy file does.");
  EXPECT_EQ(refused(std::string("\x93NUMPY\x04\0\0\0", 10)), "npy: f: byte 6: version 4 is not known.");
  EXPECT_EQ(refused(std::string("\x93NUMPY\x01\0\x10\0{}", 12)),
            "npy: f: byte 8: the header is said to have 16 bytes; the file ends before.");
  EXPECT_EQ(header("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", "123"),
            "npy: f: byte 67: s16[2] does not take the 3 bytes of data that follow.");
  EXPECT_EQ(header("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (2,), }"),
            "npy: f: byte 20: structured arrays are not read in the header.");
  EXPECT_EQ(header("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }"),
            "npy: f: byte 24: the dtype '|O' is not one that Baton has in the header.");
  EXPECT_EQ(header("{'descr': '<i2', 'fortran_order': 0, 'shape': (2,), }"),
            "npy: f: byte 44: True or False is required in the header.");
  EXPECT_EQ(header("{'descr': '<i2', 'fortran_order': False, 'shape': (2 3), }"),
            "npy: f: byte 63: `,` or `)` is required in the header.");
  EXPECT_EQ(header("{'descr': '<i2', 'fortran_order': False, 'shape': (-1,), }"),
            "npy: f: byte 61: an extent is required in the header.");
  EXPECT_EQ(header("{'descr': '<i2', 'fortran_order': False, 'shape': (99999999999999999999,), }"),
            "npy: f: byte 78: an extent is too large in the header.");
  EXPECT_EQ(header("{'descr': '<i2', 'shape': (2,), }"),
            "npy: f: byte 43: descr, fortran_order and shape are required in the header.");
  EXPECT_EQ(header("{'what': 1}"), "npy: f: byte 18: the key `what` is not known in the header.");
  EXPECT_EQ(header("{'descr': '<i2"), "npy: f: byte 24: a text has no end in the header.");
  EXPECT_EQ(header("{'descr': '<i2', 'fortran_order': False, 'shape': (1,), 'shape': (2,), }"),
            "npy: f: byte 73: the key `shape` stands twice in the header.");
  EXPECT_EQ(header("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }zzz\n"),
            "npy: f: byte 67: nothing may follow `}` in the header.");
  EXPECT_EQ(header("[]"), "npy: f: byte 10: `{` is required in the header.");
  EXPECT_EQ(header("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", "\1\2"),
            "npy: f: byte 68: a bool is neither 0 nor 1.");
  EXPECT_EQ(named([&] { load_npy(path("none")); }),
            "npy: none cannot be opened: No such file or directory.\n  Check the path.");
  EXPECT_EQ(named([&] { load_npy("/"); }), "npy: / cannot be read: Is a directory.\n  Check the path.");
}

TEST_F(Formats, BadArchivesAreRefused) {
  const auto refused = [&](const std::string& bytes) {
    put("f", bytes);
    return named([&] { load_npz(path("f")); });
  };
  EXPECT_EQ(refused("no archive"), "zip: f: byte 10: this is not a zip archive: it has no end record.");
  EXPECT_EQ(refused("PK\x05\x06"), "zip: f: byte 4: the archive ends too early.");
  for (bool compressed : {false, true}) {
    save_npz(path("z"), {{"a", Array({1.f, 2.f, 3.f})}}, compressed);
    const std::string z = bytes("z");
    const std::size_t directory = z.find("PK\x01\x02");
    const auto changed = [&](std::size_t at, char to) {
      std::string other = z;
      other[at] = to;
      return refused(other);
    };
    const std::string at = "zip: f: byte " + std::to_string(directory);
    EXPECT_EQ(changed(directory, 'X'), at + ": an entry of the directory is missing.");
    EXPECT_EQ(changed(directory + 8, 1), at + ": the entry a.npy is encrypted.");
    EXPECT_EQ(changed(directory + 10, 9),
              at + ": the entry a.npy is packed by method 9; stored and deflated are read.");
    EXPECT_EQ(changed(0, 'X'), "zip: f: byte 0: the entry a.npy is missing.");
    EXPECT_EQ(changed(directory + 16, static_cast<char>(z[directory + 16] ^ 1)),
              "zip: f: byte 35: the checksum of a.npy is wrong.");
    EXPECT_EQ(changed(directory + 24, static_cast<char>(z[directory + 24] ^ 1)),
              compressed ? "zip: f: byte 35: an entry does not unpack to its size."
                         : "zip: f: byte 35: the stored entry a.npy has two sizes.");
    if (compressed)
      EXPECT_EQ(changed(directory + 27, 0x7f),
                "zip: f: byte 35: an entry claims to unpack to more than deflate can.");
  }
}

/// Each call writes under a name of its own: a file holds what one of them saved.
TEST_F(Formats, ThreadsThatSaveToOnePath) {
  constexpr int arrays = 60, length = 3000;
  const auto all = [](float value) {
    NamedArrays a;
    for (int i = 0; i < arrays; ++i)
      a["a" + std::to_string(i)] = Array(std::vector<float>(length, value), {length});
    return a;
  };
  const NamedArrays first = all(1), second = all(2);
  for (int round = 0; round < 20; ++round) {
    std::string errors[2];
    std::thread one([&] { errors[0] = error([&] { save_safetensors(path("f"), first); }); });
    std::thread two([&] { errors[1] = error([&] { save_safetensors(path("f"), second); }); });
    one.join();
    two.join();
    EXPECT_EQ(errors[0], "no error");
    EXPECT_EQ(errors[1], "no error");
    const NamedArrays found = load_safetensors(path("f"));
    const float value = found.at("a0").read<float>()[0];
    for (const auto& [name, a] : found)
      for (float x : a.read<float>()) ASSERT_EQ(x, value) << name;
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);  // nothing is left beside it
}

TEST_F(Formats, ModesLinksAndLongNames) {
  const auto mode = [&](const std::string& name) {
    struct stat info {};
    stat(path(name).c_str(), &info);
    return info.st_mode & 0777;
  };
  const Array a({1.f, 2.f});
  for (mode_t m : {0600u, 0640u, 0666u}) {
    put("private", "");
    chmod(path("private").c_str(), m);
    save_npy(path("private"), a);
    EXPECT_EQ(mode("private"), m);
    EXPECT_EQ(load_npy(path("private")).read<float>()[1], 2.f);
  }
  std::filesystem::create_directory(folder / "d");
  std::filesystem::create_symlink("d/target", folder / "link");  // leads to a file that is not there yet
  for (int i = 0; i < 2; ++i) {
    save_npy(path("link"), a);
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(load_npy(path("d/target")).read<float>()[1], 2.f);
  }
  const std::string longest(255, 'n');
  save_npy(path(longest), a);
  EXPECT_EQ(load_npy(path(longest)).read<float>()[1], 2.f);
  const std::string cut = path("cut") + std::string("\0rest", 5);
  const std::string message = "npy: the path `cut` goes on after a null byte.\n  Check the path.";
  EXPECT_EQ(named([&] { save_npy(cut, a); }), message);
  EXPECT_EQ(named([&] { load_npy(cut); }), message);
  EXPECT_FALSE(std::filesystem::exists(path("cut")));
}

TEST_F(Formats, NpyOfManyAxes) {
  const Array a = lax::reshape(Array(3.f), Shape(1000, 1));
  save_npy(path("f"), a);
  EXPECT_EQ(load_npy(path("f")).rank(), 1000);
  EXPECT_EQ(bytes("f").size() % 64, 4u);
}

/// The message names the file and the array, and the line that saves.
TEST_F(Formats, ArraysWithoutValuesAreNotSaved) {
  const NamedArrays gap = {{"bias", Array(1.f)}, {"layer1.weight", Array()}};
  constexpr Where train{"train.cc", 41};
  const std::string never =
      "the array is empty: it was never set, or its value was moved away.\n  called at train.cc:41";
  EXPECT_EQ(named([&] { save_safetensors(path("f"), gap, {}, train); }),
            "safetensors: f: `layer1.weight`: " + never);
  EXPECT_EQ(named([&] { save_npz(path("f"), gap, false, train); }), "npy: f: `layer1.weight`: " + never);
  EXPECT_EQ(named([&] { save_npy(path("f"), Array(), train); }), "npy: f: " + never);
  Array given(1.f);
  jit([](const Array& a) { return a + 1; })(std::move(given));
  const NamedArrays gone = {{"g", given}};
  EXPECT_EQ(named([&] {
              save_npz(path("f"), gone, false, train);
            }).find("npy: f: `g`: the array is empty: it was donated at formats_test.cc:"),
            0u);
  const std::string traced = named([&] {
    jit([&](const Array& a) {
      save_safetensors(path("f"), {{"t", a}});
      return a;
    })(Array(1.f));
  });
  EXPECT_EQ(traced.substr(0, 74),
            "safetensors: f: `t`: the value of a traced array f32[] was asked for. Whil");
  EXPECT_EQ(named([&] {
              save_npz(path("f"), {{"a", Array(Type{bf16, {1}}, "\x80\x3f")}});
            }),
            "npy: f: `a`: NumPy has no dtype for bf16[1].\n  Convert it first, to f32 for example.");
  EXPECT_FALSE(std::filesystem::exists(path("f")));
}

TEST_F(Formats, NamesThatStandTwiceAreRefused) {
  EXPECT_EQ(safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                        "12"),
            "safetensors: f: byte 8: the name `a` stands twice.");
  EXPECT_EQ(safetensors(R"({"__metadata__":{"k":"1","k":"2"}})", ""),
            "safetensors: f: byte 8: the name `k` stands twice.");
}

/// What the reader would refuse is not written.
TEST_F(Formats, HeadersAboveTheLimitAreNotWritten) {
  EXPECT_EQ(named([&] {
              save_safetensors(path("f"), {}, {{"k", std::string(100'000'000, 'x')}});
            }),
            "safetensors: f: the header takes 100000025 bytes; at most 100000000 are read.\n  Shorten the "
            "metadata, or write several files.");
  EXPECT_FALSE(std::filesystem::exists(path("f")));
}

TEST_F(Formats, EntriesOfOneNameAreRefused) {
  save_npz(path("z"), {{"a", Array(1.f)}, {"b", Array(2.f)}});
  std::string z = bytes("z");
  for (std::size_t i = 0; (i = z.find("b.npy", i)) != std::string::npos;) z[i] = 'a';
  put("f", z);
  EXPECT_EQ(named([&] { load_npz(path("f")); }),
            "npy: f: two entries are named `a`.\n  Write the archive again, with names that differ.");
}

/// Many entries of the directory over one packed entry would unpack to any size.
TEST_F(Formats, EntriesThatOverlapAreRefused) {
  save_npz(path("z"), {{"a", Array(std::vector<float>(1000), {1000})}}, true);
  std::string z = bytes("z");
  const std::size_t directory = z.find("PK\x01\x02"), end = z.find("PK\x05\x06");
  const std::string entry = z.substr(directory, end - directory);
  z.insert(end, entry);
  const std::size_t record = end + entry.size();
  z[record + 8] = z[record + 10] = 2;
  put("f", z);
  EXPECT_EQ(named([&] { load_npz(path("f")); }), "zip: f: byte 0: the entry a.npy overlaps another.");
}

TEST_F(Formats, NpzRoundTrip) {
  for (bool compressed : {false, true}) {
    save_npz(path("z"), some(), compressed);
    expect_equal(some(), load_npz(path("z")));
  }
}

}  // namespace
}  // namespace baton
