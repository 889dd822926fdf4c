import { TestLog } from '../../shared/output/testLog.ts';

/** Most of an answer that is searched, from its end, characters: summaries come last. */
const MAX_SEARCHED_CHARS = 262_144;

/**
 * Names of the tests that an answer of a tool shows as failed in its last run of tests, sorted; null
 * where it does not show the end of a run: words alone prove nothing.
 */
export function listFailingTests(answer: string): string[] | null {
  const log = new TestLog();
  for (const line of answer.slice(-MAX_SEARCHED_CHARS).split(/\r?\n/)) log.push(line);
  return log.failing;
}
