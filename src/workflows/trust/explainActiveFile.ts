import { parseFrontMatter } from '../definition/parseFrontMatter.ts';

/** Kinds of file that are only read. Everything else of a repository counts as a program. */
const PASSIVE = /\.(md|txt|json|ya?ml|csv)$/;
/** Front matter keys by which an agent host starts programs or servers, or skips its questions. */
const ACTIVE_KEYS = ['hooks', 'mcpServers', 'permissionMode', 'allowed-tools'];
/** Agent hosts replace !`command` in skills by the command's output. */
const SHELL_LINE = /!`[^`\n]+`/;

function explainActiveMarkdown(path: string, bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  if (SHELL_LINE.test(text)) return 'it holds a shell line (!`command`) that agent hosts run';
  const front = parseFrontMatter(text, path);
  if (front.diagnostics.length > 0) return 'its front matter cannot be read';
  const key = ACTIVE_KEYS.find((one) => Object.hasOwn(front.data, one));
  return key === undefined ? null : `its front matter declares ${key}`;
}

/**
 * Why a repository's file is left out of the overlay: it could make something run. null = it is
 * only text. `path`: in the overlay.
 */
export function explainActiveFile(path: string, bytes: Uint8Array): string | null {
  const lower = path.toLowerCase();
  const name = lower.split('/').at(-1) ?? lower;
  if (name === '.mcp.json' || name === 'mcp.json') return 'it declares tool servers';
  if (/(^|\/)hooks(\/|$)/.test(lower) || name === 'hooks.json') return 'hooks run programs';
  if (lower.startsWith('guardrails/')) return 'guardrails run programs';
  if (lower.startsWith('.claude/commands/')) return 'commands run shell lines';
  if (lower.startsWith('.claude/plugins/')) return 'plugins run programs';
  if (!PASSIVE.test(path)) return 'it is not a text file, so it may be a program';
  if (!lower.startsWith('.claude/')) return null;
  if (!path.startsWith('.claude/')) return 'the folder must be spelled .claude';
  if (!lower.endsWith('.md') && !lower.startsWith('.claude/skills/'))
    return 'settings can start programs and send keys elsewhere';
  return lower.endsWith('.md') ? explainActiveMarkdown(path, bytes) : null;
}
