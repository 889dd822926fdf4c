import { createSignal, Show } from 'solid-js';
import './pictures.css';
import { API_PATH } from '../../../shell/apiPath.ts';
import { findPictureType } from '../../../../src/base/limits/pictures.ts';
import type { DiffFile } from '../diff/diffFile.ts';

const COMMIT = /^[0-9a-f]{40}$/;

/**
 * Addresses of a picture before and after its change; null on a side where it does not exist, and
 * for a file that is no picture, or whose change is one of name or mode alone.
 */
export function buildPictureUrls(
  { path, from, change, binary, lines }: DiffFile,
  { job, pr, head }: { job: string; pr: string; head: string | null },
): { before: string | null; after: string | null } | null {
  if (head === null || !COMMIT.test(head) || findPictureType(path) === null) return null;
  if (!binary && lines.length === 0) return null;
  const at = (side: 'before' | 'after', name: string) =>
    `${API_PATH}/jobs/${encodeURIComponent(job)}/pull-requests/${encodeURIComponent(pr)}/picture?${new URLSearchParams(
      { path: name, commit: head, side },
    )}`;
  return {
    before: change === 'added' || change === 'copied' ? null : at('before', from ?? path),
    after: change === 'removed' ? null : at('after', path),
  };
}

/**
 * Pictures that could not be shown: they are not requested again when the file comes back into
 * view.
 */
const refusedPictures = new Set<string>();

/** A picture before and after its change, side by side. It is shown as an image, never as a page. */
export function Pictures(props: {
  name: string;
  pictures: { before: string | null; after: string | null };
}) {
  return (
    <div class="pictures">
      <Show when={props.pictures.before} keyed>
        {(url) => <OnePicture url={url} name={props.name} side="Before" />}
      </Show>
      <Show when={props.pictures.after} keyed>
        {(url) => <OnePicture url={url} name={props.name} side="After" />}
      </Show>
    </div>
  );
}

function OnePicture(props: { url: string; name: string; side: 'Before' | 'After' }) {
  const [size, setSize] = createSignal('');
  const [hasFailed, setHasFailed] = createSignal(refusedPictures.has(props.url));
  const refuse = () => {
    refusedPictures.add(props.url);
    setHasFailed(true);
  };
  return (
    <figure>
      <figcaption>
        {props.side} <small>{size()}</small>
      </figcaption>
      <Show
        when={!hasFailed()}
        fallback={
          <p class="muted">
            Not shown: it is longer than 5 MiB, damaged, or its commit is not on this machine.
          </p>
        }
      >
        <img
          src={props.url}
          alt={`${props.name}, ${props.side.toLowerCase()} the change`}
          loading="lazy"
          decoding="async"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize(`${naturalWidth} × ${naturalHeight}`)
          }
          onError={refuse}
        />
      </Show>
    </figure>
  );
}
