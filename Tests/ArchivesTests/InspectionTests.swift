import Pipeline
import Platform
import Runs
import SQLite
import TestSupport
import Testing

@Suite("A look into an archive")
struct InspectionTests {
  @Test("inspecting an archive ends within a query when the run is stopped")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("hostile.mbtiles")
    // It would end by itself, so that this test does where nothing else ends it.
    try Database(path: path, mode: .create).execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE VIEW tiles AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c
        WHERE x < 2000000) SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row,
        x'00' AS tile_data FROM c;
      """)
    let cancellation = Cancellation()
    cancellation.cancel(signal: SIGTERM)
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.inspect(archive: path, cancellation: cancellation)
    }
    #expect(error?.exitCode == 143)
  }
}
