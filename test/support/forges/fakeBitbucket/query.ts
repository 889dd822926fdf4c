import type { FakeAnswer, FakeRequest } from '../fakeForge/server.ts';
import { CLOUD_API, ok, createRefusal } from './json.ts';
import type { FakeUser } from './state.ts';

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((here, key) => (Object(here) as Record<string, unknown>)[key], value);

/** Bitbucket's language of filters, as far as it is used: comparisons of texts, joined by AND. */
export function matches(item: unknown, q: string | null): boolean {
  if (q === null) return true;
  return q.split(' AND ').every((part) => {
    const [, path, text] = /^([a-z_.]+) = "((?:[^"\\]|\\.)*)"$/.exec(part) ?? [];
    if (path === undefined || text === undefined)
      throw new Error(`cannot parse the query: ${part}`);
    return valueAt(item, path.split('.')) === text.replace(/\\(.)/g, '$1');
  });
}

/** The members that `fields` names, and nothing else: `id`, `values.source.commit.hash`. */
function pickPaths(value: unknown, paths: readonly string[][]): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => pickPaths(one, paths));
  const picked: Record<string, unknown> = {};
  for (const [key, below] of Object.entries(value)) {
    const own = paths.filter(([first]) => first === key).map((path) => path.slice(1));
    if (own.some((path) => path.length === 0)) picked[key] = below;
    else if (own.length > 0) picked[key] = pickPaths(below, own);
  }
  return picked;
}

export function shaped({ query }: FakeRequest<FakeUser>, answer: FakeAnswer): FakeAnswer {
  const fields = query.get('fields');
  if (fields === null || answer.status !== 200) return answer;
  return {
    ...answer,
    body: pickPaths(
      answer.body,
      fields.split(',').map((field) => field.split('.')),
    ),
  };
}

/**
 * One page. As the real one it names the next page at its own address, behind whatever proxy it was
 * asked.
 */
export function paged(
  { query, path }: FakeRequest<FakeUser>,
  all: readonly unknown[],
  most = 100,
): FakeAnswer {
  const size = Number(query.get('pagelen') ?? 10);
  if (size > most) return createRefusal(400, 'Invalid pagelen');
  const page = Number(query.get('page') ?? 1);
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  const isLast = page * size >= all.length;
  return ok({
    pagelen: size,
    page,
    size: all.length,
    values: all.slice((page - 1) * size, page * size),
    ...(isLast ? {} : { next: `${CLOUD_API}${path}?${next}` }),
  });
}
