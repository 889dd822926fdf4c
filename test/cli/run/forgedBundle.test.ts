import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openBundle } from '../../../cli/local/run/resumeRun.ts';
import { readBundleManifest } from '../../../cli/local/run/bundle/unpackBundle.ts';
import {
  type BundleSummary,
  writeJobBundle,
} from '../../../cli/local/run/bundle/writeJobBundle.ts';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { migrate } from '../../../src/kernel/sqlite/migrate.ts';
import { parsePairManifest } from '../../../src/kernel/sqlite/pair/pairManifest.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { forgeBundle, type Forged } from '../../support/cli/forgedBundle.ts';
import { git } from '../../support/gitRepository.ts';
import { catchRefusal } from '../../support/refusal.ts';

const ABOUT: BundleSummary = {
  format: 2,
  svc: '0.2.0',
  job: {
    id: 'shop-job-1',
    status: 'awaiting-pr-merge',
    workflowPath: 'workflows/job.md',
    hasLayer: false,
    frame: 17,
    ended: null,
  },
  repository: { slug: 'shop', forge: 'local', isLocal: true, identity: 'first commit abc' },
};
const JOB = 'work/shop-job-1';
const SHOP = `${JOB}/shop`;

interface Stage {
  dir: string;
  kept: string;
  /** The repository that the checkout was cloned from. */
  source: string;
  /** The job's state before it is kept. */
  db: string;
}
const test = suite<Stage>('svc run: a bundle brings what svc wrote, and nothing that runs');

/** Made once; each test forges copies of it. */
const template: Stage = { dir: '', kept: '', source: '', db: '' };

test.before(async () => {
  template.dir = mkdtempSync(join(tmpdir(), 'svc-forged-'));
  template.kept = join(template.dir, 'kept');
  template.source = join(template.dir, 'source');
  const home = join(template.dir, 'home');
  template.db = join(home, 'state.db');
  mkdirSync(join(home, JOB), { recursive: true });
  git(template.dir, ['init', '-q', '-b', 'main', template.source]);
  writeFileSync(join(template.source, 'a.txt'), 'one\n');
  symlinkSync('/etc/hostname', join(template.source, 'outside'));
  git(template.source, ['add', '--all']);
  git(template.source, ['commit', '-q', '-m', 'first']);
  git(template.dir, ['clone', '-q', '--no-local', template.source, join(home, SHOP)]);
  git(join(home, SHOP), ['switch', '-q', '-c', 'work']);
  writeFileSync(join(home, SHOP, 'b.txt'), 'committed\n');
  git(join(home, SHOP), ['add', '--all']);
  git(join(home, SHOP), ['commit', '-q', '-m', 'second']);
  writeFileSync(join(home, SHOP, 'a.txt'), 'changed\n');
  symlinkSync('b.txt', join(home, SHOP, 'inside'));
  const db = new Database(template.db);
  migrate(db, MIGRATIONS);
  db.close();
  await writeJobBundle(template.kept, home, ABOUT, []);
});
test.before.each((stage) => {
  const dir = mkdtempSync(join(template.dir, 'one-'));
  Object.assign(stage, { ...template, dir, kept: join(dir, 'kept'), db: join(dir, 'state.db') });
  cpSync(template.kept, stage.kept, { recursive: true });
  cpSync(template.db, stage.db);
});
test.after(() => rmSync(template.dir, { recursive: true, force: true }));

/** All files below a folder but those of git's own making, sorted. */
const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((path) => !/\.git\/(?:objects|refs|logs)\//.test(path))
    .sort();

/** Opens the bundle with these changes in a new home. */
async function openForgedBundle(
  { dir, kept, source }: Stage,
  files: Record<string, Forged | string | null>,
) {
  forgeBundle(kept, files);
  const home = mkdtempSync(join(dir, 'again-'));
  const line = await openBundle(kept, await readBundleManifest(kept), home, () => ({
    source,
    origin: source,
  }));
  return { home, line, files: filesIn(home) };
}

const FILES = [
  'state.db',
  // svc writes its own when it opens the state; that of a bundle is not taken.
  'state.db-manifest',
  `${SHOP}/.git/HEAD`,
  `${SHOP}/.git/config`,
  `${SHOP}/.git/index`,
  `${SHOP}/a.txt`,
  `${SHOP}/b.txt`,
  `${SHOP}/inside`,
  `${SHOP}/outside`,
];
const listKnownFiles = (files: readonly string[]) =>
  files.filter((path) => !/\.git\/(?:description|ORIG_HEAD|packed-refs)$/.test(path));

test('a bundle that svc wrote comes back whole, with nothing left', async (stage) => {
  const { home, line, files } = await openForgedBundle(stage, {});
  assert.equal(listKnownFiles(files), FILES);
  assert.is(line, null);
  const shop = join(home, SHOP);
  assert.is(git(shop, ['status', '--porcelain']), ' M a.txt\n?? inside');
  assert.is(git(shop, ['log', '--format=%s', '-1']), 'second');
  assert.is(git(shop, ['branch', '--show-current']), 'work');
  assert.is(git(shop, ['rev-parse', '--abbrev-ref', 'origin/HEAD']), 'origin/main');
  assert.is(git(shop, ['remote', 'get-url', 'origin']), stage.source);
  assert.is(readlinkSync(join(shop, 'outside')), '/etc/hostname');
});

const EVIL = '#!/bin/sh\ntouch /tmp/svc-forged-ran\n';
/** What a forger adds: none of it may be anywhere in the home. */
const ATTACKS: Readonly<Record<string, Record<string, Forged | string>>> = {
  'a rule': {
    'guardrails/evil.sh': EVIL,
    'guardrails/evil.json': '{"when":["tool.before","phase.end","job.start"]}',
  },
  'a configuration': { 'config.json': '{"plugins":{}}', 'runner.token': 'x', 'trust.json': '{}' },
  'a plugin': { 'plugins/evil/package.json': '{}', 'plugins/evil/index.js': EVIL },
  'an own program of svc': { 'bin/svc': EVIL, 'cache/code.js': EVIL },
  'a layer': { 'intelligence/agents/developer.md': 'command: [sh]' },
  'the overlay of the job': { [`${JOB}/_intelligence/agents/coder.md`]: 'command: [sh]' },
  'another overlay': { [`${JOB}/_intelligence.next/agents/coder.md`]: 'command: [sh]' },
  'hooks of git': { [`${SHOP}/.git/hooks/post-checkout`]: EVIL },
  'settings of a work tree': { [`${SHOP}/.git/config.worktree`]: '[core]\n\tfsmonitor = sh' },
  'attributes of git': { [`${SHOP}/.git/info/attributes`]: '* filter=evil' },
  'borrowed objects': { [`${SHOP}/.git/objects/info/alternates`]: '/etc\n' },
  'a folder of settings': {
    [`${SHOP}/.git/commondir`]: '/tmp/evil',
    [`${SHOP}/.git/gitdir`]: '/x',
  },
  'a work that was cut': { [`${SHOP}/.git/rebase-merge/git-rebase-todo`]: 'exec sh' },
  'modules and work trees': {
    [`${SHOP}/.git/modules/x/config`]: '[core]\n\tfsmonitor = sh',
    [`${SHOP}/.git/worktrees/x/gitdir`]: '/x',
  },
  'a repository within': { [`${SHOP}/sub/.git/hooks/post-checkout`]: EVIL },
  'a repository in other letters': {
    [`${SHOP}/.GIT/hooks/x`]: EVIL,
    [`${SHOP}/git~1/config`]: 'x',
  },
  'a file that points to a repository': { [`${JOB}/other/.git`]: 'gitdir: /tmp/evil' },
  'a repository of the whole job': { [`${JOB}/.git/config`]: '[core]\n\tfsmonitor = sh' },
  'settings of an agent': { [`${JOB}/.claude/settings.json`]: '{}', [`${JOB}/.mcp.json`]: '{}' },
  'tools of a session': {
    [`${JOB}/_sessions/2.1/mcp.json`]: '{}',
    [`${JOB}/_sessions/2.1/agent-session`]: '--dangerously',
  },
  'the home of an agent': { [`${JOB}/home/.bashrc`]: EVIL, [`${JOB}/tmp/x`]: EVIL },
  'other names of files': { 'STATE.DB': 'x', 'state.db-shm': 'x', 'state.db.old': 'x' },
  'a blob elsewhere': { 'blobs/xx/evil': 'x', [`blobs/ab/cd${'0'.repeat(62)}`]: 'x' },
  'a twin': { [`${SHOP}/A.TXT`]: 'x', 'Work/shop-job-1/shop/a.txt': 'x' },
  'links that lead out': {
    [`${SHOP}/up`]: { text: '../../../config.json', link: true },
    [`${SHOP}/away`]: { text: '/etc/passwd', link: true },
    [`${SHOP}/through`]: { text: 'inside/../../../x', link: true },
    [`${SHOP}/own`]: { text: '.git/config', link: true },
    [`${JOB}/plan`]: { text: '/etc', link: true },
  },
};

test('rules, settings, hooks, programs and links that lead out are not taken, and named', async (stage) => {
  const { home, line, files } = await openForgedBundle(
    stage,
    Object.assign({}, ...Object.values(ATTACKS)),
  );
  assert.equal(listKnownFiles(files), FILES);
  for (const [name, forged] of Object.entries(ATTACKS))
    for (const path of Object.keys(forged)) assert.is(existsSync(join(home, path)), false, name);
  assert.match(line ?? '', /guardrails.* and \d+ more$/);
});

test('the manifest of a state and what SQLite keeps beside it are not taken', async (stage) => {
  const forged = '{"check":"0123456789abcdef","manifest":{"home":"evil"}}';
  const { home, line } = await openForgedBundle(stage, {
    'state.db-manifest': forged,
    'state.db-journal': 'x',
    'state.db-shm': 'x',
  });
  const own = readFileSync(join(home, 'state.db-manifest'), 'utf8');
  assert.not.match(own, 'evil');
  assert.is(parsePairManifest(own)?.home, null);
  assert.is(existsSync(join(home, 'state.db-journal')), false);
  assert.is(existsSync(join(home, 'state.db-shm')), false);
  assert.is(line, 'state.db-manifest, state.db-journal, state.db-shm');
});

test('settings of git are those of a fresh checkout', async (stage) => {
  const config =
    '[core]\n\tfsmonitor = touch /tmp/x\n\thooksPath = /tmp\n[filter "x"]\n\tclean = sh\n';
  const { home } = await openForgedBundle(stage, {
    [`${SHOP}/.git/config`]: config,
    [`${SHOP}/.git/refs/replace/${'a'.repeat(40)}`]: 'b'.repeat(40),
    [`${SHOP}/.git/index`]: 'DIRC',
  });
  const shop = join(home, SHOP);
  assert.not.match(readFileSync(join(shop, '.git/config'), 'utf8'), /fsmonitor|hooksPath|filter/);
  assert.is(git(shop, ['for-each-ref', 'refs/replace']), '');
  assert.is(existsSync(join(shop, '.git/hooks')), false);
});

test('objects that are not what their id says, and refs without objects, are refused', async (stage) => {
  const { files } = await readBundleManifest(stage.kept);
  const object = files.find(({ path }) => /objects\/[0-9a-f]{2}\//.test(path))?.path ?? '';
  for (const forged of [
    { [object]: 'no object' },
    { [`${SHOP}/.git/refs/heads/work`]: `${'1'.repeat(40)}\n` },
  ])
    assert.match(
      (await catchRefusal(() => openForgedBundle(stage, forged))).message,
      /The bundle .* is damaged: work\/shop-job-1\/shop: its git data cannot be used/,
    );
});

test('a file where a folder is, is refused', async (stage) => {
  assert.match(
    (await catchRefusal(() => openForgedBundle(stage, { [SHOP]: 'a file' }))).message,
    'has an invalid path',
  );
});

/** The bundle's state with these statements done to it. */
async function withState(stage: Stage, ...statements: string[]) {
  const db = new Database(stage.db);
  for (const sql of statements) db.exec(sql);
  db.close();
  const { home, line } = await openForgedBundle(stage, {
    'state.db': { text: readFileSync(stage.db) },
  });
  const read = new Database(join(home, 'state.db'));
  return {
    line,
    all: (sql: string) => read.all(sql).map((row) => ({ ...row })),
    end: () => read.close(),
  };
}

test('rows that only a person makes are taken out of the state', async (stage) => {
  const { line, all, end } = await withState(
    stage,
    `INSERT INTO svc_approvals VALUES ('github', 'a/b', 1, 'ana', 'abc', 1, 'token')`,
    `INSERT INTO logins VALUES ('h', 'k', 1, 1)`,
    `INSERT INTO forge_reviews (repo, number, author, operation_id, at) VALUES ('shop', 1, 'ana', 'o', 1), ('shop', 1, 'svc:j', 'p', 1)`,
  );
  assert.equal(all('SELECT author FROM forge_reviews'), [{ author: 'svc:j' }]);
  assert.equal(all('SELECT * FROM svc_approvals'), []);
  assert.equal(all('SELECT * FROM logins'), []);
  assert.match(line ?? '', '1 rows of svc_approvals');
  end();
});

test('actors of other kinds are taken out with what they were about to do', async (stage) => {
  const columns = `version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since`;
  const rest = `1, '{}', 1, 1, 1, '', '', 0, 'waiting', 1, 1, 1`;
  const { all, end } = await withState(
    stage,
    `INSERT INTO actors (id, chart, ${columns}) VALUES ('proposal:1', 'proposal', ${rest}), ('shop-job-1', 'job', ${rest})`,
    `INSERT INTO outbox VALUES ('e1', 'proposal:1', 1, 'proposal.apply', '{}', 1, 0, 0), ('e2', 'shop-job-1', 1, 'session.stop', '{}', 1, 0, 0)`,
  );
  assert.equal(all('SELECT id FROM actors'), [{ id: 'shop-job-1' }]);
  assert.equal(all('SELECT effect_id FROM outbox'), [{ effect_id: 'e2' }]);
  end();
});

test('a state with a job whose folder would be elsewhere is refused', async (stage) => {
  const error = await catchRefusal(() =>
    withState(
      stage,
      `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since) VALUES ('../../x', 'job', 1, '{}', 1, 1, 1, '', '', 0, 'waiting', 1, 1, 1)`,
    ),
  );
  assert.match(error.message, 'state.db refers to a job that svc did not create');
});

test('a state with a trigger of its own is refused', async (stage) => {
  const error = await catchRefusal(() =>
    withState(stage, `CREATE TRIGGER evil AFTER INSERT ON journal BEGIN DELETE FROM logins; END`),
  );
  assert.match(error.message, 'state.db contains triggers or views that svc did not create');
});

test('nothing that was brought has run', () => {
  assert.is(existsSync('/tmp/svc-forged-ran'), false);
  assert.is(execFileSync('git', ['--version']).length > 0, true);
});

test.run();
