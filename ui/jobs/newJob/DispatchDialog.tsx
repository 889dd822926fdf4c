import { toStringOrEmpty } from '../../../src/base/json/untrusted.ts';
import { For, type JSX, Show } from 'solid-js';
import type { WorkflowEntry } from '../../../src/contract/schema/workflow/workflow.ts';
import { AskDialog } from '../../shell/controls/AskDialog.tsx';
import { Problem } from '../../shell/problems/Problem.tsx';
import { revealTurningCharacters } from '../../shell/markdown/revealTurningCharacters.ts';

interface DispatchDialogProps {
  workflow: WorkflowEntry;
  params: Readonly<Record<string, unknown>>;
  /** Checkpoints that wait for an approval. */
  held: readonly string[];
  /** What the runner answered to the last try; null = nothing. */
  problem: unknown;
  close: () => void;
  send: () => Promise<boolean>;
  children?: JSX.Element;
}

export function DispatchDialog(props: DispatchDialogProps) {
  const agents = () => [
    ...new Set(
      props.workflow.phases.flatMap(({ provider, model }) =>
        provider === null ? [] : [model === null ? provider : `${provider} (${model})`],
      ),
    ),
  ];
  const reviewers = () => {
    const { reviewers: names } = props.params;
    return Array.isArray(names) ? names.join(', ') : '';
  };
  const facts = (): [name: string, text: string][] => [
    [
      'Job',
      revealTurningCharacters(toStringOrEmpty(props.params['description']).split('\n', 1)[0] ?? ''),
    ],
    ['Repository', toStringOrEmpty(props.params['repoSlug'])],
    ['Ticket', toStringOrEmpty(props.params['jiraTicketId'])],
    ['Workflow', props.workflow.label],
    ['Agents', agents().join(', ')],
    ['Reviewers', reviewers()],
    ['Asks you', props.held.length > 0 ? `after ${props.held.join(', ')}` : 'at no checkpoint'],
  ];
  return (
    <AskDialog title="Dispatch this job?" says="Dispatch" close={props.close} send={props.send}>
      <dl class="facts">
        <For each={facts().filter(([, text]) => text !== '')}>
          {([name, text]) => (
            <>
              <dt>{name}</dt>
              <dd>
                <bdi>{text}</bdi>
              </dd>
            </>
          )}
        </For>
      </dl>
      {props.children}
      <Show when={props.problem}>{(error) => <Problem error={error()} />}</Show>
      <p class="muted">It starts as soon as a slot is free, and can be cancelled.</p>
    </AskDialog>
  );
}
