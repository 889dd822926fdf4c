import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JOB_ROW_GUARD } from '../../src/jobs/store/jobRowGuard.ts';
import { STATE_SHAPES } from '../../src/jobs/store/shapes/tableShapes.ts';
import { inspectRows } from '../../src/jobs/store/repair/inspectRows.ts';
import { routes } from '../../src/contract/routes/routes.ts';
import { inspectActor } from '../../src/main.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import { BrokenHome, type Value } from '../support/brokenHome.ts';
import { coveringProblems } from '../support/coveringProblems.ts';

const test = suite<{ sound: BrokenHome; broken: BrokenHome; planted: Planted[] }>(
  'attacks: rows that cannot be read',
);

interface Planted {
  table: string;
  id: string;
}

const BYTES = new Uint8Array([0, 255]);
const NUMBERS: readonly Value[] = [2n ** 53n + 1n, -1n, 18014398509481982n, 0.5, 'text', BYTES];
const JSONS: readonly Value[] = ['not JSON', '{"cut', '42', '[[1]]', '"text"', '', BYTES];
const WORDS: readonly Value[] = ['unheard-of', '', BYTES];

/** What a damaged file could hold in a column; NULL in each. */
function damages(table: string, column: string): readonly Value[] {
  if (table === 'actors' && column === 'chart') return [...WORDS, null];
  const spec = STATE_SHAPES[table]?.[column];
  if (spec === undefined) return [];
  if (typeof spec === 'object') return [...('oneOf' in spec ? WORDS : JSONS), null];
  const kind = spec.replace('?', '');
  if (kind === 'text') return [BYTES, null];
  if (kind === 'real') return ['text', BYTES, null];
  if (kind === 'iso') return ['not a date', BYTES, null];
  return [...(['count', 'whole', 'time', 'flag'].includes(kind) ? NUMBERS : JSONS), null];
}

const OF_JOBS = ['actors', 'job_list', 'job_summaries'];

/** A row for each damage of each column of each table; answers those that cannot be read. */
function plantAll(home: BrokenHome): Planted[] {
  const planted: Planted[] = [];
  for (const table of home.tables())
    for (const { name: column, key } of home.columns(table)) {
      // A row that has lost what names it is another row.
      if (key > 0) continue;
      for (const [n, value] of damages(table, column).entries()) {
        const id = `broken-${table}-${column}-${n}`;
        if (OF_JOBS.includes(table)) {
          const own = { id, job_id: id };
          for (const other of OF_JOBS)
            home.plant(other, { ...own, ...(other === table ? { [column]: value } : {}) }, id);
        } else home.plant(table, { [column]: value }, id);
        if (table === 'frames' && column === 'data') {
          home.plant(table, { kind: 'state', data: value }, `${id}-state`);
          planted.push({ table, id: home.readId(table, `${id}-state`) });
        }
        const isBroken =
          (table === 'actors' && column === 'chart') ||
          JOB_ROW_GUARD.findRowProblems(table, {
            [column]: typeof value === 'bigint' ? Number(value) : value,
          }).length > 0;
        if (isBroken) planted.push({ table, id: home.readId(table, id) });
      }
    }
  return planted;
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
  '/jobs': [
    '?limit=500',
    '?q=e&limit=500',
    '?sort=since&limit=500',
    '?sort=-title&limit=500',
    '?needs=me&limit=500',
    '?is=waiting,failed&limit=500',
  ],
  '/decisions': ['?limit=200'],
  '/costs': ['', '?by=day', '?by=model', '?by=job,day', '?since=2026-01-01'],
  '/insights': ['?limit=200', '?q=s&limit=200'],
  '/report': ['?since=90d'],
  '/statistics': ['?days=90'],
};

test.before((context) => {
  context.sound = new BrokenHome();
  context.broken = new BrokenHome();
  context.planted = [];
  context.broken.plantAnything(() => context.planted.push(...plantAll(context.broken)));
  context.sound.close();
  context.broken.close();
});
test.after(({ sound, broken }) => {
  sound.remove();
  broken.remove();
});

/** Every list, and everything about the first job, by path; and what was answered with 500 and more. */
async function askAll(
  home: BrokenHome,
  more: readonly string[] = [],
): Promise<Map<string, unknown>> {
  await using runner = await home.start();
  const replies = new Map<string, unknown>();
  const [good = ''] = home.jobs;
  const paths = [
    ...LISTS.flatMap(({ path }) => (QUERIES[path] ?? ['']).map((query) => `${path}${query}`)),
    ...OF_A_JOB.map(({ path }) => path.replace(':jobId', good)),
    ...more,
  ];
  for (const path of paths) {
    const response = await fetch(`${runner.url}${path}`, {
      headers: { authorization: `Bearer ${home.token()}` },
      signal: AbortSignal.timeout(20_000),
    });
    const text = withoutPlaceAndTime(await response.text(), home, runner.url);
    replies.set(path, response.ok ? jsonOr(text) : { refused: response.status, text });
  }
  return replies;
}

/** Minutes in which a test is over, ms. */
const NOW_MS = 600_000;

/** Answers of two homes to the same question, at about the same time, are then equal texts. */
const withoutPlaceAndTime = (text: string, { home }: BrokenHome, url: string): string =>
  text
    .replaceAll(home, 'HOME')
    .replaceAll(url, 'URL')
    .replaceAll(/"requestId":"\w+"/g, '"requestId":""')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) =>
      // Periods that end now begin days ago.
      (Date.now() - Date.parse(at)) % 86_400_000 < NOW_MS ? 'NOW' : at,
    );

const isRefusal = (reply: unknown): boolean =>
  typeof reply === 'object' && reply !== null && 'refused' in reply;

const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Answers that sum up a few rows or show the newest, which are then others; they are answered all the same. */
const SUMMARIES = /^\/decisions\/track-record|\/timeline$|\/why$|^\/metrics/;

test('every row that cannot be read is named by its table and id, and no other', ({
  broken: { file },
  planted,
}) => {
  const inspection = inspectRows(file, Date.now(), inspectActor);
  assert.ok('planned' in inspection, JSON.stringify(inspection));
  const reportedRows = new Set(inspection.planned.map(({ table, id }) => `${table} ${id}`));
  const expected = new Set(planted.map(({ table, id }) => `${table} ${id}`));
  assert.equal(
    {
      missing: [...expected].filter((name) => !reportedRows.has(name)),
      unplanted: [...reportedRows].filter((name) => !expected.has(name)),
    },
    { missing: [], unplanted: [] },
  );
});

test('the neighbours of damaged rows are in every list, report, statistic and answer about a job', async ({
  sound,
  broken,
  planted,
}) => {
  const before = await askAll(sound);
  // What a job that cannot be read has put out is shown.
  const ofBroken = ['', '/log', '/journal', '/insights'];
  const after = await askAll(
    broken,
    ofBroken.map((path) => `/jobs/broken-actors-chart-0${path}`),
  );
  const refused = [...after].filter(
    ([path, reply]) => isRefusal(reply) && !isRefusal(before.get(path)),
  );
  assert.equal(refused, []);
  const problems = [...before]
    .filter(([path]) => !SUMMARIES.test(path))
    .flatMap(([path, reply]) =>
      coveringProblems(reply, after.get(path)).map((problem) => `GET ${path}: ${problem}`),
    );
  assert.equal(problems, []);
  const jobs = after.get('/jobs?limit=500') as JobSummary[];
  const reportedRows = new Set(
    jobs.flatMap(({ broken = [] }) => broken.map(({ table, id }) => `${table} ${id}`)),
  );
  assert.equal(
    planted
      .map(({ table, id }) => `${table} ${id}`)
      .filter((name) => OF_JOBS.includes(name.split(' ')[0] ?? '') && !reportedRows.has(name)),
    [],
  );
});

test.run();
