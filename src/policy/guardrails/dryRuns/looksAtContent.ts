import type { Rule, Subject } from '../rule.ts';
import type { ScriptRule } from '../readScriptRules.ts';

/**
 * Whether what a rule says depends on the content of a branch. Of a script it is not known, and
 * counts as so.
 */
export function looksAtContent(rule: Rule | ScriptRule, subject: Subject): boolean {
  if (rule.source === 'script' || rule.paths !== null) return true;
  if (rule.source === 'config') return /\bdiff\b/.test(rule.condition);
  let looked = false;
  const watched = Object.defineProperty({ ...subject }, 'diff', {
    get() {
      looked = true;
      return null;
    },
  });
  try {
    rule.test(watched, rule);
  } catch {
    // It could not tell; what it has looked at counts.
  }
  return looked;
}
