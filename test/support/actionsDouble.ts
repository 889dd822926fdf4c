import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Step {
  name: string;
  id?: string;
  if?: string;
  shell?: string;
  env?: Record<string, string>;
  run?: string;
  uses?: string;
  with?: Record<string, unknown>;
}

interface ActionResult {
  code: number;
  log: string;
}

interface Executed extends ActionResult {
  values: Record<string, string>;
}

interface Artifact {
  id: number;
  name: string;
  run: number;
  headRepositoryId: number;
  expired: boolean;
  folder: string;
}

export interface RunOf {
  /** `refs/heads/main` for a dispatch and a merge, `refs/pull/<n>/merge` for a review. */
  ref: string;
  pullRequest?: { number: number; body: string; fromFork?: boolean };
  inputs?: Record<string, string>;
  env?: Record<string, string>;
  /** What `svc run` ends with; default 7. */
  exitCode?: number;
  /** Called when `svc run` has ended, before the job is kept. */
  meanwhile?(): Promise<void>;
}

export interface RunResult {
  failed: boolean;
  log: string;
  /** How often the job that `svc run` continued had been continued before; null = svc was not run, 0 = a new job. */
  continued: number | null;
}

const REPOSITORY_ID = 1;
const FORK_ID = 2;

/** An `svc` that keeps in its bundle how often it was continued. */
const SVC = `#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
dir= ; mode=
while [ $# -gt 0 ]; do
  case "$1" in --keep) dir=$2; mode=begin;; --resume) dir=$2; mode=continue;; esac
  shift
done
rounds=0
if [ "$mode" = continue ]; then rounds=$(($(cat "$dir/rounds") + 1)); fi
mkdir -p "$dir"; echo "$rounds" > "$dir/rounds"
if [ -n "$SVC_BUNDLE_KEY" ]; then echo '{}' > "$dir/sealed.json"; else echo '{}' > "$dir/manifest.json"; fi
echo "rounds=$rounds" >> "$ROUNDS"
printf 'job=j-1\\noutcome=waiting\\nexit-code=%s\\nkept=true\\npull-request=https://forge/o/r/pull/7\\n' "$CODE" >> "$GITHUB_OUTPUT"
exit "$CODE"
`;

/**
 * GitHub as a composite action sees it: artifacts belong to the repository and a run, expire and are not
 * overwritten by other runs; a cache belongs to the ref that saved it, and others than the default branch's
 * are not seen elsewhere.
 */
export class ActionsDouble {
  readonly artifacts: Artifact[] = [];
  isPrivate = true;
  readonly #dir = mkdtempSync(join(tmpdir(), 'svc-actions-'));
  readonly #caches: { ref: string; key: string; folder: string }[] = [];
  readonly #steps: Step[];
  readonly #server: Server;
  #runs = 100;
  #ids = 1_000;

  private constructor(action: string) {
    this.#steps = parse(action).runs.steps;
    const bin = join(this.#dir, 'bin');
    mkdirSync(bin);
    for (const [name, text] of [
      ['svc', SVC],
      ['npm', '#!/bin/sh\n'],
    ] as const) {
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    this.#server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://api');
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify(
          pathname.endsWith('/artifacts')
            ? { artifacts: this.#listed(searchParams.get('name')) }
            : { private: this.isPrivate },
        ),
      );
    });
  }

  /** `action`: text of an action.yml. */
  static async open(action: string): Promise<ActionsDouble> {
    const double = new ActionsDouble(action);
    await new Promise<void>((resolve) => double.#server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#dir, { recursive: true, force: true });
  }

  addArtifact(name: string, run: number, from: string, headRepositoryId = REPOSITORY_ID): void {
    const id = this.#ids++;
    const folder = join(this.#dir, `artifact-${id}`);
    cpSync(from, folder, { recursive: true });
    this.artifacts.push({ id, name, run, headRepositoryId, expired: false, folder });
  }

  addForged(name: string): void {
    const folder = mkdtempSync(join(this.#dir, 'forged-'));
    writeFileSync(join(folder, 'rounds'), '99');
    this.addArtifact(name, this.#runs++, folder, FORK_ID);
  }

  #listed(name: string | null) {
    return this.artifacts
      .filter((artifact) => artifact.name === name)
      .map(({ id, run, headRepositoryId, expired }) => ({
        id,
        name,
        expired,
        expires_at: '2027-02-27T00:00:00Z',
        workflow_run: {
          id: run,
          repository_id: REPOSITORY_ID,
          head_repository_id: headRepositoryId,
        },
      }));
  }

  async run(event: RunOf): Promise<RunResult> {
    const run = this.#runs++;
    const temp = mkdtempSync(join(this.#dir, 'run-'));
    const outputs: Record<string, { outputs: Record<string, string> }> = {};
    const { pullRequest: pr } = event;
    const github = {
      api_url: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      token: 't',
      repository: 'o/r',
      run_id: run,
      run_attempt: 1,
      event: {
        repository: { default_branch: 'main' },
        ...(pr && {
          pull_request: {
            number: pr.number,
            body: pr.body,
            head: { repo: { full_name: pr.fromFork ? 'x/r' : 'o/r' } },
          },
        }),
      },
    };
    const contexts = {
      github,
      steps: outputs,
      runner: { temp },
      inputs: event.inputs ?? {},
      env: event.env ?? {},
    };
    const result: RunResult = { failed: false, log: '', continued: null };
    for (const step of this.#steps) {
      const condition = step.if ?? 'true';
      if (result.failed && !condition.includes('always()')) continue;
      if (!evaluate(condition, contexts)) continue;
      const fillExpressions = (value: unknown) =>
        String(value).replaceAll(/\$\{\{(.*?)\}\}/g, (_, text: string) =>
          String(evaluate(text, contexts) ?? ''),
        );
      if (step.uses !== undefined) {
        const inputs = Object.fromEntries(
          Object.entries(step.with ?? {}).map(([name, value]) => [name, fillExpressions(value)]),
        );
        this.#use(step.uses.split('@')[0] ?? '', inputs, event.ref, run);
        continue;
      }
      const env = Object.fromEntries(
        Object.entries(step.env ?? {}).map(([name, value]) => [name, fillExpressions(value)]),
      );
      const { code, log, values } = await this.#execute(
        step,
        { ...event.env, ...env, CODE: String(event.exitCode ?? 7) },
        temp,
      );
      result.log += log;
      if (code !== 0) result.failed = true;
      if (step.id !== undefined) outputs[step.id] = { outputs: values };
      if (step.id === 'run') {
        const rounds = join(temp, 'ROUNDS');
        result.continued = existsSync(rounds)
          ? Number(/\d+/.exec(readFileSync(rounds, 'utf8'))?.[0])
          : null;
        await event.meanwhile?.();
      }
    }
    return result;
  }

  #use(uses: string, inputs: Record<string, string>, ref: string, run: number): void {
    const { path = '', name = '', key = '' } = inputs;
    if (uses === 'actions/upload-artifact') this.addArtifact(name, run, path);
    if (uses === 'actions/download-artifact') {
      const upload = this.artifacts.find(
        (artifact) => artifact.name === name && artifact.run === Number(inputs['run-id']),
      );
      if (!upload || upload.expired)
        throw new Error(`no artifact ${name} of run ${inputs['run-id']}`);
      cpSync(upload.folder, path, { recursive: true });
    }
    if (uses === 'actions/cache/save') {
      const folder = join(this.#dir, `cache-${this.#ids++}`);
      cpSync(path, folder, { recursive: true });
      this.#caches.push({ ref, key, folder });
    }
    if (uses === 'actions/cache/restore') {
      const entry = this.#caches.findLast(
        (cache) =>
          [ref, 'refs/heads/main'].includes(cache.ref) &&
          cache.key.startsWith(inputs['restore-keys'] ?? key),
      );
      if (entry) cpSync(entry.folder, path, { recursive: true });
    }
  }

  async #execute(step: Step, env: Record<string, string>, temp: string): Promise<Executed> {
    const output = join(temp, `output-${step.id}`);
    const script = step.run ?? '';
    const stepEnv = {
      PATH: `${join(this.#dir, 'bin')}:${process.env.PATH}`,
      ...env,
      ...(env.WAIT_SECONDS !== undefined && { WAIT_SECONDS: '0' }),
      GITHUB_OUTPUT: output,
      CALLS: join(temp, 'CALLS'),
      ROUNDS: join(temp, 'ROUNDS'),
    };
    const { code, log } = await (step.shell === 'bash'
      ? runBash(script, stepEnv, temp)
      : runNode(script, stepEnv));
    const text = existsSync(output) ? readFileSync(output, 'utf8') : '';
    const values = Object.fromEntries(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    return { code, log, values };
  }
}

/** As GitHub calls it: without the files of a person, which bash reads where its input is a socket. */
const BASH = ['--noprofile', '--norc', '-eo', 'pipefail', '-c'];

const runBash = (script: string, env: Record<string, string>, cwd: string) =>
  new Promise<ActionResult>((resolve) =>
    execFile('bash', [...BASH, script], { env, cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), log: stdout + stderr }),
    ),
  );

/**
 * Runs a script of `shell: node {0}` as a program of its own, but in this process: a node for each of them
 * would take most of the time of the tests. It ends at `process.exit`, or when nothing of its `main()` is left.
 */
async function runNode(script: string, env: Record<string, string>): Promise<ActionResult> {
  let log = '';
  let code: number | null = null;
  const exitSignal = new Error('process.exit');
  const print = (line: string): void => {
    if (code === null) log += `${line}\n`;
  };
  const fake = {
    env,
    exit(exitCode: number): never {
      code ??= exitCode;
      throw exitSignal;
    },
  };
  const begin = new Function(
    'process',
    'console',
    'require',
    `${script.replace(/\bmain\(\)(?=\.catch)/, 'return main()')}`,
  );
  try {
    await begin(fake, { log: print }, createRequire(import.meta.url));
  } catch (error) {
    if (error !== exitSignal) {
      code ??= 1;
      log += String(error);
    }
  }
  return { code: code ?? 0, log };
}

/** The expressions of GitHub that the action uses, as JavaScript. */
function evaluate(text: string, contexts: Record<string, unknown>): unknown {
  const code = text
    .replaceAll('always()', 'true')
    .replaceAll(/\.([a-z][\w-]*)/g, (_, name: string) => `?.["${name}"]`);
  // An unset output is an empty text there.
  const filled = code.replaceAll(/(steps(?:\?\.\["[\w-]+"\])+)/g, '($1 ?? "")');
  return new Function(...Object.keys(contexts), `return (${filled});`)(...Object.values(contexts));
}
