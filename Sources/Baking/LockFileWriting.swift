import Definition
import Fetching
import Inputs
import Reports
package import Runs

extension Build {
  /// Writes the lock file of the remote files that the build used beside the archive, unless it is
  /// up to date. The entries that the last build locked for a source that is now left out stay.
  ///
  /// - Parameter rows: the number of records read by source; a source that was not read keeps its
  ///   count.
  package func writeLock(rows: [String: Int]) throws(PipelineError) {
    guard !pipeline.fetchedFiles.isEmpty else { return }
    let path = definition.output.lockPath
    let old = (try? DocumentFile.read(path, limit: 64 << 20))
      .flatMap { try? LockFile(json: $0, path: path) }
    let files = pipeline.sources.flatMap { source -> [LockFile.File] in
      if let absence = source.absence {
        return old?.files.filter { absence.addresses.contains($0.uri) } ?? []
      }
      let fetched = source.origin.fetched
      return fetched.map { file in
        let known = old?.files.first { $0.uri == file.uri && $0.sha256 == file.sha256 }?.rows
        let read = fetched.count == 1 && source.records != nil ? rows[source.name] : nil
        var locked = LockFile.File(file, rows: read.map { Int64($0) } ?? known)
        locked.pages = fetched.pageCount(of: file)
        return locked
      }
    }
    let lock = LockFile(files + pipeline.fetchedSprites.map { LockFile.File($0) })
    if lock != old { try ReportFile.write(lock.json, to: path) }
  }
}

extension [FetchedFile] {
  /// Returns the number of files of the answer that a file begins; `nil` for one alone.
  fileprivate func pageCount(of file: FetchedFile) -> Int64? {
    guard file.page == nil, let first = firstIndex(of: file) else { return nil }
    let pages = self[(first + 1)...].prefix { $0.page != nil }.count
    return pages > 0 ? Int64(pages + 1) : nil
  }
}
