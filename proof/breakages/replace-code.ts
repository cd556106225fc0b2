import ts from 'typescript';

/** A change of a source, which breaks the engine on purpose. */
export interface Replacement {
  /** Code that the source, or the declaration, holds exactly once. White space, comments and last commas do not count. */
  readonly from: string;
  readonly to: string;
  /** The declaration that holds it, as `name` or `Class.method`; by default the whole file. */
  readonly in?: string | undefined;
}

/** @returns undefined if the code is not there, or is there several times: then it is unknown what would be broken. */
export function replaceCode(source: string, { from, to, in: place }: Replacement): string | undefined {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const declarations = place === undefined ? [file] : declarationsOf(file, place.split('.'));
  const [declaration] = declarations;
  if (!declaration || declarations.length > 1) return undefined;
  const positions = significantPositions(declaration, file);
  const code = positions.map((at) => source[at]).join('');
  // A comma at its end may be a last one.
  const wanted = from.replaceAll(/\s/g, '').replaceAll(/,(?=[)\]}]|$)/g, '');
  const found = code.indexOf(wanted);
  if (found < 0 || code.includes(wanted, found + 1)) return undefined;
  const begin = positions[found] ?? 0;
  const rest = source.slice((positions[found + wanted.length - 1] ?? 0) + 1);
  const isItem = from.trimEnd().endsWith(',');
  return source.slice(0, begin) + to + (isItem ? rest.replace(/^\s*,/, '') : rest);
}

function declarationsOf(node: ts.Node, [name, ...inner]: readonly string[]): ts.Node[] {
  if (name === undefined) return [node];
  return descendants(node)
    .filter((each) => nameOf(each) === name)
    .flatMap((each) => declarationsOf(each, inner));
}

function descendants(node: ts.Node): ts.Node[] {
  const all: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    all.push(child);
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return all;
}

function nameOf(node: ts.Node): string | undefined {
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isVariableDeclaration(node);
  return isNamed && node.name ? node.name.getText() : undefined;
}

/** Where the characters stand that no formatter moves: those of tokens, without white space and last commas. */
function significantPositions(node: ts.Node, file: ts.SourceFile): number[] {
  const tokens = tokensOf(node, file);
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1]?.getText(file) ?? '';
    if (token.kind === ts.SyntaxKind.CommaToken && /^[)\]}]$/.test(next)) return [];
    const begin = token.getStart(file);
    return Array.from({ length: token.end - begin }, (_, n) => begin + n).filter(
      (position) => !/\s/.test(file.text[position] ?? ''),
    );
  });
}

function tokensOf(node: ts.Node, file: ts.SourceFile): ts.Node[] {
  if (ts.isJSDoc(node)) return [];
  const children = node.getChildren(file);
  return children.length === 0 ? [node] : children.flatMap((child) => tokensOf(child, file));
}
