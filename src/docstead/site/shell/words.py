"""The few words that the shell itself says, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

_RIGHT_TO_LEFT = ("ar", "fa", "he", "ur")
_TAGS = {"cn": "zh-CN", "jp": "ja", "ua": "uk"}  # codes of docs.json that are no language tags


@dataclass(frozen=True, slots=True)
class Words:
    skip: str = "Skip to content"
    contents: str = "On this page"
    previous: str = "Previous"
    next: str = "Next"
    menu: str = "Menu"
    close: str = "Close"
    navigation: str = "Documentation"
    language: str = "Language"
    version: str = "Version"
    theme: str = "Theme"
    system: str = "System"
    light: str = "Light"
    dark: str = "Dark"
    dismiss: str = "Dismiss"
    markdown: str = "View as Markdown"
    deprecated: str = "Deprecated"
    not_found: str = "Page not found"
    not_found_text: str = "There is no page at this address."
    home: str = "Go to the home page"


_TRANSLATED: Mapping[str, Sequence[str]] = {
    "de": [
        "Zum Inhalt springen",
        "Auf dieser Seite",
        "Zurück",
        "Weiter",
        "Menü",
        "Schließen",
        "Dokumentation",
        "Sprache",
        "Version",
        "Darstellung",
        "System",
        "Hell",
        "Dunkel",
        "Ausblenden",
        "Als Markdown ansehen",
        "Veraltet",
        "Seite nicht gefunden",
        "Unter dieser Adresse gibt es keine Seite.",
        "Zur Startseite",
    ],
    "es": [
        "Saltar al contenido",
        "En esta página",
        "Anterior",
        "Siguiente",
        "Menú",
        "Cerrar",
        "Documentación",
        "Idioma",
        "Versión",
        "Tema",
        "Sistema",
        "Claro",
        "Oscuro",
        "Descartar",
        "Ver como Markdown",
        "Obsoleto",
        "Página no encontrada",
        "No hay ninguna página en esta dirección.",
        "Ir a la página de inicio",
    ],
    "fr": [
        "Aller au contenu",
        "Sur cette page",
        "Précédent",
        "Suivant",
        "Menu",
        "Fermer",
        "Documentation",
        "Langue",
        "Version",
        "Thème",
        "Système",
        "Clair",
        "Sombre",
        "Masquer",
        "Voir en Markdown",
        "Obsolète",
        "Page introuvable",
        "Il n’y a pas de page à cette adresse.",
        "Aller à la page d’accueil",
    ],
    "it": [
        "Vai al contenuto",
        "In questa pagina",
        "Precedente",
        "Successivo",
        "Menu",
        "Chiudi",
        "Documentazione",
        "Lingua",
        "Versione",
        "Tema",
        "Sistema",
        "Chiaro",
        "Scuro",
        "Nascondi",
        "Vedi come Markdown",
        "Obsoleto",
        "Pagina non trovata",
        "Non c’è nessuna pagina a questo indirizzo.",
        "Vai alla pagina iniziale",
    ],
    "ja": [
        "本文へ移動",
        "このページの内容",
        "前へ",
        "次へ",
        "メニュー",
        "閉じる",
        "ドキュメント",
        "言語",
        "バージョン",
        "テーマ",
        "システム",
        "ライト",
        "ダーク",
        "閉じる",
        "Markdown で表示",
        "非推奨",
        "ページが見つかりません",
        "このアドレスにはページがありません。",
        "ホームへ",
    ],
    "ko": [
        "본문으로 건너뛰기",
        "이 페이지에서",
        "이전",
        "다음",
        "메뉴",
        "닫기",
        "문서",
        "언어",
        "버전",
        "테마",
        "시스템",
        "라이트",
        "다크",
        "닫기",
        "Markdown으로 보기",
        "지원 중단됨",
        "페이지를 찾을 수 없습니다",
        "이 주소에는 페이지가 없습니다.",
        "홈으로",
    ],
    "pt": [
        "Ir para o conteúdo",
        "Nesta página",
        "Anterior",
        "Próximo",
        "Menu",
        "Fechar",
        "Documentação",
        "Idioma",
        "Versão",
        "Tema",
        "Sistema",
        "Claro",
        "Escuro",
        "Dispensar",
        "Ver como Markdown",
        "Obsoleto",
        "Página não encontrada",
        "Não há página neste endereço.",
        "Ir para a página inicial",
    ],
    "zh": [
        "跳到正文",
        "本页内容",
        "上一页",
        "下一页",
        "菜单",
        "关闭",
        "文档",
        "语言",
        "版本",
        "主题",
        "跟随系统",
        "浅色",
        "深色",
        "关闭",
        "查看 Markdown",
        "已弃用",
        "页面未找到",
        "此地址没有页面。",
        "返回首页",
    ],
}

_NAMES = {
    "ar": "العربية",
    "ca": "Català",
    "cn": "简体中文",
    "cs": "Čeština",
    "da": "Dansk",
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fi": "Suomi",
    "fr": "Français",
    "fr-CA": "Français (Canada)",
    "he": "עברית",
    "hi": "हिन्दी",
    "hu": "Magyar",
    "id": "Bahasa Indonesia",
    "it": "Italiano",
    "ja": "日本語",
    "ja-JP": "日本語",
    "jp": "日本語",
    "ko": "한국어",
    "lv": "Latviešu",
    "nl": "Nederlands",
    "no": "Norsk",
    "pl": "Polski",
    "pt": "Português",
    "pt-BR": "Português (Brasil)",
    "ro": "Română",
    "ru": "Русский",
    "sv": "Svenska",
    "tr": "Türkçe",
    "ua": "Українська",
    "uk": "Українська",
    "uz": "Oʻzbekcha",
    "vi": "Tiếng Việt",
    "zh": "简体中文",
    "zh-CN": "简体中文",
    "zh-Hans": "简体中文",
    "zh-Hant": "繁體中文",
    "zh-TW": "繁體中文",
}


def words_for(code: str | None) -> Words:
    """English where there is no translation."""
    translated = _TRANSLATED.get(language_tag(code).partition("-")[0])
    if translated is None:
        return Words()
    return Words(**dict(zip((field.name for field in fields(Words)), translated, strict=True)))


def language_tag(code: str | None) -> str:
    """The BCP 47 tag of a language code of docs.json."""
    return _TAGS.get(code, code) if code else "en"


def language_name(code: str) -> str:
    """The language's own name for itself."""
    return _NAMES.get(code, code)


def direction(code: str | None) -> str:
    """The direction of writing, as the `dir` attribute wants it."""
    return "rtl" if language_tag(code).partition("-")[0] in _RIGHT_TO_LEFT else "ltr"
