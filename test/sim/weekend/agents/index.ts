import { CHANGES_WORKFLOWS } from './changesWorkflows.ts';
import { FAN_OUT } from './fanOut.ts';
import { GREEDY } from './greedy.ts';
import type { JobPlan, Kind } from './kind.ts';
import { LAPPING } from './lapping.ts';
import { MERGES_EARLY } from './mergesEarly.ts';
import { NOTHING_CHANGED } from './nothingChanged.ts';
import { OBEYS_OUTSIDERS } from './obeysOutsiders.ts';
import { PASTES_TOKENS } from './pastesTokens.ts';
import { PING_PONG } from './pingPong.ts';
import { PUSHES_TO_BASE } from './pushesToBase.ts';
import { RESTLESS } from './restless.ts';
import { SAME_CALL } from './sameCall.ts';
import { SAME_ERROR } from './sameError.ts';
import { SAME_TESTS } from './sameTests.ts';
import { SILENT } from './silent.ts';
import { STEADY } from './steady.ts';
import { WOKEN_USELESSLY } from './wokenUselessly.ts';

/** Every kind of agent of the weekend: a new one is a file of its own and a line here. */
export const KINDS: readonly Kind[] = [
  STEADY,
  FAN_OUT,
  GREEDY,
  RESTLESS,
  LAPPING,
  SAME_CALL,
  SAME_ERROR,
  PING_PONG,
  SILENT,
  NOTHING_CHANGED,
  SAME_TESTS,
  WOKEN_USELESSLY,
  MERGES_EARLY,
  PUSHES_TO_BASE,
  CHANGES_WORKFLOWS,
  PASTES_TOKENS,
  OBEYS_OUTSIDERS,
];

/** The jobs of the weekend. */
export const JOBS: readonly JobPlan[] = KINDS.flatMap(({ does, jobs }) =>
  jobs.map((job) => ({ ...job, does })),
);

/** The kind of a job's agents. */
export function findKind({ does }: Pick<JobPlan, 'does'>): Kind {
  const kind = KINDS.find((one) => one.does === does);
  if (!kind) throw new Error(`no kind of agent does "${does}"`);
  return kind;
}
