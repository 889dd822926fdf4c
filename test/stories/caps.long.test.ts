import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAgentConfig } from '../../demo/agents.ts';
import { openModelServer } from '../../demo/model/server.ts';
import type { Step } from '../../demo/model/script.ts';
import { fileIsThere } from '../support/agents/executorContract/stage.ts';
import { story } from '../support/story.ts';

const test = suite('stories: what the built-in agent asks after its cap');

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding }
  - { name: review, agent: agents/worker.md, status: review }
`;

/** Tokens of each call; at $400 for a million of them a call costs $0.40. */
const tokens = { input: 1_000, output: 0, cached: 0 };
const busy: Step = { calls: [{ shell: 'true' }], tokens };
const working = [busy, busy, busy, busy, busy, busy, busy];
/** A call of a tool that lasts until someone writes into `gate` of the checkout. */
const waiting: Step = { calls: [{ shell: 'mkfifo gate && cat gate' }], tokens };

const model = await openModelServer({
  scripts: {
    usd: working,
    tokens: working,
    sessions: [busy, { calls: [{ svc: 'request_new_session' }], tokens }, { say: 'On.', tokens }],
    visits: [busy, { say: 'Done.', tokens }],
    minutes: [waiting, ...working],
    until: [waiting, ...working],
  },
});
test.after(() => model.close());

/** The cap of each job by its metric, and how often its model may be asked under it. */
const CAPS = {
  usd: [1, 3],
  tokens: [2_500, 3],
  sessions: [1, 3],
  visits: [1, 2],
} as const;
/**
 * Time of the job with a cap on minutes, and of the unattended one, in which a session begins and calls its
 * tool: this long, ms, and so many times as long as it took the first of the other jobs to ask its
 * model.
 */
const UNTIL_MS = 2_000;
const STARTS = 4;

test(
  'a job stops with the call that spends its cap, and one that works unattended with the call of a tool at its time (JOB-16)',
  story(
    {
      workflow: WORKFLOW,
      programs: {},
      tenant: { 'agents/worker.md': '---\ndescription: works\n---\n\nYou work.\n' },
      config: {
        ...buildAgentConfig('builtin', { model: model.url, program: null }),
        runner: { maxConcurrentJobs: 6 },
        budgets: { prices: [{ model: '*', input: 400, output: 400 }] },
      },
    },
    async (it) => {
      const countPlayed = (name: string) =>
        model.requests.played.filter(({ script }) => script === name).length;
      const began = Date.now();
      const capped = async (metric: string, cap: number, calls: number) => {
        const budget = { job: { [metric]: cap } };
        return { metric, calls, id: await it.job({ description: `@@${metric}`, budget }) };
      };
      const jobs = await Promise.all(
        Object.entries(CAPS).map(([metric, [cap, calls]]) => capped(metric, cap, calls)),
      );
      await model.requests.until(({ script }) => script !== null);
      const enoughMs = UNTIL_MS + STARTS * (Date.now() - began);
      jobs.push(await capped('minutes', enoughMs / 60_000, 1));
      for (const { metric, calls, id } of jobs) {
        const { parked } = await it.until(id, (job) => job.parked !== null || job.ended);
        assert.is(parked?.kind, 'budget', metric);
        assert.is(parked?.exceeded?.metric, metric);
        assert.is(countPlayed(metric), calls, `calls of the model under the cap on ${metric}`);
      }
      const until = Date.now() + enoughMs;
      const unattended = { until: new Date(until).toISOString() };
      const late = await it.job({ description: '@@until', interactive: false, unattended });
      await model.requests.until(({ script, outcome }) => script === 'until' && outcome !== null);
      const { params } = await it.client.job(late);
      const gate = join(String(params.repoCheckoutAbsDir), 'gate');
      await fileIsThere(gate);
      assert.is((await it.client.job(late)).parked, null, 'its tool runs');
      await it.until(late, () => Date.now() > until);
      // Open for both, which waits for no reader.
      await writeFile(gate, 'go\n', { flag: 'r+' });
      const { parked } = await it.until(late, (job) => job.parked !== null || job.ended);
      assert.is(parked?.cause, 'until');
      assert.is(countPlayed('until'), 1, 'calls of the model after the time');
    },
  ),
);

test.run();
