import type { Digest } from '../../contract/decider.ts';
import type { ProviderEvent } from '../../schema/pr.ts';
import { inOneLine } from '../../../machines/index.ts';
import { shorten } from '../../domain/clip.ts';
import { DIGEST_VERSION, withHash } from './digest.ts';
import { lineOf } from './sections.ts';

/** Longest text of a comment that a decider is shown, characters. */
const MAX_COMMENT_CHARS = 2_000;

/** What a decider is shown of a comment: where it stands is a fact, its text what a person says. */
export const digestOfComment = ({
  kind,
  prId,
  author,
  text,
}: Pick<ProviderEvent, 'kind' | 'prId' | 'author' | 'text'>): Digest =>
  withHash({
    version: DIGEST_VERSION,
    counts: { messages: 1 },
    facts: [lineOf(`${kind} on ${prId}`)],
    tools: [],
    failures: [],
    people: [shorten(inOneLine(`${author}: ${text}`), MAX_COMMENT_CHARS)],
    claims: [],
    history: [],
    truncated: text.length > MAX_COMMENT_CHARS ? ['people'] : [],
  });
