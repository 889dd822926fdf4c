import type { JobContext } from '../jobContext.ts';
import type { EventOf } from '../jobEvents.ts';
import { findWrittenName, findFollowedReference, listReferences } from './references.ts';
import { FOLLOWED_KIND } from './describeEventWait.ts';
import { isPrEnd, mayWakeBy } from './wakeMatch.ts';

type Await = Pick<EventOf<'tool.await_event'>, 'kinds' | 'prId' | 'external' | 'heard'>;
type KnownJob = Pick<JobContext, 'prs' | 'unread' | 'params'>;

const WAYS_OUT =
  'Open a pull request first, or say in "external" what a person has to do or report, or end your turn without await_event.';
/** Refusal text: a person has decided against the change. */
const CLOSED =
  'A person has closed it without a merge: do not open the same change again, but say in "external" what they have to decide, or escalate.';

const listPrStates = (prs: KnownJob['prs']): string =>
  prs.map(({ prId, state }) => `${prId} (${state})`).join(', ');

/** Why a comment on something the job follows would not wake it; null = it would. */
function explainDeafness(
  { params }: Pick<KnownJob, 'params'>,
  reference: string,
  kinds: Await['kinds'],
  awaitedKinds: readonly string[],
): string | null {
  const name = findWrittenName(params, reference);
  if (!awaitedKinds.includes(reference))
    return `svc does not receive comments on ${name}, because no webhook is configured for it`;
  return mayWakeBy(kinds, FOLLOWED_KIND)
    ? null
    : `svc reports only comments on ${name}, and "kinds" leaves out ${FOLLOWED_KIND}`;
}

function describeForeignPr(
  { prs, params }: KnownJob,
  references: readonly string[],
  prId: string,
): string {
  const own = prs.length > 0 ? `the job has ${listPrStates(prs)}` : 'the job has none';
  return `${prId} is not a pull request of this job: ${own}${references.length > 0 ? ` and follows ${references.map((one) => findWrittenName(params, one)).join(', ')}` : ''}.`;
}

/**
 * Why a job would wait forever, for the agent; empty = something can wake it: an open pull request
 * of its own, a named one that is merged (wakes at once), an unread event, a followed ticket or
 * pull request with a webhook, or a person.
 */
export function findAwaitProblems(
  job: KnownJob,
  { kinds, prId, external, heard = [] }: Await,
): string[] {
  const { prs, unread, params } = job;
  const references = listReferences(params);
  const own = prs.find((one) => one.prId === prId);
  const reference = prId === null ? undefined : findFollowedReference(references, prId);
  if (prId !== null && own === undefined && reference === undefined)
    return [describeForeignPr(job, references, prId)];
  if (external !== undefined) return [];
  if (own?.state === 'merged') return [];
  if (reference === undefined && prs.some(({ state }) => !isPrEnd(state))) return [];
  if (unread.kinds.some((kind) => mayWakeBy(kinds, kind))) return [];
  const deaf = (reference === undefined ? references : [reference]).map((one) =>
    explainDeafness(job, one, kinds, heard),
  );
  if (deaf.includes(null)) return [];
  const none =
    prs.length === 0
      ? 'this job has no pull request'
      : `no pull request of this job is open: ${listPrStates(prs)}${prs.some(({ state }) => state === 'merged') ? '; name a merged one in "prId" to continue immediately' : ''}`;
  const ways = prs.some(({ state }) => state === 'closed') ? `${CLOSED} ${WAYS_OUT}` : WAYS_OUT;
  return [
    `nothing can wake the job: ${[...(reference === undefined ? [none] : []), ...deaf].join('; ')}. ${ways}`,
  ];
}
