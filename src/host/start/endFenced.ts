import { FENCED_EXIT_CODE } from '../../base/errors/cloudExitCodes.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import { endMarkedProcesses } from '../../executors/process/endMarkedProcesses.ts';
import { toMarkerPrefix } from '../../sessions/open/sessionRequest.ts';
import { writeFencedNote } from '../config/home/fencedNote.ts';
import type { Start } from './startOptions.ts';

/** Longest wait until the programs of sessions are gone, ms; then the runner ends all the same. */
const ENDING_MS = 5_000;

/**
 * Longest wait until no copy of the state is being made, ms: a process that exits meanwhile is ended by a signal of the
 * driver, and whatever keeps the runner running would start it again.
 */
const COPY_MS = 30_000;

/** Where the control plane does not say which runner it is. */
const UNNAMED = 'another runner of the team';

interface FencedRunner extends Pick<Start, 'log' | 'process'> {
  clock: Clock;
  settings: Pick<Start['settings'], 'home'>;
  /** Default: those of this machine. */
  endSessions?: (isOurs: (marker: string) => boolean) => Promise<unknown>;
  /** Resolves when no copy of the state is being made for the control plane. */
  closeHome(): Promise<void>;
}

/**
 * Ends the programs of all sessions, then this process: another runner continues the jobs, and whatever is still done
 * here would be done twice. Nothing is stopped in order and nothing is written but who has the jobs; the folder stays.
 */
export async function endFenced(
  { log, clock, settings: { home }, process: ofProcess, closeHome, ...parts }: FencedRunner,
  holder: string | null,
): Promise<void> {
  const { endSessions = (isOurs) => endMarkedProcesses(clock, isOurs, 0) } = parts;
  const name = holder ?? UNNAMED;
  log.error(
    { holder: name },
    'another runner of the team continues the jobs of this home: this one ends. svc runner status names it',
  );
  try {
    writeFencedNote(home, { name, since: new Date(clock.now()).toISOString() });
  } catch (error) {
    log.error({ reason: toErrorMessage(error) }, 'who has the jobs could not be written down');
  }
  const closing = closeHome().catch((err: unknown) =>
    log.error({ err }, 'the log of the home could not be closed'),
  );
  const prefix = toMarkerPrefix(home);
  const ending = endSessions((marker) => marker.startsWith(prefix)).catch((err: unknown) =>
    log.error({ err }, 'the programs of sessions could not be ended'),
  );
  await raceDeadline(clock, ENDING_MS, ending, () => undefined);
  await raceDeadline(clock, COPY_MS, closing, () => undefined);
  ofProcess?.end(FENCED_EXIT_CODE);
}
