import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

/// Updates of an archive in a folder of its own, from a publisher in memory.
struct UpdateScene {
  let folder: TemporaryFolder
  let archive: URL
  let old: TinyArchive
  let new: TinyArchive
  var publisher: Publisher

  /// The content of the old and of the new archive.
  let contents: (old: Content, new: Content)

  /// The files of scenes, which are made once.
  private static let made = Result { try files(of: TinyArchive(seed: 1)) }
  private static let madeLarge = Result { try files(of: TinyArchive(seed: 1, maxZoom: 6)) }

  private typealias Files = (
    data: Data, new: TinyArchive, publisher: Publisher, contents: (old: Content, new: Content)
  )

  private static func files(of old: TinyArchive) throws -> Files {
    var new = old
    new.tiles[TileAddress(zoom: 3, column: 1, row: 2)] = TinyArchive.bytes(99_001)
    new.tiles[TileAddress(zoom: 3, column: 0, row: 1)] = nil
    new.tiles[TileAddress(zoom: 3, column: 0, row: 2)] = TinyArchive.bytes(99_002)
    var publisher = try Publisher()
    try publisher.publish(new, after: [old], padding: 200_000)
    return (
      data: try old.data(), new: new, publisher: publisher,
      contents: (old: try content(old), new: try content(new))
    )
  }

  /// - Parameter isLarge: whether the delta is so small beside the archive that it is applied in
  ///   place.
  init(isLarge: Bool = false) throws {
    folder = try TemporaryFolder()
    archive = folder.url.appendingPathComponent("tiny.mbtiles")
    old = TinyArchive(seed: 1, maxZoom: isLarge ? 6 : 3)
    let made = try (isLarge ? Self.madeLarge : Self.made).get()
    (new, publisher, contents) = (made.new, made.publisher, made.contents)
    try made.data.write(to: archive)
  }

  func updater(
    _ transport: any UpdateTransport, files: FileActions = FileActions()
  ) -> ArchiveUpdater {
    ArchiveUpdater(
      archive: archive, list: Publisher.list, trusting: [publisher.signer.key],
      transport: transport, files: files)
  }

  /// The archive as it is.
  func content() throws -> Content { try Content(archive) }

  /// All that readers see of a tiny archive.
  static func content(_ archive: TinyArchive) throws -> Content {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("whole.mbtiles")
    try archive.write(to: url)
    return try Content(url)
  }
}

@Suite("Updates of an archive")
struct UpdateTests {
  @Test("a delta is fetched, applied and swapped in, and nothing else is left")
  func delta() async throws {
    let scene = try UpdateScene()
    let transport = MemoryTransport(scene.publisher)
    let open = try MapArchive(url: scene.archive)
    let outcome = try await scene.updater(transport).update()
    #expect(outcome.hasChanged && outcome.sequence == 1)
    #expect(transport.requests.count == 2 && transport.requests[1].name.hasSuffix(".delta"))
    #expect(try scene.content() == scene.contents.new)
    #expect(
      try scene.folder.names() == [
        "tiny.mbtiles", "tiny.mbtiles.previous", "tiny.update-state.json",
      ])
    // A reader that had the old archive open goes on reading it.
    #expect(open.isReplaced)
    try await open.verify()
    #expect(open.info.digest == scene.old.digest)
    #expect(try !MapArchive(url: scene.archive).isReplaced)
    #expect(try await scene.updater(transport).update().plan == .upToDate)
  }

  @Test("archives of the flat layout take deltas, too")
  func flatDelta() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("flat.mbtiles")
    var next = TinyArchive(seed: 5, isFlat: true)
    try next.write(to: url)
    let before = next
    next.tiles[TileAddress(zoom: 2, column: 1, row: 1)] = TinyArchive.bytes(77)
    next.tiles[TileAddress(zoom: 2, column: 0, row: 0)] = nil
    let delta = folder.url.appendingPathComponent("a.delta")
    try before.writeDelta(to: next, at: delta)
    try await ArchiveUpdater(
      archive: url, list: url, trusting: [], transport: NoTransport()
    ).apply([delta])
    #expect(try Content(url) == UpdateScene.content(next))
  }

  @Test("compact taps change with their archive, in both layouts", arguments: [false, true])
  func compactTaps(isFlat: Bool) async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("taps.mbtiles")
    let (page, block) = (CompactTaps.deflated(CompactTaps.page), CompactTaps.deflated([1, 2]))
    func metadata(_ digit: String) -> String {
      "INSERT INTO metadata VALUES ('quadrille:taps', '\(String(repeating: digit, count: 64))')"
    }
    var old = TinyArchive(seed: 3, isFlat: isFlat)
    old.additions =
      CompactTaps.tables + [metadata("a"), "INSERT INTO taps VALUES (3, 0, 0, x'00')"]
    try old.write(to: url)
    var next = old
    next.additions =
      CompactTaps.tables(block: block, page: page) + [
        metadata("b"), "INSERT INTO tap_entries VALUES (300, x'01')",
      ]
    let delta = folder.url.appendingPathComponent("a.delta")
    try old.writeDelta(to: next, at: delta)
    let file = try SQLiteFile(path: delta.path, mode: .writable)
    for statement in [
      "CREATE TABLE new_taps (zoom_level INTEGER, block_column INTEGER, block_row INTEGER, "
        + "block_data BLOB)",
      "CREATE TABLE removed_taps (zoom_level INTEGER, block_column INTEGER, block_row INTEGER)",
      "CREATE TABLE new_tap_entries (first_feature INTEGER, entry_data BLOB)",
      "CREATE TABLE removed_tap_entries (first_feature INTEGER)",
      "INSERT INTO new_taps VALUES (0, 0, 0, x'\(Hexadecimal.text(block))')",
      "INSERT INTO removed_taps VALUES (3, 0, 0)",
      "INSERT INTO new_tap_entries VALUES (300, x'01')",
      "INSERT INTO facts VALUES ('taps_before', '\(String(repeating: "a", count: 64))')",
      "INSERT INTO facts VALUES ('taps_after', '\(String(repeating: "b", count: 64))')",
      "INSERT INTO new_metadata VALUES ('quadrille:taps', '\(String(repeating: "b", count: 64))', "
        + "'quadrille:taps')",
    ] { try file.run(statement) }
    try await ArchiveUpdater(
      archive: url, list: url, trusting: [], transport: NoTransport()
    ).apply([delta])
    #expect(try Content(url) == UpdateScene.content(next))
  }

  @Test(
    "a delta of other tables, of another version, or with code is not applied",
    arguments: [
      "CREATE TABLE more (a)", "PRAGMA user_version = 9", "PRAGMA application_id = 1",
      "CREATE TRIGGER t AFTER INSERT ON facts BEGIN DELETE FROM facts; END",
      "DROP TABLE new_map; CREATE VIEW new_map AS SELECT 1",
      "UPDATE facts SET value = 'x' WHERE name = 'before'",
      "UPDATE new_metadata SET value = 'x' WHERE name = 'quadrille:digest'",
    ])
  func foreignDelta(change: String) async throws {
    let scene = try UpdateScene()
    let delta = scene.folder.url.appendingPathComponent("a.delta")
    try scene.old.writeDelta(to: scene.new, at: delta)
    let file = try SQLiteFile(path: delta.path, mode: .writable)
    try file.run(change)
    await #expect {
      try await scene.updater(NoTransport()).apply([delta])
    } throws: {
      if case .unusableDelta = $0 as? ClientError { true } else { false }
    }
    #expect(try scene.content() == scene.contents.old)
  }

  @Test("a delta that makes other tiles than it says is not applied")
  func lyingDelta() async throws {
    let scene = try UpdateScene()
    let delta = scene.folder.url.appendingPathComponent("a.delta")
    try scene.old.writeDelta(to: scene.new, at: delta)
    let file = try SQLiteFile(path: delta.path, mode: .writable)
    try file.run("UPDATE new_images SET tile_data = x'00'")
    await #expect {
      try await scene.updater(NoTransport()).apply([delta])
    } throws: {
      if case .otherDigest = $0 as? ClientError { true } else { false }
    }
    #expect(try scene.content() == scene.contents.old)
  }

  @Test("without an archive the whole one is fetched")
  func whole() async throws {
    let scene = try UpdateScene()
    try FileManager.default.removeItem(at: scene.archive)
    let outcome = try await scene.updater(MemoryTransport(scene.publisher)).update()
    guard case .whole = outcome.plan else {
      Issue.record("\(outcome.plan)")
      return
    }
    #expect(try scene.content() == scene.contents.new)
    #expect(try scene.folder.names() == ["tiny.mbtiles", "tiny.update-state.json"])
  }

  @Test("a download that a publication overtakes ends with the archive that it began")
  func overtaken() async throws {
    var scene = try UpdateScene()
    try FileManager.default.removeItem(at: scene.archive)
    let begun = try scene.publisher.publishTwice(scene.old)
    let transport = MemoryTransport(scene.publisher)
    var next = scene.publisher
    _ = try next.publishTwice(scene.new, after: scene.old, padding: 200_000)
    let replacement = next
    let outcome = try await scene.updater(transport).update { progress in
      if progress.bytes > 0 { transport.replace("tiny.mbtiles", by: Data("another".utf8)) }
    }
    #expect(outcome.plan.files.map(\.name) == [begun])
    #expect(try scene.content() == scene.contents.old)
    let later = MemoryTransport(replacement)
    #expect(try await scene.updater(later).update().plan.files.map(\.name) == ["tiny.delta"])
    #expect(try scene.content() == scene.contents.new)
  }

  @Test(
    "a download that was cut off and overtaken goes on where the list still has its archive",
    arguments: [true, false])
  func resumedAfterPublication(keepsEarlier: Bool) async throws {
    var scene = try UpdateScene()
    try FileManager.default.removeItem(at: scene.archive)
    let begun = try scene.publisher.publishTwice(scene.old, padding: 200_000)
    await #expect(throws: ClientError.self) {
      try await scene.updater(MemoryTransport(scene.publisher, breakingAfter: 190)).update()
    }
    let whole = try scene.publisher.publishTwice(
      scene.new, after: scene.old, padding: 200_000, keepsEarlier: keepsEarlier)
    let transport = MemoryTransport(scene.publisher)
    #expect(try await scene.updater(transport).update().hasChanged)
    #expect(try scene.content() == scene.contents.new)
    let files = transport.requests.dropFirst().map(\.name)
    #expect(files == (keepsEarlier ? [begun, "tiny.delta"] : [whole]))
    #expect(transport.requests.contains { $0.offset > 0 } == keepsEarlier)
    #expect(try scene.folder.names() == ["tiny.mbtiles", "tiny.update-state.json"])
  }

  @Test("a download that the server does not have any more gives way to the whole archive")
  func resumedInVain() async throws {
    var scene = try UpdateScene()
    try FileManager.default.removeItem(at: scene.archive)
    let begun = try scene.publisher.publishTwice(scene.old, padding: 200_000)
    await #expect(throws: ClientError.self) {
      try await scene.updater(MemoryTransport(scene.publisher, breakingAfter: 190)).update()
    }
    _ = try scene.publisher.publishTwice(scene.new, after: scene.old, padding: 200_000)
    scene.publisher.files[begun] = nil
    #expect(try await scene.updater(MemoryTransport(scene.publisher)).update().hasChanged)
    #expect(try scene.content() == scene.contents.new)
  }

  @Test("a list that expired changes nothing, and is not remembered")
  func expired() async throws {
    var scene = try UpdateScene()
    let members: [String: Any] = [
      "archive": Publisher.file(
        "tiny.mbtiles", try scene.new.data(), ["digest": scene.new.digest]),
      "deltas": [Any](), "expires": 1_700_000_000,
    ]
    try scene.publisher.publish(members)
    let error = await #expect(throws: ClientError.self) {
      try await scene.updater(MemoryTransport(scene.publisher)).update()
    }
    #expect("\(try #require(error))".contains("valid until 2023-11-14 22:13:20"))
    #expect(try scene.folder.names() == ["tiny.mbtiles"])
    var trust = UpdateTrust(keys: [scene.publisher.signer.key])
    let list = try #require(scene.publisher.files["tiny.updates.json"])
    let before = Date(timeIntervalSince1970: 1_699_999_999)
    #expect(try trust.accept(list, of: "tiny", at: before).expires == 1_700_000_000)
  }

  @Test("a list of a PMTiles file is refused with the reason before any download")
  func packed() async throws {
    var scene = try UpdateScene()
    let data = try scene.new.data()
    try scene.publisher.publish([
      "archive": Publisher.file("tiny.pmtiles", data, ["digest": scene.new.digest]),
      "deltas": [Any](),
    ])
    let transport = MemoryTransport(scene.publisher)
    let error = await #expect(throws: ClientError.self) {
      try await scene.updater(transport).update()
    }
    #expect("\(try #require(error))".contains("PMTiles"))
    #expect(transport.requests.count == 1)
    #expect(try scene.content() == scene.contents.old)
  }

  @Test("a chain of deltas is applied in one update, and progress grows to its bytes")
  func chain() async throws {
    var scene = try UpdateScene()
    var chain = [scene.old]
    for step in 0..<3 {
      var next = try #require(chain.last)
      next.tiles[TileAddress(zoom: 3, column: step, row: 7)] = TinyArchive.bytes(5000 + step)
      next.tiles[TileAddress(zoom: 3, column: 4, row: step)] = nil
      chain.append(next)
    }
    let newest = chain.removeLast()
    try scene.publisher.publish(newest, after: chain, padding: 900_000)
    let heard = Heard()
    let outcome = try await scene.updater(MemoryTransport(scene.publisher))
      .update { heard.append($0) }
    #expect(outcome.plan.files.count == 3)
    #expect(try scene.content() == UpdateScene.content(newest))
    let progress = heard.values
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.bytes <= $1.bytes })
    #expect(
      progress.last?.bytes == outcome.plan.bytes && progress.last?.total == outcome.plan.bytes)
  }

  @Test("roll back restores the previous archive, once")
  func rollBack() async throws {
    let scene = try UpdateScene()
    let updater = scene.updater(MemoryTransport(scene.publisher))
    await #expect(throws: ClientError.noPrevious(file: "tiny.mbtiles")) {
      try await updater.rollBack()
    }
    _ = try await updater.update()
    try await updater.rollBack()
    #expect(try scene.content() == scene.contents.old)
    await #expect(throws: ClientError.noPrevious(file: "tiny.mbtiles")) {
      try await updater.rollBack()
    }
    #expect(try await updater.update().hasChanged)
    #expect(try scene.content() == scene.contents.new)
  }

  @Test("a damaged archive is not patched but replaced by the whole one")
  func damagedArchive() async throws {
    let scene = try UpdateScene()
    var data = try Data(contentsOf: scene.archive)
    let tile = try #require(scene.old.tiles[TileAddress(zoom: 3, column: 4, row: 0)])
    let place = try #require(data.range(of: Data(tile)))
    data[place.lowerBound + 100] ^= 4
    try data.write(to: scene.archive)
    let outcome = try await scene.updater(MemoryTransport(scene.publisher)).update()
    guard case .whole = outcome.plan else {
      Issue.record("\(outcome.plan)")
      return
    }
    #expect(try scene.content() == scene.contents.new)
  }

  @Test(
    "a delta that is gone, or another file, gives way to others and then to the whole archive",
    arguments: [true, false])
  func missingDelta(isGone: Bool) async throws {
    var scene = try UpdateScene()
    var between = scene.old
    between.tiles[TileAddress(zoom: 3, column: 1, row: 2)] = TinyArchive.bytes(99_003)
    try scene.publisher.publish(scene.new, after: [scene.old, between], padding: 200_000)
    let direct = "tiny.direct.delta"
    let delta = try scene.old.delta(to: scene.new)
    var deltas = [
      Publisher.file(direct, delta, ["before": scene.old.digest, "after": scene.new.digest])
    ]
    for (start, end) in [(scene.old, between), (between, scene.new)] {
      let name = "tiny.\(start.digest.prefix(8))-\(end.digest.prefix(8)).delta"
      let data = try #require(scene.publisher.files[name])
      deltas.append(Publisher.file(name, data, ["before": start.digest, "after": end.digest]))
    }
    let whole = try #require(scene.publisher.files["tiny.mbtiles"])
    try scene.publisher.publish([
      "archive": Publisher.file("tiny.mbtiles", whole, ["digest": scene.new.digest]),
      "deltas": deltas,
    ])
    scene.publisher.files[direct] = isGone ? nil : Data(delta.reversed())
    var outcome = try await scene.updater(MemoryTransport(scene.publisher)).update()
    #expect(outcome.plan.files.count == 2)
    #expect(try scene.content() == scene.contents.new)
    try scene.old.write(to: scene.archive)
    scene.publisher.files[deltas[1]["file"] as? String ?? ""] = isGone ? nil : Data("x".utf8)
    outcome = try await scene.updater(MemoryTransport(scene.publisher)).update()
    #expect(outcome.plan.files.map(\.name) == ["tiny.mbtiles"])
    #expect(try scene.content() == scene.contents.new)
  }

  @Test("a whole archive of other bytes is refused, and the next try succeeds")
  func damagedWhole() async throws {
    let scene = try UpdateScene()
    try FileManager.default.removeItem(at: scene.archive)
    let transport = MemoryTransport(scene.publisher)
    let whole = try #require(scene.publisher.files["tiny.mbtiles"])
    transport.replace("tiny.mbtiles", by: whole.dropLast() + [1])
    await #expect {
      try await scene.updater(transport).update()
    } throws: {
      if case .otherFile(name: "tiny.mbtiles", _, _) = $0 as? ClientError { true } else { false }
    }
    transport.replace("tiny.mbtiles", by: whole)
    #expect(try await scene.updater(transport).update().hasChanged)
    #expect(try scene.content() == scene.contents.new)
  }

  @Test(
    "an archive that is no database, or was cut off, counts as none", arguments: [0, 5000, 20_000])
  func cutArchive(count: Int) async throws {
    let scene = try UpdateScene()
    try scene.new.write(to: scene.archive)
    let whole = try Data(contentsOf: scene.archive)
    try Data(count == 5000 ? Data(count: count) : whole.prefix(count)).write(to: scene.archive)
    let outcome = try await scene.updater(MemoryTransport(scene.publisher)).update()
    #expect(outcome.plan.files.map(\.name) == ["tiny.mbtiles"])
    #expect(try scene.content() == scene.contents.new)
  }

  @Test("the list of another archive is refused, although the same key signed it")
  func otherArchive() async throws {
    let scene = try UpdateScene()
    var publisher = scene.publisher
    publisher.files["other.updates.json"] = publisher.files["tiny.updates.json"]
    func updater(_ list: String) -> ArchiveUpdater {
      ArchiveUpdater(
        archive: scene.archive, list: URL(fileURLWithPath: "/server/\(list)"),
        trusting: [publisher.signer.key], transport: MemoryTransport(publisher))
    }
    await #expect(throws: ClientError.otherArchive(expected: "other", found: "tiny")) {
      try await updater("other.updates.json").update()
    }
    #expect(try scene.folder.names() == ["tiny.mbtiles"])
    // An address that names no archive asks for the one of this device's file.
    publisher.files["newest"] = publisher.files["tiny.updates.json"]
    #expect(try await updater("newest").update().hasChanged)
  }

  @Test("an older list is refused, by a later run, too")
  func replay() async throws {
    var scene = try UpdateScene()
    let first = scene.publisher
    try scene.publisher.publish(scene.new)
    _ = try await scene.updater(MemoryTransport(scene.publisher)).update()
    await #expect(throws: ClientError.replayedList(sequence: 1, accepted: 2)) {
      try await scene.updater(MemoryTransport(first)).update()
    }
  }

  @Test("keys rotate, and an app with other keys starts with these")
  func rotation() async throws {
    var scene = try UpdateScene()
    let next = try Signer(seed: 2)
    try scene.publisher.publish(scene.new, keys: [next])
    _ = try await scene.updater(MemoryTransport(scene.publisher)).update()
    try scene.publisher.publish(scene.old, signers: [scene.publisher.signer])
    await #expect(throws: ClientError.untrustedKey(signers: [scene.publisher.signer.key.id])) {
      try await scene.updater(MemoryTransport(scene.publisher)).update()
    }
    try scene.publisher.publish(scene.old, signers: [next])
    #expect(try await scene.updater(MemoryTransport(scene.publisher)).update().hasChanged)
    let other = ArchiveUpdater(
      archive: scene.archive, list: Publisher.list, trusting: [try Signer(seed: 3).key],
      transport: MemoryTransport(scene.publisher))
    await #expect(throws: ClientError.untrustedKey(signers: [next.key.id])) {
      try await other.update()
    }
  }

  @Test("an unsigned list is refused by a client with keys, and accepted by one without")
  func unsigned() async throws {
    var scene = try UpdateScene()
    try scene.publisher.publish(scene.new, signers: [])
    await #expect(throws: ClientError.unsigned) {
      try await scene.updater(MemoryTransport(scene.publisher)).update()
    }
    let trusting = ArchiveUpdater(
      archive: scene.archive, list: Publisher.list, trusting: [],
      transport: MemoryTransport(scene.publisher))
    #expect(try await trusting.update().hasChanged)
  }

  @Test("two updates at once: one is told that the other is at work")
  func busy() async throws {
    let scene = try UpdateScene()
    let other = try UpdateFolder(besideArchive: scene.archive.path, FileActions())
    await #expect(throws: ClientError.busy(file: "tiny.mbtiles")) {
      try await scene.updater(MemoryTransport(scene.publisher)).update()
    }
    try other.removeAll()
    #expect(try await scene.updater(MemoryTransport(scene.publisher)).update().hasChanged)
  }

  @Test("the lock ends with the update, even if a forked child still shares the open file")
  func sharedLock() throws {
    let scene = try UpdateScene()
    var folder: UpdateFolder? = try UpdateFolder(besideArchive: scene.archive.path, FileActions())
    let copies = ForkedDescriptors(of: try #require(folder).file("lock"))
    #expect(copies.count == 1)
    folder = nil
    #expect(throws: Never.self) {
      try UpdateFolder(besideArchive: scene.archive.path, FileActions())
    }
    withExtendedLifetime(copies) {}
  }

  @Test("a cancelled update leaves the archive, and the next one succeeds")
  func cancellation() async throws {
    let scene = try UpdateScene()
    let updater = scene.updater(MemoryTransport(scene.publisher))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await updater.update()
    }
    await #expect(throws: ClientError.cancelled) { try await task.value }
    #expect(try scene.content() == scene.contents.old)
    #expect(try await updater.update().hasChanged)
  }

  @Test("after twenty deltas a file is at most half as large again as a fresh one")
  func growth() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("tiny.mbtiles")
    var archive = TinyArchive(seed: 1)
    try archive.write(to: url)
    for step in 0..<20 {
      var next = archive
      for tile in archive.tiles.keys.sorted(by: { DigestTree.key($0) < DigestTree.key($1) })
      where (tile.column &* 7 &+ tile.row &* 13 &+ step) % 9 == 0 {
        next.tiles[tile] = step % 4 == 3 ? nil : TinyArchive.bytes(10_000 + step * 64 + tile.row)
      }
      next.tiles[TileAddress(zoom: 3, column: step % 8, row: (step * 3) % 8)] =
        TinyArchive.bytes(90_000 + step)
      let delta = folder.url.appendingPathComponent("\(step).delta")
      try archive.writeDelta(to: next, at: delta)
      try await ArchiveUpdater(
        archive: url, list: url, trusting: [], transport: NoTransport()
      ).apply([delta])
      archive = next
    }
    #expect(try Content(url) == UpdateScene.content(archive))
    let bytes = try Data(contentsOf: url).count
    #expect(Double(bytes) <= 1.5 * Double(try archive.data().count))
  }
}

/// The values that a function was called with.
final class Heard: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [UpdateProgress] = []

  var values: [UpdateProgress] { lock.withLock { list } }

  func append(_ value: UpdateProgress) { lock.withLock { list.append(value) } }
}
