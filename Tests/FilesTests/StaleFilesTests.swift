import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Leftovers of dead processes") struct StaleFilesTests {
  /// The number of a process that does not exist.
  private static let dead = "999999999"

  @Test("a sweep removes the files and folders of dead processes, and nothing else")
  func sweep() throws {
    let folder = try TemporaryFolder()
    let own = "\(ProcessInfo.processInfo.processIdentifier)"
    let stale = [
      ".quadrille-gdal.tmp-\(Self.dead)-1a/input/file", ".quadrille-unpacked.tmp-\(Self.dead)-x",
      ".quadrille-fetch.tmp-\(Self.dead)/entries/a",
    ]
    let kept = [
      ".quadrille-gdal.tmp-1-1a", ".quadrille-gdal.tmp-\(own)-1a", ".quadrille-cache",
      ".quadrille-gdal.tmp-x", ".quadrille-gdal.tmp-\(Self.dead)a",
      ".out.mbtiles.tmp-\(Self.dead)", "quadrille-gdal.tmp-\(Self.dead)",
    ]
    for name in stale + kept { try folder.write("x", to: name) }
    StaleFiles.sweep(FilePath(folder.url.path))
    #expect(try folder.names() == kept.sorted())
    StaleFiles.sweep(FilePath(folder.url.path), prefix: ".")
    #expect(try folder.names() == kept.filter { $0 != ".out.mbtiles.tmp-\(Self.dead)" }.sorted())
  }

  @Test("a link among the leftovers is removed, and what it leads to stays")
  func links() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "data/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(".quadrille-gdal.tmp-\(Self.dead)"), withDestinationPath: "data")
    StaleFiles.sweep(FilePath(folder.url.path))
    #expect(try folder.names() == ["data"] && folder.bytes("data/file").count == 1)
  }
}
