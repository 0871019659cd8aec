import Features
import Ingest
import SystemPackage
import Testing

@Suite("A byte source")
struct ByteSourceTests {
  /// Reads to the end, keeping `tail` bytes at every fill.
  private func drain(_ source: ByteSource, tail: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let kept = min(tail, source.buffer.count)
      let before = Array(source.buffer.suffix(kept))
      let added = try source.fill(keeping: kept)
      #expect(Array(source.buffer.prefix(kept)) == before)
      #expect(source.buffer.count == kept + added)
      if added == 0 { return all }
      all += source.buffer.suffix(added)
    }
  }

  @Test(
    "a byte source gives every byte once and in order", arguments: [1, 2, 7, 64, 1000, 5000],
    [0, 1, 3, 100])
  func order(chunk: Int, tail: Int) throws {
    let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    let source = ByteSource(bytes: bytes, name: "inline", chunk: chunk)
    #expect(try drain(source, tail: tail) == bytes)
    #expect(source.bytesRead == bytes.count)
    #expect(try source.fill(keeping: 0) == 0)
  }

  @Test("a byte source pads the buffer with zeros for vector loads")
  func padding() throws {
    let source = ByteSource(bytes: [UInt8](repeating: 255, count: 300), name: "inline", chunk: 100)
    while try source.fill(keeping: min(source.buffer.count, 30)) > 0 {
      let base = try #require(source.buffer.baseAddress)
      for offset in 0..<ByteSource.padding {
        #expect(base.load(fromByteOffset: source.buffer.count + offset, as: UInt8.self) == 0)
      }
    }
  }

  @Test("a byte source reads a file as it is on disk", arguments: [1, 100, 1 << 16])
  func file(chunk: Int) throws {
    let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try withFile(bytes) { path in
      let source = try ByteSource(path: path, name: "data.bin", chunk: chunk)
      #expect(source.byteCount == bytes.count)
      #expect(try drain(source, tail: 5) == bytes)
    }
  }

  @Test("opening a missing file throws 'missing'")
  func missing() {
    let error = #expect(throws: SourceError.self) {
      try ByteSource(path: "/nonexistent/stores.csv", name: "data/stores.csv")
    }
    #expect(error?.code == .missing)
    #expect(error?.description == "data/stores.csv: there is no such file")
  }

  @Test("a byte source refuses a folder")
  func folder() {
    let error = #expect(throws: SourceError.self) { try ByteSource(path: "/", name: "data") }
    #expect(error?.code == .configuration)
  }

  @Test("a file that grows while it is read is an error")
  func growing() throws {
    try withFile([UInt8](repeating: 65, count: 1000)) { path in
      let source = try ByteSource(path: path, name: "log.csv", chunk: 100)
      _ = try source.fill(keeping: 0)
      let writer = try FileDescriptor.open(path, .writeOnly, options: .append)
      try writer.closeAfter { _ = try writer.writeAll([66]) }
      let error = #expect(throws: SourceError.self) {
        while try source.fill(keeping: 0) > 0 {}
      }
      #expect(error?.code == .io)
      #expect(error?.message.hasPrefix("changed while it was read") == true)
    }
  }

  @Test("a file that is truncated while it is read is an error")
  func shrinking() throws {
    try withFile([UInt8](repeating: 65, count: 1000)) { path in
      let source = try ByteSource(path: path, name: "log.csv", chunk: 100)
      _ = try source.fill(keeping: 0)
      let writer = try FileDescriptor.open(path, .writeOnly)
      try writer.closeAfter { try writer.resize(to: 300) }
      #expect(throws: SourceError.self) { while try source.fill(keeping: 0) > 0 {} }
    }
  }

  @Test("a byte source reads a pipe, which has no length")
  func pipe() throws {
    let ends = try FileDescriptor.pipe()
    try ends.writeEnd.closeAfter { _ = try ends.writeEnd.writeAll([1, 2, 3]) }
    let path = FilePath("/dev/fd/\(ends.readEnd.rawValue)")
    try ends.readEnd.closeAfter {
      let source = try ByteSource(path: path, name: "pipe")
      #expect(source.byteCount == nil)
      #expect(try drain(source, tail: 0) == [1, 2, 3])
    }
  }
}
