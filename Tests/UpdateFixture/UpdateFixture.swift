import Foundation
import QuadrilleClient

/// One update of an archive from a folder, as an app makes it: `update-fixture ARCHIVE FOLDER KEY`.
///
/// With a step and microseconds after these, the process kills itself so long after it has announced
/// that step. It prints the number of its steps, or the case of its error.
@main
struct UpdateFixture {
  static func main() async {
    let words = CommandLine.arguments
    guard words.count >= 4, let key = UpdateKey(base64: words[3]) else { exit(64) }
    let folder = URL(fileURLWithPath: words[2])
    let counter = StepCounter(
      last: words.count > 4 ? Int(words[4]) : nil, delay: words.count > 5 ? UInt32(words[5]) : nil)
    let updater = ArchiveUpdater(
      archive: URL(fileURLWithPath: words[1]),
      list: folder.appendingPathComponent("tiny.updates.json"), trusting: [key],
      transport: FolderTransport(), files: FileActions { _ in counter.count() })
    do {
      _ = try await updater.update()
      print(counter.steps)
    } catch {
      print(error)
      exit(1)
    }
  }
}

/// A server that is a folder.
private struct FolderTransport: UpdateTransport {
  func fetch(_ url: URL, from offset: Int) async throws -> UpdateResponse {
    let data = try Data(contentsOf: url)
    let rest = data.dropFirst(offset)
    let body = AsyncThrowingStream<Data, any Error> { continuation in
      var rest = rest
      while !rest.isEmpty {
        continuation.yield(Data(rest.prefix(16_384)))
        rest = rest.dropFirst(16_384)
      }
      continuation.finish()
    }
    return UpdateResponse(status: offset > 0 ? 206 : 200, body: body)
  }
}

/// Counts steps, and kills the process after one.
private final class StepCounter: @unchecked Sendable {
  private let lock = NSLock()
  private let last: Int?
  private let delay: UInt32?
  private var number = 0

  init(last: Int?, delay: UInt32?) { (self.last, self.delay) = (last, delay) }

  var steps: Int { lock.withLock { number } }

  func count() {
    let isLast = lock.withLock { () -> Bool in
      number += 1
      return number == last
    }
    guard isLast else { return }
    guard let delay, delay > 0 else {
      kill(getpid(), SIGKILL)
      return
    }
    Thread.detachNewThread {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
  }
}
