import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobSelection } from '../../../src/contract/runner/runner.ts';
import { countTeamJobs } from '../../../src/cloud/jobs/list/countTeamJobs.ts';
import { readTeamJobs } from '../../../src/cloud/jobs/list/readTeamJobs.ts';
import { storeJobs } from '../../../src/cloud/jobs/list/storeJobs.ts';
import { readListRows } from '../../../src/cloud/runners/readListRows.ts';
import { JobListReader } from '../../../src/jobs/store/queries/jobListReader.ts';
import { DeprecatedNames } from '../../../src/jobs/views/deprecatedNames.ts';
import { createJobList } from '../../../src/jobs/views/list/createJobList.ts';
import { toJobSummary } from '../../../src/jobs/views/list/jobSummary.ts';
import { migrated } from '../../support/askedStatements.ts';
import {
  openTestDatabase,
  defineDatabaseTests,
  type TestDatabase,
} from '../../support/cloud/openTestDatabase.ts';
import { listJobsOfEveryState } from '../../support/cloud/listJobsOfEveryState.ts';
import { createRowReader } from '../../support/createRowReader.ts';
import { seedTeams } from '../../support/cloud/testTeam.ts';

const test = suite("cloud: the numbers of a team's list");
const dbTest = defineDatabaseTests(test);

/** The list of a runner, over jobs in every state that a list knows. */
function openRunnerList() {
  const db = migrated();
  for (const { statements } of listJobsOfEveryState())
    for (const { text, values } of statements) db.run(text, ...values);
  return createJobList({
    list: new JobListReader(db),
    deprecated: new DeprecatedNames(
      createRowReader(db),
      () => undefined,
      () => 0,
    ),
    summarise: (job) => toJobSummary(job),
    proposals: () => 0,
  });
}

const STATES = [
  'needs-you',
  'queued',
  'working',
  'waiting',
  'failed',
  'partial',
  'complete',
  'cancelled',
] as const;

/** What the dashboard asks for: each with and without sub-runs. */
const SELECTIONS: readonly JobSelection[] = [
  {},
  { subRuns: 'needing' },
  { repo: 'shop' },
  { workflow: 'other.md', subRuns: 'needing' },
  { q: 'site', subRuns: 'needing' },
  { type: 'review' },
  { parentJobId: 'parent' },
  { status: 'coding' },
  { needs: 'me' },
  { needs: 'decide' },
  { needs: 'review' },
  { needs: 'broken' },
  ...STATES.flatMap((is) => [{ is }, { is, subRuns: 'needing' as const }]),
  { is: 'failed,queued', subRuns: 'needing' },
  { is: 'needs-you,waiting' },
];

let database: TestDatabase;
const list = openRunnerList();
const directory = { list: async () => [] };

dbTest('a team whose one runner has sent its list', async () => {
  database = await openTestDatabase();
  await seedTeams(database.url);
  const now = new Date();
  await database.sql`
    insert into runners (id, team_id, home_id, name, accept, token_hash, token_at, created_at)
    values ('r1', 'acme', 'h1', 'mac', 'team', 'x', ${now}, ${now})`;
  const { jobs } = await list.jobs({ limit: 500, offset: 0 });
  const { rows, leftOut } = readListRows(new TextEncoder().encode(JSON.stringify(jobs)));
  assert.is(leftOut, 0);
  assert.ok(rows.length > 40);
  await storeJobs(database, { teamId: 'acme', runnerId: 'r1', rows });
});

for (const selection of SELECTIONS) {
  const name = JSON.stringify(selection);

  dbTest(`the jobs that match are those of the runner's own list: ${name} (CLD-5)`, async () => {
    const page = { limit: 500, offset: 0 };
    const own = await list.jobs({ ...selection, ...page });
    const team = await readTeamJobs({ database, directory }, 'acme', { ...selection, ...page });
    const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id).toSorted();
    assert.equal(ids(team.jobs), ids(own.jobs));
    assert.is(team.total, own.total);
  });

  dbTest(`the numbers are those of the runner's own list: ${name} (CLD-5)`, async () => {
    assert.equal(await countTeamJobs(database, 'acme', selection), await list.jobCounts(selection));
  });
}

dbTest('another team has none of them', async () => {
  const counts = await countTeamJobs(database, 'other', {});
  assert.equal([counts.total, counts.is['needs-you'], counts.repos], [0, 0, []]);
});

dbTest('what belongs to one runner is refused', async () => {
  const code = await countTeamJobs(database, 'acme', { sum: 'cost' }).catch(
    (error) => Object(error).code,
  );
  assert.is(code, 'bad-argument');
});

test.after(() => database?.close());

test.run();
