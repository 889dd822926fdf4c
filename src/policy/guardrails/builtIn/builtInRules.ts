import type { Rule } from '../rule.ts';
import { changeRules } from './changeRules.ts';
import { commandRules } from './commandRules.ts';
import { countRules } from './countRules.ts';
import { mergeRules } from './mergeRules.ts';
import { secretRules } from './secretRules.ts';

/** The rules of svc, before the configuration changes them. */
export const BUILT_IN_RULES: readonly Rule[] = [
  ...mergeRules,
  ...commandRules,
  ...secretRules,
  ...changeRules,
  ...countRules,
];
