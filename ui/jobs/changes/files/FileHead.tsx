import { createMemo, For, Show } from 'solid-js';
import { Icon } from '../../../shell/controls/Icon.tsx';
import { useDashboard } from '../../../shell/dashboard.ts';
import type { DiffFile } from '../diff/diffFile.ts';
import { nameHiddenCharacters } from '../diff/hiddenCharacters.ts';
import type { FilesReview } from './filesReview.ts';
import type { FilesView } from './filesView.ts';
import { Pictures } from './Pictures.tsx';

const CHANGES = {
  changed: '',
  added: 'new',
  removed: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
} as const;

export function FileHead(props: {
  file: DiffFile;
  /** False while it shows nothing, and waits for another file. */
  isUsed: boolean;
  view: FilesView;
  review: FilesReview | null;
  /** Called with each part, to know its height. */
  watch: (element: HTMLElement) => void;
}) {
  const { shell } = useDashboard();
  const open = createMemo(() => props.view.isOpen(props.file));
  const name = createMemo(() => nameHiddenCharacters(props.file.path));
  const what = () => CHANGES[props.file.change];
  const pictures = () => (props.isUsed ? props.review?.pictures(props.file) : null);
  const hasOthers = () => props.isUsed && props.review?.hasOthers(props.file) === true;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.file.path);
      shell.trigger.did({ text: 'Path copied.' });
    } catch (error) {
      shell.trigger.failed({ text: 'Path not copied', error });
    }
  };
  return (
    <>
      <div class="diff-head" ref={props.watch}>
        <button
          type="button"
          class="quiet icon-only"
          aria-expanded={open()}
          aria-label={`${open() ? 'Collapse' : 'Expand'} ${name()}`}
          disabled={props.file.lines.length === 0}
          onClick={() => props.view.setOpen(props.file, !open())}
        >
          <Icon name={open() ? 'down' : 'right'} />
        </button>
        <h3 class="grow">
          <bdi dir="ltr">
            <Show when={props.file.from !== null}>
              {nameHiddenCharacters(props.file.from ?? '')} →{' '}
            </Show>
            {name()}
          </bdi>
        </h3>
        <button
          type="button"
          class="quiet icon-only"
          aria-label={`Copy the path ${name()}`}
          onClick={() => void copy()}
        >
          <Icon name="copy" />
        </button>
        {/* Hidden rather than left out: the head is used again for other files. */}
        <small hidden={what() === ''} textContent={what()} />
        <span class="counts">
          <span class="plus">+{props.file.added}</span>{' '}
          <span class="minus">−{props.file.removed}</span>
        </span>
        <Show when={props.review}>
          {(review) => (
            <label class="viewed">
              <input
                type="checkbox"
                checked={review().isViewed(props.file)}
                onChange={(event) => review().setViewed(props.file, event.currentTarget.checked)}
              />
              Viewed<span class="visually-hidden"> {name()}</span>
            </label>
          )}
        </Show>
      </div>
      <div class="diff-notes" ref={props.watch}>
        <Show when={props.file.hidden}>
          <p class="notice-line">
            <Icon name="warn" /> This file has characters that are invisible or change the order of
            others. They are shown by name, such as U+202E.
          </p>
        </Show>
        <For each={props.file.notes}>{(note) => <p class="muted">{note}</p>}</For>
        <Show when={pictures()}>
          {(pictures) => <Pictures name={name()} pictures={pictures()} />}
        </Show>
        <Show when={!open() && props.file.lines.length > 0 && props.view.reason(props.file)}>
          {(reason) => (
            <p class="muted">
              {reason()}.{' '}
              <button
                type="button"
                class="link"
                onClick={() => props.view.setOpen(props.file, true)}
              >
                Show the changes
              </button>
            </p>
          )}
        </Show>
        {/* Of this file alone: what is written in them does not become that of another one. */}
        <Show when={hasOthers() && props.file} keyed>
          {(file) => props.review?.others(file)}
        </Show>
      </div>
    </>
  );
}
