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
  ja: "プレイグラウンド|閉じる|サーバー|認証|パスパラメータ|クエリパラメータ|ヘッダー|ボディ|送信|送信中…|必須|トークン|ユーザー名:パスワード|APIキー|レスポンス|レスポンスヘッダー|応答がありません|サーバーが他のサイトからのリクエストを許可していない可能性があります。|接続|切断|接続中…|接続しました|切断しました|メッセージ|メッセージ一覧|送信済み|受信|消去",
  zh: "调试台|关闭|服务器|授权|路径参数|查询参数|请求头|请求体|发送|正在发送…|必填|令牌|用户名:密码|API 密钥|响应|响应头|没有响应|服务器可能不允许来自其他站点的请求。|连接|断开|正在连接…|已连接|已断开|消息|消息记录|已发送|已收到|清空",
};

export const word = translated(ENGLISH, OTHERS);
