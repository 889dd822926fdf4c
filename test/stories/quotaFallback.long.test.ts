import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAgentConfig } from '../../demo/agents.ts';
import { openModelServer } from '../../demo/model/server.ts';
import { FAKE_AGENT } from '../support/agents/builtAcpAgent.ts';
import { story } from '../support/story.ts';

const test = suite('stories: the fallback of an exhausted account');

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding, model: coding }
`;

const steps = [{ say: 'Done.' }];
const hour = 3_600_000;
const usedUp = await openModelServer({
  scripts: { first: steps },
  refusal: () => ({
    status: 429,
    headers: { 'retry-after': String(hour / 1_000) },
    body: { type: 'error', error: { type: 'rate_limit_error', message: 'The limit is reached.' } },
  }),
});
const spare = await openModelServer({ scripts: { second: steps } });

test.after(async () => {
  await usedUp.close();
  await spare.close();
});

test(
  'while its account is exhausted, a job begins with the fallback of its alias, as its log reports (JOB-16)',
  story(
    {
      workflow: WORKFLOW,
      programs: {},
      tenant: { 'agents/worker.md': '---\ndescription: works\n---\n\nYou work.\n' },
      config: {
        llm: {
          aliases: {
            coding: { provider: 'builtin', model: 'default', fallback: 'spare' },
            spare: { provider: 'acp', model: 'default' },
          },
        },
        plugins: {
          installed: {
            ...buildAgentConfig('builtin', { model: usedUp.url, program: null }).plugins.installed,
            ...buildAgentConfig('acp:custom', { model: spare.url, program: FAKE_AGENT.join(' ') })
              .plugins.installed,
          },
        },
      },
    },
    async (it) => {
      const first = await it.job({ description: '@@first' });
      await it.until(first, ({ parked }) => parked?.kind === 'quota');
      const second = await it.job({ description: '@@second' });
      const over = await it.until(second, ({ ended }) => ended);
      assert.is(over.status, 'complete');
      const lines = await it.log(second);
      assert.ok(
        lines.some((line) => line.startsWith('[model] model spare in the place of coding')),
        lines.join('\n'),
      );
      assert.is((await it.client.job(first)).parked?.kind, 'quota', 'its visit keeps its model');
    },
  ),
);

test.run();
