import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import MBTiles

@Suite("The archive verifier")
struct ArchiveVerifierTests {
  @Test(
    "the archive verifier finds nothing in the writer's output", arguments: ArchiveLayout.allCases,
    ArchiveVerifier.Level.allCases)
  func good(layout: ArchiveLayout, level: ArchiveVerifier.Level) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a.mbtiles")
    let summary = try Sample.write(path, layout: layout)
    var verifier = ArchiveVerifier(level: level)
    verifier.expected = summary
    let verification = verifier.verify(path)
    #expect(verification.findings == [])
    #expect(verification.isSound)
    #expect(verification.summary?.zooms == summary.zooms)
    #expect(verification.summary?.hashes == (level == .full ? summary.hashes : nil))
    #expect(verification.metadata?["name"] == "Sample")
  }

  private func check(_ mutation: Mutation, _ level: ArchiveVerifier.Level) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a.mbtiles")
    let written = try Sample.written(path)
    try Database(path: path.string, mode: .readWrite).execute(mutation.sql)
    // A build knows what it wrote, others do not.
    for written in [nil, written] {
      var verifier = ArchiveVerifier(level: level)
      verifier.written = written
      let verification = verifier.verify(path)
      let found = verification.findings.contains {
        $0.topic == mutation.topic && $0.severity == mutation.severity
          && $0.message.contains(mutation.words)
      }
      #expect(found, "\(verification.findings)")
      if mutation.severity == .error { #expect(!verification.isSound) }
    }
  }

  @Test(
    "the archive verifier finds nothing in what a build records as written",
    arguments: ArchiveLayout.allCases)
  func written(layout: ArchiveLayout) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a.mbtiles")
    var verifier = ArchiveVerifier(level: .publish)
    let written = try Sample.written(path, layout: layout)
    verifier.written = written
    let verification = verifier.verify(path)
    #expect(verification.findings == [])
    #expect(verification.summary == written.counts)
    #expect(verification.summary == ArchiveVerifier(level: .publish).verify(path).summary)
  }

  @Test(
    "the archive verifier finds an index that leads nowhere, which SQLite's quick check does not",
    arguments: [
      (ArchiveLayout.dedup, "map_index"), (.dedup, "images_index"), (.dedup, "metadata_index"),
      (.flat, "tiles_index"), (.flat, "metadata_index"),
    ])
  func index(layout: ArchiveLayout, name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a.mbtiles")
    var verifier = ArchiveVerifier(level: .publish)
    verifier.written = try Sample.written(path, layout: layout)
    let root = try #require(
      try Database(path: path.string, mode: .readOnly).integer(
        "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"))
    // The places of the first two entries of a leaf, which follow its header, change places.
    var bytes = try contents(of: path)
    let places = (Int(root) - 1) * PageSize.small.bytes + 8
    #expect(bytes[places - 8] == 10)
    for byte in 0..<2 { bytes.swapAt(places + byte, places + 2 + byte) }
    _ = try folder.write(bytes, to: "a.mbtiles")
    let database = try Database(path: path.string, mode: .readOnly)
    #expect(try database.text("PRAGMA quick_check") == "ok")
    let findings = verifier.verify(path).findings
    #expect(
      findings.contains {
        $0.topic == .integrity && $0.message.hasPrefix("the indexes do not lead")
      }, "\(findings)")
  }

  @Test(
    "the archive verifier finds a valid archive that differs from what the build wrote",
    arguments: [
      // Two tiles change places; an image changes its place; a tile and its image are gone.
      """
      UPDATE map SET tile_id = (SELECT tile_id FROM images WHERE rowid = 6 - (SELECT i.rowid FROM \
      images i WHERE i.tile_id = map.tile_id)) WHERE tile_id IN (SELECT tile_id FROM images WHERE \
      rowid IN (1, 5))
      """,
      "UPDATE images SET rowid = 99 WHERE rowid = 1",
      "DELETE FROM map WHERE rowid = 2",
    ])
  func notWritten(sql: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a.mbtiles")
    var verifier = ArchiveVerifier(level: .publish)
    verifier.written = try Sample.written(path)
    try Database(path: path.string, mode: .readWrite).execute(sql)
    let findings = verifier.verify(path).findings.filter { $0.severity == .error }
    #expect(
      findings.contains {
        $0.message.contains("that the build wrote")
      }, "\(findings)")
  }

  @Test("the archive verifier names faults of the metadata", arguments: Mutation.inMetadata)
  func metadata(mutation: Mutation) throws { try check(mutation, .publish) }

  @Test("the archive verifier names faults of schema and header", arguments: Mutation.inSchema)
  func schema(mutation: Mutation) throws { try check(mutation, .publish) }

  @Test("the archive verifier names faults of tiles and images", arguments: Mutation.inTiles)
  func tiles(mutation: Mutation) throws { try check(mutation, .publish) }

  @Test("the archive verifier names what only the fingerprints reveal", arguments: Mutation.inOrder)
  func order(mutation: Mutation) throws { try check(mutation, .full) }

  @Test("the archive verifier finds images of other sizes and images that are not PNG")
  func images() throws {
    let cases: [(image: [UInt8], words: String)] = [
      (
        samplePNG(size: 512, pixels: [9]),
        "of tile 2/1/3 has 512 pixels a side where others have 256"
      ),
      (samplePNG(size: 255, pixels: [9]), "of tile 2/1/3 has 255 × 255 pixels"),
      ([1, 2, 3], "of tile 2/1/3 does not begin with the PNG signature"),
      (samplePNG(pixels: [9]).dropLast(1), "of tile 2/1/3 is cut off"),
      (samplePNG(pixels: [9]) + [0], "of tile 2/1/3 has 1 bytes after its IEND chunk"),
    ]
    for layout in ArchiveLayout.allCases {
      for (image, words) in cases {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("a.mbtiles")
        var tiles = Sample.tiles
        tiles[tiles.count - 1].image = image
        try Sample.write(path, layout: layout, tiles: tiles)
        let findings = ArchiveVerifier(level: .publish).verify(path).findings
        #expect(findings.map(\.topic) == [.picture])
        #expect(findings[0].message.contains(words), "\(findings)")
      }
    }
  }

  @Test("the archive verifier calls the given checks of images and ledger")
  func hooks() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a.mbtiles")
    try Sample.write(path)
    var verifier = ArchiveVerifier(level: .publish)
    var seen = 0
    verifier.imageCheck = { bytes in
      seen += 1
      return bytes.elementsEqual(Sample.green) ? "is too green" : nil
    }
    verifier.ledgerCheck = { $0 == "{\"hotels\":{\"read\":10}}" ? "the ledger is off." : nil }
    let findings = verifier.verify(path).findings
    #expect(seen == 3)
    #expect(findings.map(\.topic) == [.ledger, .picture])
    #expect(findings.last?.message.contains("of tile 1/0/0 is too green;") == true)
  }

  @Test("the digest of an earlier version is told from a wrong one")
  func earlierDigest() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a.mbtiles")
    try Sample.write(path)
    let earlier = try ArchiveReader(path).earlierDigest()
    for (digest, words) in [
      (earlier, "that of an earlier version"),
      (String(repeating: "0", count: 64), "the tiles give"),
    ] {
      do {
        let database = try Database(path: path.string, mode: .readWrite)
        try database.execute(
          "UPDATE metadata SET value = '\(digest)' WHERE name = '\(ArchiveMetadata.digestKey)'")
      }
      let findings = ArchiveVerifier(level: .full).verify(path).findings
      #expect(
        findings.contains { $0.topic == .hashes && $0.message.contains(words) }, "\(findings)")
    }
  }

  @Test("the archive verifier compares with the build's counts")
  func counts() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a.mbtiles")
    try Sample.write(path)
    var fewer = Sample.tiles
    fewer.removeLast()
    var verifier = ArchiveVerifier(level: .publish)
    verifier.expected = try Sample.write(folder.path.appending("b"), tiles: fewer)
    let findings = verifier.verify(path).findings
    #expect(findings.map(\.topic) == [.counts, .hashes, .hashes])
    #expect(findings[0].message.contains("zoom 2 has 5 tiles"))
  }

  @Test("the archive verifier names files beside the archive, and names that are not ASCII")
  func companions() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("ä.mbtiles")
    try Sample.write(path)
    for suffix in ["-journal", "-wal", "-shm"] {
      _ = try folder.write([1], to: "ä.mbtiles" + suffix)
    }
    let findings = ArchiveVerifier(level: .publish).verify(path).findings
    #expect(findings.map(\.topic) == [.file, .companion, .companion, .companion])
  }

  @Test("the archive verifier shows ten findings of a kind and counts the rest")
  func limit() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a.mbtiles")
    try Sample.write(path)
    try Database(path: path.string, mode: .readWrite).execute(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25)"
        + " INSERT INTO images SELECT 'x' || i, x'00' FROM n")
    let findings = ArchiveVerifier(level: .publish).verify(path).findings
    #expect(findings.filter { $0.topic == .images }.count == 11)
    #expect(findings.contains { $0.message == "40 more of the same kind." })
  }
}
