/** Files and folders of a repository that configure an agent program, by program. */
const AGENT_FILES: readonly (readonly [prefix: string, program: string])[] = [
  ['.opencode/', 'opencode'],
  ['opencode.json', 'opencode'],
  ['opencode.jsonc', 'opencode'],
  ['.gemini/', 'Gemini CLI'],
  ['.codex/', 'codex'],
];

export const AGENT_FILE_PREFIXES: readonly string[] = AGENT_FILES.map(([prefix]) => prefix);

/**
 * Why a repository's file is shown before it is trusted although it is no part of the overlay; null
 * = it configures no agent program.
 */
export function explainAgentFile(path: string): string | null {
  const found = AGENT_FILES.find(([prefix]) =>
    prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix,
  );
  return found === undefined ? null : `it configures ${found[1]}, which can run its programs`;
}
