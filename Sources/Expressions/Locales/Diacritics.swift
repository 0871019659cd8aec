/// Latin, Greek and Cyrillic letters with a diacritic and the letters below them.
enum Diacritics {
  /// The base letters of each lower-case letter and a number for its diacritic, from 1.
  ///
  /// Keys are compared by canonical equivalence, so decomposed letters are found too.
  static let table: [Character: (base: String, rank: Int)] = {
    var table: [Character: (base: String, rank: Int)] = [:]
    for (base, letters) in rows {
      for (index, letter) in letters.enumerated() { table[letter] = (base, index + 1) }
    }
    return table
  }()

  private static let rows: [(base: String, letters: String)] = [
    ("a", "áàăắằẵẳâấầẫẩǎåäǟãȧąāảạặậ"), ("ae", "æǽ"), ("c", "ćĉčċç"), ("d", "ďḑđð"),
    ("e", "éèĕêếềễểěëẽėęēẻẹệ"), ("g", "ğĝǧġģ"), ("h", "ĥȟḧħ"), ("i", "íìĭîǐïĩįīỉịı"),
    ("j", "ĵǰ"), ("k", "ǩķ"), ("l", "ĺľļł"), ("n", "ńǹňñṅņ"),
    ("o", "óòŏôốồỗổǒöőõøǿǫōỏọộơớờỡởợ"), ("oe", "œ"), ("r", "ŕřŗ"), ("s", "śŝšşș"), ("ss", "ß"),
    ("t", "ťţțŧ"), ("th", "þ"), ("u", "úùŭûǔůüűũųūủụưứừữửự"), ("w", "ŵẃẁẅ"),
    ("y", "ýỳŷÿỹẏȳỷỵ"), ("z", "źẑžż"), ("α", "ά"), ("ε", "έ"), ("η", "ή"), ("ι", "ίϊΐ"),
    ("ο", "ό"), ("υ", "ύϋΰ"), ("ω", "ώ"), ("е", "ёѐ"), ("и", "йѝ"), ("і", "ї"), ("г", "ѓґ"),
    ("к", "ќ"),
  ]
}
