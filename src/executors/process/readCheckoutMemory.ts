import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Longest part of a file that is taken, bytes. */
const MAX_BYTES = 64 * 1024;
/** What a repository says to every agent; the first one counts. */
const FILES = ['AGENTS.md', 'CLAUDE.md', join('.claude', 'CLAUDE.md')];

/** A regular file of the checkout as text; null for one that leads out of it, or does not exist. */
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
 * What the repository says to agents (AGENTS.md, else CLAUDE.md), as a part of a prompt, for agents
 * that do not load it themselves; empty without one.
 */
export async function readCheckoutMemory(cwd: string): Promise<string> {
  const root = await realpath(cwd).catch(() => cwd);
  for (const name of FILES) {
    const text = await readCheckoutFile(root, name);
    if (text) return `# ${name} of the repository\n\n${text}`;
  }
  return '';
}
