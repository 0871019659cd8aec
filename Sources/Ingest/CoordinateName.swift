/// The meaning of a column's name as a coordinate, in the languages of open data.
package struct CoordinateName {
  /// A word of the name that means one of the two coordinates.
  package struct Mark: Hashable {
    /// The place of its pair of words in ``CoordinateWords``; words of one pair belong together.
    let pair: Int
    /// The name without the word.
    let rest: String
    /// How sure it is, 1 to 7: 1 is a word inside another, which counts only beside a column that
    /// differs from this one in nothing but the word of the same pair.
    package let strength: Int
  }

  package private(set) var latitude: [Mark] = []
  package private(set) var longitude: [Mark] = []

  /// The least ``Mark/strength`` of a name that means a coordinate by itself.
  package static let sure = 4

  private static let longest = 120

  package init(_ name: String) {
    let words = Self.words(of: String(name.prefix(Self.longest))).map(Self.folded)
    let isPlain = words.count == 1 && name.unicodeScalars.allSatisfy(\.properties.isAlphabetic)
    let joined = words.joined()
    for (place, pair) in CoordinateWords.pairs.enumerated() {
      latitude += Self.marks(pair.latitude, place, words, joined, isPlain, pair.strength)
      longitude += Self.marks(pair.longitude, place, words, joined, isPlain, pair.strength)
    }
    // In X_L93 the letter of the axis counts.
    if latitude.count + longitude.count > 1 {
      let isAxis = { (mark: Mark) in mark.pair >= CoordinateWords.firstAxis }
      let axes = (latitude.filter(isAxis), longitude.filter(isAxis))
      if axes.0.isEmpty != axes.1.isEmpty, (latitude + longitude).allSatisfy({ $0.strength <= 2 }) {
        (latitude, longitude) = axes
      }
    }
    // Of a name that says both, such as lat_long, the surer one counts, if one is.
    let (y, x) = (latitude.map(\.strength).max() ?? 0, longitude.map(\.strength).max() ?? 0)
    if y >= x { longitude.removeAll { $0.strength < y || x == y } }
    if x >= y { latitude.removeAll { $0.strength < x || x == y } }
  }

  /// Returns the surest mark that some words leave on a name; of equal ones that of the longest word,
  /// since `long` also begins `longitude`.
  ///
  /// - Parameters:
  ///   - joined: the words of the name without what divides them.
  ///   - isPlain: whether the name is one word and nothing else.
  private static func marks(
    _ tokens: [String], _ pair: Int, _ words: [String], _ joined: String, _ isPlain: Bool,
    _ strength: Int
  ) -> [Mark] {
    var best: Mark?
    for token in tokens {
      // By bytes: a mark that follows a letter makes another character of it.
      guard let range = joined.utf8.firstRange(of: token.utf8) else { continue }
      let rest = String(joined[..<range.lowerBound] + joined[range.upperBound...])
      let isSaid =
        words.contains(token) || rest.isEmpty || isRun(token, of: words)
        || strength >= sure && token.utf8.count >= 5
      guard isSaid || token.utf8.count >= 3 else { continue }
      let own = isPlain && rest.isEmpty ? strength + 1 : isSaid ? strength : 1
      if own > best?.strength ?? 0 { best = Mark(pair: pair, rest: rest, strength: own) }
    }
    return best.map { [$0] } ?? []
  }

  /// Whether a token is two or three words that follow one another.
  private static func isRun(_ token: String, of words: [String]) -> Bool {
    words.indices.contains { start in
      var run = ""
      for word in words[start...].prefix(3) {
        run += word
        if run == token { return true }
      }
      return false
    }
  }

  /// Returns the score of two names as those of a longitude and a latitude; `nil` where they are not.
  package static func score(x: CoordinateName, y: CoordinateName) -> Int? {
    var best: Int?
    for left in x.longitude {
      for right in y.latitude {
        let isPair = left.pair == right.pair
        let isTwin = isPair && left.rest == right.rest
        // Words that also mean something else, such as the letters E and B, say it together alone.
        let isSaid = isPair || max(left.strength, right.strength) >= sure
        guard isTwin || isSaid && min(left.strength, right.strength) > 1 else { continue }
        let score = left.strength + right.strength + (isTwin ? 3 : 0) + (isPair ? 1 : 0)
        best = max(best ?? 0, score)
      }
    }
    return best
  }

  /// Returns the columns whose names most suggest longitude and latitude, by their places; `nil` where
  /// none do.
  ///
  /// - Complexity: O(pairs of columns that are named like one), each once.
  package static func pair(among names: [String]) -> (x: Int, y: Int)? {
    let names = names.map(CoordinateName.init)
    let xs = names.indices.filter { !names[$0].longitude.isEmpty }.prefix(pairLimit)
    let ys = names.indices.filter { !names[$0].latitude.isEmpty }.prefix(pairLimit)
    var best: (score: Int, x: Int, y: Int)?
    for y in ys {
      for x in xs where x != y {
        guard let score = score(x: names[x], y: names[y]) else { continue }
        let near = 2 * score + (abs(x - y) == 1 ? 1 : 0)
        if near > best?.score ?? 0 { best = (near, x, y) }
      }
    }
    return best.map { ($0.x, $0.y) }
  }

  private static let pairLimit = 200

  /// Whether the name alone says that the column is a longitude, or a latitude.
  package func means(longitude isLongitude: Bool) -> Bool {
    (isLongitude ? longitude : latitude).contains { $0.strength >= Self.sure }
  }

  package var isSureLongitude: Bool { means(longitude: true) }
  package var isSureLatitude: Bool { means(longitude: false) }

  /// Whether two names say that the first is a longitude, or the second a latitude.
  package static func tell(x: String, y: String) -> Bool {
    let (x, y) = (CoordinateName(x), CoordinateName(y))
    return score(x: x, y: y) != nil || x.means(longitude: true) || y.means(longitude: false)
  }

  /// Whether two names say that the first is a latitude and the second a longitude. Axes say nothing:
  /// x points north in many countries.
  package static func areExchanged(x: String, y: String) -> Bool {
    var (first, second) = (CoordinateName(x), CoordinateName(y))
    guard score(x: first, y: second) == nil else { return false }
    first.latitude.removeAll { $0.pair >= CoordinateWords.firstAxis }
    second.longitude.removeAll { $0.pair >= CoordinateWords.firstAxis }
    return score(x: second, y: first) != nil
  }

  /// Returns the order of two numbers in a column with a name such as `lonlat` or `coordonneesXY`;
  /// `nil` where it does not say.
  package static func order(in name: String) -> GeometryText.Order? {
    let words = Self.words(of: name).map(folded)
    let joined = words.joined()
    for (y, x) in [("lat", "lon"), ("lat", "lng"), ("纬", "经"), ("緯", "經"), ("緯", "経"), ("위", "경")] {
      if let latitude = joined.firstRange(of: y), let longitude = joined.firstRange(of: x) {
        return latitude.lowerBound < longitude.lowerBound ? .latlng : .lnglat
      }
    }
    let axes = words.joined(separator: " ")
    if words.contains("xy") || axes.contains("x y") { return .lnglat }
    return words.contains("yx") || axes.contains("y x") ? .latlng : nil
  }

  /// Returns the words of a name in lower case: pickup, lon and deg for `pickupLon_deg`.
  package static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isAfterSmall = false
    for scalar in name.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic
      let isCapital = scalar.properties.isUppercase
      if !isLetter || (isCapital && isAfterSmall) {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if isLetter { word.unicodeScalars.append(scalar) }
      isAfterSmall = isLetter && !isCapital
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }

  /// Returns a name in lower case without accents, spaces and marks: `lange` for `Länge`.
  package static func folded(_ text: String) -> String {
    var folded = ""
    for scalar in text.lowercased().unicodeScalars where scalar.properties.isAlphabetic {
      if scalar.isASCII {
        folded.unicodeScalars.append(scalar)
      } else if scalar == "ς" {
        folded += "σ"
      } else if scalar.properties.generalCategory != .nonspacingMark {
        folded += letters(of: scalar)
      }
    }
    return folded
  }

  /// Returns the plain letters of one with an accent, by its name in Unicode.
  private static func letters(of scalar: Unicode.Scalar) -> String {
    let small = "LATIN SMALL LETTER "
    guard let name = scalar.properties.name, name.hasPrefix(small) else { return String(scalar) }
    let letter = name.dropFirst(small.count).prefix { $0 != " " }
    return switch letter {
    case "DOTLESS": "i"
    case "SHARP": "ss"
    case "ETH": "d"
    case "THORN": "th"
    case "SCHWA": "e"
    default: letter.count <= 2 ? letter.lowercased() : String(scalar)
    }
  }
}
