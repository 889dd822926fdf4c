import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  attackedRunner,
  endAll,
  goesOn,
  ONE_PHASE,
  parseProblem,
  send,
} from '../support/attackedRunner.ts';
import { attach, canTrace } from '../support/crash/systemCalls.ts';

const test = suite('attacks: artefacts');

const SECRET = 'a secret of another user';
const dir = mkdtempSync(join(tmpdir(), 'svc-attack-'));
const PROGRAM = join(import.meta.dirname, '../..');
const secretFile = join(dir, 'secret');
writeFileSync(secretFile, SECRET);

/**
 * Knows the runner's folders, since it works for the same user, and puts links where the bytes of
 * its artefacts belong.
 */
const LINKS = `
const { createHash } = await import('node:crypto');
const { mkdirSync, rmSync, symlinkSync } = await import('node:fs');
const blobs = process.cwd() + '/../../../blobs/';
const secret = ${JSON.stringify(secretFile)};
const findPlace = (content) => { const hash = createHash('sha256').update(content).digest('hex'); return [blobs + hash.slice(0, 2), hash]; };
const link = (content) => { const [folder, hash] = findPlace(content); mkdirSync(folder, { recursive: true }); rmSync(folder + '/' + hash, { force: true }); symlinkSync(secret, folder + '/' + hash); };
const before = 'b'.repeat(readFileSync(secret).length);
link(before);
tool('post_artifact', { kind: 'before', title: 'before', content: before });
tool('post_artifact', { kind: 'after', title: 'after', content: 'after' });
link('after');
tool('post_artifact', { kind: 'changed', title: 'changed', content: 'changed' });
writeFileSync(findPlace('changed').join('/'), 'CHANGED');
tool('post_artifact', { kind: 'gone', title: 'gone', content: 'gone' });
rmSync(findPlace('gone').join('/'));
tool('post_artifact', { kind: 'plan-md', title: '../../etc/passwd', content: '# Plan' });
`;

const it = await attackedRunner({ workflow: ONE_PHASE, programs: { worker: LINKS } });
const id = await it.job();
const endedJob = await it.until(id, ({ ended }) => ended);
assert.is(endedJob.status, 'complete', endedJob.escalationMessage ?? '');
const findArtefactId = (kind: string) =>
  endedJob.artefacts.find((artefact) => artefact.kind === kind)?.id ?? '';
const get = (artefact: string) => send(it, 'GET', `/jobs/${id}/artifacts/${artefact}/content`);
test.after(async () => {
  await endAll(it);
  rmSync(dir, { recursive: true, force: true });
});

/**
 * Ways to another file: up, absolute, encoded once and twice, cut by NUL, as another system writes
 * them.
 */
const PATHS = [
  '../../etc/passwd',
  '..%2F..%2F..%2Fetc%2Fpasswd',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%252e%252e%252fetc%252fpasswd',
  '%2Fetc%2Fpasswd',
  '/etc/passwd',
  '..%5C..%5Cetc%5Cpasswd',
  '..%c0%af..%c0%afetc%c0%afpasswd',
  '%ef%bc%8e%ef%bc%8e%ef%bc%8fetc%ef%bc%8fpasswd',
  '..%00',
  `${findArtefactId('plan-md')}%00.md`,
  `${findArtefactId('plan-md')}%2F..%2F..%2Fstate.db`,
  'state.db',
  'runner.token',
  'file:%2F%2F%2Fetc%2Fpasswd',
  '~root',
  '.',
  '..',
  '*',
  '',
];

test('5 · an artefact id that is a way to another file: 404', async () => {
  for (const path of PATHS) {
    const { status, code } = parseProblem(await get(path), path);
    assert.equal(status, 404, path);
    assert.equal(code, 'not-found', path);
  }
  const plan = await get(findArtefactId('plan-md'));
  assert.equal(plan.status, 200);
  assert.equal(plan.text, '# Plan');
  assert.equal(plan.headers['content-disposition'], 'attachment; filename="passwd"');
  await goesOn(it);
});

test('5 · a link that an agent put in the place of an artefact, before and after it was posted, and changed bytes: never a byte of another file', async () => {
  const before = await get(findArtefactId('before'));
  assert.equal(before.status, 200, 'the link was replaced by the bytes');
  assert.equal(before.text, 'b'.repeat(SECRET.length), 'the link was replaced by the bytes');
  for (const kind of ['after', 'changed', 'gone']) {
    const reply = await get(findArtefactId(kind));
    const { status, code, detail } = parseProblem(reply, kind);
    assert.equal(status, 500, kind);
    assert.equal(code, 'internal', kind);
    assert.match(detail, 'only its description is left', kind);
    assert.not.match(reply.text, /secret|CHANGED/);
    assert.not.match(reply.text, dir);
  }
  await goesOn(it);
});

if (canTrace) {
  test('5 · no such request makes the runner open a file outside its home', async () => {
    const tracing = await attach(it.runner.pid, '-e', 'trace=open,openat,openat2');
    for (const path of PATHS) await get(path);
    for (const kind of ['plan-md', 'before', 'after', 'changed', 'gone'])
      await get(findArtefactId(kind));
    const calls = await tracing.end();
    const opened = [...calls.matchAll(/open(?:at2?)?\((?:AT_FDCWD, )?"([^"]*)"/g)].map(
      (call) => call[1] ?? '',
    );
    assert.ok(
      opened.some((file) => file.startsWith(join(it.home, 'blobs'))),
      `the calls were noted: ${calls}`,
    );
    // A part of the program may be loaded meanwhile, which does not depend on a request.
    const isProgram = (file: string) => file.startsWith(join(PROGRAM, 'dist/'));
    assert.equal(
      opened.filter((file) => !file.startsWith(`${it.home}/`) && !isProgram(file)),
      [],
    );
  });
} else {
  console.log('left out: which files the runner opens; strace is missing or may not look');
  test('5 · LEFT OUT: the files that the runner opens; strace is missing or may not look (apt-get install strace)', () => {
    assert.not.ok(canTrace);
  });
}

test.run();
