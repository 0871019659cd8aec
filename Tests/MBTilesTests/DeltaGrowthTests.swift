import SystemPackage
import Testing

@testable import MBTiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("An archive that an app patches for years")
struct DeltaGrowthTests {
  /// Deltas one after the other: enough to replace every tile several times in a slow run.
  private static let rounds = getenv("QUADRILLE_SLOW") == nil ? 12 : 300

  @Test("is never more than half as large again as a fresh one", arguments: ArchiveLayout.allCases)
  func bound(layout: ArchiveLayout) throws {
    var pair = ArchivePair(seed: 1, zooms: 0...6, edits: 60)
    var shop = try DeltaWorkshop(pair, layout: layout, zooms: 0...6)
    let folder = TemporaryFolder()
    let patched = try folder.write(contents(of: shop.old), to: "patched")
    for round in 0..<Self.rounds {
      try shop.make()
      try shop.patch(patched, layout)
      let (size, fresh) = (try contents(of: patched).count, try contents(of: shop.new).count)
      #expect(Double(size) <= 1.5 * Double(fresh), "round \(round)")
      pair = ArchivePair(after: pair, seed: UInt64(round), zooms: 0...6, edits: 60)
      if round + 1 < Self.rounds {
        shop = try DeltaWorkshop(pair, layout: layout, zooms: 0...6)
      }
    }
    #expect(
      try DeltaWorkshop.dump(patched, layout) == DeltaWorkshop.dump(shop.new, layout))
    var verifier = ArchiveVerifier(level: .full)
    verifier.giveUpAfter = 60
    #expect(verifier.verify(patched).isSound)
  }
}
