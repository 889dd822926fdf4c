import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Flags } from '@oclif/core';
import { checkTemporaryFolder } from '../../src/base/system/files/temporaryFolder.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { checkGit } from '../doctor/git.ts';
import { LocalCommand } from '../base/localCommand.ts';
import { findPackageRoot } from '../findPackageRoot.ts';

interface Demo {
  [more: string]: unknown;
}

export default class DemoCommand extends LocalCommand {
  static override summary = 'Run a complete job on a throw-away repository. Needs no account.';
  static override description =
    'Starts a runner with its own home in the temporary folder, starts a job whose agents are scripts, and acts as the reviewer. Your home is not used. At the end it prints how to open the job and how to remove the folder; with --json the folder is removed.';
  static override examples = [
    '<%= config.bin %> demo',
    '<%= config.bin %> demo --crash',
    '<%= config.bin %> demo --campaign',
    '<%= config.bin %> demo --cloud',
    '<%= config.bin %> demo --cloud --crash',
  ];
  static override flags = {
    crash: Flags.boolean({
      description:
        'Kill the runner in the middle of the job. With --cloud another runner of the team completes it.',
    }),
    plan: Flags.boolean({
      description: 'Start with a read-only chat.',
      exclusive: ['campaign'],
    }),
    campaign: Flags.boolean({ description: 'Run two campaigns instead of one job.' }),
    cloud: Flags.boolean({
      description:
        'Play a team: a control plane, two runners with a job each, and a job that waits for a runner with its label. Leaves nothing behind.',
      exclusive: ['campaign', 'plan'],
    }),
  };

  async run(): Promise<Demo | undefined> {
    const { flags } = await this.parse(DemoCommand);
    const program = join(findPackageRoot(import.meta.url), 'dist', 'demo', 'index.js');
    if (!existsSync(program))
      throw new SvcError('bad-argument', 'svc is not built yet. Run: npm run build');
    checkTemporaryFolder();
    const git = await checkGit(this.io.env.PATH);
    if (git.status === 'error') throw new SvcError('cannot-run', `${git.detail}. ${git.fix ?? ''}`);
    const modes = [
      ...(['crash', 'plan', 'campaign', 'cloud'] as const).filter((name) => flags[name]),
      ...(this.jsonEnabled() ? (['json'] as const) : []),
    ];
    const argv = [program, '--called', 'svc', ...modes.map((name) => `--${name}`)];
    const { code, text } = await this.#play(argv);
    this.io.exitWith(code);
    return this.jsonEnabled() && text !== '' ? JSON.parse(text) : undefined;
  }

  /** Its exit code, and with `--json` what it printed. */
  #play(argv: readonly string[]): Promise<{ code: number; text: string }> {
    const out = this.jsonEnabled() ? 'pipe' : 'inherit';
    const child = spawn(process.execPath, argv, {
      env: { ...process.env, ...this.io.env },
      stdio: ['ignore', out, 'inherit'],
    });
    // A Ctrl-C reaches it as well; it prints what it leaves behind, and ends.
    const release = this.io.onInterrupt(() => {});
    let text = '';
    child.stdout?.on('data', (part) => {
      text += part;
    });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        release();
        resolve({ code: code ?? 1, text });
      });
    });
  }
}
