import { tmpdir } from 'node:os';
import { createServerSource } from '../../src/workflows/toolServers/serverSource.ts';
import { DEFAULT_START_MS } from '../../src/base/limits/inputLimits.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import {
  type Finding,
  toErrorFinding,
  toOkFinding,
  toSkippedFinding,
  toWarningFinding,
} from './check.ts';

/** Longest start of one server here, ms; one that has less time of its own keeps that. */
const LONGEST_LOOK_MS = 60_000;

const PLACE = 'mcpServers of the configuration';

const joinClauses = (lines: readonly string[]): string => lines.join('; ');

/**
 * Whether the tool servers of the configuration, and those that are inherited, start and list their
 * tools. Their programs run in a temporary folder, without a sandbox. Servers of repositories are
 * not tried: jobs alone start them.
 */
export async function checkToolServers(
  settings: Settings['mcp'],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  const knownSecrets = new KnownSecrets();
  const source = createServerSource({
    settings,
    env,
    onSecrets: (secretValues) => knownSecrets.add(secretValues),
  });
  const { servers, notes } = await source.resolve([]);
  if (servers.length === 0 && notes.length === 0)
    return toSkippedFinding('no tool server is configured');
  const { openServers } = await import('../../src/executors/toolServers/connection/openServers.ts');
  const { PATH = '', HOME = '' } = env;
  const place = {
    clock: systemClock,
    cwd: tmpdir(),
    env: { PATH, HOME },
    screen: knownSecrets.screen,
  };
  const boundedServers = servers.map((server) => ({
    ...server,
    timeoutMs: Math.min(server.timeoutMs ?? DEFAULT_START_MS, LONGEST_LOOK_MS),
  }));
  const all = await openServers(boundedServers, place, {
    signal: AbortSignal.timeout(2 * LONGEST_LOOK_MS),
  });
  try {
    const failures = [...notes, ...all.failed.map(({ server, why }) => `${server.id}: ${why}`)];
    if (failures.length > 0)
      return toErrorFinding(
        joinClauses(failures),
        `Correct ${PLACE}, or switch a server off with "enabled": false.`,
      );
    const serverTexts = all.opened.map(
      ({ server, tools }) =>
        `${server.id}: ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}`,
    );
    return all.lines.length > 0
      ? toWarningFinding(
          joinClauses([...serverTexts, ...all.lines]),
          'Jobs run without the omitted servers. Correct the server, or name the tools that it may use in allowedTools.',
        )
      : toOkFinding(serverTexts.join(', '));
  } finally {
    await Promise.all(all.opened.map(({ connection }) => connection.close()));
  }
}
