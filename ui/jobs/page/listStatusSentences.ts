import type { Job } from '../../../src/contract/schema/job/job.ts';
import { toJobHash } from '../../shell/navigation/router.ts';
import { splitReason, toPlainReason, toPlainSentence } from '../plainText.ts';

/** A part of a sentence; `href`: what it leads to, null = it is text. */
export interface SentencePart {
  text: string;
  href: string | null;
}

/** What it waits for as a sentence; some are sentences of their own. */
const toWaitSentence = (words: string): string => {
  const rest = words.replace(/^for nothing: /, '');
  return toPlainSentence(/^(?:for|until|in) /.test(rest) ? `Waits ${rest}` : toPlainReason(rest));
};

/** A key that is equal for two sentences with the same meaning. */
const toSentenceSense = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(?:waits|waiting) /, '')
    .replace(/[.\s]+$/, '');

function describeWaitReason({ parked, needs }: Pick<Job, 'parked' | 'needs'>): string | null {
  // Its question to a person is shown above; its wait for a forge is shown as it is now.
  if (parked === null || needs !== null || parked.kind === 'event') return null;
  // Until when is in a card of its own.
  if (parked.kind === 'quota' && parked.until !== undefined) return null;
  return parked.kind === 'paused' && parked.cause === undefined
    ? 'Paused. Resume it to continue.'
    : toPlainSentence(splitReason(parked.reason).says);
}

const unchangedSentence = ({ reason }: Pick<Job, 'reason'>): string =>
  toPlainSentence(reason === null ? 'No changes' : `No changes: ${reason}`);

/** Why a job is where it is, each sentence once. `waits`: the runner's current words. */
export function listStatusSentences(
  job: Pick<Job, 'parked' | 'needs' | 'ending' | 'reason'>,
  waits: readonly string[],
): string[] {
  const reason = job.ending?.unchanged ? unchangedSentence(job) : describeWaitReason(job);
  const sentences = [...(reason === null ? [] : [reason]), ...waits.map(toWaitSentence)];
  const seenSentences = new Set<string>();
  return sentences.filter((text) => {
    const sense = toSentenceSense(text);
    if ([...seenSentences].some((other) => other.includes(sense))) return false;
    seenSentences.add(sense);
    return true;
  });
}

/** A sentence with links to the pull requests of the job that it names. */
function linkPullRequests(
  text: string,
  { id, prMappings }: Pick<Job, 'id' | 'prMappings'>,
): SentencePart[] {
  // Longer names first: `shop#12` is not `shop#1`.
  const names = prMappings
    .map(({ prId, repo, number }) => ({ name: `${repo}#${number}`, prId }))
    .sort((a, b) => b.name.length - a.name.length);
  const parts: SentencePart[] = [];
  let rest = text;
  while (rest !== '') {
    const [next] = names
      .map((one) => ({ ...one, at: rest.indexOf(one.name) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.name.length - a.name.length);
    if (next === undefined) break;
    if (next.at > 0) parts.push({ text: rest.slice(0, next.at), href: null });
    parts.push({ text: next.name, href: toJobHash(id, 'changes', next.prId) });
    rest = rest.slice(next.at + next.name.length);
  }
  return rest === '' ? parts : [...parts, { text: rest, href: null }];
}

/** Failed sub-runs that a sentence names; the others are counted. */
const MAX_NAMED_PARTS = 3;

/** `Waits for you to decide about web, store and 2 more.`, each a link to the job of it. */
function describeHalt({ id, subRuns }: Pick<Job, 'id' | 'subRuns'>): SentencePart[] {
  const failedSubRuns = subRuns.filter(
    ({ status }) => status === 'failed' || status === 'escalated',
  );
  if (failedSubRuns.length === 0) return [];
  const sentenceParts: SentencePart[] = failedSubRuns
    .slice(0, MAX_NAMED_PARTS)
    .map(({ name, jobId }) => ({ text: name, href: jobId === null ? null : toJobHash(jobId) }));
  const more = failedSubRuns.length - sentenceParts.length;
  const all =
    more === 0
      ? sentenceParts
      : [...sentenceParts, { text: `${more} more`, href: toJobHash(id, 'campaign') }];
  return [
    { text: 'Waits for you to decide about ', href: null },
    ...all.flatMap((part, index) => [
      ...(index === 0 ? [] : [{ text: index === all.length - 1 ? ' and ' : ', ', href: null }]),
      part,
    ]),
    { text: '.', href: null },
  ];
}

type SentenceJob = Pick<
  Job,
  'id' | 'parked' | 'needs' | 'ending' | 'reason' | 'ended' | 'status' | 'prMappings' | 'subRuns'
>;

/** What an agent's session waits for, as the charts say it. A pill and the last line show that it runs. */
const RUNS = 'for the agent to end its turn';

/**
 * The status of a job in one sentence, with links to what it names; empty where the state alone says
 * it. `waits`: the runner's current words.
 */
export function buildStatusSentence(job: SentenceJob, waits: readonly string[]): SentencePart[] {
  if (job.parked?.kind === 'halted') {
    const halt = describeHalt(job);
    if (halt.length > 0) return halt;
  }
  if (job.parked === null && !job.ended && waits[0] === RUNS) return [];
  const hasFailed = job.ended && (job.status === 'failed' || job.status === 'escalated');
  const [first] =
    hasFailed && job.reason !== null
      ? [toPlainSentence(splitReason(job.reason).says)]
      : listStatusSentences(job, waits);
  return first === undefined ? [] : linkPullRequests(first, job);
}
