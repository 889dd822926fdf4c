import { closeSync, fstatSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

interface NumberedFile {
  path: string;
  number: number;
}

const formatPath = (file: string, number: number): string => {
  const extension = extname(file);
  return `${file.slice(0, file.length - extension.length)}.${number}${extension}`;
};

function listNumbered(file: string): NumberedFile[] {
  const [folder, extension] = [dirname(file), extname(file)];
  const start = `${basename(file, extension)}.`;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .flatMap((name) => {
      if (!name.startsWith(start) || !name.endsWith(extension)) return [];
      const number = name.slice(start.length, name.length - extension.length);
      return /^\d+$/.test(number) ? [{ path: join(folder, name), number: Number(number) }] : [];
    })
    .sort((a, b) => a.number - b.number);
}

/** The files of a log, the oldest first: of `runner.log`, `runner.1.log`, `runner.2.log`, … */
export const listLogFiles = (file: string): string[] => listNumbered(file).map(({ path }) => path);

/**
 * Files that are appended to in turn. A write has ended when it returns; it throws what the disk refuses, and the
 * next one tries again.
 */
export class RollingFile {
  readonly #file: string;
  readonly #maxBytes: number;
  readonly #kept: number;
  #number: number;
  #fd: number;
  #bytes: number;

  /**
   * Continues the newest file, or begins the first. `maxBytes`: from this size on, the next text goes into
   * a new file. `kept`: older files that stay beside the one that is written.
   */
  constructor(file: string, { maxBytes, kept }: { maxBytes: number; kept: number }) {
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#kept = kept;
    this.#number = listNumbered(file).at(-1)?.number ?? 1;
    this.#fd = this.#open(this.#number);
    this.#bytes = fstatSync(this.#fd).size;
  }

  write(text: string): void {
    if (this.#bytes >= this.#maxBytes) this.#roll();
    let rest = Buffer.from(text);
    while (rest.length > 0) {
      const bytesWritten = writeSync(this.#fd, rest);
      this.#bytes += bytesWritten;
      rest = rest.subarray(bytesWritten);
    }
  }

  #open(number: number): number {
    return openSync(formatPath(this.#file, number), 'a', 0o600);
  }

  #roll(): void {
    const next = this.#open(this.#number + 1);
    closeSync(this.#fd);
    this.#fd = next;
    this.#number += 1;
    // Another runner may have begun it, in the middle of an upgrade.
    this.#bytes = fstatSync(next).size;
    for (const path of listLogFiles(this.#file).slice(0, -1 - this.#kept))
      rmSync(path, { force: true });
  }
}
