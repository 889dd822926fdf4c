import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { RunnerProcess } from '../../../demo/runnerProcess.ts';
import { createClient } from '../../../src/api/client/client.ts';
import { giveStartCode } from '../cli/startCode.ts';
import { PATIENCE_MS } from '../inTime.ts';
import type { RecipeFile } from './readRecipeFiles.ts';

const BIN = resolve(import.meta.dirname, '../../../cli/bin');
const PAGE_MS = 240_000;

/**
 * `svc start` of a page runs in the background, on a free port and without a browser, until the
 * page has ended. Exit code 7, "the job waits for a person", is what a page means to show.
 */
const FUNCTIONS = `
set -e
svc() {
  if [ "$1" = start ]; then
    shift
    command svc start "$@" --port 0 --no-open --json > "$STAGE/start.out" 2> "$STAGE/start.err" &
    runner=$!
    trap 'kill $runner; wait $runner' EXIT
    trap 'exit 1' TERM
    tries=0
    until [ -s "$STAGE/start.out" ]; do
      tries=$((tries + 1))
      if [ $tries -gt 200 ]; then cat "$STAGE/start.err" >&2; return 1; fi
      sleep 0.1
    done
  else
    command svc "$@" || { code=$?; [ $code -eq 7 ] || return $code; }
  fi
}
`;

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

interface Ran {
  code: number;
  said: string;
}

/**
 * A folder with a team's workflows, a repository `shop` and a home, for commands of the documents.
 */
export class DocStage {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-docs-'));
  readonly home = join(this.dir, 'home');
  readonly #runner = new RunnerProcess(this.home, join(BIN, 'run.js'));
  /** A job that waits for the approval of its plan; empty before {@link start}. */
  job = '';

  constructor() {
    const shop = join(this.dir, 'shop');
    for (const folder of ['home', 'shop', 'team/workflows', 'team/agents'])
      mkdirSync(join(this.dir, folder), { recursive: true });
    const as = [
      '-c',
      'user.name=N',
      '-c',
      'user.email=n@svc.invalid',
      '-c',
      'init.defaultBranch=main',
    ];
    execFileSync('git', [...as, 'init', '--quiet'], { cwd: shop });
    execFileSync('git', [...as, 'commit', '--quiet', '--allow-empty', '-m', 'start'], {
      cwd: shop,
    });
    writeFileSync(join(this.dir, 'team/workflows/greeting.md'), WORKFLOW);
    writeFileSync(join(this.dir, 'team/agents/planner.md'), AGENT);
    const config = {
      tenant: { overlay: { kind: 'localDir', path: join(this.dir, 'team') } },
      forges: { local: { repos: { shop } } },
    };
    writeFileSync(join(this.home, 'config.json'), JSON.stringify(config));
    giveStartCode(this.home);
  }

  async start(): Promise<void> {
    await this.#runner.start();
    const client = createClient({ baseUrl: this.#runner.url, token: this.#runner.token });
    const params = { repoSlug: 'shop', description: 'Greet the reader', reviewers: ['me'] };
    const body = { type: 'job', workflowPath: 'workflows/greeting.md', params };
    this.job = (await client.createJob(body)).jobId;
    const deadline = Date.now() + PATIENCE_MS;
    while ((await client.job(this.job)).parked === null) {
      if (Date.now() > deadline)
        throw new Error('the job of the documents does not reach its checkpoint');
      await wait(50);
    }
  }

  /**
   * Runs commands in this folder, or, if their page has files to copy, in one that has these; a page with a runner of
   * its own gets a new home.
   */
  run(script: string, ownRunner: boolean, files: readonly RecipeFile[] = []): Promise<Ran> {
    const cwd = files.length === 0 ? this.dir : mkdtempSync(join(this.dir, 'page-'));
    for (const { path, text } of files) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const env = {
      PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}`,
      HOME: this.dir,
      TMPDIR: this.dir,
      STAGE: this.dir,
      NO_COLOR: '1',
      ...(ownRunner ? {} : { SVC_HOME: this.home, job: this.job }),
    };
    return new Promise((finish) => {
      const options = { cwd, env, timeout: PAGE_MS, maxBuffer: 1 << 24 };
      const child = execFile('sh', ['-c', `${FUNCTIONS}${script}`], options, (_error, out, err) =>
        finish({ code: child.exitCode ?? -1, said: `${out}${err}` }),
      );
      child.stdin?.end();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
