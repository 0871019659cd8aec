import Ingest
import TextAnalysis

/// A guess at the encoding of text that is not Unicode, by whether its words are words in it.
struct LegacyGuess {
  /// An encoding that the text may have, and its first words in it.
  struct Reading {
    let encoding: TextEncoding
    let words: String
    fileprivate let text: String
    fileprivate let score: Double
    fileprivate let isLikely: Bool
  }

  let best: Reading
  /// Another encoding in which the text is about as likely; `nil` where the best one is sure.
  let rival: Reading?

  /// - Parameter sample: lines of the text that are not ASCII.
  init?(_ sample: [UInt8]) {
    let found = TextDecoder.likely(sample)
    let readings = Self.candidates.compactMap { Self.reading($0, sample, found) }
    let most = readings.map(\.score).max()
    guard let likeliest = readings.first(where: { $0.score == most }),
      // Where two read the same, the more usual one.
      let best = readings.first(where: { $0.text == likeliest.text })
    else { return nil }
    self.best = best
    let others = readings.filter { $0.text != best.text }
    let second = others.max { $0.score < $1.score }
    let isClose = second.map { likeliest.score - $0.score < Self.margin } ?? false
    rival = isClose || !likeliest.isLikely || !best.isLikely ? second : nil
  }

  /// The points by which a reading must be ahead of the next one.
  private static let margin = 12.0

  private struct Candidate {
    let encoding: String
    /// The names that ICU's detector has for it and its relatives.
    var aliases: [String] = []
    /// The letters of its languages beyond a to z; empty for scripts of their own.
    var languages: [Alphabet] = []
    /// Characters that names of places and of columns have, of the many thousands of a script.
    var usual: Set<Unicode.Scalar> = []

    init(
      _ encoding: String, _ aliases: String = "", _ languages: String = "", usual: String = ""
    ) {
      self.usual = Set(usual.unicodeScalars)
      self.encoding = encoding
      self.aliases = aliases.split(separator: " ").map(String.init)
      self.languages = languages.split(separator: " ").map(Alphabet.init)
    }
  }

  private static let western =
    "é:àâæçèêëîïôœùûüÿ äöüß æøåéö äåöé áéíñóúü áàâãçéêíóôõúü àèéìòù á:áéíóúýþæöð àçèéíïòóúü"
  private static let central =
    "ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű ăâîşţ čćđšž äöüß"

  private static let japanese =
    "県市町村区郡東西南北京都大小山川田島本中上下野原木石松井谷崎橋駅前宮神社寺学校園病院店公館図書所名称住電話番号緯度経阪戸浜福岡広札幌仙台古屋和のノンルスラトアイリタクドマコシセヨカ"
  private static let chinese =
    "市区县省镇乡村路街道北南东西山江海州城中大小上下广京津沪河湖水金龙新安平阳公园学校医院站店酒行银司局人民国华长高石家庄天门太白黄红林口湾岛港乐明福建武汉成都重庆深圳香名称地址电话经纬度"
  private static let traditional =
    "市區縣省鎮鄉村里路街道段巷號北南東西山江海州城中大小上下廣京河湖水金龍新安平陽公園學校醫院站店行銀局人民國華長高石天門太白黃紅林口灣島港明福台臺竹花蓮雄名稱地址電話經緯度"
  private static let korean =
    "동시구군읍면리로길도산천주서부대인울광전경기강원충청남북라상제수성안양평포영고신문화공학교병역점관소은행이름명칭위도경도"

  /// The encodings that files have, the most usual first.
  private static let candidates = [
    Candidate("windows-1252", "ISO-8859-1 windows-1252", western),
    Candidate("windows-1250", "ISO-8859-2 windows-1250", central),
    Candidate("windows-1251", "ISO-8859-5 windows-1251"),
    Candidate("shift_jis", "Shift_JIS", usual: japanese),
    Candidate("gb18030", "GB18030", usual: chinese),
    Candidate("big5", "Big5", usual: traditional), Candidate("euc-kr", "EUC-KR", usual: korean),
    Candidate("windows-1254", "ISO-8859-9 windows-1254", "çğıöşüâîû"),
    Candidate("windows-1257", "", "ąčęėįšųūž āčēģīķļņšūž äõöüšž"),
    Candidate("windows-1253", "ISO-8859-7 windows-1253"),
    Candidate("windows-1255", "ISO-8859-8 ISO-8859-8-I windows-1255"),
    Candidate("windows-1256", "windows-1256"), Candidate("windows-874"),
    Candidate("iso-8859-6", "ISO-8859-6"),
    Candidate("iso-8859-2", "ISO-8859-2", central), Candidate("koi8-r", "KOI8-R"),
    Candidate("koi8-u", "KOI8-R"), Candidate("cp866"), Candidate("iso-8859-5", "ISO-8859-5"),
    Candidate("euc-jp", "EUC-JP", usual: japanese), Candidate("macintosh", "", western),
    Candidate("cp850", "", western), Candidate("cp852", "", central),
  ]

  private static func reading(
    _ candidate: Candidate, _ sample: [UInt8], _ found: [(name: String, confidence: Int)]
  ) -> Reading? {
    guard var encoding = TextEncoding(name: candidate.encoding),
      let text = decoded(sample, encoding)
    else { return nil }
    var census = WordCensus(languages: candidate.languages, usual: candidate.usual)
    census.add(text)
    guard census.count > 0 else { return nil }
    let confidence = found.first { candidate.aliases.contains($0.name) }?.confidence ?? 0
    // What has no use for the marks of Windows is Latin-1.
    if encoding == .windows1252, !sample.contains(where: { $0 & 0xE0 == 0x80 }) {
      encoding = .latin1
    }
    let isUsual = candidate.encoding == candidates[0].encoding
    return Reading(
      encoding: encoding, words: census.firstWords, text: text,
      // Names of several countries are in the usual one: ICU's detector is off by a point or two there.
      score: 100 * census.plausibility + Double(confidence) + (isUsual ? 4 : 0)
        + 20 * census.usualShare,
      // A letter or two tell little of another one, whatever the detector says.
      isLikely: census.plausibility >= 0.8
        && (confidence >= 25 && isUsual || census.count >= 4))
  }

  /// Returns the text of bytes; `nil` where they mean nothing in an encoding, or would be C1 controls,
  /// which no text has.
  static func decoded(_ sample: [UInt8], _ encoding: TextEncoding) -> String? {
    let bytes = sample.withUnsafeBytes {
      TextTranscoder(encoding: encoding).text($0, isLast: true)
    }
    // A character may be cut where a long line was.
    let text = String(decoding: bytes, as: UTF8.self)
    var (foreign, broken) = (0, 0)
    for scalar in text.unicodeScalars where !scalar.isASCII {
      if (0x80..<0xA0).contains(scalar.value) { return nil }
      foreign += 1
      if scalar == "\u{FFFD}" { broken += 1 }
    }
    return broken * 50 <= foreign ? text : nil
  }
}

/// The letters of a language beyond a to z.
private struct Alphabet {
  let letters: Set<Unicode.Scalar>
  /// The letter without which no text of the language is long.
  let usual: Unicode.Scalar?

  /// Creates the alphabet of a text: its letters, after the usual one and a colon if there is one.
  init(_ text: Substring) {
    letters = Set((text + text.uppercased()).unicodeScalars)
    usual = text.contains(":") ? text.unicodeScalars.first : nil
  }
}

/// The words of a text that are not ASCII, and how many of their letters make sense there.
private struct WordCensus {
  let languages: [Alphabet]
  let usual: Set<Unicode.Scalar>

  /// The number of characters that are not ASCII, and of the usual ones among them.
  private(set) var count = 0
  private var usualCount = 0
  private var sense = 0.0
  /// The sense of letters of one language only, by its usual letter: without that they have none.
  private var conditional: [Unicode.Scalar: Double] = [:]
  /// The letters that each language has.
  private var known: [Int]
  /// The usual letters of languages that have not occurred.
  private var unseen: Set<Unicode.Scalar>
  private var words: [String] = []
  private var word: [Unicode.Scalar] = []
  /// The words so far: those that a table repeats in each row count once.
  private var seen: Set<String> = []
  private static let wordLimit = 20_000

  init(languages: [Alphabet], usual: Set<Unicode.Scalar>) {
    self.languages = languages
    self.usual = usual
    unseen = Set(languages.compactMap(\.usual))
    known = languages.map { _ in 0 }
  }

  /// The share of characters that make sense, 0 to 1: half of it for letters of any of the languages,
  /// half for letters of the one that has most of them.
  var plausibility: Double {
    let own =
      zip(known, languages).map { known, language in
        Double(known) / (language.usual.map(unseen.contains) ?? false ? 4 : 2)
      }.max() ?? 0
    let sense = conditional.reduce(sense) { unseen.contains($1.key) ? $0 : $0 + $1.value }
    return max((sense + own) / Double(max(count, 1)), 0)
  }

  /// The share of characters that are usual in names, 0 to 1.
  var usualShare: Double { Double(usualCount) / Double(max(count, 1)) }

  /// The first words, for people to judge.
  var firstWords: String { words.joined(separator: ", ") }

  mutating func add(_ text: String) {
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic || !scalar.isASCII && !Self.isMark(scalar) {
        word.append(scalar)
        continue
      }
      if !scalar.isASCII {
        count += 1
        sense += 0.5
      }
      end()
    }
    end()
  }

  /// Whether a character is one of the quotes, dashes and spaces that stand between words.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .initialPunctuation, .finalPunctuation, .dashPunctuation, .openPunctuation,
      .closePunctuation, .spaceSeparator:
      true
    default: "…€§°·•、。．，".unicodeScalars.contains(scalar)
    }
  }

  /// Whether a letter with a grave accent stands where no language has it: at the beginning of a word as
  /// a capital, or, of two of them, anywhere but at the end.
  private static func isMisplaced(_ scalar: Unicode.Scalar, isFirst: Bool, _ isLast: Bool) -> Bool {
    isFirst ? "ÈÌÒÙ".unicodeScalars.contains(scalar) : !isLast && (scalar == "ì" || scalar == "ù")
  }

  private mutating func end() {
    defer { word = [] }
    let foreign = word.count { !$0.isASCII }
    guard foreign > 0 else { return }
    let text = String(String.UnicodeScalarView(word))
    if seen.count < Self.wordLimit, !seen.insert(text).inserted { return }
    if words.count < 3 { words.append(text) }
    count += foreign
    if !usual.isEmpty { usualCount += word.count { usual.contains($0) } }
    // No word has Latin letters beside those of another script but the wide ones of East Asia.
    let hasLatin = word.contains { $0.value < 0x250 }
    let isMixed =
      languages.isEmpty && hasLatin
      && word.contains { $0.properties.isLowercase || (0x250..<0x2E80).contains($0.value) }
    var run = 0
    for (place, scalar) in word.enumerated() {
      run = scalar.isASCII ? 0 : run + 1
      guard !scalar.isASCII else { continue }
      let isTorn =
        place > 0 && scalar.properties.isUppercase && word[place - 1].properties.isLowercase
      if place == 0, scalar.properties.generalCategory == .nonspacingMark {
        // No word begins with a mark, as Russian ones do where they are read as Hebrew.
        sense -= 3
      } else if !scalar.properties.isAlphabetic || isTorn || isMixed {
        sense -= 1
      } else if word.count > 1,
        Self.isMisplaced(scalar, isFirst: place == 0, place + 1 == word.count)
      {
        continue
      } else if languages.isEmpty {
        // Katakana of half the width are what single bytes look like in Shift_JIS.
        sense += (0xFF61...0xFF9F).contains(scalar.value) ? 0.2 : 1
      } else if run <= 2 {
        // Hardly any language has three such letters in a row.
        unseen.remove(scalar)
        for index in languages.indices where languages[index].letters.contains(scalar) {
          known[index] += 1
        }
        let own = languages.filter { $0.letters.contains(scalar) }
        if own.contains(where: { $0.usual == nil }) {
          sense += 0.5
        } else if let usual = own.first?.usual {
          conditional[usual, default: 0] += 0.5
        }
      }
    }
  }
}
