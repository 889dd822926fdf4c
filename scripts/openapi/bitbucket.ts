import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import type { Exchange } from '../../test/support/forges/exchanges.ts';
import { chooseExchanges, type ExchangeChecker } from './exchangeChecker.ts';

/** Holds Atlassian's description of Bitbucket Cloud, as types. */
const TYPES = '@coderabbitai/bitbucket@1.1.4';

/** What svc asks, as the description writes it. */
const TEMPLATES = [
  '/user',
  '/workspaces/{workspace}/members',
  '/workspaces/{workspace}/members/{member}',
  '/workspaces/{workspace}/pullrequests/{selected_user}',
  '/repositories/{workspace}/{repo_slug}',
  '/repositories/{workspace}/{repo_slug}/src',
  '/repositories/{workspace}/{repo_slug}/commit/{commit}',
  '/repositories/{workspace}/{repo_slug}/diff/{spec}',
  '/repositories/{workspace}/{repo_slug}/pullrequests',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/activity',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/approve',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments/{comment_id}',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments/{comment_id}/resolve',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/request-changes',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/diff',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/merge',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/merge/task-status/{task_id}',
  '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/statuses',
].map((template) => ({
  template,
  pattern: new RegExp(`^/2\\.0${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Of every list and answer, in the text of the description: pages, filters, sorting, fields. */
const EVERYWHERE = new Set(['page', 'pagelen', 'q', 'sort', 'fields']);
/** A form whose names are the paths of files. */
const FORM = 'application/x-www-form-urlencoded';

const getPath = ({ path }: Exchange): string => path.replace(/\?.*/, '');
const findTemplate = (one: Exchange): string | undefined =>
  TEMPLATES.find(({ pattern }) => pattern.test(getPath(one)))?.template;
/** An exchange that the description lacks is named without the parts that vary. */
const getTemplateName = (one: Exchange): string =>
  `${one.method} ${
    findTemplate(one) ??
    getPath(one)
      .replace(/^\/2\.0\/repositories\/[^/]+\/[^/]+/, '/repositories/…')
      .replaceAll(/\/\d+/g, '/…')
  }`;

/** Values of the query, as the types want them. */
function parseQuery({ path }: Exchange): Record<string, unknown> {
  const { searchParams } = new URL(path, 'http://bitbucket');
  const names = [...new Set(searchParams.keys())].filter((name) => !EVERYWHERE.has(name));
  return Object.fromEntries(
    names.map((name) => {
      // A name may be repeated, which the types do not show.
      const value = searchParams.get(name);
      return [name, value === 'true' || value === 'false' ? value === 'true' : value];
    }),
  );
}

/** One exchange as assignments that the compiler checks by the description's types. */
function assignments(exchange: Exchange, n: number): string {
  const { method, body, headers, answer } = exchange;
  const of = `paths[${JSON.stringify(findTemplate(exchange))}][${JSON.stringify(method.toLowerCase())}]`;
  const lines = [`// ${getTemplateName(exchange)}`];
  const query = parseQuery(exchange);
  if (Object.keys(query).length > 0)
    lines.push(`export const q${n}: Query<${of}> = ${JSON.stringify(query)};`);
  if (body !== '' && body !== '{}' && headers['content-type'] !== FORM)
    lines.push(`export const r${n}: Body<${of}> = ${body};`);
  const json = answer.body !== null && /^\s*\{/.test(answer.body) ? answer.body : null;
  if (json !== null && answer.status < 300)
    lines.push(`export const a${n}: Answer<${of}, ${answer.status}> = ${json.trim()};`);
  lines.push(`export type O${n} = ${of};`);
  return lines.map((line) => line.replaceAll('\n', ' ')).join('\n');
}

/**
 * `type` is left out: the types demand the name of the description's own type where Bitbucket takes
 * none and answers another one (`user` for an account). Answers may lack anything, since the fakes
 * give what svc reads.
 */
const PRELUDE = `
import type { paths } from './node_modules/@coderabbitai/bitbucket/dist/cloud/openapi/openapi-typescript.d.ts';
type Part<T> = T extends readonly (infer U)[] ? readonly Part<U>[] : T extends object ? { readonly [K in keyof T as K extends 'type' ? never : K]?: Part<T[K]> | null } & { readonly type?: string } : T;
type Sent<T> = T extends readonly (infer U)[] ? readonly Sent<U>[] : T extends object ? { readonly [K in keyof T as K extends 'type' ? never : K]: Sent<T[K]> } & { readonly type?: string } : T;
type Query<O> = O extends { parameters: { query?: infer Q } } ? Q : never;
type Body<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? Sent<B> : never;
type Answer<O, S extends number> = O extends { responses: infer R } ? S extends keyof R ? R[S] extends { content: { 'application/json': infer A } } ? Part<A> : unknown : unknown : never;
`;

function checkAll(all: readonly Exchange[], folder: string) {
  const exchanges = chooseExchanges(all, getTemplateName);
  const described = exchanges.filter((one) => findTemplate(one) !== undefined);
  const sources = described.map((one, n) => assignments(one, n));
  const text = `${PRELUDE}\n${sources.join('\n')}\n`;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'exchanges.ts');
  writeFileSync(file, text);
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    types: [],
  });
  const lines = text.split('\n');
  const source = program.getSourceFile(resolve(file));
  const failures = new Set<string>();
  for (const { start = 0, messageText } of ts.getPreEmitDiagnostics(program, source)) {
    const { line } = ts.getLineAndCharacterOfPosition(source as ts.SourceFile, start);
    const title = lines.slice(0, line + 1).findLast((one) => one.startsWith('// ')) ?? '// ';
    const why = ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 400);
    failures.add(`${title.slice(3)}: ${why}`);
  }
  const unknown = exchanges.filter((one) => findTemplate(one) === undefined).map(getTemplateName);
  return Promise.resolve({
    operations: new Set(described.map(getTemplateName)),
    checked: described.length,
    failures: [...failures],
    uncovered: [
      ...[...new Set(unknown)].map((one) => `${one}: newer than the description`),
      'the form of POST src: its names are paths of files',
      'the member type: the description names its own types there',
    ],
  });
}

export const bitbucket: ExchangeChecker = {
  provider: 'bitbucket',
  packages: [],
  unpacked: [TYPES],
  tests: ['test/providers/contract/bitbucket.test.ts', 'test/providers/bitbucket'],
  check: checkAll,
};
