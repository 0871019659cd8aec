import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import ArchiveDeltas
@testable import MBTiles

@Suite("A delta")
struct DeltaTests {
  @Test(
    "a delta applied to the old archive gives the bytes of the new one", arguments: DeltaForm.all,
    0..<10)
  func bytes(form: DeltaForm, seed: Int) throws {
    let shop = try DeltaWorkshop(
      ArchivePair(
        seed: UInt64(seed), zooms: form.sampleZooms, edits: seed * seed * 6, images: 3 + seed * 8),
      form, zooms: form.sampleZooms)
    let facts = try shop.make()
    #expect(try shop.apply() == contents(of: shop.new))
    let (old, new) = (try ArchiveReader(shop.old), try ArchiveReader(shop.new))
    #expect(try facts.before == old.blockHashes().digest && facts.after == new.blockHashes().digest)
    #expect(try facts.tilesBefore == old.summary().tiles && facts.tilesAfter == new.summary().tiles)
    #expect(try DeltaReader(shop.delta).facts == facts)
    // The archive that the delta leads to is left alone.
    #expect(try shop.apply(to: shop.new) == [])
  }

  @Test(
    "a delta applied with the documented SQL gives the new archive's rows, images and metadata",
    arguments: DeltaForm.all, 0..<10)
  func sql(form: DeltaForm, seed: Int) throws {
    let shop = try DeltaWorkshop(
      ArchivePair(
        seed: UInt64(100 + seed), zooms: form.sampleZooms, edits: seed * seed * 6,
        images: 3 + seed * 8),
      form, zooms: form.sampleZooms)
    try shop.make()
    try shop.patch(shop.old, form)
    #expect(
      try DeltaWorkshop.dump(shop.old, form) == DeltaWorkshop.dump(shop.new, form))
    var verifier = ArchiveVerifier(level: .full)
    verifier.giveUpAfter = 10
    verifier.gridText = SampleTaps.text
    let verification = verifier.verify(shop.old)
    #expect(verification.isSound, "\(verification.findings.map(\.message))")
    // A second time it is refused by the query that comes first, unless no tile differs.
    guard seed > 0 else { return }
    #expect(throws: DeltaWorkshop.NotForThis.self) { try shop.patch(shop.old, form) }
  }

  @Test(
    "a delta leads from an archive that an app patched and compacted to the new one's bytes",
    arguments: DeltaForm.all)
  func chain(form: DeltaForm) throws {
    let zooms = form.sampleZooms
    var pair = ArchivePair(seed: 5, zooms: zooms, edits: 60)
    let first = try DeltaWorkshop(pair, form, zooms: zooms)
    try first.make()
    try first.patch(first.old, form)
    try Database(path: first.old.string, mode: .readWrite).execute("VACUUM")
    pair.old = pair.new
    pair.new = ArchivePair(seed: 6, zooms: zooms, edits: 0).old
    let second = try DeltaWorkshop(
      pair, form, zooms: zooms, taps: (first.taps.new, SampleTaps()))
    try second.make()
    #expect(try second.apply(to: first.old) == contents(of: second.new))
    try second.patch(first.old, form)
    #expect(try DeltaWorkshop.dump(first.old, form) == DeltaWorkshop.dump(second.new, form))
  }

  @Test("a delta has the same bytes each time it is made", arguments: DeltaForm.all)
  func deterministic(form: DeltaForm) throws {
    let shop = try DeltaWorkshop(ArchivePair(seed: 3), form)
    try shop.make()
    let again = shop.folder.path.appending("again")
    try shop.make(again)
    #expect(try contents(of: shop.delta) == contents(of: again))
  }

  @Test("a delta between equal tiles contains only the metadata")
  func metadata() throws {
    let pair = ArchivePair(seed: 1, edits: 0)
    let shop = try DeltaWorkshop(pair, DeltaForm(.dedup))
    let facts = try shop.make()
    #expect(facts.before == facts.after && facts.added + facts.changed + facts.removed == 0)
    #expect(try shop.apply() == contents(of: shop.new))
    #expect(try shop.apply(to: shop.new) == [])
  }

  @Test("a delta replaces removed rows of the metadata, whichever archive has more")
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

  @Test("a delta is refused between archives of two layouts, forms or programs")
  func refused() throws {
    let pair = ArchivePair(seed: 2)
    let shop = try DeltaWorkshop(pair, DeltaForm(.dedup))
    let other = try DeltaWorkshop(pair, DeltaForm(.flat))
    let tapped = try DeltaWorkshop(pair, DeltaForm(.dedup, taps: .grids))
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
    #expect(refusal(other.old, other.new).contains("holds 'more', which deltas do not carry"))
    let sentence = "answers taps and \(shop.new) does not"
    #expect(refusal(tapped.old, shop.new).contains(sentence))
    #expect(refusal(shop.new, tapped.old).contains(sentence))
    try Database(path: shop.new.string, mode: .readWrite).execute("DROP INDEX images_index")
    #expect(refusal(shop.old, shop.new).contains("not written by this version"))
  }

  @Test("a delta of archives that only answer differently is small, and contains only that")
  func answers() throws {
    let pair = ArchivePair(seed: 12, edits: 0)
    let form = DeltaForm(.dedup, taps: .grids)
    let before = SampleTaps()
    let after = SampleTaps(after: before, tiles: pair.old, seed: 4, edits: 6)
    let shop = try DeltaWorkshop(pair, form, taps: (before, after))
    let facts = try shop.make()
    let wanted = before.changes(to: after, pair)
    #expect(Set(wanted.map(\.part)) == [.grid, .entries])
    #expect(facts.before == facts.after && facts.start != facts.end && facts.images == 0)
    #expect(facts.changed == wanted.count && facts.added + facts.removed == 0)
    let taps = try #require(facts.taps)
    #expect((1...6).contains(taps.grids) && taps.entries > 0)
    #expect(try contents(of: shop.delta).count < contents(of: shop.new).count / 3)
    #expect(try shop.apply() == contents(of: shop.new))
    #expect(try shop.apply(to: shop.new) == [])
    try shop.patch(shop.old, form)
    #expect(try DeltaWorkshop.dump(shop.old, form) == DeltaWorkshop.dump(shop.new, form))
    #expect(throws: DeltaWorkshop.NotForThis.self) { try shop.patch(shop.old, form) }
  }

  @Test("a delta is refused from an archive whose taps do not match its digest")
  func damagedTaps() throws {
    let shop = try DeltaWorkshop(
      ArchivePair(seed: 4, zooms: 0...3), DeltaForm(.dedup, taps: .grids), zooms: 0...3)
    try Database(path: shop.new.string, mode: .readWrite).execute(
      "UPDATE keymap SET key_json = '{}' WHERE rowid = 3")
    let error = #expect(throws: ArchiveError.self) { try shop.make() }
    #expect(error?.code == .badArchive && error?.path == shop.new)
    #expect(error?.message.contains("its taps are not those") == true)
  }

  @Test("a delta is refused from an archive whose tiles do not match its digest")
  func damagedArchive() throws {
    let shop = try DeltaWorkshop(ArchivePair(seed: 4), DeltaForm(.flat))
    try Database(path: shop.new.string, mode: .readWrite).execute(
      "DELETE FROM tiles WHERE zoom_level = 5 AND tile_column > 20")
    let error = #expect(throws: ArchiveError.self) { try shop.make() }
    #expect(error?.code == .badArchive && error?.path == shop.new)
  }
}
