import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { pairHome, waitUntil, startTeamNode } from '../support/cloud/testTeam.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { Story } from '../support/story.ts';

const test = suite('story: a home whose log is at a control plane');
const dbTest = defineDatabaseTests(test);

const WORKFLOW = `
initial_phase: plan
initial_status: planning
phases:
  - { name: plan, agent: agents/plan.md, status: planning, interactive_checkpoint: true }
  - { name: code, agent: agents/code.md, status: coding }
`;

dbTest(
  'a job continues after its runner was killed and its state deleted, and is local after svc logout (RUN-5)',
  async () => {
    const node = await startTeamNode({ takeover: { windowMs: 3_000, quietMs: 500 } });
    const it = new Story({
      workflow: WORKFLOW,
      programs: {
        plan: "git('switch', '-q', '-c', 'work'); tool('post_artifact', { kind: 'plan', title: 'The plan', mime: 'text/markdown', content: '# Plan' });",
        code: "writeFileSync('a.txt', 'a'); git('add', '.'); git('commit', '-qm', 'Add a'); tool('job_complete', {});",
      },
    });
    const askHome = async () => {
      const { token } = JSON.parse(readFileSync(join(it.home, 'config.json'), 'utf8')).cloud;
      const reply = await node.ask('/runner/home', {
        headers: { authorization: `Bearer ${token}` },
      });
      return reply.status === 200 ? reply.json() : null;
    };
    try {
      // A home with a job gets its log while the runner works.
      await it.runner.start();
      const jobId = await it.job();
      await it.until(jobId, ({ parked }) => parked?.kind === 'approval');
      const homeId = JSON.parse(readFileSync(join(it.home, 'home.json'), 'utf8')).id;
      const paired = await pairHome(node, { homeId, name: 'mac' });
      await it.client.updateConfig({ cloud: { url: node.url, token: paired.body.token } });
      await waitUntil(async () => (await askHome())?.state === 'open', PATIENCE_MS);
      const later = await it.job();
      await it.until(later, ({ parked }) => parked?.kind === 'approval');
      await waitUntil(async () => (await askHome())?.head > (await askHome())?.checkpoint.n);

      // The state is gone, and the artefacts with it.
      await it.runner.kill();
      for (const name of readdirSync(it.home))
        if (name.startsWith('state.db') || name === 'blobs' || name === 'artefacts')
          rmSync(join(it.home, name), { recursive: true });
      await it.runner.start();
      const job = await it.client.job(jobId);
      assert.is(job.parked?.kind, 'approval');
      assert.is((await it.client.job(later)).parked?.kind, 'approval');
      const [plan] = job.artefacts;
      assert.is(await it.client.artefact(jobId, String(plan?.id)), '# Plan');
      const shownHash = job.approval?.shown;
      await it.client.resume(jobId, {
        eventKey: 'approve',
        ...(shownHash ? { shown: shownHash } : {}),
      });
      await it.until(jobId, ({ status }) => status !== 'planning');

      // Local again: the control plane forgets it, and the jobs stay.
      const printed = await it.runner.command('logout');
      assert.match(printed, 'Logged out');
      assert.is((await it.client.health()).mode, 'local');
      await it.runner.kill();
      await it.runner.start();
      assert.is((await it.client.job(jobId)).id, jobId);
    } finally {
      await it.end();
      await node.stop();
    }
  },
);

test.run();
