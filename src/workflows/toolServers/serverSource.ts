import { readFile, stat } from 'node:fs/promises';
import { findSettingSecrets } from '../../base/secrets/likelySecret.ts';
import { findArgumentSecrets } from '../../base/secrets/secretArguments.ts';
import { findAddressPasswords, listQueryValues } from '../../base/secrets/findAddressSecrets.ts';
import { toFields, toListOrEmpty } from '../../base/json/untrusted.ts';
import type {
  McpServer,
  McpServerView,
  UnusableServer,
} from '../../contract/schema/session/mcpServer.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import {
  type DeclarationPlace,
  type DeclaredServers,
  parseDeclaredServers,
  readDeclaredServers,
  NOTHING_DECLARED,
} from './readDeclaredServers.ts';

/** Largest file of the agent host that is read, bytes: it also holds its history. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The tool servers of a job in addition to the runner's own. */
export interface ResolvedServers {
  /** Each id once. */
  servers: readonly McpServer[];
  notes: readonly string[];
  /** Declared servers that cannot be used; left out = none. */
  unusable?: readonly UnusableServer[];
  off?: readonly string[];
}

export interface RepoServers {
  path: string;
  text: string;
  /** Slug of the repository; left out = none. */
  repo?: string;
  /** Variables that the person has allowed with the repository; left out = none. */
  allowedEnv?: readonly string[];
}

export interface ServerSource {
  /**
   * The presently declared servers; for the same id the configuration wins, then the repository.
   */
  resolve(repo: readonly RepoServers[]): Promise<ResolvedServers>;
  /** What the agent host's own file would add, even if it is switched off. */
  resolveInherited(): Promise<ResolvedServers>;
}

export interface ServerSourceOptions {
  settings: Settings['mcp'];
  /** The runner's environment, from which allowed variables are expanded. */
  env: Readonly<Record<string, string | undefined>>;
  /** Receives the servers' secrets, to remove them from other texts. */
  onSecrets(secrets: readonly string[]): void;
}

const collectServerSecrets = ({ args, env, headers, url, secrets = [] }: McpServer): string[] => [
  ...secrets,
  ...[...Object.entries(env), ...Object.entries(headers)].flatMap(([name, value]) =>
    findSettingSecrets(name, value),
  ),
  ...findArgumentSecrets(args),
  ...(url === null ? [] : [...findAddressPasswords(url), ...listQueryValues(url)]),
];

export const toServerView = ({
  id,
  origin,
  transport,
  allowedTools,
  disallowedTools,
}: McpServer): McpServerView => ({
  id,
  origin,
  transport,
  allowedTools: allowedTools && [...allowedTools],
  disallowedTools: [...disallowedTools],
});

async function readHostFile(file: string, place: DeclarationPlace): Promise<DeclaredServers> {
  const leftOut = (why: string): DeclaredServers => ({
    ...NOTHING_DECLARED,
    notes: [`${file} ${why}; its servers were left out`],
  });
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES)
      return leftOut(`is larger than ${MAX_FILE_BYTES} bytes`);
    return parseDeclaredServers(await readFile(file, 'utf8'), place);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown reason';
    return code === 'ENOENT' ? NOTHING_DECLARED : leftOut(`cannot be read (${code})`);
  }
}

/** The configuration's entry for a server that may be declared elsewhere. */
const readServerSettings = (servers: Settings['mcp']['servers'], id: string) => {
  const { allowedEnv, timeoutMs } = toFields(servers[id]);
  return {
    allowedEnv: toListOrEmpty(allowedEnv).filter((name) => typeof name === 'string'),
    timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : null,
  };
};

/** The servers of configuration, agent host and repository, read again each time. */
export function createServerSource({
  settings,
  env,
  onSecrets,
}: ServerSourceOptions): ServerSource {
  const createPlace = (
    origin: McpServer['origin'],
    name: string,
    { repo = null, allowedEnv = [] }: { repo?: string | null; allowedEnv?: readonly string[] } = {},
  ): DeclarationPlace => ({
    origin,
    name,
    repo,
    variables: (id) => ({
      allowed: new Set([...allowedEnv, ...readServerSettings(settings.servers, id).allowedEnv]),
      env,
    }),
  });
  const readInherited = () =>
    readHostFile(settings.claudeFile, createPlace('claude', settings.claudeFile));
  return {
    async resolve(repo) {
      const declaredServers = [
        readDeclaredServers(
          settings.servers,
          createPlace('config', 'mcpServers of the configuration'),
        ),
        // The repository's last file counts: the one under .svc is meant for svc.
        ...repo
          .map((file) => parseDeclaredServers(file.text, createPlace('repo', file.path, file)))
          .reverse(),
        ...(settings.inheritClaude ? [await readInherited()] : []),
      ];
      const servers = new Map<string, McpServer>();
      const notes = declaredServers.flatMap((one) => one.notes);
      const off = new Set<string>();
      for (const one of declaredServers) {
        for (const server of one.servers) {
          const earlierServer = servers.get(server.id);
          if (earlierServer)
            notes.push(
              `the server ${server.id} of ${server.origin} was left out: ${earlierServer.origin} declares it too`,
            );
          else if (!off.has(server.id)) servers.set(server.id, server);
        }
        for (const id of one.off) off.add(id);
      }
      const mcpServers = [...servers.values()].map((server) => {
        const { timeoutMs } = readServerSettings(settings.servers, server.id);
        return timeoutMs === null ? server : { ...server, timeoutMs };
      });
      onSecrets(mcpServers.flatMap(collectServerSecrets));
      return {
        servers: mcpServers.sort((a, b) => (a.id < b.id ? -1 : 1)),
        notes,
        unusable: declaredServers
          .flatMap((one) => one.unusable)
          .filter(({ id }) => !servers.has(id)),
        off: [...off].filter((id) => !servers.has(id)),
      };
    },
    async resolveInherited() {
      const { servers, notes } = await readInherited();
      return { servers, notes };
    },
  };
}
