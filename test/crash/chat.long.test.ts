import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAgentConfig } from '../../demo/agents.ts';
import { makeSampleRepository } from '../../demo/sampleRepository.ts';
import { openModelServer } from '../../demo/model/server.ts';
import { sendChatMessage } from '../../src/api/client/intakeFrames.ts';
import type { Client } from '../../src/api/client/client.ts';
import { MortalRunner } from '../support/crash/mortalRunner.ts';

const test = suite('crashes: a turn of a plan-mode chat');

const BIN = join(import.meta.dirname, '..', '..', 'cli', 'bin', 'run.js');
const CHAT = 'chat-1';
const QUESTION = 'Why do titles lose letters? @@why';

const SCRIPTS = {
  why: [
    { say: 'Let me look. ', calls: [{ svc: 'scm_read_file', args: { path: 'src/slugify.js' } }] },
    { say: 'It drops them.\n\n<findings>\nSee `src/slugify.js:2`.\n</findings>\n' },
  ],
  again: [{ say: 'Here I am.' }],
};

const say = async (client: Client, message: string): Promise<string> => {
  const { signal } = new AbortController();
  let text = '';
  // One connection: whether the runner has died is what is asked here.
  const once = { ...client, watchInvestigation: () => Promise.reject(new Error('not again')) };
  for await (const { frame } of sendChatMessage(
    { client: once, signal, wait: async () => undefined },
    { sessionId: CHAT, message },
  ))
    if (frame.type === 'token') text += frame.text;
  return text;
};

/**
 * Longest time from the end of an answer to the death of a runner whose point comes after it, ms.
 */
const AFTERWARDS_MS = 2_000;

/** Every how many of the points is played; 1 = all. */
const EVERY = Number(process.env.SVC_CHAT_CRASHES ?? 5);

test('killed at a point of a turn: the message is kept if it was taken, and the chat continues', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-chat-crash-'));
  const model = await openModelServer({ scripts: SCRIPTS });
  const repository = makeSampleRepository(dir);
  const config = {
    forges: { local: { repos: { titles: repository } } },
    ...buildAgentConfig('builtin', { model: model.url, program: null }),
  };
  const play = async (name: string, dieAt?: string) => {
    const home = join(dir, name);
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
    const runner = new MortalRunner(home, BIN);
    const countFile = join(home, 'points');
    const started = await runner.start(dieAt === undefined ? { countFile } : { dieAt, countFile });
    if (!started) return { runner, points: [], answer: null, isMissed: false };
    const answer = await say(runner.client, QUESTION).catch(() => null);
    const points = readFileSync(countFile, 'utf8').trim().split('\n');
    if (dieAt === undefined) return { runner, points, answer };
    // A lost answer is the death; a whole one may come just before it, or without it: which rows one
    // commit holds depends on the processor, so that not every turn comes by every point.
    const late = wait(AFTERWARDS_MS, null, { ref: false });
    const died = await (answer === null ? runner.gone() : Promise.race([runner.ended, late]));
    if (died === null) await runner.kill();
    return { runner, points, answer, isMissed: died === null };
  };
  try {
    const whole = await play('whole');
    assert.is(whole.answer?.includes('It drops them.'), true);
    const points = whole.points
      .map((line) => line.split(' ')[1] ?? '')
      .filter((point) => point.includes('investigation'));
    await whole.runner.kill();
    assert.ok(points.length >= 8, `${points.length} points`);
    const missed: string[] = [];
    for (const [index, point] of points.entries()) {
      if (index % EVERY !== 0) continue;
      const { runner, isMissed } = await play(`at-${index}`, point);
      if (isMissed) missed.push(point);
      assert.ok(await runner.start(), point);
      const chat = await runner.client.investigation(CHAT).catch(() => null);
      // Before the first commit nothing was taken, and nothing was acknowledged.
      if (index === 0) assert.is(chat, null, point);
      else {
        assert.is(chat?.turns[0]?.message, QUESTION, point);
        assert.ok(['lost', 'done'].includes(chat?.turns[0]?.state ?? ''), point);
        assert.is(chat?.running, false, point);
      }
      assert.is(await say(runner.client, 'And now? @@again'), 'Here I am.', point);
      const after = await runner.client.investigation(CHAT);
      assert.equal(
        after.turns.map(({ n }) => n),
        index === 0 ? [1] : [1, 2],
        point,
      );
      await runner.kill();
    }
    assert.ok(missed.length <= points.length / EVERY / 2, `missed: ${missed.join(', ')}`);
    for (const point of missed) console.log(`note: killed after the turn, which missed ${point}`);
  } finally {
    await model.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

test.run();
