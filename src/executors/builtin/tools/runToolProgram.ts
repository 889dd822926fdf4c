import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '../../../base/time/clock.ts';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { endGroup } from '../../process/endGroup.ts';
import { MARKER_VARIABLE } from '../../process/processTable.ts';
import { type SessionPlace, wrapSessionStart } from '../../process/wrapSessionStart.ts';
import { ToolFault } from '../agentTool.ts';
import { BoundedText } from '../../../base/text/boundedText.ts';

/** Most output of one program that the model sees, characters: its beginning and end. */
const MAX_OUTPUT_CHARS = 30_000;
/** Wait between SIGTERM and SIGKILL, ms: an interrupt must be answered within seconds. */
const GRACE_MS = 1_000;
/**
 * How long output may still arrive after every process is gone, ms: a process of another user could
 * hold the pipe.
 */
const DRAIN_MS = 500;

export interface ProgramPlace extends Pick<SessionPlace, 'marker' | 'sandbox'> {
  clock: Clock;
  env: Readonly<Record<string, string>>;
}

export interface ProgramOutcome {
  /** Both streams in order of arrival, without terminal codes. */
  output: string;
  /** Exit code; null when a signal ended it. */
  code: number | null;
  why: 'exit' | 'timeout' | 'interrupted';
}

/**
 * Runs a program in a process group of its own, with nothing on stdin, and ends what it leaves
 * behind. Throws ToolFault when it cannot be started.
 */
export async function runToolProgram(
  { clock, env, marker, sandbox }: ProgramPlace,
  {
    program,
    args,
    cwd,
    timeoutMs,
    signal,
  }: {
    program: string;
    args: readonly string[];
    cwd: string;
    timeoutMs: number;
    signal: AbortSignal;
  },
): Promise<ProgramOutcome> {
  if (signal.aborted) return { output: '', code: null, why: 'interrupted' };
  const whole = { ...env, [MARKER_VARIABLE]: marker };
  const programStart = wrapSessionStart({ cwd, marker, sandbox }, { program, args }, whole);
  const child = spawn(programStart.program, programStart.args, {
    cwd,
    env: whole,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = new BoundedText(MAX_OUTPUT_CHARS);
  const drain = Promise.all(
    [child.stdout, child.stderr].map(async (stream) => {
      const decoder = new StringDecoder('utf8');
      try {
        for await (const chunk of stream) output.push(decoder.write(chunk));
      } catch {
        // The stream was destroyed; the output left in it is lost.
      }
      output.push(decoder.end());
    }),
  );
  const { pid } = child;
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  let why: ProgramOutcome['why'] = 'exit';
  const stop = (because: 'timeout' | 'interrupted') => {
    if (why === 'exit') why = because;
    if (pid !== undefined) void endGroup(clock, pid, GRACE_MS);
  };
  const onInterrupt = () => stop('interrupted');
  signal.addEventListener('abort', onInterrupt, { once: true });
  const stopTimer = clock.at(clock.now() + timeoutMs, () => stop('timeout'));
  try {
    const code = await exit;
    if (pid !== undefined) await endGroup(clock, pid, GRACE_MS);
    const giveUp = clock.at(clock.now() + DRAIN_MS, () => {
      child.stdout.destroy();
      child.stderr.destroy();
    });
    await drain;
    giveUp();
    return { output: stripVTControlCharacters(output.toString()), code, why };
  } catch (error) {
    throw new ToolFault(`${program} could not be started: ${toErrorMessage(error)}`);
  } finally {
    stopTimer();
    signal.removeEventListener('abort', onInterrupt);
  }
}
