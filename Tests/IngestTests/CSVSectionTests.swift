import Features
import Ingest
import OrderedCollections
import SystemPackage
import TestSupport
import Testing

@Suite("CSV read in sections")
struct CSVSectionTests {
  static let nasty: [String] = [
    // Line ends between quotes, which look like records of their own.
    "a,b\n1,\"x\n2,y\n3,z\"\n4,w\n\"5\n6,7\n\",8\n9,\"\"\"\n\"\"\"\n",
    "a,b\n\"multi\nline\",1\n\"multi\r\nline\",2\n\"\"\"\n\"\"\",3\n",
    // Quotes inside unquoted fields are literal, so their parity says nothing.
    "a,b\n5'10\",1\n6\",2\nx\"y\"z,\"q\nr\"\n7\",\"8\n9\"\n",
    "a,b\r\n1,2\r\n\r\n\r\n3,4\r\n\"5\r\n\",6\r\n",
    "a,b\r1,2\r3,4\r\r5,6\r\"7\r8\",9",
    "\u{FEFF}a,b\n1,2\n3,4\n5,6\n",
    "\n\na,b\n\n1,2\n\n\n   \n3,4\n\n",
    // A quote that nothing closes swallows the rest, and one that is closed too late a line.
    "a,b\n1,2\n3,\"4\n5,6\n7,8\n",
    "a,b\n1,2\n\"3\"x,4\n5,6\n\"7\n8\"y,9\n10,11\n",
    "a,b\n1,2\n3\n4,5,6\n7,8\n9\n10,11,12\n13,14\n15\n16\n17\n18\n19\n20,21\n",
    "a,b\nä,ö\nʤ,日本\n\"ü\n\",é\n1,2\n",
  ]

  private static let options: [CSVOptions] = [
    .plain,
    .plain.with { $0.trims = false },
    .plain.with {
      $0.extraFields = .join
      $0.missingFields = .null
    },
    .plain.with {
      $0.limits.field = 6
      $0.limits.record = 11
    },
    .plain.with { $0.types = ["b": .number] },
    .plain.with {
      $0.types = ["b": .number]
      $0.decimal = .comma
    },
  ]

  private func trace(
    _ bytes: [UInt8], chunk: Int, _ options: CSVOptions, _ threads: ReadingThreads = .one
  ) -> ReadingTrace {
    do throws(SourceError) {
      return ReadingTrace(
        try CSVReader(
          ByteSource(bytes: bytes, name: "a.csv", chunk: chunk),
          options: options.with { $0.locates = true }, threads: threads),
        countsBytes: true)
    } catch {
      return ReadingTrace(refusal: error)
    }
  }

  private func check(_ bytes: [UInt8], _ options: CSVOptions, chunks: [Int]) {
    for chunk in chunks {
      let whole = trace(bytes, chunk: chunk, options)
      for sections in [1, 3 * chunk] {
        let cut = trace(bytes, chunk: chunk, options, .cutting(sections))
        #expect(
          cut == whole, "chunk \(chunk), \(sections): \(String(decoding: bytes, as: UTF8.self))")
      }
      let parallel = trace(bytes, chunk: chunk, options, .cutting(chunk, 3))
      #expect(parallel == whole, "chunk \(chunk): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("sections of any size give the batches, lines and rejects of the whole", arguments: options)
  func texts(options: CSVOptions) {
    for text in CSVReaderTests.shapes.map(\.0) + Self.nasty {
      check(Array(text.utf8), options, chunks: Array(1...9) + [16])
    }
  }

  @Test("sections of every text of five significant characters give the same")
  func exhaustive() {
    let alphabet = Array("a,\"\n\r".utf8)
    let options = CSVOptions.headerless("a", "b").with { $0.limits.field = 4 }
    for number in 0..<3125 {
      var rest = number
      let bytes = (0..<5).map { _ in
        defer { rest /= 5 }
        return alphabet[rest % 5]
      }
      let whole = trace(bytes, chunk: 1, options)
      let cut = trace(bytes, chunk: 1, options, .cutting(1))
      if whole != cut { Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription)") }
    }
  }

  @Test("sections of random records give the same", arguments: 0..<8)
  func random(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let pieces: [String] = [
      "1.5", "-73.9", "name", "\"quoted\"", "\"line\nend\"", "\"a\"\"b\"", "5\"", "", " ",
      "\"\r\n\"",
      "ü", "\"x", "\"y\"z", "\"1,2\n3,4\n\"", "true", "01",
    ]
    let ends = ["\n", "\n", "\n", "\r\n", "\r", "\n\n", ",\n"]
    for _ in 0..<12 {
      var text = "a,b\n"
      for _ in 0..<Int.random(in: 3...40, using: &random) {
        text += pieces.randomElement(using: &random) ?? ""
        text += ","
        text += pieces.randomElement(using: &random) ?? ""
        text += ends.randomElement(using: &random) ?? "\n"
      }
      var bytes = Array(text.utf8)
      if Bool.random(using: &random) { bytes[bytes.count / 2] = 0xFF }
      let options = Self.options[Int.random(in: 0..<Self.options.count, using: &random)]
      check(bytes, options, chunks: [1, 5, 13, 40, 64, 200])
    }
  }

  @Test("a long file is cut without being told to, and a short one is not")
  func long() throws {
    var text = "lng,lat,name\n"
    for row in 0..<30_000 {
      text += "\(row % 360 - 180).25,\(row % 170 - 85).5,"
      text += row % 97 == 0 ? "\"two\nlines, \(row)\"\n" : row % 89 == 0 ? "x,y\n" : "n\(row)\n"
    }
    let bytes = Array(text.utf8)
    let options = CSVOptions()
    let whole = trace(bytes, chunk: 1 << 12, options)
    #expect(whole.ledger.rejectedTotal > 300 && whole.batches.count > 100)
    for threads in [2, 3, 8] {
      #expect(
        trace(bytes, chunk: 1 << 12, options, ReadingThreads(threads, sectionBytes: 1 << 15))
          == whole)
    }
    #expect(trace(bytes, chunk: 1 << 12, options, ReadingThreads(2)) == whole)
  }

  @Test("a file that is changed while its sections are read is an error")
  func changed() throws {
    let row = "1,2\n"
    let text = "a,b\n" + String(repeating: row, count: 50_000)
    var options = CSVOptions()
    options.hasGeometry = false
    for threads in [1, 2] {
      try withFile(Array(text.utf8)) { path in
        var reader = try CSVReader(
          ByteSource(path: path, name: "a.csv", chunk: 1 << 12), options: options,
          threads: .cutting(1 << 13, threads))
        var batch = FeatureBatch()
        _ = try reader.read(into: &batch)
        let writer = try FileDescriptor.open(path, .writeOnly, options: .append)
        try writer.closeAfter { _ = try writer.writeAll(Array(row.utf8)) }
        let error = #expect(throws: SourceError.self) {
          while try reader.read(into: &batch) {}
        }
        #expect(error?.message.hasPrefix("changed while it was read") == true)
      }
    }
  }
}
