import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleCommands } from '../../../scripts/bundle.ts';

const sources = resolve(import.meta.dirname, '../../..');

/** The command line as it is installed, built aside: oclif bundled, a home of its own. */
export class BuiltCommandLine {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-built-'));
  readonly home = join(this.dir, 'home');

  static async build(): Promise<BuiltCommandLine> {
    const built = new BuiltCommandLine();
    await bundleCommands(built.dir);
    for (const part of ['cli/bin', 'package.json', 'oclif.manifest.json'])
      cpSync(join(sources, part), join(built.dir, part), { recursive: true });
    symlinkSync(join(sources, 'node_modules'), join(built.dir, 'node_modules'));
    // By this file the program sees that it was built.
    writeFileSync(join(built.dir, 'dist/cli/start.js'), '');
    mkdirSync(built.home);
    return built;
  }

  /**
   * Runs the program without a terminal; after `limitMs` (default 20 s) it is killed, code null.
   */
  run(
    argv: readonly string[],
    env: Record<string, string> = {},
    limitMs = 20_000,
  ): Promise<{ code: number | null; out: string; err: string }> {
    const base = { PATH: process.env.PATH ?? '', HOME: this.dir, SVC_HOME: this.home };
    const options = {
      env: { ...base, ...env },
      stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
      timeout: limitMs,
    };
    const child = spawn(process.execPath, [join(this.dir, 'cli/bin/run.js'), ...argv], options);
    let out = '';
    let err = '';
    child.stdout.on('data', (part) => {
      out += part;
    });
    child.stderr.on('data', (part) => {
      err += part;
    });
    return new Promise((finish) => child.on('close', (code) => finish({ code, out, err })));
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}
