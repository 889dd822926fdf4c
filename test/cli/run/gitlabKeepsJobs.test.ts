import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAllDocuments } from 'yaml';
import { longLane } from '../../support/longLane.ts';

const TEMPLATE = readFileSync(join(import.meta.dirname, '../../../templates/svc-run.yml'), 'utf8');
const FIND: string = parseAllDocuments(TEMPLATE).map((one) => one.toJS())[1]['svc-run'].script[1];

interface PastJob {
  id: number;
  name: string;
  artifacts_file?: { filename: string };
  artifacts_expire_at?: string | null;
}

const FILE = { filename: 'artifacts.zip' };
const LATER = '2999-01-01T00:00:00Z';
const createPastJob = (id: number, more: Partial<PastJob> = {}): PastJob => ({
  id,
  name: 'svc-run',
  artifacts_file: FILE,
  artifacts_expire_at: LATER,
  ...more,
});

const test = suite<{ dir: string; server: Server; jobs: PastJob[] }>(
  'svc run: the GitLab component keeps jobs',
);
const long = longLane(test);

test.before.each(async (context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-gitlab-'));
  context.jobs = [];
  // Each job has kept a manifest with its own number.
  context.server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api');
    const artifact = /\/jobs\/(\d+)\/artifacts\/\.svc-kept\/manifest\.json$/.exec(pathname);
    if (request.headers['private-token'] !== 't') response.statusCode = 401;
    else if (artifact) return response.end(artifact[1]);
    else if (pathname.includes('/artifacts/')) response.statusCode = 404;
    else {
      const from = (Number(searchParams.get('page')) - 1) * 100;
      return response.end(JSON.stringify(context.jobs.slice(from, from + 100)));
    }
    return response.end('{}');
  });
  await new Promise<void>((resolve) => context.server.listen(0, '127.0.0.1', resolve));
});
test.after.each(async ({ dir, server }) => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(dir, { recursive: true, force: true });
});

/** Finds the job that waits; answers the number of the run that kept it. */
function find({ dir, server }: { dir: string; server: Server }, more: Record<string, string> = {}) {
  const folder = join(dir, '.svc-kept');
  const env = {
    PATH: process.env.PATH,
    CI_API_V4_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CI_PROJECT_ID: '1',
    CI_JOB_ID: '900',
    CI_JOB_NAME: 'svc-run',
    CI_PROJECT_VISIBILITY: 'private',
    GITLAB_TOKEN: 't',
    SVC_KEPT: folder,
    ...more,
  };
  return new Promise<{ failed: boolean; text: string; from: string | null }>((resolve) =>
    execFile('sh', ['-e', '-c', FIND], { env }, (error, stdout, stderr) => {
      const file = join(folder, 'manifest.json');
      resolve({
        failed: error !== null,
        text: stdout + stderr,
        from: existsSync(file) ? readFileSync(file, 'utf8') : null,
      });
    }),
  );
}

test('the newest run that kept a job is found behind jobs of others, whatever its branch', async (context) => {
  const others = Array.from({ length: 150 }, (_, n) => ({ id: 800 - n, name: 'build' }));
  context.jobs.push(
    createPastJob(900),
    { id: 850, name: 'svc-run' },
    ...others,
    createPastJob(600),
    createPastJob(500),
  );
  assert.equal(await find(context), { failed: false, text: '', from: '600' });
});

long('without one, nothing is continued', async (context) => {
  assert.equal(await find(context), { failed: false, text: '', from: null });
});

test('a merge request of a job that no run has kept is an error', async (context) => {
  const { failed, text } = await find(context, {
    CI_MERGE_REQUEST_DESCRIPTION: `<!-- svc:op=${'a'.repeat(24)} -->`,
  });
  assert.ok(failed);
  assert.match(text, /^Error: This merge request is of a job of svc, and no run has kept it/);
});

test('artifacts that have expired are named with their job', async (context) => {
  const { artifacts_file: _, ...expiredJob } = createPastJob(600, {
    artifacts_expire_at: '2026-01-01T00:00:00Z',
  });
  context.jobs.push(expiredJob);
  const { failed, text } = await find(context);
  assert.ok(failed);
  assert.match(text, /^Error: The job that GitLab's job 600 kept until .* have expired/);
});

long('a new job begins in spite of artifacts that have expired', async (context) => {
  context.jobs.push(createPastJob(600, { artifacts_expire_at: '2026-01-01T00:00:00Z' }));
  const { failed, text, from } = await find(context, { SVC_RUN_DESCRIPTION: 'Fix it' });
  assert.equal({ failed, from }, { failed: false, from: null });
  assert.match(text, /^Warning: /);
});

long('artifacts that are kept for ever are continued', async (context) => {
  context.jobs.push(createPastJob(600, { artifacts_expire_at: null }));
  assert.is((await find(context)).from, '600');
});

test('a public project without a key is refused', async (context) => {
  const { failed, text } = await find(context, { CI_PROJECT_VISIBILITY: 'public' });
  assert.ok(failed);
  assert.match(text, /SVC_BUNDLE_KEY/);
});

test('a token that may not read is named', async (context) => {
  const { failed, text } = await find(context, { GITLAB_TOKEN: 'x' });
  assert.ok(failed);
  assert.match(text, /GITLAB_TOKEN/);
});

test.run();
