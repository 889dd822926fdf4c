import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { renameSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ForgeActor, ForgeChange } from '../../../src/contract/forge/forge.ts';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import { countProcesses } from '../../support/countProcesses.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import { git, makeGitRepository } from '../../support/gitRepository.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('local forge: what people do with git, and with a pull request by hand');

const AT = Date.UTC(2026, 0, 2, 10);
const PR = { repo: 'shop', number: 1 };
let operations = 0;
const by = (author: string): ForgeActor => ({ author, at: AT, operationId: `op-${++operations}` });

/** A repository whose branch `feature` has two commits and an open pull request. */
async function shop() {
  const repository = makeGitRepository({ files: { 'list.txt': '1\n' } });
  repository.commit({ 'a.txt': 'a\n' }, { branch: 'feature' });
  repository.commit({ 'b.txt': 'b\n' }, { branch: 'feature' });
  const rows = new ForgeRows();
  const repos = { shop: { path: repository.path, defaultBranch: 'main' } };
  const open = () =>
    createLocalForge({
      mayAct: mayAlwaysAct,
      repos,
      rows,
      webUrl: (repo, n) => `http://127.0.0.1/${repo}/${n}`,
    });
  const forge = open();
  const args = { repo: 'shop', head: 'feature', base: '', title: 'A', body: '', workItem: null };
  rows.commit(await forge.write('create_pr', { ...args, checkoutDir: '' }, by('svc:job')));
  /** What a look finds, as kinds of events; what it found is stored. */
  const look = async (at = forge): Promise<string[]> => {
    const changes = await at.resync(AT);
    rows.commit(...changes);
    return changes.flatMap(({ events }) => events.map(({ kind }) => kind));
  };
  const why = async (): Promise<string | undefined> => {
    const { unseen = [] } = await forge.news([PR]);
    return unseen[0]?.why;
  };
  return { repository, rows, forge, open, look, why };
}

const kinds = ({ events }: ForgeChange): string[] => events.map(({ kind }) => kind);

test('a merge by hand is found by a later look too, though its branch was deleted at once (EVT-4)', async () => {
  for (const restarted of [false, true]) {
    const { repository, look, open } = await shop();
    assert.equal(await look(), []);
    repository.git('merge', '--quiet', '--no-ff', '-m', 'By hand', 'feature');
    repository.git('branch', '-D', 'feature');
    assert.equal(await look(restarted ? open() : undefined), ['merged']);
    repository.remove();
  }
});

test('a look that finds nothing new starts no process, and sees the next merge', async () => {
  const { repository, forge, look } = await shop();
  assert.equal(await look(), []);
  await forge.news([PR]);
  repository.git('pack-refs', '--all');
  const quiet = await countProcesses(async () => [await look(), (await forge.news([PR])).seen]);
  assert.equal(quiet, { result: [[], [PR]], processes: 0 });
  repository.git('merge', '--quiet', '--no-ff', '-m', 'By hand', 'feature');
  assert.equal(await look(), ['merged']);
  repository.remove();
});

test('a rebase by hand that kept the changes is a merge; one commit of two is not (EVT-4)', async () => {
  const { repository, look } = await shop();
  repository.commit({ 'other.txt': 'x\n' });
  const [second, first] = repository.git('log', '--format=%H', 'feature').trim().split('\n');
  repository.git('cherry-pick', first ?? '');
  assert.equal(await look(), []);
  repository.git('cherry-pick', second ?? '');
  assert.equal(await look(), ['merged']);
  repository.remove();
});

const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}\n`);
/** The lines of `list.txt` with some of them replaced. */
const list = (changes: Record<number, string>): string =>
  LINES.map((line, n) => changes[n + 1] ?? line).join('');

type Git = (...args: string[]) => string;
interface Branches {
  git: Git;
  head: string;
  base: string;
  /** Commits a new text of `list.txt`, or another file, on the base. */
  commit(files: Record<string, string | null>): string;
}

const squash = ({ git, head }: Branches): void => {
  git('merge', '--quiet', '--squash', head);
  git('commit', '--quiet', '-m', 'In one commit');
};

/** Gives the branch and the base as they are to be, with the base checked out. */
const BY_HAND: readonly [
  what: string,
  is: 'merged' | RegExp | 'open',
  act: (it: Branches) => void,
][] = [
  ['merged with a commit', 'merged', ({ git, head }) => git('merge', '-q', '--no-ff', head)],
  ['merged as a fast-forward', 'merged', ({ git, head }) => git('merge', '-q', '--ff-only', head)],
  ['squashed', 'merged', squash],
  [
    'squashed, with the message of git',
    'merged',
    ({ git, head }) => {
      git('merge', '--quiet', '--squash', head);
      git('commit', '--quiet', '--no-edit');
    },
  ],
  [
    'squashed after the line beside its own had changed',
    'merged',
    (it) => {
      it.commit({ 'list.txt': list({ 3: 'three\n' }) });
      squash(it);
    },
  ],
  [
    'squashed, and changed further in the same line',
    'merged',
    (it) => {
      squash(it);
      it.commit({ 'list.txt': list({ 5: 'FIVE!\n' }) });
    },
  ],
  [
    'squashed, and its branch deleted',
    'merged',
    (it) => {
      squash(it);
      it.git('branch', '-D', it.head);
    },
  ],
  [
    'picked after the line beside its own had changed',
    'merged',
    ({ git, head, base, commit }) => {
      commit({ 'list.txt': list({ 3: 'three\n' }) });
      git('cherry-pick', `${base}..${head}`);
    },
  ],
  [
    'rebased and merged as a fast-forward',
    'merged',
    ({ git, head, base, commit }) => {
      commit({ 'o.txt': 'o\n' });
      git('rebase', '--quiet', base, head);
      git('checkout', '--quiet', base);
      git('merge', '--quiet', '--ff-only', head);
    },
  ],
  [
    'picked in part',
    'open',
    ({ git, head, commit }) => {
      commit({ 'o.txt': 'o\n' });
      git('cherry-pick', `${head}~1`);
    },
  ],
  [
    'merged into another branch',
    'open',
    ({ git, head, base }) => {
      git('checkout', '--quiet', '-b', `${base}-other`);
      git('merge', '--quiet', '--no-ff', head);
    },
  ],
  [
    'squashed and reverted',
    /got its changes in commit \w{12}, and some of them were removed again: if that was its merge, close it$/,
    (it) => {
      squash(it);
      it.git('revert', '--no-edit', 'HEAD');
    },
  ],
  [
    'picked and reverted',
    /some of them were removed again/,
    ({ git, head, base, commit }) => {
      commit({ 'o.txt': 'o\n' });
      git('cherry-pick', `${base}..${head}`);
      git('revert', '--no-edit', 'HEAD', 'HEAD~1');
    },
  ],
  [
    'squashed with a conflict, with the message of git',
    /names its newest commit \w{12}, but its changes are others: if that was its merge, close it$/,
    ({ git, head, commit }) => {
      commit({ 'list.txt': list({ 5: 'mine\n' }), 'o.txt': 'o\n' });
      assert.throws(() => git('merge', '--quiet', '--squash', head));
      git('checkout', '--theirs', '.');
      git(
        'commit',
        '--quiet',
        '-a',
        '--no-edit',
        '--cleanup=verbatim',
        '-m',
        `squash ${git('rev-parse', head)}`,
      );
    },
  ],
  [
    'reset to its base',
    /has no commit that .+ does not have, and had \w{12}, which .+ does not have: push its commits again, or close it$/,
    ({ git, head, base }) => git('branch', '--force', head, base),
  ],
  [
    'reset to its base, which had moved',
    /has no commit that/,
    ({ git, head, base, commit }) => {
      commit({ 'o.txt': 'o\n' });
      git('branch', '--force', head, base);
    },
  ],
  [
    'reset to a branch that was merged before',
    /has no commit that/,
    ({ git, head }) => git('branch', '--force', head, 'earlier'),
  ],
  [
    'reset to a copy of a change that its base has already',
    /already has its changes in commit \w{12}: if nothing is left to merge, close it$/,
    ({ git, head }) => git('branch', '--force', head, 'copy'),
  ],
];

/** A repository with a pull request for each of these, as it is after two looks. */
async function actByHand() {
  const repository = makeGitRepository({ files: { 'list.txt': LINES.join('') } });
  const { git } = repository;
  const start = repository.head();
  repository.commit({ 'early.txt': 'e\n' }, { branch: 'earlier' });
  git('merge', '--quiet', '--no-ff', 'earlier');
  git('branch', 'copy', start);
  repository.commit({ 'copied.txt': 'c\n' }, { branch: 'copy' });
  git('cherry-pick', 'copy');
  repository.commit({ 'a.txt': 'a\n', 'list.txt': list({ 5: 'FIVE\n' }) }, { branch: 'feature' });
  repository.commit({ 'b.txt': 'b\n' }, { branch: 'feature' });
  const rows = new ForgeRows();
  const repos = { shop: { path: repository.path, defaultBranch: 'main' } };
  const forge = createLocalForge({
    mayAct: mayAlwaysAct,
    repos,
    rows,
    webUrl: (repo, n) => `http://x/${repo}/${n}`,
  });
  const found = new Map<string, string>();
  for (const at of BY_HAND.keys()) {
    const [head, base] = [`head-${at}`, `base-${at}`];
    git('branch', head, 'feature');
    git('branch', base, 'main');
    const args = { repo: 'shop', head, base, title: 'A', body: '', workItem: null };
    rows.commit(await forge.write('create_pr', { ...args, checkoutDir: '' }, by('svc:job')));
  }

  rows.commit(...(await forge.resync(AT)));
  for (const [at, [, , act]] of BY_HAND.entries()) {
    const base = `base-${at}`;
    git('checkout', '--quiet', base);
    act({
      git,
      head: `head-${at}`,
      base,
      commit: (files) => repository.commit(files, { branch: base }),
    });
    git('reset', '--quiet', '--hard');
  }

  const changes = await forge.resync(AT);
  rows.commit(...changes, ...(await forge.resync(AT)));

  const merged = new Set(changes.flatMap(({ pr }) => (pr === null ? [] : [pr.number])));
  const { unseen = [] } = await forge.news(
    BY_HAND.map((_, at) => ({ repo: 'shop', number: at + 1 })),
  );
  for (const [at, [what]] of BY_HAND.entries()) {
    const why = unseen.find(({ number }) => number === at + 1)?.why ?? 'open';
    found.set(what, merged.has(at + 1) ? 'merged' : why);
  }
  return { repository, forge, found };
}

const BY_HAND_FOUND = new Map<string, string>();

test('what people do with git is found by one look, for many pull requests (EVT-4)', async () => {
  const { repository, forge, found } = await actByHand();
  for (const [what, is] of found) BY_HAND_FOUND.set(what, is);
  const number = BY_HAND.findIndex(([what]) => what === 'reset to its base') + 1;
  const refused = await catchRefusal(() =>
    forge.write('merge_pr', { repo: 'shop', number }, by('bob')),
  );
  assert.match(refused.message, `local:shop#${number} cannot be merged: its branch head-`);
  assert.is((await forge.pullRequest('shop', number)).mergeable, false);
  repository.remove();
});

for (const [what, is] of BY_HAND) {
  test(`${what}: ${is === 'merged' ? 'that is a merge' : 'that is none'} (EVT-4)`, () => {
    const outcome = BY_HAND_FOUND.get(what) ?? '';
    if (is instanceof RegExp) assert.match(outcome, is);
    else assert.is(outcome, is);
  });
}

test('at a start a squash counts only if it is newer than the pull request (EVT-4)', async () => {
  for (const [seconds, expected] of [
    [60, ['merged']],
    [-60, []],
  ] as const) {
    const { repository, look } = await shop();
    repository.git('merge', '--quiet', '--squash', 'feature');
    const env = { GIT_COMMITTER_DATE: `${AT / 1000 + seconds} +0000` };
    git(repository.path, ['commit', '--quiet', '--no-edit'], { env });
    assert.equal(await look(), expected);
    repository.remove();
  }
});

test('a branch whose commits git has removed keeps no other one from being found', async () => {
  const { repository, forge, rows, look } = await shop();
  repository.commit({ 'c.txt': 'c\n' }, { branch: 'second' });
  const args = { repo: 'shop', head: 'second', base: '', title: 'B', body: '', workItem: null };
  rows.commit(await forge.write('create_pr', { ...args, checkoutDir: '' }, by('svc:job')));
  repository.git('branch', '-D', 'feature');
  repository.git('reflog', 'expire', '--expire=now', '--all');
  repository.git('gc', '--quiet', '--prune=now');
  repository.git('merge', '--quiet', '--no-ff', '-m', 'By hand', 'second');
  assert.equal(await look(), ['merged']);
  repository.remove();
});

test('branches that are gone and a folder that was moved away are named, and no longer when they are back', async () => {
  const { repository, why } = await shop();
  const { path } = repository;
  repository.git('branch', '-m', 'main', 'trunk');
  assert.is(await why(), `its base branch main no longer exists in ${path}`);
  repository.git('branch', '-m', 'trunk', 'main');
  assert.is(await why(), undefined);
  repository.git('branch', '-m', 'feature', 'elsewhere');
  assert.is(await why(), `its branch feature no longer exists in ${path}`);
  repository.git('branch', '-m', 'elsewhere', 'feature');
  renameSync(path, `${path}-moved`);
  assert.match((await why()) ?? '', `${path} does not exist`);
  renameSync(`${path}-moved`, path);
  assert.is(await why(), undefined);
  repository.remove();
});

test('a person closes and reopens it: rows, the reason as a comment, and an event each (EVT-4)', async () => {
  const { repository, rows, forge, look } = await shop();
  const closed = await forge.setOpen?.({ ...PR, open: false, reason: 'Another way.' }, by('bob'));
  assert.ok(closed);
  assert.equal(
    closed.events.map(({ kind, author, text }) => [kind, author, text]),
    [['closed', 'bob', 'Another way.']],
  );
  rows.commit(closed);
  assert.is((await forge.pullRequest('shop', 1)).state, 'closed');
  assert.equal(
    (await forge.comments('shop', 1)).map(({ author, body }) => [author, body]),
    [['bob', 'Another way.']],
  );
  assert.match(
    (await catchRefusal(() => forge.setOpen?.({ ...PR, open: false, reason: '' }, by('bob'))))
      .message,
    'local:shop#1 is closed already.',
  );
  assert.equal(await look(), []);
  const reopened = await forge.setOpen?.({ ...PR, open: true, reason: '' }, by('bob'));
  assert.ok(reopened);
  assert.equal(kinds(reopened), ['reopened']);
  rows.commit(reopened);
  const again = await forge.setOpen?.({ ...PR, open: false, reason: '' }, by('bob'));
  assert.is.not(again?.events[0]?.externalId, closed.events[0]?.externalId);
  repository.remove();
});

test('it is not opened again where a branch is gone, its commits are in the base, or it was merged', async () => {
  const { repository, rows, forge } = await shop();
  const reopen = () => forge.setOpen?.({ ...PR, open: true, reason: '' }, by('bob'));
  const closed = await forge.setOpen?.({ ...PR, open: false, reason: '' }, by('bob'));
  if (closed) rows.commit(closed);
  repository.git('branch', '-m', 'feature', 'elsewhere');
  assert.match((await catchRefusal(reopen)).message, 'branch feature no longer exists');
  repository.git('branch', '-m', 'elsewhere', 'feature');
  const args = { repo: 'shop', head: 'feature', base: '', title: 'A', body: '', workItem: null };
  const second = await forge.write('create_pr', { ...args, checkoutDir: '' }, by('svc:job'));
  rows.commit(second);
  assert.match((await catchRefusal(reopen)).message, 'local:shop#2 is open for the same branches');
  const merged = await forge.write('merge_pr', { repo: 'shop', number: 2 }, by('bob'));
  rows.commit(merged);
  assert.match((await catchRefusal(reopen)).message, 'main has every commit of feature already');
  const over = () => forge.setOpen?.({ repo: 'shop', number: 2, open: true, reason: '' }, by('x'));
  assert.match((await catchRefusal(over)).message, 'local:shop#2 is merged already, and stays so.');
  repository.remove();
});

test('a merge of svc whose row is about to be stored is not reported a second time', async () => {
  const { repository, rows, forge, look } = await shop();
  const change = await forge.write('merge_pr', PR, by('bob'));
  assert.equal(await look(), [], 'its row is not stored yet');
  rows.commit(change);
  assert.equal(await look(), []);
  repository.remove();
});

test.run();
