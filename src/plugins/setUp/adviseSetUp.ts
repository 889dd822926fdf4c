import type { SetUpAdvice, ExecutorChoice } from '../../contract/schema/runner/setUp.ts';
import {
  type AdvisedSettings,
  formatSetUpCommand,
  type SetUp,
  listSetUpsHere,
} from './agentSetUp.ts';
import { findLocalEndpoints } from './findLocalEndpoints.ts';

/** For an unknown executor, only its settings can be named. */
const createUnknownSetUp = (provider: string): SetUp => ({
  provider,
  found: null,
  install: null,
  set: [],
  secret: null,
  open: false,
});

/** `acp` stands for the preset that the settings name. */
const toFullProviderName = (provider: string, { plugins }: AdvisedSettings): string =>
  provider === 'acp' ? `acp:${plugins.acp?.config?.preset ?? 'opencode'}` : provider;

/**
 * The set-up for one way of choosing an executor: keeps what the person chose and replaces the
 * default `command`.
 */
function setUpFor(
  { provider, key }: ExecutorChoice,
  advisedSettings: AdvisedSettings,
  all: readonly SetUp[],
): SetUp | null {
  if (provider === 'command') {
    const [best] = all;
    return key === null || !best ? null : { ...best, set: [[key, best.provider], ...best.set] };
  }
  const name = toFullProviderName(provider, advisedSettings);
  const own = all.find((one) => one.provider === name) ?? createUnknownSetUp(name);
  const id = name.split(':', 1)[0] ?? name;
  if (advisedSettings.plugins[id]?.enabled !== false) return own;
  return { ...own, set: [[`plugins.installed.${id}.enabled`, 'true'], ...own.set] };
}

/**
 * One command for all of them: settings together, installations first, each secret by its own
 * command.
 */
function joinSetUpCommands(
  setUps: readonly SetUp[],
  before: readonly (readonly [string, string])[],
): string | null {
  const set = new Map(setUps.flatMap((one) => one.set));
  const installs = [...new Set(setUps.flatMap(({ install }) => install ?? []))];
  const secrets = setUps.flatMap(({ secret }) => secret ?? []);
  if (set.size + installs.length + secrets.length + before.length === 0) return null;
  const install = installs.length === 0 ? null : installs.join(' && ');
  const [first = null, ...others] = secrets;
  if (set.size + before.length === 0 && first === null) return install;
  const rest = others.map((secret) => formatSetUpCommand({ install: null, set: [], secret }));
  return [formatSetUpCommand({ install, set: [...set], secret: first }, before), ...rest].join(
    ' && ',
  );
}

/** The slug as part of a key; with dots in it, it needs a JSON pointer. */
const toRepoKey = (slug: string): string =>
  slug.includes('.') ? `/forges/local/repos/${slug}` : `forges.local.repos.${slug}`;

/**
 * The command that lets jobs run which cannot run yet, made from what is installed and answers on
 * this machine. `repo`: slug of a repository to add; the command then runs in its folder. Probes
 * loopback ports for at most 300 ms. Never rejects.
 */
export async function adviseSetUp(
  advisedSettings: AdvisedSettings,
  { wanting, repo }: { wanting: readonly ExecutorChoice[]; repo: string | null },
): Promise<SetUpAdvice> {
  const before = repo === null ? [] : [[toRepoKey(repo), '"$PWD"'] as const];
  if (wanting.length === 0)
    return {
      command: joinSetUpCommands([], before),
      inFolderOf: repo,
      found: [],
      open: false,
      typed: false,
    };
  const all = listSetUpsHere(advisedSettings, await findLocalEndpoints(advisedSettings.hostEnv));
  const setUps = wanting.flatMap((one) => setUpFor(one, advisedSettings, all) ?? []);
  return {
    command: joinSetUpCommands(setUps, before),
    inFolderOf: repo,
    found: all.flatMap(({ found }) => found ?? []),
    open: setUps.some(({ open }) => open),
    typed: setUps.some(({ secret }) => secret !== null && secret.env === null),
  };
}
