/// The symbol and the usual number of decimal places of a currency. ISO 4217.
struct Currency {
  var sign: String
  var places: Int
  /// Whether the symbol is the code itself, which is separated from the number by a space.
  var isCode: Bool

  /// - Parameter code: three letters; anything else gives `nil`.
  init?(_ code: String, locale: String?) {
    guard code.count == 3, code.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    let code = code.uppercased()
    let region = locale.flatMap { LanguageTag($0)?.region }
    let language = locale.flatMap { LanguageTag($0)?.language } ?? "en"
    let dollars = [
      "CAD": ("CA", "CA$"), "AUD": ("AU", "A$"), "NZD": ("NZ", "NZ$"), "MXN": ("MX", "MX$"),
      "HKD": ("HK", "HK$"), "TWD": ("TW", "NT$"), "SGD": ("SG", ""),
    ]
    let signs = [
      "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩",
      "BRL": "R$", "ILS": "₪", "VND": "₫", "PHP": "₱", "XXX": "¤",
    ]
    var sign = signs[code] ?? ""
    if let (home, abroad) = dollars[code] { sign = region == home ? "$" : abroad }
    switch (language, code) {
    case ("ja", "JPY"): sign = "￥"
    case ("zh", "CNY"): sign = "¥"
    case ("zh", "JPY"): sign = "JP¥"
    case ("ru", "RUB"): sign = "₽"
    case ("pl", "PLN"): sign = "zł"
    case ("cs", "CZK"): sign = "Kč"
    case ("sv", "SEK"), ("nb", "NOK"): sign = "kr"
    case ("da", "DKK"): sign = "kr."
    case ("tr", "TRY"): sign = "₺"
    case ("uk", "UAH"): sign = "₴"
    case ("hu", "HUF"): sign = "Ft"
    default: break
    }
    isCode = sign.isEmpty
    self.sign = isCode ? code : sign
    places =
      switch code {
      case "JPY", "KRW", "VND", "CLP", "ISK", "UGX", "XAF", "XOF", "XPF", "PYG", "RWF", "KMF",
        "DJF", "GNF", "BIF", "VUV":
        0
      case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
      default: 2
      }
  }
}
