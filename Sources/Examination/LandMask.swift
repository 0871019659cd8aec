import Ingest

/// The squares of one degree that hold land, of a map drawn by hand: enough to tell whether most of
/// many places lie in the sea.
enum LandMask {
  /// Whether there is land in the square of a position; Antarctica, where no data lies, is none.
  static func contains(longitude: Double, latitude: Double) -> Bool {
    guard abs(longitude) <= 180, abs(latitude) < 90 else { return false }
    let column = Int((longitude + 180).rounded(.down)) % 360
    return squares[Int((90 - latitude).rounded(.down)) * 360 + column]
  }

  /// The squares row by row from the north, each row from the west.
  private static let squares: [Bool] = {
    var squares = mainland
    for box in islands {
      for row in (89 - box.north)...(89 - box.south) {
        for column in box.west...box.east { squares[row * 360 + column + 180] = true }
      }
    }
    return squares
  }()

  /// The squares without small islands.
  private static let mainland: [Bool] = {
    var squares: [Bool] = []
    squares.reserveCapacity(360 * 180)
    var isLand = false
    for byte in runs.utf8 where byte != UInt8(ascii: "\n") {
      let length = digits.firstIndex(of: byte) ?? 0
      squares += repeatElement(isLand, count: length)
      // The last digit does not end its run.
      if length < 63 { isLand.toggle() }
    }
    return squares + repeatElement(false, count: max(360 * 180 - squares.count, 0))
  }()

  /// Squares from the south-west to the north-east, with the degrees of their south-western corners.
  private typealias Squares = (west: Int, south: Int, east: Int, north: Int)

  /// Archipelagos with small islands, where an exchange of the ordinates leads to an African country
  /// or to a sea: places on them lie on no land either way, or on the wrong one alone.
  private static let islands: [Squares] = [
    // The Atlantic: the Canaries, Madeira, the Azores, Cape Verde, and what lies alone.
    (-19, 27, -14, 29), (-18, 32, -17, 33), (-32, 36, -25, 39), (-26, 14, -23, 17),
    (-6, -16, -6, -16), (-15, -8, -15, -8), (-13, -41, -10, -38), (-33, -4, -33, -4),
    (-9, 70, -8, 71),
    // Europe: the Faroes, Orkney and Shetland, the Channel, the Balearics, Italy, Greece.
    (-8, 61, -7, 62), (-4, 58, -1, 60), (-3, 49, -3, 49), (1, 38, 4, 40), (11, 35, 12, 36),
    (12, 40, 13, 40), (14, 38, 15, 38), (19, 36, 22, 39), (23, 35, 28, 40),
    // America: the Antilles, the Bahamas, Bermuda, the coasts of Venezuela and Central America.
    (-64, 10, -60, 18), (-71, 11, -67, 12), (-82, 19, -80, 20), (-80, 21, -72, 27),
    (-65, 32, -65, 32),
    (-66, 17, -65, 18), (-82, 12, -82, 13), (-88, 16, -86, 16), (-87, 20, -87, 20),
    (-57, 46, -57, 47),
    // Africa and the Indian Ocean.
    (5, -2, 7, 1), (52, 12, 54, 12), (71, 8, 74, 12), (72, -1, 73, 7), (71, -8, 72, -5),
    (46, -11, 57, -4), (43, -13, 45, -12), (55, -22, 57, -20), (63, -20, 63, -20),
    (68, -50, 70, -49),
  ]

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-".utf8)

  /// The lengths of the runs of squares without land and with land by turns.
  private static let runs = """
    ------------------------------------eR----taGJBY----ldBz7O---Q-RhITRfG--nZBzdQ-EK--ZGCCBTC3dM-
    LI--QDODDNG1fGCD-PG--CHBIGEFPH1iCqJcQZC-iRDGBRSp-OIWbXO-WHCILDBMVn-MGYbbDED-XJIECFBTUk-LGVnEFM
    E-bWBMBOUi-KFMFB3LHhCUEcGBPCFBECUPh-KGK-BBUbBRRPEJREGBWNhrKXEI-fkbBjBJFEDMMgnTYHB-1K-AFDBGDFEL
    McnaEDF--IK-VDDCLIWtcCeB-2C-WINHUKCEDb--0C-WGKBEIQNMYYF--QDDF-XDNMNQKYMBOB--PJDE-NCHGKMLSHX--v
    O-MHCCBBEDFPJjBLOC--hO-KMBCIUIvND--PBMSBB-IQJEBPGwOB--KFLaJBEFxPKDD-FOE--HDGhKOtOR4DIFBHE-6PFm
    HQsOR3ELIBBC-5PIkDCCRxJS2EKDBFE-3RIgFZ0DUzHJHF-2SHhCgxCXvKIGB-7CBCBMHeChCBwCYuEBGE--MMF-FBCwCX
    tFBHC--OMD-K-KsDC--VBCMC-K-HBCy--VBC-a8BEDF0--RBD-b9FGw--UBB-d8FIv--TCC-c-ABBGBz--PDC-d-B6hBEB
    -mDB-e6BE8gDDB-lEF-a4DC2SCEBOK-hGF-a39NEHCLN-eGF-b39MFCCFCTC-bKC-e1-AKHCE-1KC-fy-BKCCECFCCED-f
    BHMC-fx-CKNEDFB-eCBDEKD-gwxBQJJCBEFDD-hCFHF-hv-FFCLDBGCE-gEEGF-iv-FSDBIDGDB-WFECJ-jt-GSVCB-WGD
    CI-np-GVX-XFBCI-qnOBvBGaEEK-ZHE-vk-IbD-nIC-wDBg-I--G-7bDG-G8B-J-8UMD-ADB+B-J-8DBPND-D-BB-H-+DB
    NODBC+yBPC-FGC-3QPCCB+yBQD-CBB--ACCLSC90BUJ1BC--ADCKOB-C1CVJyCC--FKMH92BWJvEC-QCzJHEFG62CVJVCV
    -bByKFEJE53BULRFQBC-eBxKFEJBDF03CSOOHOBD--TRJCCJw4CRONJNBDJD--JOKCEB24DPQLKNND--LMaBs5CMTKLPLD
    --OBCL7BF6CLUJMCBMLC--TKWBkBF8BIXHRLLD--TJXBq-DZHRMKEUB--BFLB2-AHBUHRCBJKCBD--VEIHz9DFXFMBFCCI
    JBCBBC--WDHPu-EXFSCDFKCCE--WJBPv-CZFRCEDKCDCBB--YYu-CaFQDDCLBEF--ZCBVt-AdDQDVF--dVt+dDRENCEBBD
    --dZrLDtuDCDMFFB--ebqDDCGsYBVEBEJG--lb7owEBDIG--mc7myHHHJB--bd7k0HFKBCBCCC--Yg3BCj1BBFFJBGCC--
    NBKi3j4FFJBBBDDCCD--Tk2h4JCICEIECC--Oqwg8GDHBEGCCKEB--Grwe9FFGCEDBBDBNGC-+uvdPBuENFKMFC-+vvb-B
    DNCBBLBCPCB-9vuc-CIVBDKBCEB-9uuc-DJLBLKJC-6uvb-HNBEJHBEIBBC-5swb-QCCDPCDFID-5qxc-QBCCXDKB-5pyc
    CB-XEIB--NpycHC-RHEDsB-fnydGE-MBDHED--OmydGE-LMEEVB-2lyeEG-JPDFUC-3jydEG-JRCFVBKCeB-OhycFG-JYW
    BIC-vgzZHG-IaeC-vgzYIF-Ic--Pf1WJFGBBB6hPCSB-pf1XHGGB6kOD-7e3WHF-CmPB-7b6WHF-Cn--LZ8WHF-Co--KX+
    UKD-Do--KX-AS-Rp--JX-AS-So--JX-BR-So--IX-CQ-To--IW-EO-Vm--JV-FO-Vm--JU-HL-XMFV--JU-HK-YKJS--JU
    -IE-eFPRUC-yQ---EPWC-wS---GMWD-vR---HLYF-sR---JHaF-sM---vE-tM---RCBCXBBD-uK---TFWF-uM---TEVE-w
    L---UDUF-yJ---rF-yK---qF-yK---sE-zJ---sB-1K--JB---ZJ--JD---YI-----mHGF-----cGIC-----dH-----nIb
    C-----LE--------------------------------------------------------------------------------------
    -------------------------------------------ZB
    """
}
