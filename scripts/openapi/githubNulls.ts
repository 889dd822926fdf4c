import { createGithubCredentials } from '../../src/providers/github/app/credentials.ts';
import { GithubClient } from '../../src/providers/github/forge/client.ts';
import { toGithubPrDetail } from '../../src/providers/github/forge/describe.ts';
import { collectGithubNews } from '../../src/providers/github/forge/news.ts';
import { readGithubPullRequest } from '../../src/providers/github/forge/readGithubPullRequest.ts';
import { readGithubSettings } from '../../src/providers/github/forge/settings.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Exchange } from '../../test/support/forges/exchanges.ts';

interface Type {
  name?: string;
  ofType?: Type;
  getFields?(): Record<string, { type: Type }>;
}
interface Selection {
  kind: string;
  name?: { value: string };
  alias?: { value: string };
  typeCondition?: { name: { value: string } };
  selectionSet?: { selections: Selection[] };
}

const isNonNull = (type: Type): boolean => String(type).endsWith('!');

/** Every place of an answer where the schema allows null and there is a value. */
function* placesIn(
  getType: (name: string) => Type,
  type: Type,
  selections: readonly Selection[],
  value: unknown,
  path: readonly (string | number)[],
): Generator<readonly (string | number)[]> {
  if (value === null || value === undefined) return;
  if (isNonNull(type))
    return yield* placesIn(getType, type.ofType ?? type, selections, value, path);
  // A non-null type passes here too, without its mark: its place is the one above.
  if (Array.isArray(value)) {
    for (const [n, one] of value.entries()) {
      const item = type.ofType ?? type;
      if (one !== null && !isNonNull(item)) yield [...path, n];
      yield* placesIn(getType, item, selections, one, [...path, n]);
    }
    return;
  }
  for (const one of selections) {
    if (one.kind === 'InlineFragment') {
      const name = one.typeCondition?.name.value ?? '';
      const { __typename: own } = Object(value);
      if (own === undefined || own === name)
        yield* placesIn(getType, getType(name), one.selectionSet?.selections ?? [], value, path);
      continue;
    }
    const name = one.name?.value ?? '';
    const key = one.alias?.value ?? name;
    const field = type.getFields?.()[name];
    const inner = Object(value)[key];
    if (!field || inner === null || inner === undefined) continue;
    if (!isNonNull(field.type)) yield [...path, key];
    yield* placesIn(getType, field.type, one.selectionSet?.selections ?? [], inner, [...path, key]);
  }
}

function withNull(data: object, path: readonly (string | number)[]): object {
  const copy: unknown = structuredClone(data);
  const holder = path.slice(0, -1).reduce<unknown>((at, step) => Object(at)[step], copy);
  Object(holder)[path.at(-1) ?? ''] = null;
  return Object(copy);
}

/** Reads an answer as svc does; rejects where svc would fail without saying what is wrong. */
async function read(data: object): Promise<void> {
  const settings = readGithubSettings({ token: 'a-token-of-the-lane' });
  const fetch = async () =>
    new Response(JSON.stringify({ data }), { headers: { 'content-type': 'application/json' } });
  const budget = () => {
    throw new Error('no one asks for it');
  };
  const accounts = { accountClient: { fetch, budget }, clock: systemClock };
  const client = new GithubClient(settings, createGithubCredentials(settings, accounts), fetch);
  const githubPrData = await readGithubPullRequest(client, 'acme/shop', 1);
  toGithubPrDetail(githubPrData);
  collectGithubNews(githubPrData, { self: 'svc', selfIsPerson: false, now: 0, members: new Set() });
  const [lost] = githubPrData.parts.hindrances();
  if (lost) throw new Error(lost.why);
}

/**
 * Replaces one value at a time by null where the schema allows it, and lets svc read the answer.
 */
export async function readNulls(
  graphql: { parse(text: string): object },
  schema: object,
  exchanges: readonly Exchange[],
): Promise<{ tried: number; failures: string[] }> {
  const getType = (name: string): Type => Object(schema).getType(name);
  const failures: string[] = [];
  const places = new Set<string>();
  for (const { body, answer } of exchanges) {
    const { query } = JSON.parse(body);
    const { data, errors } = JSON.parse(answer.body ?? '{}');
    if (!String(query).includes('reviewThreads(first') || !data || errors) continue;
    const { definitions } = Object(graphql.parse(query));
    const selections: Selection[] = definitions[0].selectionSet.selections;
    for (const path of placesIn(getType, getType('Query'), selections, data, [])) {
      // Entries of one list are alike.
      const place = path.map((step) => (typeof step === 'number' ? 'n' : step)).join('.');
      if (places.has(place)) continue;
      places.add(place);
      await read(withNull(data, path)).catch((error: unknown) => {
        if (!(error instanceof SvcError)) failures.push(`null at ${place}: ${error}`);
      });
    }
  }
  return { tried: places.size, failures };
}
