import { Show } from 'solid-js';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { Icon } from '../shell/controls/Icon.tsx';
import { ProposeFile } from './ProposeFile.tsx';
import { ComparedTexts } from './ComparedTexts.tsx';

/** The file was saved by someone else since this text was begun: both, and what to do. */
export function SaveConflict(props: { saved: string; mine: string; keepMine: () => void }) {
  return (
    <>
      <p class="notice-line" role="status">
        <Icon name="warn" /> The file has changed since you started.{' '}
        <button type="button" onClick={() => props.keepMine()}>
          Keep my text
        </button>
      </p>
      <details>
        <summary>From the saved text to yours</summary>
        <ComparedTexts before={props.saved} after={props.mine} />
      </details>
    </>
  );
}

/** What a person is asked before it is done. */
export type AskedOfFile = 'discard' | 'delete' | 'propose';

export function FileDialogs(props: {
  path: string;
  asked: AskedOfFile | null;
  /** Whether a change, or a removal, becomes a proposal. */
  proposes: boolean;
  propose: (description: string) => Promise<boolean>;
  /** The layer whose version is used once this one is deleted; null = none has one. */
  below: string | null;
  close: () => void;
  discard: () => Promise<boolean>;
  remove: () => Promise<boolean>;
}) {
  return (
    <>
      <Show when={props.asked === 'discard'}>
        <AskDialog
          title="Discard your changes?"
          says="Discard"
          danger
          close={props.close}
          send={props.discard}
        >
          <p>Everything you changed in {props.path} since the last save will be lost.</p>
        </AskDialog>
      </Show>
      <Show when={props.proposes && (props.asked === 'propose' || props.asked === 'delete')}>
        <ProposeFile
          path={props.path}
          removes={props.asked === 'delete'}
          close={props.close}
          propose={props.propose}
        />
      </Show>
      <Show when={!props.proposes && props.asked === 'delete'}>
        <AskDialog
          title={`Delete ${props.path}?`}
          says="Delete"
          danger
          close={props.close}
          send={props.remove}
        >
          <p>
            This deletes the file from the tenant layer.{' '}
            {props.below === null
              ? 'No other layer has one: jobs that need it fail at their next phase.'
              : `Running jobs use the ${props.below} layer's version from their next phase on.`}
          </p>
        </AskDialog>
      </Show>
    </>
  );
}
