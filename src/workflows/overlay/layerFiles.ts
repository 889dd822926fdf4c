import { open } from 'node:fs/promises';
import { MAX_PARSED_BYTES } from '../../base/limits/inputLimits.ts';

const isHiddenLayerPath = (path: string): boolean => /(^|\/)\./.test(path);

/** Whether a path of an overlay is a workflow: directly in `workflows/`, Markdown, not hidden. */
export const isWorkflowPath = (path: string): boolean =>
  /^workflows\/[^/]+\.md$/.test(path) && path !== 'workflows/README.md' && !isHiddenLayerPath(path);

/** Whether a path is an agent: Markdown anywhere below `agents/`. */
export const isAgentPath = (path: string): boolean => /^agents\/.+\.md$/.test(path);

export const limitReadSize = (path: string, bytes: number): number =>
  isWorkflowPath(path) || isAgentPath(path) ? Math.min(bytes, MAX_PARSED_BYTES + 1) : bytes;

/** The first bytes of a file. */
export async function readLayerFileStart(file: string, bytes: number): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(bytes);
    let read = 0;
    while (read < bytes) {
      const { bytesRead } = await handle.read(buffer, read, bytes - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return buffer.subarray(0, read);
  } finally {
    await handle.close();
  }
}

/** Other endings that people use for workflows and agents by mistake. */
const OTHER_TEXT = /\.(ya?ml|json|jsonc|toml|txt|text|rst|mdx|mdc|mdown|markdown|md)$/i;
/** Files left beside them on purpose, or by tools. */
const EXPECTED = /(^|\/)(README\.md|\.gitkeep|\.gitignore|\.DS_Store)$/;

/**
 * Why a file below `workflows/` or `agents/` is not read, as a clause, with a hint; null = it is
 * read, or not meant to be.
 */
export function explainUnreadFile(path: string): { why: string; hint: string } | null {
  if (isWorkflowPath(path) || isAgentPath(path) || EXPECTED.test(path)) return null;
  const inWorkflows = path.startsWith('workflows/');
  const kind = inWorkflows ? 'a workflow' : 'an agent';
  if (!inWorkflows && !OTHER_TEXT.test(path)) return null;
  if (isHiddenLayerPath(path))
    return { why: 'it is hidden', hint: 'Give it a name that does not begin with a dot.' };
  if (path.endsWith('.md'))
    return {
      why: 'only files directly in workflows/ are workflows',
      hint: 'Move it up into workflows/.',
    };
  const hint = /\.ya?ml$/i.test(path)
    ? 'Rename it to .md and put the YAML between two lines of ---.'
    : 'Rename it to .md.';
  return { why: `${kind} is a file with the ending .md`, hint };
}
