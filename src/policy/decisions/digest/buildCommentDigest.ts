import type { Digest } from '../../../contract/policy/decider.ts';
import type { ProviderEvent } from '../../../contract/schema/forge/pr.ts';
import { flattenUntrustedText } from '../../../../machines/index.ts';
import { shorten } from '../../../base/text/clip.ts';
import { DIGEST_VERSION, addDigestHash } from './buildPhaseDigest.ts';
import { toDigestLine } from './sections.ts';

/** Longest comment that a decider sees, characters. */
const MAX_COMMENT_CHARS = 2_000;

/** A comment for a decider: its place is a fact, its text is a person's claim. */
export const buildCommentDigest = ({
  kind,
  prId,
  author,
  text,
}: Pick<ProviderEvent, 'kind' | 'prId' | 'author' | 'text'>): Digest =>
  addDigestHash({
    version: DIGEST_VERSION,
    counts: { messages: 1 },
    facts: [toDigestLine(`${kind} on ${prId}`)],
    tools: [],
    failures: [],
    people: [shorten(flattenUntrustedText(`${author}: ${text}`), MAX_COMMENT_CHARS)],
    claims: [],
    history: [],
    truncated: text.length > MAX_COMMENT_CHARS ? ['people'] : [],
  });
