/** The request as code, in the language that the reader chose last on this site. */
import { copyButton } from "../components/copy";
import { make } from "../components/dom";
import { latestOf, remember } from "../components/memory";
import { colored } from "../components/tokens";
import { word as pageWord } from "../components/words";
import { formText, type Content, type Request } from "./request";
import { word } from "./words";

type Writer = (request: Request) => string;

export class RequestSample {
  readonly element: HTMLElement;
  private readonly select: HTMLSelectElement;
  private readonly code = make("pre", { tabindex: "0", role: "group", "aria-label": word("request") });
  private request?: Request;

  constructor() {
    const titles = Object.keys(WRITERS);
    this.select = make("select", { "aria-label": word("request") }, ...titles.map((each) => make("option", {}, each)));
    this.select.selectedIndex = Math.max(0, latestOf(titles));
    this.select.addEventListener("change", () => {
      remember(this.select.value);
      this.show(this.request);
    });
    const copy = copyButton(pageWord("copyCode"), () => this.code.textContent ?? "");
    const head = make("div", { class: "ds-code-head" }, make("span", {}, word("request")), this.select);
    this.element = make("div", { class: "ds-code ds-playground-code" }, head, this.code, copy);
  }

  /** Lines that name the focused field are marked. */
  show(request: Request | undefined, field = ""): void {
    this.request = request;
    if (!request) return;
    const code = colored(WRITERS[this.select.value]!(request));
    this.code.replaceChildren(code);
    if (field) markLines(code, field);
  }
}

function markLines(code: HTMLElement, field: string): void {
  const lines = splitLines(code);
  for (const line of lines) {
    if (line.textContent?.includes(field)) line.classList.add("ds-hl");
  }
  code.replaceChildren(...lines);
}

/** The tokens of a code in an element for each line. */
function splitLines(code: HTMLElement): HTMLElement[] {
  const lines = [make("span", { class: "ds-line" })];
  for (const node of [...code.childNodes]) {
    (node.textContent ?? "").split("\n").forEach((text, number) => {
      if (number) {
        lines.at(-1)!.append("\n");
        lines.push(make("span", { class: "ds-line" }));
      }
      const name = (node as Element).className;
      if (text) lines.at(-1)!.append(name ? make("span", { class: name }, text) : text);
    });
  }
  return lines;
}

const quoted = (text: string) => JSON.stringify(text);
const single = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const isFile = (value: string | File): value is File => typeof value !== "string";

function textOf(content: Content | undefined): string | undefined {
  if (!content) return undefined;
  return content.parts ? formText(content.parts) : content.text;
}

const isMultipart = ({ content }: Request) => Boolean(content?.parts && content.kind.startsWith("multipart/"));

function curl(request: Request): string {
  const { method, url, headers, content } = request;
  const lines = method === "GET" ? [`curl --url ${shell(url)}`] : [`curl --request ${method}`, `  --url ${shell(url)}`];
  for (const [name, value] of headers) lines.push(`  --header ${shell(`${name}: ${value}`)}`);
  if (isMultipart(request)) {
    for (const [name, value] of content!.parts!) lines.push(`  --form ${shell(`${name}=${isFile(value) ? `@${value.name}` : value}`)}`);
  } else if (content) lines.push(`  --data ${shell(textOf(content) ?? "")}`);
  return lines.join(" \\\n");
}

function python(request: Request): string {
  const { method, url, headers, content } = request;
  const lines = ["import requests", "", `url = ${quoted(url)}`];
  const given = ["url"];
  const table = (pairs: [string, string][]) => `{\n${pairs.map(([name, value]) => `    ${quoted(name)}: ${value},\n`).join("")}}`;
  if (isMultipart(request)) {
    const value = (each: string | File) => (isFile(each) ? `open(${quoted(each.name)}, "rb")` : `(None, ${quoted(each)})`);
    lines.push(`files = ${table(content!.parts!.map(([name, each]) => [name, value(each)]))}`);
    given.push("files=files");
  } else if (content) {
    lines.push(`payload = ${quoted(textOf(content) ?? "")}`);
    given.push("data=payload");
  }
  if (headers.length) {
    lines.push(`headers = ${table(headers.map(([name, value]) => [name, quoted(value)]))}`);
    given.push("headers=headers");
  }
  lines.push("", `response = requests.${method.toLowerCase()}(${given.join(", ")})`, "", "print(response.text)");
  return lines.join("\n");
}

function javascript(request: Request): string {
  const { method, url, headers, content } = request;
  const options = [`method: ${quoted(method)}`];
  if (headers.length) options.push(`headers: ${JSON.stringify(Object.fromEntries(headers), null, 2).replaceAll("\n", "\n  ")}`);
  const before: string[] = [];
  if (isMultipart(request)) {
    before.push("const form = new FormData();");
    for (const [name, value] of content!.parts!) {
      const file = isFile(value) ? `new Blob([/* bytes */]), ${quoted(value.name)}` : quoted(value);
      before.push(`form.append(${quoted(name)}, ${file});`);
    }
    options.push("body: form");
  } else if (content) {
    const isJson = content.kind.includes("json") && /^\s*[[{]/.test(content.text ?? "");
    const text = textOf(content) ?? "";
    options.push(`body: ${isJson ? `JSON.stringify(${text.replaceAll("\n", "\n  ")})` : quoted(text)}`);
  }
  const call = `const response = await fetch(${quoted(url)}, {\n  ${options.join(",\n  ")},\n});`;
  return [...before, call, "", "console.log(await response.json());"].join("\n");
}

/** Languages below send the bytes of a form as they are, in a few words. */
function raw(request: Request): [[string, string][], string | undefined] {
  const { content, headers } = request;
  if (!isMultipart(request)) return [headers, textOf(content)];
  return [[...headers, ["Content-Type", "multipart/form-data; boundary=X"]], "--X …"];
}

function php(request: Request): string {
  const [headers, text] = raw(request);
  const lines = [`CURLOPT_URL => ${single(request.url)}`, "CURLOPT_RETURNTRANSFER => true"];
  lines.push(`CURLOPT_CUSTOMREQUEST => ${single(request.method)}`);
  if (headers.length) lines.push(`CURLOPT_HTTPHEADER => [\n${headers.map(([k, v]) => `    ${single(`${k}: ${v}`)},\n`).join("")}  ]`);
  if (text !== undefined) lines.push(`CURLOPT_POSTFIELDS => ${single(text)}`);
  return `<?php\n\n$curl = curl_init();\n\ncurl_setopt_array($curl, [\n  ${lines.join(",\n  ")},\n]);\n\n$response = curl_exec($curl);\n\necho $response;`;
}

function go(request: Request): string {
  const [headers, text] = raw(request);
  const hasText = text !== undefined;
  const imports = ["fmt", "io", "net/http", ...(hasText ? ["strings"] : [])].map((each) => `\t"${each}"\n`).join("");
  const payload = hasText ? `\tpayload := strings.NewReader(${text.includes("`") ? quoted(text) : `\`${text}\``})\n` : "";
  const added = headers.map(([k, v]) => `\treq.Header.Add(${quoted(k)}, ${quoted(v)})\n`).join("");
  const made = `\treq, _ := http.NewRequest(${quoted(request.method)}, ${quoted(request.url)}, ${hasText ? "payload" : "nil"})\n`;
  return `package main\n\nimport (\n${imports})\n\nfunc main() {\n${payload}${made}${added}\n\tres, _ := http.DefaultClient.Do(req)\n\tdefer res.Body.Close()\n\tbody, _ := io.ReadAll(res.Body)\n\n\tfmt.Println(string(body))\n}`;
}

function java(request: Request): string {
  const [headers, text] = raw(request);
  const added = headers.map(([k, v]) => `\n    .header(${quoted(k)}, ${quoted(v)})`).join("");
  const publisher = `HttpRequest.BodyPublishers.${text === undefined ? "noBody()" : `ofString(${quoted(text)})`}`;
  return `HttpRequest request = HttpRequest.newBuilder()\n    .uri(URI.create(${quoted(request.url)}))${added}\n    .method(${quoted(request.method)}, ${publisher})\n    .build();\nHttpResponse<String> response = HttpClient.newHttpClient()\n    .send(request, HttpResponse.BodyHandlers.ofString());\n\nSystem.out.println(response.body());`;
}

function ruby(request: Request): string {
  const [headers, text] = raw(request);
  const method = request.method[0] + request.method.slice(1).toLowerCase();
  const added = headers.map(([k, v]) => `request[${single(k)}] = ${single(v)}\n`).join("");
  const body = text === undefined ? "" : `request.body = ${single(text)}\n`;
  return `require 'net/http'\nrequire 'uri'\n\nurl = URI(${single(request.url)})\nrequest = Net::HTTP::${method}.new(url)\n${added}${body}\nresponse = Net::HTTP.start(url.host, url.port, use_ssl: url.scheme == 'https') do |http|\n  http.request(request)\nend\n\nputs response.read_body`;
}

/** By the titles of the samples on pages, which are remembered together. */
const WRITERS: Record<string, Writer> = {
  cURL: curl,
  Python: python,
  JavaScript: javascript,
  PHP: php,
  Go: go,
  Java: java,
  Ruby: ruby,
};
