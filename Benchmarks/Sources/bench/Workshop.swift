import Foundation

/// Where things are: the program under measurement, its pipelines, the data, room for output.
struct Workshop {
  /// The root of the repository.
  let root: String

  /// Holds `hotels_ROWS.csv`.
  let data: String

  /// Takes archives, reports and what programs print; emptied by `make clean`.
  let scratch: String

  init(_ settings: Settings) throws {
    // Benchmarks/run starts the harness in the root.
    root = FileManager.default.currentDirectoryPath
    scratch = root + "/Benchmarks/.build/scratch"
    data = settings.dataFolder ?? root + "/Benchmarks/.build/data"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw BenchError("there is no \(program): start the harness by Benchmarks/run.")
    }
    for folder in [scratch, data] {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    }
  }

  var program: String { root + "/.build/release/quadrille" }

  func pipeline(_ name: String) -> String { "\(root)/Benchmarks/pipelines/\(name).yml" }

  func peer(_ name: String) -> String { "\(root)/Benchmarks/peers/\(name)" }

  /// The path of the generated hotels, which are written now if they are not there.
  func hotels(_ rows: Int) throws -> String {
    let path = "\(data)/hotels_\(rows).csv"
    if FileManager.default.fileExists(atPath: path) { return path }
    tell("generating \(Wording.count(Double(rows))) hotels")
    let program = root + "/SampleData/.build/release/sample-data"
    let generator = Command([program, "hotels", path, "\(rows)"])
    _ = try generator.run(log: scratch + "/sample-data")
    return path
  }

  /// The same hotels below a line that names the columns, for programs that need one.
  func hotelsWithHeader(_ rows: Int) throws -> String {
    let plain = try hotels(rows)
    let headed = "\(scratch)/hotels_\(rows)_headed.csv"
    let header = "lon,lat,name,country,phone"
    let command = Command(
      ["/bin/sh", "-c", #"{ echo "$1"; cat "$2"; } >"$3""#, "sh", header, plain, headed])
    _ = try command.run(log: scratch + "/header")
    return headed
  }

  /// The size of a file in bytes.
  func size(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let size = attributes[.size] as? Int else { throw BenchError("\(path) has no size.") }
    return size
  }

  /// Tells the person at the terminal what goes on; the tables alone go to standard output.
  func tell(_ message: String) {
    FileHandle.standardError.write(Data("bench: \(message)\n".utf8))
  }
}
