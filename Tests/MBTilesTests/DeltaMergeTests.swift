import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import ArchiveDeltas
@testable import MBTiles

@Suite("Merged deltas")
struct DeltaMergeTests {
  /// Archives that came one from the other, with the deltas between them.
  private struct Chain {
    let form: DeltaForm
    private(set) var shops: [DeltaWorkshop] = []

    /// - Parameter edits: about how many tiles change in each step; 0 tiles of a small archive change
    ///   back often.
    init(_ form: DeltaForm, seed: Int, steps: Int, edits: Int) throws {
      self.form = form
      let zooms = form.sampleZooms
      var pair = ArchivePair(seed: UInt64(seed), zooms: zooms, edits: edits, images: 6)
      shops = [try DeltaWorkshop(pair, form, zooms: zooms)]
      for step in 1..<steps {
        let mark = UInt64(seed * 100 + step)
        // Every third step leads back.
        if step % 3 == 2 {
          (pair.old, pair.new) = (pair.new, pair.old)
        } else {
          pair = ArchivePair(after: pair, seed: mark, zooms: zooms, edits: edits)
        }
        let last = shops[step - 1].taps.new
        let taps =
          step % 3 == 2
          ? shops[step - 1].taps.old
          : SampleTaps(after: last, tiles: pair.new, seed: mark, edits: edits)
        shops.append(try DeltaWorkshop(pair, form, zooms: zooms, taps: (last, taps)))
      }
      for shop in shops { try shop.make() }
    }

    /// Merges the deltas from the left, or from the right.
    func merged(fromLeft: Bool, _ folder: TemporaryFolder) throws -> FilePath {
      var deltas = shops.map(\.delta)
      while deltas.count > 1 {
        let pair = fromLeft ? Array(deltas.prefix(2)) : Array(deltas.suffix(2))
        let path = folder.path.appending("merged-\(fromLeft)-\(deltas.count).delta")
        _ = try DeltaMerger(DeltaReader(pair[0]), DeltaReader(pair[1])).write(to: path)
        deltas = fromLeft ? [path] + deltas.dropFirst(2) : deltas.dropLast(2) + [path]
      }
      return deltas[0]
    }
  }

  @Test(
    "a merged delta has the effect of the deltas that it was merged from", arguments: DeltaForm.all,
    0..<6)
  func effect(form: DeltaForm, seed: Int) throws {
    let chain = try Chain(form, seed: seed, steps: 2 + seed % 3, edits: [3, 30, 200][seed % 3])
    let (first, last) = (try #require(chain.shops.first), try #require(chain.shops.last))
    let folder = try TemporaryFolder()
    for fromLeft in [true, false] {
      let merged = try chain.merged(fromLeft: fromLeft, folder)
      // The new archive, byte for byte.
      #expect(try first.apply(merged) == contents(of: last.new))
      // The same by SQL.
      let patched = try folder.write(contents(of: first.old), to: "patched")
      try first.patch(patched, form, with: merged)
      #expect(try DeltaWorkshop.dump(patched, form) == DeltaWorkshop.dump(last.new, form))
      folder.remove(patched)
      let facts = try DeltaReader(merged).facts
      let whole = try DeltaMaker(
        old: try ArchiveReader(first.old), new: try ArchiveReader(last.new)
      ).write(
        to: folder.path.appending("direct-\(fromLeft)"), bytes: facts.bytes, sha256: facts.sha256
      ).facts
      #expect(facts.merged == chain.shops.count && whole.merged == nil)
      // Nothing more is carried than from one archive to the other, but for tiles and blocks.
      #expect(facts.images == whole.images && facts.dropped == whole.dropped)
      if form.hasGrids { #expect(facts.taps?.grids == whole.taps?.grids) }
      #expect(facts.start == whole.start && facts.end == whole.end)
      #expect(facts.tilesBefore == whole.tilesBefore && facts.tilesAfter == whole.tilesAfter)
      #expect(facts.removed >= whole.removed)
    }
  }

  @Test("a merged delta has the same bytes each time", arguments: DeltaForm.all)
  func deterministic(form: DeltaForm) throws {
    let chain = try Chain(form, seed: 8, steps: 2, edits: 40)
    let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
    #expect(
      try contents(of: chain.merged(fromLeft: true, one))
        == contents(of: chain.merged(fromLeft: true, other)))
  }

  @Test("deltas that do not follow one another are not merged")
  func refused() throws {
    let form = DeltaForm(.dedup)
    let chain = try Chain(form, seed: 4, steps: 2, edits: 30)
    let (first, second) = (chain.shops[0].delta, chain.shops[1].delta)
    let flat = try DeltaWorkshop(ArchivePair(seed: 4), DeltaForm(.flat))
    try flat.make()
    for (one, other) in [(second, first), (first, first), (first, flat.delta)] {
      let error = #expect(throws: ArchiveError.self) {
        try DeltaMerger(DeltaReader(one), DeltaReader(other))
      }
      #expect(error?.code == .badValue && error?.message.contains("follow one another") == true)
    }
  }

  @Test("damaged deltas are refused when they are merged")
  func damaged() throws {
    let form = DeltaForm(.dedup, taps: .grids)
    let chain = try Chain(form, seed: 3, steps: 2, edits: 60)
    let folder = try TemporaryFolder()
    let cases = [
      "UPDATE new_images SET tile_data = x'00' WHERE rowid = 1",
      "UPDATE new_images SET tile_id = 'a' WHERE rowid = 1",
      "INSERT INTO new_images SELECT tile_id, tile_data, NULL FROM new_images LIMIT 1",
      "INSERT INTO dropped_images SELECT tile_id FROM new_images LIMIT 1",
      "DELETE FROM new_map", "UPDATE new_keymap SET key_name = x'ff' WHERE rowid = 1",
      "INSERT INTO new_keymap SELECT key_name, key_json, NULL FROM new_keymap LIMIT 1",
      "INSERT INTO removed_tiles SELECT zoom_level, tile_column, tile_row FROM new_map LIMIT 1",
      "INSERT INTO new_grid_key SELECT grid, key_name FROM new_grid_key LIMIT 1",
    ]
    for (number, sql) in cases.enumerated() {
      let damaged = try folder.write(contents(of: chain.shops[1].delta), to: "damaged-\(number)")
      try Database(path: damaged.string, mode: .readWrite).execute(sql)
      let error = #expect(throws: ArchiveError.self, "\(sql)") {
        try DeltaMerger(DeltaReader(chain.shops[0].delta), DeltaReader(damaged))
          .write(to: folder.path.appending("out-\(number)"))
      }
      #expect(error?.code == .badArchive, "\(sql): \(String(describing: error))")
    }
  }
}
