import { Script } from 'node:vm';
import { isNode, getName, type Node, type Statement, parseStatements, visit } from './syntax.ts';

interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface Linking {
  /** Exports of the file itself whose value changes: variable → exported name. */
  changing: ReadonlyMap<string, string>;
  /** The same of a file that it imports. */
  findChangingExports(source: string): ReadonlyMap<string, string>;
}

/** What esbuild writes for `import.meta`, which CommonJS does not have. */
export const IMPORT_META = {
  'import.meta.url': 'svcModuleUrl',
  'import.meta.dirname': '__dirname',
  'import.meta.resolve': 'require.resolve',
};
const MODULE_URL = " const svcModuleUrl = require('node:url').pathToFileURL(__filename).href;";

const toRequireCall = (source: string): string => `require(${JSON.stringify(source)})`;

/** As many lines as before: positions in stack traces and source maps stay. */
const inLines = (text: string, before: string): string =>
  text + '\n'.repeat(before.split('\n').length - 1);

/** `import …` as declarations; `live` gets what must be read at each use: variable → expression. */
function required(
  { source: { value: source }, specifiers }: Extract<Statement, { type: 'ImportDeclaration' }>,
  { findChangingExports }: Linking,
  live: Map<string, string>,
): string {
  const changing = new Set(findChangingExports(source).values());
  const bindings: string[] = [];
  let text = '';
  for (const specifier of specifiers) {
    const local = specifier.local.name;
    if (specifier.type === 'ImportNamespaceSpecifier')
      text += `const ${local} = ${toRequireCall(source)};`;
    else if (specifier.type === 'ImportDefaultSpecifier') {
      // The default of a module of Node is the module.
      const part = source.startsWith('.') ? '.default' : '';
      text += `const ${local} = ${toRequireCall(source)}${part};`;
    } else {
      const imported = getName(specifier.imported);
      if (changing.has(imported)) live.set(local, `${toRequireCall(source)}.${imported}`);
      else bindings.push(imported === local ? local : `${imported}: ${local}`);
    }
  }
  if (bindings.length > 0) text += `const { ${bindings.join(', ')} } = ${toRequireCall(source)};`;
  return text === '' ? `${toRequireCall(source)};` : text;
}

const formatExports = (
  { specifiers }: Extract<Statement, { type: 'ExportNamedDeclaration' }>,
  { changing }: Linking,
  live: ReadonlyMap<string, string>,
): string =>
  specifiers
    .map(({ local, exported: as }) => {
      const [variable, name] = [getName(local), getName(as)];
      const value = live.get(variable) ?? variable;
      return changing.has(variable) || live.has(variable)
        ? `Object.defineProperty(exports, ${JSON.stringify(name)}, { enumerable: true, get: () => ${value} });`
        : `exports.${name} = ${value};`;
    })
    .join(' ');

/** What an import or export becomes, and where; null = it is another statement. */
function linkImports(
  file: string,
  statement: Statement,
  source: string,
  linking: Linking,
  live: ReadonlyMap<string, string>,
): Edit | null {
  const { start, end } = statement;
  if (statement.type === 'ExportNamedDeclaration') {
    if (statement.source !== null || statement.declaration !== null)
      throw new Error(`${file}: an export of another form than esbuild writes`);
    return {
      start,
      end,
      text: inLines(formatExports(statement, linking, live), source.slice(start, end)),
    };
  }
  if (statement.type === 'ExportDefaultDeclaration') {
    const to = statement.declaration.start;
    return { start, end: to, text: inLines('exports.default = ', source.slice(start, to)) };
  }
  if (statement.type === 'ExportAllDeclaration')
    throw new Error(`${file}: it exports names that it does not know`);
  return null;
}

/**
 * What an `import()` of something outside of the build becomes. V8 forgets how a script imports where
 * its code comes out of a cache, so the loader with the cache imports for it.
 */
const OUTSIDE_IMPORT = '(require.import ?? ((id) => import(id)))(';

/** `import('./…')` of another file of the build, or of what is outside of it. */
function lateImport(node: Node, text: string): Edit | null {
  if (node.type !== 'ImportExpression' || !isNode(node.source)) return null;
  const { start, end } = node;
  const { value } = node.source;
  if (typeof value === 'string' && value.startsWith('.'))
    return { start, end, text: `Promise.resolve().then(() => ${toRequireCall(value)})` };
  const argument = node.source.start;
  return { start, end: argument, text: inLines(OUTSIDE_IMPORT, text.slice(start, argument)) };
}

function liveUse(node: Node, parent: Node | null, live: ReadonlyMap<string, string>): Edit | null {
  const expression = node.type === 'Identifier' ? live.get(String(node.name)) : undefined;
  if (expression === undefined || parent === null) return null;
  const { start, end } = node;
  const isMember = parent.type === 'MemberExpression' && parent.property === node;
  const isKey = parent.type === 'Property' && parent.key === node && parent.computed !== true;
  if (isMember && parent.computed !== true) return null;
  if (isKey) return parent.shorthand ? { start, end, text: `${node.name}: ${expression}` } : null;
  return { start, end, text: expression };
}

function applyEdits(source: string, edits: readonly Edit[]): string {
  let text = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    text += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + source.slice(at);
}

/**
 * An ES module as esbuild writes it, as CommonJS with the same lines: Node 20 caches compiled code
 * only for CommonJS. Imports are constants with their value at load time, except exports that
 * change. Throws for a file that is not such a module, or that awaits outside of functions.
 */
export function asCommonJs(file: string, source: string, linking: Linking): string {
  const body = parseStatements(source);
  const edits: Edit[] = [];
  const live = new Map<string, string>();
  let imports = '';
  for (const statement of body) {
    const { start, end } = statement;
    if (statement.type === 'ImportDeclaration') {
      // To the front, where an ES module has them too.
      imports += ` ${required(statement, linking, live)}`;
      edits.push({ start, end, text: inLines('', source.slice(start, end)) });
    } else {
      const edit = linkImports(file, statement, source, linking, live);
      if (edit) edits.push(edit);
    }
  }
  if (live.size > 0 || source.includes('import('))
    for (const statement of body) {
      if (statement.type === 'ImportDeclaration') continue;
      visit(statement, (node, parent) => {
        const edit = lateImport(node, source) ?? liveUse(node, parent, live);
        if (edit) edits.push(edit);
      });
    }
  const text = applyEdits(source, edits);
  const wrapped = `"use strict";${text.includes('svcModuleUrl') ? MODULE_URL : ''}${imports}${text}`;
  try {
    // Otherwise the first user would find an await outside of functions.
    new Script(`(function (exports, require, module, __filename, __dirname) { ${wrapped}\n})`);
  } catch (error) {
    throw new Error(`${file} cannot be CommonJS: ${String(error)}`, { cause: error });
  }
  return wrapped;
}
