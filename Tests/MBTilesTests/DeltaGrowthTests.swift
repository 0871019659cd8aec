import Platform
import SystemPackage
import TestSupport
import Testing

@testable import ArchiveDeltas
@testable import MBTiles

@Suite("An archive that an app patches for years")
struct DeltaGrowthTests {
  /// Deltas one after the other: enough to replace every tile several times in a slow run.
  private static func rounds(_ form: DeltaForm) -> Int {
    getenv("QUADRILLE_SLOW") != nil ? 300 : form.hasGrids ? 5 : 12
  }

  @Test(
    "an archive patched by an app for years is never more than half as large again as a fresh one",
    arguments: DeltaForm.all)
  func bound(form: DeltaForm) throws {
    let (rounds, zooms) = (Self.rounds(form), form.hasGrids ? 0...4 : 0...6)
    var pair = ArchivePair(seed: 1, zooms: zooms, edits: 60)
    var shop = try DeltaWorkshop(pair, form, zooms: zooms)
    let folder = try TemporaryFolder()
    var compactions = 0
    let patched = try folder.write(contents(of: shop.old), to: "patched")
    for round in 0..<rounds {
      try shop.make()
      compactions += try shop.patch(patched, form) ? 1 : 0
      let (size, fresh) = (try contents(of: patched).count, try contents(of: shop.new).count)
      #expect(Double(size) <= 1.5 * Double(fresh), "round \(round)")
      pair = ArchivePair(after: pair, seed: UInt64(round), zooms: zooms, edits: 60)
      if round + 1 < rounds {
        let taps = SampleTaps(after: shop.taps.new, tiles: pair.new, seed: UInt64(round), edits: 30)
        shop = try DeltaWorkshop(pair, form, zooms: zooms, taps: (shop.taps.new, taps))
      }
    }
    #expect(
      try DeltaWorkshop.dump(patched, form) == DeltaWorkshop.dump(shop.new, form))
    #expect(compactions <= rounds / 12)
    var verifier = ArchiveVerifier(level: .full)
    verifier.giveUpAfter = 60
    #expect(verifier.verify(patched).isSound)
  }
}
