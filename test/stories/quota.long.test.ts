import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAgentConfig } from '../../demo/agents.ts';
import { type ModelServer, openModelServer, type Refusal } from '../../demo/model/server.ts';
import type { Client } from '../../src/api/client/client.ts';
import { sendChatMessage } from '../../src/api/client/intakeFrames.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { later } from '../support/later.ts';

import { story, type StoryOptions } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: an account at its limit');
const long = longLane(test);

const LIMIT_MS = 600_000;
/** From a reset on, within which the probe begins. */
const LATEST_PROBE_MS = 30_000;
const WAVE_MS = 10_000;

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding }
`;

/** Jobs of one phase, whose model plays the script that their description names. */
const createStoryOptions = ({ url }: ModelServer): StoryOptions => ({
  workflow: WORKFLOW,
  programs: {},
  tenant: { 'agents/worker.md': '---\ndescription: works\n---\n\nYou work.\n' },
  config: { ...buildAgentConfig('builtin', { model: url, program: null }) },
});

const fifo = join(mkdtempSync(join(tmpdir(), 'svc-quota-')), 'gate');
const steps = [{ say: 'I begin.', calls: [{ shell: 'true' }] }, { say: 'Done.' }];

/**
 * As https://docs.anthropic.com/en/api/rate-limits documents it; `retry-after` is a second short, as the
 * way of the answer would lead beyond the reset otherwise.
 */
const refusalUntil = (reset: number): Refusal => ({
  status: 429,
  headers: {
    'retry-after': String(Math.floor((reset - Date.now()) / 1_000) - 1),
    'anthropic-ratelimit-input-tokens-limit': '2000000',
    'anthropic-ratelimit-input-tokens-remaining': '0',
    'anthropic-ratelimit-input-tokens-reset': new Date(reset).toISOString(),
  },
  body: {
    type: 'error',
    error: {
      type: 'rate_limit_error',
      message: 'Number of input tokens has exceeded your rate limit.',
    },
  },
});

/** What a chat of plan mode says last. */
async function playChatTurn(client: Client, message: string): Promise<string> {
  const { signal } = new AbortController();
  let last = '';
  for await (const { frame } of sendChatMessage(
    { client, signal, wait: async () => undefined },
    { sessionId: 'chat-1', message },
  ))
    last = JSON.stringify(frame);
  return last;
}

let reset: number | null = null;
const model = await openModelServer({
  scripts: {
    holder: [{ calls: [{ shell: `cat ${fifo}` }] }, ...steps],
    first: steps,
    person: steps,
  },
  refusal: () => (reset === null ? null : refusalUntil(reset)),
});

test.after(() => model.close());

test(
  'jobs park at the next tool boundary, ask nothing until the reset but with one probe, over three kill -9, and all complete (JOB-16)',
  story(createStoryOptions(model), async (it) => {
    execFileSync('mkfifo', [fifo]);
    const listPlayedScripts = () => model.requests.played.map(({ script }) => script);
    const job = (name: string, interactive = false) =>
      it.job({ description: `@@${name}`, interactive });
    const isParked = ({ parked }: { parked: { kind: string } | null }) => parked?.kind === 'quota';

    const holder = await job('holder');
    await model.requests.until(({ script, outcome }) => script === 'holder' && outcome !== null);
    reset = Math.ceil((Date.now() + LIMIT_MS) / 1_000) * 1_000;
    const until = new Date(reset).toISOString();
    const first = await job('first');
    await it.until(first, isParked);
    const person = await job('person', true);
    const waiting = await it.until(person, isParked);
    assert.is(waiting.parked?.until, until, 'a job that has asked nothing knows the time');
    assert.is((await it.client.job(holder)).parked, null, 'its tool runs');
    await writeFile(fifo, 'go');
    assert.is((await it.until(holder, isParked)).parked?.until, until);
    const chat = await playChatTurn(it.client, 'What now? @@person');
    assert.match(chat, /The model was not asked: pool:\S+ is exhausted/);
    assert.equal(listPlayedScripts(), ['holder', 'first'], 'neither after its tool nor for a chat');

    await it.runner.kill();
    await it.runner.start();
    const [pool] = await it.client.accounts();
    assert.is(pool?.state, 'exhausted');
    assert.is(pool?.waiting, 3);
    const { waitsFor, timers } = await it.client.why(person);
    assert.match(
      waitsFor.join('; '),
      /is exhausted \(limit of input tokens\); it is tried again at/,
    );
    assert.is(timers.length, 1, 'the countdown to the probe');
    assert.equal(listPlayedScripts(), ['holder', 'first'], 'the start of the runner asks nothing');

    await it.runner.kill();
    let ahead = reset + LATEST_PROBE_MS - Date.now();
    reset = null;
    await it.runner.start(later(ahead));
    await it.until(person, ({ ended }) => ended);
    await model.requests.until(({ script, number }) => script === 'holder' && number > 4);
    assert.equal(listPlayedScripts().slice(2, 3), ['person'], 'the probe is the job with a person');
    assert.not.ok(
      listPlayedScripts().slice(2).includes('first'),
      'the next wave is ten seconds later',
    );

    await it.runner.kill();
    ahead += WAVE_MS;
    await it.runner.start(later(ahead));
    for (const id of [first, holder]) {
      const over = await it.until(id, ({ ended }) => ended);
      assert.is(over.status, 'complete');
    }
    assert.is((await it.client.job(person)).status, 'complete');
    assert.is((await it.client.accounts())[0]?.state, 'open');
  }),
);

/** As a Claude subscription shows its window of five hours: https://github.com/anthropics/claude-code/issues/12829. */
const windowAt = (used: number, resets: number) => ({
  'anthropic-ratelimit-unified-status': 'allowed',
  'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  'anthropic-ratelimit-unified-5h-utilization': String(used),
  'anthropic-ratelimit-unified-5h-reset': String(resets),
});

/** As https://platform.claude.com/docs/en/api/errors documents it. */
const UNPAID: Refusal = {
  status: 402,
  headers: {},
  body: {
    type: 'error',
    error: {
      type: 'billing_error',
      message: "There's an issue with your billing or payment information.",
    },
  },
};

const windowEnds = Math.ceil(Date.now() / 1_000) + 3_600;
const isPaid = { now: true };
const nearlyFull = await openModelServer({
  scripts: {
    at92: [{ say: 'Done.', headers: windowAt(0.92, windowEnds) }],
    at98: [{ say: 'Done.', headers: windowAt(0.98, windowEnds) }],
  },
  refusal: () => (isPaid.now ? null : UNPAID),
});

test.after(() => nearlyFull.close());

long(
  'from 90 % of a window on no new headless job begins, from 97 % no phase; missing money waits for a person (JOB-16)',
  story(createStoryOptions(nearlyFull), async (it) => {
    const countPlayed = () => nearlyFull.requests.played.length;
    const job = (name: string, interactive: boolean) =>
      it.job({ description: `@@${name}`, interactive });
    const isParked = ({ parked }: Job) => parked?.kind === 'quota';
    const hasEnded = ({ ended }: Job) => ended;
    const until = new Date(windowEnds * 1_000).toISOString();

    await it.until(await job('at92', false), hasEnded);
    const headless = await job('at92', false);
    assert.is((await it.until(headless, isParked)).parked?.until, until, 'at 92 %');
    assert.is(countPlayed(), 1);
    await it.until(await job('at98', true), hasEnded);
    const person = await job('at98', true);
    assert.is((await it.until(person, isParked)).parked?.until, until, 'at 98 %');
    assert.is(countPlayed(), 2, 'a job of a person has begun at 92 %, and none at 98 %');

    isPaid.now = false;
    await it.client.resume(person, {});
    const unpaid = await it.until(
      person,
      (one) => isParked(one) && one.parked?.until === undefined,
    );
    assert.match(unpaid.parked?.reason ?? '', /is unpaid/);
    const [pool] = await it.client.accounts();
    assert.is(pool?.state, 'billing');
    assert.is(pool?.limit?.until, null);
    assert.equal((await it.client.why(person)).timers, [], 'nothing tries it again');
    assert.is(countPlayed(), 3);

    isPaid.now = true;
    await it.client.retryAccount({ pool: pool?.id ?? '' });
    for (const id of [person, headless])
      assert.is((await it.until(id, hasEnded)).status, 'complete');
  }),
);

test.run();
