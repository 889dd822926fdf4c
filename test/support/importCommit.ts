export interface ImportedCommit {
  branch: string;
  /** The commit it follows; empty: it is the first. */
  parent: string;
  message: string;
  /** As in a commit, with the time: `Ada <ada@example.test> 1767225600 +0000`. */
  by: string;
  /** What it changes by path: mode and content, which is a commit for the mode of a submodule; null removes the file. */
  files: readonly (readonly [path: string, content: { mode: string; body: string } | null])[];
}

export const SUBMODULE_MODE = '160000';

/** A path is plain up to the end of its line, unless it looks quoted. */
const formatPath = (path: string): string =>
  /^"|\n/.test(path) ? `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"` : path;

const formatData = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/**
 * Input of `git fast-import --quiet`, which makes the commit, moves the branch, and prints the sha:
 * one program in place of one for each file and four more.
 */
export function formatCommitStream({ branch, parent, message, by, files }: ImportedCommit): string {
  const changes = files.map(([path, content]) => {
    if (content === null) return `D ${formatPath(path)}\n`;
    const { mode, body } = content;
    return mode === SUBMODULE_MODE
      ? `M ${mode} ${body} ${formatPath(path)}\n`
      : `M ${mode} inline ${formatPath(path)}\n${formatData(body)}`;
  });
  return [
    `commit refs/heads/${branch}\nmark :1\nauthor ${by}\ncommitter ${by}\n`,
    formatData(`${message}\n`),
    parent === '' ? '' : `from ${parent}\n`,
    ...changes,
    '\nget-mark :1\n',
  ].join('');
}
