import { toCanonicalJson } from '../../shared/json/toCanonicalJson.ts';
import { sha256 } from '../../shared/system/ids/ids.ts';
import type { Subject } from './rule.ts';

/**
 * Names what a decision is about, so that a person allows exactly that: for a branch its content and
 * where it goes, whatever title it is given; for anything else the tool and all its arguments.
 */
export function hashRuleSubject({ moment, tool, args, diff, phase, done }: Subject): string {
  const { repo, head, base } = args;
  if (diff) return sha256(toCanonicalJson({ moment, tool, repo, head, base, diff: diff.hash }));
  const count = tool === 'create_pr' ? done.openPrs : 0;
  return sha256(
    toCanonicalJson({ moment, tool, args, phase: moment === 'phase.end' ? phase : '', count }),
  );
}

/** Digits by which people name a decision. */
const ID_DIGITS = 12;

/** The short name of a decision within its job. */
export const deriveDecisionId = (rule: string, moment: string, subject: string): string =>
  sha256(`${rule} ${moment} ${subject}`).slice(0, ID_DIGITS);
