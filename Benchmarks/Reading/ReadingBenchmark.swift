import Features
import Foundation
import Ingest
import SystemPackage

/// Reads a file over and over and prints how fast: `quadrille-reading FILE [-j THREADS] [-n RUNS]
/// [--ingest]`.
@main
enum ReadingBenchmark {
  static func main() throws {
    let settings = try Settings(CommandLine.arguments.dropFirst())
    let size = try FileManager.default.attributesOfItem(atPath: settings.path)[.size] as? Int ?? 0
    var seconds: [Double] = []
    var busy: [Double] = []
    var records = 0
    for _ in 0..<settings.runs {
      let start = ContinuousClock.now
      let used = processorSeconds()
      records = try settings.read()
      seconds.append((ContinuousClock.now - start) / .seconds(1))
      busy.append(processorSeconds() - used)
    }
    func rates(_ seconds: [Double]) -> String {
      let sorted = seconds.sorted().map { String(format: "%.3f", Double(size) / $0 / 1e9) }
      return "\(sorted[sorted.count / 2]) GB/s (\(sorted[sorted.count - 1])…\(sorted[0]))"
    }
    print(
      "\(settings.path) -j \(settings.threads)\(settings.ingests ? " --ingest" : ""): "
        + "\(records) records, \(size) bytes, median of \(settings.runs): \(rates(seconds)), "
        + "by processor time \(rates(busy))")
  }

  /// The processor time that all threads have used, in seconds.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// The measurement that the arguments ask for.
private struct Settings {
  var path = ""
  var threads = 1
  var runs = 7
  /// Whether records are taken into columns as a build does, rather than only read.
  var ingests = false

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "-j": threads = rest.popFirst().flatMap(Int.init) ?? 1
      case "-n": runs = rest.popFirst().flatMap(Int.init) ?? 7
      case "--ingest": ingests = true
      default: path = argument
      }
    }
  }

  /// Reads the file once.
  ///
  /// - Returns: the number of records.
  func read() throws -> Int {
    let source = try ByteSource(path: FilePath(path), name: path)
    if path.hasSuffix(".csv") {
      var options = CSVOptions()
      options.columns = ["lng", "lat", "name", "country", "phone"]
      options.header = false
      return try count(CSVReader(source, options: options, threads: ReadingThreads(threads)))
    }
    if path.hasSuffix(".geojsonl") {
      return try count(
        GeoJSONSequenceReader(source: source, threads: ReadingThreads(threads)))
    }
    return try count(GeoJSONReader(source: source, threads: ReadingThreads(threads)))
  }

  private func count(_ reader: some FeatureReader) throws -> Int {
    var reader = reader
    if ingests {
      return try IngestStage.read(&reader, file: path).ledger.read
    }
    var batch = FeatureBatch()
    var count = 0
    while try reader.read(into: &batch) { count += batch.count }
    return count
  }
}
