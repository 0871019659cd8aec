import Foundation

/// What the command line asks for.
struct Settings {
  /// A group of measurements.
  enum Part: String, CaseIterable {
    /// Hotels to archives, end to end, and each stage.
    case bake
    /// Tiles a second of one worker.
    case paint
    /// A million points, all zooms, both methods.
    case cluster
    /// Megabytes of CSV a second.
    case ingest
    /// Ten million points.
    case memory
    /// Side by side with other programs.
    case peers
  }

  static let usage = """
    usage: Benchmarks/run [--runs N] [--only PART,…] [--data FOLDER]
      --runs N       runs of each measurement, the median counts (3)
      --only PART,…  of \(Part.allCases.map(\.rawValue).joined(separator: ", ")) (all)
      --data FOLDER  holds hotels_ROWS.csv; what is missing is generated there
    """

  var runs = 3
  var parts = Set(Part.allCases)
  var dataFolder: String?

  /// - Throws: ``BenchError`` with the usage if an argument is not understood.
  init(arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst(), take(name, value) else { throw BenchError(Self.usage) }
    }
  }

  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch name {
    case "--runs":
      runs = Int(value) ?? 0
      return runs > 0
    case "--only":
      let names = value.split(separator: ",").map(String.init)
      parts = Set(names.compactMap(Part.init))
      return !names.isEmpty && names.allSatisfy { Part(rawValue: $0) != nil }
    case "--data":
      dataFolder = value
      return true
    default:
      return false
    }
  }
}
