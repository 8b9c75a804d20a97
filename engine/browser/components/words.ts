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

/** In the order of the English words; what is left out at the end stays English. */
const OTHERS: Record<string, string> = {
  de: "Code kopieren|Prompt kopieren|Kopieren|Kopiert|Kopieren nicht möglich|Ausklappen|Einklappen|Ansicht|Filter|Angezeigte Einträge|Bild vergrößern|Code|Dateien|Diagramm|Vergrößern|Verkleinern|Nach links|Nach rechts|Nach oben|Nach unten|Ansicht zurücksetzen|Bild kopieren|Bild herunterladen",
  es: "Copiar código|Copiar prompt|Copiar|Copiado|No se pudo copiar|Ampliar|Contraer|Vista|Filtrar|Entradas mostradas|Ampliar imagen|Código|Archivos|Diagrama|Acercar|Alejar|Mover a la izquierda|Mover a la derecha|Mover arriba|Mover abajo|Restablecer vista|Copiar imagen|Descargar imagen",
  fr: "Copier le code|Copier le prompt|Copier|Copié|Copie impossible|Développer|Réduire|Vue|Filtrer|Entrées affichées|Agrandir l’image|Code|Fichiers|Diagramme|Zoom avant|Zoom arrière|Vers la gauche|Vers la droite|Vers le haut|Vers le bas|Réinitialiser la vue|Copier l’image|Télécharger l’image",
  it: "Copia codice|Copia prompt|Copia|Copiato|Copia non riuscita|Espandi|Comprimi|Vista|Filtra|Voci mostrate|Ingrandisci immagine|Codice|File|Diagramma|Ingrandisci|Riduci|Sposta a sinistra|Sposta a destra|Sposta in alto|Sposta in basso|Reimposta vista|Copia immagine|Scarica immagine",
  ja: "コードをコピー|プロンプトをコピー|コピー|コピーしました|コピーできませんでした|展開|折りたたむ|表示|絞り込み|表示件数|画像を拡大|コード|ファイル|図|拡大|縮小|左へ|右へ|上へ|下へ|表示をリセット|画像をコピー|画像をダウンロード",
  ko: "코드 복사|프롬프트 복사|복사|복사됨|복사할 수 없음|펼치기|접기|보기|필터|표시된 항목|이미지 확대|코드|파일|다이어그램|확대|축소|왼쪽으로|오른쪽으로|위로|아래로|보기 초기화|이미지 복사|이미지 다운로드",
  pt: "Copiar código|Copiar prompt|Copiar|Copiado|Não foi possível copiar|Expandir|Recolher|Visualização|Filtrar|Entradas exibidas|Ampliar imagem|Código|Arquivos|Diagrama|Ampliar|Reduzir|Mover para a esquerda|Mover para a direita|Mover para cima|Mover para baixo|Redefinir visualização|Copiar imagem|Baixar imagem",
  zh: "复制代码|复制提示词|复制|已复制|无法复制|展开|收起|视图|筛选|显示的条目|放大图片|代码|文件|图表|放大|缩小|左移|右移|上移|下移|重置视图|复制图片|下载图片",
  ar: "نسخ الشيفرة|نسخ الأمر|نسخ|تم النسخ|تعذّر النسخ|توسيع|طي",
  ca: "Copia el codi|Copia el prompt|Copia|Copiat|No s’ha pogut copiar|Amplia|Redueix",
  cs: "Kopírovat kód|Kopírovat prompt|Kopírovat|Zkopírováno|Nelze zkopírovat|Rozbalit|Sbalit",
  da: "Kopiér kode|Kopiér prompt|Kopiér|Kopieret|Kunne ikke kopiere|Fold ud|Fold sammen",
  fi: "Kopioi koodi|Kopioi kehote|Kopioi|Kopioitu|Kopiointi ei onnistunut|Laajenna|Supista",
  he: "העתקת קוד|העתקת ההנחיה|העתקה|הועתק|ההעתקה נכשלה|הרחבה|כיווץ",
  hi: "कोड कॉपी करें|प्रॉम्प्ट कॉपी करें|कॉपी करें|कॉपी हो गया|कॉपी नहीं हो सका|फैलाएँ|समेटें",
  hu: "Kód másolása|Prompt másolása|Másolás|Másolva|Nem sikerült másolni|Kibontás|Összecsukás",
  id: "Salin kode|Salin prompt|Salin|Tersalin|Tidak dapat menyalin|Bentangkan|Ciutkan",
  lv: "Kopēt kodu|Kopēt uzvedni|Kopēt|Nokopēts|Neizdevās nokopēt|Izvērst|Sakļaut",
  nl: "Code kopiëren|Prompt kopiëren|Kopiëren|Gekopieerd|Kopiëren mislukt|Uitklappen|Inklappen",
  no: "Kopier kode|Kopier prompt|Kopier|Kopiert|Kunne ikke kopiere|Utvid|Skjul",
  pl: "Kopiuj kod|Kopiuj prompt|Kopiuj|Skopiowano|Nie udało się skopiować|Rozwiń|Zwiń",
  ro: "Copiază codul|Copiază promptul|Copiază|Copiat|Nu s-a putut copia|Extinde|Restrânge",
  ru: "Копировать код|Копировать промпт|Копировать|Скопировано|Не удалось скопировать|Развернуть|Свернуть",
  sv: "Kopiera kod|Kopiera prompt|Kopiera|Kopierat|Kunde inte kopiera|Visa allt|Dölj",
  tr: "Kodu kopyala|İstemi kopyala|Kopyala|Kopyalandı|Kopyalanamadı|Genişlet|Daralt",
  uk: "Копіювати код|Копіювати промпт|Копіювати|Скопійовано|Не вдалося скопіювати|Розгорнути|Згорнути",
  uz: "Kodni nusxalash|Soʻrovni nusxalash|Nusxalash|Nusxalandi|Nusxalab boʻlmadi|Yoyish|Yigʻish",
  vi: "Sao chép mã|Sao chép câu lệnh|Sao chép|Đã sao chép|Không thể sao chép|Mở rộng|Thu gọn",
};

export const word = translated(ENGLISH, OTHERS);
