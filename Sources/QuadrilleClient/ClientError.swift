public import Foundation

/// The reason why a call of this library failed.
///
/// Each case has what a program decides by; ``description`` is a sentence for people.
public enum ClientError: Error, Hashable, Sendable {
  /// There is no file of this name.
  case missing(file: String)

  /// The file is not an archive of map tiles.
  case notArchive(file: String, reason: String)

  /// The file's content is damaged: SQLite, a tap or a document beside it cannot be read.
  case damaged(file: String, reason: String)

  /// The tiles are not those of the digest that the archive or a list promises.
  case otherDigest(file: String, expected: String, found: String)

  /// The archive answers no taps.
  case noTaps(file: String)

  /// The archive does not say where its features are: it has no compact taps.
  case noPlaces(file: String)

  /// A box has too many tiles at its zoom: so many blocks of 8 × 8.
  case boxTooLarge(blocks: Int)

  /// Reading or writing a file failed, for example because the disk is full.
  case inputOutput(file: String, reason: String)

  /// The list of updates is not what docs/updates.md describes, or exceeds its limits.
  case invalidList(reason: String)

  /// The list needs a client of a later protocol: the app has to be updated.
  case clientTooOld(needed: Int, known: Int)

  /// The list has no signature, and this client demands one.
  case unsigned

  /// The list is signed by none of the keys that this client trusts.
  case untrustedKey(signers: [String])

  /// A signature by a trusted key does not belong to this list.
  case invalidSignature(key: String)

  /// The list is older than one that was accepted before.
  case replayedList(sequence: Int, accepted: Int)

  /// The list was valid until an instant that is past: the server withholds newer ones, or the
  /// device's clock is wrong.
  case expiredList(end: Date, now: Date)

  /// The list belongs to another archive or series of the publisher.
  case otherArchive(expected: String, found: String)

  /// A list names a file by something other than one plain component of a path.
  case invalidFileName(String)

  /// A downloaded file has other bytes than its list says.
  case otherFile(name: String, expected: String, found: String)

  /// A delta does not apply to this archive, or is no delta.
  case unusableDelta(file: String, reason: String)

  /// The server cannot be reached, or the connection broke. A next try continues the download.
  case network(url: String, reason: String)

  /// The server refused a request.
  case refused(url: String, status: Int)

  /// Another update of the same archive is at work.
  case busy(file: String)

  /// There is no previous archive to go back to.
  case noPrevious(file: String)

  /// The task was cancelled.
  case cancelled

  /// The system's cryptographic library cannot do what is needed.
  case cryptography(reason: String)
}

extension ClientError: CustomStringConvertible {
  /// One sentence that gives the problem and, where there is one, its remedy.
  public var description: String {
    switch self {
    case .missing(let file): "there is no file \(file)."
    case .notArchive(let file, let reason): "\(file) is not an archive of map tiles: \(reason)."
    case .damaged(let file, let reason): "\(file) is damaged: \(reason)."
    case .otherDigest(let file, let expected, let found):
      "the tiles of \(file) have the digest \(found) and not \(expected)."
    case .noTaps(let file): "\(file) answers no taps; build it with 'interactivity'."
    case .noPlaces(let file):
      "\(file) does not say where its features are; build it with 'interactivity: {format: "
        + "compact}'."
    case .boxTooLarge(let blocks):
      "the box has \(blocks) blocks of tiles at this zoom; ask for a smaller box or zoom."
    case .inputOutput(let file, let reason): "\(file) cannot be read or written: \(reason)."
    case .invalidList(let reason): "the list of updates is invalid: \(reason)."
    case .clientTooOld(let needed, let known):
      "the list of updates needs a client of the protocol \(needed), this one knows \(known); "
        + "update the app."
    case .unsigned: "the list of updates is not signed."
    case .untrustedKey(let signers):
      "the list of updates is signed by \(signers.joined(separator: ", ")), which is not trusted."
    case .invalidSignature(let key):
      "the signature by \(key) does not belong to the list of updates."
    case .replayedList(let sequence, let accepted):
      "the list of updates has the number \(sequence), but \(accepted) was accepted before."
    case .expiredList(let end, let now):
      "the list of updates was valid until \(end), and it is \(now) on this device: the server has no "
        + "newer list, or the clock is wrong."
    case .otherArchive(let expected, let found):
      "the list of updates belongs to '\(found)', not to '\(expected)': fetch "
        + "\(expected).updates.json."
    case .invalidFileName(let name): "the list of updates names '\(name)', which is no file name."
    case .otherFile(let name, let expected, let found):
      "\(name) was downloaded with the SHA-256 \(found) instead of \(expected); try again."
    case .unusableDelta(let file, let reason): "\(file) cannot be applied: \(reason)."
    case .network(let url, let reason): "\(url) cannot be fetched: \(reason)."
    case .refused(let url, let status): "\(url) cannot be fetched: the server answers \(status)."
    case .busy(let file): "another update of \(file) is at work."
    case .noPrevious(let file): "there is no previous archive of \(file)."
    case .cancelled: "the task was cancelled."
    case .cryptography(let reason): "the system's cryptography fails: \(reason)."
    }
  }
}
