import { createRequire } from 'node:module';
import path from 'node:path';
import { Language as Grammar, Parser, type Tree } from 'web-tree-sitter';

const PARSE_MILLISECONDS = 3000;
const require = createRequire(import.meta.url);
/** Grammars that @vscode/tree-sitter-wasm lacks. */
const OWN_PACKAGES: Record<string, () => string> = {
  c: () => require.resolve('tree-sitter-c/tree-sitter-c.wasm'),
  kotlin: () => require.resolve('@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm'),
};

/** Parses with tree-sitter grammars, each loaded when it is first needed. */
export class SyntaxTrees {
  private parser: Promise<Parser> | undefined;
  private readonly grammars = new Map<string, Promise<Grammar>>();

  /** What `read` makes of the tree; undefined where the grammar cannot be had or parsing takes too long. */
  async parse<T>(text: string, grammar: string, read: (tree: Tree) => T): Promise<T | undefined> {
    try {
      this.parser ??= Parser.init().then(() => new Parser());
      const parser = await this.parser;
      parser.setLanguage(await this.grammar(grammar));
      const deadline = performance.now() + PARSE_MILLISECONDS;
      // The callback's result stops the parser, though the types say that it gives none.
      const progressCallback = () => performance.now() > deadline;
      const tree = parser.parse(text, null, { progressCallback });
      if (!tree) {
        parser.reset();
        return undefined;
      }
      try {
        return read(tree);
      } finally {
        tree.delete();
      }
    } catch {
      return undefined;
    }
  }

  private grammar(name: string): Promise<Grammar> {
    let grammar = this.grammars.get(name);
    if (!grammar) {
      grammar = Grammar.load(OWN_PACKAGES[name]?.() ?? sharedGrammar(name));
      this.grammars.set(name, grammar);
    }
    return grammar;
  }
}

function sharedGrammar(name: string): string {
  const root = path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json'));
  return path.join(root, 'wasm', `tree-sitter-${name}.wasm`);
}
