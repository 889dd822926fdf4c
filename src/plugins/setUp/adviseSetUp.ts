import type { SetUpAdvice, ExecutorChoice } from '../../contract/schema/runner/setUp.ts';
import {
  type AdvisedSettings,
  formatSetUpCommand,
  type SetUp,
  listSetUpsHere,
} from './agentSetUp.ts';
import { findLocalEndpoints } from './findLocalEndpoints.ts';

/** Where nothing is known of an executor, its settings are all that can be named. */
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
 * The set-up that makes one way of choosing an executor work: what the person has chosen stays, the
 * default `command` is replaced.
 */
function setUpFor(
  { provider, key }: ExecutorChoice,
  advised: AdvisedSettings,
  all: readonly SetUp[],
): SetUp | null {
  if (provider === 'command') {
    const [best] = all;
    return key === null || !best ? null : { ...best, set: [[key, best.provider], ...best.set] };
  }
  const name = toFullProviderName(provider, advised);
  const own = all.find((one) => one.provider === name) ?? createUnknownSetUp(name);
  const id = name.split(':', 1)[0] ?? name;
  if (advised.plugins[id]?.enabled !== false) return own;
  return { ...own, set: [[`plugins.installed.${id}.enabled`, 'true'], ...own.set] };
}

/**
 * One command for all of them: settings together, installations before, each secret by a command of
 * its own.
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

/** The slug as part of a key: with dots in it only a JSON pointer can say it. */
const toRepoKey = (slug: string): string =>
  slug.includes('.') ? `/forges/local/repos/${slug}` : `forges.local.repos.${slug}`;

/**
 * The command that lets jobs run which cannot, made from what is installed and answers on this
 * machine. `repo`: a repository that has to be added, by its slug; the command is then run in its
 * folder. Looks at loopback ports, for 300 ms at most. Never rejects.
 */
export async function adviseSetUp(
  advised: AdvisedSettings,
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
  const all = listSetUpsHere(advised, await findLocalEndpoints(advised.hostEnv));
  const setUps = wanting.flatMap((one) => setUpFor(one, advised, all) ?? []);
  return {
    command: joinSetUpCommands(setUps, before),
    inFolderOf: repo,
    found: all.flatMap(({ found }) => found ?? []),
    open: setUps.some(({ open }) => open),
    typed: setUps.some(({ secret }) => secret !== null && secret.env === null),
  };
}
