import Clustering
import Columns
import Foundation
import Tiling

/// Clusters points over and over and prints the seconds: `quadrille-clusters FILE [-j THREADS]
/// [-n RUNS] [-z MAXZOOM] [--radius PIXELS | --grid] [--levels]`.
@main
enum ClusterBenchmark {
  static func main() throws {
    let settings = Settings(CommandLine.arguments.dropFirst())
    let input = try points(of: settings.path)
    var seconds: [Double] = []
    var busy: [Double] = []
    var pyramid: ClusterPyramid?
    for _ in 0..<settings.runs {
      pyramid = nil
      let start = ContinuousClock.now
      let used = processorSeconds()
      pyramid = try settings.pyramid(of: input)
      seconds.append((ContinuousClock.now - start) / .seconds(1))
      busy.append(processorSeconds() - used)
    }
    guard let pyramid else { return }
    var all = Checksum()
    for level in settings.zooms.reversed().compactMap({ pyramid.level($0) }) {
      var checksum = Checksum()
      for (count, id) in zip(level.counts, level.ids) {
        checksum.add(UInt64(count))
        checksum.add(id)
      }
      if settings.printsLevels {
        let clusters = level.counts.count { $0 > 1 }
        print("z\(level.zoom) nodes \(level.count) clusters \(clusters) hash \(checksum)")
      }
      all.add(checksum.value)
      all.add(level)
    }
    func text(_ seconds: [Double]) -> String {
      let sorted = seconds.sorted().map { String(format: "%.3f", $0) }
      return "\(sorted[sorted.count / 2]) s (\(sorted[0])…\(sorted[sorted.count - 1]))"
    }
    print(
      "\(input.count) points -j \(settings.threads), median of \(settings.runs): \(text(seconds)), "
        + "processor time \(text(busy)), checksum \(all)")
  }

  /// The processor time that all threads have used, in seconds.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Reads the first two fields of each line, longitude and latitude.
  private static func points(of path: String) throws -> ClusterInput {
    let data = try Data(contentsOf: URL(filePath: path))
    var longitudes: Column<Double> = []
    var latitudes: Column<Double> = []
    var positions: Column<WorldPoint> = []
    for line in data.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ","), maxSplits: 2).prefix(2)
        .compactMap { Double(String(decoding: $0, as: UTF8.self).filter { $0 != " " }) }
      guard fields.count == 2 else { continue }
      let place = LngLat(longitude: fields[0], latitude: fields[1])
      guard let position = WorldPoint(place) else { continue }
      longitudes.append(place.longitude)
      latitudes.append(place.latitude)
      positions.append(position)
    }
    return ClusterInput(longitudes: longitudes, latitudes: latitudes, positions: positions)
  }
}

/// A polynomial over 64-bit values, in their order.
private struct Checksum: CustomStringConvertible {
  var value: UInt64 = 0

  var description: String { String(value, radix: 16) }

  mutating func add(_ next: UInt64) { value = value &* 31 &+ next }

  /// Adds every column of a level.
  mutating func add(_ level: ClusterLevel) {
    for item in 0..<level.count {
      add(UInt64(level.positions[item].x) << 32 | UInt64(level.positions[item].y))
      add(level.longitudes[item].bitPattern)
      add(level.latitudes[item].bitPattern)
      let box = level.boxes[item]
      add(UInt64(box.west) << 32 | UInt64(box.north))
      add(UInt64(box.east) << 32 | UInt64(box.south))
      add(UInt64(level.firstMembers[item]) << 8 | UInt64(level.expansionZooms[item]))
    }
  }
}

/// The measurement that the arguments ask for.
private struct Settings {
  var path = ""
  var threads = 1
  var runs = 7
  var zooms = 0...16
  var radius = 44.0
  var isGrid = false
  var printsLevels = false

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "-j": threads = rest.popFirst().flatMap(Int.init) ?? 1
      case "-n": runs = rest.popFirst().flatMap(Int.init) ?? 7
      case "-z": zooms = 0...(rest.popFirst().flatMap(Int.init) ?? 16)
      case "--radius": radius = rest.popFirst().flatMap(Double.init) ?? 44
      case "--grid": isGrid = true
      case "--levels": printsLevels = true
      default: path = argument
      }
    }
  }

  func pyramid(of input: ClusterInput) throws -> ClusterPyramid {
    if isGrid {
      return try GridClusterer(GridOptions(maxZoom: zooms.upperBound)).pyramid(
        of: input, zooms: zooms, threads: threads, checkpoint: {})
    }
    let options = try RadiusOptions(radius: radius, maxZoom: zooms.upperBound)
    return RadiusClusterer(options).pyramid(
      of: input, zooms: zooms, threads: threads, checkpoint: {})
  }
}
