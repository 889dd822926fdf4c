import { constants } from 'node:os';
import type { SessionRequest } from '../../contract/session/executor.ts';
import type { ProgramStart } from '../../contract/session/sandbox.ts';
import { wrapInCgroup } from './sessionCgroup.ts';

/** What is needed of a session to start a program of it. */
export type SessionPlace = Pick<SessionRequest, 'cwd' | 'marker' | 'sandbox'>;

/** A program of a session as it is started: inside of its sandbox, in its cgroup. */
export const wrapSessionStart = (
  { cwd, marker, sandbox }: SessionPlace,
  start: ProgramStart,
  env: Readonly<Record<string, string | undefined>>,
): ProgramStart => wrapInCgroup(marker, sandbox ? sandbox.wrap(start, cwd) : start, { env, cwd });

/** Exit codes of a sandbox whose program was ended by a signal begin above this, as in shells. */
const SIGNAL_BASE = 128;

/** How a process ended; one of both is null. */
export interface ProgramExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How the program of a session ended: its sandbox tells the signal as an exit code. */
export function decodeSandboxExit(
  { sandbox }: Pick<SessionPlace, 'sandbox'>,
  code: number | null,
  signal: NodeJS.Signals | null,
): ProgramExit {
  if (!sandbox || code === null || code <= SIGNAL_BASE) return { code, signal };
  const [name] =
    Object.entries(constants.signals).find(([, number]) => number === code - SIGNAL_BASE) ?? [];
  return name === undefined ? { code, signal } : { code: null, signal: name as NodeJS.Signals };
}
