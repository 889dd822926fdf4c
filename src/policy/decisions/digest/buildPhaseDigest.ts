import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Digest } from '../../../contract/policy/decider.ts';
import { toCanonicalJson } from '../../../base/json/toCanonicalJson.ts';
import { buildCallSection, formatFailureLine, collectFailures } from './callLines.ts';
import type { DigestInput } from './digestInput.ts';
import { countDigestFacts, listFactLines } from './digestFacts.ts';
import { takeFirstLines, takeLastLines, toDigestLine, type Section } from './sections.ts';

/**
 * Raised when the same rows give another digest: ratings of different versions are not compared.
 */
export const DIGEST_VERSION = 1;

/**
 * Tokens of each section. Sections cannot take each other's room, so flooding one crowds out
 * nothing; with the objective and the obligations they total less than 3,000.
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
 * A finished phase for a decider, made by code from committed rows alone: the same rows give the
 * same bytes. Facts come first; the agent's own words are last, and only in `claims`.
 */
export function buildPhaseDigest(input: DigestInput): Digest {
  const failures = collectFailures(input.calls);
  const sections: Record<SectionName, Section> = {
    facts: takeFirstLines(listFactLines(input), SECTION_TOKENS.facts),
    tools: buildCallSection(input.calls, SECTION_TOKENS.tools),
    failures: takeFirstLines(failures.map(formatFailureLine), SECTION_TOKENS.failures),
    people: takeLastLines(
      input.people.map(({ author, text }) => toDigestLine(`${author}: ${text}`)),
      SECTION_TOKENS.people,
    ),
    claims: takeLastLines(input.claims.map(toDigestLine), SECTION_TOKENS.claims),
    history: takeLastLines(
      input.history.map(({ visit, flag }) => toDigestLine(`visit ${visit}: ${flag}`)),
      SECTION_TOKENS.history,
    ),
  };
  const open = failures.filter(({ resolved }) => !resolved);
  const mostRepeats = Math.max(0, ...open.map(({ times }) => times));
  const { facts, tools, failures: failureSection, people, claims, history } = sections;
  const bare = {
    version: DIGEST_VERSION,
    counts: countDigestFacts(input, mostRepeats),
    facts: facts.lines,
    tools: tools.lines,
    failures: failureSection.lines,
    people: people.lines,
    claims: claims.lines,
    history: history.lines,
    truncated: Object.entries(sections)
      .filter(([, { truncated }]) => truncated)
      .map(([name]) => name),
  };
  return addDigestHash(bare);
}

/** A digest with the hash over all of it. */
export const addDigestHash = (bare: Omit<Digest, 'sha256'>): Digest => ({
  ...bare,
  sha256: sha256(toCanonicalJson(bare)),
});
