import { evaluator, reporter, tester } from './plays/checkers.ts';
import { coder } from './plays/coder.ts';
import { investigator } from './plays/investigator.ts';
import { planner } from './plays/planner.ts';
import type { Scripts } from './script.ts';

/**
 * What a model says to make any agent do in the demo's job what the demo's programs do: the same
 * tools in the same order, the same files. Each agent of the demo names its script in its own
 * markdown.
 */
export const demoScripts: Scripts = { investigator, planner, coder, tester, evaluator, reporter };
