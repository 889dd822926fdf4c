import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientError } from '../../src/api/client/problem.ts';
import { type Story, story } from '../support/story.ts';

const test = suite('stories: a job that comes from a plan-mode chat');

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/reader.md, status: coding }
`;

/** Says what it was given of the findings. */
const READER = `
tool('log', { tag: 'file', message: readFileSync('../plan/findings.md', 'utf8').split('---\\n\\n')[1] });
tool('log', { tag: 'kickoff', message: kickoff.includes('> # Findings of the chat') ? 'quoted' : 'missing' });
`;

const FINDINGS = '# Findings of the chat\n\nThe list is in src/list.ts:3.';
const sha = createHash('sha256').update(FINDINGS).digest('hex');

/** A chat with one message, and its write-up. */
async function investigated(it: Story): Promise<string> {
  await it.client.saveInvestigation('chat-1', {
    turns: [{ role: 'user', content: 'What is wrong with the list?' }],
    items: [],
    findings: { text: FINDINGS },
  });
  return 'chat-1';
}

const on = (run: (it: Story) => Promise<void>) =>
  story({ workflow: WORKFLOW, programs: { reader: READER } }, run);

const runToEnd = async (it: Story, params: Record<string, unknown>): Promise<string> => {
  const job = await it.job(params);
  await it.until(job, ({ ended }) => ended);
  return job;
};

const refusal = async (run: () => Promise<unknown>): Promise<ClientError> => {
  try {
    await run();
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('expected a refusal, but it went through');
};

test(
  'its folder has the write-up before the agent begins, and its journal the hash (JOB-13)',
  on(async (it) => {
    const id = await investigated(it);
    const job = await runToEnd(it, { investigationId: id, findingsSha: sha });
    const lines = await it.log(job);
    const file = join(it.home, 'work', job, 'plan', 'findings.md');
    const [first] = await it.client.journal(job);
    assert.ok(
      lines.some((line) => line.startsWith('[file] # Findings of the chat')),
      'the agent could not read the file',
    );
    assert.ok(lines.includes('[kickoff] quoted'), 'the first kickoff does not quote it');
    assert.ok(readFileSync(file, 'utf8').endsWith(`---\n\n${FINDINGS}`), 'the text is another one');
    assert.match(JSON.stringify(first), sha, 'the journal has no hash');
    assert.equal((await it.client.investigation(id)).jobIds, [job], 'the chat knows of no job');
  }),
);

test(
  'what was not shown, and a chat that does not exist, are refused (JOB-13)',
  on(async (it) => {
    const id = await investigated(it);
    const unknown = await refusal(() => it.job({ investigationId: 'chat-9' }));
    const changed = await refusal(() => it.job({ investigationId: id, findingsSha: 'a' }));
    assert.is(unknown.status, 422);
    assert.is(unknown.problem.errors?.[0]?.pointer, '/params/investigationId');
    assert.is(changed.status, 409);
    assert.is(changed.problem.shown, 'a');
    assert.is(changed.problem.stored, sha);
  }),
);

test.run();
