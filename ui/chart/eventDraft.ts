import type { ProviderEvent, PrMapping } from '../../src/contract/schema/forge/pr.ts';

/** An event that a person drafts; the runner checks its members. */
export type EventDraft = { type: string; [member: string]: unknown };

const MEMBERS: Readonly<Record<string, Record<string, unknown>>> = {
  'job.resume': { eventKey: 'approve' },
  'job.message': { id: 'what-if', text: 'Please look again.', author: 'developer' },
  'job.cancel': { reason: null },
};

export interface DraftFacts {
  /** Its id: what is typed is kept for it. */
  job?: string;
  phase?: string;
  phases?: readonly string[];
  prs?: readonly Pick<PrMapping, 'prId' | 'forge' | 'repo' | 'number' | 'url'>[];
}

const NO_PR = { prId: '', forge: '', repo: '', number: 1, url: '' };

const createPrEventDraft = ({
  prId,
  forge,
  repo,
  number,
  url,
}: NonNullable<DraftFacts['prs']>[number] = NO_PR): ProviderEvent => ({
  kind: 'merged',
  prId,
  forge,
  repo,
  number,
  url,
  author: 'developer',
  text: '',
  externalId: 'what-if',
  happenedAt: 0,
});

/**
 * The event with the members that its chart reads, as far as they are known; `phase`: where a rerun
 * begins, `prs`: the job's own.
 */
export function createEventDraft(
  type: string,
  { phase = '', prs = [] }: DraftFacts = {},
): EventDraft {
  if (type === 'job.rerun') return { type, phase };
  if (type === 'forge.event') return { type, event: createPrEventDraft(prs[0]) };
  return { type, ...MEMBERS[type] };
}

/** The event that a person has typed, or why it is not valid. */
export function parseTypedEvent(text: string): { event: EventDraft } | { wrong: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { wrong: 'An event must be an object: { "type": "…" }.' };
    if (!('type' in value) || typeof value.type !== 'string' || value.type === '')
      return { wrong: 'The event needs a type.' };
    return { event: { ...value, type: value.type } };
  } catch (error) {
    return {
      wrong: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
}
