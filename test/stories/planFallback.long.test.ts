import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendChatMessage } from '../../src/api/client/intakeFrames.ts';
import type { IntakeFrame } from '../../src/contract/schema/planning/intakeFrames.ts';
import { type Story, story } from '../support/story.ts';

const test = suite('stories: a chat of an executor that has none');

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding }
`;

/** Looks something up, tries to write, and answers in lines; every turn is given the whole chat. */
const INVESTIGATOR = `
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
const kickoff = readFileSync(process.env.SVC_SESSION_DIR + '/kickoff.md', 'utf8');
const call = (name, args, ...flags) => spawnSync('svc', ['tool', name, '-', ...flags], { input: JSON.stringify(args), encoding: 'utf8' });
const file = { repo: 'repo', path: 'README.md' };
const read = call('scm_read_file', file, '--text');
const data = JSON.parse(call('scm_read_file', file).stdout);
const write = call('post_artifact', { kind: 'plan', title: 'x', content: 'x' });
console.log('The folder has ' + readdirSync('.').length + ' files.');
console.log('Read: ' + (read.status === 0 && read.stdout.includes('README.md')));
console.log('As data: ' + data.text.includes('README.md'));
console.log('Wrote: ' + (write.status === 0));
console.log('Earlier: ' + kickoff.includes('What is this?') + ', now: ' + kickoff.trimEnd().endsWith('And now?'));
console.log('<readiness>\\n{"state":"ready","openQuestions":[],"note":"seen"}\\n</readiness>');
`;

const AGENT = `---
name: Plan mode
description: A program that answers.
command: [node, '{layer}/programs/investigator.mjs']
---

You look and change nothing.
`;

const TENANT = { 'agents/intake.md': AGENT, 'programs/investigator.mjs': INVESTIGATOR };
const BY_COMMAND = { llm: { defaultProvider: 'command' } };

const on = (run: (it: Story) => Promise<void>, tenant: Readonly<Record<string, string>> = TENANT) =>
  story({ workflow: WORKFLOW, programs: { worker: '' }, config: BY_COMMAND, tenant }, run);

async function ask(it: Story, message: string): Promise<IntakeFrame[]> {
  const frames: IntakeFrame[] = [];
  const { signal } = new AbortController();
  const body = { sessionId: 'chat-1', message };
  for await (const { frame } of sendChatMessage({ client: it.client, signal }, body))
    frames.push(frame);
  return frames;
}

const joinTexts = (frames: readonly IntakeFrame[]): string =>
  frames.map((frame) => (frame.type === 'token' ? frame.text : '')).join('');

test(
  'the program of agents/intake.md answers in a session that can only read (PLN-7)',
  on(async (it) => {
    const frames = await ask(it, 'What is this?');
    const text = joinTexts(frames);
    assert.match(text, 'The folder has 0 files.');
    assert.match(text, 'Read: true');
    assert.match(text, 'As data: true');
    assert.match(text, 'Wrote: false');
    const last = frames.at(-1);
    assert.is(last?.type === 'done' && last.fallback, true);
    const lookup = frames.find((frame) => frame.type === 'tool_end');
    assert.is(lookup?.type === 'tool_end' && lookup.name, 'scm_read_file');
    assert.is(lookup?.type === 'tool_end' && lookup.round, 1);
    const { readiness, counters, evidence } = await it.client.investigation('chat-1');
    assert.is(readiness, 'ready');
    assert.is(evidence.length, 2);
    assert.is(counters.contextTokens, null);
    assert.equal(counters.cost, { usd: null, priced: false });
  }),
);

test(
  'its next turn is given the conversation so far, and a turn leaves no folder behind',
  on(async (it) => {
    await ask(it, 'What is this?');
    assert.match(joinTexts(await ask(it, 'And now?')), 'Earlier: true, now: true');
    const chats = join(it.home, 'chats');
    assert.equal(existsSync(chats) ? readdirSync(chats) : [], []);
  }),
);

test(
  'without such a program no one can answer: 503 no-llm, which names the file',
  on(async (it) => {
    const response = await fetch(`${it.runner.url}/intake/stream`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${it.runner.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ sessionId: 'chat-1', message: 'What is this?' }),
    });
    assert.is(response.status, 503);
    const { reason, detail } = (await response.json()) as { reason: string; detail: string };
    assert.is(reason, 'no-llm');
    assert.match(detail, 'agents/intake.md');
  }, {}),
);

test.run();
