/**
 * Code in languages that a repository describes itself, by TextMate grammars.
 *
 *     grammars.learn(json)         a list of grammars
 *     grammars.read(scope, code)   -> JSON: for each line its pieces, [scopes, text]
 *
 * A pattern without a counterpart in JavaScript's expressions is skipped.
 */
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { INITIAL, Registry, type IRawGrammar } from "@shikijs/vscode-textmate";

const known = new Map<string, IRawGrammar>();
const expressions = createJavaScriptRegexEngine({ forgiving: true });
const registry = new Registry({
  onigLib: {
    createOnigScanner: (patterns) => expressions.createScanner(patterns),
    createOnigString: (text) => expressions.createString(text),
  },
  loadGrammar: (scope) => known.get(scope),
});

function learn(json: string): void {
  for (const grammar of JSON.parse(json) as IRawGrammar[]) known.set(grammar.scopeName, grammar);
}

function read(scope: string, code: string): string {
  const grammar = registry.loadGrammar(scope);
  let state = INITIAL;
  const lines = code.split("\n").map((line) => {
    const found = grammar!.tokenizeLine(line, state);
    state = found.ruleStack;
    return found.tokens.map(({ scopes, startIndex, endIndex }) => [
      scopes.join(" "),
      line.slice(startIndex, endIndex),
    ]);
  });
  return JSON.stringify(lines);
}

(globalThis as unknown as Record<string, unknown>).grammars = { learn, read };
