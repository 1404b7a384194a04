#!/bin/bash
# setup: installs what Baton's build needs. A second call finds everything and does nothing.
#   cmake/setup.sh [--dev]     --dev: also what the checks of .ci/run need
# Debian 12: packages by name, with apt. Elsewhere: names what is missing and exits 1.
set -euo pipefail

# Debian 12 ships: g++ 12.2, cmake 3.25, ninja 1.11, nlohmann-json 3.11, xxHash 0.8.1, CLI11 2.1, Boost.Math
# 1.74 (headers), zlib 1.2.13, oneTBB 2021.8, LLVM 19.1 (its code generator needs zstd and ncurses), GoogleTest 1.12, Python
# 3.11. A stable release keeps these versions, so the names are enough. clang is pinned by name to 14: another formats differently.
packages=(g++ cmake ninja-build nlohmann-json3-dev libxxhash-dev libcli11-dev libboost-math-dev
          zlib1g-dev libtbb-dev libgtest-dev llvm-19-dev libncurses-dev libzstd-dev python3 python3-pip)
dev_packages=(git clang-14 clang-format-14 clang-tidy-14)
commands=(g++ cmake ninja python3 llvm-config-19)
dev_commands=(git clang++-14 clang-format-14 clang-tidy-14)
headers=(nlohmann/json.hpp xxhash.h CLI/CLI.hpp boost/math/special_functions/gamma.hpp zlib.h oneapi/tbb.h zstd.h gtest/gtest.h)

# OpenBLAS is newer in a wheel than in Debian. Each user keeps a copy; cmake/openblas.cmake looks there, then for Debian's.
openblas=scipy_openblas32-0.3.34.481.3
openblas_hash=sha256:0595f94cd58c1f8a0d90c975621f4587337a003916b1979e834ebdf2cb5d9504  # of the wheel for x86-64
openblas_folder=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/baton/$openblas

fetch_openblas() {
  local scratch
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/openblas.XXXXXX")
  echo "setup: fetching $openblas"
  echo "${openblas/_openblas32-/-openblas32==} --hash=$openblas_hash" >"$scratch/requirements"
  if python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
      --dest "$scratch" --requirement "$scratch/requirements" && python3 -m zipfile -e "$scratch"/*.whl "$scratch"; then
    mkdir -p "$openblas_folder"
    cp "$scratch/$openblas.dist-info/licenses/LICENSE.txt" "$scratch/scipy_openblas32/lib/libscipy_openblas.so" "$openblas_folder"
  fi
  rm -rf "$scratch"
}
has_openblas() { [[ -f $openblas_folder/libscipy_openblas.so ]]; }

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
  if ((${#missing[@]} == 0)); then
    has_openblas || fetch_openblas
    if has_openblas || dpkg-query -W libopenblas0-serial >/dev/null 2>&1; then exit 0; fi
    missing=(libopenblas0-serial)  # slower, but there
  fi
  echo "setup: installing ${missing[*]}"
  sudo=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "setup: not root and no sudo; as root: apt-get install ${missing[*]}" >&2; exit 1; }
    sudo=(sudo)
  fi
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  [[ ${missing[*]} == libopenblas0-serial ]] || exec "$0" "$@"  # for OpenBLAS, which needs what is here now
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
has_openblas || fetch_openblas
has_openblas || missing+=(OpenBLAS)
((${#missing[@]})) || exit 0
echo "setup: this is not Debian 12 but $(system); please install what is missing: ${missing[*]}" >&2
exit 1
