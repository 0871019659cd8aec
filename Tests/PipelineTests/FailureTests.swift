import Clustering
import Expressions
import Failures
import Features
import Fetching
import MBTiles
import Overlays
import PNG
import Raster
import Runs
import SQLite
import Scenes
import Styling
import SystemPackage
import Testing

@testable import Series

@Suite("A failure of a library as the end of a run")
struct FailureTests {
  /// Each code of each error type with the exit status that it leads to.
  private static let statuses: [(any Failure, Int32)] = {
    var all: [(any Failure, Int32)] = []
    func add<Code>(_ codes: [(Code, Int32)], _ failure: (Code) -> any Failure) {
      for (code, status) in codes { all.append((failure(code), status)) }
    }
    let sources: [(SourceError.Code, Int32)] = [
      (.missing, 66), (.permission, 77), (.io, 74), (.badData, 65), (.configuration, 78),
    ]
    add(sources) { SourceError(code: $0, file: "a.csv", message: "no.") }
    let archives: [(ArchiveError.Fact, Int32)] = [
      (.file(.exists), 73), (.file(.noMemory), 74), (.file(.volatileName(.noSpace)), 74),
      (.file(.locked), 75), (.file(.unreadable(.notPermitted)), 77), (.file(.missing()), 66),
      (.content(.notSQLite), 65), (.value(.tooManyGrids), 65), (.delta(.foreign), 65),
      (.misuse(of: "writer", given: "no tile"), 70), (.stopped(while: "reading"), 128),
    ]
    add(archives) { ArchiveError($0, path: "a.mbtiles") }
    let fetches: [(FetchError.Code, Int32)] = [
      (.badAddress, 78), (.offline, 69), (.status, 69), (.connection, 69), (.timeout, 69),
      (.tooLarge, 69), (.wrongContent, 69), (.redirect, 69), (.changed, 65), (.badLockFile, 65),
      (.cancelled, 128), (.cache, 74),
    ]
    add(fetches) { FetchError($0, uri: "http://a", "no.") }
    let series: [(SeriesError.Code, Int32)] = [
      (.badPattern, 78), (.badTime, 65), (.badDocument, 65), (.duplicateFrame, 65),
      (.tooLarge, 65), (.notFound, 66), (.missingFrame, 66), (.unreadable, 66),
    ]
    add(series) { SeriesError($0, "no.") }
    let overlays: [(OverlayError.Code, Int32)] = [
      (.unknownFormat, 65), (.tooLarge, 65), (.truncated, 65), (.corrupt, 65), (.unsupported, 65),
      (.noMemory, 74), (.badPlacement, 78), (.badOptions, 78), (.badNoData, 78),
    ]
    add(overlays) { OverlayError($0, "no.") }
    let fonts: [(FontError.Code, Int32)] = [
      (.noFont, 66), (.unreadable, 66), (.library, 66), (.machine, 74),
    ]
    add(fonts) { FontError(code: $0, message: "no.") }
    let pictures: [PNGError.Code] = [
      .notPNG, .badHeader, .tooLarge, .truncated, .corrupt,
    ]
    add(pictures.map { ($0, 65) } + [(.noMemory, 74)]) { PNGError($0, "no.") }
    let excesses: [TileExcess.Cause] = [.background, .image, .polygons, .symbols, .zooms]
    add(excesses.map { ($0, 78) }) { TileExcess($0, zoom: 9, tiles: 1 << 30) }
    all.append((SQLiteError(code: 13, message: "no."), 74))
    all.append((ExpressionErrors([ExpressionError("no.")]), 78))
    all.append((StyleError(key: [], message: "no."), 78))
    return all
  }()

  @Test("has the exit status of its code, and the sentence and place of the library")
  func mapping() {
    for (failure, status) in Self.statuses {
      let error = PipelineError(wrapping: failure)
      #expect(error.exitCode == status, "\(failure)")
      #expect(error.message == failure.sentence)
      #expect(error.place == failure.place)
      #expect(error.cause == nil)
      #expect(error.code == failure.failureCode)
    }
  }

  @Test("has the sentence that the library worded")
  func sentences() {
    #expect(
      PipelineError(wrapping: FetchError(.status, uri: "http://a", "no.")).description
        == "http://a: no.")
    #expect(
      PipelineError(
        wrapping: SourceError(code: .badData, file: "a.csv", line: 3, column: 4, message: "no.")
      ).description == "a.csv:3:4: no.")
    #expect(
      PipelineError(wrapping: SQLiteError(code: 13, message: "no", sql: "SELECT 1")).message
        == "no (SQLite 13): SELECT 1")
    #expect(
      PipelineError(wrapping: TileExcess(.image, zoom: 9, tiles: 1 << 30)).message
        == "there would be 1073741824 tiles up to zoom 9, and 100000000 are the most. Set 'bounds' "
        + "or a lower 'maxzoom' in 'tiles:'.")
  }

  @Test("is at the place that is given where the failure names none")
  func place() {
    let place = DocumentPlace(file: "a.yml", line: 2, column: 3)
    #expect(PipelineError(SeriesError(.badTime, "no."), at: place).place == place)
    let source = SourceError(code: .badData, file: "a.csv", line: 3, message: "no.")
    #expect(PipelineError(source, at: place).place == DocumentPlace(file: "a.csv", line: 3))
  }

  @Test("keeps stage and signal where it is the run's own")
  func own() {
    var error = PipelineError.interrupted(by: 15)
    error.stage = "tiles"
    #expect(PipelineError(wrapping: error) == error)
    #expect(error.failureCode == .interrupted && error.sentence == error.message)
  }

  @Test("is a bug where no target says what the error means")
  func unknown() {
    struct Stranger: Error {}
    let error = PipelineError(wrapping: Stranger())
    #expect(error.code == .bug && error.cause == "Stranger()")
  }
}
