/** The few words that scripts add to a page, in its language; English where there are none. */

import { translated } from "./language";

const ENGLISH = {
  copyCode: "Copy code",
  copyPrompt: "Copy prompt",
  copy: "Copy",
  copied: "Copied",
  notCopied: "Could not copy",
  expand: "Expand",
  collapse: "Collapse",
  view: "View",
  filter: "Filter",
  entries: "Entries shown",
  enlarge: "Enlarge image",
  code: "Code",
  files: "Files",
  diagram: "Diagram",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  panLeft: "Move left",
  panRight: "Move right",
  panUp: "Move up",
  panDown: "Move down",
  resetView: "Reset view",
  copyImage: "Copy image",
  downloadImage: "Download image",
};

export type Word = keyof typeof ENGLISH;

/** In the order of the English words. */
const OTHERS: Record<string, string> = {
  de: "Code kopieren|Prompt kopieren|Kopieren|Kopiert|Kopieren nicht möglich|Ausklappen|Einklappen|Ansicht|Filter|Angezeigte Einträge|Bild vergrößern|Code|Dateien|Diagramm|Vergrößern|Verkleinern|Nach links|Nach rechts|Nach oben|Nach unten|Ansicht zurücksetzen|Bild kopieren|Bild herunterladen",
  es: "Copiar código|Copiar prompt|Copiar|Copiado|No se pudo copiar|Ampliar|Contraer|Vista|Filtrar|Entradas mostradas|Ampliar imagen|Código|Archivos|Diagrama|Acercar|Alejar|Mover a la izquierda|Mover a la derecha|Mover arriba|Mover abajo|Restablecer vista|Copiar imagen|Descargar imagen",
  fr: "Copier le code|Copier le prompt|Copier|Copié|Copie impossible|Développer|Réduire|Vue|Filtrer|Entrées affichées|Agrandir l’image|Code|Fichiers|Diagramme|Zoom avant|Zoom arrière|Vers la gauche|Vers la droite|Vers le haut|Vers le bas|Réinitialiser la vue|Copier l’image|Télécharger l’image",
  it: "Copia codice|Copia prompt|Copia|Copiato|Copia non riuscita|Espandi|Comprimi|Vista|Filtra|Voci mostrate|Ingrandisci immagine|Codice|File|Diagramma|Ingrandisci|Riduci|Sposta a sinistra|Sposta a destra|Sposta in alto|Sposta in basso|Reimposta vista|Copia immagine|Scarica immagine",
  ja: "コードをコピー|プロンプトをコピー|コピー|コピーしました|コピーできませんでした|展開|折りたたむ|表示|絞り込み|表示件数|画像を拡大|コード|ファイル|図|拡大|縮小|左へ|右へ|上へ|下へ|表示をリセット|画像をコピー|画像をダウンロード",
  ko: "코드 복사|프롬프트 복사|복사|복사됨|복사할 수 없음|펼치기|접기|보기|필터|표시된 항목|이미지 확대|코드|파일|다이어그램|확대|축소|왼쪽으로|오른쪽으로|위로|아래로|보기 초기화|이미지 복사|이미지 다운로드",
  pt: "Copiar código|Copiar prompt|Copiar|Copiado|Não foi possível copiar|Expandir|Recolher|Visualização|Filtrar|Entradas exibidas|Ampliar imagem|Código|Arquivos|Diagrama|Ampliar|Reduzir|Mover para a esquerda|Mover para a direita|Mover para cima|Mover para baixo|Redefinir visualização|Copiar imagem|Baixar imagem",
  zh: "复制代码|复制提示词|复制|已复制|无法复制|展开|收起|视图|筛选|显示的条目|放大图片|代码|文件|图表|放大|缩小|左移|右移|上移|下移|重置视图|复制图片|下载图片",
  "zh-Hant": "複製程式碼|複製提示詞|複製|已複製|無法複製|展開|收合|檢視|篩選|顯示的項目|放大圖片|程式碼|檔案|圖表|放大|縮小|左移|右移|上移|下移|重設檢視|複製圖片|下載圖片",
  ar: "نسخ الشيفرة|نسخ الأمر|نسخ|تم النسخ|تعذّر النسخ|توسيع|طي|عرض|تصفية|الإدخالات المعروضة|تكبير الصورة|الشيفرة|الملفات|مخطط|تكبير|تصغير|تحريك لليسار|تحريك لليمين|تحريك للأعلى|تحريك للأسفل|إعادة ضبط العرض|نسخ الصورة|تنزيل الصورة",
  ca: "Copia el codi|Copia el prompt|Copia|Copiat|No s’ha pogut copiar|Amplia|Redueix|Vista|Filtra|Entrades mostrades|Amplia la imatge|Codi|Fitxers|Diagrama|Apropa|Allunya|Mou a l’esquerra|Mou a la dreta|Mou amunt|Mou avall|Restableix la vista|Copia la imatge|Baixa la imatge",
  cs: "Kopírovat kód|Kopírovat prompt|Kopírovat|Zkopírováno|Nelze zkopírovat|Rozbalit|Sbalit|Zobrazení|Filtr|Zobrazené položky|Zvětšit obrázek|Kód|Soubory|Diagram|Přiblížit|Oddálit|Posunout doleva|Posunout doprava|Posunout nahoru|Posunout dolů|Obnovit zobrazení|Kopírovat obrázek|Stáhnout obrázek",
  da: "Kopiér kode|Kopiér prompt|Kopiér|Kopieret|Kunne ikke kopiere|Fold ud|Fold sammen|Visning|Filtrér|Viste poster|Forstør billede|Kode|Filer|Diagram|Zoom ind|Zoom ud|Flyt til venstre|Flyt til højre|Flyt op|Flyt ned|Nulstil visning|Kopiér billede|Download billede",
  fi: "Kopioi koodi|Kopioi kehote|Kopioi|Kopioitu|Kopiointi ei onnistunut|Laajenna|Supista|Näkymä|Suodata|Näytetyt kohdat|Suurenna kuva|Koodi|Tiedostot|Kaavio|Lähennä|Loitonna|Siirrä vasemmalle|Siirrä oikealle|Siirrä ylös|Siirrä alas|Palauta näkymä|Kopioi kuva|Lataa kuva",
  he: "העתקת קוד|העתקת ההנחיה|העתקה|הועתק|ההעתקה נכשלה|הרחבה|כיווץ|תצוגה|סינון|רשומות מוצגות|הגדלת התמונה|קוד|קבצים|תרשים|התקרבות|התרחקות|הזזה שמאלה|הזזה ימינה|הזזה למעלה|הזזה למטה|איפוס התצוגה|העתקת התמונה|הורדת התמונה",
  hi: "कोड कॉपी करें|प्रॉम्प्ट कॉपी करें|कॉपी करें|कॉपी हो गया|कॉपी नहीं हो सका|फैलाएँ|समेटें|दृश्य|फ़िल्टर करें|दिखाई गई प्रविष्टियाँ|चित्र बड़ा करें|कोड|फ़ाइलें|आरेख|ज़ूम इन करें|ज़ूम आउट करें|बाएँ ले जाएँ|दाएँ ले जाएँ|ऊपर ले जाएँ|नीचे ले जाएँ|दृश्य रीसेट करें|चित्र कॉपी करें|चित्र डाउनलोड करें",
  hu: "Kód másolása|Prompt másolása|Másolás|Másolva|Nem sikerült másolni|Kibontás|Összecsukás|Nézet|Szűrés|Megjelenített bejegyzések|Kép nagyítása|Kód|Fájlok|Diagram|Nagyítás|Kicsinyítés|Mozgatás balra|Mozgatás jobbra|Mozgatás fel|Mozgatás le|Nézet visszaállítása|Kép másolása|Kép letöltése",
  id: "Salin kode|Salin prompt|Salin|Tersalin|Tidak dapat menyalin|Bentangkan|Ciutkan|Tampilan|Filter|Entri yang ditampilkan|Perbesar gambar|Kode|Berkas|Diagram|Perbesar|Perkecil|Geser ke kiri|Geser ke kanan|Geser ke atas|Geser ke bawah|Atur ulang tampilan|Salin gambar|Unduh gambar",
  lv: "Kopēt kodu|Kopēt uzvedni|Kopēt|Nokopēts|Neizdevās nokopēt|Izvērst|Sakļaut|Skats|Filtrēt|Parādītie ieraksti|Palielināt attēlu|Kods|Faili|Diagramma|Tuvināt|Tālināt|Pārvietot pa kreisi|Pārvietot pa labi|Pārvietot uz augšu|Pārvietot uz leju|Atiestatīt skatu|Kopēt attēlu|Lejupielādēt attēlu",
  nl: "Code kopiëren|Prompt kopiëren|Kopiëren|Gekopieerd|Kopiëren mislukt|Uitklappen|Inklappen|Weergave|Filteren|Getoonde items|Afbeelding vergroten|Code|Bestanden|Diagram|Inzoomen|Uitzoomen|Naar links|Naar rechts|Omhoog|Omlaag|Weergave herstellen|Afbeelding kopiëren|Afbeelding downloaden",
  no: "Kopier kode|Kopier prompt|Kopier|Kopiert|Kunne ikke kopiere|Utvid|Skjul|Visning|Filtrer|Viste oppføringer|Forstørr bildet|Kode|Filer|Diagram|Zoom inn|Zoom ut|Flytt til venstre|Flytt til høyre|Flytt opp|Flytt ned|Tilbakestill visningen|Kopier bildet|Last ned bildet",
  pl: "Kopiuj kod|Kopiuj prompt|Kopiuj|Skopiowano|Nie udało się skopiować|Rozwiń|Zwiń|Widok|Filtruj|Wyświetlane wpisy|Powiększ obraz|Kod|Pliki|Diagram|Przybliż|Oddal|Przesuń w lewo|Przesuń w prawo|Przesuń w górę|Przesuń w dół|Zresetuj widok|Kopiuj obraz|Pobierz obraz",
  ro: "Copiază codul|Copiază promptul|Copiază|Copiat|Nu s-a putut copia|Extinde|Restrânge|Vizualizare|Filtrează|Intrări afișate|Mărește imaginea|Cod|Fișiere|Diagramă|Mărește|Micșorează|Mută la stânga|Mută la dreapta|Mută în sus|Mută în jos|Resetează vizualizarea|Copiază imaginea|Descarcă imaginea",
  ru: "Копировать код|Копировать промпт|Копировать|Скопировано|Не удалось скопировать|Развернуть|Свернуть|Вид|Фильтр|Показано записей|Увеличить изображение|Код|Файлы|Диаграмма|Приблизить|Отдалить|Сдвинуть влево|Сдвинуть вправо|Сдвинуть вверх|Сдвинуть вниз|Сбросить вид|Копировать изображение|Скачать изображение",
  sv: "Kopiera kod|Kopiera prompt|Kopiera|Kopierat|Kunde inte kopiera|Visa allt|Dölj|Vy|Filtrera|Poster som visas|Förstora bilden|Kod|Filer|Diagram|Zooma in|Zooma ut|Flytta åt vänster|Flytta åt höger|Flytta uppåt|Flytta nedåt|Återställ vyn|Kopiera bilden|Ladda ner bilden",
  tr: "Kodu kopyala|İstemi kopyala|Kopyala|Kopyalandı|Kopyalanamadı|Genişlet|Daralt|Görünüm|Filtrele|Gösterilen girdiler|Görseli büyüt|Kod|Dosyalar|Diyagram|Yakınlaştır|Uzaklaştır|Sola kaydır|Sağa kaydır|Yukarı kaydır|Aşağı kaydır|Görünümü sıfırla|Görseli kopyala|Görseli indir",
  uk: "Копіювати код|Копіювати промпт|Копіювати|Скопійовано|Не вдалося скопіювати|Розгорнути|Згорнути|Вигляд|Фільтр|Показано записів|Збільшити зображення|Код|Файли|Діаграма|Наблизити|Віддалити|Зсунути ліворуч|Зсунути праворуч|Зсунути вгору|Зсунути вниз|Скинути вигляд|Копіювати зображення|Завантажити зображення",
  uz: "Kodni nusxalash|Soʻrovni nusxalash|Nusxalash|Nusxalandi|Nusxalab boʻlmadi|Yoyish|Yigʻish|Koʻrinish|Saralash|Koʻrsatilgan yozuvlar|Rasmni kattalashtirish|Kod|Fayllar|Diagramma|Yaqinlashtirish|Uzoqlashtirish|Chapga surish|Oʻngga surish|Yuqoriga surish|Pastga surish|Koʻrinishni tiklash|Rasmni nusxalash|Rasmni yuklab olish",
  vi: "Sao chép mã|Sao chép câu lệnh|Sao chép|Đã sao chép|Không thể sao chép|Mở rộng|Thu gọn|Chế độ xem|Lọc|Mục đang hiển thị|Phóng to hình ảnh|Mã|Tệp|Sơ đồ|Phóng to|Thu nhỏ|Di chuyển sang trái|Di chuyển sang phải|Di chuyển lên|Di chuyển xuống|Đặt lại chế độ xem|Sao chép hình ảnh|Tải hình ảnh xuống",
};

export const word = translated(ENGLISH, OTHERS);
