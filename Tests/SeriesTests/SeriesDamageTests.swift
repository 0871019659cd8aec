import Foundation
import PipelineSamples
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("The archives of a series")
struct SeriesDamageTests {
  @Test("changed archives of a series are rebuilt, each alone")
  func damaged() throws {
    let sample = try SeriesSample(hours: [6, 7, 8])
    try sample.build()
    for hour in [6, 8] {
      let name = "rain/2014-01-19T0\(hour)00Z.mbtiles"
      let good = try sample.folder.bytes(name)
      var bytes = good
      bytes[5000] ^= 4
      try Data(bytes).write(to: sample.folder.url.appendingPathComponent(name))
      let report = try sample.build()
      #expect(report.series?.built == 1 && report.series?.unchanged == 2)
      #expect(report.notes.first?.hasPrefix("\(name) was damaged and is built again") == true)
      #expect(try sample.folder.bytes(name) == good)
      let again = try sample.build()
      #expect(again.result == .unchanged && again.notes.isEmpty)
    }
  }

  @Test("unrecorded archives of a series are kept, since the manifest has their SHA-256")
  func unrecorded() throws {
    let sample = try SeriesSample(hours: [6, 7])
    try sample.build()
    try? FileManager.default.removeItem(atPath: sample.folder.path(".quadrille-cache"))
    let report = try sample.build()
    #expect(report.result == .unchanged && report.series?.unchanged == 2)
  }

  @Test("archives of a series are not built from an image that changes while it is read")
  func changing() throws {
    let sample = try SeriesSample(hours: [6, 7])
    try sample.build()
    try sample.write(7, SeriesSample.picture(9))
    let definition = try sample.definition()
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(),
        progress: { event in
          guard case .began("decode", _, _) = event else { return }
          try? sample.write(7, SeriesSample.picture(11))
        })
    }
    #expect(error?.exitCode == 74 && error?.place?.file.hasSuffix("2014011907.png") == true)
    #expect(try sample.build().series?.built == 1)
  }
}
