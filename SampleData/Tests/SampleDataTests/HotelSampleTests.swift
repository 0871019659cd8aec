import Foundation
import Testing

@testable import sample_data

@Suite struct HotelSampleTests {
  /// The root of the repository.
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { folder, _ in
    folder.deletingLastPathComponent()
  }

  @Test func `the names that the README asks for are among the hotels`() throws {
    let readme = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let names = readme.matches(of: /hotels\.yml --where "name LIKE '([^'%]+)%'"/).map {
      String($0.1)
    }
    #expect(!names.isEmpty)
    var sample = HotelSample()
    var text = ""
    sample.append(rows: 20_000, to: &text)
    for name in names { #expect(text.contains(", \(name)"), "\(name)") }
  }

  @Test func `a cluster lies at the pixel that the README explains`() throws {
    let readme = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let example = try #require(
      readme.firstMatch(of: /quadrille why pipelines\/hotels\.yml (\d+)\/(\d+)\/(\d+)\/(\d+),(\d+)/)
    )
    let numbers = [example.1, example.2, example.3, example.4, example.5].compactMap { Double($0) }
    let zoom = numbers[0]
    // Cells of 88 px, as in pipelines/hotels.yml below zoom 13.
    #expect(zoom < 13)
    let pixel = (x: numbers[1] * 256 + numbers[3], y: numbers[2] * 256 + numbers[4])
    func world(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
      let size = 256 * pow(2, zoom)
      let y = asinh(tan(latitude * .pi / 180)) / .pi
      return ((longitude + 180) / 360 * size, (1 - y) / 2 * size)
    }
    var sample = HotelSample()
    var text = ""
    sample.append(rows: 87_000, to: &text)
    var sum = (count: 0.0, longitude: 0.0, latitude: 0.0)
    for line in text.split(separator: "\n") {
      let degrees = line.split(separator: ",").prefix(2)
        .compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
      let place = world(degrees[0], degrees[1])
      guard Int(place.x / 88) == Int(pixel.x / 88), Int(place.y / 88) == Int(pixel.y / 88) else {
        continue
      }
      sum = (sum.count + 1, sum.longitude + degrees[0], sum.latitude + degrees[1])
    }
    #expect(sum.count > 100)
    let middle = world(sum.longitude / sum.count, sum.latitude / sum.count)
    #expect(abs(middle.x - pixel.x) < 4 && abs(middle.y - pixel.y) < 4, "\(middle)")
  }
}
