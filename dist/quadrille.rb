# A Homebrew formula: `brew install --HEAD ./dist/quadrille.rb`. Before a release, name its source
# archive and SHA-256 by `url` and `sha256`.
class Quadrille < Formula
  desc "Bakes clustered raster map tiles into MBTiles archives"
  homepage "https://example.org/quadrille"
  license "MIT"
  head "file://#{File.expand_path("..", __dir__)}", using: :git, branch: "main"

  depends_on "pkg-config" => :build
  depends_on "freetype"
  depends_on "fribidi"
  depends_on "harfbuzz"
  depends_on "icu4c"
  depends_on "jpeg-turbo"
  depends_on "libdeflate"
  depends_on "libpng"
  depends_on "webp"
  depends_on "zstd"
  depends_on :macos => :sequoia
  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "quadrille"
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "quadrille-preview"
    system "make", "install-files", "PREFIX=#{prefix}"
  end

  test do
    (testpath/"a.csv").write("lng,lat\n1,2\n")
    (testpath/"a.yml").write <<~YAML
      version: 1
      sources: {a: {type: csv, data: a.csv}}
      layers: [{id: dot, type: circle, source: a}]
      tiles: {maxzoom: 1}
      output: {path: a.mbtiles}
    YAML
    system bin/"quadrille", "build", "-q", "a.yml"
    system bin/"quadrille", "verify", "a.mbtiles"
  end
end
