import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Scripts } from '../../demo/model/script.ts';
import { openModelServer } from '../../demo/model/server.ts';
import { Story } from '../support/story.ts';

const test = suite('stories: svc plan');

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding }
`;

const READY =
  '<readiness>\n{"state":"ready","openQuestions":["By when?"],"note":"clear"}\n</readiness>\n';
const FINDINGS =
  '<findings>\n# A title is missing\n\nSee `README.md:1` and `src/gone.ts:3`.\n</findings>\n';

const SCRIPTS: Scripts = {
  look: [
    { calls: [{ tool: 'scm_read_file', args: { repo: 'repo', path: 'README.md' } }] },
    { say: `It says what it is.\n\n${FINDINGS}${READY}` },
  ],
  once: [{ fail: { status: 400, message: 'This model is closed', times: 1 }, say: 'Here I am.' }],
  ask: [{ say: `Nothing to write yet.\n\n${READY}` }],
};

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** The real command in a process of its own, without a terminal. */
const svc = (it: Story, ...argv: string[]): Promise<Ran> => {
  const program = join(import.meta.dirname, '../../cli/bin/run.js');
  const child = spawn(process.execPath, [program, ...argv], {
    env: { PATH: process.env.PATH ?? '', HOME: it.dir, SVC_HOME: it.home, SVC_URL: it.runner.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { code: null, out: '', err: '' };
  child.stdout.on('data', (part) => {
    ran.out += part;
  });
  child.stderr.on('data', (part) => {
    ran.err += part;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...ran, code })));
};

const on = (run: (it: Story) => Promise<void>) => async () => {
  const model = await openModelServer({ scripts: SCRIPTS });
  const builtin = { api: 'anthropic', baseUrl: model.url, apiKey: 'a-key', model: 'scripted' };
  const it = new Story({
    workflow: WORKFLOW,
    programs: { worker: '' },
    config: {
      llm: { aliases: { planning: { provider: 'builtin', model: 'scripted' } } },
      plugins: { installed: { builtin: { config: builtin } } },
    },
  });
  try {
    await it.runner.start();
    await run(it);
  } finally {
    await it.end();
    await model.close();
  }
};

test(
  'a question is answered with findings whose places are checked, and becomes a job (PLN-8)',
  on(async (it) => {
    const answer = await svc(it, 'plan', '--repo', 'repo', 'What is this? @@look');
    assert.is(answer.code, 0, answer.err);
    assert.match(answer.out, 'It says what it is.');
    assert.not.match(answer.out, '<findings>');
    assert.not.match(answer.out, '<readiness>');
    assert.match(answer.err, 'scm_read_file README.md');
    assert.match(answer.out, 'README.md:1 was looked up');
    assert.match(answer.out, 'src/gone.ts:3 does not exist');
    assert.match(answer.out, '- By when?');

    const flags = ['--continue', 'last', '--dispatch', '--workflow', 'workflows/story.md'];
    const unasked = await svc(it, 'plan', ...flags, 'Continue @@ask');
    assert.is(unasked.code, 2, 'without a terminal no one has confirmed');
    assert.equal((await it.client.jobs()).jobs, []);

    const creation = await svc(it, 'plan', ...flags, '--yes', '--json', 'Continue @@ask');
    const { job, session } = JSON.parse(creation.out);
    await it.until(job.jobId, ({ ended }) => ended);
    const { params } = await it.client.job(job.jobId);
    assert.is(params.investigationId, session.sessionId);
    assert.is(params.findingsSha, session.findings.sha256);
    assert.is(params.description, 'A title is missing');
  }),
);

test(
  'a message that was not answered is asked again without typing it again (PLN-4)',
  on(async (it) => {
    const failed = await svc(it, 'plan', 'Are you there? @@once');
    assert.is(failed.code, 1);
    assert.match(failed.err, 'This model is closed');
    const again = await svc(it, 'plan', '--continue', 'last', '--again');
    assert.is(again.code, 0, again.err);
    assert.match(again.out, 'Here I am.');
    const [newest] = (await it.client.investigations()).sessions;
    const { turns } = await it.client.investigation(newest?.sessionId ?? '');
    assert.equal(
      turns.map(({ message }) => message),
      ['Are you there? @@once', 'Are you there? @@once'],
    );
    const both = await svc(it, 'plan', '--continue', 'last', '--again', 'And this');
    assert.is(both.code, 2);
  }),
);

test(
  'what cannot be asked is refused with the reason',
  on(async (it) => {
    const nothing = await svc(it, 'plan');
    assert.is(nothing.code, 2);
    assert.match(nothing.err, 'Nothing is asked.');
    const unknown = await svc(it, 'plan', '--continue', 'chat-9', 'Continue');
    assert.is(unknown.code, 3, unknown.err);
    const noFindings = await svc(it, 'plan', '--dispatch', '--yes', 'What is this? @@ask');
    assert.is(noFindings.code, 1);
    assert.match(noFindings.err, 'The chat has no findings yet');
  }),
);

test.run();
