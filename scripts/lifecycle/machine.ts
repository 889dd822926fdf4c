import { execFile, type ExecFileException } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** What a program printed, and how it ended: null = by a signal or at its limit. */
export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

const LIMIT_MS = 120_000;

/** Variables of npm and svc would lead to what is installed on this machine. */
const isForeign = (name: string): boolean => /^(?:npm_|svc_|node_options$)/i.test(name);

/**
 * A machine on which nothing is installed yet but Node, npm and git: a prefix, the home folder of a
 * person and a folder for temporary files, all in one folder.
 */
export class Machine {
  readonly root = mkdtempSync(join(tmpdir(), 'svc-lifecycle-'));
  readonly prefix = join(this.root, 'prefix');
  readonly home = join(this.root, 'home');
  readonly env: Record<string, string>;

  /** `node`: folder of the program that is `node` there; default: of the one that runs this. */
  constructor(node: string | null) {
    const tmp = join(this.root, 'tmp');
    for (const folder of [this.prefix, this.home, tmp]) mkdirSync(folder);
    const variables = Object.entries(process.env).filter(([name]) => !isForeign(name));
    const path = [join(this.prefix, 'bin'), ...(node === null ? [] : [node]), process.env['PATH']];
    this.env = {
      ...(Object.fromEntries(variables) as Record<string, string>),
      PATH: path.join(delimiter),
      HOME: this.home,
      TMPDIR: tmp,
      NO_COLOR: '1',
      // Only what is downloaded is shared with this machine.
      npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
      npm_config_update_notifier: 'false',
    };
  }

  /** Folder of the installed package. */
  get program(): string {
    return join(this.prefix, 'lib', 'node_modules', '@svc', 'runner');
  }

  /** Runs a program to its end, in the person's home folder; never throws for how it ends. */
  run(
    command: string,
    args: readonly string[],
    cwd = this.home,
    env: Readonly<Record<string, string>> = this.env,
  ): Promise<Ran> {
    const options = { cwd, env, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
    return new Promise((resolve) => {
      execFile(command, [...args], options, (error: ExecFileException | null, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, out, err: code === null ? `${err}${error?.message ?? ''}` : err });
      }).stdin?.end();
    });
  }

  /** What an installed svc prints; throws where it ends with another code. */
  async svc(
    args: readonly string[],
    expected = 0,
    env: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { code, out, err } = await this.run('svc', args, this.home, { ...this.env, ...env });
    if (code !== expected)
      throw new Error(`svc ${args.join(' ')} ended with ${code}, not ${expected}:\n${out}${err}`);
    return out;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
