"""The names in the demo data, in six scripts."""

# (name, the local part of an email address)
DEMO_TEAM: dict[str, list[tuple[str, str, str]]] = {
    # The users of the clinic that a demonstration opens first: (name, local part of the email address, user type).
    "Prosthodontics": [
        ("Hana Park", "hana.park", "DOCTOR"),
        ("Jonas Weber", "jonas.weber", "DOCTOR"),
        ("Léa Fontaine", "lea.fontaine", "DOCTOR"),
        ("Ahmed Nasser", "ahmed.nasser", "DOCTOR"),
        ("Mei-Ling Chen", "meiling.chen", "STAFF"),
        ("Niran Suksan", "niran.suksan", "STAFF"),
        ("박지훈", "jihun.park", "DOCTOR"),
        ("Tomáš Novák", "tomas.novak", "STAFF"),
        ("Ingrid Solberg", "ingrid.solberg", "DOCTOR"),
        ("Kwame Mensah", "kwame.mensah", "STAFF"),
        ("Yuki Tanaka", "yuki.tanaka", "DOCTOR"),
        ("أحمد منصور", "ahmad.mansour", "DOCTOR"),
        ("Beatriz Carvalho", "beatriz.carvalho", "STAFF"),
        ("Oskar Lindqvist", "oskar.lindqvist", "STAFF"),
    ],
    "Orthodontics": [
        ("Sofia Rossi", "sofia.rossi", "DOCTOR"),
        ("Andrei Popescu", "andrei.popescu", "DOCTOR"),
        ("이서연", "seoyeon.lee", "DOCTOR"),
        ("Camille Dubois", "camille.dubois", "STAFF"),
        ("Γιώργος Παπαδόπουλος", "giorgos.papadopoulos", "DOCTOR"),
        ("Priya Raman", "priya.raman", "DOCTOR"),
        ("Marek Wiśniewski", "marek.wisniewski", "STAFF"),
        ("นิรันดร์ สุขสันต์", "nirand.suksan", "STAFF"),
        ("Elif Yıldız", "elif.yildiz", "STAFF"),
        ("Mateo García", "mateo.garcia", "DOCTOR"),
        ("Анна Кузнецова", "anna.kuznetsova", "STAFF"),
        ("Sanne de Vries", "sanne.devries", "STAFF"),
        ("Nguyễn Thị Hoa", "hoa.nguyen", "DOCTOR"),
    ],
    "Front desk": [
        ("Minji Choi", "minji.choi", "STAFF"),
        ("Daniel Brooks", "daniel.brooks", "STAFF"),
        ("Amélie Girard", "amelie.girard", "STAFF"),
        ("Jun-ho Kang", "junho.kang", "STAFF"),
        ("Eszter Kovács", "eszter.kovacs", "STAFF"),
        ("Omar Haddad", "omar.haddad", "STAFF"),
        ("Chloé Martin", "chloe.martin", "STAFF"),
        ("Lukas Brandt", "lukas.brandt", "STAFF"),
        ("정하은", "haeun.jung", "STAFF"),
        ("Rosa Jiménez", "rosa.jimenez", "STAFF"),
        ("Pim van Dijk", "pim.vandijk", "STAFF"),
        ("Grace Kim", "group.admin", "STAFF"),
        ("Noah Schmidt", "member", "STAFF"),
    ],
}

Names = list[tuple[str, str]]
LATIN: tuple[Names, Names] = (
    [
        ("Anna", "anna"), ("Benoît", "benoit"), ("Chiara", "chiara"), ("David", "david"), ("Émilie", "emilie"),
        ("Filip", "filip"), ("Greta", "greta"), ("Hugo", "hugo"), ("Inês", "ines"), ("Jürgen", "jurgen"),
        ("Katarzyna", "katarzyna"), ("Liam", "liam"), ("María", "maria"), ("Nils", "nils"), ("Özge", "ozge"),
        ("Paulo", "paulo"), ("Renée", "renee"), ("Søren", "soren"), ("Tereza", "tereza"), ("Zoë", "zoe"),
    ],
    [
        ("Almeida", "almeida"), ("Bergström", "bergstrom"), ("Conti", "conti"), ("Dvořák", "dvorak"),
        ("Esposito", "esposito"), ("Fernández", "fernandez"), ("Göransson", "goransson"), ("Hoffmann", "hoffmann"),
        ("Ionescu", "ionescu"), ("Jansen", "jansen"), ("Kaya", "kaya"), ("Lefèvre", "lefevre"), ("Müller", "muller"),
        ("Nowak", "nowak"), ("O’Brien", "obrien"), ("Petit", "petit"), ("Quinn", "quinn"), ("Ramírez", "ramirez"),
        ("Świątek", "swiatek"), ("Torres", "torres"), ("Ünal", "unal"), ("Vogel", "vogel"), ("Walker", "walker"),
    ],
)  # fmt: skip
HANGUL: tuple[Names, Names] = (
    [("지우", "jiwoo"), ("민준", "minjun"), ("서윤", "seoyun"), ("도현", "dohyun"), ("수아", "sua"), ("예준", "yejun")],
    [("김", "kim"), ("이", "lee"), ("박", "park"), ("최", "choi"), ("정", "jung"), ("강", "kang"), ("윤", "yoon")],
)
ARABIC: tuple[Names, Names] = (
    [("ليلى", "layla"), ("يوسف", "yousef"), ("مريم", "maryam"), ("عمر", "omar"), ("سارة", "sara"), ("خالد", "khaled")],
    [("حسن", "hassan"), ("المصري", "elmasry"), ("سالم", "salem"), ("فاروق", "farouk"), ("عبد الله", "abdallah")],
)
THAI: tuple[Names, Names] = (
    [("สมชาย", "somchai"), ("มาลี", "malee"), ("ณัฐพล", "nattapon"), ("สุดา", "suda"), ("ปิยะ", "piya")],
    [("ศรีสุข", "srisuk"), ("ใจดี", "jaidee"), ("วงศ์ไทย", "wongthai"), ("แสงทอง", "saengthong")],
)
GREEK: tuple[Names, Names] = (
    [("Μαρία", "maria"), ("Νίκος", "nikos"), ("Ελένη", "eleni"), ("Δημήτρης", "dimitris"), ("Σοφία", "sofia")],
    [("Νικολάου", "nikolaou"), ("Γεωργίου", "georgiou"), ("Ιωάννου", "ioannou"), ("Κωνσταντίνου", "konstantinou")],
)
CYRILLIC: tuple[Names, Names] = (
    [("Иван", "ivan"), ("Ольга", "olga"), ("Дмитрий", "dmitry"), ("Елена", "elena"), ("Сергей", "sergey")],
    [("Иванов", "ivanov"), ("Смирнова", "smirnova"), ("Попов", "popov"), ("Волков", "volkov"), ("Ёлкин", "yolkin")],
)
SCRIPTS = {"KR": HANGUL, "EG": ARABIC, "TH": THAI, "GR": GREEK, "RU": CYRILLIC}

LONG_NAME = (
    "The United Practices for Preventive, Restorative and Aesthetic Dentistry of the Greater Lakes Region"  # 100
)

# (name, country, number of users). "Seoul Central Dental" sorts first among the clinics of the demo organization.
CLINICS: dict[str, list[tuple[str, str, int]]] = {
    "o-1": [
        ("Seoul Central Dental", "KR", 40),
        ("Smile Atelier Paris", "FR", 31),
        ("Södermalm Tandvård", "SE", 26),
        ("Studio Dentistico Aurora", "IT", 24),
        ("Sunrise Family Dentistry", "US", 58),
        (LONG_NAME, "US", 12),
        ("Tulip Tandartsen", "NL", 22),
        ("Uptown Orthodontics", "US", 35),
        ("Vltava Dental", "CZ", 18),
        ("Wawel Stomatologia", "PL", 27),
        ("Yıldız Diş Kliniği", "TR", 29),
        ("Zahnzentrum Zürichsee", "CH", 33),
        ("Zêzere Dentária", "PT", 16),
        ("Κέντρο Οδοντιατρικής Αθηνών", "GR", 21),
        ("Стоматология Невская", "RU", 25),
        ("Улыбка", "RU", 0),
        ("عيادة النيل لطب الأسنان", "EG", 23),
        ("مركز الابتسامة", "EG", 9),
        ("คลินิกทันตกรรมสุขุมวิท", "TH", 20),
        ("ทันตแพทย์เชียงใหม่", "TH", 14),
        ("강남 미소치과", "KR", 36),
        ("부산 바른치과", "KR", 24),
        ("제주 하늘치과", "KR", 17),
        ("한강 어린이치과", "KR", 0),
    ],
    "o-2": [
        ("Adler Zahnmedizin", "DE", 34),
        ("Bavaria Dental", "DE", 28),
        ("Clínica Dental Retiro", "ES", 25),
        ("Dental Côte d’Azur", "FR", 22),
        ("Echo Dental", "IE", 12),
        ("Fjord Tannlegesenter", "NO", 19),
        ("Galata Diş", "TR", 21),
        ("Hortensia Dentaire", "BE", 17),
        ("Θεσσαλονίκη Dental", "GR", 14),
        ("Праймдент", "BG", 16),
        ("عيادة الشروق", "EG", 20),
        ("서초 연세치과", "KR", 12),
    ],
    "o-3": [
        ("Bayview Dental Arts", "US", 45),
        ("Maple Street Dentistry", "CA", 30),
        ("Pacific Coast Smiles", "US", 25),
        ("ศูนย์ทันตกรรมลอสแอนเจลิส", "US", 0),
    ],
}
TEAM_NAMES = [
    ("General dentistry", "GENERAL"), ("Prosthodontics", "PROSTHODONTICS"), ("Orthodontics", "ORTHODONTICS"),
    ("Implantology", "IMPLANTOLOGY"), ("Front desk", "ADMINISTRATION"),
]  # fmt: skip
TEAM_TYPES = {
    "GENERAL": "General",
    "PROSTHODONTICS": "Prosthodontics",
    "ORTHODONTICS": "Orthodontics",
    "IMPLANTOLOGY": "Implantology",
    "ADMINISTRATION": "Administration",
}
LAB_FIRST = [
    "Aurora", "Borealis", "Crown", "Delta", "Élan", "Fuji", "Grüner", "Helix", "Ivory", "Juniper", "Kepler", "Lumière",
    "Marble", "Nordic", "Opal", "Pearl", "Quartz", "Río", "Summit", "Tessera", "미소", "한빛", "النور", "الياقوت",
    "สยาม", "มุก", "Αθηνά", "Ήλιος", "Жемчуг", "Нева",
]  # fmt: skip
LAB_LAST = [
    "Dental Lab", "Ceramics", "Digital Dentistry", "Prosthetics", "Aligners", "Zahntechnik", "Laboratoire",
    "Milling Center", "Orthodontic Lab", "Implant Studio",
]  # fmt: skip
SERVICES = [
    "GENERAL_DENTISTRY", "PREVENTIVE_DENTISTRY", "PROSTHODONTICS", "ORTHODONTICS", "IMPLANTS", "PEDIATRIC",
    "FULL_SERVICES", "HIGH_END_ESTHETICS", "CROWN_AND_BRIDGE", "FULL_DENTURES_PARTIAL_DENTURES", "CLEAR_ALIGNERS",
    "INDIRECT_BONDING_TRAYS", "ORTHODONTIC_APPLIANCE", "RETAINERS", "SPLINTS", "SURGICAL_GUIDES", "SLEEP_DEVICES",
    "STUDY_MODELS", "INDIVIDUAL_TRAYS", "BLEACHING_TRAYS",
]  # fmt: skip
COUNTRIES = (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ "
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO "
    "FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE "
    "JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO "
    "MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW "
    "PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM "
    "TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
)
