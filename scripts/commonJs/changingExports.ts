import { isNode, getName, type Statement, parseStatements, visit } from './syntax.ts';

const mapExports = (body: readonly Statement[]): Map<string, string> =>
  new Map(
    body.flatMap((statement) =>
      statement.type === 'ExportNamedDeclaration'
        ? statement.specifiers.map(
            ({ local, exported }) => [getName(local), getName(exported)] as const,
          )
        : [],
    ),
  );

/** Whether a text may write to a variable elsewhere than where it is declared. */
function mayWrite(source: string, name: string): boolean {
  const escaped = name.replaceAll('$', '\\$');
  const write = new RegExp(
    `(?<![.\\w$]|\\b(?:var|let|const) )${escaped}\\s*(?:=(?![=>])|\\+\\+|--|[-+*/%&|^?<>]{1,3}=)|(?:\\+\\+|--)${escaped}\\b`,
  );
  return write.test(source);
}

/**
 * Names that a file exports and writes to after their declaration: variable → exported name. esbuild
 * gives no inner variable the name of an outer one, so that the name is enough.
 */
export function changingExports(source: string): Map<string, string> {
  const body = parseStatements(source);
  const names = [...mapExports(body)].filter(([local]) => mayWrite(source, local));
  const changing = new Map<string, string>();
  if (names.length === 0) return changing;
  const candidates = new Map(names);
  for (const statement of body)
    visit(statement, ({ type, left, argument }) => {
      const target =
        type === 'AssignmentExpression' ? left : type === 'UpdateExpression' ? argument : null;
      if (!isNode(target) || target.type !== 'Identifier') return;
      const local = String(target.name);
      const exported = candidates.get(local);
      if (exported !== undefined) changing.set(local, exported);
    });
  return changing;
}
