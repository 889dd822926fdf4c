import { removeColours } from './colouredText.ts';
import {
  BEGINS,
  ENDS,
  FAILS,
  FAILS_AFTER,
  NAMES_FAILURES,
  PART_ENDS,
  PART_IS_GREEN,
  PASSES,
  SUMMARIES,
} from './testForms.ts';

const MAX_TESTS = 500;
const MAX_NAME_CHARS = 200;
/** Longest line that can be about a test, characters; of a longer one the beginning is read. */
const MAX_LINE_CHARS = 500;
const MAX_NAME_LINES = 8;

const SKIPPED = /# (?:SKIP|TO[D]O)\b/i;
const MOCHA_LIST = /^\s*\d+ failing\b/;
const MOCHA_ENTRY = /^\s+\d+\) (\S.*)$/;

const findTestName = (forms: readonly RegExp[], line: string): string | undefined =>
  forms
    .map((form) => form.exec(line)?.[1])
    .find((name) => name !== undefined)
    ?.trim()
    .slice(0, MAX_NAME_CHARS);

const isOne = (forms: readonly RegExp[], line: string): boolean =>
  forms.some((form) => form.test(line));

/**
 * Reads what runs of tests print, line by line, and knows which tests failed in the last run. Words
 * alone prove nothing: only the end of a run makes it one.
 */
export class TestLog {
  /** Failing tests, with the part of the run that has ended since; null = its end is not shown yet. */
  readonly #failing = new Map<string, string | null>();
  #isRun = false;
  /** The run has ended: later failures belong to the next one. */
  #isOver = false;
  #isInList = false;
  /** An entry of mocha's list, whose name has several lines. */
  #entry: string[] = [];

  /** Names of the tests that failed in the last run, sorted; null = no run was shown. */
  get failing(): string[] | null {
    return this.#isRun ? [...this.#failing.keys()].toSorted() : null;
  }

  /** Takes the next line; true where it is the end of a run, or of a part of one. */
  push(chunk: string): boolean {
    const line = removeColours(chunk.slice(0, 2 * MAX_LINE_CHARS)).slice(0, MAX_LINE_CHARS);
    if (line.trim() === '' || SKIPPED.test(line)) return false;
    if (BEGINS.test(line)) this.#clear();
    else if (this.#takeEnd(line)) {
      this.#entry = [];
      this.#isInList = MOCHA_LIST.test(line);
      return true;
    } else if (!this.#isInList || !this.#takeEntry(line)) this.#takeTest(line);
    return false;
  }

  #takeTest(line: string): void {
    const passedTest = findTestName(PASSES, line);
    if (passedTest !== undefined) {
      this.#failing.delete(passedTest);
      return;
    }
    const listedTest = findTestName(FAILS_AFTER, line);
    const failedTest = listedTest ?? findTestName(FAILS, line);
    if (failedTest === undefined) return;
    if (listedTest === undefined && this.#isOver) this.#clear();
    this.#add(failedTest);
  }

  #takeEnd(line: string): boolean {
    if (isOne(SUMMARIES, line)) {
      // Without names since the last end, the known failures belong to the run before.
      if (this.#isOver || !NAMES_FAILURES.test(line)) this.#failing.clear();
      this.#isOver = true;
    } else if (isOne(ENDS, line)) {
      if (this.#isOver) this.#clear();
      this.#isOver = true;
    } else {
      const part = PART_ENDS.map((form) => form.exec(line)).find((match) => match !== null);
      if (!part) return false;
      if (part[1] !== undefined) this.#endPart(part[1], PART_IS_GREEN.test(line));
    }
    this.#isRun = true;
    return true;
  }

  #endPart(part: string, isGreen: boolean): void {
    for (const [name, failedPart] of this.#failing) {
      if (failedPart === null) this.#failing.set(name, part);
      else if (failedPart === part && isGreen) this.#failing.delete(name);
    }
  }

  #takeEntry(line: string): boolean {
    const first = MOCHA_ENTRY.exec(line)?.[1];
    if (first !== undefined) this.#entry = [first];
    else if (this.#entry.length > 0) this.#entry.push(line.trim());
    else return false;
    const isComplete = this.#entry.at(-1)?.endsWith(':') === true;
    if (isComplete) this.#add(this.#entry.join(' ').replace(/:$/, ''));
    if (isComplete || this.#entry.length >= MAX_NAME_LINES) this.#entry = [];
    return true;
  }

  #add(name: string): void {
    if (this.#failing.size < MAX_TESTS) this.#failing.set(name.slice(0, MAX_NAME_CHARS), null);
  }

  #clear(): void {
    this.#failing.clear();
    this.#isOver = false;
    this.#isInList = false;
    this.#entry = [];
  }
}
