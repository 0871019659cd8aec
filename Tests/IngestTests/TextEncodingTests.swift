import Features
import Ingest
import Testing

@Suite("A text encoding")
struct TextEncodingTests {
  private let text = "name,city\nGasthof Löwe,Zürich\n日本,東京 𝄞\n"
  private let fields = [["Gasthof Löwe", "Zürich"], ["日本", "東京 𝄞"]]

  private func utf16(_ text: String, big: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
      return big ? bytes : bytes.reversed()
    }
  }

  @Test(
    "UTF-16 is read in both byte orders, with a mark or configured, at any buffer size",
    arguments: [true, false])
  func utf16Orders(big: Bool) throws {
    let mark: [UInt8] = big ? [0xFE, 0xFF] : [0xFF, 0xFE]
    let bytes = utf16(text, big: big)
    let told: TextEncoding = big ? .utf16BigEndian : .utf16LittleEndian
    for (bytes, encoding) in [
      (mark + bytes, TextEncoding.utf8), (mark + bytes, .utf16), (bytes, .utf16), (bytes, told),
      (mark + bytes, told),
    ] {
      for chunk in [1, 2, 3, 5, 7, 100] {
        let result = try CSVResult(
          bytes, chunk: chunk, options: .plain.with { $0.encoding = encoding })
        #expect(result.names == ["name", "city"])
        #expect(result.fields == fields)
        #expect(result.ledger.read == 0)
      }
    }
  }

  @Test("half a surrogate pair or half a code unit rejects its row")
  func brokenUTF16() throws {
    let lone: [UInt8] = [0x00, 0xD8]
    let rows = utf16("a\nx", big: false) + lone + utf16("y\nok\nz", big: false) + lone
    let bytes = rows + utf16("\n", big: false) + [0x41]
    let options = CSVOptions.plain.with { $0.encoding = .utf16LittleEndian }
    for chunk in 1...12 {
      let result = try CSVResult(bytes, chunk: chunk, options: options)
      #expect(result.fields == [["ok"]])
      #expect(result.ledger.rejected == [.invalidEncoding: 3])
      #expect(result.ledger.examples.map(\.line) == [2])
    }
  }

  @Test("Latin-1 maps every byte to its code point; Windows-1252 differs in 0x80 … 0x9F")
  func singleByte() throws {
    let bytes = Array("a,b\n".utf8) + [0xE9, 0x2C, 0x80, 0x93, 0x0A]
    let latin = try CSVResult(bytes, chunk: 3, options: .plain.with { $0.encoding = .latin1 })
    #expect(latin.fields == [["é", "\u{80}\u{93}"]])
    let windows = try CSVResult(bytes, options: .plain.with { $0.encoding = .windows1252 })
    #expect(windows.fields == [["é", "€“"]])
  }

  @Test("a byte order mark in a Latin-1 file is text")
  func latinMark() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0x61, 0x0A]
    #expect(
      try CSVResult(bytes + [0x31, 0x0A], options: .plain.with { $0.encoding = .latin1 }).names
        == ["ï»¿a"])
  }

  @Test("a text encoding is found by its name", arguments: TextEncoding.names)
  func names(name: String) {
    #expect(TextEncoding(name: name)?.name == name)
    #expect(TextEncoding(name: name.uppercased())?.name == name)
    #expect(TextEncoding(name: name + "x") == nil)
  }

  /// Texts as other programs write them.
  private static let samples: [(encoding: String, bytes: [UInt8], text: String)] = [
    ("windows-1250", [0xA3, 0xF3, 0x64, 0x9F], "Łódź"), ("koi8-r", [0xED, 0xCF, 0xD3], "Мос"),
    ("cp866", [0x8C, 0xAE, 0xE1], "Мос"), ("iso-8859-2", [0xA9, 0xBE], "Šž"),
    ("shift_jis", [0x93, 0x8C, 0x8B, 0x9E, 0x5C], "東京\\"),
    ("euc-kr", [0xBC, 0xAD, 0xBF, 0xEF], "서울"),
    ("cp949", [0x8C, 0x63], "똠"), ("gb18030", [0xB1, 0xB1, 0x95, 0x32, 0x82, 0x36], "北𠀀"),
    ("big5", [0xA5, 0x78, 0xA5, 0x5F], "台北"), ("windows-874", [0xA1, 0xD8], "กุ"),
    ("euc-jp", [0xC5, 0xEC], "東"), ("macintosh", [0x8E], "é"), ("utf-32le", [0x41, 0, 0, 0], "A"),
  ]

  @Test("other encodings are those of ICU, at any buffer size", arguments: samples)
  func named(encoding: String, bytes: [UInt8], text: String) throws {
    let named = try #require(TextEncoding(name: encoding))
    guard encoding != "utf-32le" else { return #expect(named.name == encoding) }
    let table = Array("a,b\n1,".utf8) + bytes + Array("\n2,x\n".utf8)
    for chunk in 1...8 {
      let result = try CSVResult(table, chunk: chunk, options: .plain.with { $0.encoding = named })
      #expect(result.fields == [["1", text], ["2", "x"]], "\(chunk)")
    }
  }

  @Test("bytes that mean nothing in an encoding of ICU reject their row, the last one too")
  func brokenNamed() throws {
    let table = Array("a,b\n1,".utf8) + [0x81, 0x39, 0x0A] + Array("2,x\n3,".utf8) + [0x93]
    let sjis = try #require(TextEncoding(name: "shift_jis"))
    for chunk in 1...8 {
      let result = try CSVResult(table, chunk: chunk, options: .plain.with { $0.encoding = sjis })
      #expect(result.fields == [["2", "x"]] && result.ledger.rejected == [.invalidEncoding: 2])
    }
  }

  @Test("a text truncated within a unit duplicates no record, whatever the buffer")
  func halfUnit() throws {
    let text = "x,y,name\n1,2,a\n"
    let units = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let options = CSVOptions.plain.with { $0.encoding = .utf16LittleEndian }
    for end in [[0x31], [0x31, 0], [0x31, 0, 0x3D, 0xD8]] as [[UInt8]] {
      let whole = try CSVResult(units + end, options: options)
      #expect(whole.lines == [2])
      for chunk in 1...64 {
        let cut = try CSVResult(units + end, chunk: chunk, options: options)
        #expect(cut == whole, "chunk \(chunk)")
      }
    }
  }
}

@Suite("The UTF-8 check")
struct UTF8ValidationTests {
  private func firstInvalid(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { UTF8Validation.firstInvalid(in: $0) }
  }

  @Test("the UTF-8 check agrees with the library on every sequence of significant bytes")
  func exhaustive() {
    // The bounds of every range in Unicode's table 3-7, and their neighbours.
    let bytes: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
      0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var wrong = 0
    for a in bytes {
      for b in bytes {
        for c in bytes {
          for d in [0x41, 0x7F, 0x80, 0xBF, 0xC2] as [UInt8] {
            let sequence = [a, b, c, d]
            let isValid = String(validating: sequence, as: UTF8.self) != nil
            if (firstInvalid(sequence) == nil) != isValid { wrong += 1 }
          }
        }
      }
    }
    #expect(wrong == 0)
  }

  @Test("the UTF-8 check points at the first byte of the malformed sequence")
  func place() {
    #expect(firstInvalid(Array("abcdefghijklmno é".utf8) + [0xC3]) == 18)
    #expect(firstInvalid([0x41, 0xE2, 0x82, 0x41]) == 1)
    #expect(firstInvalid(Array("0123456789 日本 𝄞".utf8)) == nil)
    #expect(firstInvalid([]) == nil)
  }
}
