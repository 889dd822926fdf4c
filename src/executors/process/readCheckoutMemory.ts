import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Longest part of a file that is used, bytes. */
const MAX_BYTES = 64 * 1024;
/** Files with a repository's text for every agent; the first one counts. */
const FILES = ['AGENTS.md', 'CLAUDE.md', join('.claude', 'CLAUDE.md')];

/**
 * A regular file of the checkout as text; null if it leads out of the checkout or does not exist.
 */
async function readCheckoutFile(root: string, name: string): Promise<string | null> {
  try {
    const path = await realpath(join(root, name));
    if (!path.startsWith(`${root}${sep}`)) return null;
    const file = await open(path, 'r');
    try {
      if (!(await file.stat()).isFile()) return null;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead).trim();
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/**
 * The repository's text for agents (AGENTS.md, else CLAUDE.md) as a part of a prompt, for agents
 * that do not load it; empty without one.
 */
export async function readCheckoutMemory(cwd: string): Promise<string> {
  const root = await realpath(cwd).catch(() => cwd);
  for (const name of FILES) {
    const text = await readCheckoutFile(root, name);
    if (text) return `# ${name} of the repository\n\n${text}`;
  }
  return '';
}
