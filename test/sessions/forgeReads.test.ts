import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Forge, PrDetail } from '../../src/contract/forge/forge.ts';
import type { RowReader } from '../../src/contract/records/rowReader.ts';
import { createForges } from '../../src/providers/forges.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { type AgentJobDeps, createAgentJob } from '../../src/sessions/agentJob/agentJob.ts';

const test = suite('what a session reads at a forge');

/** As a remote forge answers, which knows of no work items. */
const PR = { repo: 'acme/app', number: 12, title: 'Greet', workItem: null };
const HUB = {
  id: 'hub',
  pullRequest: async () => PR as Partial<PrDetail> as PrDetail,
} as Partial<Forge> as Forge;

/** Reads the status of pull request 12 in a job whose pull requests are these. */
async function status(mappings: { number: number; work_item: string }[]) {
  const rows = {
    one: (_table: string, key: { number: number }) =>
      mappings.find(({ number }) => number === key.number),
  } as Partial<RowReader> as RowReader;
  const deps: Partial<AgentJobDeps> = {
    rows,
    forges: createForges([HUB]),
    job: () => ({ params: {}, artefacts: [] }) as Partial<Job> as Job,
  };
  const unused = () => Promise.reject(new Error('not used'));
  const port = createAgentJob(deps as AgentJobDeps, {
    jobId: 'job',
    visit: 1,
    session: 1,
    phase: 'coding',
    jobDir: '/nowhere',
    signal: new AbortController().signal,
    cloneRepo: unused,
    workflow: unused,
    memory: unused,
    log: unused,
    recordForbidden: unused,
  });
  return port.forgeRead('get_pr_status', { repo: 'acme/app', number: 12 }, 'hub');
}

test('the status of a pull request of svc names the work item that it was opened for', async () => {
  const { workItem, title } = await status([{ number: 12, work_item: 'greeting' }]);
  assert.is(workItem, 'greeting');
  assert.is(title, 'Greet');
});

test('one that svc did not open has none', async () => {
  const { workItem } = await status([{ number: 13, work_item: 'greeting' }]);
  assert.is(workItem, null);
});

test.run();
