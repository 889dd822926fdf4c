/*
 * How test runners report a failed test, one line each. Each pattern is fast on any line of at most
 * MAX_LINE_CHARS.
 */

/** A line about one test; the group is its name. */
export const FAILS: readonly RegExp[] = [
  // TAP: node --test, tape, prove.
  /^\s*not ok \d+(?: -)? (.+?)(?: # time=.*| # (?:SKIP|TO[D]O).*)?$/i,
  // pytest: its list, and each test with -v.
  /^(?:FAILED|ERROR) (\S+(?:::|\.py\b).*?)(?: - .*)?$/,
  /^(\S+::\S.*?) (?:FAILED|ERROR)(?: +\[ *\d+%\])?$/,
  // unittest.
  /^(?:FAIL|ERROR): (\w+ \(\S+\))/,
  // go test, and gotestsum.
  /^\s*--- FAIL: (\S+)/,
  /^=== FAIL: (\S+ \S+)/,
  // cargo test and nextest.
  /^test (\S+)(?: - should panic)? \.\.\. FAILED$/,
  /^\s+FAIL \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(\S+ \S+)$/,
  // jest and vitest: files, and the tests in them.
  /^\s*(?:FAIL|❯) {1,2}(\S.*\.(?:[cm]?[jt]sx?|vue|svelte).*?)(?: \(?[\d.]+ ?m?s\)?)?$/,
  /^\s*(?:●|✕|✗|×|✖) (?!.*\btests?\b \d)(?!failing tests:|\d+ problems?\b)(.+?)(?: \(?[\d.]+ ?m?s\)?)?$/,
  // uvu.
  /^\s*FAIL {2}(.+ {2}".+")$/,
  // JUnit: by maven, by gradle, by its console.
  /^\[ERROR\] {1,3}(\S+(?:\.|:)\S+):\d+/,
  /^\[ERROR\] {1,3}(\S+)\s+(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!$/,
  /^(\w\S* > .+) FAILED$/,
  /^\s+JUnit \w+:(\S+:\S+\(.*\))$/,
  // dotnet test, and xUnit.
  /^\s+Failed (\S.*?) \[[<\d].*\]$/,
  /^\[xUnit\.net [\d:.]+\]\s+(\S.*) \[FAIL\]$/,
  // PHPUnit, ExUnit, minitest.
  /^\d+\) ([\w\\]+::\S.*)$/,
  /^\s+\d+\) ((?:test|doctest) .+ \(\S+\))$/,
  /^(\w[\w:]*#\S+) \[.*\]:$/,
  // googletest, ctest, XCTest.
  /^\[ {2}FAILED {2}\] (\w\S*)(?:, where .*)?(?: \(\d+ ms\))?$/,
  /^\s+\d+ - (\S.*) \((?:Failed|Timeout|SEGFAULT|Child aborted|Subprocess aborted)\)(?:\s.*)?$/,
  /^Test Case '(.+)' failed \(/,
  // Deno and Bun.
  /^(\S.*?) \.\.\. (?:.\[\d+m)*FAILED \(\d+m?s\)$/,
  /^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$/,
  // Playwright.
  /^\s+\d+\) (\[\S+\] › \S.*?)(?: ─+)?$/,
];

/** The list that RSpec writes after the end of a run. */
export const FAILS_AFTER: readonly RegExp[] = [/^rspec (\S+)/];

/** A test that has passed: an earlier failure of it no longer counts. */
export const PASSES: readonly RegExp[] = [
  /^\s*ok \d+(?: -)? (.+?)(?: # time=.*)?$/i,
  /^(\S+::\S.*?) PASSED(?: +\[ *\d+%\])?$/,
  /^\s*--- PASS: (\S+)/,
  /^test (\S+) \.\.\. ok$/,
  /^\s+PASS \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(\S+ \S+)$/,
  /^\[ {7}OK \] (\w\S*)(?: \(\d+ ms\))?$/,
];

/** A run begins. */
export const BEGINS =
  /^(?:TAP version \d+|=+ test session starts =+|\[INFO\] Scanning for projects\.\.\.|\[=+\] Running \d+ tests? from .*)$/;

/** The end of a whole run, with the number of tests that failed where any did. */
export const SUMMARIES: readonly RegExp[] = [
  // node --test and tape.
  /^[#ℹ] fail +\d+$/,
  // pytest, with and without its rules.
  /^(?:=+ )?(?:\d+ (?:passed|failed|skipped|errors?|deselected|xfailed|xpassed|warnings?)(?:, )?)+ in [\d.]+s\b.*$/,
  // jest and vitest.
  /^\s*Tests:? +.*\b(?:passed|failed)\b.*$/,
  // RSpec, ExUnit, minitest.
  /^\d+ (?:examples?|tests?|runs?|doctests?)\b.*, \d+ failures?\b.*$/,
  // PHPUnit.
  /^(?:Tests: \d+, Assertions: \d+.*|OK \(\d+ tests?, \d+ assertions?\))$/,
  // gotestsum, nextest.
  /^DONE \d+ tests?\b.*$/,
  /^\s+Summary \[ *[\d.]+s\] .*$/,
  // gradle.
  /^(?:\d+ tests? completed, \d+ failed.*|BUILD SUCCESSFUL in .*)$/,
  // JUnit's console, ctest, XCTest.
  /^\[ +\d+ tests failed +\]$/,
  /^\d+% tests passed, \d+ tests failed out of \d+$/,
  /^\s*Executed \d+ tests?, with .*\b\d+ failures?\b.*$/,
  // Deno, Bun.
  /^(?:ok|FAILED) \| \d+ passed.* \| \d+ failed.*$/,
  /^\s+\d+ fail$/,
];

/** The end of a whole run that does not say how many failed. */
export const ENDS: readonly RegExp[] = [
  // unittest, uvu, mocha and Playwright.
  /^Ran \d+ tests? in [\d.]+s$/,
  /^\s*Passed: +\d+$/,
  /^\s*\d+ passing\b.*$/,
];

/** The end of a part of a run: others may follow. The group names the part. */
export const PART_ENDS: readonly RegExp[] = [
  // TAP's plan, cargo, maven, googletest.
  /^(?:1\.\.\d+|# (?:tests|pass) \d+|test result: .*|\[(?:INFO|ERROR|WARNING)\] +Tests run:.*)$/,
  /^\[ {2}(?:PASSED|FAILED) {2}\] \d+ tests?\b.*$/,
  // mocha: its list follows.
  /^\s*\d+ failing\b.*$/,
  // Playwright.
  /^\s+\d+ (?:failed|passed \([\d.]+m?s\))$/,
  // go test, dotnet test.
  /^(?:ok|FAIL)\s+(\S+)\s+(?:[\d.]+s|\(cached\)|\[build failed\])/,
  /^(?:Passed|Failed)! +- Failed: .* - (\S+).*$/,
];

/** The end of a part in which nothing failed. */
export const PART_IS_GREEN = /^(?:ok|Passed!)/;

export const NAMES_FAILURES =
  /\b[1-9]\d*(?: tests?)? (?:failed|failing|failures?|errors?|fail)\b|\b(?:fail|failed|failures?|errors?):? *[1-9]/i;
