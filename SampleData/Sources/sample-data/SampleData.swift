import Foundation

/// Writes the sample data of the pipelines and benchmarks: `sample-data hotels FILE [ROWS]`,
/// `sample-data lots FILE [COUNT]`, `sample-data basemap FILE`, `sample-data rain FOLDER`,
/// `sample-data pin FILE` and, for docs/gallery.md and docs/tutorial.md, `sample-data gallery FOLDER`
/// and `sample-data tutorial FOLDER`.
///
/// Without ROWS the file has 87,000 hotels, without COUNT every lot of Manhattan. The data is the
/// same on every run and machine, and a longer file begins with what a shorter one has.
@main
struct SampleData {
  private static let usage =
    "usage: sample-data hotels FILE [ROWS] | lots FILE [COUNT] | basemap FILE "
    + "| rain FOLDER | pin FILE | gallery FOLDER | tutorial FOLDER"

  /// Rows that are held as text at once, some 8 MB.
  private static let rowsAtOnce = 100_000

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard 2...3 ~= arguments.count else { fail(usage, status: 64) }
    let count = arguments.count == 3 ? Int(arguments[2]) : nil
    guard arguments.count == 2 || (count ?? 0) > 0 else { fail(usage, status: 64) }
    let file = URL(fileURLWithPath: arguments[1])
    do {
      switch arguments[0] {
      case "hotels": try write(to: file) { try writeHotels(count ?? 87_000, to: $0) }
      case "lots": try write(to: file) { try writeLots(count ?? Int.max, to: $0) }
      case "basemap" where arguments.count == 2:
        try write(to: file) { try $0.write(contentsOf: Data(BasemapSample().bytes())) }
      case "rain" where arguments.count == 2: try RainSample().write(to: file)
      case "pin" where arguments.count == 2: try PinSample.write(to: file)
      case "gallery" where arguments.count == 2: try GallerySample.write(to: file)
      case "tutorial" where arguments.count == 2: try TutorialSample.write(to: file)
      default: fail(usage, status: 64)
      }
    } catch {
      fail(
        "\(arguments[1]) cannot be written: \(error.localizedDescription) "
          + "Check the folder and its permissions.", status: 73)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }

  /// Writes beside the file and renames, so that a broken run leaves no half file that looks whole.
  private static func write(to file: URL, _ content: (FileHandle) throws -> Void) throws {
    let unfinished = file.appendingPathExtension("tmp")
    try Data().write(to: unfinished)
    let handle = try FileHandle(forWritingTo: unfinished)
    try content(handle)
    try handle.close()
    guard rename(unfinished.path, file.path) == 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
  }

  private static func writeHotels(_ rows: Int, to handle: FileHandle) throws {
    var sample = HotelSample()
    var text = ""
    var written = 0
    while written < rows {
      let next = min(rowsAtOnce, rows - written)
      text.removeAll(keepingCapacity: true)
      sample.append(rows: next, to: &text)
      try handle.write(contentsOf: Data(text.utf8))
      written += next
    }
  }

  /// One feature collection with a feature a line.
  private static func writeLots(_ count: Int, to handle: FileHandle) throws {
    var sample = LotSample()
    let features = sample.features(limit: count).joined(separator: ",\n")
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\n\(features)\n]}\n"
    try handle.write(contentsOf: Data(text.utf8))
  }
}
