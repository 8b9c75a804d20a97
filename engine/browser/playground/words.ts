/** The words of the playground, in the page's language; English where there are none. */

import { translated } from "../components/language";

const ENGLISH = {
  title: "Playground",
  close: "Close",
  server: "Server",
  authorization: "Authorization",
  path: "Path parameters",
  query: "Query parameters",
  headers: "Headers",
  body: "Body",
  send: "Send",
  sending: "Sending…",
  required: "required",
  bearer: "token",
  basic: "username:password",
  key: "API key",
  response: "Response",
  responseHeaders: "Response headers",
  failed: "No answer",
  crossOrigin: "The server may not allow requests from other sites.",
  connect: "Connect",
  disconnect: "Disconnect",
  connecting: "Connecting…",
  connected: "Connected",
  disconnected: "Disconnected",
  message: "Message",
  messages: "Messages",
  sent: "Sent",
  received: "Received",
  clear: "Clear",
};

export type Word = keyof typeof ENGLISH;

/** In the order of the English words. */
const OTHERS: Record<string, string> = {
  de: "Playground|Schließen|Server|Autorisierung|Pfadparameter|Abfrageparameter|Header|Inhalt|Senden|Wird gesendet…|erforderlich|Token|Benutzer:Passwort|API-Schlüssel|Antwort|Antwort-Header|Keine Antwort|Der Server erlaubt vielleicht keine Anfragen von anderen Seiten.|Verbinden|Trennen|Verbindung wird aufgebaut…|Verbunden|Getrennt|Nachricht|Nachrichten|Gesendet|Empfangen|Leeren",
  es: "Playground|Cerrar|Servidor|Autorización|Parámetros de ruta|Parámetros de consulta|Cabeceras|Cuerpo|Enviar|Enviando…|obligatorio|token|usuario:contraseña|clave API|Respuesta|Cabeceras de la respuesta|Sin respuesta|Es posible que el servidor no permita solicitudes de otros sitios.|Conectar|Desconectar|Conectando…|Conectado|Desconectado|Mensaje|Mensajes|Enviado|Recibido|Vaciar",
  fr: "Playground|Fermer|Serveur|Autorisation|Paramètres de chemin|Paramètres de requête|En-têtes|Corps|Envoyer|Envoi…|obligatoire|jeton|utilisateur:mot de passe|clé API|Réponse|En-têtes de la réponse|Pas de réponse|Le serveur n’autorise peut-être pas les requêtes d’autres sites.|Se connecter|Se déconnecter|Connexion…|Connecté|Déconnecté|Message|Messages|Envoyé|Reçu|Effacer",
  it: "Playground|Chiudi|Server|Autorizzazione|Parametri di percorso|Parametri di query|Intestazioni|Corpo|Invia|Invio in corso…|obbligatorio|token|utente:password|chiave API|Risposta|Intestazioni della risposta|Nessuna risposta|Il server potrebbe non consentire richieste da altri siti.|Connetti|Disconnetti|Connessione in corso…|Connesso|Disconnesso|Messaggio|Messaggi|Inviato|Ricevuto|Svuota",
  ja: "プレイグラウンド|閉じる|サーバー|認証|パスパラメータ|クエリパラメータ|ヘッダー|ボディ|送信|送信中…|必須|トークン|ユーザー名:パスワード|APIキー|レスポンス|レスポンスヘッダー|応答がありません|サーバーが他のサイトからのリクエストを許可していない可能性があります。|接続|切断|接続中…|接続しました|切断しました|メッセージ|メッセージ一覧|送信済み|受信|消去",
  ko: "플레이그라운드|닫기|서버|인증|경로 매개변수|쿼리 매개변수|헤더|본문|보내기|보내는 중…|필수|토큰|사용자 이름:비밀번호|API 키|응답|응답 헤더|응답 없음|서버가 다른 사이트의 요청을 허용하지 않을 수 있습니다.|연결|연결 끊기|연결 중…|연결됨|연결 끊김|메시지|메시지 목록|보냄|받음|지우기",
  pt: "Playground|Fechar|Servidor|Autorização|Parâmetros de caminho|Parâmetros de consulta|Cabeçalhos|Corpo|Enviar|Enviando…|obrigatório|token|usuário:senha|chave de API|Resposta|Cabeçalhos da resposta|Sem resposta|O servidor talvez não permita solicitações de outros sites.|Conectar|Desconectar|Conectando…|Conectado|Desconectado|Mensagem|Mensagens|Enviada|Recebida|Limpar",
  zh: "调试台|关闭|服务器|授权|路径参数|查询参数|请求头|请求体|发送|正在发送…|必填|令牌|用户名:密码|API 密钥|响应|响应头|没有响应|服务器可能不允许来自其他站点的请求。|连接|断开|正在连接…|已连接|已断开|消息|消息记录|已发送|已收到|清空",
  "zh-Hant": "測試台|關閉|伺服器|授權|路徑參數|查詢參數|標頭|內文|傳送|傳送中…|必填|權杖|使用者名稱:密碼|API 金鑰|回應|回應標頭|沒有回應|伺服器可能不允許來自其他網站的請求。|連線|中斷連線|連線中…|已連線|已中斷連線|訊息|訊息記錄|已傳送|已收到|清空",
  ar: "ساحة التجربة|إغلاق|الخادم|التفويض|معاملات المسار|معاملات الاستعلام|الترويسات|المتن|إرسال|جارٍ الإرسال…|مطلوب|رمز الوصول|اسم المستخدم:كلمة المرور|مفتاح API|الاستجابة|ترويسات الاستجابة|لا توجد استجابة|قد لا يسمح الخادم بالطلبات من مواقع أخرى.|اتصال|قطع الاتصال|جارٍ الاتصال…|متصل|غير متصل|رسالة|الرسائل|مُرسَلة|مُستلَمة|مسح",
  ca: "Banc de proves|Tanca|Servidor|Autorització|Paràmetres de camí|Paràmetres de consulta|Capçaleres|Cos|Envia|S’està enviant…|obligatori|testimoni|usuari:contrasenya|clau d’API|Resposta|Capçaleres de la resposta|Sense resposta|Potser el servidor no permet peticions d’altres llocs.|Connecta|Desconnecta|S’està connectant…|Connectat|Desconnectat|Missatge|Missatges|Enviat|Rebut|Buida",
  cs: "Zkušební prostředí|Zavřít|Server|Autorizace|Parametry cesty|Parametry dotazu|Hlavičky|Tělo|Odeslat|Odesílá se…|povinné|token|uživatel:heslo|klíč API|Odpověď|Hlavičky odpovědi|Žádná odpověď|Server možná nepovoluje požadavky z jiných webů.|Připojit|Odpojit|Připojování…|Připojeno|Odpojeno|Zpráva|Zprávy|Odesláno|Přijato|Vymazat",
  da: "Legeplads|Luk|Server|Autorisation|Stiparametre|Forespørgselsparametre|Headere|Indhold|Send|Sender…|påkrævet|token|brugernavn:adgangskode|API-nøgle|Svar|Svarets headere|Intet svar|Serveren tillader måske ikke forespørgsler fra andre websteder.|Opret forbindelse|Afbryd|Opretter forbindelse…|Forbundet|Afbrudt|Besked|Beskeder|Sendt|Modtaget|Ryd",
  fi: "Kokeilualusta|Sulje|Palvelin|Valtuutus|Polun parametrit|Kyselyparametrit|Otsakkeet|Runko|Lähetä|Lähetetään…|pakollinen|tunnus|käyttäjä:salasana|API-avain|Vastaus|Vastauksen otsakkeet|Ei vastausta|Palvelin ei ehkä salli pyyntöjä muilta sivustoilta.|Yhdistä|Katkaise yhteys|Yhdistetään…|Yhdistetty|Yhteys katkaistu|Viesti|Viestit|Lähetetty|Vastaanotettu|Tyhjennä",
  he: "סביבת ניסוי|סגירה|שרת|הרשאה|פרמטרים של הנתיב|פרמטרים של השאילתה|כותרות|גוף|שליחה|בשליחה…|חובה|אסימון|שם משתמש:סיסמה|מפתח API|תשובה|כותרות התשובה|אין תשובה|ייתכן שהשרת אינו מאפשר בקשות מאתרים אחרים.|התחברות|ניתוק|בהתחברות…|מחובר|מנותק|הודעה|הודעות|נשלחה|התקבלה|ניקוי",
  hi: "प्लेग्राउंड|बंद करें|सर्वर|प्राधिकरण|पाथ पैरामीटर|क्वेरी पैरामीटर|हेडर|बॉडी|भेजें|भेजा जा रहा है…|ज़रूरी|टोकन|उपयोगकर्ता नाम:पासवर्ड|API कुंजी|उत्तर|उत्तर के हेडर|कोई उत्तर नहीं|हो सकता है कि सर्वर दूसरी साइटों के अनुरोधों की अनुमति न दे।|कनेक्ट करें|डिस्कनेक्ट करें|कनेक्ट हो रहा है…|कनेक्ट है|डिस्कनेक्ट है|संदेश|सभी संदेश|भेजा गया|मिला|खाली करें",
  hu: "Kipróbálás|Bezárás|Kiszolgáló|Hitelesítés|Útvonal-paraméterek|Lekérdezési paraméterek|Fejlécek|Törzs|Küldés|Küldés folyamatban…|kötelező|token|felhasználónév:jelszó|API-kulcs|Válasz|A válasz fejlécei|Nincs válasz|Lehet, hogy a kiszolgáló nem engedélyez kéréseket más webhelyekről.|Kapcsolódás|Bontás|Kapcsolódás folyamatban…|Kapcsolódva|Kapcsolat bontva|Üzenet|Üzenetek|Elküldve|Fogadva|Ürítés",
  id: "Playground|Tutup|Server|Otorisasi|Parameter path|Parameter kueri|Header|Isi|Kirim|Mengirim…|wajib|token|nama pengguna:kata sandi|kunci API|Respons|Header respons|Tidak ada respons|Server mungkin tidak mengizinkan permintaan dari situs lain.|Hubungkan|Putuskan|Menghubungkan…|Terhubung|Terputus|Pesan|Daftar pesan|Terkirim|Diterima|Kosongkan",
  lv: "Izmēģinājumu vide|Aizvērt|Serveris|Autorizācija|Ceļa parametri|Vaicājuma parametri|Galvenes|Saturs|Sūtīt|Notiek sūtīšana…|obligāts|marķieris|lietotājvārds:parole|API atslēga|Atbilde|Atbildes galvenes|Nav atbildes|Serveris, iespējams, neatļauj pieprasījumus no citām vietnēm.|Savienot|Atvienot|Notiek savienošana…|Savienots|Atvienots|Ziņojums|Ziņojumi|Nosūtīts|Saņemts|Notīrīt",
  nl: "Playground|Sluiten|Server|Autorisatie|Padparameters|Queryparameters|Headers|Inhoud|Verzenden|Bezig met verzenden…|verplicht|token|gebruikersnaam:wachtwoord|API-sleutel|Antwoord|Headers van het antwoord|Geen antwoord|De server staat misschien geen verzoeken van andere sites toe.|Verbinden|Verbinding verbreken|Verbinden…|Verbonden|Verbinding verbroken|Bericht|Berichten|Verzonden|Ontvangen|Wissen",
  no: "Lekeplass|Lukk|Tjener|Autorisasjon|Stiparametere|Spørringsparametere|Hoder|Innhold|Send|Sender…|påkrevd|token|brukernavn:passord|API-nøkkel|Svar|Hodene i svaret|Ikke noe svar|Det kan hende at tjeneren ikke tillater forespørsler fra andre nettsteder.|Koble til|Koble fra|Kobler til…|Tilkoblet|Frakoblet|Melding|Meldinger|Sendt|Mottatt|Tøm",
  pl: "Plac zabaw|Zamknij|Serwer|Autoryzacja|Parametry ścieżki|Parametry zapytania|Nagłówki|Treść|Wyślij|Wysyłanie…|wymagane|token|użytkownik:hasło|klucz API|Odpowiedź|Nagłówki odpowiedzi|Brak odpowiedzi|Serwer może nie zezwalać na żądania z innych witryn.|Połącz|Rozłącz|Łączenie…|Połączono|Rozłączono|Wiadomość|Wiadomości|Wysłano|Odebrano|Wyczyść",
  ro: "Spațiu de testare|Închide|Server|Autorizare|Parametri de cale|Parametri de interogare|Antete|Corp|Trimite|Se trimite…|obligatoriu|token|utilizator:parolă|cheie API|Răspuns|Antetele răspunsului|Niciun răspuns|Este posibil ca serverul să nu permită cereri de pe alte site-uri.|Conectează|Deconectează|Se conectează…|Conectat|Deconectat|Mesaj|Mesaje|Trimis|Primit|Golește",
  ru: "Песочница|Закрыть|Сервер|Авторизация|Параметры пути|Параметры запроса|Заголовки|Тело|Отправить|Отправка…|обязательно|токен|имя:пароль|ключ API|Ответ|Заголовки ответа|Нет ответа|Возможно, сервер не разрешает запросы с других сайтов.|Подключиться|Отключиться|Подключение…|Подключено|Отключено|Сообщение|Сообщения|Отправлено|Получено|Очистить",
  sv: "Testyta|Stäng|Server|Auktorisering|Sökvägsparametrar|Frågeparametrar|Huvuden|Innehåll|Skicka|Skickar…|obligatoriskt|token|användarnamn:lösenord|API-nyckel|Svar|Svarets huvuden|Inget svar|Servern kanske inte tillåter förfrågningar från andra webbplatser.|Anslut|Koppla från|Ansluter…|Ansluten|Frånkopplad|Meddelande|Meddelanden|Skickat|Mottaget|Rensa",
  tr: "Deneme alanı|Kapat|Sunucu|Yetkilendirme|Yol parametreleri|Sorgu parametreleri|Üst bilgiler|Gövde|Gönder|Gönderiliyor…|zorunlu|belirteç|kullanıcı adı:parola|API anahtarı|Yanıt|Yanıtın üst bilgileri|Yanıt yok|Sunucu diğer sitelerden gelen isteklere izin vermiyor olabilir.|Bağlan|Bağlantıyı kes|Bağlanıyor…|Bağlı|Bağlantı kesildi|Mesaj|Mesajlar|Gönderildi|Alındı|Temizle",
  uk: "Пісочниця|Закрити|Сервер|Авторизація|Параметри шляху|Параметри запиту|Заголовки|Тіло|Надіслати|Надсилання…|обов’язково|токен|ім’я:пароль|ключ API|Відповідь|Заголовки відповіді|Немає відповіді|Можливо, сервер не дозволяє запити з інших сайтів.|Під’єднатися|Від’єднатися|Під’єднання…|Під’єднано|Від’єднано|Повідомлення|Усі повідомлення|Надіслано|Отримано|Очистити",
  uz: "Sinov maydoni|Yopish|Server|Avtorizatsiya|Yoʻl parametrlari|Soʻrov parametrlari|Sarlavhalar|Tana|Yuborish|Yuborilmoqda…|majburiy|token|foydalanuvchi:parol|API kaliti|Javob|Javob sarlavhalari|Javob yoʻq|Server boshqa saytlardan kelgan soʻrovlarga ruxsat bermasligi mumkin.|Ulanish|Uzish|Ulanmoqda…|Ulandi|Uzildi|Xabar|Xabarlar|Yuborildi|Qabul qilindi|Tozalash",
  vi: "Thử API|Đóng|Máy chủ|Ủy quyền|Tham số đường dẫn|Tham số truy vấn|Tiêu đề|Nội dung|Gửi|Đang gửi…|bắt buộc|mã truy cập|tên người dùng:mật khẩu|khóa API|Phản hồi|Tiêu đề phản hồi|Không có phản hồi|Máy chủ có thể không cho phép yêu cầu từ trang khác.|Kết nối|Ngắt kết nối|Đang kết nối…|Đã kết nối|Đã ngắt kết nối|Tin nhắn|Các tin nhắn|Đã gửi|Đã nhận|Xóa",
};

export const word = translated(ENGLISH, OTHERS);
