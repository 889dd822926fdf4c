import { createHash } from 'node:crypto';
import type { Digest } from '../../contract/decider.ts';
import { canonicalJson } from '../../lib/canonicalJson.ts';
import { callSection, failureLine, failuresOf } from './callLines.ts';
import type { DigestInput } from './digestInput.ts';
import { countsOf, factLines } from './facts.ts';
import { firstThatFit, lastThatFit, lineOf, type Section } from './sections.ts';

/** Raised when the same rows give another digest: ratings of two versions are not compared. */
export const DIGEST_VERSION = 1;

/**
 * Tokens of each section. None can take another one's room, so that nothing is crowded out by
 * flooding; with the objective and the obligations they come to less than 3,000.
 */
export const SECTION_TOKENS = {
  facts: 700,
  tools: 800,
  failures: 400,
  people: 200,
  claims: 200,
  history: 100,
} as const;

type SectionName = keyof typeof SECTION_TOKENS;

/**
 * What a decider is shown of a finished phase, made by code from committed rows alone: the same rows
 * give the same bytes. Facts come first; the agent's own words are last, and only in `claims`.
 */
export function digestOf(input: DigestInput): Digest {
  const failures = failuresOf(input.calls);
  const sections: Record<SectionName, Section> = {
    facts: firstThatFit(factLines(input), SECTION_TOKENS.facts),
    tools: callSection(input.calls, SECTION_TOKENS.tools),
    failures: firstThatFit(failures.map(failureLine), SECTION_TOKENS.failures),
    people: lastThatFit(
      input.people.map(({ author, text }) => lineOf(`${author}: ${text}`)),
      SECTION_TOKENS.people,
    ),
    claims: lastThatFit(input.claims.map(lineOf), SECTION_TOKENS.claims),
    history: lastThatFit(
      input.history.map(({ visit, flag }) => lineOf(`visit ${visit}: ${flag}`)),
      SECTION_TOKENS.history,
    ),
  };
  const open = failures.filter(({ resolved }) => !resolved);
  const repeated = Math.max(0, ...open.map(({ times }) => times));
  const { facts, tools, failures: failed, people, claims, history } = sections;
  const bare = {
    version: DIGEST_VERSION,
    counts: countsOf(input, repeated),
    facts: facts.lines,
    tools: tools.lines,
    failures: failed.lines,
    people: people.lines,
    claims: claims.lines,
    history: history.lines,
    truncated: Object.entries(sections)
      .filter(([, { truncated }]) => truncated)
      .map(([name]) => name),
  };
  return withHash(bare);
}

/** A digest with the hash over all of it. */
export const withHash = (bare: Omit<Digest, 'sha256'>): Digest => ({
  ...bare,
  sha256: createHash('sha256').update(canonicalJson(bare)).digest('hex'),
});
