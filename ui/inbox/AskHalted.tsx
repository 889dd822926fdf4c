import { For } from 'solid-js';
import { Icon } from '../shell/Icon.tsx';
import { CommandRow } from '../shell/CommandRow.tsx';
import { jobHash } from '../shell/router.ts';
import type { AskProps } from './askProps.ts';

/** A halted campaign: what failed, each with the two things that let the campaign continue. */
export function AskHalted(props: AskProps) {
  const failed = () =>
    props.job.subRuns.filter(({ status }) => status === 'failed' || status === 'escalated');
  const skip = (name: string) => {
    const { id } = props.job;
    void props.command(`${name} skipped.`, (client) => client.skipSubRun(id, name), {
      says: `${name} is no longer skipped.`,
      send: (client) => client.unskipSubRun(id, name),
    });
  };
  return (
    <>
      <h2 class="question">The campaign needs a decision</h2>
      <p dir="auto">{props.job.parked?.reason}</p>
      <ul class="plain stack">
        <For each={failed().map(({ name }) => name)}>
          {(name) => (
            <li class="row">
              <strong>
                <bdi>{name}</bdi>
              </strong>{' '}
              <bdi class="muted grow">{failed().find((one) => one.name === name)?.reason}</bdi>
              <CommandRow>
                <button
                  type="button"
                  onClick={() =>
                    void props.command(`${name} runs again.`, (client) =>
                      client.rerunSubRun(props.job.id, name),
                    )
                  }
                >
                  <Icon name="redo" /> Rerun {name}
                </button>
                <button type="button" onClick={() => skip(name)}>
                  Skip {name}
                </button>
              </CommandRow>
            </li>
          )}
        </For>
      </ul>
      <a class="button self-start" href={jobHash(props.job.id, 'campaign')}>
        <Icon name="graph" /> Open the campaign
      </a>
    </>
  );
}
