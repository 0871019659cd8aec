import Foundation
import QuadrilleClient

/// One update of an archive from a folder, as an app makes it: `update-fixture ARCHIVE FOLDER KEY`.
///
/// With a step and microseconds after these, the process kills itself so long after it has announced
/// that step. It prints the number of its steps and the bytes that it has written, where the system
/// counts these, or the case of its error.
///
/// `update-fixture region ARCHIVE LIST WEST SOUTH EAST NORTH MINZOOM MAXZOOM` cuts a region, and
/// `update-fixture region ARCHIVE LIST` updates one, of files in a folder that nobody signed.
///
/// `update-fixture entries ARCHIVE FILE` and `update-fixture taps ARCHIVE FILE` answer the lines of a file, "west south
/// east north zoom" by lines of JSON and "lng lat zoom" by keys, as the readers of other languages do.
@main
struct UpdateFixture {
  static func main() async {
    let words = CommandLine.arguments
    if words.count > 3, words[1] == "region" { return await region(words) }
    if words.count > 3, words[1] == "entries" || words[1] == "taps" {
      do {
        try await answer(words[3], of: words[2], areBoxes: words[1] == "entries")
      } catch {
        print(error)
        exit(1)
      }
      return
    }
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
      print(counter.steps, writtenBytes ?? 0)
    } catch {
      print(error)
      exit(1)
    }
  }

  private static func region(_ words: [String]) async {
    let updater = RegionUpdater(
      archive: URL(fileURLWithPath: words[2]), list: URL(fileURLWithPath: words[3]), trusting: [],
      transport: FolderTransport())
    let numbers = words.dropFirst(4).compactMap { Double($0) }
    do {
      if numbers.isEmpty {
        print(try await updater.update() ? "updated" : "nothing new")
      } else {
        guard numbers.count == 6, numbers[4] <= numbers[5] else { exit(64) }
        let box = MapBox(
          west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        try await updater.fetch(box: box, zooms: Int(numbers[4])...Int(numbers[5]))
        print("fetched")
      }
    } catch {
      print(error)
      exit(1)
    }
  }

  private static func answer(_ file: String, of archive: String, areBoxes: Bool) async throws {
    let archive = try MapArchive(url: URL(fileURLWithPath: archive))
    let hasTaps = archive.info.taps != nil
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      if areBoxes, numbers.count == 5 {
        let box = MapBox(
          west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        let found = try await archive.entries(in: box, zoom: Int(numbers[4]))
        let texts = found.map { one in
          "[\"\(one.key)\",\(one.coordinate.longitude),\(one.coordinate.latitude),\(one.count)]"
        }
        print("[" + texts.joined(separator: ",") + "]")
      } else if !areBoxes, numbers.count == 3 {
        let place = MapCoordinate(longitude: numbers[0], latitude: numbers[1])
        let tap = hasTaps ? try await archive.tap(at: place, zoom: Int(numbers[2])) : nil
        print(tap?.key ?? "")
      }
    }
  }

  /// The bytes that the process has given to the system's calls for writing.
  private static var writtenBytes: Int? {
    let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst(7)) }
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
