import Features
import Files
import OrderedCollections
import Testing

@testable import Examination
@testable import Ingest

@Suite("The beginning of a file")
struct HeadTests {
  private static let text = (0..<40).map { "Straße \($0) — café, Åbo\n" }.joined()

  private static func bytes(_ encoding: TextEncoding) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar -> [UInt8] in
      let value = scalar.value
      switch encoding {
      case .utf8: return Array(String(scalar).utf8)
      case .latin1, .named: return [value < 256 ? UInt8(value) : UInt8(ascii: "-")]
      case .windows1252: return [value < 256 ? UInt8(value) : 0x97]
      case .utf16, .utf16LittleEndian: return [UInt8(value & 255), UInt8(value >> 8)]
      case .utf16BigEndian: return [UInt8(value >> 8), UInt8(value & 255)]
      }
    }
  }

  @Test(
    "the encoding of a file's beginning is detected at every chunk size",
    arguments: [
      TextEncoding.utf8, .latin1, .windows1252, .utf16LittleEndian, .utf16BigEndian,
    ])
  func encodings(encoding: TextEncoding) throws {
    for chunk in [1, 2, 3, 5, 7, 64, 4096] {
      let source = ByteSource(bytes: Self.bytes(encoding), name: "x", chunk: chunk)
      let guess = try EncodingGuess.guess(source)
      #expect(guess.encoding == encoding, "\(chunk)")
      if encoding == .utf8 { #expect(guess.sequences == 160 && guess.invalid == 0) }
    }
  }

  /// Names of places in the encodings of their languages.
  private static let foreign: [(encoding: String, names: [String])] = [
    (
      "windows-1250", ["Łódź", "Kraków", "Gdańsk", "Poznań", "Wrocław", "Częstochowa", "Białystok"]
    ),
    (
      "windows-1251",
      ["Москва", "Санкт-Петербург", "Новосибирск", "Екатеринбург", "Казань", "Омск"]
    ),
    (
      "windows-1251",
      ["Код", "Название", "Широта", "Долгота", "Город Аово", "Город Бово", "Город Вово"]
    ),
    (
      "windows-1254",
      ["Durak Adı", "Yolcu Sayısı", "Şişli durağı", "Beşiktaş", "Kadıköy", "Bağcılar"]
    ),
    (
      "latin1",
      ["Reykjavík", "Kópavogur", "Hafnarfjörður", "Ísafjörður", "Þorlákshöfn", "Egilsstaðir"]
    ),
    ("koi8-r", ["Москва", "Санкт-Петербург", "Новосибирск", "Екатеринбург", "Казань", "Омск"]),
    ("cp866", ["Москва", "Санкт-Петербург", "Новосибирск", "Екатеринбург", "Казань", "Омск"]),
    ("windows-1253", ["Αθήνα", "Θεσσαλονίκη", "Πάτρα", "Ηράκλειο", "Λάρισα", "Βόλος", "Ιωάννινα"]),
    ("windows-1255", ["תל אביב", "ירושלים", "חיפה", "באר שבע", "נתניה", "אשדוד", "רמת גן"]),
    ("windows-1256", ["القاهرة", "الإسكندرية", "الجيزة", "بور سعيد", "السويس", "المنصورة"]),
    ("windows-874", ["กรุงเทพมหานคร", "เชียงใหม่", "ภูเก็ต", "ขอนแก่น", "อุดรธานี", "นครราชสีมา"]),
    ("shift_jis", ["東京都", "大阪府", "京都市", "北海道札幌市", "名古屋駅", "横浜みなとみらい", "図書館"]),
    ("gb18030", ["北京市", "上海市", "广州", "深圳", "成都", "杭州西湖", "南京大学", "武汉", "西安", "重庆"]),
    ("big5", ["台北市", "高雄市", "台中", "新竹", "花蓮縣", "臺南", "圖書館", "中山北路", "基隆", "桃園"]),
    ("euc-kr", ["서울특별시", "부산광역시", "대구", "인천", "광주", "대전", "울산", "경기도", "강원도"]),
  ]

  @Test("the encoding of a table is found by its words", arguments: foreign)
  func languages(encoding: String, names: [String]) throws {
    let lines = names.enumerated().map { "\($0.offset),\($0.element),52.5\n" }.joined()
    let source = ByteSource(bytes: try Self.encoded(lines, as: encoding), name: "x")
    let guess = try EncodingGuess.guess(source)
    #expect(guess.encoding.name == encoding, "\(guess.legacy?.best.words ?? "")")
  }

  /// Four names each, which leave a guess little to go by.
  private static let short = """
    windows-1252 Besançon Orléans Nîmes Béziers|Köln Düsseldorf Würzburg Görlitz|Málaga Cádiz León Ávila
    windows-1252 Maceió Belém Brasília Macapá|Malmö Västerås Örebro Luleå|Ærø Helsingør Køge Næstved
    windows-1252 Ísafjörður Reykjavík Húsavík Þingvellir|Hämeenlinna Jyväskylä Ähtäri Lähde|Forlì Cefalù Mondovì Nardò
    windows-1250 Łódź Kraków Gdańsk Wrocław|Plzeň Třebíč České Děčín|Győr Székesfehérvár Érd Gyöngyös
    windows-1250 Timişoara Bacău Iaşi Târgovişte|Šibenik Čakovec Požega Đakovo|Košice Žilina Prešov Bardejov
    iso-8859-2 Łódź Kraków Gdańsk Świdnica|Plzeň Žatec Děčín Třebíč
    windows-1251 Москва Казань Омск Пермь|Київ Львів Одеса Харків|София Пловдив Варна Русе|Београд Ниш Чачак Ваљево
    koi8-r Москва Казань Омск Пермь
    cp866 Москва Казань Омск Пермь
    iso-8859-5 Москва Казань Омск Пермь
    windows-1253 Αθήνα Πάτρα Λάρισα Χανιά
    windows-1254 İstanbul Eskişehir Muğla Çanakkale|İzmir Şanlıurfa Ağrı Muş
    windows-1255 ירושלים חיפה אילת נתניה
    windows-1256 القاهرة الرياض بغداد دمشق|تهران مشهد اصفهان تبريز
    iso-8859-6 القاهرة الرياض بغداد دمشق
    windows-1257 Šiauliai Panevėžys Kėdainiai Telšiai|Rīga Jūrmala Liepāja Rēzekne|Põlva Jõhvi Võru Kärdla
    windows-874 กรุงเทพ เชียงใหม่ ภูเก็ต ขอนแก่น
    shift_jis 東京 大阪 京都 札幌|ナゴヤ コウベ センダイ ヨコハマ
    euc-jp 東京 大阪 京都 札幌
    gb18030 北京 上海 广州 深圳
    big5 台北 高雄 台中 臺南
    euc-kr 서울 부산 대구 인천
    macintosh Besançon Orléans Nîmes Béziers|Köln Düsseldorf Würzburg Görlitz
    cp850 Köln Düsseldorf Würzburg Görlitz|Besançon Orléans Nîmes Béziers
    cp852 Łódź Kraków Gdańsk Wrocław
    """.split(separator: "\n").flatMap { line in
      let (encoding, lists) = (
        line.prefix { $0 != " " }, line.drop { $0 != " " }.split(separator: "|")
      )
      return lists.flatMap { list -> [(encoding: String, names: [String])] in
        let names = list.split(separator: " ").map(String.init)
        return [(String(encoding), names), (String(encoding), Array(names.prefix(2)))]
      }
    }

  @Test("a short table is read right, or its guess is said")
  func shortTables() throws {
    var wrong: [String] = []
    for (encoding, names) in Self.short {
      let lines = names.enumerated().map { "\($0.offset),\($0.element),52.5\n" }.joined()
      let bytes = try Self.encoded(lines, as: encoding)
      let guess = try EncodingGuess.guess(ByteSource(bytes: bytes, name: "x"))
      guard LegacyGuess.decoded(bytes, guess.encoding) != lines else { continue }
      wrong.append("\(guess.encoding.name) for \(encoding) \(names)")
      #expect(guess.legacy?.rival != nil, "\(wrong.last ?? "")")
    }
    #expect(Self.short.count == 92)
    #expect(wrong.count <= 10, "\(wrong.joined(separator: "\n"))")
  }

  /// Returns a text in another encoding, of which each character is found by decoding.
  private static func encoded(_ text: String, as name: String) throws -> [UInt8] {
    let encoding = try #require(TextEncoding(name: name))
    var codes: [Unicode.Scalar: [UInt8]] = [:]
    let singles = (UInt8(0x80)...0xFF).map { [$0] }
    let pairs = singles.flatMap { lead in (UInt8(0x40)...0xFE).map { lead + [$0] } }
    let wide = ["shift_jis", "gb18030", "big5", "euc-kr", "euc-jp"]
    let isSingle = !wide.contains(name)
    for code in isSingle ? singles : singles + pairs {
      let utf8 = code.withUnsafeBytes { TextTranscoder(encoding: encoding).text($0, isLast: true) }
      guard let text = String(validating: utf8, as: UTF8.self), text.unicodeScalars.count == 1
      else { continue }
      for scalar in text.unicodeScalars where codes[scalar] == nil { codes[scalar] = code }
    }
    return try text.unicodeScalars.flatMap { scalar in
      scalar.isASCII ? [UInt8(scalar.value)] : try #require(codes[scalar])
    }
  }

  @Test("a guess that is not sure says what it would read otherwise")
  func unsure() throws {
    let bytes = Array("1,Rom".utf8) + [0xEA, 0x0A]
    let guess = try EncodingGuess.guess(ByteSource(bytes: bytes, name: "x"))
    let legacy = try #require(guess.legacy)
    #expect(legacy.rival != nil && legacy.rival?.words != legacy.best.words)
    let proof = try EncodingGuess.guess(
      ByteSource(bytes: Array("1,".utf8) + [0x8D, 0x81, 0x0A], name: "x"))
    #expect(proof.isImpossible(.windows1252) && proof.encoding != .windows1252)
  }

  @Test("a file is not taken for Latin-1 because of a few stray bytes")
  func stray() throws {
    let bytes = Self.bytes(.utf8) + [0xE9, 0x0A]
    #expect(try EncodingGuess.guess(ByteSource(bytes: bytes, name: "x")).encoding == .utf8)
    let cut = Array("aé".utf8.dropLast())
    let guess = try EncodingGuess.guess(ByteSource(bytes: cut, name: "x"))
    #expect(guess.invalid == 1 && guess.encoding == .latin1)
  }

  @Test("the delimiter is detected, and the configured one kept if it divides fields evenly")
  func delimiters() {
    for (text, given, right) in [
      ("a,b\n1,2\n3,4\n", ",", ","), ("a;b;c\n1,5;2,5;x\n3,5;4,5;y\n", ",", ";"),
      ("a\tb\n1,2\t3\n4\t5\n", ",", "\t"), ("a|b\n1|2\n", ";", "|"), ("a\n1\n", ",", ","),
      ("a,b\n\"1;2\",3\n\"4;5\",6\n", ";", ","), ("\n\n", ",", ","), ("", ",", ","),
    ] as [(String, Character, Character)] {
      let table = TableHead.best(
        Array(text.utf8), delimiter: given.asciiValue ?? 0, isWhole: true)
      #expect(table.delimiter == right.asciiValue, "\(text)")
    }
  }

  @Test("the head of a table has the lines of its records")
  func lines() {
    let text = "a,b\n\n\"x\ny\",2\r\n3,4"
    let table = TableHead(Array(text.utf8), delimiter: UInt8(ascii: ","), isWhole: true)
    #expect(table.records == [["a", "b"], ["x\ny", "2"], ["3", "4"]])
    #expect(table.lines == [1, 3, 5])
    let cut = TableHead(Array(text.utf8), delimiter: UInt8(ascii: ","), isWhole: false)
    #expect(cut.records.count == 2)
  }

  @Test("column names are split into words")
  func names() {
    for (name, words) in [
      ("pickupLon_deg", ["pickup", "lon", "deg"]), ("geo.lat", ["geo", "lat"]), ("LAT", ["lat"]),
      ("X", ["x"]), ("POINT_X", ["point", "x"]), ("", []), ("__", []),
      ("längeWGS84", ["länge", "wgs"]),
    ] {
      #expect(CoordinateName.words(of: name) == words)
    }
  }

  @Test("the file type is detected by the first bytes")
  func signatures() throws {
    for (text, signature) in [
      ("\u{FEFF} {\"a\": 1}", SourceHead.Signature.object), ("[1]", .array),
      ("// a\nvar x", .script), ("", .empty),
      (" \n", .empty),
      ("<HTML>", .html), ("<kml>", .xml), ("a,b", .text), ("SQLite format 3\0x", .foreign(.sqlite)),
    ] {
      let source = ByteSource(bytes: Array(text.utf8), name: "x")
      #expect(try SourceHead(source).signature == signature, "\(text)")
    }
  }

  @Test("settings are formatted as YAML on one line")
  func settings() {
    for (value, yaml) in [
      (PropertyValue.string("lon"), "x: lon"), (.string("y"), "x: \"y\""),
      (.string(";"), "x: \";\""),
      (.string("Größe"), "x: \"Größe\""), (.string("a b"), "x: \"a b\""), (.number(3), "x: 3"),
      (.bool(true), "x: true"), (.array([.string("a"), .string("1")]), "x: [a, \"1\"]"),
      (.object(["zip": .string("string")]), "x: {zip: string}"), (.string("null"), "x: \"null\""),
      (.string("a\\\"b"), "x: \"a\\\\\\\"b\""), (.string(""), "x: \"\""),
    ] {
      #expect(Setting("x", value).yaml == yaml)
    }
  }
}
