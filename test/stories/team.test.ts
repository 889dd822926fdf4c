import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerReply, RunnerRequest } from '../../src/cloud/runners/runnerDirectory.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { asUser, pairHome, waitUntil, startTeamNode } from '../support/cloud/testTeam.ts';
import {
  findBuilt,
  findOutgoingPorts,
  noteLoadedFiles,
  readLoadedFiles,
} from '../support/cloud/loadedFiles.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { Story } from '../support/story.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const test = suite('story: a runner of a team');
const dbTest = defineDatabaseTests(test);

const WORKFLOW = `
initial_phase: plan
initial_status: planning
phases:
  - { name: plan, agent: agents/plan.md, status: planning, interactive_checkpoint: true }
  - { name: code, agent: agents/code.md, status: coding }
`;

const CHUNKS = join(import.meta.dirname, '..', '..', 'dist', 'chunks');

const readJson = async ({ body }: RunnerReply) => {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return JSON.parse(String(Buffer.concat(parts)));
};

dbTest(
  'a runner that is paired answers its team, and comes back when it was killed (RUN-2, CLD-2)',
  async () => {
    const node = await startTeamNode();
    const it = new Story({
      workflow: WORKFLOW,
      programs: { plan: "git('switch', '-q', '-c', 'work');", code: 'await waitForEver();' },
    });
    const rows = new Map<string, { status: string }>();
    node.runners.onJobs(async (jobs) => {
      for (const { row } of jobs.rows) rows.set(row.id, { status: row.status });
    });
    let runnerId = '';
    const ask = (path: string, more: Partial<RunnerRequest> = {}, userId = 'ada') =>
      node.runners.ask(runnerId, {
        method: 'GET',
        path,
        headers: { 'content-type': 'application/json' },
        body: null,
        person: {
          userId,
          name: userId === 'ada' ? 'Ada Lovelace' : 'Ben Bitdiddle',
          role: 'member',
        },
        signal: new AbortController().signal,
        ...more,
      });
    const post = (path: string, body: object, userId?: string) =>
      ask(path, { method: 'POST', body: new TextEncoder().encode(JSON.stringify(body)) }, userId);
    const isConnected = async () => {
      const reply = await node.ask('/teams/acme/runners', { headers: asUser('vic') });
      return (await reply.json()).runners.length === 1;
    };
    try {
      // A runner that is not paired opens no socket and loads nothing of it; then its configuration
      // names the control plane.
      const link = findBuilt(CHUNKS, '/ws/runner');
      // The text of `ws`; what carries requests through a proxy has other ones.
      const late = [...link, ...findBuilt(CHUNKS, 'WebSocketServer')];
      assert.ok(link.length > 0 && late.length > link.length);
      const listLateFiles = () => late.filter((file) => readLoadedFiles(it.dir).has(file));
      await it.runner.start(noteLoadedFiles(it.dir));
      assert.is((await it.client.health()).mode, 'local');
      const port = Number(new URL(it.runner.url).port);
      assert.equal(findOutgoingPorts(it.runner.pid, port), []);
      assert.ok(readLoadedFiles(it.dir).size > 5);
      assert.equal(listLateFiles(), []);
      const homeId = JSON.parse(readFileSync(join(it.home, 'home.json'), 'utf8')).id;
      const paired = await pairHome(node, { homeId, name: 'mac' });
      runnerId = paired.body.runnerId;
      await it.client.updateConfig({ cloud: { url: node.url, token: paired.body.token } });
      await waitUntil(isConnected, PATIENCE_MS);
      await waitUntil(async () => (await it.client.health()).cloud?.connection === 'connected');
      // A socket, and requests about its home.
      const ports = new Set(findOutgoingPorts(it.runner.pid, port));
      assert.equal([...ports], [Number(new URL(node.url).port)]);
      assert.equal(
        link.filter((file) => !listLateFiles().includes(file)),
        [],
      );
      const { mode, cloud } = await it.client.health();
      assert.is(mode, 'hybrid');
      assert.is(cloud?.team?.slug, 'acme');
      await waitUntil(async () => (await it.client.health()).cloud?.state.place === 'replicated');
      assert.match(
        await it.runner.command('runner', 'status'),
        `hybrid, team acme at ${node.url}: connected since`,
      );

      assert.equal(await readJson(await ask('/jobs')), []);
      assert.is((await ask('/config')).status, 403);
      const body = {
        type: 'job',
        workflowPath: 'workflows/story.md',
        params: { repoSlug: 'repo', description: 'for the team', reviewers: ['ben'] },
      };
      const refused = await post('/jobs', body, 'ben');
      assert.is(refused.status, 403);
      assert.is((await readJson(refused)).reason, 'not-accepted');
      const created = await post('/jobs', body);
      assert.is(created.status, 201);
      const { jobId } = await readJson(created);
      const job = await it.until(jobId, ({ parked }) => parked?.kind === 'approval');
      assert.is(job.tenantId, 'team-acme');
      assert.equal([job.createdBy, job.reviewers], ['Ada Lovelace', ['ben']]);
      const { costs } = it.client;
      assert.equal(
        (await costs({ by: 'person' })).rows.map(({ keys }) => keys),
        [['Ada Lovelace']],
      );
      await waitUntil(() => rows.has(jobId));

      // Another person approves; the journal and the visit have their name.
      const leaving = new AbortController();
      const stream = await ask(`/jobs/${jobId}/stream`, { signal: leaving.signal });
      assert.match(stream.headers['content-type'] ?? '', 'text/event-stream');
      const reader = stream.body[Symbol.asyncIterator]();
      let text = '';
      while (!text.includes('data:')) text += String(Buffer.from((await reader.next()).value));
      const shownHash = job.approval?.shown;
      const approved = await post(
        `/jobs/${jobId}/resume`,
        { eventKey: 'approve', shown: shownHash },
        'ben',
      );
      assert.is(approved.status, 200);
      leaving.abort();
      const { phases } = await it.client.job(jobId);
      assert.equal([phases[0]?.approvedBy, phases[0]?.approvedPerson], ['member', 'Ben Bitdiddle']);
      const journal = await it.client.journal(jobId);
      const resumed = journal.find(({ event }) => event.type === 'job.resume');
      assert.is(Object(resumed?.event).person, 'Ben Bitdiddle');

      // Killed and started again: it is away, and comes back with what has changed.
      await it.runner.kill();
      await waitUntil(async () => !(await isConnected()), PATIENCE_MS);
      rows.clear();
      await it.runner.start();
      await waitUntil(isConnected, PATIENCE_MS);
      await waitUntil(() => rows.has(jobId), PATIENCE_MS);
      assert.is((await readJson(await ask(`/jobs/${jobId}`))).id, jobId);

      // Revoked: it reports it.
      await node.ask(`/teams/acme/runners/${runnerId}`, {
        method: 'DELETE',
        headers: { 'x-test-user': 'ada' },
      });
      await waitUntil(async () => (await it.client.health()).cloud?.connection === 'refused');
      await it.client.updateConfig({ cloud: { url: null, token: null } });
      assert.is((await it.client.health()).mode, 'local');
    } finally {
      await it.runner.kill();
      await it.end();
      await node.stop();
    }
  },
);

test.run();
