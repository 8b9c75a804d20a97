"""Small talk: greetings, thanks, assent and farewells in the languages of sites."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_MOST_WORDS, _MOST_CHARACTERS = 8, 200  # longer messages are not small talk
# Omitted are words that documentation may define, such as the Dutch "dag".
_PHRASES_TEXT = """
en: hello, hello there, hi, hi there, hey, hey there, hiya, howdy, good morning, good afternoon,
good evening, how are you, thanks, thanks a lot, thanks so much, thanks for your help, thank you,
thank you so much, thank you very much, many thanks, thx, ty, cheers, that helped, that helps,
that works, that worked, it works, it works now, ok, okay, alright, all right, got it, i see,
understood, great, perfect, awesome, cool, nice, bye, bye bye, goodbye, see you, see you later,
good night, have a nice day
ar: مرحبا, السلام عليكم, شكرا, شكرا جزيلا, حسنا, وداعا, مع السلامة
ca: hola, bon dia, gràcies, moltes gràcies, d'acord, adeu, adéu
cs: ahoj, dobrý den, děkuji, děkuju, díky, dobře, na shledanou
da: hej, hejsa, godmorgen, goddag, tak, mange tak, okay, farvel, hej hej
de: hallo, guten tag, guten morgen, guten abend, servus, moin, danke, danke schön, dankeschön,
vielen dank, danke sehr, alles klar, verstanden, tschüss, tschüß, auf wiedersehen
es: hola, buenos días, buenas, buenas tardes, gracias, muchas gracias, vale, de acuerdo, perfecto,
adiós, hasta luego
fi: hei, moi, terve, huomenta, kiitos, kiitti, paljon kiitoksia, selvä, heippa, näkemiin
fr: bonjour, bonsoir, salut, coucou, merci, merci beaucoup, d'accord, parfait, au revoir, à bientôt
he: שלום, היי, תודה, תודה רבה, בסדר, להתראות, ביי
hi: नमस्ते, नमस्कार, धन्यवाद, शुक्रिया, ठीक है, अलविदा
hu: szia, sziasztok, jó napot, helló, köszönöm, köszi, rendben, viszlát, viszontlátásra
id: hai, selamat pagi, selamat siang, terima kasih, makasih, baik, sampai jumpa
it: ciao, buongiorno, buonasera, salve, grazie, grazie mille, va bene, perfetto, arrivederci
ja: こんにちは, こんばんは, おはよう, おはようございます, ありがとう, ありがとうございます, 了解,
了解です, わかりました, さようなら
ko: 안녕, 안녕하세요, 감사합니다, 고마워요, 고맙습니다, 네, 알겠습니다, 안녕히 계세요
lv: sveiki, labdien, čau, paldies, liels paldies, labi, uz redzēšanos
nl: hoi, goedemorgen, goedemiddag, bedankt, dank je, dank je wel, dank u, dank u wel, prima, doei,
tot ziens
no: god morgen, god dag, takk, tusen takk, mange takk, greit, ha det
pl: cześć, hej, dzień dobry, dzięki, dziękuję, dobrze, do widzenia, pa
pt: olá, oi, bom dia, boa tarde, boa noite, obrigado, obrigada, muito obrigado, muito obrigada,
valeu, tchau, até logo
ro: salut, bună, bună ziua, mulțumesc, mersi, bine, la revedere, pa
ru: привет, здравствуйте, добрый день, спасибо, большое спасибо, спс, хорошо, ок, понятно, пока,
до свидания
sv: hej, hallå, god morgon, tack, tack så mycket, okej, hej då
tr: merhaba, selam, günaydın, teşekkürler, teşekkür ederim, sağ ol, tamam, hoşça kal, güle güle
uk: привіт, вітаю, добрий день, дякую, щиро дякую, добре, зрозуміло, бувай, до побачення
uz: salom, assalomu alaykum, rahmat, katta rahmat, xo'p, xayr
vi: xin chào, chào, chào bạn, cảm ơn, cám ơn, cảm ơn bạn, vâng, tạm biệt
zh: 你好, 您好, 嗨, 早上好, 谢谢, 多谢, 谢谢你, 好的, 好, 明白了, 再见
zh-Hant: 謝謝, 多謝, 謝謝你, 再見
"""


def _folded(text: str) -> str:
    """Return the words without case, accents and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.findall(r"\w+", "".join(c for c in plain if not unicodedata.combining(c))))


def _phrases() -> Iterator[tuple[str, frozenset[str]]]:
    for lines in re.split(r"\n(?=[\w-]+: )", _PHRASES_TEXT.strip()):
        language, _, phrases = lines.partition(": ")
        yield language, frozenset(map(_folded, re.split(r"[,\n]", phrases)))


_BY_LANGUAGE = dict(_phrases())
_PHRASES = frozenset[str]().union(*_BY_LANGUAGE.values())


def is_small_talk(text: str) -> bool:
    """Report whether a message consists of such phrases only, in any order."""
    return _consists_of(text, _PHRASES)


def small_talk_language(text: str) -> str:
    """Return the language of small talk; "" if several, but not English, have these phrases."""
    languages = [each for each, own in _BY_LANGUAGE.items() if _consists_of(text, own)]
    return languages[0] if len(languages) == 1 or languages[:1] == ["en"] else ""


def _consists_of(text: str, phrases: frozenset[str]) -> bool:
    if len(text) > _MOST_CHARACTERS:
        return False
    words = _folded(text).split()
    if not 0 < len(words) <= _MOST_WORDS:
        return False
    ends = {0}  # numbers of leading words that are such phrases
    for end in range(1, len(words) + 1):
        if any(" ".join(words[start:end]) in phrases for start in ends):
            ends.add(end)
    return len(words) in ends
