import { constants } from 'node:os';
import type { SessionRequest } from '../../contract/session/executor.ts';
import type { ProgramStart } from '../../contract/session/sandbox.ts';
import { wrapInCgroup } from './sessionCgroup.ts';

export type SessionPlace = Pick<SessionRequest, 'cwd' | 'marker' | 'sandbox'>;

/** Starts a session's program inside its sandbox and its cgroup. */
export const wrapSessionStart = (
  { cwd, marker, sandbox }: SessionPlace,
  start: ProgramStart,
  env: Readonly<Record<string, string | undefined>>,
): ProgramStart => wrapInCgroup(marker, sandbox ? sandbox.wrap(start, cwd) : start, { env, cwd });

/** A sandbox whose program was ended by a signal exits with this plus the signal, as shells do. */
const SIGNAL_BASE = 128;

export interface ProgramExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How a session's program ended: its sandbox reports a signal as an exit code. */
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
