#!/bin/bash
# Makes DIR/venv with the peers (pymgl, mapnik) and DIR/fonts with glyph ranges. usage: setup.sh DIR
set -e
here=$(cd "$(dirname "$0")" && pwd); dir=${1:?usage: setup.sh DIR}; mkdir -p "$dir"
command -v xvfb-run >/dev/null || { apt-get update -q; apt-get install -y -q xvfb libgl1-mesa-dri libglx-mesa0 libegl-mesa0; }
[ -d "$dir/venv" ] || python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q install pymgl mapnik pillow numpy scipy pixelmatch
"$dir/venv/bin/python" "$here/glyphs.py" "$dir/fonts"
