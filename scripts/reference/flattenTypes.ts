import ts from 'typescript';

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableStatement;

export interface TypeRoots {
  file: string;
  names: readonly string[];
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: ['node'],
};

const WRITTEN_OUT =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals |
  ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/** All nodes of a kind within a node, itself included, in the order of the text. */
function nodesIn<Kind extends ts.Node>(node: ts.Node, is: (one: ts.Node) => one is Kind): Kind[] {
  const nodes: Kind[] = is(node) ? [node] : [];
  ts.forEachChild(node, (child) => {
    nodes.push(...nodesIn(child, is));
  });
  return nodes;
}

function typeNamesIn(node: ts.Node): ts.Identifier[] {
  const [strange] = nodesIn(node, ts.isImportTypeNode);
  if (strange !== undefined) throw new Error(`cannot flatten ${strange.getText()}`);
  return [
    ...nodesIn(node, ts.isTypeReferenceNode).map(({ typeName }) => typeName),
    ...nodesIn(node, ts.isExpressionWithTypeArguments).map(({ expression }) => expression),
  ].filter(ts.isIdentifier);
}

const formatComment = (node: ts.Node): string =>
  node.getSourceFile().text.slice(node.getStart(undefined, true), node.getStart());

/** The declaration in the project; undefined for types of libraries and for type parameters. */
function findDeclaration(symbol: ts.Symbol): Declaration | undefined {
  const isType = (symbol.flags & ts.SymbolFlags.Type) !== 0;
  return (symbol.declarations ?? [])
    .map((one) => (ts.isVariableDeclaration(one) ? one.parent.parent : one))
    .find(
      (one): one is Declaration =>
        (ts.isInterfaceDeclaration(one) ||
          ts.isTypeAliasDeclaration(one) ||
          (!isType && ts.isVariableStatement(one))) &&
        !one.getSourceFile().fileName.includes('/node_modules/'),
    );
}

/** Prints a type; members of unions in the order of the alphabet, `null` last. */
function typeText(node: ts.TypeNode, source: ts.SourceFile): string {
  const printer = ts.createPrinter({ removeComments: true });
  const print = (one: ts.Node) => printer.printNode(ts.EmitHint.Unspecified, one, source);
  const { transformed } = ts.transform<ts.Node>(node, [
    (context) => (root) => {
      const visit = (one: ts.Node): ts.Node => {
        const inner = ts.visitEachChild(one, visit, context);
        if (!ts.isUnionTypeNode(inner)) return inner;
        const key = (member: ts.TypeNode) => (print(member) === 'null' ? '~' : print(member));
        return ts.factory.createUnionTypeNode(
          [...inner.types].sort((a, b) => (key(a) < key(b) ? -1 : 1)),
        );
      };
      return visit(root);
    },
  ]);
  return transformed.map(print).join('').replaceAll('    ', '  ');
}

/**
 * Flattens exports of modules, and every type of the project that they name, into one
 * self-contained TypeScript text, doc comments included. Types that are derived from values
 * (TypeBox schemas, lists of constants) are written out. `instead`: texts in place of some
 * declarations. Throws Error for a root that does not exist and for types that cannot be flattened.
 */
export function flattenTypes(
  roots: readonly TypeRoots[],
  instead: Readonly<Record<string, string>> = {},
): string {
  const program = ts.createProgram(
    roots.map(({ file }) => file),
    OPTIONS,
  );
  const checker = program.getTypeChecker();
  const names = new Map<ts.Symbol, string>();

  const resolveAlias = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  /** The name within the text: its own, or the name of the import if that is taken. */
  function chooseName(symbol: ts.Symbol, local: string): string {
    const usedNames = new Set(names.values());
    const name = names.get(symbol) ?? [symbol.name, local].find((one) => !usedNames.has(one));
    if (name === undefined) throw new Error(`two types have the name ${symbol.name}`);
    names.set(symbol, name);
    return name;
  }

  /** The text of a declaration with the names that its types have here. */
  function copyDeclaration(node: Declaration, own: string): string {
    const start = node.getStart(undefined, true);
    const renamed = typeNamesIn(node).flatMap((at) => {
      const symbol = checker.getSymbolAtLocation(at);
      const target = symbol && resolveAlias(symbol);
      if (target === undefined || findDeclaration(target) === undefined) return [];
      return [{ at, name: chooseName(target, at.text) }];
    });
    if (!ts.isVariableStatement(node)) renamed.push({ at: node.name, name: own });
    return renamed
      .sort((a, b) => b.at.getStart() - a.at.getStart())
      .reduce(
        (text, { at, name }) =>
          text.slice(0, at.getStart() - start) + name + text.slice(at.getEnd() - start),
        node.getSourceFile().text.slice(start, node.getEnd()),
      );
  }

  /** A type that is derived from values, without them; their comment where it has none. */
  function writtenOut(node: ts.TypeAliasDeclaration, own: string): string {
    const [value] = nodesIn(node, ts.isTypeQueryNode).flatMap(({ exprName }) => {
      const symbol = checker.getSymbolAtLocation(exprName);
      return symbol === undefined
        ? []
        : (resolveAlias(symbol).valueDeclaration?.parent.parent ?? []);
    });
    const type = checker.typeToTypeNode(checker.getTypeAtLocation(node.name), node, WRITTEN_OUT);
    if (type === undefined) throw new Error(`cannot write out ${own}`);
    const comment = formatComment(node) || (value === undefined ? '' : formatComment(value));
    return `${comment}export type ${own} = ${typeText(type, node.getSourceFile())};`;
  }

  for (const { file, names: rootNames } of roots) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const exported = module ? checker.getExportsOfModule(module) : [];
    for (const name of rootNames) {
      const symbol = exported.find((one) => one.name === name);
      if (symbol === undefined) throw new Error(`${file} has no export ${name}`);
      chooseName(resolveAlias(symbol), name);
    }
  }

  const texts: string[] = [];
  // Names grow while declarations are copied, and a Map yields entries added during iteration.
  for (const [symbol, own] of names) {
    const node = findDeclaration(symbol);
    if (node === undefined) throw new Error(`cannot flatten ${own}`);
    const isDerived =
      ts.isTypeAliasDeclaration(node) && nodesIn(node, ts.isTypeQueryNode).length > 0;
    const text = instead[own] ?? (isDerived ? writtenOut(node, own) : copyDeclaration(node, own));
    texts.push(text.replace(/^(?=interface |type )/m, 'export '));
  }
  return `${texts.join('\n\n')}\n`;
}
