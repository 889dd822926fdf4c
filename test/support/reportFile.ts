import type { FileResult } from './uvuFile.ts';

/** Prints how a test file went; what it printed itself only where it failed. */
export function reportFile(result: FileResult): void {
  const line = `${(result.ms / 1000).toFixed(2).padStart(7)} s  ${String(result.passed).padStart(4)} passed  ${result.file}`;
  if (result.failed === 0) {
    console.log(`ok   ${line}`);
    // A figure that a test wants to show is a line of its own.
    for (const [note] of result.output.matchAll(/^note: .*$/gm)) console.log(`     ${note}`);
    // What a test could not try on this machine (a missing program) is no failure, and must not
    // pass unseen either.
    for (const leftOut of result.output.match(/^left out: .*$/gm) ?? [])
      console.log(`     ${leftOut}`);
    return;
  }
  console.log(`FAIL ${line}  (${result.failed} failed)`);
  for (const problem of result.problems) console.log(`     ${problem}`);
  console.log(result.output.trimEnd().replace(/^/gm, '     | '));
}
