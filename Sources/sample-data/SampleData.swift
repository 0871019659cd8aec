import Foundation

/// Writes the sample data of the pipelines and benchmarks: `sample-data hotels FILE [ROWS]`, and
/// `sample-data rain FOLDER`.
///
/// Without ROWS the file has 87,000. The rows are the same on every run and machine, and a longer
/// file begins with the rows of a shorter one.
@main
struct SampleData {
  /// Rows that are held as text at once, some 8 MB.
  private static let rowsAtOnce = 100_000

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 2, arguments[0] == "rain" { return writeRain(to: arguments[1]) }
    let rows = arguments.count == 3 ? Int(arguments[2]) : 87_000
    guard 2...3 ~= arguments.count, arguments[0] == "hotels", let rows, rows > 0 else {
      fail("usage: sample-data hotels FILE [ROWS] | rain FOLDER", status: 64)
    }
    do {
      try writeHotels(rows, to: URL(fileURLWithPath: arguments[1]))
    } catch {
      fail(
        "\(arguments[1]) cannot be written: \(error.localizedDescription) "
          + "Check the folder and its permissions.", status: 73)
    }
  }

  private static func writeRain(to folder: String) {
    do {
      try RainSample().write(to: URL(fileURLWithPath: folder))
    } catch {
      fail(
        "\(folder) cannot be written: \(error.localizedDescription) "
          + "Check the folder and its permissions.", status: 73)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }

  /// Writes beside the file and renames, so that a broken run leaves no half file that looks whole.
  private static func writeHotels(_ rows: Int, to file: URL) throws {
    let unfinished = file.appendingPathExtension("tmp")
    try Data().write(to: unfinished)
    let handle = try FileHandle(forWritingTo: unfinished)
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
    try handle.close()
    guard rename(unfinished.path, file.path) == 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
  }
}
