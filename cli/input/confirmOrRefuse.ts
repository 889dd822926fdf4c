import { SvcError } from '../../src/base/errors/errors.ts';
import type { Io } from '../io.ts';
import type { Env } from '../../src/host/config/home/env.ts';

/** Throws SvcError `forbidden` inside an agent's session: these decisions are for people. */
export function refuseInsideSession({ SVC_SESSION_DIR }: Env, what: string): void {
  if (SVC_SESSION_DIR === undefined || SVC_SESSION_DIR === '') return;
  throw new SvcError(
    'forbidden',
    `An agent cannot ${what}: a person does that, in the dashboard or in a terminal of their own. Wait for it with await_event.`,
  );
}

const YES = /^\s*y(es)?\s*$/i;

/**
 * The rule for what destroys something or cannot be undone: `--yes` does it without asking, a
 * person at a terminal is asked, and anything else is refused. False when the person says no.
 * Throws SvcError `bad-argument` where no terminal is attached.
 */
export async function confirmOrRefuse(
  io: Pick<Io, 'ask'>,
  yes: boolean,
  question: string,
): Promise<boolean> {
  if (yes) return true;
  if (!io.ask)
    throw new SvcError(
      'bad-argument',
      'This needs a confirmation, and no terminal is attached. Give --yes to confirm it.',
    );
  return YES.test((await io.ask(`${question} [y/N] `)) ?? '');
}

/**
 * For commands without a flag that confirms them: a person at a terminal is asked, a script is not.
 */
export const confirmAtTerminal = (
  io: Pick<Io, 'ask'>,
  yes: boolean,
  question: string,
): Promise<boolean> => confirmOrRefuse(io, yes || io.ask === null, question);
