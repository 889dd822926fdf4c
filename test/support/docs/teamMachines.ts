import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { findLocalPlaces } from '../../../src/base/system/postgres/localPlaces.ts';
import { HtmlVisitor } from '../cloud/htmlVisitor.ts';
import { toPath } from '../cloud/peopleStage.ts';
import { waitUntil } from '../cloud/testTeam.ts';
import { giveStartCode } from '../cli/startCode.ts';
import { PATIENCE_MS } from '../inTime.ts';

const BIN = resolve(import.meta.dirname, '../../../cli/bin');
/** Longest run of one command, ms. */
const COMMAND_MS = 120_000;
const HOMES: Readonly<Record<string, string>> = { ada: '.svc', ben: '.svc-ben', gpu: '.svc-gpu' };

const WORKFLOW = `---
label: Greeting
description: Plans a greeting and waits for its approval.
initial_phase: planning
initial_status: planning
phases:
  - name: planning
    agent: agents/planner.md
    status: planning
    interactive_checkpoint: true
  - name: coding
    agent: agents/planner.md
    status: coding
---

# One greeting
`;
const AGENT = `---
command: [sh, -ec, "svc tool post_artifact '{\\"kind\\":\\"plan-md\\",\\"title\\":\\"Plan\\",\\"content\\":\\"Greet.\\"}'"]
---
`;

/** The machines of the page about teams: a home each below one folder, a repository, and a browser that a test operates. */
export class TeamMachines {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'svc-team-')));
  readonly visitors = new Map<string, HtmlVisitor>();
  readonly #port: number;
  readonly #children: ChildProcess[] = [];
  readonly #variables = new Map<string, Record<string, string>>();

  /** `port`: of the control plane, instead of 4000. */
  constructor(port: number) {
    this.#port = port;
    const { dir } = this;
    for (const folder of ['bin', 'src/shop', 'team/workflows', 'team/agents'])
      mkdirSync(join(dir, folder), { recursive: true });
    const git = [
      '-c',
      'user.name=N',
      '-c',
      'user.email=n@svc.invalid',
      '-c',
      'init.defaultBranch=main',
    ];
    const cwd = join(dir, 'src/shop');
    execFileSync('git', [...git, 'init', '--quiet'], { cwd });
    execFileSync('git', [...git, 'commit', '--quiet', '--allow-empty', '-m', 'start'], { cwd });
    writeFileSync(join(dir, 'team/workflows/job.md'), WORKFLOW);
    writeFileSync(join(dir, 'team/agents/planner.md'), AGENT);
    for (const [person, home] of Object.entries(HOMES)) {
      mkdirSync(join(dir, home), { mode: 0o700 });
      const config = {
        server: { port: 0 },
        tenant: { overlay: { kind: 'localDir', path: join(dir, 'team') } },
        ...(person === 'ada' ? { forges: { local: { repos: { shop: cwd } } } } : {}),
      };
      writeFileSync(join(dir, home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
      giveStartCode(join(dir, home));
    }
    // What svc opens a browser with: it leaves the address for the test.
    const opener = join(dir, 'bin', 'xdg-open');
    writeFileSync(
      opener,
      '#!/bin/sh\nprintf %s "$1" > "$HOME/opened.draft" && mv "$HOME/opened.draft" "$HOME/opened"\n',
    );
    chmodSync(opener, 0o755);
  }

  home(person: string): string {
    return join(this.dir, HOMES[person] ?? '');
  }

  visitor(person: string): HtmlVisitor {
    const known = this.visitors.get(person) ?? new HtmlVisitor(`http://localhost:${this.#port}`);
    this.visitors.set(person, known);
    return known;
  }

  /** Runs a command of the page in the shell of a person; gives what it prints, with the page's port. */
  async run(person: string, command: string): Promise<{ code: number | null; printed: string }> {
    const child = this.#spawn(person, command);
    let printed = '';
    child.stdout?.on('data', (piece) => {
      printed += piece;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS);
    const [code] = await once(child, 'close');
    clearTimeout(timer);
    return { code, printed: this.#toPage(printed) };
  }

  /** Runs one that continues until the end, and resolves with what it has printed once that contains `until`. */
  async runOn(person: string, command: string, until: string): Promise<string> {
    const child = this.#spawn(person, command);
    this.#children.push(child);
    let printed = '';
    child.stdout?.on('data', (piece) => {
      printed += piece;
    });
    await waitUntil(() => {
      if (child.exitCode !== null) throw new Error(`${command} has ended:\n${printed}`);
      return printed.includes(until);
    }, PATIENCE_MS);
    return this.#toPage(printed);
  }

  /** `export NAME=value` in the shell of a person. */
  export(person: string, name: string, value: string): void {
    const known = this.#variables.get(person) ?? {};
    this.#variables.set(person, { ...known, [name]: value.replace(/^~/, this.dir) });
  }

  /** Once svc has opened the browser: the person allows what it asks. */
  async allowInBrowser(person: string): Promise<void> {
    const opened = join(this.dir, 'opened');
    await waitUntil(() => existsSync(opened), PATIENCE_MS);
    const address = readFileSync(opened, 'utf8');
    rmSync(opened);
    const visitor = this.visitor(person);
    const started = await visitor.open(toPath(address));
    const page = await visitor.open(toPath(started.location ?? ''));
    const response = await visitor.post(page.url, { ...page.hidden, answer: 'allow' });
    const resumed = await visitor.open(toPath(response.location ?? ''));
    await (await fetch(resumed.location ?? '')).text();
  }

  /** Stops everything, the runners first; removes the folder. */
  async close(): Promise<void> {
    for (const child of this.#children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    const { base, runAs } = findLocalPlaces(this.home('ada'), process.getuid?.() === 0);
    if (runAs !== null) rmSync(base, { recursive: true, force: true });
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }

  #spawn(person: string, command: string): ChildProcess {
    const own = command
      .replaceAll('localhost:4000', `localhost:${this.#port}`)
      .replace(/^svc cloud start\b/, `svc cloud start --port ${this.#port}`);
    // `exec`: a signal is for the program, not for the shell.
    return spawn('sh', ['-c', `exec 2>&1; exec ${own}`], {
      cwd: this.dir,
      env: {
        PATH: [join(this.dir, 'bin'), BIN, process.env.PATH].join(delimiter),
        HOME: this.dir,
        TMPDIR: this.dir,
        DISPLAY: ':0',
        NO_COLOR: '1',
        ...this.#variables.get(person),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /** Without the log, which a terminal does not show. */
  #toPage(printed: string): string {
    return printed.replaceAll(`:${this.#port}`, ':4000').replace(/^\{"level":.*\n/gm, '');
  }
}
