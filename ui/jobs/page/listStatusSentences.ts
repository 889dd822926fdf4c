import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { PrMapping } from '../../../src/contract/schema/forge/pr.ts';
import { toJobHash } from '../../shell/navigation/router.ts';
import { splitReason, toPlainSentence } from '../plainText.ts';

/** A part of a sentence; `href`: what it leads to, null = it is text. */
export interface SentencePart {
  text: string;
  href: string | null;
}

/** What it waits for as a sentence; some are sentences of their own. */
const toWaitSentence = (words: string): string =>
  toPlainSentence(/^(?:for|until|in) /.test(words) ? `Waits ${words}` : words);

/** A key that is equal for two sentences with the same meaning. */
const toSentenceSense = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(?:waits|waiting) /, '')
    .replace(/[.\s]+$/, '');

function describeWaitReason({ parked, needs }: Pick<Job, 'parked' | 'needs'>): string | null {
  // Its question to a person is shown above; its wait for a forge is shown as it is now.
  if (parked === null || needs !== null || parked.kind === 'event') return null;
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
  const seen = new Set<string>();
  return sentences.filter((text) => {
    const said = toSentenceSense(text);
    if ([...seen].some((other) => other.includes(said))) return false;
    seen.add(said);
    return true;
  });
}

/** A sentence with links to the pull requests of the job that it names. */
export function linkPullRequests(
  text: string,
  jobId: string,
  prs: readonly Pick<PrMapping, 'prId' | 'repo' | 'number'>[],
): SentencePart[] {
  // Longer names first: `shop#12` is not `shop#1`.
  const names = prs
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
    parts.push({ text: next.name, href: toJobHash(jobId, 'changes', next.prId) });
    rest = rest.slice(next.at + next.name.length);
  }
  return rest === '' ? parts : [...parts, { text: rest, href: null }];
}
