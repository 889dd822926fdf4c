import { tmpdir } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_SANDBOX } from '../../../src/base/agents/sandboxProfiles.ts';
import {
  checkCommandPart,
  explainNamespaceRefusal,
  type PartState,
} from '../../../src/executors/sandbox/checkSandboxParts.ts';
import {
  Probe,
  type ProfileState,
  listWantedProfiles,
} from '../../../src/executors/sandbox/probe.ts';
import { tryPrefix } from '../../../src/executors/sandbox/tryPrefix.ts';

const test = suite('sandbox: probe');

const part = (ok: boolean, detail: string): PartState => ({
  part: 'socat',
  ok,
  detail,
  fix: null,
});
const GOOD: ProfileState = { profile: 'bubblewrap', parts: [part(true, 'here')] };
const BAD: ProfileState = { profile: 'runtime', parts: [part(false, 'socat is not installed')] };

const createProbe = (...looks: ProfileState[][]) => {
  const clock = { at: 0, now: () => clock.at };
  let calls = 0;
  const probe = new Probe(clock, async () => {
    calls += 1;
    return looks[Math.min(calls, looks.length) - 1] ?? [];
  });
  return { probe, clock, asked: () => calls };
};

test('any is the runtime, then bubblewrap; a command of the user comes before both', () => {
  assert.equal(listWantedProfiles(NO_SANDBOX), ['runtime', 'bubblewrap']);
  assert.equal(listWantedProfiles({ ...NO_SANDBOX, sandboxCommand: ['firejail'] }), ['command']);
  assert.equal(listWantedProfiles({ ...NO_SANDBOX, sandboxProfile: 'runtime' }), ['runtime']);
});

test('the first profile whose parts all work is used', async () => {
  const { probe } = createProbe([BAD, GOOD]);
  assert.equal(await probe.of(NO_SANDBOX), { profile: 'bubblewrap', lacks: null });
});

test('where none works, what lacks is named', async () => {
  const { probe } = createProbe([BAD]);
  assert.equal(await probe.of(NO_SANDBOX), { profile: null, lacks: 'socat is not installed' });
});

test('what works is looked for once', async () => {
  const { probe, clock, asked } = createProbe([GOOD]);
  await probe.of(NO_SANDBOX);
  clock.at = 3_600_000;
  await probe.of(NO_SANDBOX);
  assert.is(asked(), 1);
});

test('what lacks is looked for again after a minute', async () => {
  const { probe, clock, asked } = createProbe([BAD], [GOOD]);
  await probe.of(NO_SANDBOX);
  clock.at = 59_999;
  await probe.of(NO_SANDBOX);
  assert.is(asked(), 1);
  clock.at = 60_000;
  assert.is((await probe.of(NO_SANDBOX)).profile, 'bubblewrap');
});

test('other settings are another question', async () => {
  const { probe, asked } = createProbe([GOOD]);
  await probe.of(NO_SANDBOX);
  await probe.of({ ...NO_SANDBOX, sandboxProfile: 'runtime' });
  assert.is(asked(), 2);
});

const KERNEL = { appArmorRestricts: null, unprivilegedClone: null, maxNamespaces: null };

test('each way in which a kernel refuses namespaces has its own fix', () => {
  const suggestFix = (settings: Partial<typeof KERNEL | Record<keyof typeof KERNEL, number>>) =>
    explainNamespaceRefusal('no', { ...KERNEL, ...settings }).fix ?? '';
  assert.match(suggestFix({ unprivilegedClone: 0 }), 'unprivileged_userns_clone=1');
  assert.match(suggestFix({ maxNamespaces: 0 }), 'max_user_namespaces');
  assert.match(suggestFix({ appArmorRestricts: 1 }), '/etc/apparmor.d/bwrap');
  assert.match(suggestFix({}), 'docker run');
});

const HERE = { path: '/bin:/usr/bin', home: tmpdir() };
const readPartDetail = async (...command: string[]) =>
  (await checkCommandPart(command, HERE)).detail;

test('a command of the user must exist', async () => {
  assert.is((await checkCommandPart(['env'], HERE)).ok, true);
  assert.is(await readPartDetail('no-such-program'), 'no-such-program was not found');
  assert.is(await readPartDetail(), 'runner.sandboxCommand is empty');
});

test('a command of the user that ends at once, or only prints what it is given, is not used', async () => {
  const problem = /did not run the shell behind it/;
  assert.match(await readPartDetail('true'), problem);
  assert.match(await readPartDetail('echo'), problem);
});

test('a command of the user that fails is not used, and its words are said', async () => {
  assert.match(
    await readPartDetail('sh', '-c', 'echo no profile >&2; exit 3'),
    /ended with exit code 3 and did not run the shell behind it: no profile$/,
  );
});

test('a command of the user that hangs is not waited for', async () => {
  const problem = await tryPrefix(['sh', '-c', 'sleep 60 & sleep 60'], { ...HERE, timeoutMs: 200 });
  assert.is(problem, 'it has not run a shell within 0.2 s');
});

test.run();
