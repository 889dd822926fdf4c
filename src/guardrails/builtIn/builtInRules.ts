import type { Rule } from '../rule.ts';
import { changeRules } from './changes.ts';
import { commandRules } from './commands.ts';
import { countRules } from './counts.ts';
import { mergeRules } from './merges.ts';
import { secretRules } from './secrets.ts';

/** The rules of svc, as they are without a word in the configuration. */
export const BUILT_IN_RULES: readonly Rule[] = [
  ...mergeRules,
  ...commandRules,
  ...secretRules,
  ...changeRules,
  ...countRules,
];
