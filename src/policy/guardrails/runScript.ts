import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import {
  GUARDRAIL_ACTS,
  type GuardrailAct,
  MAX_GUARDRAIL_MESSAGE_CHARS,
} from '../../base/agents/guardrails.ts';
import { shorten } from '../../base/text/clip.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';

/** Most output of a script, bytes; more is a failure. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/** How long the last output of an ended script is waited for, ms. */
const LAST_OUTPUT_MS = 200;

/** A script's answer. `failed`: why it gave no valid one. */
export type ScriptAnswer =
  | { result: 'pass' }
  | { result: Exclude<GuardrailAct, 'redact'>; message: string }
  | { result: 'failed'; message: string };

const createFailedAnswer = (message: string): ScriptAnswer => ({ result: 'failed', message });

/** Removes what could steer a terminal or hide. */
const stripHiddenCharacters = (text: string): string =>
  shorten(text.replaceAll(/[^\P{C}\n\t]/gu, '').trim(), MAX_GUARDRAIL_MESSAGE_CHARS);

/** A script's complete environment: it inherits nothing of the runner's, which holds tokens. */
const ENVIRONMENT = {
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
};

const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  '.js': [process.execPath],
  '.mjs': [process.execPath],
  '.cjs': [process.execPath],
  '.sh': ['/bin/sh'],
};

function readScriptAnswer(
  code: number | null,
  signal: string | null,
  out: string,
  err: string,
): ScriptAnswer {
  if (code === 2)
    return {
      result: 'deny',
      message: stripHiddenCharacters(err) || 'the script denies it without a reason',
    };
  if (code !== 0)
    return createFailedAnswer(
      `the script ended with ${code === null ? `signal ${signal}` : `exit code ${code}`}`,
    );
  if (out.trim() === '') return { result: 'pass' };
  let answer: unknown;
  try {
    answer = JSON.parse(out);
  } catch {
    return createFailedAnswer("the script's output is not valid JSON");
  }
  const { result, message = '' } = Object(answer);
  if (typeof message !== 'string')
    return createFailedAnswer("the script's message is not a string");
  if (result === 'pass') return { result };
  const act = GUARDRAIL_ACTS.find((one) => one === result);
  if (act === undefined || act === 'redact')
    return createFailedAnswer('the script returned a result other than pass, deny, park or note');
  return { result: act, message: stripHiddenCharacters(message) };
}

/**
 * Runs a script in an empty folder, with `input` on its standard input. Its process group is killed
 * when it ends, is too slow or writes too much. Never rejects.
 */
export async function runScript(
  file: string,
  input: string,
  timeoutMs: number,
): Promise<ScriptAnswer> {
  let cwd: string;
  try {
    cwd = await mkdtemp(join(tmpdir(), 'svc-guardrail-'));
  } catch (error) {
    return createFailedAnswer(`there is no folder to run it in (${toErrorMessage(error)})`);
  }
  try {
    return await runScriptIn(cwd, file, input, timeoutMs);
  } finally {
    await rm(cwd, { recursive: true, force: true }).catch(() => undefined);
  }
}

const runScriptIn = (cwd: string, file: string, input: string, timeoutMs: number) =>
  new Promise<ScriptAnswer>((resolve) => {
    const [program = file, ...args] = [...(PROGRAMS[extname(file)] ?? []), file];
    const child = spawn(program, args, {
      cwd,
      env: { ...ENVIRONMENT, HOME: cwd, TMPDIR: cwd },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const texts = { out: '', err: '' };
    let bytes = 0;
    let isOver = false;
    const killGroup = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group is already gone.
      }
    };
    const over = (answer: ScriptAnswer): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      killGroup();
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(answer);
    };
    const timer = setTimeout(
      () => over(createFailedAnswer(`the script has not ended within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const take = (name: keyof typeof texts) => (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MAX_OUTPUT_BYTES)
        over(createFailedAnswer(`the script wrote more than ${MAX_OUTPUT_BYTES} bytes`));
      else texts[name] += piece.toString('utf8');
    };
    child.stdout.on('data', take('out'));
    child.stderr.on('data', take('err'));
    child.on('error', (error) =>
      over(createFailedAnswer(`the script could not be started (${toErrorMessage(error)})`)),
    );
    // A script need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('exit', (code, signal) => {
      killGroup();
      const say = () => over(readScriptAnswer(code, signal, texts.out, texts.err));
      child.once('close', say);
      // Processes that left the group may keep the pipes open.
      setTimeout(say, LAST_OUTPUT_MS).unref();
    });
  });
