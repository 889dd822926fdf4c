import { Show } from 'solid-js';
import { Icon } from '../../shell/controls/Icon.tsx';
import { doPageKey } from '../../shell/keys/pageKeys.ts';
import type { JobCommand, NextStep } from './pickNextStep.ts';

export function NextButton(props: {
  step: NextStep;
  /** The question with its answers is on the same page, with a blue button of its own. */
  isBelow: boolean;
  off: boolean;
  /** Why it is off. */
  why: string | undefined;
  run: (command: JobCommand) => void;
}) {
  const look = () => (props.step.isPrimary && !props.isBelow ? 'primary' : '');
  const press = (event: MouseEvent) => {
    const { key } = props.step;
    if (key === null || !props.isBelow) return;
    event.preventDefault();
    doPageKey(key);
  };
  return (
    <Show
      when={props.step.command}
      fallback={
        <a class={`button ${look()}`} href={props.step.href ?? ''} onClick={press}>
          <Icon name={props.step.icon} /> {props.step.says}
        </a>
      }
    >
      {(command) => (
        // The card below offers this button already.
        <Show when={!props.isBelow}>
          <button
            type="button"
            class={look()}
            disabled={props.off}
            title={props.why}
            onClick={() => props.run(command())}
          >
            <Icon name={props.step.icon} /> {props.step.says}
          </button>
        </Show>
      )}
    </Show>
  );
}
