import { Show } from 'solid-js';
import { Icon } from '../shell/controls/Icon.tsx';
import { LAYER_MEANINGS, type LayerName } from './authoredFiles.ts';

/** What a file is, and the buttons for its text. */
export function FileHead(props: {
  path: string;
  /** The layer whose text counts; null = it is not saved yet. */
  layer: LayerName | null;
  isChanged: boolean;
  mayDelete: boolean;
  /** Whether a change becomes a proposal, after a question. */
  proposes: boolean;
  isReady: boolean;
  /** What the button does, or why it does nothing. */
  why: string;
  discard: () => void;
  delete: () => void;
  save: () => void;
}) {
  return (
    <>
      <div class="file-head">
        <h2>{props.path}</h2>
        <span class="pill literal">{props.layer ?? 'new'}</span>
        <small>{props.layer === null ? 'Not saved yet' : LAYER_MEANINGS[props.layer]}</small>
        <span class="grow" />
        <Show when={props.isChanged}>
          <button type="button" onClick={() => props.discard()}>
            Discard changes
          </button>
        </Show>
        <Show when={props.mayDelete}>
          <button type="button" class="danger" onClick={() => props.delete()}>
            <Icon name="trash" /> {props.proposes ? 'Propose to delete …' : 'Delete'}
          </button>
        </Show>
        <button
          type="button"
          class="primary"
          disabled={!props.isReady}
          aria-describedby="why-save"
          onClick={() => props.save()}
        >
          <Icon name="check" /> {props.proposes ? 'Propose …' : 'Save'}
        </button>
      </div>
      <p id="why-save" class="muted file-note">
        {props.why}
      </p>
    </>
  );
}
