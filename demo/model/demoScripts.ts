import { playEvaluator, playReporter, playTester } from './plays/checkers.ts';
import { playCoder } from './plays/coder.ts';
import { playInvestigator } from './plays/investigator.ts';
import { playPlanner } from './plays/planner.ts';
import type { Scripts } from './script.ts';

/**
 * What a model says to make any agent do in the demo's job what the demo's programs do: the same
 * tools in the same order, the same files. Each agent of the demo names its script in its own
 * markdown.
 */
export const demoScripts: Scripts = {
  investigator: playInvestigator,
  planner: playPlanner,
  coder: playCoder,
  tester: playTester,
  evaluator: playEvaluator,
  reporter: playReporter,
};
