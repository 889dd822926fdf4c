import { SvcError } from '../../../base/errors/errors.ts';
import type { Issue, TransitionFields } from '../../../contract/forge/tracker.ts';
import type { RestClient } from '../../rest/client.ts';
import { expectAnsweredList, readAnswer } from '../../rest/lenientReader.ts';
import { createUnconfirmedError } from '../../rest/refusal.ts';
import type { JiraTransition } from './answers.ts';
import { type FieldPlan, describeTransitionFields, planFields } from './transitionFields.ts';

interface AskedMove {
  issue: Pick<Issue, 'key' | 'status'>;
  wanted: string;
  fields: TransitionFields;
}

interface TransitionPlan {
  transition: JiraTransition;
  plan: Exclude<FieldPlan, { problem: string }>;
}

const describeTransitionNeeds = (way: JiraTransition): string => {
  const text = way.hasScreen === false ? '' : describeTransitionFields(way);
  return text === ''
    ? 'This change of status takes no fields.'
    : `${text} Give them in "fields" by id or name.`;
};

/**
 * The first transition to a status whose fields match. Throws SvcError: `conflict` where no
 * transition leads there, `bad-argument` where no fields match.
 */
function findTransition(
  transitions: readonly JiraTransition[],
  { issue: { key, status }, wanted, fields }: AskedMove,
  version: 2 | 3,
): TransitionPlan {
  const name = wanted.trim().toLowerCase();
  const open = transitions.filter(({ isAvailable }) => isAvailable !== false);
  // Matched by status alone: with a transition's name a repeat could not tell that it was made.
  const ways = open.filter(({ to }) => to?.name?.toLowerCase() === name);
  const plans = ways.map((transition) => ({
    transition,
    plan: planFields(transition, fields, version),
  }));
  for (const { transition, plan } of plans) if (!('problem' in plan)) return { transition, plan };
  const [first] = plans;
  if (first && 'problem' in first.plan)
    throw new SvcError(
      'bad-argument',
      `${key} was not changed. It cannot become ${JSON.stringify(wanted)} like this: ${first.plan.problem}. ${describeTransitionNeeds(first.transition)}`,
    );
  const others = [
    ...new Set(open.map(({ to, name: transitionName }) => to?.name ?? transitionName)),
  ];
  throw new SvcError(
    'conflict',
    `${key} is ${status} and cannot become ${JSON.stringify(wanted)} from there. It can become: ${others.join(', ') || 'nothing'}.`,
  );
}

/** Moves an issue along its workflow. Throws SvcError; a refusal names the existing fields. */
export async function moveIssue(
  client: RestClient,
  version: 2 | 3,
  move: AskedMove,
): Promise<void> {
  const { key } = move.issue;
  const what = `issue ${key}`;
  const path = `/issue/${key}/transitions`;
  const { transitions } = await client.get<{ transitions?: JiraTransition[] }>(what, path, {
    expand: 'transitions.fields',
  });
  const jiraTransitions = expectAnsweredList(client.server, `transitions of ${what}`, transitions);
  const { transition, plan } = readAnswer(client.server, `transitions of ${what}`, () =>
    findTransition(jiraTransitions, move, version),
  );
  const { fields, update } = plan;
  const request = {
    transition: { id: transition.id },
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
    ...(Object.keys(update).length > 0 ? { update } : {}),
  };
  let status: number;
  try {
    ({ status } = await client.sendForAnswer(what, 'POST', path, request));
  } catch (error) {
    // No description says what a validator of the workflow wants.
    if (!(error instanceof SvcError) || error.code !== 'bad-argument') throw error;
    throw new SvcError(
      'bad-argument',
      `${error.message.replace(/\.?$/, '.')} ${describeTransitionNeeds(transition)}`,
      {
        data: error.data,
        cause: error,
      },
    );
  }
  if (status !== 204) throw createUnconfirmedError(client.server, what);
}
