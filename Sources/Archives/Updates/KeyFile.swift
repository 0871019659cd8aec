import Definition
import Files
import Foundation
package import Hashing
import Platform
package import Runs
import SystemPackage

/// Files of keys in PEM, as OpenSSL reads and writes them: private ones as PKCS #8 (RFC 8410),
/// public ones as SubjectPublicKeyInfo.
package enum KeyFile {
  /// A new pair of keys.
  package struct Pair {
    package var privatePath: String
    package var publicPath: String
    package var key: Ed25519.PublicKey

    /// The result for people.
    package var text: String {
      """
      \(privatePath): private key \(key.id), for 'build --sign'. Keep it secret, and keep a copy.
      \(publicPath): public key \(key.id), for apps: \(Data(key.bytes).base64EncodedString())
      """
    }
  }

  /// The largest file that is read.
  private static let limit = 1 << 16

  /// The DER of a private key before its 32 bytes; the third byte from the front counts the fields.
  private static let privateHead: [UInt8] = [
    0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]

  /// The DER of a public key before its 32 bytes.
  private static let publicHead: [UInt8] = [
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]

  /// Makes a pair of keys: `NAME.key`, which only its owner can read, and `NAME.pub`.
  ///
  /// - Throws: ``PipelineError``, also if one of the files exists: a key is never overwritten.
  package static func create(_ name: String) throws(PipelineError) -> Pair {
    let (privatePath, publicPath) = (name + ".key", name + ".pub")
    for path in [privatePath, publicPath] where FileStatus.exists(FilePath(path)) {
      throw exists(path)
    }
    let key: Ed25519.SigningKey
    do {
      key = try .random()
    } catch {
      throw PipelineError(error)
    }
    try write(
      pem("PRIVATE KEY", privateHead + key.seed), to: privatePath, permissions: [.ownerReadWrite])
    try write(
      pem("PUBLIC KEY", publicHead + key.publicKey.bytes), to: publicPath,
      permissions: DurableFile.publicPermissions)
    return Pair(privatePath: privatePath, publicPath: publicPath, key: key.publicKey)
  }

  /// Reads private keys, each once.
  package static func signingKeys(
    at paths: [String]
  ) throws(PipelineError) -> [Ed25519.SigningKey] {
    var keys: [Ed25519.SigningKey] = []
    for path in paths {
      let key = try signingKey(at: path)
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// Reads a private key.
  package static func signingKey(at path: String) throws(PipelineError) -> Ed25519.SigningKey {
    let text = String(decoding: try DocumentFile.read(path, limit: limit), as: UTF8.self)
    if text.contains("BEGIN ENCRYPTED PRIVATE KEY") {
      throw fault(
        "the key has a passphrase, which nobody is asked for. Write it without one: openssl pkey "
          + "-in \(path) -out NAME.key", path)
    }
    if text.contains("BEGIN PUBLIC KEY") {
      throw fault("this is a public key. Give the private one, NAME.key.", path)
    }
    guard let der = der("PRIVATE KEY", in: text), let seed = seed(in: der) else {
      throw fault(
        "this is no private Ed25519 key in PEM. Make one with: quadrille keys new NAME.", path)
    }
    do {
      guard let key = try Ed25519.SigningKey(seed: seed) else {
        throw fault("this is no private Ed25519 key.", path)
      }
      return key
    } catch let error as Ed25519.Unavailable {
      throw PipelineError(error)
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// Returns the 32 bytes of a private key, also of one that is followed by its public half.
  private static func seed(in der: [UInt8]) -> [UInt8]? {
    let end = privateHead.count + Ed25519.keyByteCount
    guard der.count >= end, der[0] == privateHead[0], Int(der[1]) == der.count - 2, der[4] <= 1,
      der[2..<4] == privateHead[2..<4], der[5..<privateHead.count] == privateHead[5...]
    else { return nil }
    return Array(der[privateHead.count..<end])
  }

  private static func pem(_ label: String, _ der: [UInt8]) -> String {
    "-----BEGIN \(label)-----\n\(Data(der).base64EncodedString())\n-----END \(label)-----\n"
  }

  private static func der(_ label: String, in text: String) -> [UInt8]? {
    guard let start = text.range(of: "-----BEGIN \(label)-----"),
      let end = text.range(of: "-----END \(label)-----"), start.upperBound <= end.lowerBound
    else { return nil }
    let base64 = text[start.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
    return Data(base64Encoded: base64).map { Array($0) }
  }

  /// Writes a file that must not exist.
  private static func write(
    _ text: String, to path: String, permissions: FilePermissions
  ) throws(PipelineError) {
    do {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: permissions)
      do {
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
        try DurableFile.synchronize(FilePath(path))
      } catch {
        unlink(path)
        throw error
      }
    } catch {
      let cause = error as? Errno ?? .ioError
      if cause == .fileExists { throw exists(path) }
      throw PipelineError(
        FailureCode(cause, creating: .file),
        "the key cannot be written. Check the folder and its permissions.",
        at: DocumentPlace(file: path), cause: "\(cause)")
    }
  }

  private static func exists(_ path: String) -> PipelineError {
    PipelineError(
      .cannotCreate, "\(path) exists, and no key is overwritten. Choose another name.")
  }

  private static func fault(_ message: String, _ path: String) -> PipelineError {
    PipelineError(.badData, message, at: DocumentPlace(file: path))
  }
}
