/// The words by which columns are named longitude, latitude or position in the languages of
/// open data.
package enum CoordinateWords {
  /// The words of one language, or of languages that share some.
  package struct Pair {
    let latitude: [String]
    let longitude: [String]
    let strength: Int
  }

  /// All pairs of words; ``CoordinateName`` looks for them.
  package static let pairs: [Pair] =
    pairs(exact, strength: 6) + pairs(sure, strength: CoordinateName.sure)
    + pairs(unsure, strength: 2) + pairs(axes, strength: 2)

  /// The place of the first pair in ``pairs`` that names axes.
  package static let firstAxis = pairs.count - pairs(axes, strength: 2).count

  private static func pairs(_ table: String, strength: Int) -> [Pair] {
    table.split(separator: "\n").map { line in
      let sides = line.split(separator: "|").map { side in
        side.split(separator: " ").map { CoordinateName.folded(String($0)) }
          .sorted { ($1.count, $0) < ($0.count, $1) }
      }
      return Pair(latitude: sides[0], longitude: sides[1], strength: strength)
    }
  }

  // A line of a table holds words for the latitude, then words for the longitude. Accents do not matter, and
  // a term of several words is written as one.

  /// Words that the reader knows by itself, without x and y.
  private static let exact = "lat latitude | lon lng long longitude"

  /// Words that mean a coordinate, anywhere in a name if they have five letters or more.
  private static let sure = """
    latit lattit latti lati latt | longit longtit longhit lonxit longi lngt lgt
    ylat | xlon xlong xlng
    breitengrad breitegrad geobreit geogrbreit geographischebreit breedegrad | längengrad laengengrad längegrad geolaeng geoläng geogrläng geogrlaeng geographischeläng geographischelaeng längtegrad laengtegrad
    breedtegraad breedtegr | lengtegraad lengtegr
    breddgrad breddegrad breiddargráð breiddarstig | längdgrad længdegrad lengdegrad lengdargráð longdarstig
    leveysaste leveyspiiri leveyskoord | pituusaste pituuspiiri pituuskoord
    laiuskraad laiuskoord geogrlaius geograafilinelaius | pikkuskraad pikkuskoord geogrpikkus geograafilinepikkus
    platum | ilgum garum
    szerokośćgeogr szerokoscgeogr szergeogr geogrszer szerokgeogr wspszer | długośćgeogr dlgeogr geogrdl geogrdł dłgeogr dlugosćgeogr wspdl
    zeměpisnášířka zemšířka zemsir zemepissir geosirka | zeměpisnádélka zemdélka zemdel zemepisdel zemepisnádĺžka zemdĺžka zemdlz geodelka geodlzka
    zemljepisnaširina zemljepsirina | zemljepisnadolžina zemljepdolzina
    geografskaširina geogširina geosirina | geografskadužina geogdužina geoduzina geografskadolzina
    широт | долгот
    shirot širot schirot | dolgot
    широт | довгот
    shyrot | dovhot
    шырат шырот | даўгат даўгот даугат
    shyrat | dauhat daŭhat
    географскаширина географскашир геоширина | географскадужина географскадолжина географскадължина геодужина
    szélesség szelesseg földrajziszél | hosszúság hosszusag földrajzihossz
    πλάτος πλατος | μήκος μηκος
    platos geogplatos | mikos mhkos mekos geogmikos
    enlem | boylam
    enlikdairəsi endairəsi enlik | uzunluqdairəsi uzunluq uzunluk
    kenglik | uzunlik
    giňişlik | uzaklyk
    ендік endik | бойлық boylyq boilyk boylyk
    кеңдик kendik | узундук uzunduk
    киңлек kinlek | озынлык ozynlyk
    өргөрөг ургург urgurug orgorog | уртраг urtrag
    gjerësigjeogr gjerësi | gjatësigjeogr gjatësi
    განედ განედი | გრძედ გრძედი
    ganedi | grdzedi
    լայնություն | երկայնություն
    laynutyun | yerkaynutyun erkaynutyun
    קורוחב רוחבגאוגרפי רוחב | קואורך אורךגאוגרפי אורך
    kavrohav rohav rochav | kavorech kavorekh orech orekh
    خطالعرض دائرةالعرض عرضجغرافیایی عرضبلد العرض عرض | خططول خطالطول طولجغرافیایی طولبلد الطول طول
    khatalard dairatalard alard arzjoghrafiai arzegeo | khatalaltul altul altool khataltul tooljoghrafiai tuljoghrafiai
    پانی | درێژی
    अक्षांश अक्षान्श | देशांतर देशान्तर रेखांश रेखान्श
    akshans akshaans aksans | deshantar deshaantar desantar deshans rekhans rekhaans
    অক্ষাংশ | দ্রাঘিমাংশ দ্রাঘিমা দ্ৰাঘিমা
    akkhangsho okkhangsho | draghima draghimangsho
    ਅਕਸ਼ਾਂਸ਼ ਵਿਥਕਾਰ | ਦੇਸ਼ਾਂਤਰ ਲੰਬਕਾਰ ਰੇਖਾਂਸ਼
    અક્ષાંશ | રેખાંશ
    ଅକ୍ଷାଂଶ | ଦ୍ରାଘିମା
    அட்சரேகை அட்சாம்சம் அகலாங்கு | தீர்க்கரேகை தீர்க்காம்சம் நெட்டாங்கு நிரைகோடு
    అక్షాంశ | రేఖాంశ
    ಅಕ್ಷಾಂಶ | ರೇಖಾಂಶ
    അക്ഷാംശ | രേഖാംശ
    අක්ෂාංශ | දේශාංශ
    ละติจูด เส้นรุ้ง | ลองจิจูด ลองติจูด เส้นแวง
    ເສັ້ນຂະໜານ ລະຕິຈູດ | ເສັ້ນແວງ ລອງຈິຈູດ
    រយៈទទឹង | រយៈបណ្តោយ
    လတ္တီ | လောင်ဂျီ
    ኬክሮስ | ኬንትሮስ
    vĩđộ vido vituyen | kinhđộ kinhdo kinhtuyen
    garislintang lintang | garisbujur bujur
    纬度 緯度 北纬 北緯 | 经度 經度 経度 东经 東經 東経
    weidu wěidù ido | jingdu jīngdù keido
    위도 북위 | 경도 동경
    wido | gyeongdo kyongdo
    domhanleithead domhanleud | domhanfhad
    lledred | hydred
    """

  /// Words that also mean a width, a length, a direction or an axis, and only as words of their own.
  private static let unsure = """
    breite breit | länge laenge laeng lang
    breedte | lengte
    bredd bredde breidd | längd længde laengde lengde lengd
    leveys lev | pituus pit
    szél szel | hossz
    plat | ilg gar
    lt ltd lttd ltt | ln lg lgt lngt lng
    ls lu | bt
    wd | jd
    gjer | gjat
    layn | yerkayn erkayn
    rung | waeng
    laius | pikkus
    ancho anchura amplada | largo longura llargada
    largura | comprimento
    largeur | longueur
    larghezza | lunghezza
    lăţime latime lățime | lungime
    szerokość szer | długość dług dł dl
    šířka širka sir | délka dĺžka del
    širina | dužina dolžina
    ширина шир | длина дължина дужина должина довжина долг довг
    shirina | dulzhina dalzhina dlina
    en | boy
    arz ard | tul tool toul
    lebar | panjang
    chiềurộng rộng | chiềudài dài
    leithead | fad fhad
    纬 緯 | 经 經
    phi fi φ ϕ | lambda lam la λ
    b | l
    n | e
    n | o
    n | ö
    north northing nord norte noord nordre nordlig norr | east easting est este leste ost oost öst øst øster öster ostre
    pohjoinen pohj põhi | itä ida
    kuzey | doğu
    północ polnoc | wschód
    sever | východ istok vychod vzhod iztok
    észak | kelet
    ziemeļu ziemeli | austrumu austrumi
    šiaurė | rytai
    utara | timur
    bắc | đông
    север північ поўнач | восток схід изток исток усход
    βορρας βορράς | ανατολή ανατολη
    شمال | شرق
    צפון | מזרח
    北 | 东 東
    """

  /// Words for the axes of a plane.
  private static let axes = """
    hochwert hoch | rechtswert rechts
    ordonnée | abscisse
    ordenada | abscisa abscissa
    ordinata | ascissa apscisa
    ordinate ordinaat | abscissa abscis abszisse
    y座標 y坐标 y좌표 ص | x座標 x坐标 x좌표 س
    y ycoord ycoordinate coordy koordy ykoord | x xcoord xcoordinate coordx koordx xkoord lngdd
    """
}
