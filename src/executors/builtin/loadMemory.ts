import { join } from 'node:path';
import type { Places } from './tools/places.ts';

/** Longest memory file, bytes; longer ones are cut, with a note. */
const MAX_BYTES = 64 * 1024;

/** A file that a memory file of Claude Code includes, such as `@docs/style.md`. */
const IMPORT = /(?:^|\s)@[~.\w-]*[/\w-]+\.\w+/m;
const NOT_INCLUDED =
  'Files that are named after @ above are not included: read those that you need.';

/** A text file that may be read; null if it does not exist. */
export async function readPlaceText(places: Places, path: string): Promise<string | null> {
  try {
    const file = await places.openFile(path);
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(MAX_BYTES + 1),
        0,
        MAX_BYTES + 1,
        0,
      );
      const bytes = buffer.subarray(0, Math.min(bytesRead, MAX_BYTES));
      // The byte-order mark is removed; it also tells UTF-16.
      const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
      const text = new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes);
      return bytesRead > MAX_BYTES
        ? `${text}\n[cut: the file is longer than ${MAX_BYTES} bytes]`
        : text;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/**
 * What people wrote for agents: the overlay's `.claude/CLAUDE.md`, which holds all layers, then
 * `AGENTS.md`, `CLAUDE.md` and `.claude/CLAUDE.md` of the checkout. Repeated texts are left out:
 * these files are often links to each other.
 */
export async function loadMemory(places: Places, overlayDir: string): Promise<string> {
  const files = [
    join(overlayDir, '.claude', 'CLAUDE.md'),
    ...['AGENTS.md', 'CLAUDE.md', join('.claude', 'CLAUDE.md')].map((name) =>
      join(places.root, name),
    ),
  ];
  const parts: { path: string; text: string }[] = [];
  for (const path of files) {
    const text = (await readPlaceText(places, path))?.trim() ?? '';
    if (text !== '' && !parts.some((part) => part.text.includes(text))) parts.push({ path, text });
  }
  const isImporting = parts.some(({ text }) => IMPORT.test(text));
  return [
    ...parts.map(({ path, text }) => `## ${places.toAgentPath(path)}\n\n${text}`),
    ...(isImporting ? [NOT_INCLUDED] : []),
  ].join('\n\n');
}
