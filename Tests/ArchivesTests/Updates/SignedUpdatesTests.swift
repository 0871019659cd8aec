import Foundation
import Hashing
import PipelineSamples
import Publication
import SystemPackage
import TestSupport
import Testing

@testable import Archives
@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Signed lists of updates")
struct SignedUpdatesTests {
  private static let keys = (1...3).compactMap { seed in
    try? Ed25519.SigningKey(seed: [UInt8](repeating: seed, count: 32))
  }.sorted { $0.publicKey.id < $1.publicKey.id }

  /// A pipeline that is built with deltas.
  private struct Runs {
    let sample: BuildSample

    init(_ output: String = "") throws {
      sample = try BuildSample(rows: 30, output: "{path: out.mbtiles\(output)}")
    }

    @discardableResult
    func build(_ keys: [Ed25519.SigningKey] = [], writesDeltas: Bool = true) throws -> BuildReport {
      var options = BuildOptions()
      options.writesDeltas = writesDeltas
      options.signingKeys = keys
      return try #require(try sample.build(options).first)
    }

    var paths: UpdatePaths { UpdatePaths(besides: FilePath(sample.archive)) }

    func file() throws -> UpdateFile { try #require(UpdateFile(contentsOf: paths.current)) }

    func list() throws -> UpdateList { try #require(paths.list) }

    func bytes() throws -> [UInt8] { try sample.folder.bytes("out.updates.json") }
  }

  @Test("a list is signed by the keys of the build, and names them")
  func signed() throws {
    let (runs, keys) = (try Runs(), Self.keys)
    try #require(keys.count == 3)
    try runs.build([keys[1], keys[0]])
    let archive = try runs.sample.folder.bytes("out.mbtiles")
    let (file, list) = (try runs.file(), try runs.list())
    let publicKeys = keys.prefix(2).map(\.publicKey)
    #expect(list.keys == publicKeys && list.sequence == 1)
    #expect(file.isSigned(by: publicKeys) && !file.isSigned(by: [publicKeys[0]]))
    let message = Array("quadrille-updates-1\n\(file.list)".utf8)
    for (signature, key) in zip(file.signatures, publicKeys) {
      #expect(signature.key == key.id && key.isValid(signature.bytes, of: message))
    }
    // The order in which keys are given makes no difference, nor does an unchanged build.
    let bytes = try runs.bytes()
    try runs.build([keys[0], keys[1]])
    #expect(try runs.bytes() == bytes)
    // The same archive and last list give the same list.
    let other = try Runs()
    try other.build([keys[0], keys[1]])
    #expect(try other.bytes() == bytes)
    #expect(try other.sample.folder.bytes("out.mbtiles") == archive)
    try runs.build()
    #expect(try runs.sample.folder.bytes("out.mbtiles") == archive)
  }

  @Test("a list is written again for other keys although the archive stays")
  func rotation() throws {
    let (runs, keys) = (try Runs(), Self.keys)
    try #require(keys.count == 3)
    #expect(try runs.build().notes == [])
    #expect(try runs.file().signatures == [] && runs.list().keys == [])
    for (number, signing) in [[keys[0]], [keys[0], keys[1]], [keys[1]]].enumerated() {
      let report = try runs.build(signing)
      #expect(report.result == .unchanged && report.notes == [])
      #expect(try runs.file().isSigned(by: signing.map(\.publicKey)))
      #expect(try runs.list().keys == signing.map(\.publicKey))
      #expect(try runs.list().sequence == number + 2)
    }
    let report = try runs.build()
    #expect(report.notes.count == 1 && report.notes[0].contains("no longer signed"))
    #expect(try runs.file().signatures == [] && runs.list().sequence == 5)
    #expect(try runs.build().notes == [])
  }

  @Test("a list ends at an instant, and an unchanged build renews it once half of the time is over")
  func expiry() throws {
    let runs = try Runs(", updates: {expires: 30d}")
    let day = 86_400
    func build(at time: Int, seconds: Int? = nil) throws -> UpdateList {
      var options = BuildOptions()
      (options.publicationTime, options.listSeconds) = (time, seconds)
      _ = try runs.sample.build(options)
      return try runs.list()
    }
    #expect(try build(at: 1_000_000).expires == 1_000_000 + 30 * day)
    let bytes = try runs.bytes()
    let kept = try build(at: 1_000_000 + 14 * day)
    #expect(try kept.sequence == 1 && runs.bytes() == bytes)
    let renewed = try build(at: 1_000_000 + 15 * day)
    #expect(renewed.sequence == 2 && renewed.expires == 1_000_000 + 45 * day)
    // The command line decides over the pipeline, and a shorter time counts at once.
    let shorter = try build(at: 1_000_000 + 15 * day, seconds: 3600)
    #expect(shorter.sequence == 3 && shorter.expires == 1_000_000 + 15 * day + 3600)
    // An archive that changes gets a whole new time.
    try runs.sample.folder.write("x,y,name\n1,2,One\n", to: "places.csv")
    let next = try build(at: 1_000_000 + 16 * day)
    #expect(next.sequence == 4 && next.expires == 1_000_000 + 46 * day)
  }

  @Test("the time of a list is a span from a minute on", arguments: ["30", "30w", "59s", "-1d"])
  func badExpiry(text: String) throws {
    let runs = try Runs(", updates: {expires: '\(text)'}")
    let error = #expect(throws: PipelineError.self) { try runs.sample.definition() }
    #expect(error?.message.contains("'expires' is a time from 1m on") == true)
  }

  @Test("a damaged signature is written anew under the same number")
  func damaged() throws {
    let (runs, key) = (try Runs(), try #require(Self.keys.first))
    try runs.build([key])
    let (bytes, file) = (try runs.bytes(), try runs.file())
    var signature = try #require(file.signatures.first)
    let good = Data(signature.bytes).base64EncodedString()
    signature.bytes[5] ^= 1
    let text = String(decoding: bytes, as: UTF8.self)
    try runs.sample.folder.write(
      text.replacingOccurrences(of: good, with: Data(signature.bytes).base64EncodedString()),
      to: "out.updates.json")
    #expect(try !runs.file().isSigned(by: [key.publicKey]))
    try runs.build([key])
    #expect(try runs.bytes() == bytes)
  }

  @Test("the number of lists grows over builds without deltas and rollbacks")
  func sequence() throws {
    let (runs, key) = (try Runs(", keepArchives: 2"), try #require(Self.keys.first))
    try runs.build([key])
    try runs.sample.move(by: 1)
    try runs.build([key])
    #expect(try runs.list().sequence == 2 && runs.list().deltas.count == 1)
    try runs.sample.move(by: 2)
    try runs.build(writesDeltas: false)
    #expect(try !runs.sample.folder.names().contains("out.updates.json"))
    try runs.sample.move(by: 3)
    try runs.build([key])
    #expect(try runs.list().sequence == 3)
    #expect(try !runs.sample.folder.names().contains("out.updates.json.last"))
    let archive = runs.sample.archive
    var options = BuildOptions()
    func rollback() throws -> RollbackSummary {
      try #require(
        try PipelineRunner.rollback(
          archives: [archive], options: options, cancellation: Cancellation(), progress: { _ in }
        ).first)
    }
    options.signingKeys = [key]
    #expect(try rollback().notes == [])
    #expect(try runs.file().isSigned(by: [key.publicKey]) && runs.list().sequence == 4)
    options.signingKeys = []
    let summary = try rollback()
    #expect(summary.notes.first?.contains("--sign") == true && summary.text.contains("note: "))
    #expect(try runs.file().signatures == [] && runs.list().sequence == 5)
  }

  @Test(
    "a last list that is damaged ends the run, since its number is not known",
    arguments: ["", ".last"],
    ["", "{}", #"{"list": "{}", "signatures": []}"#, #"{"list": 1, "signatures": []}"#])
  func unreadable(suffix: String, text: String) throws {
    let runs = try Runs()
    try runs.build()
    let good = try runs.list()
    try runs.sample.move(by: 1)
    try runs.sample.folder.write(text, to: "out.updates.json" + suffix)
    for _ in 1...2 {
      let error = #expect(throws: PipelineError.self) { try runs.build() }
      #expect(error?.exitCode == 65 && error?.message.contains("is damaged") == true)
      #expect(error?.place?.file.hasSuffix("out.updates.json" + suffix) == true)
    }
    try FileManager.default.removeItem(atPath: runs.sample.folder.path("out.updates.json" + suffix))
    try runs.build()
    #expect(try runs.list().sequence == (suffix == "" ? 1 : good.sequence + 1))
  }

  @Test("a build without deltas keeps a damaged list aside, for the next one to say so")
  func unreadableRetired() throws {
    let runs = try Runs()
    try runs.build()
    let paths = runs.paths
    try runs.sample.folder.write("{", to: "out.updates.json")
    paths.retire()
    #expect(try runs.sample.folder.names().contains("out.updates.json.last"))
    #expect(throws: PipelineError.self) { try runs.build() }
  }

  /// How somebody who can write to the folder changes the last list.
  enum Forgery: CaseIterable {
    case oldSignature, unsigned, otherKey, otherKeyUnderOurName
  }

  @Test(
    "entries of a list that none of the keys signed are never signed", arguments: Forgery.allCases)
  func forged(_ how: Forgery) throws {
    let (runs, keys) = (try Runs(", keepDeltas: 5"), Self.keys)
    try #require(keys.count == 3)
    for step in 0..<4 {
      if step > 0 { try runs.sample.move(by: step) }
      try runs.build([keys[0]])
    }
    let last = try runs.list()
    try #require(last.deltas.count { $0.merged == nil } == 3)
    var list = last
    let forged = String(repeating: "f", count: 64)
    for index in list.deltas.indices { list.deltas[index].sha256 = forged }
    list.keys = [keys[1].publicKey]
    var file = try UpdateFile(list, signedBy: [keys[1]])
    switch how {
    case .otherKey: break
    case .oldSignature: file.signatures = try runs.file().signatures
    case .unsigned: file.signatures = []
    case .otherKeyUnderOurName: file.signatures[0].key = keys[0].publicKey.id
    }
    try runs.sample.folder.write(file.text, to: "out.updates.json")
    for isUnchanged in [true, false] {
      if !isUnchanged { try runs.sample.move(by: 7) }
      let report = try runs.build([keys[0]])
      let made = try runs.list()
      #expect(try runs.file().isSigned(by: [keys[0].publicKey]))
      #expect(!made.deltas.contains { $0.sha256 == forged })
      #expect(made.deltas.count == (isUnchanged ? 0 : 1))
      #expect(made.sequence == last.sequence + (isUnchanged ? 1 : 2))
      let notes = report.notes.filter { $0.contains("left out") }
      #expect(notes.count == (isUnchanged ? 1 : 0), "\(report.notes)")
      let count = "\(last.deltas.count) deltas"
      #expect(notes.allSatisfy { $0.contains("out.updates.json") && $0.hasPrefix(count) })
    }
  }

  @Test("the greatest number that apps accept is the last one")
  func greatest() throws {
    let (runs, key) = (try Runs(), try #require(Self.keys.first))
    try runs.build([key])
    var list = try runs.list()
    list.sequence = (1 << 53) - 1
    try runs.sample.folder.write(
      UpdateFile(list, signedBy: [key]).text, to: "out.updates.json")
    try runs.sample.move(by: 1)
    try runs.build([key])
    #expect(try runs.list().sequence == 1 << 53)
    try runs.build([key])
    try runs.sample.move(by: 2)
    let error = #expect(throws: PipelineError.self) { try runs.build([key]) }
    #expect(error?.exitCode == 65 && error?.message.contains("9007199254740992") == true)
    #expect(try runs.list().sequence == 1 << 53)
  }
}
