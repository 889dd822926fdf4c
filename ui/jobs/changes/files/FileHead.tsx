import { For, Show } from 'solid-js';
import { Icon } from '../../../shell/Icon.tsx';
import { useDashboard } from '../../../shell/dashboard.ts';
import type { DiffFile } from '../diff/diffFile.ts';
import { withNames } from '../diff/hiddenCharacters.ts';
import type { FilesReview } from './fileReview.ts';
import type { FilesView } from './filesView.ts';
import { Pictures } from './Pictures.tsx';

const CHANGES = {
  changed: '',
  added: 'new',
  removed: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
} as const;

/** What a file is called, what happened to it, and whether the person has seen it. */
export function FileHead(props: {
  file: DiffFile;
  view: FilesView;
  review: FilesReview | null;
  head: (element: HTMLElement) => void;
  notes: (element: HTMLElement) => void;
}) {
  const { shell } = useDashboard();
  const { file } = props;
  const open = () => props.view.isOpen(file);
  const name = withNames(file.path);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(file.path);
      shell.trigger.did({ text: 'Path copied.' });
    } catch (error) {
      shell.trigger.failed({ text: 'Path not copied', error });
    }
  };
  return (
    <>
      <div class="diff-head" ref={props.head}>
        <button
          type="button"
          class="quiet icon-only"
          aria-expanded={open()}
          aria-label={`${open() ? 'Collapse' : 'Expand'} ${name}`}
          disabled={file.lines.length === 0}
          onClick={() => props.view.setOpen(file, !open())}
        >
          <Icon name={open() ? 'down' : 'right'} />
        </button>
        <h3 class="grow">
          <bdi dir="ltr">
            <Show when={file.from !== null}>{withNames(file.from ?? '')} → </Show>
            {name}
          </bdi>
        </h3>
        <button
          type="button"
          class="quiet icon-only"
          aria-label={`Copy the path ${name}`}
          onClick={() => void copy()}
        >
          <Icon name="copy" />
        </button>
        <Show when={CHANGES[file.change] !== ''}>
          <small>{CHANGES[file.change]}</small>
        </Show>
        <span class="counts">
          <span class="plus">+{file.added}</span> <span class="minus">−{file.removed}</span>
        </span>
        <Show when={props.review}>
          {(review) => (
            <label class="viewed">
              <input
                type="checkbox"
                checked={review().isViewed(file)}
                onChange={(event) => review().setViewed(file, event.currentTarget.checked)}
              />
              Viewed<span class="visually-hidden"> {name}</span>
            </label>
          )}
        </Show>
      </div>
      <div class="diff-notes" ref={props.notes}>
        <Show when={file.hidden}>
          <p class="notice-line">
            <Icon name="warn" /> This file has characters that are invisible or change the order of
            others. They are shown by name, such as U+202E.
          </p>
        </Show>
        <For each={file.notes}>{(note) => <p class="muted">{note}</p>}</For>
        <Show when={props.review?.pictures(file)}>
          {(pictures) => <Pictures name={name} pictures={pictures()} />}
        </Show>
        <Show when={!open() && file.lines.length > 0 && props.view.reason(file)}>
          {(reason) => (
            <p class="muted">
              {reason()}.{' '}
              <button type="button" class="link" onClick={() => props.view.setOpen(file, true)}>
                Show the changes
              </button>
            </p>
          )}
        </Show>
        <Show when={props.review?.hasOthers(file) && props.review}>
          {(review) => review().others(file)}
        </Show>
      </div>
    </>
  );
}
