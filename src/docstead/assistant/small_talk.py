"""Small talk: greetings, thanks, assent and farewells in the languages of sites."""

from __future__ import annotations

import re
import unicodedata

REPLY = (
    "Happy to help! Ask me about anything in this documentation: "
    "how something is done, what a setting means, where an error comes from."
)

_MOST_WORDS, _MOST_CHARACTERS = 8, 200  # longer messages are not small talk
# Omitted are words that documentation may define, such as the Dutch "dag".
_PHRASES_TEXT = """
hello, hello there, hi, hi there, hey, hey there, hiya, howdy, good morning, good afternoon,
good evening, how are you, thanks, thanks a lot, thanks so much, thanks for your help, thank you,
thank you so much, thank you very much, many thanks, thx, ty, cheers, that helped, that helps,
that works, that worked, it works, it works now, ok, okay, alright, all right, got it, i see,
understood, great, perfect, awesome, cool, nice, bye, bye bye, goodbye, see you, see you later,
good night, have a nice day
مرحبا, السلام عليكم, شكرا, شكرا جزيلا, حسنا, وداعا, مع السلامة
hola, bon dia, gràcies, moltes gràcies, d'acord, adeu, adéu
ahoj, dobrý den, děkuji, děkuju, díky, dobře, na shledanou
hej, hejsa, godmorgen, goddag, tak, mange tak, okay, farvel, hej hej
hallo, guten tag, guten morgen, guten abend, servus, moin, danke, danke schön, dankeschön,
vielen dank, danke sehr, alles klar, verstanden, tschüss, tschüß, auf wiedersehen
hola, buenos días, buenas, buenas tardes, gracias, muchas gracias, vale, de acuerdo, perfecto,
adiós, hasta luego
hei, moi, terve, huomenta, kiitos, kiitti, paljon kiitoksia, selvä, heippa, näkemiin
bonjour, bonsoir, salut, coucou, merci, merci beaucoup, d'accord, parfait, au revoir, à bientôt
שלום, היי, תודה, תודה רבה, בסדר, להתראות, ביי
नमस्ते, नमस्कार, धन्यवाद, शुक्रिया, ठीक है, अलविदा
szia, sziasztok, jó napot, helló, köszönöm, köszi, rendben, viszlát, viszontlátásra
hai, selamat pagi, selamat siang, terima kasih, makasih, baik, sampai jumpa
ciao, buongiorno, buonasera, salve, grazie, grazie mille, va bene, perfetto, arrivederci
こんにちは, こんばんは, おはよう, おはようございます, ありがとう, ありがとうございます, 了解,
了解です, わかりました, さようなら
안녕, 안녕하세요, 감사합니다, 고마워요, 고맙습니다, 네, 알겠습니다, 안녕히 계세요
sveiki, labdien, čau, paldies, liels paldies, labi, uz redzēšanos
hoi, goedemorgen, goedemiddag, bedankt, dank je, dank je wel, dank u, dank u wel, prima, doei,
tot ziens
god morgen, god dag, takk, tusen takk, mange takk, greit, ha det
cześć, hej, dzień dobry, dzięki, dziękuję, dobrze, do widzenia, pa
olá, oi, bom dia, boa tarde, boa noite, obrigado, obrigada, muito obrigado, muito obrigada,
valeu, tchau, até logo
salut, bună, bună ziua, mulțumesc, mersi, bine, la revedere, pa
привет, здравствуйте, добрый день, спасибо, большое спасибо, спс, хорошо, ок, понятно, пока,
до свидания
hej, hallå, god morgon, tack, tack så mycket, okej, hej då
merhaba, selam, günaydın, teşekkürler, teşekkür ederim, sağ ol, tamam, hoşça kal, güle güle
привіт, вітаю, добрий день, дякую, щиро дякую, добре, зрозуміло, бувай, до побачення
salom, assalomu alaykum, rahmat, katta rahmat, xo'p, xayr
xin chào, chào, chào bạn, cảm ơn, cám ơn, cảm ơn bạn, vâng, tạm biệt
你好, 您好, 嗨, 早上好, 谢谢, 多谢, 谢谢你, 好的, 好, 明白了, 再见, 謝謝, 多謝, 謝謝你, 再見
"""


def _folded(text: str) -> str:
    """Return the words without case, accents and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.findall(r"\w+", "".join(c for c in plain if not unicodedata.combining(c))))


_PHRASES = frozenset(map(_folded, re.split(r"[,\n]", _PHRASES_TEXT.strip())))


def is_small_talk(text: str) -> bool:
    """Report whether a message consists of such phrases only, in any order."""
    if len(text) > _MOST_CHARACTERS:
        return False
    words = _folded(text).split()
    if not 0 < len(words) <= _MOST_WORDS:
        return False
    ends = {0}  # numbers of leading words that are such phrases
    for end in range(1, len(words) + 1):
        if any(" ".join(words[start:end]) in _PHRASES for start in ends):
            ends.add(end)
    return len(words) in ends
