/** A line of a diff; its numbers before and after, null where it does not exist. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'hunk' | 'note';
  before: number | null;
  after: number | null;
  text: string;
}

export interface DiffFile {
  path: string;
  /** What it was called before; null = the same, or it is new. */
  from: string | null;
  change: 'changed' | 'added' | 'removed' | 'renamed';
  added: number;
  removed: number;
  lines: DiffLine[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Names with special characters come in quotes, with octal escapes of their bytes. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes = name
    .slice(1, -1)
    .replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\(["\\])/g, '$1');
  return new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
}

const pathIn = (name: string): string => unquoted(name.replace(/\t$/, '')).replace(/^[ab]\//, '');

/** The files of a unified diff as git writes it. What it does not understand is left out. */
export function parseDiff(text: string): DiffFile[] {
  const files: DiffFile[] = [];
  let file: DiffFile | undefined;
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('diff --git ')) {
      const path = pathIn(/ ("?b\/.*)$/.exec(line)?.[1] ?? line.slice('diff --git '.length));
      file = { path, from: null, change: 'changed', added: 0, removed: 0, lines: [] };
      files.push(file);
      inHunk = false;
      continue;
    }
    if (!file) continue;
    const hunk = HUNK.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      inHunk = true;
      file.lines.push({ kind: 'hunk', before: null, after: null, text: line });
    } else if (!inHunk) readHead(file, line);
    else if (line.startsWith('+')) {
      file.added += 1;
      file.lines.push({ kind: 'added', before: null, after: after++, text: line.slice(1) });
    } else if (line.startsWith('-')) {
      file.removed += 1;
      file.lines.push({ kind: 'removed', before: before++, after: null, text: line.slice(1) });
    } else if (line.startsWith(' '))
      file.lines.push({ kind: 'same', before: before++, after: after++, text: line.slice(1) });
    else if (line.startsWith('\\'))
      file.lines.push({ kind: 'note', before: null, after: null, text: line.slice(2) });
  }
  return files;
}

function readHead(file: DiffFile, line: string): void {
  if (line.startsWith('new file')) file.change = 'added';
  else if (line.startsWith('deleted file')) file.change = 'removed';
  else if (line.startsWith('rename from ')) {
    file.change = 'renamed';
    file.from = unquoted(line.slice('rename from '.length));
  } else if (line.startsWith('+++ ') && line !== '+++ /dev/null') file.path = pathIn(line.slice(4));
  else if (line.startsWith('Binary files'))
    file.lines.push({ kind: 'note', before: null, after: null, text: 'Binary file.' });
}

/** A comment on a line, as text for those who do not see the diff beside it. */
export function lineComment(path: string, line: DiffLine, comment: string): string {
  const at = line.after ?? line.before;
  const longest = Math.max(0, ...(line.text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  const where = line.after === null ? `${path}:${at} (removed)` : `${path}:${at}`;
  return `On \`${where}\`:\n\n${fence}\n${line.text}\n${fence}\n\n${comment}`;
}
