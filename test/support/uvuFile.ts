import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface FileResult {
  file: string;
  passed: number;
  /** At least 1 whenever anything is wrong with the file, whatever uvu itself says. */
  failed: number;
  ms: number;
  /** Both streams; the middle is cut out if it is longer than `MAX_OUTPUT_CHARS`. */
  output: string;
  problems: string[];
}

/** Most of a file's output that is kept: enough for any failure, too little to fill the memory. */
export const MAX_OUTPUT_CHARS = 400_000;

/** How long a file whose tests have failed may still be silent, ms: a failed test does not close what it opened. */
const SILENCE_AFTER_FAILURE_MS = 15_000;

/** Most of the end of an output in which its summary is looked for. */
const SUMMARY_CHARS = 2_000;

const SUMMARY = /^\s*Total:\s+(\d+)\n\s*Passed:\s+(\d+)\n\s*Skipped:\s+(\d+)/gm;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with the escape character
const COLOUR = /\u001b\[[0-9;]*m/g;

/** Whether the last summary that uvu has printed so far counts a failure. */
function hasFailed(output: string): boolean {
  const summary = [...output.replace(COLOUR, '').matchAll(SUMMARY)].at(-1);
  return summary !== undefined && summary[1] !== summary[2];
}

export interface Ending {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
}

/**
 * Counts a file's result without trusting uvu's exit code, which is 0 for a throwing `before`, a
 * throwing `after.each`, a thrown string and a suite that is never run.
 */
export function judge(
  source: string,
  output: string,
  ending: Ending,
  timeoutMs: number,
): Pick<FileResult, 'passed' | 'failed' | 'problems'> {
  const problems: string[] = [];
  const summary = [...output.replace(COLOUR, '').matchAll(SUMMARY)].at(-1);
  const [total, passed, skipped] = summary
    ? [Number(summary[1]), Number(summary[2]), Number(summary[3])]
    : [0, 0, 0];
  if (ending.timedOut)
    problems.push(`it was still running after ${timeoutMs / 1000} s and was killed`);
  else if (!summary)
    problems.push(
      'uvu printed no summary: no suite was run, a hook threw, or the process ended early',
    );
  // What a machine lacks is named, and no failure of the file.
  if (summary && total === 0 && !/^left out: /m.test(output)) problems.push('it has no test');
  if (skipped > 0) problems.push(`${skipped} test(s) were skipped`);
  for (const name of suitesNeverRun(source))
    problems.push(`the suite "${name}" is never run: ${name}.run() is missing`);
  const failures = total - passed;
  // uvu swallows what a hook throws, and whatever is thrown that is no error.
  if (failures > 0 && !/ FAIL /.test(output))
    problems.push('something threw that uvu does not show: a hook, or a value that is no error');
  const crashed =
    !ending.timedOut && (ending.signal !== null || (ending.code !== 0 && failures === 0));
  if (crashed)
    problems.push(`the process ended with ${ending.signal ?? `exit code ${ending.code}`}`);
  return { passed, failed: failures + (problems.length > 0 && failures === 0 ? 1 : 0), problems };
}

/**
 * Names of the suites of a source that nothing runs: their tests would be left out without a word.
 */
export function suitesNeverRun(source: string): string[] {
  const suiteNames = [...source.matchAll(/\b(?:const|let)\s+(\w+)\s*=\s*suite\s*[(<]/g)].map(
    (match) => match[1] ?? '',
  );
  if (/import\s*\{[^}]*\btest\b[^}]*\}\s*from\s*'uvu'/.test(source)) suiteNames.push('test');
  return suiteNames.filter((name) => !new RegExp(`\\b${name}\\.run\\(`).test(source));
}

/** Ends a process and all that it started; a group that is gone already is fine. */
export function killGroup(pid: number): boolean {
  try {
    process.kill(-pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

export interface FileRun {
  file: string;
  program: string;
  timeoutMs: number;
  env: NodeJS.ProcessEnv;
  onStart(pid: number): void;
  /** Default: {@link SILENCE_AFTER_FAILURE_MS}. */
  silenceMs?: number;
}

/**
 * Runs one test file in a process of its own and classifies its end. Never rejects. What the file left
 * running in its process group is ended.
 */
export function runFile({
  file,
  program,
  timeoutMs,
  env,
  onStart,
  silenceMs = SILENCE_AFTER_FAILURE_MS,
}: FileRun): Promise<FileResult> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let head = '';
  let tail = '';
  let silence: NodeJS.Timeout | undefined;
  let isEnded = false;
  const take = (chunk: Buffer) => {
    const text = chunk.toString();
    if (head.length < MAX_OUTPUT_CHARS / 2) head += text;
    else tail = (tail + text).slice(-MAX_OUTPUT_CHARS / 2);
    clearTimeout(silence);
    if (hasFailed(`${head}${tail}`.slice(-SUMMARY_CHARS)))
      silence = setTimeout(() => {
        isEnded = true;
        if (pid !== undefined) killGroup(pid);
      }, silenceMs);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const pid = child.pid;
  if (pid !== undefined) onStart(pid);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    if (pid !== undefined) killGroup(pid);
  }, timeoutMs);
  return new Promise((resolve) => {
    const settle = (ending: Ending, extra: string) => {
      clearTimeout(timer);
      clearTimeout(silence);
      const output = `${head}${tail}${extra}`;
      resolve({
        file,
        ms: performance.now() - started,
        output,
        ...judge(readFileSync(file, 'utf8'), output, ending, timeoutMs),
      });
    };
    child.on('error', (error) => settle({ code: 1, signal: null, timedOut }, error.message));
    // A process that the file left behind would hold the pipes open, and `close` would never come.
    child.on('exit', () => pid !== undefined && killGroup(pid));
    child.on('close', (code, signal) =>
      settle({ code, signal: isEnded ? null : signal, timedOut }, ''),
    );
  });
}
