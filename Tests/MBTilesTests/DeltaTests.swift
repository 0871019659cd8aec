import SQLite
import SystemPackage
import Testing
import Tiling

@testable import MBTiles

@Suite("A delta")
struct DeltaTests {
  @Test(
    "applied to the old archive gives the bytes of the new one", arguments: ArchiveLayout.allCases,
    0..<10)
  func bytes(layout: ArchiveLayout, seed: Int) throws {
    let shop = try DeltaWorkshop(
      ArchivePair(seed: UInt64(seed), edits: seed * seed * 6, images: 3 + seed * 8), layout: layout)
    let facts = try shop.make()
    #expect(try shop.apply() == contents(of: shop.new))
    let (old, new) = (try ArchiveReader(shop.old), try ArchiveReader(shop.new))
    #expect(try facts.before == old.hashes().digest && facts.after == new.hashes().digest)
    #expect(try facts.tilesBefore == old.summary().tiles && facts.tilesAfter == new.summary().tiles)
    #expect(try DeltaReader(shop.delta).facts == facts)
    // The archive that the delta leads to is left alone.
    #expect(try shop.apply(to: shop.new) == [])
  }

  @Test(
    "applied with the documented SQL gives the rows, images and metadata of the new archive",
    arguments: ArchiveLayout.allCases, 0..<10)
  func sql(layout: ArchiveLayout, seed: Int) throws {
    let shop = try DeltaWorkshop(
      ArchivePair(seed: UInt64(100 + seed), edits: seed * seed * 6, images: 3 + seed * 8),
      layout: layout)
    try shop.make()
    try shop.patch(shop.old, layout)
    #expect(
      try DeltaWorkshop.dump(shop.old, layout) == DeltaWorkshop.dump(shop.new, layout))
    var verifier = ArchiveVerifier(level: .full)
    verifier.giveUpAfter = 10
    let verification = verifier.verify(shop.old)
    #expect(verification.isSound, "\(verification.findings.map(\.message))")
    // A second time it is refused by the query that comes first, unless no tile differs.
    guard seed > 0 else { return }
    #expect(throws: DeltaWorkshop.NotForThis.self) { try shop.patch(shop.old, layout) }
  }

  @Test("leads on from an archive that an app patched, again to the new one's bytes")
  func chain() throws {
    var pair = ArchivePair(seed: 5, edits: 60)
    let first = try DeltaWorkshop(pair, layout: .dedup)
    try first.make()
    try first.patch(first.old, .dedup)
    pair.old = pair.new
    pair.new = ArchivePair(seed: 6, edits: 0).old
    let second = try DeltaWorkshop(pair, layout: .dedup)
    try second.make()
    #expect(try second.apply(to: first.old) == contents(of: second.new))
    try second.patch(first.old, .dedup)
    #expect(
      try DeltaWorkshop.dump(first.old, .dedup) == DeltaWorkshop.dump(second.new, .dedup))
  }

  @Test("has the same bytes each time it is made", arguments: ArchiveLayout.allCases)
  func deterministic(layout: ArchiveLayout) throws {
    let shop = try DeltaWorkshop(ArchivePair(seed: 3), layout: layout)
    try shop.make()
    let again = shop.folder.path.appending("again")
    try shop.make(again)
    #expect(try contents(of: shop.delta) == contents(of: again))
  }

  @Test("between equal tiles brings the metadata alone")
  func metadata() throws {
    let pair = ArchivePair(seed: 1, edits: 0)
    let shop = try DeltaWorkshop(pair, layout: .dedup)
    let facts = try shop.make()
    #expect(facts.before == facts.after && facts.added + facts.changed + facts.removed == 0)
    #expect(try shop.apply() == contents(of: shop.new))
    #expect(try shop.apply(to: shop.new) == [])
  }

  @Test("takes the place of what is gone in the metadata, whichever has more rows")
  func replacements() {
    func entries(_ names: String) -> [MetadataEntry] {
      names.map { MetadataEntry("\($0)", "") }
    }
    let cases = [
      ("abc", "abc", "abc"), ("abc", "abd", "abc"), ("ab", "abc", "ab-"), ("abc", "ab", "cb"),
      ("abcde", "ab", "cd"), ("abcd", "ae", "bc"), ("", "a", "-"),
    ]
    for (old, new, expected) in cases {
      let rows = DeltaMaker.replacements(entries(old), entries(new))
      #expect(rows.map { $0.replaced ?? "-" }.joined() == expected, "\(old) to \(new)")
    }
  }

  @Test("is not made between archives of two layouts, forms or programs")
  func refused() throws {
    let pair = ArchivePair(seed: 2)
    let shop = try DeltaWorkshop(pair, layout: .dedup)
    let other = try DeltaWorkshop(pair, layout: .flat)
    func refusal(_ old: FilePath, _ new: FilePath) -> String {
      let error = #expect(throws: ArchiveError.self) {
        _ = try DeltaMaker(old: try ArchiveReader(old), new: try ArchiveReader(new))
      }
      #expect(error?.code == .badValue)
      return error?.message ?? ""
    }
    #expect(refusal(shop.old, other.new).contains("layout 'dedup'"))
    let large = shop.folder.path.appending("large")
    try Sample.write(
      large, tiles: Sample.tiles.map { ($0.tile, samplePNG(size: 512, pixels: [1])) })
    #expect(refusal(shop.old, large).contains("512 px at scale 1"))
    try Database(path: other.old.string, mode: .readWrite).execute("CREATE TABLE more (a)")
    #expect(refusal(other.old, other.new).contains("not written by this version"))
  }

  @Test("is not made from an archive whose tiles are not what its digest says")
  func damagedArchive() throws {
    let shop = try DeltaWorkshop(ArchivePair(seed: 4), layout: .flat)
    try Database(path: shop.new.string, mode: .readWrite).execute(
      "DELETE FROM tiles WHERE zoom_level = 5 AND tile_column > 20")
    let error = #expect(throws: ArchiveError.self) { try shop.make() }
    #expect(error?.code == .badArchive && error?.path == shop.new)
  }
}
