import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { RunnerProcess } from '../../../demo/runnerProcess.ts';
import { makeSampleRepository } from '../../../demo/sampleRepository.ts';
import { type Client, createClient } from '../../../src/api/client/client.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { giveStartCode } from '../cli/startCode.ts';
import { PATIENCE_MS } from '../inTime.ts';
import { Looks } from '../looks.ts';

const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..');
/** By `import`, node would first read all 7 MB of it for the names that it exports. */
const loadPlaywright = (): typeof import('playwright-core') =>
  createRequire(import.meta.url)('playwright-core');

/**
 * The same engine without a window: a window of the full browser costs 0.8 s more of a processor,
 * for renderers of its own toolbar.
 */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
export const CHROMIUM =
  process.env.CHROMIUM ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium');
/** The full browser: the engine without a window shows no notifications. */
const FULL_CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];
/** Pages of one context share a renderer, and what it has compiled. */
const SHARED_RENDERERS = '--process-per-site';
/**
 * A page that rests for a second prepares the drawing of charts, in a worker, which takes 1.5 s of a
 * processor: here it waits until one is asked for.
 */
const NO_REHEARSAL = 'window.requestIdleCallback = () => 0;';

/** Further agents: source of their programs by name; each is a workflow of one phase. */
export type Programs = Readonly<Record<string, string>>;

const PRELUDE = `
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const run = (program, args, input) => {
  const done = spawnSync(program, args, { input, encoding: 'utf8' });
  if (done.status !== 0) throw new Error([program, ...args].join(' ') + ': ' + done.stderr.trim());
  return done.stdout.trim();
};
const tool = (name, args = {}) => JSON.parse(run('svc', ['tool', name, '-'], JSON.stringify(args)));
const git = (...args) => run('git', ['-c', 'user.name=Agent', '-c', 'user.email=agent@svc.invalid', ...args]);
`;

const FRONT = (name: string, checkpoint: boolean) => `---
id: ${name}
label: ${name}
description: A workflow of one phase.
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/${name}.md, status: working, interactive_checkpoint: ${checkpoint} }
  - { name: waiting, agent: null, status: waiting }
createParams: { required: [repo, description], optional: [reviewers] }
---

A workflow.
`;

interface StageOptions {
  sharesRenderers?: boolean;
  notifies?: boolean;
}

export class DashboardStage {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-dashboard-'));
  readonly runner: RunnerProcess;
  readonly browser: Browser;
  /** What no page may have: errors in the console, requests elsewhere, refusals of the policy. */
  readonly problems: string[] = [];
  #login: Awaited<ReturnType<DashboardStage['login']>> | undefined;

  private constructor(
    runner: (home: string) => RunnerProcess,
    browser: Browser,
    programs: Programs,
    more: Readonly<Record<string, unknown>>,
  ) {
    const home = join(this.dir, 'home');
    const tenant = join(this.dir, 'tenant');
    mkdirSync(home, { mode: 0o700 });
    cpSync(join(PACKAGE_ROOT, 'demo', 'intelligence'), tenant, { recursive: true });
    for (const folder of ['workflows', 'agents', 'programs'])
      mkdirSync(join(tenant, folder), { recursive: true });
    for (const [name, source] of Object.entries(programs)) {
      writeFileSync(join(tenant, `workflows/${name}.md`), FRONT(name, name.startsWith('plan')));
      writeFileSync(
        join(tenant, `agents/${name}.md`),
        `---\ndescription: ${name}\ncommand: [node, '{layer}/programs/${name}.mjs']\n---\n\nThe program ${name}.\n`,
      );
      writeFileSync(join(tenant, `programs/${name}.mjs`), `${PRELUDE}${source}`);
    }
    const config = {
      tenant: { displayName: 'Demo', overlay: { kind: 'localDir', path: tenant } },
      forges: { local: { repos: { titles: makeSampleRepository(this.dir) } } },
      runner: { maxConcurrentJobs: 4 },
      ...more,
    };
    writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
    giveStartCode(home);
    this.browser = browser;
    this.runner = runner(home);
  }

  /** Started, at an address that stays the same when the runner is killed and started again. */
  static async open(
    programs: Programs = {},
    more: Readonly<Record<string, unknown>> = {},
    /**
     * `sharesRenderers` false: a renderer of its own for every page, for tests that stop one of them.
     * `notifies`: the browser can show notifications.
     */
    { sharesRenderers = true, notifies = false }: StageOptions = {},
  ): Promise<DashboardStage> {
    if (!existsSync(join(PACKAGE_ROOT, 'dist/ui/index.html')))
      throw new Error('The dashboard is not built: npm run build');
    const { chromium } = loadPlaywright();
    const port = await freePort();
    const args = sharesRenderers ? [...FLAGS, SHARED_RENDERERS] : FLAGS;
    const browser = await chromium.launch({
      executablePath: notifies ? FULL_CHROMIUM : CHROMIUM,
      args,
    });
    const bin = join(PACKAGE_ROOT, 'cli', 'bin', 'run.js');
    const stage = new DashboardStage(
      (home) => new RunnerProcess(home, bin, port),
      browser,
      programs,
      more,
    );
    try {
      await stage.runner.start();
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  get client(): Client {
    return createClient({ baseUrl: this.runner.url, token: this.runner.token });
  }

  /** What a browser keeps that has followed a login link. */
  async login(): Promise<{ cookie: { name: string; value: string }; pageKey: string }> {
    const { path } = await this.client.createLogin();
    const response = await fetch(`${this.runner.url}${path}`, { redirect: 'manual' });
    const [name = '', value = ''] =
      response.headers.get('Set-Cookie')?.split(';')[0]?.split('=') ?? [];
    return {
      cookie: { name, value },
      pageKey: response.headers.get('Location')?.split('#login=')[1] ?? '',
    };
  }

  /**
   * A page at a hash such as `#/jobs/x`, logged in. What it must not do is noted in `problems`.
   * `rehearses`: it prepares the drawing of charts while it rests, as for people. `script`: runs before its own.
   */
  async page(
    hash: string,
    {
      rehearses = false,
      script,
      ...options
    }: BrowserContextOptions & { rehearses?: boolean; script?: string } = {},
  ): Promise<Page> {
    this.#login ??= await this.login();
    const { cookie, pageKey } = this.#login;
    const { hostname: domain, origin } = new URL(this.runner.url);
    const storageState = {
      cookies: [
        {
          ...cookie,
          domain,
          path: '/',
          expires: -1,
          httpOnly: true,
          secure: false,
          sameSite: 'Strict' as const,
        },
      ],
      origins: [{ origin, localStorage: [{ name: 'svc.login', value: pageKey }] }],
    };
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 860 },
      // A drawing that moves takes a sixth of a processor while a test waits for something else.
      reducedMotion: 'reduce',
      storageState,
      ...options,
    });
    if (!rehearses) await context.addInitScript(NO_REHEARSAL);
    if (script !== undefined) await context.addInitScript(script);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) =>
      this.problems.push(`error in the page: ${error.stack ?? error.message}`),
    );
    page.on('console', (message) => {
      // A runner that is killed breaks its connections, which the browser itself logs.
      if (message.type() === 'error' && !/net::ERR_/.test(message.text()))
        this.problems.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${this.runner.url}/`))
        this.problems.push(`asked elsewhere: ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      this.problems.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(`${this.runner.url}/dashboard/${hash}`);
    return page;
  }

  async job(
    workflow: string,
    description: string,
    params: Record<string, unknown> = {},
  ): Promise<string> {
    const body = {
      type: 'job',
      workflowPath: `workflows/${workflow}.md`,
      params: { repoSlug: 'titles', description, ...params },
    };
    return (await this.client.createJob(body)).jobId;
  }

  async until(jobId: string, isReached: (job: Job) => boolean): Promise<Job> {
    const deadline = Date.now() + PATIENCE_MS;
    const looks = new Looks();
    for (;;) {
      const job = await this.client.job(jobId);
      if (isReached(job)) return job;
      if (Date.now() > deadline)
        throw new Error(`the job did not get there; it is ${JSON.stringify(job, null, 2)}`);
      await looks.pause();
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.runner.stop();
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/**
 * Whether a browser exists; reports a missing one, so that it is not taken for a success.
 */
export function hasBrowser(what: string): boolean {
  if (existsSync(CHROMIUM)) return true;
  console.log(
    `left out: ${what}; there is no ${CHROMIUM} (apt-get install chromium, or set CHROMIUM)`,
  );
  return false;
}
