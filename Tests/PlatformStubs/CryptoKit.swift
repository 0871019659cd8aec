public import Foundation

public protocol HashFunction {
  associatedtype Digest: Sequence & ContiguousBytes where Digest.Element == UInt8
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}

public struct HashDigest: Sequence, ContiguousBytes {
  public func makeIterator() -> AnyIterator<UInt8> { fatalError() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
}

public struct SHA256: HashFunction, Sendable {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> HashDigest { fatalError() }
}

public enum Insecure {
  public struct MD5: HashFunction, Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> HashDigest { fatalError() }
  }
}

public struct SymmetricKey {
  public init(data: some ContiguousBytes) {}
}

public struct HMAC<H: HashFunction> {
  public static func authenticationCode(
    for data: some DataProtocol, using key: SymmetricKey
  ) -> HashDigest { fatalError() }
}

public enum Curve25519 {
  public enum Signing {
    public struct PrivateKey {
      public init() {}
      public init(rawRepresentation: some ContiguousBytes) throws {}
      public var rawRepresentation: Data { fatalError() }
      public var publicKey: PublicKey { fatalError() }
      public func signature(for data: some DataProtocol) throws -> Data { fatalError() }
    }

    public struct PublicKey {
      public init(rawRepresentation: some ContiguousBytes) throws {}
      public var rawRepresentation: Data { fatalError() }
      public func isValidSignature(
        _ signature: some DataProtocol, for data: some DataProtocol
      ) -> Bool { fatalError() }
    }
  }
}
