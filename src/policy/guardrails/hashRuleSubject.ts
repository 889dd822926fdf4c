import { toCanonicalJson } from '../../base/json/toCanonicalJson.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { Subject } from './rule.ts';

/**
 * Identifies a decision's subject, so that a person allows exactly that: a branch by its content
 * and target, whatever its title; anything else by the tool and all its arguments.
 */
export function hashRuleSubject({ moment, tool, args, diff, phase, done }: Subject): string {
  const { repo, head, base } = args;
  if (diff) return sha256(toCanonicalJson({ moment, tool, repo, head, base, diff: diff.hash }));
  const count = tool === 'create_pr' ? done.openPrs : 0;
  return sha256(
    toCanonicalJson({ moment, tool, args, phase: moment === 'phase.end' ? phase : '', count }),
  );
}

/** Digits of a decision's short name. */
const ID_DIGITS = 12;

export const deriveDecisionId = (rule: string, moment: string, subject: string): string =>
  sha256(`${rule} ${moment} ${subject}`).slice(0, ID_DIGITS);
