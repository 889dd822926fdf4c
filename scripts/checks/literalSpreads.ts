import ts from 'typescript';
import type { Check } from './check.ts';
import { read, sourceFiles } from './projectFiles.ts';

/** Only these files are worth parsing: a spread of something that begins like a literal. */
const CANDIDATE = /\.\.\.\s*\(*\s*[{[]/;

const unwrapped = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ? unwrapped(node.expression) : node;

const isLiteralSpread = (node: ts.Node): boolean => {
  if (ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node))
    return ts.isObjectLiteralExpression(unwrapped(node.expression));
  return ts.isSpreadElement(node) && ts.isArrayLiteralExpression(unwrapped(node.expression));
};

/**
 * Places where a literal is spread into a literal, `{ ...{ a, b } }` or `[...['x']]`. That switches
 * off the compiler's check for unknown properties and adds nothing.
 */
export function literalSpreads(file: string, text: string): string[] {
  if (!CANDIDATE.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isLiteralSpread(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      problems.push(
        `${file}:${line + 1}: a literal is spread into a literal: write out its members.`,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

export const spreads: Check = {
  name: 'spreads',
  async run() {
    const files = sourceFiles().filter((file) => !file.endsWith('.css'));
    return {
      looked: files.length,
      at: 'source files',
      problems: files.flatMap((file) => literalSpreads(file, read(file))),
    };
  },
};
