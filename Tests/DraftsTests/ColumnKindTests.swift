import Examination
import Features
import Foundation
import Testing

@testable import Drafts
@testable import Ingest

/// Columns of public data sets, by their names and values as these have them, and what they are.
@Suite("Kinds of columns") struct ColumnKindTests {
  /// A line for each column: its name, values that are repeated over sixty records, and its kind. `#`
  /// stands for the number of the record, `~` for two digits by chance.
  private static let columns = """
    latitude | 48.~1; 47.~2 | place
    Breitengrad | 52.~1 | place
    decimalLongitude | -3.~12 | place
    X | 4~1234.5 | place
    the_geom | POINT (8.~1 47.~1) | place
    WKT | POLYGON ((8.~1 47.~1, 8 48, 9 48, 8.~1 47.~1)) | place
    经度 | 116.~1 | place
    OBJECTID | # | identifier
    FID | # | identifier
    id | a# | identifier
    GEOID | 01001#; 06037# | identifier
    MMSI | 3670~1#; 2190~2# | identifier
    Volcano Number | 2100~#; 3530~# | identifier
    NUMBER | 10# | identifier
    osm_id | 4512~# | identifier
    STATEFP | 01; 06; 48 | identifier
    ZIP | 0~10#; 9~21 | identifier
    PLZ | 10115; 80331; 50667; 20095 | identifier
    codigo_postal | 28001; 08001; 41001 | identifier
    CODE_INSEE | 75056; 69123; 13055 | identifier
    AGS | 091620~#; 110000~# | identifier
    siret | 5521003~# | identifier
    Gemeindekennziffer | 10101; 20204; 30303; 41002 | identifier
    telephone | 49301234~#; 331~~# | identifier
    iso_a3 | DEU; FRA; ITA | identifier
    uuid | f81d4fae-7dec-11d0-a765-~# | identifier
    stop_id | de:11000:9~# | identifier
    Kennziffer | # | identifier
    Tax lot | 1; 45; 120; 7501 | identifier
    scalerank | 0; 3; 7; 10 | identifier
    tract | 10~0.02; 20~0.01 | identifier
    parcel | 12-~-# | identifier
    ISTAT | 058091; 015146; 063049 | identifier
    gemeindeschluessel | 5334002; 5315000; 5111000; 9162000 | identifier
    Buurtcode | BU0363~# | identifier
    nuts_id | DE21#; FR10# | identifier
    IATA | B#~; Z#~ | identifier
    kommunnummer | 180; 1280; 1480 | identifier
    รหัส | 10~# | identifier
    郵便番号 | 100-~#; 530-~# | identifier
    phone | +49 30 1234~#; +33 1 ~# | link
    website | https://example.org/#; http://b.example/# | link
    url | www.example.com/# | link
    email | a#@example.org | link
    foto | https://x.example/#.jpg | link
    year | 1998; 2004; 2011 | calendar
    Baujahr | 1890; 1954; 1978; 2003 | calendar
    YEAR_BUILT | 1920; 1965; 1987 | calendar
    année | 2019; 2020; 2021 | calendar
    anio | 2018; 2019 | calendar
    bouwjaar | 1931; 1968; 1999 | calendar
    год | 2010; 2015; 2020 | calendar
    年度 | 2018; 2019; 2020 | calendar
    yearbuilt | 0; 1931; 1899; 2005 | calendar
    YrSold | 2006; 2009; 2010 | calendar
    date | 20240119; 20231203; 20230607 | calendar
    month | 1; 5; 9; 12 | calendar
    Monat | 2; 7; 11 | calendar
    mes | 1; 6; 12 | calendar
    weekday | 0; 3; 6 | calendar
    Wochentag | 1; 4; 7 | calendar
    hour | 0; 8; 17; 23 | calendar
    stunde | 1; 12; 22 | calendar
    erected | 1901; 1955; 2001 | calendar
    Hausnummer | 1; 12; 7a; 103 | houseNumber
    HNR | 4; 18; 27 | houseNumber
    housenumber | 221B; 10; 4 | houseNumber
    civico | 3; 15; 22 | houseNumber
    huisnummer | 12; 14; 18 | houseNumber
    numvoie | 5; 8; 112 | houseNumber
    name | Alpha #; Beta # | name
    NAME_EN | Town # | name
    Bezeichnung | Halle #; Bad # | name
    nom | Lycée #; École # | name
    nombre | Parque # | name
    denominazione | Chiesa # | name
    naam | Gracht # | name
    navn | Fjord # | name
    název | Hrad # | name
    название | Школа # | name
    名称 | 公园# | name
    施設名 | 図書館# | name
    시설명칭 | 도서관# | name
    اسم | مدرسة # | name
    city | Berlin #; Bonn # | name
    Gemeinde | Adorf #; Bdorf # | name
    station_name | Central #; West # | name
    título | Obra # | name
    Shape_Area | 1234.~; 8~21.5 | shapeSize
    SHAPE_Length | 1~4.5 | shapeSize
    LotArea | 5000; 2500; 3~25 | shapeSize
    AREAHA | ~.5; 1~.2 | shapeSize
    PERIMETER | 4~1.25 | shapeSize
    ALAND | 123~#; 99~ | shapeSize
    area_km2 | ~.25 | shapeSize
    Fläche | ~1.5 | shapeSize
    superficie | 1~.75 | shapeSize
    oppervlakte | 2~1 | shapeSize
    площадь | ~3.5 | shapeSize
    面積 | ~.12 | shapeSize
    population | 12~4; 8~; 1~23 | count
    POP2020 | 1~3; ~; 5~# | count
    TOTPOP_CY | 4~1; 3~ | count
    Einwohner | 1~~; 99~; 2~ | count
    Einwohnerzahl | 3~1; 12~~ | count
    habitants | 12~; 3~4 | count
    poblacion | 9~1; 4~ | count
    popolazione residente | 5~2; 7~ | count
    inwoners | 1~1; 2~~ | count
    aantal woningen | ~; 1~ | count
    liczba ludności | 8~; 1~1 | count
    počet obyvatel | 7~; 2~2 | count
    lakosság | 3~; 9~9 | count
    население | 5~1; 1~~ | count
    人口 | 8~1; 12~ | count
    世帯数 | 3~; 4~1 | count
    인구수 | 7~1; 2~ | count
    عدد السكان | 4~; 5~5 | count
    pop_est | 8~123; 1~456 | count
    Installierte Leistung (kW) | 9.~; 1~.5; 250.4 | count
    females | 12~; 3~4 | count
    Join_Count | 0; 3; 12; 7; ~ | count
    beds | 1~; ~; 2~ | count
    capacity | 20; 3~; 1~0 | count
    Anzahl Plätze | 2~; 3~; 4~ | count
    casualties | 0; 1; 2; 3; 5 | count
    deaths | 0; 4; 1~; 2 | count
    passengers | 1~~1; 3~~ | count
    num_bikes_available | 0; 3; 12; 7 | count
    Stellplätze | 1~; 4; ~ | count
    Number of visitors | 1~1; 2~3 | count
    population_density | 1~.5; 3~.1 | share
    PKW je 1000 Einwohner | 5~1; 4~7.5 | share
    cases_per_100k | 12.~; 3~.1 | share
    votes_pct | 4~.1; 3~.2 | share
    pct_unemployed | 4.~; 11.~; 7.2 | share
    Anteil | 12,5 %; 7,1 %; 33 % | share
    Leerstand | 1~,5 %; ~,1 % | share
    Arbeitslosenquote | 3.4; 7.~; 5.1 | share
    taux_chomage | 8.~; 12.1 | share
    porcentaje | 33.~; 12.5 | share
    tasso | 4.~; 2.5 | share
    Wahlbeteiligung | 76,5 %; 81,2 %; 69,9 %; 72 % | share
    turnout | 61.~; 55.2 | share
    stars | 3.5; 4; 4.5; 5 | share
    rating | 4.~; 3.7 | share
    ndvi | 0.~; 0.3~ | share
    인구밀도 | 16~.5; 3~.2 | share
    доля | 12.~; 3.4 | share
    比率 | 0.~1; 0.3 | share
    pop_change | -12.~; 4.~; 8.1 | change
    Veränderung | -3.~; 1.~; 0.4 | change
    growth_rate | -1.~; 2.~ | change
    variación | -2.~; 5.1 | change
    évolution | -1.~; 0.~ | change
    増減 | -1~; 2~; 4 | change
    anomaly | -0.~; 1.~ | change
    price | $1,234.~; $~.00; $2,~5.10 | money
    median_income | 4~123; 5~021 | money
    Median Household Income ($) | 5~,123; 4~,456 | money
    gdp_md_est | 21~5; 3~9 | money
    Miete | 12,50 €; 9,80 €; 1.234 € | money
    precio | 1~9; 22~ | money
    prix_m2 | 3~1.5; 1~22.1 | money
    Kaufkraft | 2~123; 2~456 | money
    HOVAL | 4~.567; 8~.1 | measure
    sales | 1~~4; 9~~ | money
    房价 价格 | 5~012; 6~400 | money
    家賃 | 8~000; 12~000 | money
    mag | 4.~; 5.~; 2.5 | measure
    depth_km | 1~.5; ~.1 | measure
    temperature | 12.~; -3.~; 21 | measure
    Temperatur | 12 °C; 7 °C; 9,5 °C; 15 °C | measure
    precipitation_mm | 0; 3.~; 12.~ | measure
    elevation_ft | 1~0; 3~; 5~1 | measure
    Höhe | 4~; 12~; 7~1 | measure
    altitude | 1~.5; 4~ | measure
    wind_speed | 3.~; 7.~ | measure
    PM2.5 | 12.~; 8.~; 33 | measure
    noise_db | 5~.2; 6~.1 | measure
    Abstand | 12 km; 7 km; 33 km; 8 km | measure
    rms | 0.~; 1.~ | footnote
    horizontalError | 0.~; 3.~ | footnote
    accuracy | 5; 12; 8; 3.5 | footnote
    age_group | 0-4; 5-9; 10-14; 15-19; 85+ | orderedClass
    Altersklasse | unter 18; 18–29; 30–44; 45–59; über 60 | orderedClass
    income_class | < 10,000; 10,000-20,000; 20,000-50,000; > 50,000 | orderedClass
    Lärmpegel | 55–59; 60–64; 65–69; 70–74; ≥ 75 | orderedClass
    risk_level | low; medium; high; very high | orderedClass
    Gefährdung | gering; mittel; hoch | orderedClass
    riesgo | bajo; medio; alto | orderedClass
    intensité | faible; moyen; fort | orderedClass
    tranche | moins de 10; 10 à 19; 20 à 49; 50 et plus | orderedClass
    energielabel | A; B; C; D; E; F; G | orderedClass
    type | school; hospital; park | category
    Nutzung | Wohnen; Gewerbe; Wald | category
    categoria | A1; B2; museo | category
    zoning | R1; R2; C1; M1 | category
    status | open; closed; planned | category
    fclass | bakery; cafe; pub | category
    類型 | 公園; 学校; 病院 | category
    вид | парк; школа; музей | category
    party | CDU; SPD; Grüne; FDP | category
    highway | primary; residential; footway | category
    borough | Queens; Bronx; Brooklyn | category
    time | 2024-05-01T10:00:00Z; 2024-05-02T11:00:00Z | time
    # Timestamp | 01/02/2024 00:00:~; 02/02/2024 10:~:00 | time
    ISO_TIME | 1980-01-01 06:00:00; 1980-01-01 12:00:00 | time
    datum_uhrzeit | 2021-03-04 10:~:00 | time
    inspection_date | 2024-01-12; 2024-02-07; 2023-11-30 | time
    Datum | 19.1.2024; 3.12.2023; 7.6.2023 | time
    opened | 1/19/24; 12/3/2023 | time
    is_open | yes; no | flag
    barrierefrei | ja; nein | flag
    accessible | 0; 1 | flag
    wheelchair | true; false | flag
    gratuit | oui; non | flag
    удобства | да; нет | flag
    description | The first place of number #, which is large and has doors and windows on all sides. | text
    Bemerkung | Siehe Blatt #, dort steht mehr darüber als hier, und im Anhang noch einiges dazu | text
    constant | A | empty
    LSOA11CD | E0100~# | identifier
    PRO_COM | 5800~; 5900~ | identifier
    Pegelnummer | 23~#; 1~#5 | identifier
    population_code | 12~; 3~1; 5 | identifier
    squawk | 1~#; 7~# | identifier
    etrs89koordinat_øst | 72~12.5; 71~99.1 | place
    pop_per_km2 | 1~.5; 2~.1 | share
    asukasluku | ~; 1~3; 5~1 | count
    Số học sinh | ~; 1~3; 5~1 | count
    renda_media | 1~3; 5~12 | money
    start_station_id | 5~1.01; 6~2.07 | identifier
    zmena_2011_2021 | -3.~; 12.~; 0.4 | change
    nezamestnanost | 3.~; 12.~ | share
    pocet_obyvatel | ~; 1~3; 5~1 | count
    DTV | ~; 1~3; 5~12 | count
    GSS_CODE | E0900~# | identifier
    BIN | 10~# | identifier
    BBL | 1000~# | identifier
    CASE_NUMBER | JC~# | identifier
    Unique Key | 4~~# | identifier
    incident_number | 21-00~# | identifier
    facility_id | F~# | identifier
    stop_code | 1~#; 2~# | identifier
    EVA_NR | 8000~# | identifier
    DHID | de:0~:# | identifier
    wikidata | Q12# | identifier
    HUC8 | 0101000#; 17~00# | identifier
    NUM_ACC | 2019000~# | identifier
    code_commune | 01004; 33063; 2A004 | identifier
    ref_cadastral | 98~2023VH5797S# | identifier
    TERYT | 0201~; 1465~ | identifier
    kod_pocztowy | 00-0~; 31-1~ | identifier
    PSČ | 110 00; 602 00; 301 00 | identifier
    IČO | 0027~#; 6445~# | identifier
    市区町村コード | 131016; 131024; 141003 | identifier
    행정동코드 | 11110515~; 11110530~ | identifier
    우편번호 | 031~; 046~ | identifier
    кадастровый номер | 77:01:000~:#; 78:02:000~:# | identifier
    postnr | 0150; 5003; 7010 | identifier
    organisasjonsnr | 9740~# | identifier
    arrondissement | 1; 13; 20; 7 | identifier
    ward | 5; 12; 44; 31 | identifier
    precinct | 14; 19; 75; 103 | identifier
    Bezirksnummer | 1; 4; 11; 23 | identifier
    census_block | 1~00#; 2~00# | identifier
    vin | WVW~ZZZ#; 1FT~A# | identifier
    tail_number | N~#; D-A~ | identifier
    icao24 | 3c~5a; a~f21 | identifier
    sensor_id | 7~#; 8~# | identifier
    ISO3 | DEU; FRA; POL | identifier
    ISIL | DE-~; AT-~ | identifier
    construction_year | 1954; 1988; 2011 | calendar
    Año de construcción | 1960; 1975; 1999 | calendar
    rok budowy | 1930; 1965; 1980 | calendar
    год постройки | 1957; 1975; 2014 | calendar
    建築年 | 1985; 2001; 2015 | calendar
    day_of_week | 1; 3; 5; 7 | calendar
    quarter | 1; 2; 3; 4 | calendar
    Kalenderwoche | 3; 14; 42; 51 | calendar
    season | 1851; 1990; 2005 | calendar
    model_year | 2012; 2018; 2020 | calendar
    decade | 1980; 1990; 2000 | calendar
    ANNO_INAUGURAZIONE | 1934; 1968 | calendar
    építés éve | 1902; 1967; 1988 | calendar
    Haus-Nr. | 12; 5; 31 | houseNumber
    číslo popisné | 12; 530; 4 | houseNumber
    nr_budynku | 3; 12A; 7 | houseNumber
    nom_station | Gare #; Place # | name
    Nazwa szkoły | Szkoła # | name
    店舗名 | 本店#; 支店# | name
    LIBELLE | Parc #; Stade # | name
    Nombre del centro | Colegio #; Centro # | name
    Denominazione Scuola | Istituto #; Liceo # | name
    Nimi | Koulu #; Museo # | name
    Heiti | Foss #; Fjall # | name
    ชื่อ | โรงเรียน# | name
    Tên trường | Trường # | name
    Site Name | Depot #; Yard # | name
    Total Population | 12~4; 3~; 5~1 | count
    PopTotal | 1~3; ~; 5~ | count
    Schülerzahl | 1~3; 2~; 4~1 | count
    Nombre de logements | ~; 1~2 | count
    Núm. habitantes | 12~; 3~1 | count
    Antal anställda | ~; 1~3; 12 | count
    enrollment | 3~; 1~4; 5~1 | count
    Docks | 15; 27; ~; 39 | count
    UnitsRes | 0; 3; 12; ~ | count
    Number_of_Casualties | 1; 2; 1; 5; 3 | count
    NumVehicles | 1; 2; 3; 6 | count
    乗降客数 | 12~3; 8~1; 99~0 | count
    生徒数 | 1~2; ~; 3~ | count
    病床数 | 99; 250; ~; 1~ | count
    승하차인원 | 1~~; 5~1 | count
    Вместимость | 120; 3~; ~ | count
    Количество мест | ~; 1~; 25 | count
    Liczba miejsc | ~; 1~; 30 | count
    počet míst | ~; 25; 1~ | count
    férőhely | ~; 1~; 12 | count
    AADT | 12~0; 3~00; 45~0 | count
    ridership | 1~~; 9~3 | count
    Bestand | ~; 1~; 3~2 | count
    Votanti | 1~~; 9~1 | count
    Iscritti | ~3; 1~1 | count
    Effectif | ~; 1~; 2~5 | count
    poverty_rate | 12.~; 8.~; 31.2 | share
    pct_black | 12.~; 48.~; 3.1 | share
    Percent Democrat | 52.~; 48.1; 61.~ | share
    Ausländeranteil | 12.~; 8.~ | share
    Taux de pauvreté | 14.~; 21.~ | share
    indice_vieillissement | 71.~; 1~.2 | share
    porcentaje_voto | 33.~; 21.~ | share
    Percentuale votanti | 66.~; 71.~ | share
    aandeel koopwoningen | 5~.1; 4~ | share
    高齢化率 | 28.~; 31.~ | share
    unemployment_rate | 4.~; 7.~ | share
    obesity_prevalence | 28.~; 31.~ | share
    walk_score | 88; 45; ~; 97 | share
    bezrobocie (%) | 5,~; 12,~; 3,1 | share
    Wähleranteil | 23,~ %; 31,~ % | share
    Dichte (Einw./km²) | 1~2; 4~1; 23~ | share
    delta_2010_2020 | -12; 3~; 4; -~ | change
    change_pct | -3.~; 12.~; 0.4 | change
    saldo_migratorio | -~; 1~; 5 | change
    trend_mm_yr | -3.~; 2.1; 1.~ | change
    Přírůstek | -~; 12; 3~ | change
    AvgRent | 12~; 9~5 | money
    Kaltmiete | 8.~; 12.~ | money
    valeur_fonciere | 1~~00; 25~00 | money
    sale_price | 4~~00; 35~50 | money
    AssessTot | 4~~00; 12~00 | money
    Preis €/m² | 3~1; 5~2 | money
    cena_m2 | 8~12; 12~00 | money
    WOZ-waarde | 2~000; 4~000 | money
    House price | £2~0,000; £3~5,500 | money
    공시지가 | 12~000; 8~500 | money
    地価 | 12~000; 8~500 | money
    revenu_median | 2~12; 1~50 | money
    average salary | 4~12; 5~33 | money
    Budget | 1~000; 2~500 | money
    discharge_m3s | 12.~; 1~.5 | measure
    Pegelstand (cm) | 1~2; 3~ | measure
    Wassertemperatur | 12.~; 8.~ | measure
    pH | 7.~; 6.~; 8.1 | measure
    wind_gust_kt | 12; 2~; 3~ | measure
    pressure_hpa | 10~.2; 9~.5 | measure
    humidity | 4~; 6~; 81 | measure
    PM10 | 12; 2~; 4~ | measure
    lden | 5~.1; 6~.2 | measure
    snow_depth_cm | 0; 12; ~ | measure
    baumhoehe | 12; 8; 1~ | measure
    Kronendurchmesser | 6; 8; 12; 4 | measure
    dbh | 12; ~; 4~ | measure
    stem_circumference | ~; 1~; 2~ | measure
    Tiefe | 12.~; 3~ | measure
    hloubka | ~.5; 1~ | measure
    travel_time_min | 12; ~; 45 | measure
    distance_m | 1~2; 3~ | measure
    NumFloors | 2; 5; 12; 31 | measure
    標高 | 1~; 8~1 | measure
    최고기온 | 28.~; 31.~ | measure
    Energieklasse | A; B; C; D | orderedClass
    quintile | 1; 2; 3; 4; 5 | orderedClass
    EPC rating | A; B; C; D; E | orderedClass
    Bodengüte | sehr gut; gut; befriedigend; ausreichend | orderedClass
    classe_dpe | A; B; C; D; E | orderedClass
    population_class | 0–999; 1000–4999; 5000–19999; 20000+ | orderedClass
    wiek | do 18; 19-35; 36-60; powyżej 60 | orderedClass
    Alarmstufe | 1; 2; 3; 4 | orderedClass
    Objektart | Haus; Garage; Halle | category
    Baumart | Linde; Ahorn; Eiche | category
    species | oak; ash; elm | category
    zonage | UA; UB; N; A | category
    rodzaj | szkoła; park; urząd | category
    種別 | 小学校; 中学校; 高校 | category
    용도 | 주거; 상업; 공업 | category
    тип объекта | парк; сквер; сад | category
    operator | DB; BVG; ODEG | category
    Region | Nord; Süd; Ost | category
    province | Drenthe; Utrecht; Zeeland | category
    mode | bus; tram; metro | category
    rollstuhlgerecht | ja; nein; teilweise | category
    uso_suelo | Residencial; Industrial; Rural | category
    created_date | 01/15/2024 10:00:00 AM; 02/03/2024 11:~:00 PM | time
    fecha | 19/01/2024; 03/12/2023; 25/06/2023 | time
    日期 | 2024/01/19; 2023/12/03; 2023/06/07 | time
    updated_at | 2024-01-19 10:~:00+01:00; 2024-01-20T10:~:00Z | time
    Дата | 19.01.2024; 03.12.2023; 07.06.2023 | time
    active | Y; N | flag
    historic | TRUE; FALSE | flag
    heritage | 0; 1 | flag
    denkmalgeschützt | Ja; Nein | flag
    Homepage | www.a#.de; www.b#.de | link
    ficha | https://x.example/#; https://y.example/# | link
    Telefono | 055 1~#; 06 4~# | link
    Lage | POINT(8.~1 47.~1); POINT(9.~ 46.~) | place
    Rechtswert | 34~123.5; 34~456.1 | place
    geo_point_2d | 48.~1, 2.~1; 48.~3, 2.~5 | place
    Hochwert | 56~123.5; 56~456.1 | place
    경도 | 126.~1; 127.~2 | place
    SHAPE_STArea | 12~.5; 8~1.25 | shapeSize
    Fläche_ha | ~.5; 1~.2 | shapeSize
    pow_km2 | ~.5; 1~.2 | shapeSize
    remarks | Closed for repairs until further notice, see the sheet no. # of the city's office for parks | text
    gelöscht | nein | empty
    """

  private struct Case: CustomStringConvertible {
    let name: String
    let values: [String]
    let kind: ColumnKind

    init?(_ line: Substring) {
      let parts = line.split(separator: " | ").map(String.init)
      guard parts.count == 3, let kind = ColumnKind(rawValue: parts[2]) else { return nil }
      name = parts[0].trimmingCharacters(in: .whitespaces)
      values = parts[1].components(separatedBy: "; ")
      self.kind = kind
    }

    var description: String { name }
  }

  private static let lines = columns.split(separator: "\n")
  private static let cases = lines.compactMap(Case.init)

  private func profile(_ column: Case) throws -> (ColumnProfile, Int) {
    let count = 60
    let rows = (0..<count).map { row in
      column.values[row % column.values.count].replacing("#", with: "\(row + 100)")
        .replacing("~", with: "\(10 + row * 37 % 90)")
    }
    var options = CSVOptions()
    options.delimiter = UInt8(ascii: "\t")
    options.hasGeometry = false
    let text = ([column.name] + rows).joined(separator: "\n")
    let examination = try SourceExaminer.examine(
      ExaminationSubject(format: .csv(options), file: "a.csv"),
      open: {
        try CSVReader(
          ByteSource(bytes: Array(text.utf8), name: "a.csv", chunk: 1 << 16), options: options)
      }, advance: { _ in })
    return (try #require(examination.columns.first), count)
  }

  @Test("columns are what their values and names say, identifiers never a measure")
  func kinds() throws {
    #expect(Self.cases.count == Self.lines.count && Self.cases.count >= 400)
    var wrong: [String] = []
    for column in Self.cases {
      let (profile, count) = try profile(column)
      let subject = ColumnRoles.Subject(
        records: count, coordinates: [], hasShapes: column.kind == .shapeSize, isDots: true)
      let kind = ColumnTraits(profile, subject).kind
      if kind != column.kind { wrong.append("\(column.name): \(kind), not \(column.kind)") }
      if [.identifier, .calendar, .houseNumber].contains(column.kind) {
        #expect(!kind.isQuantity, "\(column.name)")
      }
    }
    #expect(
      wrong.isEmpty, "\(wrong.count) of \(Self.cases.count):\n\(wrong.joined(separator: "\n"))")
  }
}
