import { readFile, stat } from 'node:fs/promises';
import { secretsInSetting } from '../../lib/likelySecret.ts';
import { secretsInArguments } from '../../lib/secretArguments.ts';
import { passwordsIn, queryValuesIn } from '../../lib/secretsInAddress.ts';
import type { McpServer, McpServerView } from '../../schema/mcpServer.ts';
import type { Settings } from '../../schema/settings.ts';
import { type DeclaredServers, declaredInText, declaredServers } from './declaredServers.ts';

/** Largest file of the agent host that is read, bytes: it keeps its history in there too. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The tool servers of a job in addition to the runner's own. */
export interface ResolvedServers {
  /** By id, each once. */
  servers: readonly McpServer[];
  /** What was left out and why. */
  notes: readonly string[];
}

/** A file of a repository that a person has trusted, and that declares servers. */
export interface RepoServers {
  path: string;
  text: string;
}

export interface ServerSource {
  /**
   * The servers as they are declared now; of one id that of the configuration counts, then that of
   * the repository.
   */
  resolve(repo: readonly RepoServers[]): Promise<ResolvedServers>;
  /** What the agent host's own file would add, whether it is switched on or not. */
  inherited(): Promise<ResolvedServers>;
}

export interface ServerSourceOptions {
  settings: Settings['mcp'];
  /** Gets the secrets of the servers, so that they can be taken out of other texts. */
  onSecrets(secrets: readonly string[]): void;
}

const secretsOf = ({ args, env, headers, url }: McpServer): string[] => [
  ...[...Object.entries(env), ...Object.entries(headers)].flatMap(([name, value]) =>
    secretsInSetting(name, value),
  ),
  ...secretsInArguments(args),
  ...(url === null ? [] : [...passwordsIn(url), ...queryValuesIn(url)]),
];

/** A server as it may be shown. */
export const serverView = ({
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

async function inFile(file: string): Promise<DeclaredServers> {
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) {
      return {
        servers: [],
        off: [],
        notes: [`${file} is larger than ${MAX_FILE_BYTES} bytes; its servers were left out`],
      };
    }
    return declaredInText(await readFile(file, 'utf8'), 'claude', file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown reason';
    if (code === 'ENOENT') return { servers: [], off: [], notes: [] };
    return {
      servers: [],
      off: [],
      notes: [`${file} cannot be read (${code}); its servers were left out`],
    };
  }
}

/** The servers of configuration, agent host and repository, read again each time. */
export function createServerSource({ settings, onSecrets }: ServerSourceOptions): ServerSource {
  return {
    async resolve(repo) {
      const declared = [
        declaredServers(settings.servers, 'config', 'mcpServers of the configuration'),
        // The last file of the repository counts: what is under .svc is meant for svc.
        ...repo.map(({ path, text }) => declaredInText(text, 'repo', path)).reverse(),
        ...(settings.inheritClaude ? [await inFile(settings.claudeFile)] : []),
      ];
      const servers = new Map<string, McpServer>();
      const notes = declared.flatMap((one) => one.notes);
      const off = new Set<string>();
      for (const one of declared) {
        for (const server of one.servers) {
          const taken = servers.get(server.id);
          if (taken)
            notes.push(
              `the server ${server.id} of ${server.origin} was left out: ${taken.origin} declares it too`,
            );
          else if (!off.has(server.id)) servers.set(server.id, server);
        }
        for (const id of one.off) off.add(id);
      }
      onSecrets([...servers.values()].flatMap(secretsOf));
      return { servers: [...servers.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), notes };
    },
    async inherited() {
      const { servers, notes } = await inFile(settings.claudeFile);
      return { servers, notes };
    },
  };
}
