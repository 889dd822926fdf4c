import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routes } from '../../src/http/routes.ts';
import { TABLE_SHAPES } from '../../src/durable/sqlite/broken/tableShapes.ts';
import type { JobSummary } from '../../src/schema/job.ts';
import { longLane } from '../support/longLane.ts';
import { BrokenHome, type Value } from '../support/brokenHome.ts';

const test = suite('attacks: rows that cannot be read');
const long = longLane(test);

/** Damage of a column by what it holds. */
const NUMBERS: readonly bigint[] = [2n ** 53n + 1n, -1n, 18014398509481982n];
const JSONS = ['not JSON', '{"cut', '42', '[[1]]', '"text"', '{"a":[]}', ''];

/** What a real home could hold in a column and what cannot be read. */
function damages(table: string, column: string): readonly Value[] {
  const spec = TABLE_SHAPES[table]?.[column];
  if (spec === undefined || spec === 'text' || spec === 'text?') return [];
  if (typeof spec === 'object') return 'oneOf' in spec ? ['unheard-of', ''] : JSONS;
  if (spec === 'real?') return [-1];
  if (spec === 'iso?') return ['not a date'];
  if (/^(count|whole|time|flag)/.test(spec)) return NUMBERS;
  return JSONS;
}

/** Lists, reports, statistics and metrics: what is asked without naming one thing. */
const LISTS = routes.filter(
  ({ method, path, access, query }) =>
    method === 'GET' &&
    access !== 'write' &&
    !path.includes(':') &&
    path !== '/jobs/stream' &&
    ((query && Reflect.get(query, 'required')) ?? []).length === 0,
);
/** What is asked about one job. */
const OF_A_JOB = routes.filter(
  ({ method, path }) =>
    method === 'GET' &&
    path.startsWith('/jobs/:jobId') &&
    path.split(':').length === 2 &&
    !path.endsWith('/stream'),
);

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/jobs': ['', '?q=e', '?sort=since', '?sort=-title&limit=3', '?needs=me', '?is=waiting,failed'],
  '/costs': ['', '?by=day', '?by=model', '?by=job,day', '?since=2026-01-01'],
  '/insights': ['', '?q=s'],
  '/report': ['?since=90d'],
  '/statistics': ['?days=90'],
};

/** A number beyond 2^53 with text that is no JSON always runs; the others are in the long lane. */
for (const pick of [0, 1, 2, 3, 4, 5, 6])
  (pick === 0 ? test : long)(
    `a start, every list and every job show what can be read beside one such row in each column: damage ${pick + 1}`,
    async () => {
      const home = new BrokenHome();
      try {
        const planted = plantAll(home, pick);
        if (planted.length === 0) return;
        await using runner = await home.start();
        const problems: string[] = [];
        const ask = async (path: string): Promise<Response> => {
          const response = await fetch(`${runner.url}${path}`, {
            headers: { authorization: `Bearer ${home.token()}` },
            signal: AbortSignal.timeout(20_000),
          });
          if (response.status >= 500)
            problems.push(
              `GET ${path}: ${response.status} ${(await response.clone().text()).slice(0, 300)}`,
            );
          return response;
        };
        for (const { path } of LISTS)
          for (const query of QUERIES[path] ?? ['']) {
            const response = await ask(`${path}${query}`);
            if (response.status !== 200) problems.push(`GET ${path}${query}: ${response.status}`);
            await response.text();
          }
        const [good = ''] = home.jobs;
        for (const id of [good, 'broken-job_list-state'])
          for (const { path } of OF_A_JOB) await (await ask(path.replace(':jobId', id))).text();
        const jobs: JobSummary[] = await (await ask('/jobs?limit=500')).json();
        assert.equal(problems, []);
        const ids = new Set(jobs.map(({ id }) => id));
        assert.equal(
          home.jobs.filter((id) => !ids.has(id)),
          [],
        );
      } finally {
        home.remove();
      }
    },
  );

const OF_JOBS = new Set(['actors', 'job_list', 'job_summaries']);

/** One row for each column that can be damaged so; answers which. */
function plantAll(home: BrokenHome, pick: number): string[] {
  const planted: string[] = [];
  for (const table of home.tables())
    for (const { name } of home.columns(table)) {
      const all = damages(table, name);
      const value = all[pick];
      if (value === undefined) continue;
      const id = `broken-${table}-${name}`;
      if (OF_JOBS.has(table)) {
        for (const other of OF_JOBS)
          home.plant(other, { id, job_id: id, ...(other === table ? { [name]: value } : {}) }, id);
      } else {
        try {
          home.plant(table, { [name]: value }, id);
        } catch (error) {
          if (!/constraint/.test(String(error))) throw error;
          continue;
        }
      }
      planted.push(id);
    }
  return planted;
}

test.run();
