import PipelineSamples
import TestSupport
import Testing

@testable import Pipeline
@testable import Runs

@Suite("An export that is refused")
struct RefusedExportTests {
  @Test("removes what dead exports left all the same")
  func refused() throws {
    let sample = try ExportSample()
    try sample.export(to: "tiles")
    try sample.sample.folder.write("left", to: ".tiles.tmp-123456-old/0/0/0.png")
    #expect(throws: PipelineError.self) { try sample.export(to: "tiles") }
    #expect(try !sample.sample.folder.names().contains { $0.contains("tmp") })
  }
}
