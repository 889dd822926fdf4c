import ts from 'typescript';

export interface ModuleFunction {
  name: string;
  /** 1-based. */
  line: number;
  isExported: boolean;
}

const unwrapExpression = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node) || ts.isAsExpression(node)
    ? unwrapExpression(node.expression)
    : node;

const isFunctionValue = (node: ts.Expression | undefined): boolean => {
  if (!node) return false;
  const value = unwrapExpression(node);
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value);
};

const isExportedStatement = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const listNames = (statement: ts.Statement): ts.Identifier[] => {
  if (ts.isFunctionDeclaration(statement))
    return statement.body && statement.name ? [statement.name] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && isFunctionValue(initializer) ? [name] : [],
  );
};

/** The functions that a module declares at its top level, with those it does not export. */
export function readFunctions(file: string, text: string): ModuleFunction[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) =>
    listNames(statement).map((name) => ({
      name: name.text,
      line: source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1,
      isExported: isExportedStatement(statement),
    })),
  );
}
