import { createSignal, Show } from 'solid-js';
import './pictures.css';

/**
 * Pictures that could not be shown: they are not requested again when the file comes back into
 * view.
 */
const refused = new Set<string>();

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
  const [failed, setFailed] = createSignal(refused.has(props.url));
  const refuse = () => {
    refused.add(props.url);
    setFailed(true);
  };
  return (
    <figure>
      <figcaption>
        {props.side} <small>{size()}</small>
      </figcaption>
      <Show
        when={!failed()}
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
