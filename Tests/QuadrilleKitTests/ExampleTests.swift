import Foundation
import TestSupport
import Testing

/// Examples/Embedding, which is built with the tests; `make test-kit` builds it as the package it is.
@Suite("the program of Examples/Embedding")
struct ExampleTests {
  @Test("it bakes its towns, reads a tile and a tap of the archive, and draws a part of the map")
  func run() throws {
    let program = Program.url.deletingLastPathComponent()
      .appendingPathComponent("embedding-example").path
    let outcome = try Program.Run([], program: program).finish()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.output.contains(/(?m)^towns published: \d+ tiles, \d+ bytes$/))
    #expect(outcome.output.contains(/(?m)^tile 6\/33\/22: a PNG of [1-9]\d* bytes$/))
    #expect(outcome.output.contains(/(?m)^tap: .*Bern.*134000/))
    #expect(outcome.output.contains(/(?m)^picture: \d+ x \d+ px, [1-9]\d* bytes$/))
  }
}
