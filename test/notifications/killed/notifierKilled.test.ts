import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import webPush from 'web-push';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { parseFacts } from '../../../src/notifications/rules/planMessages.ts';
import { longLane } from '../../support/longLane.ts';
import { FakeBrowser, FakePushService } from '../../support/notifications/fakePushService.ts';
import { FakeReceiver } from '../../support/notifications/fakeReceiver.ts';
import { createFakeSlack, SLACK_PATH } from '../../support/notifications/fakeSlack.ts';
import type { ProgramOptions } from './notifierProgram.ts';

const test = suite('notifications: a process that is killed');
const long = longLane(test);

const ROOT = join(import.meta.dirname, '../../..');
/** Where packages are found; built once, since loading its sources takes longer than what it does. */
const PROGRAM = join(ROOT, '.cache', `notifierProgram-${process.pid}.mjs`);
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
/** Events of a process (jobs, messages) before it is killed, at most. */
const MOST_EVENTS = 12;

test.before(async () => {
  mkdirSync(dirname(PROGRAM), { recursive: true });
  await build({
    entryPoints: [join(import.meta.dirname, 'notifierProgram.ts')],
    outfile: PROGRAM,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
});
test.after(() => rmSync(PROGRAM, { force: true }));

/** A sequence that is the same for the same seed, each at least 0 and below 1. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Starts the program again and again, and kills it at a random event of each run but the last. */
async function playKills(jobs: number, kills: number) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-notify-'));
  const stateFile = join(folder, 'state.db');
  let onEvent = () => {};
  const hook = new FakeReceiver(() => {
    onEvent();
    return { status: 204 };
  });
  const slack = createFakeSlack();
  const push = new FakePushService();
  push.onTaken = () => onEvent();
  await Promise.all([hook.start(), slack.start(), push.start()]);
  const pushKeys = webPush.generateVAPIDKeys();
  const browser = new FakeBrowser('/send/b1', Buffer.alloc(16, 3));
  push.addBrowser(browser, pushKeys.publicKey);
  const { endpoint, keys, label } = browser.toSubscription(push.url);
  const options: ProgramOptions = {
    stateFile,
    folder,
    jobs,
    hookUrl: hook.url,
    hookSecret: SECRET,
    chatUrl: slack.url + SLACK_PATH,
    pushKeys,
    subscription: { id: 'b1', channel: 'push', endpoint, ...keys, label, created_at: 0 },
  };
  const chance = createChance(7);
  let killed = 0;
  for (let run = 0; run <= kills; run += 1) {
    const child: ChildProcess = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let remaining = run === kills ? Number.POSITIVE_INFINITY : Math.ceil(chance() * MOST_EVENTS);
    onEvent = () => {
      remaining -= 1;
      if (remaining === 0) child.kill('SIGKILL');
    };
    child.stdout?.on('data', (lines: Buffer) => {
      for (const _line of lines.toString().trim().split('\n')) onEvent();
    });
    const [code, signal] = await once(child, 'close');
    if (signal === 'SIGKILL') killed += 1;
    else assert.is(code, 0);
  }
  hook.stop();
  slack.stop();
  push.stop();
  const store = openStore({ file: stateFile, pid: process.pid, now: Date.now() });
  const messages = store.rows.all('notification_messages');
  await store.release();
  const taken = readFileSync(join(folder, 'taken'), 'utf8').trim().split('\n');
  rmSync(folder, { recursive: true });
  return { hook, slack, push, messages, killed, taken };
}

const makeFactIds = (jobs: number): string[] =>
  Array.from({ length: jobs }, (_, n) => `j${n}/approval/1000`).sort();

async function checkKills(jobs: number, kills: number): Promise<void> {
  const { hook, slack, push, messages, killed, taken } = await playKills(jobs, kills);
  assert.ok(killed * 2 >= kills, `only ${killed} of ${kills} were killed`);
  const listFacts = (channel: string) =>
    messages
      .filter((message) => message.channel === channel)
      .flatMap(({ facts }) => parseFacts(facts).map(({ id }) => id));
  // Each fact is in one message of each channel, and nothing else is.
  for (const channel of ['hook', 'chat', 'script', 'push/b1'])
    assert.equal(listFacts(channel).sort(), makeFactIds(jobs), channel);

  // The webhook has taken each message, every time with the same id and the same facts.
  const contents = new Map<string, Set<string>>();
  for (const { headers, json } of hook.accepted) {
    const items = Object(json?.data).items as { id: string }[];
    const id = String(headers['webhook-id']);
    const known = contents.get(id) ?? new Set<string>();
    contents.set(id, known.add(items.map((item) => item.id).join()));
  }
  assert.ok([...contents.values()].every(({ size }) => size === 1));
  assert.equal(
    [...contents.values()].flatMap((texts) => [...texts].join().split(',')).sort(),
    makeFactIds(jobs),
  );

  // So has the command. A kill may leave the beginning of a message in the file, and the whole one after it.
  const whole = taken.flatMap((line) => {
    const at = line.lastIndexOf('{"id":"msg_');
    return at < 0 ? [] : [JSON.parse(line.slice(at)).id as string];
  });
  const scripted = messages.filter(({ channel }) => channel === 'script');
  assert.equal([...new Set(whole)].sort(), scripted.map(({ id }) => id).sort());

  // The chat has taken each at most once; one whose attempt was cut off is not sent again.
  const links = slack.accepted.flatMap(({ text }) => text.match(/jobs\/j\d+\|/g) ?? []);
  assert.is(new Set(links).size, links.length);
  const chats = messages.filter(({ channel }) => channel === 'chat');
  assert.ok(chats.every(({ attempts }) => attempts === 1));
  const sentCount = chats.filter(({ state }) => state === 'sent').length;
  assert.is(chats.filter(({ state }) => state === 'unknown').length, chats.length - sentCount);
  assert.ok(slack.accepted.length >= sentCount && slack.accepted.length <= chats.length);

  // So has the browser, each message with its own topic or that of the inbox.
  const pushes = messages.filter(({ channel }) => channel === 'push/b1');
  assert.ok(pushes.every(({ attempts }) => attempts === 1));
  const pushed = pushes.filter(({ state }) => state === 'sent').length;
  assert.is(pushes.filter(({ state }) => state === 'unknown').length, pushes.length - pushed);
  assert.ok(push.taken.length >= pushed && push.taken.length <= pushes.length);
}

test('8 facts and 2 kills: a webhook and a command get each at least once, a chat and a browser at most once', () =>
  checkKills(8, 2));

long('200 facts and 40 kills', () => checkKills(200, 40));

test.run();
