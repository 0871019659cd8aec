import Foundation

/// Writes the sample data of the pipelines: `sample-data hotels FILE`.
@main
struct SampleData {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 2, arguments[0] == "hotels" else {
      FileHandle.standardError.write(Data("usage: sample-data hotels FILE\n".utf8))
      exit(64)
    }
    var sample = HotelSample()
    try Data(sample.csv(rows: 87_000).utf8).write(
      to: URL(fileURLWithPath: arguments[1]), options: .atomic)
  }
}
