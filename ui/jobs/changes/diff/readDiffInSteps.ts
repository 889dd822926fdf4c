import { readDiffPath } from '../../../../src/base/text/readDiffPath.ts';
import { showQuoted } from '../../../../src/base/text/pathNames.ts';
import { findPictureType } from '../../../../src/base/limits/pictures.ts';
import type { Diff, DiffFile, DiffLine } from './diffFile.ts';
import { hasHiddenCharacters } from './hiddenCharacters.ts';

/** A hash of texts, 16 hexadecimal digits: tells versions apart, and protects from nothing. */
interface TextHash {
  add(text: string): void;
  value(): string;
}

const formatHexHalf = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');

/** FNV-1a, two of them with different starts; each text counts with its end. */
function createTextHash(): TextHash {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  const mix = (unit: number) => {
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x85ebca6b);
    two ^= two >>> 13;
  };
  return {
    add(text) {
      for (let at = 0; at < text.length; at++) mix(text.charCodeAt(at));
      mix(0x1_0000);
    },
    value: () => formatHexHalf(one) + formatHexHalf(two),
  };
}

/** Lines that are read without a pause. */
const LINES_OF_A_STEP = 500;

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const MODES: Readonly<Record<string, string>> = {
  '100644': 'a file',
  '100755': 'an executable file',
  '120000': 'a symbolic link',
  '160000': 'a submodule',
};

const describeFileMode = (mode: string): string => MODES[mode] ?? `mode ${mode}`;

class FileReader {
  readonly file: DiffFile;
  readonly #hash = createTextHash();
  #oldMode = '';
  #before = 0;
  #after = 0;
  #beforeLeft = 0;
  #afterLeft = 0;
  #same = false;

  constructor(head: string) {
    const path = readDiffPath(/ ("?b\/.*)$/.exec(head)?.[1] ?? head.slice('diff --git '.length));
    this.file = {
      path,
      from: null,
      change: 'changed',
      added: 0,
      removed: 0,
      binary: false,
      notes: [],
      lines: [],
      hash: '',
      hidden: false,
    };
  }

  get inHunk(): boolean {
    return this.#beforeLeft > 0 || this.#afterLeft > 0;
  }

  /** False for a line that does not belong to a diff. */
  read(line: string): boolean {
    if (this.inHunk) return this.#readChange(line);
    if (line.startsWith('\\')) {
      const last = this.file.lines.at(-1);
      if (last) last.noNewline = true;
      this.#hash.add(line);
      return true;
    }
    const hunk = HUNK.exec(line);
    if (!hunk) return this.#readHead(line);
    this.#before = Number(hunk[1]);
    this.#beforeLeft = Number(hunk[2] ?? 1);
    this.#after = Number(hunk[3]);
    this.#afterLeft = Number(hunk[4] ?? 1);
    this.#push('hunk', null, null, line);
    return true;
  }

  #push(kind: DiffLine['kind'], before: number | null, after: number | null, text: string): void {
    this.file.lines.push({ kind, before, after, text, noNewline: false });
  }

  #readChange(line: string): boolean {
    const sign = line[0];
    const text = line.slice(1);
    if (sign === '\\') {
      const last = this.file.lines.at(-1);
      if (last) last.noNewline = true;
    } else if (sign === '+') {
      this.file.added += 1;
      this.#push('added', null, this.#after++, text);
      this.#afterLeft -= 1;
      this.file.hidden ||= hasHiddenCharacters(stripCarriageReturn(text));
    } else if (sign === '-') {
      this.file.removed += 1;
      this.#push('removed', this.#before++, null, text);
      this.#beforeLeft -= 1;
    } else if (sign === ' ' || line === '') {
      this.#push('same', this.#before++, this.#after++, text);
      this.#beforeLeft -= 1;
      this.#afterLeft -= 1;
    } else return false;
    this.#hash.add(line);
    return true;
  }

  #readHead(line: string): boolean {
    const { file } = this;
    const [first = '', second = ''] = line.split(' ', 2);
    const last = line.slice(line.lastIndexOf(' ') + 1);
    if (first === 'new' && second === 'file') {
      file.change = 'added';
      if (last !== '100644') file.notes.push(`This is ${describeFileMode(last)}.`);
    } else if (first === 'deleted' && second === 'file') file.change = 'removed';
    else if (first === 'old' && second === 'mode') this.#oldMode = last;
    else if (first === 'new' && second === 'mode')
      file.notes.push(
        `Mode changed from ${this.#oldMode} (${describeFileMode(this.#oldMode)}) to ${last} (${describeFileMode(last)}).`,
      );
    else if ((first === 'rename' || first === 'copy') && (second === 'from' || second === 'to')) {
      const name = showQuoted(line.slice(first.length + second.length + 2));
      if (second === 'from') file.from = name;
      else file.path = name;
      file.change = first === 'rename' ? 'renamed' : 'copied';
    } else if (first === 'similarity') this.#same = last === '100%';
    else if (line.startsWith('+++ ') && line !== '+++ /dev/null')
      file.path = readDiffPath(line.slice(4));
    else if (line.startsWith('--- ') && file.change === 'removed' && line !== '--- /dev/null')
      file.path = readDiffPath(line.slice(4));
    else if (line.startsWith('Binary files ') || line === 'GIT binary patch') file.binary = true;
    // The index line names the contents: of a binary file nothing else tells two versions apart.
    else if (first !== 'index' && first !== 'dissimilarity' && first !== '---' && first !== '+++')
      return false;
    this.#hash.add(line);
    return true;
  }

  end(cut: boolean): DiffFile {
    const { file } = this;
    if (file.binary)
      file.notes.push(
        findPictureType(file.path) === null
          ? `Binary file ${BINARY[file.change]}. Its contents are not shown.`
          : `Picture ${BINARY[file.change]}.`,
      );
    else if (this.#same)
      file.notes.push(`${file.change === 'copied' ? 'Copied' : 'Renamed'} without changes.`);
    else if (file.lines.length === 0 && (file.change === 'added' || file.change === 'removed'))
      file.notes.push('The file is empty.');
    if (cut) file.notes.push('The rest of this file is missing: the diff is too long.');
    this.#hash.add(file.path);
    file.hash = this.#hash.value();
    file.hidden ||= hasHiddenCharacters(file.path) || hasHiddenCharacters(file.from ?? '');
    return file;
  }
}

const BINARY = {
  changed: 'changed',
  added: 'added',
  removed: 'deleted',
  renamed: 'renamed and changed',
  copied: 'copied and changed',
} as const;

const stripCarriageReturn = (text: string): string =>
  text.endsWith('\r') ? text.slice(0, -1) : text;

/**
 * Reads a unified diff as git writes it. It yields after some lines, where the caller may pause.
 * Other text is left out, except for the note that a diff was cut.
 */
export function* readDiffInSteps(text: string): Generator<undefined, Diff> {
  const files: DiffFile[] = [];
  let reader: FileReader | undefined;
  let rest: string | null = null;
  let inPatch = false;
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const line = text.slice(at, end);
    at = end + 1;
    count += 1;
    if (line.startsWith('diff --git ') && !reader?.inHunk) {
      if (reader) files.push(reader.end(false));
      reader = new FileReader(line);
      inPatch = false;
    } else if (inPatch && reader && !line.startsWith('# ')) continue;
    else if (reader?.read(line) !== true && line.startsWith('# ')) rest = line.slice(2);
    if (line === 'GIT binary patch') inPatch = true;
    if (count % LINES_OF_A_STEP === 0) yield undefined;
  }
  if (reader) files.push(reader.end(rest !== null || reader.inHunk));
  return { files, rest };
}

export function parseWholeDiff(text: string): Diff {
  const reading = readDiffInSteps(text);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}
