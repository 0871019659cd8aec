public import Foundation

extension MapArchive {
  /// Returns the archives of one map by the density of their pictures: the one at a url, and those
  /// beside it with `@2x` and `@3x` after their names.
  ///
  /// - Parameter url: the url of the archive of density 1.
  public static func densities(of url: URL) -> [Int: URL] {
    var found: [Int: URL] = [:]
    for density in 1...3 {
      let sibling = density == 1 ? url : Self.sibling(of: url, density: density)
      if FileManager.default.fileExists(atPath: sibling.path) { found[density] = sibling }
    }
    return found
  }

  /// Opens the archive of a map that suits a screen: the least dense one with at least as many
  /// pixels as the screen, else the densest.
  ///
  /// - Parameters:
  ///   - url: the url of the archive of density 1.
  ///   - scale: the pixels of the screen for each point, such as those of `UIScreen.scale`.
  public init(url: URL, forScale scale: Double) throws(ClientError) {
    let found = Self.densities(of: url)
    let best = found.keys.filter { Double($0) >= scale }.min() ?? found.keys.max() ?? 1
    try self.init(url: found[best] ?? url)
  }

  private static func sibling(of url: URL, density: Int) -> URL {
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent()
      .appendingPathComponent("\(name)@\(density)x").appendingPathExtension(url.pathExtension)
  }
}
