import { Icon } from '../shell/controls/Icon.tsx';
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
