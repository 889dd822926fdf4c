import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Octokit } from '@octokit/rest';

const SOURCES = resolve(import.meta.dirname, '../../src/providers/github');
const CALL = /\brest\.(\w+)\.(\w+)\b/g;

interface Endpoint {
  name: string;
  method: string;
  /** With places in braces. */
  url: string;
}

/** Every endpoint of the REST API that the provider can ask, read from its sources. */
function endpoints(): Endpoint[] {
  const { rest } = new Octokit();
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const names = new Set<string>();
  for (const file of files.filter((one) => one.endsWith('.ts'))) {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    for (const [, group, name] of text.matchAll(CALL)) names.add(`${group}.${name}`);
  }
  return [...names].toSorted().map((full) => {
    const [group = '', name = ''] = full.split('.');
    const { method, url } = Object(rest)[group]?.[name]?.endpoint?.DEFAULTS ?? {};
    if (typeof method !== 'string') throw new Error(`Octokit has no endpoint ${full}`);
    return { name: full, method, url: String(url) };
  });
}

const toUrlPattern = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}(?:\\?|$)`);

/** The endpoints that none of these requests asked, each with its reason. */
export const unasked = (requests: readonly { method: string; path: string }[]): string[] =>
  endpoints()
    .filter(({ method, url }) => {
      const pattern = toUrlPattern(url);
      return !requests.some((one) => one.method === method && pattern.test(one.path));
    })
    .map(({ name, method, url }) => `${method} ${url} (${name}): no test asks it`);
