import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, createClient } from '../../../src/api/client/client.ts';
import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import type { RetentionKind } from '../../../src/base/settings/retention.ts';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { startRunner } from '../../../src/main.ts';
import { GithubStage, TOKEN } from '../../support/forges/githubStage.ts';
import { type GitRepository, makeGitRepository } from '../../support/gitRepository.ts';
import { LeapingClock } from './leapingClock.ts';
import { WORKER_FILES } from './worker.ts';

const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..');
/** Jobs at once. */
const SLOTS = 4;

/** Days after which each kind goes; all of it once a day. */
export type Rules = Readonly<Record<RetentionKind, number>>;

/**
 * The whole runner in this process, with the real store, git, agents and schedule, on a home of its own; only its
 * clock leaps. It has a repository on this machine, and a GitHub.
 */
export interface MonthHome extends AsyncDisposable {
  home: string;
  clock: LeapingClock;
  client: Client;
  /** On this machine: slug `shop`. */
  repository: GitRepository;
  /** Makes a repository at GitHub. */
  addRemote(slug: string): void;
  /** A file is as old as the machine says: the mirror was fetched now by the clock of the runner. */
  fetched(slug: string): void;
  /** The log of a job as text. */
  readLog(jobId: string): Promise<string>;
}

/** `rules`: null = nothing is ever cleared away. */
export async function openMonthHome(rules: Rules | null): Promise<MonthHome> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-month-'));
  const home = join(dir, 'home');
  const layer = join(dir, 'layer');
  const repository = makeGitRepository({ bare: true });
  const github = await GithubStage.open();
  const clock = new LeapingClock();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const [path, text] of Object.entries(WORKER_FILES)) write(join(layer, path), text);
  const config = {
    server: { port: 0 },
    runner: { maxConcurrentJobs: SLOTS },
    tenant: { overlay: { kind: 'localDir', path: layer } },
    forges: { local: { repos: { shop: repository.path } } },
    plugins: { installed: { github: { config: { token: TOKEN, baseUrl: github.github.url } } } },
    ...(rules ? { retention: createRetention(rules) } : {}),
  };
  write(join(home, 'config.json'), JSON.stringify(config));
  const sources = { env: { SVC_HOME: home }, homeDir: dir, flags: {}, packageRoot: PACKAGE_ROOT };
  const loaded = await loadSettings(sources);
  const runner = await startRunner(loaded.settings, {
    log: silentLog,
    hostEnv: { PATH: process.env.PATH },
    packageRoot: PACKAGE_ROOT,
    pid: process.pid,
    secrets: new KnownSecrets(loaded.secrets),
    config: { sources, started: loaded.config },
    clock,
  });
  const token = readFileSync(loaded.settings.paths.tokenFile, 'utf8').trim();
  return {
    home,
    clock,
    repository,
    client: createClient({ baseUrl: runner.url, token }),
    addRemote: (slug) => void github.github.state.addRepo(slug),
    fetched(slug) {
      const at = clock.now() / 1_000;
      utimesSync(join(home, 'mirrors', 'github', `${slug}.git`, 'HEAD'), at, at);
    },
    async readLog(jobId) {
      const read = async () => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${runner.url}/jobs/${jobId}/log.txt`, { headers })).text();
      };
      // A connection that was kept open may be one that the runner has just closed.
      return read().catch(read);
    },
    async [Symbol.asyncDispose]() {
      await runner.stop();
      await github.end();
      repository.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const createRetention = (rules: Rules) => ({
  every: '24h',
  ...Object.fromEntries(Object.entries(rules).map(([kind, afterDays]) => [kind, { afterDays }])),
});
