#!/bin/bash
# setup: installs what Baton's build needs. A second call finds everything and does nothing.
#   cmake/setup.sh [--dev]     --dev: also what the checks of .ci/run need
# Debian 12: packages by name, with apt. Elsewhere: names what is missing and exits 1.
set -euo pipefail

# Debian 12 ships: g++ 12.2, cmake 3.25, ninja 1.11, nlohmann-json 3.11, xxHash 0.8.1, CLI11 2.1, Boost.Math
# 1.74 (headers), zlib 1.2.13, LLVM 19.1 (its code generator needs zstd and ncurses), GoogleTest 1.12, Python 3.11. A
# stable release keeps these versions, so the names are enough. clang is pinned by name to 14: another version formats differently.
packages=(g++ cmake ninja-build nlohmann-json3-dev libxxhash-dev libcli11-dev libboost-math-dev
          zlib1g-dev libgtest-dev llvm-19-dev libncurses-dev libzstd-dev python3)
dev_packages=(git clang-14 clang-format-14 clang-tidy-14)
commands=(g++ cmake ninja python3 llvm-config-19)
dev_commands=(git clang++-14 clang-format-14 clang-tidy-14)
headers=(nlohmann/json.hpp xxhash.h CLI/CLI.hpp boost/math/special_functions/gamma.hpp zlib.h zstd.h gtest/gtest.h)

for argument in "$@"; do
  case $argument in
    --dev) packages+=("${dev_packages[@]}"); commands+=("${dev_commands[@]}") ;;
    *) echo "setup: unknown argument '$argument'; the one it knows is --dev" >&2; exit 2 ;;
  esac
done

system() { (. /etc/os-release 2>/dev/null && echo "${ID:-unknown} ${VERSION_ID:-}") || echo unknown; }

if [[ $(system) == "debian 12" ]]; then
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
  missing=()
  for package in "${packages[@]}"; do
    grep -qxF "$package installed" <<<"$installed" || missing+=("$package")
  done
  ((${#missing[@]})) || exit 0
  echo "setup: installing ${missing[*]}"
  sudo=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "setup: not root and no sudo; as root: apt-get install ${missing[*]}" >&2; exit 1; }
    sudo=(sudo)
  fi
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  exit 0
fi

missing=()
for command in "${commands[@]}"; do
  command -v "$command" >/dev/null || missing+=("$command")
done
if command -v g++ >/dev/null; then
  for header in "${headers[@]}"; do
    echo "#include <$header>" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1 || missing+=("<$header>")
  done
else
  missing+=("${headers[@]/#/header }")
fi
((${#missing[@]})) || exit 0
echo "setup: this is not Debian 12 but $(system); please install what is missing: ${missing[*]}" >&2
exit 1
