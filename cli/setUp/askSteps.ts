import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Wizard } from '../../src/host/setUp/setUpWizard.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { SetUpStepName } from '../../src/base/settings/setUpSteps.ts';
import type {
  SetUpAnswer,
  SetUpChoice,
  SetUpStep,
} from '../../src/contract/schema/runner/setUpSteps.ts';
import type { Prompt } from './createPrompt.ts';

/** What is typed to leave a step for later. */
const SKIP = 'skip';

export interface AskContext {
  prompt: Prompt;
  wizard: Wizard;
  /** Present folder: offered where it is a git repository. */
  cwd: string;
}

/** The command line that installs what the choice needs; null = nothing is missing. */
export interface NeededInstall {
  install: string | null;
}

/** The choice that Enter takes: one of which something was found; else the step is skipped. */
function pickProposedChoice({ choices, step }: SetUpStep, cwd: string): string {
  const foundChoice = choices.find((choice) => choice.found !== null)?.id;
  const here = step === 'scm' && existsSync(join(cwd, '.git')) ? 'local' : undefined;
  return foundChoice ?? here ?? SKIP;
}

async function askForChoice(
  step: SetUpStep,
  { prompt, cwd }: AskContext,
): Promise<SetUpChoice | null> {
  const { choices } = step;
  const [only, ...others] = choices;
  if (only && others.length === 0) return only;
  const ids = choices.map(({ id }) => id);
  const first = pickProposedChoice(step, cwd);
  for (;;) {
    const answer = await prompt.text(`${step.title}: ${[SKIP, ...ids].join(', ')} [${first}]:`);
    const id = answer === '' ? first : answer;
    if (id === SKIP) return null;
    const choice = choices.find((one) => one.id === id);
    if (choice) return choice;
    prompt.say('Choose one of the options.');
  }
}

async function agreesToLogin(loginIn: string, prompt: Prompt): Promise<boolean> {
  prompt.say(
    `A login is in ${loginIn}. Sessions that use it share the limits of its plan with you, and cannot run in a sandbox. The terms of its vendor apply.`,
  );
  return /^y(es)?$/i.test(await prompt.text('Use this login? [y/N]'));
}

async function askForValues(
  choice: SetUpChoice,
  { prompt, cwd }: AskContext,
): Promise<SetUpAnswer> {
  const { id, tokenFrom, loginIn } = choice;
  const values: Record<string, string> = {};
  let takeToken = false;
  const useLogin = loginIn !== null && (await agreesToLogin(loginIn, prompt));
  for (const value of choice.values) {
    const { name, says, secret, required, env, asked, saved, proposed: usual } = value;
    if (env !== null && !saved && !useLogin) prompt.say(`Using ${name} from ${env}.`);
    if (!asked || env !== null || usual !== null || (useLogin && secret)) continue;
    if (name === 'token' && tokenFrom !== null) {
      const answer = await prompt.text(`Use the token of ${tokenFrom}? [y/N]`);
      takeToken = /^y(es)?$/i.test(answer);
      if (takeToken) continue;
    }
    const isHere = name === 'folder' && existsSync(join(cwd, '.git'));
    const hint = isHere ? ` [${cwd}]` : required ? '' : ' [none]';
    const typedAnswer = secret
      ? await prompt.secret(`${says} (not shown; Enter for none):`)
      : await prompt.text(`${says}${hint}:`);
    if (typedAnswer !== '') values[name] = typedAnswer;
    else if (isHere) values[name] = cwd;
  }
  return { choice: id, values, takeToken, useLogin };
}

/** Asks one step until its answer is saved or it is skipped; each is written at once. */
async function askStep(step: SetUpStep, asking: AskContext): Promise<NeededInstall> {
  const { prompt, wizard } = asking;
  prompt.say('');
  for (const line of step.found) prompt.say(`Found: ${line}`);
  for (;;) {
    const choice = await askForChoice(step, asking);
    const answer = choice && (await askForValues(choice, asking));
    // A single choice leaves no `skip` to pick, so an empty answer skips the step.
    const isEmpty = step.choices.length === 1 && Object.keys(answer?.values ?? {}).length === 0;
    try {
      if (choice === null || answer === null || isEmpty) {
        for (const note of (await wizard.skipStep(step.step)).notes) prompt.say(note);
        return { install: null };
      }
      const { notes } = await wizard.answer(step.step, answer);
      for (const note of ['Saved.', ...notes]) prompt.say(note);
      return { install: choice.install };
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      prompt.say(error.message);
    }
  }
}

/** Asks every open step. Ctrl-C loses no answer before it. Throws PromptStopped. */
export async function askSteps(
  leftOut: readonly SetUpStepName[],
  asking: AskContext,
): Promise<NeededInstall> {
  const { steps } = await asking.wizard.view();
  let install: string | null = null;
  for (const step of steps) {
    if (step.state !== 'open' || leftOut.includes(step.step)) continue;
    const neededInstall = await askStep(step, asking);
    install ??= neededInstall.install;
  }
  await asking.wizard.complete();
  return { install };
}
