package import Definition
import Features
import Files
import Foundation
package import Hashing
import Ingest
import JSON
import OrderedCollections
import Platform
import Reports
package import Runs
package import SystemPackage

/// The file `NAME.updates.json`, or `NAME.packs.json`: a list as text, with the signatures of its bytes. One file holds
/// both, so that they are never out of step.
package struct UpdateFile: Hashable {
  /// A signature of the list.
  package struct Signature: Hashable {
    /// The id of the key that made it.
    package var key: String
    package var bytes: [UInt8]
  }

  /// The text of an ``UpdateContent``.
  package var list: String

  /// The signatures, in the order of the ids of their keys.
  package var signatures: [Signature]

  /// The prefix of the signed bytes, so that a signature of anything else is invalid.
  private static let prefix = "quadrille-updates-1\n"

  /// The maximum size of the file.
  static let limit = 16 << 20

  /// Creates the file of a list.
  ///
  /// - Parameter keys: the keys that sign it, in the order of their ids.
  package init(_ list: some UpdateContent, signedBy keys: [Ed25519.SigningKey])
    throws(PipelineError)
  {
    self.list = list.text
    signatures = []
    let message = Self.message(self.list)
    do {
      signatures = try keys.map { key throws(Ed25519.Unavailable) in
        Signature(key: key.publicKey.id, bytes: try key.signature(of: message))
      }
    } catch {
      throw PipelineError(error)
    }
  }

  /// Reads a file that an earlier run wrote; `nil` where it is missing or invalid.
  package init?(contentsOf path: FilePath) {
    guard let bytes = try? DocumentFile.read(path.string, limit: Self.limit),
      case .object(let members)? = try? JSONValueParser.parse(bytes),
      case .string(let list)? = members["list"],
      case .array(let items)? = members["signatures"]
    else { return nil }
    self.list = list
    signatures = []
    for item in items {
      guard case .object(let members) = item, case .string(let key)? = members["key"],
        case .string(let text)? = members["signature"], let bytes = Data(base64Encoded: text)
      else { return nil }
      signatures.append(Signature(key: key, bytes: Array(bytes)))
    }
  }

  /// Whether these keys signed the list, and no others.
  ///
  /// - Parameter keys: in the order of their ids.
  package func isSigned(by keys: [Ed25519.PublicKey]) -> Bool {
    let message = Self.message(list)
    return signatures.map(\.key) == keys.map(\.id)
      && zip(signatures, keys).allSatisfy { $1.isValid($0.bytes, of: message) }
  }

  /// Whether one of these keys signed the list.
  func isSigned(byOneOf keys: [Ed25519.PublicKey]) -> Bool {
    let message = Self.message(list)
    return signatures.contains { signature in
      keys.contains { $0.id == signature.key && $0.isValid(signature.bytes, of: message) }
    }
  }

  /// The text of the file.
  package var text: String {
    ReportJSON.members([
      "list": .string(list),
      "signatures": .array(
        signatures.map {
          .members([
            "key": .string($0.key),
            "signature": .string(Data($0.bytes).base64EncodedString()),
          ])
        }),
    ]).line + "\n"
  }

  private static func message(_ list: String) -> [UInt8] { Array((prefix + list).utf8) }
}

extension PipelineError {
  init(_ error: Ed25519.Unavailable) { self.init(.missingInput, error.description) }
}

/// The places of the list beside an archive.
package struct UpdatePaths {
  /// The list that apps read: `NAME.updates.json` for `NAME.mbtiles`.
  package let current: FilePath

  /// The place in which a rollback hides the list from apps while it works: `NAME.updates.json.0`.
  package let withheld: FilePath

  /// The place in which a build without deltas leaves the last list, for the number of the next:
  /// `NAME.updates.json.last`.
  package let retired: FilePath

  /// The list of versions before 0.3: `NAME.deltas.json`.
  private let former: FilePath?

  package init(besides archive: FilePath) {
    self.init(
      ReportFile.updateListPath(besideArchive: archive.string),
      former: FilePath(ReportFile.stem(ofArchive: archive.string) + ".deltas.json"))
  }

  /// Creates the places of the list of an archive's packs, `NAME.packs.json`.
  package init(packsOf archive: FilePath) {
    self.init(ReportFile.packListPath(besideArchive: archive.string), former: nil)
  }

  private init(_ path: String, former: FilePath?) {
    self.former = former
    current = FilePath(path)
    withheld = FilePath(path + ".0")
    retired = FilePath(path + ".last")
  }

  /// The list that apps read; `nil` without a valid one of an archive.
  package var list: UpdateList? { Self.list(at: current) }

  /// The list that a rollback set aside.
  package var withheldList: UpdateList? { Self.list(at: withheld) }

  /// The list of a series that apps read.
  package var seriesList: SeriesUpdates? { Self.list(at: current) }

  /// Publishes a list, unless the one in place says the same, is signed by the same keys and is valid
  /// for long enough; removes what killed runs left beside it. The caller holds the archive's lock.
  ///
  /// - Parameters:
  ///   - list: receives its number, the public keys, and its end if the signer gives it one.
  ///   - signer: the keys that sign it, and its validity.
  /// - Returns: a note if the list in place was signed and this one is not.
  @discardableResult
  package func publish<List: UpdateContent>(
    _ list: inout List, by signer: ListSigner
  ) throws(PipelineError) -> String? {
    StaleFiles.remove(besides: current, isLocked: true)
    let keys = signer.keys.sorted { $0.publicKey.id < $1.publicKey.id }
    list.keys = keys.map(\.publicKey)
    let last = try lastSequence()
    let file = UpdateFile(contentsOf: current)
    let known = file.flatMap { List($0.list) }
    list.sequence = last
    if let lifetime = signer.lifetime {
      list.expires = known?.expires
      if list != known || lifetime.isDue(list.expires) { list.expires = lifetime.end }
    }
    if list != known {
      guard last < UpdateText.greatest else { throw Self.exhausted(current) }
      list.sequence += 1
    } else if file?.isSigned(by: list.keys) == true {
      return nil
    }
    try ReportFile.write(UpdateFile(list, signedBy: keys).text, to: current.string)
    unlink(retired.string)
    removeFormer()
    return lossOfSignature(since: known?.keys, signedBy: signer.keys)
  }

  /// Returns the list in place, or the one that a rollback set aside, if a new list may take over its
  /// deltas; `nil` where there is none.
  ///
  /// What is signed has to come from the publisher, so without a signature by one of the keys the
  /// entries count for nothing: anybody who can write to the folder could have added them.
  ///
  /// - Parameters:
  ///   - keys: the keys that sign the new list; without keys nothing has to be signed.
  ///   - notes: receives the reason why deltas are left out.
  /// - Throws: ``PipelineError`` if the list is damaged.
  package func trusted<List: UpdateContent>(
    withheld isWithheld: Bool = false, signedBy keys: [Ed25519.SigningKey],
    _ notes: inout [String]
  ) throws(PipelineError) -> List? {
    let path = isWithheld ? withheld : current
    guard FileStatus.exists(path) else { return nil }
    guard let file = UpdateFile(contentsOf: path), UpdateText.sequence(file.list) != nil else {
      throw Self.damaged(path)
    }
    guard let list = List(file.list) else { return nil }
    if keys.isEmpty || file.isSigned(byOneOf: keys.map(\.publicKey)) { return list }
    let count = list.deltaCount
    if count > 0 {
      notes.append(
        "\(ReportNumber.count(count)) \(count == 1 ? "delta" : "deltas") of the last \(current) "
          + "\(count == 1 ? "is" : "are") left out, since none of the keys of this run signed that "
          + "list. To change keys, sign with both for a while.")
    }
    return nil
  }

  /// Returns the greatest number of the lists so far.
  private func lastSequence() throws(PipelineError) -> Int {
    var last = 0
    for path in [current, withheld, retired] where FileStatus.exists(path) {
      guard let list = UpdateFile(contentsOf: path)?.list,
        let number = UpdateText.sequence(list)
      else { throw Self.damaged(path) }
      last = max(last, number)
    }
    return last
  }

  private static func damaged(_ path: FilePath) -> PipelineError {
    PipelineError(
      .badData,
      "the last list of updates is damaged, so its number is not known, and apps refuse a list with "
        + "a smaller one. Put the published file back, or remove it to begin with 1.",
      at: DocumentPlace(file: path.string))
  }

  private static func exhausted(_ path: FilePath) -> PipelineError {
    PipelineError(
      .badData,
      "the last list of updates has the number \(UpdateText.greatest), the greatest that apps accept. "
        + "Put back the list before it, or publish the archive under another name.",
      at: DocumentPlace(file: path.string))
  }

  /// Removes the list of versions before 0.3, which would lead apps to an archive that is gone.
  package func removeFormer() { if let former { unlink(former.string) } }

  /// Returns a note where the last list was signed and this one is not.
  ///
  /// - Parameter last: the keys that signed the last one.
  package func lossOfSignature(
    since last: [Ed25519.PublicKey]?, signedBy keys: [Ed25519.SigningKey]
  ) -> String? {
    guard keys.isEmpty, last?.isEmpty == false else { return nil }
    return "\(current) is no longer signed, so apps that were given keys refuse it. Sign it with "
      + "--sign KEY, or with 'updates: {sign: KEY}' in 'output'."
  }

  /// Hides the list from apps; its number stays known.
  package func retire() {
    // A damaged one stays as well: the next list must not begin again with 1 in silence.
    let all = [current, withheld].filter { FileStatus.exists($0) }
    if let last = all.first(where: { UpdateFile(contentsOf: $0) != nil }) ?? all.first {
      rename(last.string, retired.string)
    }
    unlink(withheld.string)
    unlink(current.string)
  }

  private static func list<List: UpdateContent>(at path: FilePath) -> List? {
    UpdateFile(contentsOf: path).flatMap { List($0.list) }
  }
}
