import Foundation

/// An archive on a server, of which chunks are fetched, verified and kept as they are needed.
actor RemoteArchive {
  private let file: UpdateList.File
  private let chunks: ArchiveChunks
  private let url: URL
  private let download: Download
  private let advance: @Sendable (Int) -> Void
  private var held: [Int: Data] = [:]
  private var pageSize = 0

  /// The bytes that were fetched.
  private(set) var fetched = 0

  /// The tables and indexes by their names.
  private(set) var objects: [String: Object] = [:]

  /// A table, index or view.
  struct Object: Sendable {
    let type: String
    let root: Int
    let statement: String
  }

  /// A row of a table.
  struct Row: Sendable {
    let number: Int
    let values: [SQLiteValue]
  }

  /// Entries of an index from one key to another, each of which may be the first values of one.
  struct Keys: Sendable {
    let first: [SQLiteValue]
    let last: [SQLiteValue]
  }

  private static let depthLimit = 40

  /// - Parameter advance: called with the bytes that were fetched.
  init(
    _ file: UpdateList.File, _ chunks: ArchiveChunks, at url: URL, _ download: Download,
    advance: @escaping @Sendable (Int) -> Void
  ) {
    self.file = file
    self.chunks = chunks
    self.url = url
    self.download = download
    self.advance = advance
  }

  /// Reads the header and the schema.
  func open() async throws(ClientError) {
    guard objects.isEmpty else { return }
    try await load([0])
    let head = Array((held[0] ?? Data()).prefix(100))
    guard head.count == 100, head.starts(with: "SQLite format 3\0".utf8), head[20] == 0 else {
      throw ClientError.notArchive(file: file.name, reason: "it is no file of SQLite")
    }
    let told = SQLitePage.number(head, 16, 2)
    pageSize = told == 1 ? 65_536 : told
    guard pageSize >= 512, chunks.size % pageSize == 0 else {
      throw damaged("its pages have no size")
    }
    for row in try await rows(1, [0...Int.max]) where row.values.count >= 5 {
      guard let type = row.values[0].text, let name = row.values[1].text,
        let root = row.values[3].integer, let statement = row.values[4].text
      else { continue }
      objects[name] = Object(type: type, root: root, statement: statement)
    }
  }

  /// The size of a page.
  var bytesOfPage: Int { pageSize }

  private func damaged(_ reason: String) -> ClientError {
    .damaged(file: file.name, reason: reason)
  }

  // MARK: Chunks

  /// Fetches chunks unless they are here, neighbours by one request.
  private func load(_ wanted: Set<Int>) async throws(ClientError) {
    var runs: [ClosedRange<Int>] = []
    for index in wanted.sorted() where held[index] == nil {
      if let data = stored(index) {
        held[index] = data
      } else if let last = runs.last, last.upperBound + 1 == index {
        runs[runs.count - 1] = last.lowerBound...index
      } else {
        runs.append(index...index)
      }
    }
    for run in runs { try await fetch(run) }
  }

  private func stored(_ index: Int) -> Data? {
    let path = download.folder.file(chunks.name(of: index))
    let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    return data.flatMap { chunks.isRight($0, at: index) ? $0 : nil }
  }

  private func fetch(_ run: ClosedRange<Int>) async throws(ClientError) {
    let start = run.lowerBound * chunks.size
    let end = min((run.upperBound + 1) * chunks.size, file.bytes)
    let response = try await download.transport.response(url, in: start..<end)
    guard response.status == 206 || response.status == 200 && start == 0 else {
      throw ClientError.refused(url: url.absoluteString, status: response.status)
    }
    var (index, waiting) = (run.lowerBound, Data())
    do {
      for try await piece in response.body {
        if Task.isCancelled { throw ClientError.cancelled }
        waiting.append(piece)
        while index <= run.upperBound {
          let size = min(chunks.size, file.bytes - index * chunks.size)
          guard waiting.count >= size else { break }
          try keep(Data(waiting.prefix(size)), at: index)
          waiting = Data(waiting.dropFirst(size))
          index += 1
        }
        if index > run.upperBound { break }
      }
    } catch {
      throw ClientError(error, fetching: url)
    }
    guard index > run.upperBound else {
      throw Task.isCancelled
        ? ClientError.cancelled
        : ClientError.network(url: url.absoluteString, reason: "the answer ends too early")
    }
  }

  private func keep(_ data: Data, at index: Int) throws(ClientError) {
    guard chunks.isRight(data, at: index) else {
      throw ClientError.otherFile(
        name: file.name, expected: chunks.name(of: index),
        found: Hexadecimal.text(Array(SHA256Hash.digest(of: Array(data)).prefix(16))))
    }
    let (files, path) = (download.files, download.folder.file(chunks.name(of: index)))
    try files.remove(path)
    let descriptor = try files.openToAppend(path)
    defer { close(descriptor) }
    try files.write(data, to: descriptor, of: path)
    held[index] = data
    fetched += data.count
    advance(fetched)
  }

  // MARK: Pages

  private func load(pages: some Sequence<Int>) async throws(ClientError) {
    var wanted: Set<Int> = []
    for page in pages {
      guard page >= 1, page <= file.bytes / pageSize else {
        throw damaged("page \(page) is not there")
      }
      wanted.insert((page - 1) * pageSize / chunks.size)
    }
    try await load(wanted)
  }

  private func bytes(ofPage number: Int) throws(ClientError) -> [UInt8] {
    let offset = (number - 1) * pageSize
    guard let chunk = held[offset / chunks.size] else {
      throw damaged("page \(number) is not there")
    }
    let start = chunk.startIndex + offset % chunks.size
    guard start + pageSize <= chunk.endIndex else { throw damaged("page \(number) ends too early") }
    return Array(chunk[start..<start + pageSize])
  }

  private func page(_ number: Int, isIndex: Bool) throws(ClientError) -> SQLitePage {
    guard let page = SQLitePage(try bytes(ofPage: number), isFirst: number == 1),
      page.isIndex == isIndex
    else { throw damaged("page \(number) is of no tree") }
    return page
  }

  private func part<Value>(_ value: Value?) throws(ClientError) -> Value {
    guard let value else { throw damaged("a page has no cells") }
    return value
  }

  /// Returns the values of cells, the rest of which lies in other pages.
  private func completed(_ cells: [SQLitePage.Cell]) async throws(ClientError) -> [Row] {
    var cells = cells
    var open = cells.indices.filter { cells[$0].rest > 0 }
    while !open.isEmpty {
      try await load(pages: open.map { cells[$0].next })
      for index in open {
        let bytes = try bytes(ofPage: cells[index].next)
        let part = bytes[4...].prefix(cells[index].rest)
        cells[index].record += part
        cells[index].rest -= part.count
        cells[index].next = SQLitePage.number(bytes, 0, 4)
      }
      open = open.filter { cells[$0].rest > 0 }
    }
    var rows: [Row] = []
    for cell in cells {
      guard let values = SQLitePage.values(cell.record) else { throw damaged("a record is none") }
      rows.append(Row(number: cell.row, values: values))
    }
    return rows
  }

  // MARK: Trees

  /// Returns the rows of a table whose numbers are in ranges.
  ///
  /// - Parameters:
  ///   - ranges: ascending, without overlaps.
  ///   - isOne: whether the first row is enough.
  func rows(
    _ root: Int, _ ranges: [ClosedRange<Int>], isOne: Bool = false
  ) async throws(ClientError) -> [Row] {
    var (level, cells) = ([(page: root, ranges: ranges[...])], [SQLitePage.Cell]())
    for _ in 0..<Self.depthLimit where !level.isEmpty {
      try await load(pages: level.map(\.page))
      var next: [(page: Int, ranges: ArraySlice<ClosedRange<Int>>)] = []
      for (number, ranges) in level {
        let page = try page(number, isIndex: false)
        guard !page.isInterior else {
          next += try children(page, ranges)
          continue
        }
        var rest = ranges
        for index in 0..<page.count {
          let cell = try part(page.cell(index))
          rest = rest.drop { $0.upperBound < cell.row }
          if rest.first?.contains(cell.row) == true { cells.append(cell) }
        }
      }
      level = isOne ? Array(next.prefix(1)) : next
    }
    return try await completed(isOne ? Array(cells.prefix(1)) : cells)
  }

  /// Returns the pages below one that hold rows of ranges.
  private func children(
    _ page: SQLitePage, _ ranges: ArraySlice<ClosedRange<Int>>
  ) throws(ClientError) -> [(page: Int, ranges: ArraySlice<ClosedRange<Int>>)] {
    var (rest, children) = (ranges, [(page: Int, ranges: ArraySlice<ClosedRange<Int>>)]())
    var before = Int.min
    for index in 0...page.count {
      let last = index < page.count ? try part(page.key(index)) : .max
      rest = rest.drop { $0.upperBound <= before && before != .min }
      let own = rest.prefix { $0.lowerBound <= last }
      if !own.isEmpty { children.append((try part(page.child(index)), own)) }
      before = last
    }
    return children
  }

  /// Returns the entries of an index between keys.
  func entries(_ root: Int, _ keys: [Keys]) async throws(ClientError) -> [[SQLiteValue]] {
    var (level, found) = ([(page: root, keys: keys)], [[SQLiteValue]]())
    for _ in 0..<Self.depthLimit where !level.isEmpty {
      try await load(pages: level.map(\.page))
      var next: [(page: Int, keys: [Keys])] = []
      for (number, keys) in level {
        let page = try page(number, isIndex: true)
        var cells: [SQLitePage.Cell] = []
        for index in 0..<page.count { cells.append(try part(page.cell(index))) }
        let entries = try await completed(cells).map(\.values)
        found += entries.filter { entry in
          keys.contains { !Self.precedes(entry, $0.first) && !Self.follows(entry, $0.last) }
        }
        guard page.isInterior else { continue }
        for index in 0...page.count {
          let own = keys.filter { keys in
            (index == page.count || !Self.precedes(entries[index], keys.first))
              && (index == 0 || !Self.follows(entries[index - 1], keys.last))
          }
          if !own.isEmpty { next.append((try part(page.child(index)), own)) }
        }
      }
      level = next
    }
    return found
  }

  /// Whether an entry comes before all that begin with a key.
  private static func precedes(_ entry: [SQLiteValue], _ key: [SQLiteValue]) -> Bool {
    for (own, other) in zip(entry, key) where own != other { return own < other }
    return false
  }

  /// Whether an entry comes after all that begin with a key.
  private static func follows(_ entry: [SQLiteValue], _ key: [SQLiteValue]) -> Bool {
    for (own, other) in zip(entry, key) where own != other { return other < own }
    return false
  }
}
