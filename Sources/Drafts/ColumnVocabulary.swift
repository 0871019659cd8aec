/// The words by which columns are named, in the languages of open data.
enum ColumnVocabulary {
  /// The words of each meaning, in lower case; one that ends in `*` counts anywhere in a name, one in `-`
  /// at the beginning of a word, and one that begins with `-` at its end.
  static let lists: [ColumnWords.Meaning: String] = [
    .change: """
    change chg delta diff difference growth increase decrease anomaly trend net balance
    veränderung veraenderung entwicklung zunahme abnahme saldo zuwachs wachstum differenz
    évolution evolution variation croissance solde variación variacion crecimiento
    variazione crescita variação variacao crescimento verandering groei
    přírůstek úbytek změna zmiana przyrost изменение прирост динамика 变化 增减 増減 증감 변화 التغير değişim
    """,
    .share: """
    percent pct perc share rate rates ratio proportion density prevalence incidence
    turnout coverage quota index score rating stars ndvi aqi
    anteil quote dichte prozent wahlbeteiligung arbeitslosenquote
    unemploy* arbeitslos* chômage desempleo paro disoccupazione desemprego werkloosheid bezrobocie
    nezaměstnanost työttömyys безработица 失业 失業 실업 vacancy leerstand
    taux pourcentage densité densite part indice tasa porcentaje densidad proporción cuota índice
    tasso percentuale densità densita quota taxa percentagem porcentagem densidade
    aandeel dichtheid andel tæthed tetthet täthet osuus
    udział udzial wskaźnik odsetek gęstość podíl hustota arány sűrűség
    доля процент плотность уровень индекс частка щільність
    %* ‰* 比率 割合 率 密度 指数 비율 밀도 نسبة كثافة معدل oran yüzde yoğunluk tỷlệ mậtđộ
    """,
    .money: """
    renda price cost rent salary income wage fare fee taxes value eur usd gbp chf fines assess
    -miete -preis -lohn -prijs -huur -pris
    preis miete einkommen lohn gehalt kosten wert gebühr gebuehr kaufkraft
    prix loyer salaire revenu coût cout valeur tarif
    precio renta alquiler salario ingreso ingresos costo coste valor tarifa
    prezzo affitto stipendio reddito costo valore tariffa
    preço preco aluguel aluguer salário rendimento custo receita
    prijs huur inkomen loon kosten waarde woz pris inkomst hyra lön hinta palkka
    cena czynsz płaca dochód koszt wartość nájem mzda příjem hodnota ár bér jövedelem
    цена стоимость доход зарплата аренда ціна дохід
    价格 租金 收入 工资 价 価格 家賃 賃料 所得 地価 가격 지가 임대료 소득 سعر دخل إيجار fiyat kira gelir giá
    """,
    .turnover: """
    sales revenue turnover budget expenditure spending gdp umsatz haushalt bip recettes dépenses pib
    presupuesto gasto gastos bilancio spesa omzet budżet выручка бюджет 予算 売上 预算 예산
    """,
    .magnitude: "magnitude mag richter magnitud magnitudo",
    .temperature: """
    temperature temp temperatur temperatura température sst tmax tmin tavg tmean lufttemperatur
    temperatuur lämpötila hőmérséklet teplota sıcaklık температура 气温 温度 気温 기온 حرارة nhiệtđộ
    """,
    .rain: """
    precipitation precip rain rainfall niederschlag precipitacion precipitación pluie pioggia
    precipitazione prcp neerslag nederbörd nedbør opad opady srážky csapadék chuva lluvia yağış
    осадки 降水 降雨 雨量 강수 أمطار
    """,
    .depth:
      "depth tiefe profondeur profundidad profondità profundidade diepte djup dybde глубина 深度 深さ 깊이",
    .speed: """
    speed velocity sog geschwindigkeit vitesse velocidad velocità velocidade snelheid hastighet
    prędkość скорость wind windspeed size 速度 風速 风速 속도
    """,
    .height: """
    height elevation elev altitude altitud altitudine höhe hoehe ele floors storeys stories levels
    alt hauteur altura altezza hoogte høyde höjd höjdmeter wysokość výška magasság korkeus yükseklik
    geschosse étages pisos plantas piani высота этажность 高度 标高 標高 海拔 층수 고도 ارتفاع
    """,
    .level: """
    level pm pm10* pm25* no2* so2* co2* ozone noise risk intensity concentration pressure humidity salinity
    ph turbidity nitrate nitrat lärm laerm pegel belastung wasserstand niveau bruit débit concentración ruido nivel
    livello rumore nível hladina poziom уровень
    circumference diameter thickness dbh
    duration dauer durée duración minutes hours distance entfernung weight gewicht age alter
    """,
    .count: """
    population pop poptot totpop popul inhabitants people persons residents citizens voters votes
    count total amount visitors passengers attendance capacity beds seats rooms
    casualties deaths fatalities injured cases employees workers students pupils households dwellings
    vehicles cars aadt dtv traffic ridership enrollment enrolment members jobs children doses stalls confirmed migrants commuters flow flows
    units spaces bikes docks mw kw quantity power emissions tonnes
      male female men women males females leistung männer frauen zimmer puissance hommes femmes potencia
      hombres mujeres potenza maschi femmine vermogen мощность sum volume visits trips rides flights arrivals departures
    einwohner bevölkerung bevoelkerung anzahl menge besucher fahrgäste kapazität plätze plaetze betten
    beschäftigte schüler haushalte wohnungen stimmen fälle faelle tote verletzte stellplätze gesamt
    bestand mitarbeiter wahlberechtigte kinder personen votanti iscritti elettori inscrits électeurs
    habitants nombre effectif capacité capacite places lits logements ménages voix décès blessés
    visiteurs voyageurs
    habitantes poblacion población cantidad capacidad plazas camas viviendas votos fallecidos heridos
    personas turistas visitantes
    popolazione abitanti residenti capienza posti letti alloggi voti decessi feriti presenze
    população populacao habitantes leitos vagas votos óbitos domicílios
    asukas* migranten pendler inwoners aantal bewoners plaatsen woningen befolkning invånare antal innbyggere indbyggere asukkaat
    väkiluku ludność ludnosc liczba miejsc míst férőhely mieszkańcy mieszkancy počet obyvatel obyvatelia lakosság népesség
    locuitori populația stanovništvo prebivalstvo nüfus sayısı kapasite
    население численность количество число жителей мест кількість населення
    人口 人数 数量 件数 世帯数 户数 台数 定員 인구 세대수 수량 인원 승객 数 họcsinh السكان عدد sốlượng dânsố penduduk jumlah
    """,
    .id: """
    id fid gid oid uid uuid guid key objectid osm ref bbl mmsi imo geoid geonameid siret siren
    identifier kennung schlüssel schluessel identifiant identificador sysid rowid recordid pk
    icao iata wmo eva uic kennziffer kennzahl gkz ars inspireid matricule kennzeichen
    """,
    .code: """
    code zip plz postal -nummer -nr nummer psč psc postnr postnummer scalerank labelrank telefon telefono téléphone postcode postleitzahl phone tel fax fips iso no nr number num cod codigo
    código codice kod kode index rank lat latitude lng lon long longitude x y easting northing fill
    stroke marker zoom district ward precinct block lot heading course cog bearing sequence seq epoch
    unix timestamp ts squawk truetrack insee ags nuts distrito arrondissement version changeset cp cap codpos
    citycode istat gemeindenummer gemeindeschlüssel kgs rgs lau iris siret parcel parcela flurstück
    kommunenr kommunnummer tax_lot apn census tract geocode sort order rang rank idx kodas индекс код
    邮编 郵便番号 编号 番号 コード 코드 번호 우편번호 رمز
    """,
    .year: """
    year- yr jahr baujahr année annee año anio ano anno jaar bouwjaar år byggår rok vuosi év an anul
    god godina yıl год рік 年 年度 年份 연도 سنة năm tahun built
    """,
    .month: """
    month monat mois mes mese mês maand måned månad miesiąc měsíc kuukausi hónap ay месяц місяць 月份 月
    week woche weekday wochentag semaine semana jour day tag dia día giorno dag день 星期 曜日
    -woche quarter quartal trimestre
    """,
    .date: "date datum fecha data dato dátum päivämäärä дата 日期 日付 날짜 تاريخ tarih ngày tanggal",
    .hour: "hour stunde heure hora ora uur minute minuten second",
    .houseNumber: """
    hausnummer hausnr hnr housenumber houseno streetnumber streetno addrnum addno
    civico civique numvoie huisnummer husnummer husnr nrbudynku domu házszám
    popisné orientační housenum дом 番地 門牌
    """,
    .size: """
    shape area- landarea lotarea perimeter stlen stlength starea aland awater leng- len length acres hectares ha sqkm
    sqmi areasqkm superficie fläche flaeche oppervlakte omtrek umfang longueur
    km2* km²* pow powierzchnia rozloha terület площадь 面積 面积 면적 hektar areakm lunghezza
    """,
    .footnote: """
    error uncertainty accuracy rms gap dmin nst confidence precision minimum maximum stddev stderr
    moe margin magerror deptherror horizontalerror genauigkeit fehler
    """,
    .ranks:
      "energ* grade class klasse stufe level rank note clase classe categoria ranking stage tier band quartile quintile decile tertile -stufe rating epc dpe",
    .contact:
      "url uri link website web homepage www email mail phone telefon telephone telefono fax foto photo image bild",
    .kind: """
    type typ tipo kind class klasse classe clase category categoria categoría catégorie categorie
    kategorie kategoria status estado état etat stato zone zoning zona group gruppe brand use usage
    landuse nutzung art rodzaj sort species highway amenity fclass featureclass surface severity level grade phase
    operator mode rótulo rotulo party winner cause condition result sector sektor fuel
    soort kategori tyyppi typologie tipologia druh jenis loại tür
    тип вид категория статус 种类 类型 類型 種別 種類 分類 유형 종류 구분 نوع فئة
    """,
    .title: """
    title label nom nombre naam navn namn titel nazwa nome név isim ad název bezeichnung benennung
    denominazione denominación denominacion designação intitulé libelle libellé appellation toponym
    nimi nimetus pavadinimas nosaukums naziv ime numele denumire titulo título titolo
    назва название наименование имя 名称 名前 名 施設名 이름 명칭 اسم الاسم tên nama ονομα όνομα שם
    """,
    .place: """
    city town village place station municipality ort stadt gemeinde comune commune ciudad municipio
    ville cidade stop site filiale store school airport park peak summit haltestelle gemeente kommune
    kommun kunta obec miasto gmina település város oraș grad город 市 町 駅 도시 مدينة volcano
    """,
    .otherName: """
    user file street owner country state first last middle admin host region province county
    department departement agency operator end class code straße strasse rue calle via straat ulica
    улица vorname nachname prenom prénom apellido adresse address
    """,
    .journey: """
    track trip tripid trk trajectory journey voyage ride run session cruise segment flight storm sid
    atcfid shape shapeid fahrt reise trajet voyage viaje viaggio viagem reis рейс поездка
    """,
    .vehicle: """
    mmsi vessel ship vehicle callsign icao device deviceid imei animal individual tag route line
    fahrzeug schiff bateau navire barco nave navio schip судно
    """,
    .order: "sequence seq order step vertex ordinal reihenfolge ordre orden",
    .origin:
      "origin orig from start o src source pickup home von départ depart origen partenza 起点 出发",
    .destination:
      "destination dest to end d dst target dropoff work nach arrivée arrivee destino arrivo 终点 到达",
  ]
}
