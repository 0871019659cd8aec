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

  @Test("is never more than half as large again as a fresh one", arguments: DeltaForm.all)
  func bound(form: DeltaForm) throws {
    var pair = ArchivePair(seed: 1, zooms: 0...6, edits: 60)
    var shop = try DeltaWorkshop(pair, form, zooms: 0...6)
    let folder = TemporaryFolder()
    var compactions = 0
    let patched = try folder.write(contents(of: shop.old), to: "patched")
    for round in 0..<Self.rounds {
      try shop.make()
      compactions += try shop.patch(patched, form) ? 1 : 0
      let (size, fresh) = (try contents(of: patched).count, try contents(of: shop.new).count)
      #expect(Double(size) <= 1.5 * Double(fresh), "round \(round)")
      pair = ArchivePair(after: pair, seed: UInt64(round), zooms: 0...6, edits: 60)
      if round + 1 < Self.rounds {
        let taps = SampleTaps(after: shop.taps.new, tiles: pair.new, seed: UInt64(round), edits: 30)
        shop = try DeltaWorkshop(pair, form, zooms: 0...6, taps: (shop.taps.new, taps))
      }
    }
    #expect(
      try DeltaWorkshop.dump(patched, form) == DeltaWorkshop.dump(shop.new, form))
    #expect(compactions <= Self.rounds / 12)
    var verifier = ArchiveVerifier(level: .full)
    verifier.giveUpAfter = 60
    #expect(verifier.verify(patched).isSound)
  }
}
