/** Most failing tests that are named. */
const MAX_TESTS = 500;
/** Longest name of a test, characters. */
const MAX_NAME_CHARS = 200;
/** Most of an answer that is searched, from its end, characters: summaries come last. */
const MAX_SEARCHED_CHARS = 262_144;

/** How runners of tests name what failed, one line each. */
const FORMS: readonly RegExp[] = [
  // TAP: node --test, tape, prove.
  /^\s*not ok \d+(?: -)? (.+?)(?: # time=.*| # (?:SKIP|TO[D]O).*)?$/i,
  // pytest.
  /^FAILED (\S+::.+?)(?: - .*)?$/,
  // go test.
  /^\s*--- FAIL: (\S+)/,
  // cargo test.
  /^test (\S+) \.\.\. FAILED$/,
  // jest and vitest: files, and the tests in them.
  /^\s*(?:FAIL|❯) {1,2}(\S.*\.(?:[cm]?[jt]sx?|vue|svelte).*?)(?: \(?[\d.]+ ?m?s\)?)?$/,
  /^\s*(?:●|✕|✗|×|✖) (?!.*\btests?\b \d)(.+?)(?: \(?[\d.]+ ?m?s\)?)?$/,
  // uvu.
  /^\s*FAIL {2}(.+ {2}".+")$/,
  // mocha's list, JUnit by maven, RSpec.
  /^\[ERROR\] {1,3}(\S+(?:\.|:)\S+):\d+/,
  /^rspec (\S+)/,
];

const SKIPPED = /# (?:SKIP|TO[D]O)\b/i;

/** Codes of colours are no part of a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const COLOURS = /\u001b\[[0-9;]*m/g;

/** How the end of a run of tests is shown, whatever its outcome. */
const RUN_ENDS =
  /^(?:# (?:tests|pass|fail) \d+|1\.\.\d+|(?:ok|FAIL)\s+\S+\s+[\d.]+s|test result: .*|=+ .*\b(?:passed|failed)\b.* =+|\s*Tests:? +.*\b(?:passed|failed)\b.*|\s*Passed: +\d+|\s*\d+ (?:passing|failing)\b.*|\[(?:INFO|ERROR)\] +Tests run:.*|\d+ examples?, \d+ failures?.*)$/m;

/**
 * Names of the tests that an answer of a tool shows as failed, sorted; null where it does not show
 * the end of a run of tests: words alone prove nothing.
 */
export function failingTests(answer: string): string[] | null {
  const text = answer.slice(-MAX_SEARCHED_CHARS).replace(COLOURS, '');
  if (!RUN_ENDS.test(text)) return null;
  const names = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    if (SKIPPED.test(line)) continue;
    const name = FORMS.map((form) => form.exec(line)?.[1]).find((found) => found !== undefined);
    if (name !== undefined) names.add(name.trim().slice(0, MAX_NAME_CHARS));
    if (names.size >= MAX_TESTS) break;
  }
  return [...names].toSorted();
}
