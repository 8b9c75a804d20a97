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
  ja: "質問する|アシスタント|質問を入力|送信|停止|閉じる|新しいチャット|コピー|コピーしました|もう一度|役に立った|役に立たなかった|何が足りませんでしたか（任意）|ありがとうございます。|出典|ドキュメントを検索しています…|停止しました。|回答が中断されました|回答はこのドキュメントから、出典とともに示されます。|これについて質問|対象|外す|あなたの質問|続きを表示|質問の例|このコードについて質問|サポートに連絡|近いページ",
  zh: "提问|助手|输入问题|发送|停止|关闭|新对话|复制|已复制|重试|有帮助|没有帮助|缺少什么？（可选）|谢谢。|来源|正在查阅文档…|已停止。|回答中断|回答来自本文档，并附有来源。|询问此内容|关于|移除|你的问题|显示其余内容|建议|询问此代码|联系支持|最相近的页面",
};

export const word = translated(ENGLISH, OTHERS);
