import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunnerProcess } from '../../demo/runnerProcess.ts';
import { type Client, createClient } from '../../src/api/client/client.ts';
import { followJob } from '../../src/api/client/stream.ts';
import type { LogFrame } from '../../src/contract/schema/job/frames.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { giveStartCode } from './cli/startCode.ts';
import { PATIENCE_MS } from './inTime.ts';
import { Looks } from './looks.ts';

const PACKAGE_ROOT = join(import.meta.dirname, '..', '..');

/** Start of every agent program of a story, with `tool(name, args)` and `git(...)`. */
export const PRELUDE = `
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const tool = (name, args = {}) => {
  const done = spawnSync('svc', ['tool', name, '-'], { input: JSON.stringify(args), encoding: 'utf8' });
  if (done.status !== 0) throw new Error(name + ': ' + done.stderr.trim());
  return JSON.parse(done.stdout);
};
const refused = (name, args = {}) => spawnSync('svc', ['tool', name, '-'], { input: JSON.stringify(args), encoding: 'utf8' }).stderr.trim();
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const session = JSON.parse(readFileSync(process.env.SVC_SESSION_DIR + '/session.json', 'utf8'));
const kickoff = readFileSync(process.env.SVC_SESSION_DIR + '/kickoff.md', 'utf8');
const waitForEver = () => new Promise(() => setInterval(() => {}, 1000));
`;

export interface StoryOptions {
  workflow: string;
  /** Source of each agent's program by name, run by `agents/<name>.md`. */
  programs: Readonly<Record<string, string>>;
  config?: Record<string, unknown>;
  /** Files of the tenant layer by path. */
  tenant?: Readonly<Record<string, string>>;
}

/** The real runner on a home of its own, with small programs and a repository `repo`. */
export class Story {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-story-'));
  readonly home = join(this.dir, 'home');
  readonly repository = join(this.dir, 'repo.git');
  readonly runner = new RunnerProcess(this.home, join(PACKAGE_ROOT, 'cli', 'bin', 'run.js'));

  constructor({ workflow, programs, config = {}, tenant = {} }: StoryOptions) {
    const files: Record<string, string> = {
      'workflows/story.md': `---\n${workflow.trim()}\n---\n\nA story.\n`,
      ...tenant,
    };
    for (const [name, source] of Object.entries(programs)) {
      files[`agents/${name}.md`] =
        `---\ndescription: ${name}\ncommand: [node, '{layer}/programs/${name}.mjs']\n---\n\nThe program ${name}.\n`;
      files[`programs/${name}.mjs`] = `${PRELUDE}${source}`;
    }
    for (const [path, text] of Object.entries(files))
      this.write(join(this.dir, 'tenant', path), text);
    const settings = {
      tenant: { overlay: { kind: 'localDir', path: join(this.dir, 'tenant') } },
      forges: { local: { repos: { repo: this.repository } } },
      ...config,
    };
    this.write(join(this.home, 'config.json'), JSON.stringify(settings));
    giveStartCode(this.home);
    this.#makeRepository();
  }

  get client(): Client {
    return createClient({ baseUrl: this.runner.url, token: this.runner.token });
  }

  async job(params: Record<string, unknown> = {}): Promise<string> {
    const body = {
      type: 'job',
      workflowPath: 'workflows/story.md',
      params: { repoSlug: 'repo', description: 'a story', ...params },
    };
    return (await this.client.createJob(body)).jobId;
  }

  /** The job as soon as it is as wanted; fails with what it is instead after `patienceMs`. */
  async until(
    jobId: string,
    isReached: (job: Job) => boolean,
    patienceMs = PATIENCE_MS,
  ): Promise<Job> {
    const deadline = Date.now() + patienceMs;
    const looks = new Looks();
    for (;;) {
      const job = await this.client.job(jobId);
      if (isReached(job)) return job;
      if (Date.now() > deadline)
        throw new Error(`the job did not get there; it is ${JSON.stringify(job, null, 2)}`);
      await looks.pause();
    }
  }

  /** Resolves once this is so; fails after `patienceMs`. */
  async settled(isSo: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
    const deadline = Date.now() + patienceMs;
    const looks = new Looks();
    while (!(await isSo())) {
      if (Date.now() > deadline) throw new Error('it did not come to that');
      await looks.pause();
    }
  }

  async firstLines(jobId: string, text: string): Promise<string> {
    const response = await fetch(`${this.runner.url}/jobs/${jobId}/stream`, {
      headers: { authorization: `Bearer ${this.runner.token}` },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let output = '';
    while (reader && !output.includes(text)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the log ended without "${text}":\n${output.slice(-2000)}`);
      output += value;
    }
    await reader?.cancel();
    return output;
  }

  /** Lines of the job's log so far, as `[tag] line`. */
  async log(jobId: string): Promise<string[]> {
    if (!(await this.client.job(jobId)).ended)
      throw new Error('the log of a story is read when its job has ended');
    const lines: string[] = [];
    await followJob({
      client: this.client,
      jobId,
      after: 0,
      signal: new AbortController().signal,
      onFrame({ kind, data }) {
        if (kind !== 'log') return;
        const { tag, line } = data as LogFrame;
        lines.push(tag === null ? line : `[${tag}] ${line}`);
      },
    });
    return lines;
  }

  /** Stops the runner as a person would, so that nothing writes any more, and removes all. */
  async end(): Promise<void> {
    await this.runner.stop();
    await removeFolder(this.dir);
  }

  write(file: string, text: string): void {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }

  /** Runs git in a person's own checkout of the repository; what it prints. */
  git(...args: string[]): string {
    const as = [
      '-c',
      'user.name=Story',
      '-c',
      'user.email=story@svc.invalid',
      '-c',
      'init.defaultBranch=main',
    ];
    return execFileSync('git', [...as, ...args], {
      cwd: join(this.dir, 'work'),
      stdio: 'pipe',
      encoding: 'utf8',
    });
  }

  #makeRepository(): void {
    this.write(join(this.dir, 'work', 'README.md'), '# A repository\n');
    this.git('init', '--quiet');
    this.git('add', '--all');
    this.git('commit', '--quiet', '-m', 'first');
    this.git('clone', '--quiet', '--bare', '.', this.repository);
  }
}

/** A git of a killed runner may still make folders for a moment, so one removal may miss them. */
async function removeFolder(dir: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return rmSync(dir, { recursive: true, force: true });
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Runs a story and gives everything back, whatever happens in it. */
export const story =
  (options: StoryOptions, tell: (story: Story) => Promise<void>): (() => Promise<void>) =>
  async () => {
    const it = new Story(options);
    try {
      await it.runner.start();
      await tell(it);
    } finally {
      await it.end();
    }
  };
