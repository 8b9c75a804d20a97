/** The words of the assistant, in the page's language; English where there are none. */

import { translated } from "../components/language";

const ENGLISH = {
  ask: "Ask",
  title: "Assistant",
  placeholder: "Ask a question",
  send: "Send",
  stop: "Stop",
  close: "Close",
  fresh: "New chat",
  copy: "Copy",
  copied: "Copied",
  retry: "Try again",
  good: "Helpful",
  bad: "Not helpful",
  comment: "What was missing? (optional)",
  thanks: "Thank you.",
  sources: "Sources",
  thinking: "Looking through the documentation…",
  stopped: "Stopped.",
  failed: "The answer broke off",
  intro: "Answers come from this documentation, with their sources.",
  askSelection: "Ask about this",
  about: "About",
  removeContext: "Leave out",
  question: "Your question",
  rest: "Show the rest",
  starters: "Suggestions",
  askCode: "Ask about this code",
  support: "Contact support",
  nearest: "Nearest pages",
};

export type Word = keyof typeof ENGLISH;

/** In the order of the English words. */
const OTHERS: Record<string, string> = {
  de: "Fragen|Assistent|Frage stellen|Senden|Anhalten|Schließen|Neues Gespräch|Kopieren|Kopiert|Noch einmal|Hilfreich|Nicht hilfreich|Was hat gefehlt? (optional)|Danke.|Quellen|Die Dokumentation wird durchsucht…|Angehalten.|Die Antwort brach ab|Antworten kommen aus dieser Dokumentation, mit ihren Quellen.|Dazu fragen|Zu|Weglassen|Ihre Frage|Rest anzeigen|Vorschläge|Zu diesem Code fragen|Support kontaktieren|Nächstliegende Seiten",
  es: "Preguntar|Asistente|Haz una pregunta|Enviar|Detener|Cerrar|Nueva conversación|Copiar|Copiado|Reintentar|Útil|No útil|¿Qué faltaba? (opcional)|Gracias.|Fuentes|Buscando en la documentación…|Detenido.|La respuesta se interrumpió|Las respuestas vienen de esta documentación, con sus fuentes.|Preguntar sobre esto|Sobre|Quitar|Tu pregunta|Mostrar el resto|Sugerencias|Preguntar sobre este código|Contactar con soporte|Páginas más cercanas",
  fr: "Demander|Assistant|Posez une question|Envoyer|Arrêter|Fermer|Nouvelle discussion|Copier|Copié|Réessayer|Utile|Pas utile|Que manquait-il ? (facultatif)|Merci.|Sources|Recherche dans la documentation…|Arrêté.|La réponse s’est interrompue|Les réponses viennent de cette documentation, avec leurs sources.|Demander à ce sujet|À propos de|Retirer|Votre question|Afficher la suite|Suggestions|Interroger sur ce code|Contacter l’assistance|Pages les plus proches",
  it: "Chiedi|Assistente|Fai una domanda|Invia|Ferma|Chiudi|Nuova conversazione|Copia|Copiato|Riprova|Utile|Non utile|Che cosa mancava? (facoltativo)|Grazie.|Fonti|Ricerca nella documentazione…|Fermato.|La risposta si è interrotta|Le risposte vengono da questa documentazione, con le fonti.|Chiedi su questo|Su|Escludi|La tua domanda|Mostra il resto|Suggerimenti|Chiedi su questo codice|Contatta l’assistenza|Pagine più vicine",
  ja: "質問する|アシスタント|質問を入力|送信|停止|閉じる|新しいチャット|コピー|コピーしました|もう一度|役に立った|役に立たなかった|何が足りませんでしたか（任意）|ありがとうございます。|出典|ドキュメントを検索しています…|停止しました。|回答が中断されました|回答はこのドキュメントから、出典とともに示されます。|これについて質問|対象|外す|あなたの質問|続きを表示|質問の例|このコードについて質問|サポートに連絡|近いページ",
  ko: "질문하기|어시스턴트|질문을 입력하세요|보내기|중지|닫기|새 대화|복사|복사됨|다시 시도|도움이 됨|도움이 안 됨|무엇이 부족했나요? (선택 사항)|감사합니다.|출처|문서를 찾아보는 중…|중지되었습니다.|답변이 중단되었습니다|답변은 이 문서에서 출처와 함께 제공됩니다.|이 내용에 대해 질문|대상|제외|내 질문|나머지 보기|추천 질문|이 코드에 대해 질문|지원팀에 문의|가장 가까운 페이지",
  pt: "Perguntar|Assistente|Faça uma pergunta|Enviar|Parar|Fechar|Nova conversa|Copiar|Copiado|Tentar de novo|Útil|Não foi útil|O que faltou? (opcional)|Obrigado.|Fontes|Procurando na documentação…|Interrompido.|A resposta foi interrompida|As respostas vêm desta documentação, com as fontes.|Perguntar sobre isto|Sobre|Remover|Sua pergunta|Mostrar o restante|Sugestões|Perguntar sobre este código|Falar com o suporte|Páginas mais próximas",
  zh: "提问|助手|输入问题|发送|停止|关闭|新对话|复制|已复制|重试|有帮助|没有帮助|缺少什么？（可选）|谢谢。|来源|正在查阅文档…|已停止。|回答中断|回答来自本文档，并附有来源。|询问此内容|关于|移除|你的问题|显示其余内容|建议|询问此代码|联系支持|最相近的页面",
  "zh-Hant": "提問|助理|輸入問題|傳送|停止|關閉|新對話|複製|已複製|重試|有幫助|沒有幫助|缺少什麼？（選填）|謝謝。|來源|正在查閱文件…|已停止。|回答中斷|回答來自本文件，並附有來源。|詢問此內容|關於|移除|你的問題|顯示其餘內容|建議|詢問此程式碼|聯絡支援|最相近的頁面",
  ar: "اسأل|المساعد|اطرح سؤالًا|إرسال|إيقاف|إغلاق|محادثة جديدة|نسخ|تم النسخ|إعادة المحاولة|مفيد|غير مفيد|ما الذي كان ناقصًا؟ (اختياري)|شكرًا لك.|المصادر|جارٍ البحث في التوثيق…|تم الإيقاف.|انقطعت الإجابة|الإجابات من هذا التوثيق، مع مصادرها.|اسأل عن هذا|عن|استبعاد|سؤالك|عرض البقية|اقتراحات|اسأل عن هذه الشيفرة|التواصل مع الدعم|أقرب الصفحات",
  ca: "Pregunta|Assistent|Fes una pregunta|Envia|Atura|Tanca|Conversa nova|Copia|Copiat|Torna-ho a provar|Útil|No és útil|Què hi faltava? (opcional)|Gràcies.|Fonts|S’està cercant a la documentació…|Aturat.|La resposta s’ha interromput|Les respostes venen d’aquesta documentació, amb les fonts.|Pregunta sobre això|Sobre|Treu|La teva pregunta|Mostra la resta|Suggeriments|Pregunta sobre aquest codi|Contacta amb el suport|Pàgines més properes",
  cs: "Zeptat se|Asistent|Položte otázku|Odeslat|Zastavit|Zavřít|Nová konverzace|Kopírovat|Zkopírováno|Zkusit znovu|Užitečné|Neužitečné|Co chybělo? (nepovinné)|Děkujeme.|Zdroje|Prohledává se dokumentace…|Zastaveno.|Odpověď se přerušila|Odpovědi pocházejí z této dokumentace, i se zdroji.|Zeptat se na toto|K tématu|Vynechat|Vaše otázka|Zobrazit zbytek|Návrhy|Zeptat se na tento kód|Kontaktovat podporu|Nejbližší stránky",
  da: "Spørg|Assistent|Stil et spørgsmål|Send|Stop|Luk|Ny samtale|Kopiér|Kopieret|Prøv igen|Nyttigt|Ikke nyttigt|Hvad manglede? (valgfrit)|Tak.|Kilder|Søger i dokumentationen…|Stoppet.|Svaret blev afbrudt|Svarene kommer fra denne dokumentation, med kilder.|Spørg om dette|Om|Udelad|Dit spørgsmål|Vis resten|Forslag|Spørg om denne kode|Kontakt support|Nærmeste sider",
  fi: "Kysy|Avustaja|Esitä kysymys|Lähetä|Pysäytä|Sulje|Uusi keskustelu|Kopioi|Kopioitu|Yritä uudelleen|Hyödyllinen|Ei hyödyllinen|Mitä puuttui? (valinnainen)|Kiitos.|Lähteet|Etsitään dokumentaatiosta…|Pysäytetty.|Vastaus keskeytyi|Vastaukset tulevat tästä dokumentaatiosta lähteineen.|Kysy tästä|Aihe|Jätä pois|Kysymyksesi|Näytä loput|Ehdotuksia|Kysy tästä koodista|Ota yhteyttä tukeen|Lähimmät sivut",
  he: "שאלה|עוזר|כאן שואלים שאלה|שליחה|עצירה|סגירה|שיחה חדשה|העתקה|הועתק|ניסיון נוסף|מועיל|לא מועיל|מה היה חסר? (לא חובה)|תודה.|מקורות|בחיפוש בתיעוד…|נעצר.|התשובה נקטעה|התשובות באות מהתיעוד הזה, עם המקורות שלהן.|שאלה על זה|על|השמטה|השאלה שלך|הצגת ההמשך|הצעות|שאלה על הקוד הזה|פנייה לתמיכה|העמודים הקרובים ביותר",
  hi: "पूछें|सहायक|सवाल पूछें|भेजें|रोकें|बंद करें|नई बातचीत|कॉपी करें|कॉपी हो गया|फिर कोशिश करें|मददगार|मददगार नहीं|क्या कमी थी? (वैकल्पिक)|धन्यवाद।|स्रोत|दस्तावेज़ में खोजा जा रहा है…|रोक दिया गया।|उत्तर बीच में टूट गया|उत्तर इसी दस्तावेज़ से आते हैं, अपने स्रोतों के साथ।|इसके बारे में पूछें|विषय|हटाएँ|आपका सवाल|बाकी दिखाएँ|सुझाव|इस कोड के बारे में पूछें|सहायता से संपर्क करें|सबसे नज़दीकी पेज",
  hu: "Kérdezzen|Asszisztens|Tegyen fel egy kérdést|Küldés|Leállítás|Bezárás|Új beszélgetés|Másolás|Másolva|Újra|Hasznos|Nem hasznos|Mi hiányzott? (nem kötelező)|Köszönjük.|Források|Keresés a dokumentációban…|Leállítva.|A válasz megszakadt|A válaszok ebből a dokumentációból származnak, a forrásaikkal.|Kérdés erről|Erről|Kihagyás|Az Ön kérdése|A többi megjelenítése|Javaslatok|Kérdés erről a kódról|Kapcsolat az ügyfélszolgálattal|Legközelebbi oldalak",
  id: "Tanya|Asisten|Ajukan pertanyaan|Kirim|Hentikan|Tutup|Percakapan baru|Salin|Tersalin|Coba lagi|Membantu|Tidak membantu|Apa yang kurang? (opsional)|Terima kasih.|Sumber|Mencari di dokumentasi…|Dihentikan.|Jawaban terputus|Jawaban berasal dari dokumentasi ini, beserta sumbernya.|Tanyakan ini|Tentang|Keluarkan|Pertanyaan Anda|Tampilkan sisanya|Saran|Tanyakan kode ini|Hubungi dukungan|Halaman terdekat",
  lv: "Jautāt|Palīgs|Uzdodiet jautājumu|Sūtīt|Apturēt|Aizvērt|Jauna saruna|Kopēt|Nokopēts|Mēģināt vēlreiz|Noderīgi|Nav noderīgi|Kā pietrūka? (neobligāti)|Paldies.|Avoti|Meklē dokumentācijā…|Apturēts.|Atbilde pārtrūka|Atbildes nāk no šīs dokumentācijas, ar avotiem.|Jautāt par šo|Par|Izlaist|Jūsu jautājums|Rādīt pārējo|Ieteikumi|Jautāt par šo kodu|Sazināties ar atbalstu|Tuvākās lapas",
  nl: "Vragen|Assistent|Stel een vraag|Verzenden|Stoppen|Sluiten|Nieuw gesprek|Kopiëren|Gekopieerd|Opnieuw proberen|Nuttig|Niet nuttig|Wat ontbrak er? (optioneel)|Bedankt.|Bronnen|Bezig met zoeken in de documentatie…|Gestopt.|Het antwoord brak af|Antwoorden komen uit deze documentatie, met hun bronnen.|Hierover vragen|Over|Weglaten|Uw vraag|De rest tonen|Suggesties|Over deze code vragen|Contact met support|Dichtstbijzijnde pagina’s",
  no: "Spør|Assistent|Still et spørsmål|Send|Stopp|Lukk|Ny samtale|Kopier|Kopiert|Prøv igjen|Nyttig|Ikke nyttig|Hva manglet? (valgfritt)|Takk.|Kilder|Leter i dokumentasjonen…|Stoppet.|Svaret ble avbrutt|Svarene kommer fra denne dokumentasjonen, med kilder.|Spør om dette|Om|Utelat|Spørsmålet ditt|Vis resten|Forslag|Spør om denne koden|Kontakt brukerstøtte|Nærmeste sider",
  pl: "Zapytaj|Asystent|Zadaj pytanie|Wyślij|Zatrzymaj|Zamknij|Nowa rozmowa|Kopiuj|Skopiowano|Spróbuj ponownie|Pomocne|Niepomocne|Czego brakowało? (opcjonalnie)|Dziękujemy.|Źródła|Przeszukiwanie dokumentacji…|Zatrzymano.|Odpowiedź została przerwana|Odpowiedzi pochodzą z tej dokumentacji, wraz ze źródłami.|Zapytaj o to|O|Pomiń|Twoje pytanie|Pokaż resztę|Sugestie|Zapytaj o ten kod|Skontaktuj się z pomocą|Najbliższe strony",
  ro: "Întreabă|Asistent|Pune o întrebare|Trimite|Oprește|Închide|Conversație nouă|Copiază|Copiat|Încearcă din nou|Util|Inutil|Ce a lipsit? (opțional)|Mulțumim.|Surse|Se caută în documentație…|Oprit.|Răspunsul s-a întrerupt|Răspunsurile vin din această documentație, cu sursele lor.|Întreabă despre asta|Despre|Elimină|Întrebarea ta|Arată restul|Sugestii|Întreabă despre acest cod|Contactează asistența|Cele mai apropiate pagini",
  ru: "Спросить|Помощник|Задайте вопрос|Отправить|Остановить|Закрыть|Новый разговор|Копировать|Скопировано|Повторить|Полезно|Не полезно|Чего не хватило? (необязательно)|Спасибо.|Источники|Поиск в документации…|Остановлено.|Ответ прервался|Ответы берутся из этой документации, с указанием источников.|Спросить об этом|О чём|Убрать|Ваш вопрос|Показать остальное|Подсказки|Спросить об этом коде|Связаться с поддержкой|Ближайшие страницы",
  sv: "Fråga|Assistent|Ställ en fråga|Skicka|Stoppa|Stäng|Ny konversation|Kopiera|Kopierat|Försök igen|Till hjälp|Inte till hjälp|Vad saknades? (valfritt)|Tack.|Källor|Söker i dokumentationen…|Stoppad.|Svaret avbröts|Svaren kommer från den här dokumentationen, med källor.|Fråga om detta|Om|Utelämna|Din fråga|Visa resten|Förslag|Fråga om den här koden|Kontakta supporten|Närmaste sidor",
  tr: "Sor|Asistan|Bir soru sorun|Gönder|Durdur|Kapat|Yeni sohbet|Kopyala|Kopyalandı|Yeniden dene|Yararlı|Yararlı değil|Eksik olan neydi? (isteğe bağlı)|Teşekkürler.|Kaynaklar|Belgelerde aranıyor…|Durduruldu.|Yanıt yarıda kesildi|Yanıtlar bu belgelerden, kaynaklarıyla birlikte gelir.|Bunu sor|Konu|Çıkar|Sorunuz|Kalanını göster|Öneriler|Bu kodu sor|Desteğe ulaşın|En yakın sayfalar",
  uk: "Запитати|Помічник|Поставте запитання|Надіслати|Зупинити|Закрити|Нова розмова|Копіювати|Скопійовано|Спробувати ще раз|Корисно|Не корисно|Чого бракувало? (необов’язково)|Дякуємо.|Джерела|Пошук у документації…|Зупинено.|Відповідь перервалася|Відповіді беруться з цієї документації, із джерелами.|Запитати про це|Про що|Прибрати|Ваше запитання|Показати решту|Підказки|Запитати про цей код|Зв’язатися з підтримкою|Найближчі сторінки",
  uz: "Soʻrash|Yordamchi|Savol bering|Yuborish|Toʻxtatish|Yopish|Yangi suhbat|Nusxalash|Nusxalandi|Qayta urinish|Foydali|Foydali emas|Nima yetishmadi? (ixtiyoriy)|Rahmat.|Manbalar|Hujjatlardan qidirilmoqda…|Toʻxtatildi.|Javob uzilib qoldi|Javoblar shu hujjatlardan, manbalari bilan olinadi.|Shu haqda soʻrash|Mavzu|Olib tashlash|Savolingiz|Qolganini koʻrsatish|Takliflar|Shu kod haqida soʻrash|Yordam xizmatiga murojaat|Eng yaqin sahifalar",
  vi: "Hỏi|Trợ lý|Đặt câu hỏi|Gửi|Dừng|Đóng|Cuộc trò chuyện mới|Sao chép|Đã sao chép|Thử lại|Hữu ích|Không hữu ích|Còn thiếu gì? (không bắt buộc)|Cảm ơn bạn.|Nguồn|Đang tìm trong tài liệu…|Đã dừng.|Câu trả lời bị gián đoạn|Câu trả lời lấy từ tài liệu này, kèm nguồn.|Hỏi về phần này|Về|Bỏ ra|Câu hỏi của bạn|Hiện phần còn lại|Gợi ý|Hỏi về đoạn mã này|Liên hệ hỗ trợ|Các trang gần nhất",
};

export const word = translated(ENGLISH, OTHERS);
