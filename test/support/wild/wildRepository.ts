import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export class WildPerson {
  readonly home: string;

  constructor(home: string, config = '') {
    this.home = home;
    mkdirSync(home, { recursive: true });
    writeFileSync(
      join(home, '.gitconfig'),
      `[user]\n\tname = Ann\n\temail = ann@svc.invalid\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n${config}`,
    );
  }

  /** Runs the person's git; what it prints, without the last line end. */
  git(cwd: string, ...args: string[]): string {
    return execFileSync('git', args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: this.home },
      encoding: 'utf8',
      stdio: 'pipe',
      input: '',
    }).replace(/\n$/, '');
  }

  shell(cwd: string, line: string): void {
    const env = { PATH: process.env.PATH, HOME: this.home };
    execFileSync('sh', ['-c', line], { cwd, env, stdio: 'pipe' });
  }
}

export class WildRepository {
  readonly person: WildPerson;
  readonly dir: string;
  /** What svc is given: the working tree or the bare repository. */
  path: string;
  /** Where a person works on the default branch; null = nowhere. */
  tree: string | null;
  branch = 'main';

  constructor(person: WildPerson, dir: string) {
    this.person = person;
    this.dir = dir;
    this.path = join(dir, 'shop');
    this.tree = this.path;
    mkdirSync(this.path, { recursive: true });
    this.git('init', '--quiet', '--initial-branch=main');
  }

  /** Runs the person's git in the working tree, or in the repository where no tree exists. */
  git(...args: string[]): string {
    return this.person.git(this.tree ?? this.path, ...args);
  }

  write(path: string, content: string | Buffer): void {
    const file = join(this.tree ?? this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  commit(message: string, files: Record<string, string | Buffer> = {}): void {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '-m', message);
  }

  /** A second commit of the default branch, while the pull request is open. */
  move(): void {
    if (this.tree === null) this.#pushMoved();
    else this.#commitMoved();
  }

  #pushMoved(): void {
    const other = join(this.dir, 'other');
    this.person.git(this.dir, 'clone', '--quiet', '--branch', this.branch, this.path, other);
    writeFileSync(join(other, 'moved.txt'), 'moved\n');
    this.person.git(other, 'add', '--all');
    this.person.git(other, 'commit', '--quiet', '-m', 'main moves');
    this.person.git(other, 'push', '--quiet');
  }

  mergedByGit(head: string): string {
    const branches = [this.branch, head].map((name) => `refs/heads/${name}`);
    return this.git('merge-tree', '--write-tree', ...branches).split('\n')[0] ?? '';
  }

  readTree(branch: string): string {
    return this.git('rev-parse', `refs/heads/${branch}^{tree}`);
  }

  status(): string {
    return this.tree === null ? '' : this.git('status', '--porcelain', '--untracked-files=no');
  }

  #commitMoved(): void {
    this.write('moved.txt', 'moved\n');
    this.git('add', '--sparse', 'moved.txt');
    this.git('-c', 'commit.gpgSign=false', 'commit', '--quiet', '--no-verify', '-m', 'main moves');
  }
}
