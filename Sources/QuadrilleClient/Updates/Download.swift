import Foundation

/// The download of a file of a list, which continues where an earlier one ended.
struct Download: Sendable {
  let transport: any UpdateTransport
  let files: FileActions
  let folder: UpdateFolder

  /// Fetches a file unless it is there already.
  ///
  /// - Parameters:
  ///   - url: its address.
  ///   - advance: called with the bytes that are there, from 0 to the file's size.
  /// - Returns: the path of the whole file, which has the bytes of the list.
  func fetch(
    _ file: UpdateList.File, from url: URL, advance: @Sendable (Int) -> Void
  ) async throws(ClientError) -> String {
    let whole = folder.file(file.sha256)
    let part = whole + ".part"
    let files = files
    if files.size(whole) == file.bytes, try await Self.digest(of: whole) == file.sha256 {
      advance(file.bytes)
      return whole
    }
    if (files.size(part) ?? 0) < file.bytes || file.bytes == 0 {
      try await receive(file, from: url, into: part, advance: advance)
    }
    // A connection that breaks is an error, so what is too short is another file, too.
    let found = try await Self.digest(of: part)
    guard files.size(part) == file.bytes, found == file.sha256 else {
      try files.remove(part)
      throw ClientError.otherFile(name: file.name, expected: file.sha256, found: found)
    }
    try await blocking { _ throws(ClientError) in
      try files.sync(part)
      try files.rename(part, to: whole)
    }
    advance(file.bytes)
    return whole
  }

  private func receive(
    _ file: UpdateList.File, from url: URL, into part: String, advance: @Sendable (Int) -> Void
  ) async throws(ClientError) {
    var offset = files.size(part) ?? 0
    var response = try await transport.response(url, from: offset)
    if response.status == 416, offset > 0 {
      // The file on the server is shorter by now than what is here.
      try files.remove(part)
      offset = 0
      response = try await transport.response(url, from: 0)
    }
    guard response.status == 200 || response.status == 206 && offset > 0 else {
      throw ClientError.refused(url: url.absoluteString, status: response.status)
    }
    let descriptor = try files.openToAppend(part)
    defer { close(descriptor) }
    if response.status == 200, offset > 0 {
      try files.truncate(descriptor, of: part)
      offset = 0
    }
    advance(offset)
    do {
      for try await piece in response.body {
        if Task.isCancelled { throw ClientError.cancelled }
        offset += piece.count
        // More bytes than the list says are another file; the digest shows it.
        guard offset <= file.bytes + 1 << 16 else { break }
        try files.write(piece, to: descriptor, of: part)
        advance(min(offset, file.bytes))
      }
    } catch {
      throw ClientError(error, fetching: url)
    }
    if Task.isCancelled { throw ClientError.cancelled }
  }

  /// Returns the SHA-256 of a file.
  static func digest(of path: String) async throws(ClientError) -> String {
    try await blocking { isStopped throws(ClientError) in
      guard let handle = FileHandle(forReadingAtPath: path) else {
        throw ClientError.lastSystemError(file: (path as NSString).lastPathComponent)
      }
      defer { try? handle.close() }
      var hash = SHA256Hash()
      while !isStopped() {
        let piece: Data?
        do {
          piece = try handle.read(upToCount: 1 << 18)
        } catch {
          throw ClientError.inputOutput(
            file: (path as NSString).lastPathComponent, reason: error.localizedDescription)
        }
        guard let piece, !piece.isEmpty else { return hash.text }
        piece.withUnsafeBytes { hash.update($0) }
      }
      throw ClientError.cancelled
    }
  }
}

extension UpdateTransport {
  /// Starts to fetch a file, with the errors of this library.
  func response(_ url: URL, from offset: Int) async throws(ClientError) -> UpdateResponse {
    do {
      return try await fetch(url, from: offset)
    } catch {
      throw ClientError(error, fetching: url)
    }
  }

  /// Starts to fetch a part of a file, with the errors of this library.
  func response(_ url: URL, in range: Range<Int>) async throws(ClientError) -> UpdateResponse {
    do {
      return try await fetch(url, in: range)
    } catch {
      throw ClientError(error, fetching: url)
    }
  }

  /// Fetches a document.
  func document(_ url: URL, limit: Int) async throws(ClientError) -> Data {
    let response = try await response(url, from: 0)
    guard response.status == 200 else {
      throw ClientError.refused(url: url.absoluteString, status: response.status)
    }
    var data = Data()
    do {
      for try await piece in response.body {
        data.append(piece)
        guard data.count <= limit else { break }
      }
    } catch {
      throw ClientError(error, fetching: url)
    }
    if Task.isCancelled { throw ClientError.cancelled }
    return data
  }
}

extension ClientError {
  /// Creates the error of a download.
  init(_ error: any Error, fetching url: URL) {
    switch error {
    case let own as ClientError: self = own
    case is CancellationError: self = .cancelled
    default:
      self =
        Task.isCancelled
        ? .cancelled : .network(url: url.absoluteString, reason: error.localizedDescription)
    }
  }
}

/// Runs work that waits for the disk, on a thread that no task needs.
///
/// - Parameter body: is given a function that says whether the task was cancelled.
func blocking<Value: Sendable>(
  _ body: @escaping @Sendable (_ isStopped: @Sendable () -> Bool) throws(ClientError) -> Value
) async throws(ClientError) -> Value {
  let flag = StopFlag()
  let result: Result<Value, ClientError> = await withTaskCancellationHandler {
    await withCheckedContinuation { waiter in
      DispatchQueue.global(qos: .utility).async {
        waiter.resume(
          returning: Result { () throws(ClientError) in try body { flag.isRaised } })
      }
    }
  } onCancel: {
    flag.raise()
  }
  return try result.get()
}

/// A flag that one thread raises and another sees.
private final class StopFlag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isRaised: Bool { lock.withLock { value } }

  func raise() { lock.withLock { value = true } }
}
