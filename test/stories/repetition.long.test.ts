import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAgentConfig } from '../../demo/agents.ts';
import { openModelServer } from '../../demo/model/server.ts';
import type { Step } from '../../demo/model/script.ts';
import { story } from '../support/story.ts';

const test = suite('stories: an agent that repeats itself, and an account that fails');

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding }
`;

const call = (shell: string): Step => ({ calls: [{ shell }] });
const long = (name: string): Step => ({
  say: 'word '.repeat(3_000),
  calls: [{ shell: `echo ${name}; seq 1 150` }],
});

const random = (form: string): Step => call(`head -c 12 /dev/urandom | ${form}`);

const model = await openModelServer({
  scripts: {
    loops: [
      call('true'),
      call('true'),
      call('true'),
      ...[1, 2, 3].map(() => ({ calls: [{ read: 'missing.txt' }] })),
      ...[1, 2, 3].flatMap(() => [random('base64'), random('base64 | rev')]),
      { say: 'Done.' },
    ],
    fills: [...[...'abcdefghi'].map(long), { say: 'Done.' }],
    refused: [{ fail: { status: 401, times: 5, message: 'invalid x-api-key' }, say: 'Done.' }],
    good: [{ say: 'Done.' }],
  },
});
test.after(() => model.close());

const { llm, plugins } = buildAgentConfig('builtin', { model: model.url, program: null });
const builtin = { ...plugins.installed.builtin?.config, contextWindow: 40_000 };

/** Notes of the runner, as the last request to the model has them, to their first full stop. */
const notes = (script: string): string[] => {
  const { body } = model.requests.played.findLast((one) => one.script === script) ?? {};
  return JSON.stringify(body).match(/(?<=\[process note\] )[^."\\]*/g) ?? [];
};

test(
  'its agent is warned in the log and with the answer of its call; an account whose key is refused holds its jobs until it works (JOB-16)',
  story(
    {
      workflow: WORKFLOW,
      programs: {},
      tenant: { 'agents/worker.md': '---\ndescription: works\n---\n\nYou work.\n' },
      config: { llm, plugins: { installed: { builtin: { config: builtin } } } },
    },
    async (it) => {
      const over = async (script: string) => {
        const id = await it.job({ description: `@@${script}` });
        const job = await it.until(id, ({ ended, parked }) => ended || parked !== null);
        const lines = job.ended ? await it.log(id) : [];
        const warnings = lines.flatMap((line) => line.split('warned: ').slice(1));
        return { id, job, warnings: warnings.map((text) => text.split('.')[0]) };
      };
      const loops = await over('loops');
      assert.equal(loops.warnings, [
        'The same call of Bash had the same answer, 3 times',
        'Read has failed with the same error, 3 times',
        'The same two calls, of Bash and Bash, follow each other, 3 times',
      ]);
      assert.equal(notes('loops'), loops.warnings, 'the agent has read the same');

      const fills = await over('fills');
      assert.equal(fills.warnings, [
        'The conversation was folded again and again, and hardly anything was freed, 2 times',
      ]);
      assert.equal(notes('fills'), fills.warnings);

      const first = await Promise.all([1, 2, 3, 4].map(() => over('refused')));
      assert.equal([...new Set(first.map(({ job }) => job.parked?.kind))], ['developer']);
      const fifth = await over('refused');
      assert.match(fifth.job.parked?.reason ?? '', /end at once .* refuses the key \(401\)/);
      const next = await over('good');
      assert.is(next.job.parked?.kind, 'quota', 'it has asked nothing');
      const [pool] = await it.client.accounts();
      assert.equal([pool?.state, pool?.waiting], ['failing', 2]);
      assert.match((await it.client.why(next.id)).waitsFor.join(), /refuses the key \(401\)/);

      await it.runner.kill();
      await it.runner.start();
      await it.client.retryAccount({ pool: pool?.id ?? '' });
      for (const { id } of [fifth, next])
        assert.is((await it.until(id, ({ ended }) => ended)).status, 'complete');
      assert.is((await it.client.accounts())[0]?.state, 'open');
    },
  ),
);

test.run();
