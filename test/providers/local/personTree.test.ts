import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import { longLane } from '../../support/longLane.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm local merge: the work tree of a person with a git of their own');
const long = longLane(test);

const by = (operationId: string) => ({ author: 'ada', at: Date.UTC(2026, 0, 2), operationId });

/** A person: a home with a configuration of git, and repositories in it. */
class Person {
  readonly home = mkdtempSync(join(tmpdir(), 'svc-person-'));
  readonly dir = join(this.home, 'shop');

  constructor(config: string, files: Record<string, string | Buffer>) {
    process.env.HOME = this.home;
    delete process.env.XDG_CONFIG_HOME;
    writeFileSync(
      join(this.home, '.gitconfig'),
      `[user]\n\tname = Ann\n\temail = ann@svc.invalid\n[init]\n\tdefaultBranch = main\n${config}`,
    );
    mkdirSync(this.dir);
    this.git('init', '--quiet');
    this.write(files);
    this.git('add', '--all');
    this.git('commit', '--quiet', '-m', 'first');
  }

  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.dir,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { PATH: process.env.PATH, HOME: this.home },
    }).trim();
  }

  write(files: Record<string, string | Buffer>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(this.dir, path, '..'), { recursive: true });
      writeFileSync(join(this.dir, path), content);
    }
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'latin1');
  }

  /** Makes git take a file for possibly changed, as `touch` does. */
  touch(path: string): void {
    utimesSync(join(this.dir, path), new Date('2026-01-01'), new Date('2026-01-01'));
  }

  /** A branch `change` with these files, while `main` stays checked out. */
  branch(files: Record<string, string | Buffer>): void {
    const other = join(this.home, 'other');
    this.git('worktree', 'add', '--quiet', '-b', 'change', other);
    for (const [path, content] of Object.entries(files)) writeFileSync(join(other, path), content);
    execFileSync('git', ['add', '--all'], { cwd: other, env: this.#env() });
    execFileSync('git', ['commit', '--quiet', '-m', 'change'], { cwd: other, env: this.#env() });
    this.git('worktree', 'remove', '--force', other);
  }

  async pullRequest(path = this.dir) {
    const rows = new ForgeRows();
    const forge = createLocalForge({
      mayAct: mayAlwaysAct,
      repos: { shop: { path, defaultBranch: 'main' } },
      rows,
      webUrl: (repo, number) => `http://127.0.0.1/${repo}/${number}`,
    });
    const request = { repo: 'shop', head: 'change', base: '', title: 'A change', body: '' };
    rows.commit(
      await forge.write('create_pr', { ...request, checkoutDir: '', workItem: null }, by('open')),
    );
    return {
      forge,
      merge: () => forge.write('merge_pr', { repo: 'shop', number: 1, head: '' }, by('merge')),
    };
  }

  end(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  #env = () => ({ PATH: process.env.PATH, HOME: this.home });
}

const isClean = (person: Person): boolean => person.git('status', '--porcelain') === '';

/** Filters that are their own proof of having run: `ran` is written beside the repository. */
const filter = (name: string, commands: Record<string, string>): string =>
  `[filter "${name}"]\n${Object.entries(commands)
    .map(([key, command]) => `\t${key} = ${command}\n`)
    .join('')}`;
const BOTH_WAYS = { clean: 'tr a-z A-Z', smudge: 'tr A-Z a-z', required: 'true' };

long(
  'a filtered file whose times changed does not hold up a merge that leaves it alone, and stays as it is',
  async () => {
    const person = new Person(filter('upper', BOTH_WAYS), {
      '.gitattributes': '*.bin filter=upper\n',
      'logo.bin': 'picture',
      'a.txt': 'a\n',
    });
    assert.is(person.git('cat-file', '-p', ':logo.bin'), 'PICTURE');
    person.branch({ 'a.txt': 'b\n' });
    const { forge, merge } = await person.pullRequest();
    person.touch('logo.bin');
    assert.is((await forge.pullRequest('shop', 1)).mergeRefusal, undefined);
    await merge();
    assert.is(person.read('a.txt'), 'b\n');
    assert.is(person.read('logo.bin'), 'picture');
    assert.ok(isClean(person));
    person.end();
  },
);

test('a merge that changes a filtered file is refused with the command for the own git, which svc then notices', async () => {
  const person = new Person(filter('upper', BOTH_WAYS), {
    '.gitattributes': '*.bin filter=upper\n',
    'logo.bin': 'picture',
  });
  person.branch({ 'logo.bin': 'newpicture' });
  const { forge, merge } = await person.pullRequest();
  const before = person.git('rev-parse', 'main');
  const pullRequest = await forge.pullRequest('shop', 1);
  const refusal = await catchRefusal(merge);
  assert.is(refusal.code, 'conflict');
  assert.is(pullRequest.mergeRefusal, refusal.message, 'what a person is shown before');
  assert.is(
    refusal.message,
    `main is checked out in ${person.dir}, and the merge changes files there that a filter of your git writes (upper): logo.bin. svc runs no filters. Merge with your own git, which svc notices: git -C '${person.dir}' merge --no-ff 'change'. Or check out another branch there, then merge again.`,
  );
  assert.is(person.git('rev-parse', 'main'), before);
  assert.is(person.read('logo.bin'), 'picture');
  const { command } = refusal.data as { command: string };
  execFileSync('sh', ['-c', `${command} --no-edit`], {
    env: { PATH: process.env.PATH, HOME: person.home },
  });
  assert.is(person.read('logo.bin'), 'newpicture');
  const [change] = await forge.resync(Date.UTC(2026, 0, 3));
  assert.is(change?.pr?.state, 'merged');
  person.end();
});

test('what would be in the way of a merge is shown before it, without writing to the work tree', async () => {
  const person = new Person('', { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  person.branch({ 'a.txt': 'c\n', 'new.txt': 'n\n' });
  // The result of the merge is a tree that the repository does not have.
  person.write({ 'b.txt': 'other\n' });
  person.git('commit', '--quiet', '--all', '-m', 'second');
  const { forge, merge } = await person.pullRequest();
  const readRefusal = async () => (await forge.pullRequest('shop', 1)).mergeRefusal;
  person.touch('b.txt');
  const index = readFileSync(join(person.dir, '.git', 'index'));
  assert.is(await readRefusal(), undefined);
  person.write({ 'new.txt': 'mine\n' });
  assert.is(await readRefusal(), (await catchRefusal(merge)).message);
  const objects = person.git('count-objects', '-v');
  rmSync(join(person.dir, 'new.txt'));
  person.write({ 'a.txt': 'mine\n' });
  writeFileSync(join(person.dir, '.git', 'index'), index);
  assert.match((await readRefusal()) ?? '', 'a.txt');
  assert.is(person.git('count-objects', '-v'), objects);
  assert.equal(readFileSync(join(person.dir, '.git', 'index')), index);
  person.end();
});

test('no filter is run, wherever it is configured', async () => {
  const marker = join(mkdtempSync(join(tmpdir(), 'svc-person-')), 'ran');
  const person = new Person(
    filter('evil', { clean: `touch ${marker}; cat`, smudge: 'cat', process: '' }),
    { '.gitattributes': '*.nb filter=evil\n*.own filter=own\n', 'b.nb': 'b\n', 'a.txt': 'a\n' },
  );
  person.git('config', 'filter.own.clean', `touch ${marker}; cat`);
  person.branch({ 'a.txt': 'b\n', 'b.nb': 'c\n', 'c.own': 'c\n' });
  person.git('status');
  const { merge } = await person.pullRequest();
  rmSync(marker, { force: true });
  await merge();
  assert.not.ok(existsSync(marker));
  // It writes files as they are, so nothing was to be converted.
  assert.is(person.read('b.nb'), 'c\n');
  assert.is(person.read('c.own'), 'c\n');
  person.end();
});

long(
  'a file that only a filter could compare, and that the merge changes, is asked for',
  async () => {
    const person = new Person(filter('strip', { clean: "sed '/output/d'", smudge: 'cat' }), {
      '.gitattributes': '*.nb filter=strip\n',
      'b.nb': 'code\noutput\n',
    });
    person.branch({ 'b.nb': 'other\n' });
    const { merge } = await person.pullRequest();
    person.touch('b.nb');
    const refusal = await catchRefusal(merge);
    assert.match(refusal.message, `Run \`git -C '${person.dir}' status\``);
    assert.equal((refusal.data as { files: string[] }).files, ['b.nb']);
    person.git('status');
    await merge();
    assert.is(person.read('b.nb'), 'other\n');
    person.end();
  },
);

long('a changed file is in the way although others of its kind are only stale', async () => {
  const person = new Person(filter('upper', BOTH_WAYS), {
    '.gitattributes': '*.bin filter=upper\n',
    'logo.bin': 'picture',
    'a.txt': 'a\n',
  });
  person.branch({ 'a.txt': 'b\n' });
  const { merge } = await person.pullRequest();
  person.touch('logo.bin');
  person.write({ 'a.txt': 'mine\n' });
  const refusal = await catchRefusal(merge);
  assert.equal(refusal.data, { files: ['a.txt'] });
  assert.is(person.read('a.txt'), 'mine\n');
  person.end();
});

test("line ends are those of the person's own configuration", async () => {
  const person = new Person('[core]\n\tautocrlf = true\n', { 'a.txt': 'a\r\n', 'b.txt': 'b\r\n' });
  assert.is(person.git('cat-file', 'blob', ':a.txt'), 'a');
  person.branch({ 'a.txt': 'c\r\n', 'new.txt': 'n\r\n' });
  const { merge } = await person.pullRequest();
  person.touch('b.txt');
  await merge();
  assert.is(person.read('a.txt'), 'c\r\n');
  assert.is(person.read('new.txt'), 'n\r\n');
  assert.ok(isClean(person));
  person.end();
});

long("attributes of the person's own file and encodings of the tree count", async () => {
  const person = new Person('', {
    '.gitattributes': 'u.txt working-tree-encoding=UTF-16LE\n',
    'u.txt': Buffer.from('one\n', 'utf16le'),
    'w.bat': 'x\r\n',
  });
  mkdirSync(join(person.home, '.config', 'git'), { recursive: true });
  writeFileSync(join(person.home, '.config', 'git', 'attributes'), '*.bat text eol=crlf\n');
  person.git('add', '--renormalize', '.');
  person.git('commit', '--quiet', '-m', 'lines');
  person.branch({ 'u.txt': Buffer.from('two\n', 'utf16le'), 'w.bat': 'y\r\n' });
  const { merge } = await person.pullRequest();
  person.touch('u.txt');
  await merge();
  assert.is(readFileSync(join(person.dir, 'u.txt')).toString('utf16le'), 'two\n');
  assert.is(person.read('w.bat'), 'y\r\n');
  assert.ok(isClean(person));
  person.end();
});

long('a change that the index hides is kept, and the refusal says how to show it', async () => {
  const person = new Person('', { 'a.txt': 'a\n' });
  person.branch({ 'a.txt': 'b\n' });
  const { merge } = await person.pullRequest();
  person.git('update-index', '--assume-unchanged', 'a.txt');
  person.write({ 'a.txt': 'my settings\n' });
  const refusal = await catchRefusal(merge);
  assert.match(refusal.message, 'update-index --no-assume-unchanged');
  assert.equal(refusal.data, { files: ['a.txt'] });
  assert.is(person.read('a.txt'), 'my settings\n');
  person.end();
});

long('files of core.worktree and of a separate .git are found where they are', async () => {
  const person = new Person('', { 'a.txt': 'a\n' });
  person.branch({ 'new.txt': 'n\n' });
  const gitDir = join(person.home, 'elsewhere.git');
  renameSync(join(person.dir, '.git'), gitDir);
  execFileSync('git', ['--git-dir', gitDir, 'config', 'core.worktree', person.dir]);
  const { merge } = await person.pullRequest(gitDir);
  person.write({ 'new.txt': 'mine\n' });
  assert.equal((await catchRefusal(merge)).data, { files: ['new.txt'] });
  assert.is(person.read('new.txt'), 'mine\n');
  rmSync(join(person.dir, 'new.txt'));
  await merge();
  assert.is(person.read('new.txt'), 'n\n');
  person.end();
});

long('a separate .git that does not name its folder is merged by way of that folder', async () => {
  const person = new Person('', { 'a.txt': 'a\n' });
  person.branch({ 'new.txt': 'n\n' });
  const gitDir = join(person.home, 'elsewhere.git');
  renameSync(join(person.dir, '.git'), gitDir);
  writeFileSync(join(person.dir, '.git'), `gitdir: ${gitDir}\n`);
  const unknown = await person.pullRequest(gitDir);
  assert.match((await catchRefusal(unknown.merge)).message, 'Configure that folder as the path');
  const { merge } = await person.pullRequest();
  await merge();
  assert.is(person.read('new.txt'), 'n\n');
  assert.ok(isClean(person));
  person.end();
});

test.run();
