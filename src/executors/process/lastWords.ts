const MAX_LINES = 20;
const MAX_BYTES = 4_096;

/** The last lines of a program, at most 20 and 4 KiB, for an error report. */
export class LastWords {
  #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  sentence(): string {
    const words = this.text();
    return words === '' ? 'It wrote no output.' : `Last output:\n${words}`;
  }

  text(): string {
    const bytes = Buffer.from(this.#lines.join('\n').trim());
    return bytes.length <= MAX_BYTES
      ? bytes.toString()
      : `…${bytes
          .subarray(-MAX_BYTES)
          .toString()
          .replace(/^\ufffd+/, '')}`;
  }
}
