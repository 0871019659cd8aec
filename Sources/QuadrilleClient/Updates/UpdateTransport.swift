public import Foundation

/// The way to the publisher's server. ``URLSessionTransport`` is the usual one.
public protocol UpdateTransport: Sendable {
  /// Starts to fetch a file.
  ///
  /// - Parameters:
  ///   - url: the address.
  ///   - offset: the number of bytes to leave out, by `Range: bytes=N-`; 0 for the whole file.
  /// - Returns: the answer, as soon as it begins. An error of its body means that the connection
  ///   broke.
  func fetch(_ url: URL, from offset: Int) async throws -> UpdateResponse

  /// Starts to fetch a part of a file, by `Range: bytes=FIRST-LAST`.
  ///
  /// Without a method of its own a transport fetches from the beginning of the part, and is cancelled
  /// when there is enough.
  func fetch(_ url: URL, in range: Range<Int>) async throws -> UpdateResponse
}

extension UpdateTransport {
  /// Starts to fetch a file from the beginning of a part.
  public func fetch(_ url: URL, in range: Range<Int>) async throws -> UpdateResponse {
    try await fetch(url, from: range.lowerBound)
  }
}

/// The answer of a server.
public struct UpdateResponse: Sendable {
  /// The status of HTTP: 200 for the whole file, 206 for the part that was asked for, 416 if there
  /// is no such part.
  public let status: Int

  /// The bytes, in pieces of any size.
  public let body: AsyncThrowingStream<Data, any Error>

  /// Creates an answer.
  public init(status: Int, body: AsyncThrowingStream<Data, any Error>) {
    self.status = status
    self.body = body
  }
}
