#!/bin/bash
# build: brings the release build in build/release up to date.
#   cmake/build.sh [TARGET...]     default: everything
set -euo pipefail
cd "$(dirname "$0")/.."

cmake/setup.sh
folder=build/release
stamp=$folder/.configured  # Ninja runs CMake again when a CMakeLists.txt changes; presets it does not know
if [[ ! -f $folder/build.ninja || ! -f $stamp || CMakePresets.json -nt $stamp ]]; then
  echo "Configuring $folder"
  fresh=()
  # A build folder that came along with a copied tree belongs to the old place.
  if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" $folder/CMakeCache.txt; then
    fresh=(--fresh)
  fi
  cmake --preset release "${fresh[@]}" --log-level=WARNING >/dev/null
  touch $stamp
fi

targets=()
(($#)) && targets=(--target "$@")
build() { NINJA_STATUS='[%f/%t] ' cmake --build --preset release -j "$(nproc)" "${targets[@]}"; }
if [[ -t 1 ]]; then
  build
else  # a log gets a line for each tenth of the work, and whatever is not progress
  build | awk '
    match($0, /^\[[0-9]+\/[0-9]+\] /) {
      split(substr($0, 2, RLENGTH - 3), step, "/"); tenth = int(10 * step[1] / step[2])
      if (step[2] >= 10 && tenth > last) { print "Building " folder ": " step[1] " of " step[2]; fflush(); last = tenth }
      next }
    /^ninja: no work to do/ { next }
    { print; fflush() }' folder=$folder
fi
