import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What it prints once it listens, as `svc cloud start --json` does. */
export interface StartedControlPlane {
  publicUrl: string;
  database: string;
  ownerLink: string | null;
}

/** Why it did not start. `reason`: as in its problem document; empty = none. */
export class ControlPlaneRefusal extends Error {
  readonly reason: string;
  constructor(message: string, reason: string) {
    super(message);
    this.name = 'ControlPlaneRefusal';
    this.reason = reason;
  }
}

/** The real control plane as a process of its own, on a home of its own, with the database that svc starts. */
export class ControlPlaneProcess {
  readonly #home: string;
  readonly #argv: readonly string[];
  #child: ChildProcess | null = null;

  /** `argv`: its program and arguments. */
  constructor(home: string, argv: readonly string[]) {
    this.#home = home;
    this.#argv = argv;
  }

  /** `path`: the variable PATH, in which PostgreSQL is looked for. Throws {@link ControlPlaneRefusal}. */
  async start(path: string): Promise<StartedControlPlane> {
    // A database of the person's own is not for a demo.
    const { DATABASE_URL: _, ...environment } = process.env;
    const child = spawn(process.execPath, this.#argv, {
      env: { ...environment, PATH: path, SVC_HOME: this.#home, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A Ctrl-C in the terminal is for the demo: two signals would end it without its database.
      detached: true,
    });
    this.#child = child;
    let errorText = '';
    child.stderr.on('data', (piece) => {
      errorText += piece;
    });
    let text = '';
    for await (const piece of child.stdout) {
      text += piece;
      if (text.includes('\n')) break;
    }
    const line = text.split('\n', 1)[0] ?? '';
    if (line === '')
      throw new ControlPlaneRefusal(`the control plane did not start:\n${errorText}`, '');
    const answer = JSON.parse(line);
    if ('error' in answer)
      throw new ControlPlaneRefusal(String(answer.error.detail), String(answer.error.reason ?? ''));
    return answer;
  }

  /** SIGTERM: it stops by itself, its database too. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
}
