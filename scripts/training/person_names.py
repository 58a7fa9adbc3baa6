"""Random names of persons from many countries, from Faker's lists and from lists of name parts.

Faker (MIT) writes Arabic, Chinese, Korean and Russian names in their own scripts. For these, this module combines common
name parts as English newswire writes them.
"""

from __future__ import annotations

import importlib
import random
import re
import unicodedata
from dataclasses import dataclass
from functools import cache

LOCALES_BY_WEIGHT = {
    6: ("en_US", "en_GB"),
    2: ("de_DE", "es_ES", "fr_FR", "it_IT", "en_IN"),
    1: (
        "cs_CZ",
        "da_DK",
        "es_MX",
        "et_EE",
        "fi_FI",
        "hr_HR",
        "hu_HU",
        "id_ID",
        "lt_LT",
        "lv_LV",
        "nl_NL",
        "no_NO",
        "pl_PL",
        "pt_BR",
        "ro_RO",
        "sl_SI",
        "sv_SE",
        "tr_TR",
        "vi_VN",
        "yo_NG",
        "ig_NG",
        "ha_NG",
        "zu_ZA",
    ),
}
LOCALES = [locale for weight, names in LOCALES_BY_WEIGHT.items() for locale in names for _ in range(weight)]
PLAIN = re.compile(r"[A-Za-zÀ-ž][A-Za-zÀ-ž'’-]+")

# Family names that are also places, firms or common words; only the sentence shows which is meant.
AMBIGUOUS = (
    "Jordan Holland Washington Lincoln Houston Chad Israel London Paris Sydney Georgia Austin Jackson Cleveland Kent "
    "Lancaster York Durham Ireland Wales England French German Wall Knight Law Price Dale Major Bush King Young Rice "
    "Cook Stone Banks Fields Powers Hope Bond Baker Miller Carter Ford Morgan Stanley Lehman Wells Dole Gates Buffett "
    "Shearer Field Marsh Woods Waters Brook Park Hill Moon Day May March Swift Sharp Savage Love Strange Wolf Fox "
    "Rose Bell Pope Bishop Abbott Dean Judge Marshall Sergeant Black White Brown Green Gray Gold Silver Diamond"
).split()
GIVEN_RUSSIAN = (
    "Alexander Alexei Anatoly Andrei Boris Dmitry Gennady Igor Ivan Konstantin Leonid Maxim Mikhail Nikita Nikolai Oleg "
    "Pavel Sergei Viktor Vladimir Vyacheslav Yegor Yevgeny Yuri Anna Irina Larisa Lyudmila Natalia Olga Svetlana Tatyana"
).split()
STEMS_RUSSIAN = (
    "Abram Andre Antip Bel Bog Bur Cher Dan Dolg Drozd Fil Gor Grach Gub Ignat Kal Karp Kirs Kozl Kras Kuzm Leb Luk "
    "Maka Mal Mar Mir Naz Nik Orl Pan Petr Pop Prim Rod Rom Ryb Sav Sem Sid Sok Stol Tar Tur Vas Vor Yag Zhuk Zyug"
).split()
ENDS_RUSSIAN = "ov ev in enko sky chuk yan ov enkov anov ikov itsky ushkin".split()
FAMILY_CHINESE = (
    "Chen Deng Feng Gao Guo He Hu Huang Jiang Li Lin Liu Ma Qian Sun Tang Wang Wu Xu Yang Zhang Zhou Zhu".split()
)
FAMILY_KOREAN = (
    "Kim Lee Park Choi Chung Cho Kang Yoon Chang Lim Han Oh Suh Shin Kwon Hwang Ahn Song Roh Moon Bae".split()
)
PARTS_KOREAN = (
    "young sam dae jung joo hyun min soo jae seung woo kyung tae ho sung hee chul jin yong il bong geun ki".split()
)
PARTS_CHINESE = (
    "bang bin chao chun dong feng guang guo hai hong hua hui jian jing jun kai lan li ming ping qi rong rui tao wei "
    "xia xin yan yi yong yu ze zhen zhi"
).split()
GIVEN_ARABIC = (
    "Abdullah Abdel Adel Ahmad Ahmed Ali Amr Anwar Bashar Fahd Faisal Farouk Fouad Hafez Hamad Hasan Hassan Hosni Hussein "
    "Ibrahim Ismail Jamal Kamal Khaled Mahmoud Marwan Mohammed Muammar Mustafa Nabil Nasser Omar Osama Rafik Saad Saeb "
    "Said Saleh Salim Tariq Yasser Youssef Zaki Fatima Hanan Leila Amina Samira"
).split()
FAMILY_ARABIC = (
    "Abbas Assad Aziz Baradei Barghouti Dulaimi Erekat Fadlallah Faisal Gaddafi Habash Hakim Hamdan Hariri Jabouri Jaafari "
    "Khatib Khoury Lahoud Mahdi Maliki Masri Moussa Mubarak Najjar Nasrallah Qassem Qurei Rantisi Sabah Sadr Saud Shaath "
    "Sharif Sistani Tamimi Thani Zawahiri Zarqawi Zayed Arafat Haddad Mansour Kassem"
).split()
GIVEN_SOUTH_ASIAN = (
    "Aravinda Arjuna Asanka Sanath Chaminda Kumar Muttiah Upul Romesh Roshan Ijaz Inzamam Javed Moin Mushtaq Saeed "
    "Salim Saqlain Shahid Wasim Waqar Aamir Benazir Nawaz Asif Pervez Sonia Rajiv Atal Sachin Sourav Anil Rahul"
).split()
FAMILY_SOUTH_ASIAN = (
    "Jayasuriya Gurusinha Kaluwitharana Ranatunga Tillekeratne Dharmasena Mahanama Atapattu Malik Akram Younis "
    "Ahmed Sohail Anwar Khan Bhutto Sharif Musharraf Gandhi Rao Vajpayee Tendulkar Ganguly Kumble Dravid Singh "
    "Sharma Gupta Kumaratunga Wickremesinghe"
).split()
PARTICLES = ("de", "da", "van", "van der", "von", "di", "del", "de la", "ten", "le", "bin", "El", "Al", "Ben", "Mc")
SHARE_PLAIN = 0.8


@dataclass(frozen=True)
class Name:
    """A person's name as tokens: given names and family name, and whether the family name is written first."""

    given: tuple[str, ...]
    family: tuple[str, ...]
    family_first: bool = False

    @property
    def full(self) -> list[str]:
        """The whole name, as written."""
        parts = (*self.family, *self.given) if self.family_first else (*self.given, *self.family)
        return list(parts)

    @property
    def initials(self) -> list[str]:
        """The name with one initial for the given names, such as ``R. Jones``."""
        return [self.given[0][0].upper() + ".", *self.family]


@cache
def _pool(locale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The given and family names of one locale."""
    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
    pools: list[tuple[str, ...]] = []
    for kind in ("first_names", "last_names"):
        words = {
            word
            for field in sorted(vars(provider))
            if field.startswith(kind) and not isinstance(getattr(provider, field), property)
            for word in getattr(provider, field)
            if PLAIN.fullmatch(str(word))
        }
        pools.append(tuple(sorted(words)))
    return pools[0], pools[1]


def all_name_parts() -> frozenset[str]:
    """All words in Faker's names of locales with Latin letters, in lower case."""
    import pkgutil

    from faker.providers import person

    locales = sorted(module.name for module in pkgutil.iter_modules(person.__path__))
    return frozenset(word.lower() for locale in locales for pool in _pool(locale) for word in pool)


def _plain(word: str) -> str:
    """Remove the diacritics, as most agencies do."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _hyphenated(draw: random.Random, parts: list[str]) -> str:
    first, second = draw.choice(parts), draw.choice(parts)
    return first.capitalize() + draw.choice(("-", "-", "")) + second


def _by_pattern(draw: random.Random) -> Name:
    kind = draw.randrange(5)
    if kind == 0:
        family = draw.choice(STEMS_RUSSIAN) + draw.choice(ENDS_RUSSIAN)
        return Name((draw.choice(GIVEN_RUSSIAN),), (family,))
    if kind == 1:
        return Name((_hyphenated(draw, PARTS_KOREAN),), (draw.choice(FAMILY_KOREAN),), family_first=True)
    if kind == 2:
        given = _hyphenated(draw, PARTS_CHINESE).replace("-", "")
        return Name((given,), (draw.choice(FAMILY_CHINESE),), family_first=True)
    if kind == 3:
        family = draw.choice(FAMILY_ARABIC)
        article = draw.choice(("", "", "al-", "el-", "Al-"))
        return Name((draw.choice(GIVEN_ARABIC),), (article + family,))
    return Name((draw.choice(GIVEN_SOUTH_ASIAN),), (draw.choice(FAMILY_SOUTH_ASIAN),))


def draw_name(draw: random.Random) -> Name:
    """Draw a name: two in three from Faker, of which one in 25 gets a family name that is also a word or a place."""
    if draw.random() < 1 / 3:
        return _by_pattern(draw)
    given_pool, family_pool = _pool(draw.choice(LOCALES))
    clean = _plain if draw.random() < SHARE_PLAIN else str
    given: tuple[str, ...] = (clean(draw.choice(given_pool)),)
    family: tuple[str, ...] = (clean(draw.choice(family_pool or given_pool)),)
    chance = draw.random()
    if chance < 1 / 25:
        family = (draw.choice(AMBIGUOUS),)
    elif chance < 2 / 12:
        family = (*draw.choice(PARTICLES[:-1]).split(), *family)
    elif chance < 3 / 12:
        given = (*given, draw.choice("ABCDEFGHJKLMNPRSTW") + ".")
    elif chance < 3.3 / 12:
        given = (draw.choice("ABCDEFGHJKLMNPRSTW") + ".", *given)
    elif chance < 3.6 / 12:
        family = (*family, draw.choice(("Jr.", "III", "Jr", "II")))
    elif chance < 4.2 / 12:
        family = (f"{family[0]}-{clean(draw.choice(family_pool or given_pool))}",)
    return Name(given, family)
