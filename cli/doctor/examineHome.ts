import { existsSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../src/api/client/client.ts';
import { loadSettings, type LoadedSettings } from '../../src/host/config/settings/loadSettings.ts';
import { resolveConfigPlace } from '../../src/host/config/home/resolveConfigPlace.ts';
import { DEFAULT_MIN_FREE_DISK_MB } from '../../src/base/limits/findLowDisk.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../src/base/errors/errors.ts';
import { openNetwork } from '../../src/base/system/network/network.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import type { Io } from '../io.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { readInstalledManifests } from '../../src/plugins/readInstalledManifests.ts';
import { readPluginSchemas } from '../../src/plugins/pluginSchemas.ts';
import { checkAgents } from './agents.ts';
import { checkArchives } from './archives.ts';
import {
  toErrorFinding,
  toSkippedFinding,
  toOkFinding,
  toWarningFinding,
  type Check,
  type Finding,
} from './check.ts';
import { checkClock } from './clock.ts';
import { checkBackup } from './backup.ts';
import { checkCleanup } from './cleanup.ts';
import { checkDisk } from './disk.ts';
import { checkExecutors } from './executors.ts';
import { checkForge } from './forge.ts';
import { checkGuardrails } from './guardrails.ts';
import { checkGitAndLfs, listLfsRepos } from './git.ts';
import { checkModels } from './models.ts';
import { checkModes } from './modes.ts';
import { diagnoseOverlay } from './overlay.ts';
import { checkConfiguredPlugins, diagnosePlugins, diagnoseSettings } from './plugins.ts';
import { diagnoseNotifications } from './notifications.ts';
import { checkPort } from './port.ts';
import { diagnoseAccounts } from './accounts.ts';
import { checkRows } from './rows.ts';
import { probeRunner } from './probeRunner.ts';
import { diagnoseSchedules } from './schedules.ts';
import { checkSandbox } from './sandbox.ts';
import { checkStore } from './store.ts';
import { checkToolServers } from './toolServers.ts';
import { checkTraces } from './traces.ts';
import { diagnoseTriggers } from './triggers.ts';
import { explainTemporaryFolderFault } from '../../src/base/system/files/temporaryFolder.ts';
import { PRICES } from '../../src/policy/usage/prices.generated.ts';
import { readTrustedAuthorities } from '../../src/base/system/network/authorities.ts';
import {
  formatProxyName,
  listProxySecrets,
  readNetworkVariables,
} from '../../src/base/system/network/variables.ts';

/** How requests leave this machine, as the variables of this shell say. */
async function diagnoseNetwork(env: Io['env']): Promise<Finding> {
  try {
    const settings = readNetworkVariables(env);
    await readTrustedAuthorities(settings);
    const { httpProxy, httpsProxy, noProxy, authorities } = settings;
    const proxyText = [
      httpsProxy === null ? 'no proxy' : `https through ${formatProxyName(httpsProxy)}`,
      ...(httpProxy === null ? [] : [`http through ${formatProxyName(httpProxy)}`]),
      ...(httpsProxy === null || noProxy === '' ? [] : [`directly to ${noProxy}`]),
      ...authorities.map(({ variable }) => `certificate authorities of ${variable}`),
    ].join(', ');
    if (listProxySecrets(settings).length === 0) return toOkFinding(proxyText);
    return toWarningFinding(
      `${proxyText}; agents and plugins get the proxy without its login`,
      'If the proxy requires a login from agents too, run a local relay that adds it, and set HTTPS_PROXY to the relay.',
    );
  } catch (error) {
    return toErrorFinding(toErrorMessage(error), 'Fix the variable for svc start too.');
  }
}

function diagnoseConfig(
  loadResult: LoadedSettings | SvcError,
  file: string,
  exists: boolean,
): Finding {
  if (loadResult instanceof SvcError) {
    const places = loadResult.errors.map(({ pointer, message }) => `${pointer} ${message}`);
    return toErrorFinding(
      [loadResult.message, ...places].join(' '),
      `Fix ${file}. svc config schema prints its schema.`,
    );
  }
  if (loadResult.warnings.length > 0)
    return toWarningFinding(loadResult.warnings.join('; '), `Check ${file}.`);
  return toOkFinding(exists ? file : `${file} does not exist: the defaults apply`);
}

/** Age from which on prices are not trusted, days. */
const OLD_DAYS = 90;
const DAY_MS = 86_400_000;

/** `date`: of the prices of models, such as 2026-09-23; `now` in epoch ms. */
function diagnosePrices(now: number, date = PRICES.date): Finding {
  const days = Math.floor((now - Date.parse(date)) / DAY_MS);
  return days <= OLD_DAYS
    ? toOkFinding(`model prices are from ${date}`)
    : toWarningFinding(
        `model prices are from ${date}, ${days} days old: costs may be wrong, and new models have no price`,
        'Upgrade svc, or set the prices of your models in budgets.prices.',
      );
}

/** First major version of Node that svc runs on, as package.json says. */
const OLDEST_NODE = 20;

export function diagnoseNode(version: string, platform: string, arch: string): Finding {
  const nodeText = `Node ${version} on ${platform} ${arch}`;
  if (Number(version.replace(/^v/, '').split('.')[0]) < OLDEST_NODE)
    return toErrorFinding(nodeText, `Install Node ${OLDEST_NODE} or later from nodejs.org.`);
  if (platform === 'win32')
    return toWarningFinding(nodeText, 'svc runs on Linux and macOS. On Windows, run it in WSL.');
  return toOkFinding(nodeText);
}

export function checkTemporaryFiles(folder = tmpdir()): Finding {
  const problem = explainTemporaryFolderFault(folder);
  if (problem === null) return toOkFinding(`can be made in ${folder}`);
  const [detail = problem, fix = ''] = problem.split(/(?<=\.) (?=Set )/);
  return toErrorFinding(detail, fix);
}

const pickWorkingDir = (loadResult: LoadedSettings | SvcError, home: string): string =>
  loadResult instanceof SvcError ? join(home, 'work') : loadResult.settings.paths.workingDir;

/**
 * Checks everything that this home's runner needs, in the order in which to fix it. Changes
 * nothing. A check that throws is reported as an error. `isNamed`: the client is that of `--url` or
 * SVC_URL, which may be another home's runner.
 */
export async function examineHome(
  io: Io,
  ask: () => Promise<Client>,
  isNamed: boolean,
): Promise<Check[]> {
  const sources = {
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: findPackageRoot(import.meta.url),
  };
  const { home, file } = resolveConfigPlace(sources);
  const loadResult: LoadedSettings | SvcError = await loadSettings(sources).catch(
    (error: unknown) => (error instanceof SvcError ? error : Promise.reject(error)),
  );
  const runner = await probeRunner(ask, io.now);
  const isUp = runner.client !== null && !isNamed;
  const withSettings = async (
    look: (settings: Settings) => Finding | Promise<Finding>,
  ): Promise<Finding> =>
    loadResult instanceof SvcError
      ? toSkippedFinding('the configuration cannot be read')
      : look(loadResult.settings);
  const withNetwork = (look: (settings: Settings) => Promise<Finding>) =>
    withSettings(async (settings) => {
      const network = await openNetwork(io.env, null);
      return look(settings).finally(network.close);
    });

  const looks: [id: string, title: string, look: () => Finding | Promise<Finding>][] = [
    ['node', 'Node', () => diagnoseNode(process.version, platform(), arch())],
    ['git', 'git', () => checkGitAndLfs(io.env.PATH, listLfsRepos(loadResult))],
    ['config', 'Configuration', () => diagnoseConfig(loadResult, file, existsSync(file))],
    ['modes', 'File modes', () => checkModes(home)],
    [
      'disk',
      'Disk',
      () => {
        const minMb =
          loadResult instanceof SvcError
            ? DEFAULT_MIN_FREE_DISK_MB
            : loadResult.settings.runner.minFreeDiskMb;
        return checkDisk([home, pickWorkingDir(loadResult, home)], minMb);
      },
    ],
    ['cleanup', 'Cleanup', () => withSettings(checkCleanup)],
    ['backup', 'Backup', () => withSettings((settings) => checkBackup(settings, io.now()))],
    ['temporary', 'Temporary files', () => checkTemporaryFiles()],
    [
      'store',
      'Store',
      () => {
        const release = loadResult instanceof SvcError ? '' : loadResult.settings.version;
        return checkStore(join(home, 'state.db'), isUp, pickWorkingDir(loadResult, home), release);
      },
    ],
    [
      'rows',
      'Rows',
      () => checkRows(join(home, 'state.db'), io.now(), isUp ? runner.client : null),
    ],
    ['archives', 'Archives', () => checkArchives(join(home, 'state.db'))],
    [
      'port',
      'Port',
      () => withSettings(({ server }) => checkPort(server, isUp ? runner.client.baseUrl : null)),
    ],
    [
      'forge',
      'Repositories',
      () =>
        withSettings(async ({ forges, plugins }) => {
          const { findForgeProblems } = await import('../../src/plugins/builtInForges.ts');
          const forgeManifests = (await readInstalledManifests(home)).filter(
            ({ id, kind }) => kind === 'scm' && plugins[id]?.enabled !== false,
          );
          const remote = [
            ...(await findForgeProblems(plugins, systemClock)),
            // Problems of these packages are reported with the plugins.
            ...forgeManifests.map(({ id }) => ({ id, problem: null })),
          ];
          return checkForge(forges.local.repos, remote, io.now());
        }),
    ],
    [
      'plugins',
      'Plugins',
      async () => {
        const configuredPlugins = loadResult instanceof SvcError ? {} : loadResult.settings.plugins;
        const settings = diagnoseSettings(configuredPlugins, await readPluginSchemas(home));
        if (runner.client === null) return settings ?? toSkippedFinding(runner.why);
        const finding = diagnosePlugins(
          await checkConfiguredPlugins(runner.client, configuredPlugins),
        );
        return finding.status === 'error' ? finding : (settings ?? finding);
      },
    ],
    [
      'overlay',
      'Team overlay',
      () =>
        withSettings(async (settings) => {
          const { kind } = settings.tenant.overlay;
          const isAsked = runner.client !== null && (kind === 'gitRemote' || kind === 'cloudBlob');
          return diagnoseOverlay(
            settings,
            isAsked ? (await runner.client.intelligenceLayers()).layers : null,
          );
        }),
    ],
    [
      'triggers',
      'Triggers',
      async () =>
        runner.client === null
          ? toSkippedFinding(runner.why)
          : diagnoseTriggers(await runner.client.triggers()),
    ],
    [
      'schedules',
      'Schedules',
      async () =>
        runner.client === null
          ? toSkippedFinding(runner.why)
          : diagnoseSchedules(await runner.client.schedules()),
    ],
    ['agents', 'Models', () => withSettings((settings) => checkAgents(settings, io.env))],
    [
      'sandbox',
      'Sandbox',
      () => withSettings(({ runner: own }) => checkSandbox(own, io.env.PATH, home)),
    ],
    ['guardrails', 'Guardrails', () => checkGuardrails(home, io.env.PATH, process.getuid?.())],
    ['network', 'Network', () => diagnoseNetwork(io.env)],
    ['models', 'Addresses', () => withNetwork(({ plugins }) => checkModels(plugins))],
    ['tool-servers', 'Tool servers', () => withNetwork(({ mcp }) => checkToolServers(mcp, io.env))],
    [
      'pools',
      'Accounts',
      async () =>
        runner.client === null
          ? toSkippedFinding(runner.why)
          : diagnoseAccounts(await runner.client.accounts()),
    ],
    [
      'notifications',
      'Notifications',
      async () =>
        runner.client === null
          ? toSkippedFinding(runner.why)
          : diagnoseNotifications((await runner.client.notificationChannels()).channels),
    ],
    ['traces', 'Traces', () => withNetwork(({ traces }) => checkTraces(traces, io.env, io.now))],
    ['prices', 'Prices', () => diagnosePrices(io.now())],
    ['clock', 'Clock', () => checkClock(home, io.now, runner.client === null ? null : runner.date)],
  ];
  const checks: Check[] = [];
  for (const [id, title, look] of looks) {
    const finding = await Promise.resolve(undefined)
      .then(look)
      .catch((error: unknown) =>
        toErrorFinding(
          toErrorMessage(error),
          'Fix what the message names and run svc doctor again.',
        ),
      );
    checks.push({ id, title, ...finding });
    if (id === 'agents' && !(loadResult instanceof SvcError))
      checks.push(...(await checkExecutors(loadResult.settings)));
  }
  return checks;
}
